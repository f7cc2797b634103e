"""What the gate decided, check by check."""

from dataclasses import dataclass, field
from enum import StrEnum

from pytest_asrgate.records.comparisons import Comparison, Latency, Look
from pytest_asrgate.records.intent import IntentComparison, IntentScore
from pytest_asrgate.records.judged import SemanticScore
from pytest_asrgate.records.repeats import Repeats
from pytest_asrgate.records.scores import Counts, Interval, Score

__all__ = ["Check", "CheckStatus", "Outcome", "SliceResult", "Verdict"]


class CheckStatus(StrEnum):
    """What one check says; `REPORTED` has no limit and fails nothing."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Check:
    """One figure against one limit, in `unit`; `utterances` names the ids behind it, costliest first.

    Where the figure is a number of utterances `upper95_pct` bounds the rate behind it, in percent, from above:
    exact, one-sided, 95 %.
    """

    name: str
    value: float | str | None
    limit: float | str | None
    unit: str
    status: CheckStatus
    detail: str = ""
    utterances: tuple[str, ...] = ()
    upper95_pct: float | None = None


class Outcome(StrEnum):
    """The verdict of a pair; the first that applies of ERROR, FAIL, INCONCLUSIVE, PASS."""

    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class SliceResult:
    """The utterances of a pair that carry the tag `name`: their rate, and its difference from the baseline's.

    `interval` is of the rate, in percent; `checks` are those that the slice has a limit for. Slices overlap where
    utterances carry several tags.
    """

    name: str
    utterances: int
    counts: Counts
    interval: Interval | None
    comparison: Comparison | None
    speakers_note: str
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate decided about one pair, and everything the decision rests on.

    `early` is the look at which an early run ended; such a verdict never makes a preset shippable. `slices` holds
    the groups that tags make, those with limits first; `slices_left_out` tags are not among them. `semantic` is the
    judged score, where the data set buys it, `semantic_comparison` its paired difference from the baseline's; so
    are `intent` and its baseline, with comparisons of all utterances first, and then of each language.
    """

    variant: str
    dataset: str
    outcome: Outcome
    checks: tuple[Check, ...] = ()
    reason: str = ""
    score: Score | None = None
    baseline_score: Score | None = None
    comparison: Comparison | None = None
    latency: Latency | None = None
    repeats: Repeats | None = None
    semantic: SemanticScore | None = None
    semantic_baseline: SemanticScore | None = None
    semantic_comparison: Comparison | None = None
    intent: IntentScore | None = None
    intent_baseline: IntentScore | None = None
    intent_comparisons: tuple[IntentComparison, ...] = ()
    early: Look | None = None
    slices: tuple[SliceResult, ...] = ()
    slices_left_out: int = 0
    is_baseline: bool = False
    incomplete: bool = False
    expected_to_fail: bool = False
    warnings: tuple[str, ...] = field(default=())

    @property
    def every_check(self) -> tuple[Check, ...]:
        """The checks of the whole set, then those of its slices."""
        return (*self.checks, *(check for part in self.slices for check in part.checks))
