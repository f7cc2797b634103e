"""What margin a set can decide, and how large it would have to be for another (STATISTICS.md)."""

import math
from collections.abc import Sequence

__all__ = ["effective_groups", "identical_bound"]


def effective_groups(words: Sequence[int], speakers: Sequence[str] | None) -> float:
    """How many equal speakers would say as much as these do (Kish 1965): (Σw)² / Σ_g w_g², at least 2.

    The number of utterances where there are no speakers or one, since independence is assumed then; `words` is one
    number an utterance, and at least one of them is not 0.
    """
    if speakers is None:
        return float(len(words))
    blocks: dict[str, int] = {}
    for speaker, count in zip(speakers, words, strict=True):
        blocks[speaker] = blocks.get(speaker, 0) + count
    if len(blocks) < 2:
        return float(len(words))
    return max(2.0, sum(blocks.values()) ** 2 / sum(count**2 for count in blocks.values()))


def identical_bound(words: int, groups: float, alpha: float = 0.05) -> float:
    """The upper bound, in percentage points, of the loss of two systems whose outputs are identical.

    Over `words` words and `groups` speakers, or utterances where these are independent: about 300 / words, since
    three lost words could still be hiding. Infinite for one group.
    """
    from scipy.special import gammainccinv, ndtri, stdtrit  # noqa: PLC0415 - heavy, but not as scipy.stats is

    if groups < 2:
        return math.inf
    inflation = float(stdtrit(groups - 1, alpha)) / float(ndtri(alpha))
    return inflation * 100.0 / words * float(gammainccinv(1, alpha))
