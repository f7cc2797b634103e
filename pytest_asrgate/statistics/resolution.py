"""What margin a set can decide, and how large it would have to be for another (STATISTICS.md)."""

import math

__all__ = ["identical_bound"]


def identical_bound(words: int, groups: int, alpha: float = 0.05) -> float:
    """The upper bound, in percentage points, of the loss of two systems whose outputs are identical.

    Over `words` words and `groups` speakers, or utterances where these are independent: about 300 / words, since
    three lost words could still be hiding. Infinite for one group.
    """
    from scipy.stats import chi2, norm, t  # noqa: PLC0415 - 0.8 s to import

    if groups < 2:
        return math.inf
    inflation = float(t.isf(alpha, groups - 1)) / float(norm.isf(alpha))
    return inflation * 100.0 / words * float(chi2.isf(alpha, 2)) / 2
