"""How far two raters agree beyond chance."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from pytest_asrgate.records import Interval
from pytest_asrgate.records.calibration import Agreement
from pytest_asrgate.statistics.binomial import wilson_interval

__all__ = ["agreement_of", "agreement_of_counts"]

# The normal quantile of a two-sided 95 % interval.
_Z = 1.959963984540054


def _variance(shares: Mapping[tuple[str, str], float], agreed: float, chance: float) -> float:
    """The large-sample variance of kappa times n: Fleiss, Cohen and Everitt (1969)."""
    rows: defaultdict[str, float] = defaultdict(float)
    columns: defaultdict[str, float] = defaultdict(float)
    for (human, judge), share in shares.items():
        rows[human] += share
        columns[judge] += share
    same = sum(
        share * ((1 - chance) - (rows[human] + columns[human]) * (1 - agreed)) ** 2
        for (human, judge), share in shares.items()
        if human == judge
    )
    other = (1 - agreed) ** 2 * sum(
        share * (columns[human] + rows[judge]) ** 2 for (human, judge), share in shares.items() if human != judge
    )
    return (same + other - (agreed * chance - 2 * chance + agreed) ** 2) / (1 - chance) ** 4


def _interval(counts: Mapping[tuple[str, str], int], kappa: float, agreed: int, chance: float) -> Interval | None:
    total = sum(counts.values())
    shares = {pair: count / total for pair, count in counts.items()}
    variance = _variance(shares, agreed / total, chance) / total
    if variance > 1e-12:
        reach = _Z * math.sqrt(variance)
        return Interval(max(-1.0, kappa - reach), min(1.0, kappa + reach))
    # Where all agree that formula gives no width at all. The share of agreement then has Wilson's interval, and
    # the agreement by chance is held, as in Cohen's own approximation (1960).
    share = wilson_interval(agreed, total)
    if share is None:
        return None
    low, high = ((bound / 100.0 - chance) / (1 - chance) for bound in (share.low, share.high))
    return Interval(max(-1.0, low), min(1.0, high))


def agreement_of_counts(counts: Mapping[tuple[str, str], int]) -> Agreement:
    """Agreement and Cohen's kappa (1960) of how often each (human label, judge's label) stands.

    The 95 % interval is that of Fleiss, Cohen and Everitt (1969), within -1 and 1; where it would have no width,
    since all agree, it comes from Wilson's interval of the share of agreement. None for both where kappa is
    undefined: there is one label only, or none. ValueError for a negative count.
    """
    if any(count < 0 for count in counts.values()):
        raise ValueError("a count is negative")
    kept = {pair: counts[pair] for pair in sorted(counts) if counts[pair]}
    total = sum(kept.values())
    humans: Counter[str] = Counter()
    judges: Counter[str] = Counter()
    for (human, judge), count in kept.items():
        humans[human] += count
        judges[judge] += count
    # In whole numbers, so that what is 1 is 1.
    by_chance = sum(humans[label] * judges[label] for label in humans)
    if not total or by_chance == total * total:
        return Agreement(kept)
    agreed = sum(count for (human, judge), count in kept.items() if human == judge)
    kappa = (agreed * total - by_chance) / (total * total - by_chance)
    return Agreement(kept, kappa, _interval(kept, kappa, agreed, by_chance / (total * total)))


def agreement_of(pairs: Iterable[tuple[str, str]]) -> Agreement:
    """Agreement and Cohen's kappa of (human label, judge's label) pairs; as `agreement_of_counts`."""
    return agreement_of_counts(Counter(pairs))
