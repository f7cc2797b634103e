"""The paired difference of two systems over the same utterances, with bounds that hold for rare changes too.

Gamma limits for weighted counts (Fay and Feuer 1997) on both directions of change, combined by recovered variances
(MOVER), widened by the design effect of speaker blocks; studied for this project in STATISTICS.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_asrgate.records import Interval, Resolution
from pytest_asrgate.statistics.resolution import identical_bound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PairedDifference", "paired_bounds", "paired_difference"]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Variant minus baseline over the same utterances, in percentage points.

    `interval` is two-sided 95 %; `lower95` and `upper95` are one-sided. The bounds are infinite where one
    utterance says nothing about spread.
    """

    delta_pp: float
    interval: Interval
    lower95: float
    upper95: float
    resolution: Resolution


@dataclass(frozen=True, slots=True)
class _Changes:
    """Words lost and gained by utterance, and how they spread over utterances and speakers (variances in pp²)."""

    worse: "NDArray[np.float64]"
    better: "NDArray[np.float64]"
    words: int
    independent: float
    blocked: float
    groups: int

    @property
    def delta_pp(self) -> float:
        return 100.0 * float(self.worse.sum() - self.better.sum()) / self.words

    @property
    def design(self) -> float:
        """How much wider than independent utterances speakers make the variance, never below 1."""
        return max(1.0, self.blocked / self.independent) if self.independent > 0 else 1.0


def _changes(
    baseline: Sequence[int], variant: Sequence[int], words: Sequence[int], speakers: Sequence[str] | None
) -> _Changes:
    import numpy as np  # noqa: PLC0415 - heavy: only where something is computed

    weights = np.asarray(words, dtype=np.float64)
    changes = np.asarray(variant, dtype=np.float64) - np.asarray(baseline, dtype=np.float64)
    total, count = float(weights.sum()), len(weights)
    residuals = changes - changes.sum() / total * weights
    scale = 1e4 / total**2
    independent = blocked = scale * count / max(1, count - 1) * float(residuals @ residuals)
    groups = count
    if speakers is not None:
        _, block = np.unique(np.asarray(speakers), return_inverse=True)
        sums = np.bincount(block, weights=residuals)
        if len(sums) > 1:
            groups = len(sums)
            blocked = scale * groups / (groups - 1) * float(sums @ sums)
    return _Changes(np.maximum(changes, 0), np.maximum(-changes, 0), int(total), independent, blocked, groups)


def _direction(changes: "NDArray[np.float64]", design: float, alpha: float) -> tuple[float, float]:
    """Gamma limits (low, high) of a weighted count of changes in one direction (Fay & Feuer 1997)."""
    from scipy.stats import chi2  # noqa: PLC0415 - 0.8 s to import

    total = float(changes.sum())
    if not total:
        return 0.0, float(chi2.isf(alpha, 2)) / 2
    unit = design * float(changes @ changes) / total
    events = total / unit
    high = unit * float(chi2.isf(alpha, 2 * (events + 1))) / 2
    low = unit * float(chi2.ppf(alpha, 2 * events)) / 2
    return low, high


def _bounds(found: _Changes, alpha: float) -> tuple[float, float]:
    """One-sided bounds (lower, upper) at level `alpha` of the difference, in percentage points."""
    from scipy.stats import norm, t  # noqa: PLC0415 - as above

    inflation = float(t.isf(alpha, found.groups - 1)) / float(norm.isf(alpha))
    worse_low, worse_high = _direction(found.worse, found.design, alpha)
    better_low, better_high = _direction(found.better, found.design, alpha)
    up, down = float(found.worse.sum()), float(found.better.sum())
    scale = 100.0 / found.words
    upper = found.delta_pp + inflation * scale * math.hypot(worse_high - up, down - better_low)
    lower = found.delta_pp - inflation * scale * math.hypot(up - worse_low, better_high - down)
    return lower, upper


def paired_bounds(
    baseline: Sequence[int],
    variant: Sequence[int],
    words: Sequence[int],
    speakers: Sequence[str] | None = None,
    *,
    alpha: float = 0.05,
) -> tuple[float, float] | None:
    """One-sided bounds (lower, upper), each at level `alpha`, of the difference in percentage points.

    Arguments and None as for `paired_difference`; infinite for one utterance.
    """
    if not sum(words):
        return None
    if len(words) < 2:
        return -math.inf, math.inf
    return _bounds(_changes(baseline, variant, words, speakers), alpha)


def paired_difference(
    baseline: Sequence[int], variant: Sequence[int], words: Sequence[int], speakers: Sequence[str] | None = None
) -> PairedDifference | None:
    """Compare error counts of two systems over the same utterances.

    All sequences are parallel, one entry an utterance; `speakers` names each one's block, None where utterances
    count as independent (no speakers known, one speaker, or a closed set of voices). None where there are no
    reference words. Formula: STATISTICS.md, "Rare differences"; resolution: 80 % power at no difference, and
    never under what identical outputs leave open.
    """
    if not sum(words):
        return None
    found = _changes(baseline, variant, words, speakers)
    count = len(words)
    if count < 2:
        nothing = Resolution(count, math.inf, math.inf, math.inf, math.inf)
        return PairedDifference(found.delta_pp, Interval(-math.inf, math.inf), -math.inf, math.inf, nothing)

    from scipy.stats import t  # noqa: PLC0415 - as above

    lower, upper = _bounds(found, 0.05)
    low, high = _bounds(found, 0.025)
    resolution = Resolution(
        utterances=count,
        spread_pp=math.sqrt(found.independent * count),
        between_pp2=max(0.0, found.blocked - found.independent),
        power=float(t.isf(0.05, found.groups - 1)) + float(t.isf(0.2, found.groups - 1)),
        floor_pp=identical_bound(found.words, found.groups),
    )
    return PairedDifference(found.delta_pp, Interval(low, high), lower, upper, resolution)
