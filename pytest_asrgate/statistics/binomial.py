"""How often something may still happen that was seen in so many of so many utterances."""

import math

from pytest_asrgate.records import Interval

__all__ = ["binomial_upper", "wilson_interval"]

# The normal quantile of a two-sided 95 % interval.
_Z = 1.959963984540054


def wilson_interval(count: float, total: int) -> Interval | None:
    """The two-sided 95 % score interval of Wilson (1927), in percent, of the rate behind `count` of `total`.

    A count need not be whole: of fractions that add up to it the interval is too wide rather than too narrow, since
    of all values from 0 to 1 with the same mean those that are 0 or 1 vary most. None where there are none.
    ValueError for a count that is not between 0 and the total.
    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    if not total:
        return None
    share, square = count / total, _Z * _Z / total
    centre = share + square / 2
    reach = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total))
    # The formula gives 0 and 1 for none and all; rounding must not make it less or more.
    low = 0.0 if count == 0 else (centre - reach) / (1 + square)
    high = 1.0 if count == total else (centre + reach) / (1 + square)
    return Interval(100.0 * low, 100.0 * high)


def binomial_upper(count: int, total: int, *, alpha: float = 0.05) -> float | None:
    """One-sided upper bound at level `alpha`, in percent, of the rate behind `count` of `total`.

    The exact bound of Clopper and Pearson (1934): 100 % where all of them show it, None where there are none.
    ValueError for a count that is not between 0 and the total.
    """
    if not 0 <= count <= total:
        raise ValueError(f"{count} of {total} is no share")
    if not total:
        return None
    if count == total:
        return 100.0
    from scipy.special import betaincinv  # noqa: PLC0415 - heavy: only where something is computed

    return 100.0 * float(betaincinv(count + 1, total - count, 1.0 - alpha))
