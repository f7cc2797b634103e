"""A variant beside its baseline: the paired difference, what the set resolves, and speed."""

import math
from dataclasses import dataclass

from pytest_asrgate.records.scores import Interval

__all__ = ["Comparison", "Latency", "Look", "MatchedPairs", "Resolution"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The spread of one comparison: what margins, in percentage points, a set of which size decides.

    `spread_pp` is the standard deviation of one utterance's paired difference over the mean number of words,
    `between_pp2` the variance that more utterances of the same speakers do not take away, `power` the sum of the
    quantiles for 5 % one-sided error and 80 % power; `floor_pp` is what even identical outputs leave open. All
    are infinite, and so is every answer, where one utterance says nothing of spread.
    """

    utterances: int
    spread_pp: float
    between_pp2: float
    power: float
    floor_pp: float

    @property
    def margin_pp(self) -> float:
        """The smallest margin that this set passes with 80 % power where there is no difference."""
        if not math.isfinite(self.spread_pp):
            return math.inf
        return max(self.power * math.sqrt(self.between_pp2 + self.spread_pp**2 / self.utterances), self.floor_pp)

    def utterances_for(self, distance_pp: float) -> float:
        """How many utterances decide a true difference that lies `distance_pp` from the margin, with 80 % power.

        Infinite where no number of utterances of these speakers would do, and where the distance is not above 0.
        """
        if distance_pp <= 0 or not math.isfinite(self.spread_pp):
            return math.inf
        left = (distance_pp / self.power) ** 2 - self.between_pp2
        by_spread = self.spread_pp**2 / left if left > 0 else math.inf
        by_words = self.utterances * self.floor_pp / distance_pp
        return max(by_spread, by_words)


@dataclass(frozen=True, slots=True)
class Look:
    """One look of an early run at `utterances` of `total`, in the order that `seed` fixes.

    `boundary` is the normal quantile at which the bounds are taken, `alpha` their one-sided level; `sizes` are the
    utterances of all looks.
    """

    number: int
    sizes: tuple[int, ...]
    total: int
    boundary: float
    alpha: float
    seed: int

    @property
    def utterances(self) -> int:
        """How many utterances were decoded when this look was taken."""
        return self.sizes[self.number - 1]


@dataclass(frozen=True, slots=True)
class MatchedPairs:
    """MAPSSWE over `segments` stretches of words in which either system errs; variant less baseline.

    `mean` is in errors a segment, and so is `standard_deviation`; `p` is two-sided. Each is None where it cannot be
    had, and `undefined` then says why there is no z.
    """

    segments: int
    mean: float | None
    standard_deviation: float | None
    z: float | None
    p: float | None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The paired difference of a variant from its baseline, in percentage points, over `utterances` utterances.

    `left_out` utterances had an error row on either side. `rate_pct`, `rate_interval` and
    `baseline_interval` are percentages over the same utterances as the difference.
    `interval` is two-sided 95 %, `lower95` and `upper95` are the one-sided 95 % bounds that decide; `bootstrap` is
    the plain paired bootstrap of the difference over utterances, two-sided 95 %, which decides nothing. Nor do
    `matched_pairs` and `improvement_pct`, the share of its resamples in which the variant errs less, ties one half.
    In an early run `look` says how far it is, and `lower` and `upper`, taken at its level, decide.
    """

    baseline: str
    delta_pp: float
    interval: Interval
    lower95: float
    upper95: float
    resolution: Resolution
    rate_pct: float
    rate_interval: Interval
    baseline_interval: Interval
    bootstrap: Interval
    utterances: int
    left_out: int = 0
    look: Look | None = None
    early_bounds: Interval | None = None
    matched_pairs: MatchedPairs | None = None
    improvement_pct: float | None = None

    @property
    def lower(self) -> float:
        """The lower bound that decides, in percentage points."""
        return self.early_bounds.low if self.early_bounds else self.lower95

    @property
    def upper(self) -> float:
        """The upper bound that decides, in percentage points."""
        return self.early_bounds.high if self.early_bounds else self.upper95


@dataclass(frozen=True, slots=True)
class Latency:
    """What a latency probe measured: medians and 99th percentiles in ms over `clips` × `rounds` decodings.

    `ratio` is the variant's median over the baseline's, `rtf` decoding time over audio time; both belong to this
    host, at this load, and to no other.
    """

    p50_ms: float
    p99_ms: float
    baseline_p50_ms: float | None
    baseline_p99_ms: float | None
    ratio: float | None
    rtf: float
    clips: int
    rounds: int
    threads: int
    host: str
    processor: str
    load_average: float
    measured: str
