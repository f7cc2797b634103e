"""Output that repeats itself: the same few words again and again, which a mean over the set hides."""

import re
import zlib
from collections.abc import Sequence

__all__ = ["compression", "is_loop", "longest_repetition", "loops", "raw_loop"]

# Longer phrases than this come again in speech, not in decoders that hang.
_LONGEST_PHRASE = 12
# A phrase of ten Chinese characters is a short one.
_LONGEST_PHRASE_CHARACTERS = 24
_REPEATS = 4
# Together, so that "no no no no" is none; twice as many characters under cer.
_WORDS = 8
_CHARACTERS = 16

# Whisper's limit, which it means for half a minute of speech: some 500 characters.
_COMPRESSION = 2.4
_WINDOW = 500
# A speaker who repeats himself, and a text of few words, compress well; a loop does better than its reference.
_BEYOND_REFERENCE = 1.25

# Not by category: marks are no signs, since many scripts write vowels with them.
_SIGNS = re.compile("[!-&(-/:-@\\[-`{-~¡-¿‐-‧‹›⁄♩-♯⟨⟩、-〟・।॥！-／：-？]")  # noqa: RUF001 - the very signs

# 5555 and 12 12 12 12, which an engine may spell out.
_REPEATED_DIGITS = re.compile(r"(\d{1,4}?)(?:\W*\1){3}")


# One sign again and again, as overflowing arithmetic makes an engine write; no normaliser leaves any of it. Notes
# stand for music.
_SIGN_RUN = re.compile(r"([^\w\s♩-♯])(?:\s*\1){15}")


def longest_repetition(tokens: Sequence[str], shortest: int, longest: int = _LONGEST_PHRASE) -> int:
    """How often a phrase of 1 to `longest` tokens stands in a row at most, 1 where nothing is repeated.

    Only runs of `shortest` tokens and more count.
    """
    most = 1
    for length in range(1, min(longest, len(tokens) // 2) + 1):
        equal = 0
        for place in range(len(tokens) - length):
            equal = equal + 1 if tokens[place] == tokens[place + length] else 0
            repeats = equal // length + 1
            if repeats > most and repeats * length >= shortest:
                most = repeats
    return most


def _repeats(
    spoken: Sequence[str], heard: Sequence[str], shortest: int = _WORDS, longest: int = _LONGEST_PHRASE
) -> bool:
    # A run repeats most of its words; few texts do, and the search is the dear part.
    if len(heard) - len(set(heard)) < shortest - shortest // _REPEATS:
        return False
    found = longest_repetition(heard, shortest, longest)
    return found >= _REPEATS and found > longest_repetition(spoken, shortest, longest)


def _repeats_characters(spoken: str, heard: str) -> bool:
    return _repeats(spoken, heard, _CHARACTERS, _LONGEST_PHRASE_CHARACTERS)


def is_loop(reference: str, hypothesis: str, metric: str = "wer") -> bool:
    """Whether a normalised hypothesis says one phrase four times in a row, and more often than its reference.

    The run is of 8 words or more, 16 characters under "cer".
    """
    if metric == "cer":
        return _repeats_characters("".join(reference.split()), "".join(hypothesis.split()))
    return _repeats(reference.split(), hypothesis.split())


def _words(text: str) -> list[str]:
    """The words in lower case without the signs around them; what has no letter or digit is none."""
    return _SIGNS.sub(" ", text.casefold()).split()


def raw_loop(reference: str, hypothesis: str, metric: str = "wer") -> bool:
    """Whether a raw text repeats itself: normalisers drop fillers and remarks in brackets, however many.

    One sign sixteen times in a row counts as well. A reference that repeats digits, which an engine may spell out,
    is compared once normalised only.
    """
    if len(hypothesis) < _CHARACTERS:
        return False
    if _SIGN_RUN.search(hypothesis) and not _SIGN_RUN.search(reference):
        return True
    heard = _words(hypothesis)
    if metric != "cer" and len(heard) - len(set(heard)) < _WORDS - _WORDS // _REPEATS:
        return False
    if _REPEATED_DIGITS.search(reference):
        return False
    spoken = _words(reference)
    if metric == "cer":
        return _repeats_characters("".join(spoken), "".join(heard))
    return _repeats(spoken, heard)


def compression(text: str) -> float:
    """The best ratio, of windows of 500 characters, of a text's length to its length when compressed by zlib.

    Each different character counts as one byte, so that all scripts are equal.
    """
    letters: dict[str, int] = {}
    coded = bytes(letters.setdefault(letter, len(letters) % 256) for letter in " ".join(text.casefold().split()))
    best = 0.0
    for start in range(0, max(1, len(coded) - _WINDOW // 2), _WINDOW // 2):
        window = coded[start : start + _WINDOW]
        best = max(best, len(window) / len(zlib.compress(window)))
    return best


def _compresses(reference: str, hypothesis: str) -> bool:
    ratio = compression(hypothesis)
    return ratio > _COMPRESSION and ratio > _BEYOND_REFERENCE * compression(reference)


def loops(normalised: tuple[str, str], steps: str, metric: str = "wer", raw: tuple[str, str] | None = None) -> bool:
    """Whether a hypothesis repeats itself: a phrase in a row, or so much of a text that it compresses too well.

    `normalised` and `raw` are reference and hypothesis, the latter None where it was not stored; `steps` is their
    alignment. Compression is looked at only where a repetition was wrong, by 8 words or 16 characters at least or
    by a hypothesis of more than double length, since long honest lists compress as well.
    """
    if is_loop(*normalised, metric) or (raw is not None and raw != normalised and raw_loop(*raw, metric)):
        return True
    wrong = steps.count("S") + steps.count("I")
    reference, hypothesis = normalised
    if wrong < (_CHARACTERS if metric == "cer" else _WORDS) and (
        len(hypothesis) <= 2 * len(reference) + _WINDOW // 10
    ):
        return False
    return _compresses(*(raw or normalised))
