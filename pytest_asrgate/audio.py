"""Audio files → 16 kHz mono float samples, or one sentence why not."""

import errno
import math
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.containers import counted_mp3_frame, mp3_samples, truncation
from pytest_asrgate.errors import AudioError
from pytest_asrgate.values import LONGEST_AUDIO_S

if TYPE_CHECKING:
    import numpy as np
    import soundfile
    from numpy.typing import NDArray

__all__ = ["ABSENT", "AUDIO_DECODING", "SAMPLE_RATE_HZ", "audio_length", "file_problem", "read_audio"]

SAMPLE_RATE_HZ = 16_000

# Raise this when the samples that `read_audio` gives or the files that it refuses change: stored hypotheses are
# keyed by it.
AUDIO_DECODING = 3

# What `file_problem` says of a path that leads to nothing.
ABSENT = "no such audio file"

# Four hours of eight channels at 48 kHz in 32 bits are 22 GB; hashing what is larger, such as /proc/kcore, may take
# days.
_LARGEST_BYTES = 32_000_000_000
# 384 kHz is the highest rate of any recorder, and the filter that resamples is as long as the rate.
_HIGHEST_RATE_HZ = 384_000
# Samples a channel, of four bytes each: a few MB of FLAC can hold hours of silence at any rate.
_MOST_FRAMES = int(LONGEST_AUDIO_S * 48_000)
# A header that does not know its length says 0, for which libsndfile has the largest number there is.
_UNKNOWN_FRAMES = 1 << 60
# What libsndfile says of M4A, WMA and a page of HTML alike.
_UNKNOWN_FORMAT = 1
# Samples of all channels that are decoded at once.
_BLOCK = 1 << 22
# How far the end of a part may lie beyond that of its recording: corpora round their times.
_BEYOND_S = 0.1
# How much before a part of an MP3 is decoded, too, and thrown away.
_RUN_UP_S = 0.5


def file_problem(path: Path) -> str | None:
    """Say in a few words why a path is no audio file, without opening it: that alone may block for ever.

    Links are followed. Only regular files that hold something are read; OSError as it comes.
    """
    try:
        found = path.stat()
    except OSError as error:
        # A link to itself leads to nothing, either.
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
            return ABSENT
        raise
    if not stat.S_ISREG(found.st_mode):
        return "not a regular file"
    if found.st_size == 0:
        # Also what the kernel calls files in /proc, some of which are waited for when they are read.
        return "cannot be read as audio (the file is empty)"
    if found.st_size > _LARGEST_BYTES:
        return f"larger than {_LARGEST_BYTES // 10**9} GB; split it"
    return None


def audio_length(path: Path) -> float | None:
    """How long an audio file is by its header, in seconds; None where that is unknown or it cannot be read."""
    import soundfile  # noqa: PLC0415 - heavy: only where audio is really looked at

    try:
        if file_problem(path) is not None:
            return None
        found = soundfile.info(str(path))
    except (soundfile.LibsndfileError, OSError, RuntimeError, TypeError, ValueError):
        return None
    return found.frames / found.samplerate if 0 <= found.frames < _UNKNOWN_FRAMES else None


def _check_mp3(path: Path, announced: int, found: int) -> None:
    """Raise AudioError where fewer samples were decoded than an MP3 announced, or can be than it holds."""
    frame = counted_mp3_frame(path)
    if frame is not None:
        # Some encoders count the frame that holds the count.
        if found + frame < announced:
            text = f"the header announces {announced} samples, and {found} can be decoded"
            raise AudioError(f"{path}: truncated or damaged: {text}")
    elif found == announced:
        # The length is an estimate from the first frame and the size, and nothing is decoded beyond it. The last
        # frame may be rounded away, which is no more than a cut that is not found.
        there, last = mp3_samples(path)
        if found + last < there:
            text = f"only {found} of its {there} samples can be decoded, since its header does not count them"
            raise AudioError(f"{path}: {text}; write it to a file again")


def _check_length(frames: int, rate: int, path: Path) -> None:
    """Raise AudioError for more samples than are ever decoded at once."""
    hours = f"{LONGEST_AUDIO_S / 3600:.0f} hours"
    if frames > LONGEST_AUDIO_S * rate:
        raise AudioError(f"{path}: longer than {hours}; split it")
    if frames > _MOST_FRAMES:
        raise AudioError(f"{path}: holds more samples than {hours} at 48 kHz; resample or split it")


def _decoded(file: "soundfile.SoundFile", frames: int, channel: int | None) -> "NDArray[np.float32]":
    """The next samples of a file, channels mixed down block by block: only one channel is ever held whole."""
    import numpy as np  # noqa: PLC0415 - as in read_audio

    # Only what is written to takes memory, so a header that lies costs nothing.
    mono = np.empty(frames, dtype=np.float32)
    filled = 0
    while filled < len(mono):
        wanted = min(max(1, _BLOCK // file.channels), len(mono) - filled)
        block = file.read(wanted, dtype="float32", always_2d=True)
        if not len(block):
            break
        one = block.mean(axis=1, dtype=np.float32) if channel is None else block[:, channel]
        mono[filled : filled + len(block)] = one
        filled += len(block)
    return mono[:filled]


def _check_known(file: "soundfile.SoundFile", path: Path) -> None:
    if file.frames >= _UNKNOWN_FRAMES:
        # A FLAC from a pipe; libsndfile cannot read on in it.
        raise AudioError(f"{path}: its header does not say how long it is; write it to a file again")


def _whole(file: "soundfile.SoundFile", path: Path, channel: int | None) -> "NDArray[np.float32]":
    _check_known(file, path)
    _check_length(file.frames, file.samplerate, path)
    mono = _decoded(file, file.frames, channel)
    if file.format == "MP3":
        _check_mp3(path, file.frames, len(mono))
    return mono


def _part(
    file: "soundfile.SoundFile", path: Path, start_s: float, end_s: float | None, channel: int | None
) -> "NDArray[np.float32]":
    """The samples between two times, without decoding what is before them."""
    _check_known(file, path)
    rate, length_s = file.samplerate, file.frames / file.samplerate
    end = length_s if end_s is None else end_s
    span = f"the part from {start_s:g} s to {end:g} s"
    if not (math.isfinite(start_s) and math.isfinite(end) and 0 <= start_s < end):
        raise AudioError(f"{path}: {span} is none; a part begins at 0 s or later and ends after that")
    if end > length_s + _BEYOND_S or start_s >= length_s:
        raise AudioError(f"{path}: {span} goes beyond the recording's end at {length_s:g} s")
    first, last = round(start_s * rate), min(round(end * rate), file.frames)
    _check_length(last - first, rate, path)
    # A frame of an MP3 may lean on bytes of those before it, which a decoder lacks where it begins.
    run_up = min(first, round(_RUN_UP_S * rate)) if file.format == "MP3" else 0
    file.seek(first - run_up)
    mono = _decoded(file, run_up + last - first, channel)[run_up:]
    if len(mono) < last - first:
        raise AudioError(f"{path}: truncated or damaged: of {span} {len(mono) / rate:g} s can be decoded")
    return mono


def read_audio(
    path: Path, *, start_s: float = 0.0, end_s: float | None = None, channel: int | None = None
) -> "NDArray[np.float32]":
    """Read one file as a 1-D float32 array at 16 kHz, channels mixed down, resampled where needed.

    `start_s` and `end_s` are in seconds and ask for a part of it, of which nothing else is decoded; an end up to
    0.1 s behind the recording's means that. `channel`, from 0, is taken alone instead of the mean of all.

    Raises AudioError for a file that is absent, is no audio, is empty, truncated, too long, or holds samples
    that are not finite, for a part that it does not have, and for a channel that it does not have. Memory is
    bounded by 4 hours of one channel at 48 kHz.

    An MP3 is found to be cut, or to have a hole, where its first frame counts the others, as LAME, FFmpeg and
    libsndfile write it, and more than one frame (at most 72 ms) is missing. Without that count its length is an
    estimate: it is read as far as it goes, and refused where that would not be to its end. What a file holds
    beyond its announced length is not read.
    """
    import numpy as np  # noqa: PLC0415 - heavy: only where audio is really read
    import soundfile  # noqa: PLC0415 - as numpy

    try:
        problem = file_problem(path)
        if problem is not None:
            raise AudioError(f"{path}: {problem}")
        # Before soundfile is asked, which would give what is left of a cut file in silence.
        cut = truncation(path)
        if cut is not None:
            raise AudioError(f"{path}: truncated: {cut}")
        with soundfile.SoundFile(str(path)) as file:
            rate = int(file.samplerate)
            if rate > _HIGHEST_RATE_HZ:
                raise AudioError(f"{path}: has {rate} samples a second, over {_HIGHEST_RATE_HZ}; resample it")
            if channel is not None and not 0 <= channel < file.channels:
                raise AudioError(f"{path}: has no channel {channel + 1}, counted from 1; it has {file.channels}")
            if not start_s and end_s is None:
                mono = _whole(file, path, channel)
            else:
                mono = _part(file, path, start_s, end_s, channel)
    except MemoryError as error:
        raise AudioError(f"{path}: decoding it needs more memory than there is") from error
    except (soundfile.LibsndfileError, OSError, RuntimeError, TypeError, ValueError) as error:
        # TypeError is what headerless samples raise: nothing says their rate.
        reason = str(error).rsplit(": ", 1)[-1]
        if isinstance(error, soundfile.LibsndfileError) and error.code == _UNKNOWN_FORMAT:
            reason = f"{reason.rstrip('.')}; if it is audio, write it as WAV or FLAC"
        raise AudioError(f"{path}: cannot be read as audio ({reason})") from error
    if len(mono) == 0:
        raise AudioError(f"{path}: holds no samples")
    if not bool(np.isfinite(mono).all()):
        raise AudioError(f"{path}: holds samples that are not finite numbers (NaN or infinity)")
    if rate != SAMPLE_RATE_HZ:
        from scipy.signal import resample_poly  # noqa: PLC0415 - half a second to import, and rarely needed

        common = math.gcd(rate, SAMPLE_RATE_HZ)
        mono = resample_poly(mono, SAMPLE_RATE_HZ // common, rate // common).astype(np.float32)
    return np.ascontiguousarray(mono)
