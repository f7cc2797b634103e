"""MAPSSWE, the matched pairs test of sentence segments, from two alignments over the same references.

Gillick and Cox, "Some statistical issues in the comparison of speech recognition algorithms", ICASSP 1989; segments
as NIST's `sc_stats` finds them. For reading only: it asks whether two systems differ, not by how much at most, and
takes segments as independent although those of one speaker are not.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_asrgate.records import MatchedPairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.int64]

__all__ = ["matched_pairs", "segment_differences"]

# As many words in a row that both systems got right part two segments, so that these may count as independent.
_CORRECT_BETWEEN = 2
# Stands for the end of an utterance; what was inserted after its last word is inserted before this.
_END = "\n"


def _errors_by_place(sides: Sequence[str]) -> "tuple[Column, Column]":
    """How many errors stand at each place of a system, and which places end an utterance.

    Every reference word, and the end of every utterance, has two places: what was inserted before it, and itself.
    """
    import numpy as np  # noqa: PLC0415 - heavy: only where something is computed

    steps = np.frombuffer("".join(side + _END for side in sides).encode("ascii"), dtype=np.uint8)
    inserted = steps == ord("I")
    # An insertion belongs to the reference word after it, so it has that word's number.
    number = np.cumsum(~inserted) - ~inserted
    ends = number[steps == ord(_END)]
    size = int(ends[-1]) + 1 if len(ends) else 0
    wrong = inserted | (steps == ord("S")) | (steps == ord("D"))
    return np.bincount((2 * number + ~inserted)[wrong], minlength=2 * size).astype(np.int64), ends


def _refuse(baseline: Sequence[str], variant: Sequence[str]) -> None:
    """ValueError naming the first utterance whose two alignments have different numbers of reference words."""
    for place, (before, after) in enumerate(zip(baseline, variant, strict=True), start=1):
        words = [len(side) - side.count("I") for side in (before, after)]
        if words[0] != words[1]:
            raise ValueError(f"the alignments of number {place} have {words[0]} reference words against {words[1]}")


def segment_differences(baseline: Sequence[str], variant: Sequence[str]) -> list[int]:
    """The variant's errors less the baseline's in each segment in which either of them errs, in order.

    The arguments are parallel, one alignment an utterance (`UtteranceScore.steps`). A segment ends at two reference
    words in a row that both got right with nothing inserted between them, and at the end of the utterance.
    ValueError where two alignments are not of one reference.
    """
    import numpy as np  # noqa: PLC0415 - as above

    if len(baseline) != len(variant):
        raise ValueError(f"{len(baseline)} alignments against {len(variant)}")
    before, ends = _errors_by_place(baseline)
    after, others = _errors_by_place(variant)
    if not np.array_equal(ends, others):
        _refuse(baseline, variant)
    (wrong,) = np.nonzero(before + after)
    if not len(wrong):
        return []
    # The words from the first after one wrong place to the last before the next; all of them are right.
    correct = wrong[1:] // 2 - (wrong[:-1] + 1) // 2
    utterance = np.searchsorted(ends, wrong // 2)
    parted = (correct >= _CORRECT_BETWEEN) | (utterance[1:] != utterance[:-1])
    starts = np.concatenate([[0], np.flatnonzero(parted) + 1])
    differences: list[int] = np.add.reduceat((after - before)[wrong], starts).tolist()
    return differences


def matched_pairs(baseline: Sequence[str], variant: Sequence[str]) -> MatchedPairs:
    """MAPSSWE of two systems' alignments, parallel by utterance; ValueError as for `segment_differences`.

    z = mean / (standard deviation / √segments), the deviation over segments less 1, and p two-sided by the normal
    distribution, which is rough for fewer than 50 segments.
    """
    differences = segment_differences(baseline, variant)
    count = len(differences)
    if not count:
        return MatchedPairs(0, None, None, None, None, "neither system errs")
    mean = sum(differences) / count
    if count == 1:
        return MatchedPairs(1, mean, None, None, None, "one segment says nothing of spread")
    if min(differences) == max(differences):
        why = (
            "every segment differs by the same number of errors"
            if mean
            else "both err equally often in every segment"
        )
        return MatchedPairs(count, mean, 0.0, None, None, why)
    deviation = math.sqrt(sum((difference - mean) ** 2 for difference in differences) / (count - 1))
    z = mean / (deviation / math.sqrt(count))
    return MatchedPairs(count, mean, deviation, z, math.erfc(abs(z) / math.sqrt(2)))
