"""A part of a corpus in which every speaker has his share, the same one for the same seed everywhere."""

import hashlib
import json
from collections.abc import Sequence

from pytest_asrgate.corpora.corpus import Clip

__all__ = ["sample_clips"]


def _drawn(seed: int, *words: str | None) -> int:
    """A number of 256 bits that only the seed and the words decide, on any machine and in any version of Python."""
    return int.from_bytes(hashlib.sha256(json.dumps([seed, *words]).encode()).digest())


def sample_clips(clips: Sequence[Clip], count: int, seed: int) -> tuple[Clip, ...]:
    """`count` of the clips in order of their ids, all where there are not more; the order they come in is nothing.

    Systematic sampling (Cochran, Sampling Techniques, 1977, chapter 8) over the clips ordered by speaker: every
    clip has the chance count/total, and of each speaker's n clips n*count/total are taken, rounded up or down.
    Speakers, the clips of each, and the start are drawn by the seed. Clips without speaker share one. Where none
    has a speaker it is a plain random sample.
    """
    total = len(clips)
    ordered = sorted(
        clips,
        key=lambda clip: (
            _drawn(seed, "speaker", clip.speaker),
            clip.speaker or "",
            _drawn(seed, "utterance", clip.id),
            clip.id,
        ),
    )
    if count < total:
        # In whole numbers, so that nothing is rounded: each clip is a piece of length `count` on a line, and every
        # `total`-th place on the line is taken from a random start.
        start = _drawn(seed, "start") % total
        ordered = [ordered[(start + number * total) // count] for number in range(count)]
    return tuple(sorted(ordered, key=lambda clip: clip.id))
