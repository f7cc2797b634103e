"""What the gate decided, check by check."""

from dataclasses import dataclass, field
from enum import StrEnum

from pytest_asrgate.records.comparisons import Comparison, Latency
from pytest_asrgate.records.scores import Score

__all__ = ["Check", "CheckStatus", "Outcome", "Verdict"]


class CheckStatus(StrEnum):
    """What one check says; `REPORTED` has no limit and fails nothing."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Check:
    """One figure against one limit, in `unit`; `utterances` names the ids behind it, costliest first."""

    name: str
    value: float | str | None
    limit: float | str | None
    unit: str
    status: CheckStatus
    detail: str = ""
    utterances: tuple[str, ...] = ()


class Outcome(StrEnum):
    """The verdict of a pair; the first that applies of ERROR, FAIL, INCONCLUSIVE, PASS."""

    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate decided about one pair, and everything the decision rests on."""

    variant: str
    dataset: str
    outcome: Outcome
    checks: tuple[Check, ...] = ()
    reason: str = ""
    score: Score | None = None
    baseline_score: Score | None = None
    comparison: Comparison | None = None
    latency: Latency | None = None
    is_baseline: bool = False
    incomplete: bool = False
    expected_to_fail: bool = False
    warnings: tuple[str, ...] = field(default=())
