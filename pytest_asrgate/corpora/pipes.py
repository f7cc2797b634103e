"""Commands in place of a path, as Kaldi's wav.scp has them: read for the one file that they decode, never run.

Source: the manuals of flac, sox and ffmpeg, and sph2pipe's README. A command is understood only where each of its
words is known to change nothing but container, rate, bits and number of channels.
"""

import re
import shlex
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

__all__ = ["Decoded", "decoded_file"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a command decodes: the file as written, the channel from 0 (None for all), the rate that it asks for."""

    file: str
    channel: int | None = None
    rate_hz: int | None = None


# What a shell takes as it stands; of a quotation, only where both the shell and `shlex` read the same in it.
_QUOTED = re.compile(r"""'[^']*'|"(?:[^"\\$`]|\\[^$`])*"|\\.""")
_ACTS = re.compile(r"[|&;<>()$`*?\[\]{}]|(?:(?<=\s)|^)[~#]")

# Plain ASCII without quotation: its words are what blanks part.
_PLAIN = re.compile(r"""[\t !#-&(-\[\]-~]*""")

# Values of options.
_ANY = re.compile(".+", re.DOTALL)
_COUNT = re.compile("[1-9][0-9]?")
_RATE = re.compile(r"[1-9][0-9]{0,5}(?:\.[0-9]{1,3})?k?")
_WAVE = re.compile("wav|wavpcm")
# Those of sox that say in themselves what they hold.
_CONTAINER = re.compile("wav|wavpcm|flac|sph|nist|mp3|ogg|vorbis|opus|aiff|aif|au|snd|amr-nb|amr-wb|w64|caf")
_BITS = re.compile("16|24|32")
_ENCODING = re.compile("signed-integer|signed|floating-point|float")
_CODEC = re.compile("pcm_s16le|pcm_s24le|pcm_s32le|pcm_f32le")

_SOX_FLAGS = {"-q", "-D", "-R", "-V", "-V0", "-V1", "-V2", "-V3", "-V4", "--no-show-progress"}
# Of a file that says itself what it holds these only repeat it; a rate would play it faster or slower.
_SOX_INPUT = {"-t": _CONTAINER, "-c": _COUNT, "-b": _BITS, "-e": _ENCODING}
_SOX_OUTPUT = {"-t": _WAVE, "-c": _COUNT, "-b": _BITS, "-e": _ENCODING, "-r": _RATE}
_SOX_CHANNELS = {"channels", "remix"}
_SOX_QUALITY = {"-q", "-l", "-m", "-h", "-v", "-s"}

_FFMPEG_FLAGS = {"-y", "-n", "-nostdin", "-hide_banner", "-nostats", "-vn"}
_FFMPEG_EVERYWHERE = {"-v": _ANY, "-loglevel": _ANY, "-threads": re.compile("[0-9]+")}
_FFMPEG_OUTPUT = {
    **_FFMPEG_EVERYWHERE,
    "-f": re.compile("wav"),
    "-ar": _RATE,
    "-ac": _COUNT,
    "-acodec": _CODEC,
    "-c:a": _CODEC,
    "-codec:a": _CODEC,
    "-sample_fmt": re.compile("s16|s32|flt"),
    # A bit rate means nothing to samples that are not compressed.
    "-ab": _ANY,
    "-b:a": _ANY,
}
_FFMPEG_PIPE = {"-", "pipe:", "pipe:1"}
_PROTOCOL = re.compile("[A-Za-z][A-Za-z0-9+.,-]*:")


def _unknown(word: str) -> ValueError:
    return ValueError(f"has {word!r}, which is not known to leave the sound as it is")


def _options(words: deque[str], flags: Collection[str], valued: Mapping[str, re.Pattern[str]]) -> dict[str, str]:
    """Take the options that come next, each with its value or ""."""
    found: dict[str, str] = {}
    while words and words[0].startswith("-") and words[0] != "-":
        option = words.popleft()
        if option in valued:
            found[option] = _value(words, option, valued[option])
        elif option in flags:
            found[option] = ""
        else:
            raise _unknown(option)
    return found


def _value(words: deque[str], option: str, allowed: re.Pattern[str]) -> str:
    if not words:
        raise ValueError(f"has {option!r} without its value")
    value = words.popleft()
    if not allowed.fullmatch(value):
        raise ValueError(f"has {value!r} after {option!r}, which is not known to leave the sound as it is")
    return value


def _file(words: deque[str]) -> str:
    if not words:
        raise ValueError("names no file")
    file = words.popleft()
    if file in {"", "-"}:
        raise ValueError(f"names no file but {file!r}")
    return file


def _lone(
    words: deque[str], flags: Collection[str], valued: Mapping[str, re.Pattern[str]]
) -> tuple[str, dict[str, str]]:
    """The only file of a command whose options may stand anywhere, and these."""
    found = _options(words, flags, valued)
    file = _file(words)
    found |= _options(words, flags, valued)
    if words:
        raise ValueError("decodes more than one file, or writes to one")
    return file, found


def _rate(text: str | None) -> int | None:
    if text is None:
        return None
    return round(float(text.removesuffix("k")) * (1000 if text.endswith("k") else 1))


def _cat(words: deque[str]) -> Decoded:
    return Decoded(_lone(words, (), {})[0])


def _flac(words: deque[str]) -> Decoded:
    letters = {"c": "-c", "d": "-d", "s": "-s"}
    spread: deque[str] = deque()
    for word in words:
        together = re.fullmatch("-[cds]{2,}", word)
        spread.extend([letters[letter] for letter in word[1:]] if together else [word])
    file, found = _lone(spread, {"-c", "--stdout", "-d", "--decode", "-s", "--silent", "--totally-silent"}, {})
    if not found.keys() & {"-c", "--stdout"} or not found.keys() & {"-d", "--decode"}:
        raise ValueError("does not decode to the pipe without -c and -d")
    return Decoded(file)


def _sph2pipe(words: deque[str]) -> Decoded:
    file, found = _lone(words, {"-p"}, {"-f": re.compile("wav|rif"), "-c": re.compile("[12]")})
    if "-f" not in found:
        raise ValueError("does not write what Kaldi reads without -f wav")
    return Decoded(file, int(found["-c"]) - 1 if "-c" in found else None)


def _sox(words: deque[str]) -> Decoded:
    _options(words, _SOX_FLAGS, _SOX_INPUT)
    file = _file(words)
    if file.startswith("|"):
        raise _unknown(file)
    found = _options(words, _SOX_FLAGS, _SOX_OUTPUT)
    if not words or words[0] != "-":
        raise ValueError("decodes more than one file" if "-" in words else "does not write to the pipe, which is -")
    words.popleft()
    if "-t" not in found:
        raise ValueError("does not write what Kaldi reads without -t wav before its last -")
    channel: int | None = None
    rate = _rate(found.get("-r"))
    before = ""
    while words:
        effect = words.popleft()
        if effect in _SOX_CHANNELS:
            # The second would count the channels that the first leaves.
            if before:
                raise ValueError(f"has {effect!r} after {before!r}, and only one choice of channels is read")
            before = effect
        if effect == "rate":
            _options(words, _SOX_QUALITY, {})
            if words and _RATE.fullmatch(words[0]):
                rate = _rate(words.popleft())
        elif effect == "channels":
            _value(words, effect, _COUNT)
        elif effect == "remix":
            kept = _value(words, effect, re.compile("-|[1-9][0-9]?"))
            channel = None if kept == "-" else int(kept) - 1
        else:
            raise _unknown(effect)
    return Decoded(file, channel, rate)


def _ffmpeg(words: deque[str]) -> Decoded:
    before: deque[str] = deque()
    while words and words[0] != "-i":
        before.append(words.popleft())
    # What stands before a file is about that file.
    _options(before, _FFMPEG_FLAGS, _FFMPEG_EVERYWHERE)
    if before:
        raise _unknown(before[0])
    file = _file(deque(list(words)[1:2]))
    if _PROTOCOL.match(file):
        raise ValueError(f"reads {file!r}, which is a protocol's address to ffmpeg and no file")
    words = deque(list(words)[2:])
    if "-i" in words:
        raise ValueError("decodes more than one file")
    found = _options(words, _FFMPEG_FLAGS, _FFMPEG_OUTPUT)
    if not words:
        raise ValueError("does not write to the pipe, which is - or pipe:1")
    if words[0] not in _FFMPEG_PIPE or len(words) > 1:
        raise ValueError(f"writes to {words[0]!r}, or to more than that; a pipe is - or pipe:1 at the end")
    if "-f" not in found:
        raise ValueError("does not write what Kaldi reads without -f wav")
    return Decoded(file, rate_hz=_rate(found.get("-ar")))


_PROGRAMS: Mapping[str, Callable[[deque[str]], Decoded]] = {
    "cat": _cat,
    "ffmpeg": _ffmpeg,
    "flac": _flac,
    "sox": _sox,
    "sph2pipe": _sph2pipe,
}


def decoded_file(command: str) -> Decoded:
    """What a command, without the `|` that ends it, decodes; it is never run.

    Raises ValueError, in a clause whose subject is the command, where it is not one of cat, flac, sph2pipe, sox
    and ffmpeg, has more than one file, or a word that is not known to leave the sound as it is.
    """
    acts = _ACTS.search(_QUOTED.sub("_", command))
    try:
        # The same words, and `shlex` takes a tenth of a millisecond for each of a corpus of 280,000.
        words = deque(command.split() if _PLAIN.fullmatch(command) else shlex.split(command))
    except ValueError:
        raise ValueError("ends inside a quotation or after a backslash") from None
    if acts:
        raise ValueError(f"has {acts[0]!r}, on which a shell would act")
    if not words:
        raise ValueError("is empty")
    program = words.popleft()
    known = _PROGRAMS.get(PurePosixPath(program).name)
    if known is None:
        raise ValueError(f"begins with {program!r}, and only {', '.join(sorted(_PROGRAMS))} are known here")
    return known(words)
