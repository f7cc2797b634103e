"""Output that repeats itself: the same few words again and again, which a mean over the set hides."""

from collections.abc import Sequence

__all__ = ["is_loop", "longest_repetition"]

# Longer phrases than this come again in speech, not in decoders that hang.
_LONGEST_PHRASE = 12
_REPEATS = 4
# Together, so that "no no no no" is none; twice as many characters under cer.
_WORDS = 8
_CHARACTERS = 16


def longest_repetition(tokens: Sequence[str], shortest: int) -> int:
    """How often a phrase of 1 to 12 tokens stands in a row at most, 1 where nothing is repeated.

    Only runs of `shortest` tokens and more count.
    """
    most = 1
    for length in range(1, min(_LONGEST_PHRASE, len(tokens) // 2) + 1):
        equal = 0
        for place in range(len(tokens) - length):
            equal = equal + 1 if tokens[place] == tokens[place + length] else 0
            repeats = equal // length + 1
            if repeats > most and repeats * length >= shortest:
                most = repeats
    return most


def is_loop(reference: str, hypothesis: str, metric: str = "wer") -> bool:
    """Whether a normalised hypothesis says one phrase four times in a row, and more often than its reference.

    The run is of 8 words or more, 16 characters under "cer".
    """
    if metric == "cer":
        spoken: Sequence[str] = "".join(reference.split())
        heard: Sequence[str] = "".join(hypothesis.split())
        shortest = _CHARACTERS
    else:
        spoken, heard, shortest = reference.split(), hypothesis.split(), _WORDS
    # A run repeats most of its words; few texts do, and the search is the dear part.
    if len(heard) - len(set(heard)) < shortest - shortest // _REPEATS:
        return False
    found = longest_repetition(heard, shortest)
    return found >= _REPEATS and found > longest_repetition(spoken, shortest)
