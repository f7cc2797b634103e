"""Intervals of a rate and of a paired difference, from counts per utterance and never from text.

Sources: the percentile bootstrap of the methodology document, and for the paired difference the gamma limits of
Fay and Feuer (1997) on both directions of change, combined by recovered variances (MOVER), with the design
effect of speaker blocks; studied for this project in STATISTICS.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.records import Interval

__all__ = ["PairedDifference", "paired_difference", "rate_interval"]

_RESAMPLES = 1000
_SEED = 42
# Index matrices are drawn in slices so that 100,000 utterances need no gigabyte.
_SLICE = 4_000_000


def rate_interval(errors: Sequence[int], words: Sequence[int]) -> Interval | None:
    """95 % percentile bootstrap interval, in percent, of the pooled rate over utterances.

    `errors` and `words` are parallel, one number an utterance; 1,000 resamples, seed 42. None where there are
    no reference words. Resamples that drew no word at all have no rate and are left out.
    """
    import numpy as np  # noqa: PLC0415 - heavy: only where something is computed

    if not sum(words):
        return None
    error_counts = np.asarray(errors, dtype=np.int64)
    word_counts = np.asarray(words, dtype=np.int64)
    size = len(error_counts)
    generator = np.random.default_rng(_SEED)
    rates = []
    step = max(1, _SLICE // size)
    for start in range(0, _RESAMPLES, step):
        drawn = generator.integers(0, size, size=(min(step, _RESAMPLES - start), size))
        total = word_counts[drawn].sum(axis=1)
        wrong = error_counts[drawn].sum(axis=1)
        rates.append(100.0 * wrong[total > 0] / total[total > 0])
    low, high = np.percentile(np.concatenate(rates), [2.5, 97.5])
    return Interval(float(low), float(high))


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Variant minus baseline over the same utterances, in percentage points.

    `interval` is two-sided 95 %; `lower95` and `upper95` are one-sided. The bounds are infinite where one
    utterance or one speaker says nothing about spread.
    """

    delta_pp: float
    interval: Interval
    lower95: float
    upper95: float
    resolvable_pp: float


def _direction(changes: list[int], design: float, alpha: float) -> tuple[float, float]:
    """Gamma limits (low, high) of a weighted count of changes in one direction (Fay & Feuer 1997)."""
    from scipy.stats import chi2  # noqa: PLC0415 - 0.8 s to import

    total = sum(changes)
    if not total:
        return 0.0, float(chi2.isf(alpha, 2)) / 2
    unit = design * sum(change * change for change in changes) / total
    events = total / unit
    high = unit * float(chi2.isf(alpha, 2 * (events + 1))) / 2
    low = unit * float(chi2.isf(1 - alpha, 2 * events)) / 2
    return low, high


def _bounds(
    worse: list[int], better: list[int], *, words: int, design: float, alpha: float, degrees: int
) -> tuple[float, float]:
    """One-sided bounds (lower, upper) at level `alpha` of 100·(worse - better)/words, in percentage points."""
    from scipy.stats import norm, t  # noqa: PLC0415 - as above

    inflation = float(t.isf(alpha, degrees)) / float(norm.isf(alpha))
    worse_low, worse_high = _direction(worse, design, alpha)
    better_low, better_high = _direction(better, design, alpha)
    up, down = sum(worse), sum(better)
    scale = 100.0 / words
    delta = scale * (up - down)
    upper = delta + inflation * scale * math.hypot(worse_high - up, down - better_low)
    lower = delta - inflation * scale * math.hypot(up - worse_low, better_high - down)
    return lower, upper


def _variances(residuals: list[float], words: int, speakers: Sequence[str] | None) -> tuple[float, float, int]:
    """(variance with independent utterances, with speaker blocks, number of blocks), squared points."""
    count = len(residuals)
    scale = 1e4 / words**2
    independent = scale * count / (count - 1) * sum(value * value for value in residuals)
    if speakers is None:
        return independent, independent, count
    blocks: dict[str, float] = {}
    for speaker, value in zip(speakers, residuals, strict=True):
        blocks[speaker] = blocks.get(speaker, 0.0) + value
    groups = len(blocks)
    if groups < 2:
        return independent, independent, count
    blocked = scale * groups / (groups - 1) * sum(value * value for value in blocks.values())
    return independent, blocked, groups


def paired_difference(
    baseline: Sequence[int], variant: Sequence[int], words: Sequence[int], speakers: Sequence[str] | None = None
) -> PairedDifference | None:
    """Compare error counts of two systems over the same utterances.

    All sequences are parallel, one entry an utterance; `speakers` names each one's block, None where utterances
    count as independent (no speakers known, one speaker, or a closed set of voices). None where there are no
    reference words. Formula: STATISTICS.md, "Rare differences"; resolution: 80 % power at no difference, and
    never under 300 over the number of words.
    """
    total = sum(words)
    if not total:
        return None
    changes = [after - before for before, after in zip(baseline, variant, strict=True)]
    delta = 100.0 * sum(changes) / total
    if len(changes) < 2:
        unknown = Interval(-math.inf, math.inf)
        return PairedDifference(delta, unknown, -math.inf, math.inf, math.inf)

    from scipy.stats import t  # noqa: PLC0415 - as above

    residuals = [change - delta / 100.0 * weight for change, weight in zip(changes, words, strict=True)]
    independent, blocked, groups = _variances(residuals, total, speakers)
    design = max(1.0, blocked / independent) if independent > 0 else 1.0
    degrees = groups - 1
    worse = [max(change, 0) for change in changes]
    better = [max(-change, 0) for change in changes]
    lower, upper = _bounds(worse, better, words=total, design=design, alpha=0.05, degrees=degrees)
    low, high = _bounds(worse, better, words=total, design=design, alpha=0.025, degrees=degrees)
    power = float(t.isf(0.05, degrees)) + float(t.isf(0.2, degrees))
    resolvable = max(power * math.sqrt(max(independent, blocked)), 300.0 / total)
    return PairedDifference(delta, Interval(low, high), lower, upper, resolvable)
