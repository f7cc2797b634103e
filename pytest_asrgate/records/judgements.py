"""What a judge found of a pair and of its baseline, score by score."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pytest_asrgate.records.intent import IntentScore
from pytest_asrgate.records.judged import SemanticScore

__all__ = ["Judged", "Judgement"]

_Score = TypeVar("_Score")


@dataclass(frozen=True, slots=True)
class Judged(Generic[_Score]):
    """One kind of score of a pair and of its baseline; `problem` and `baseline_problem` say why there is none.

    Without a score and a problem nothing was asked for.
    """

    score: _Score | None = None
    baseline: _Score | None = None
    problem: str = ""
    baseline_problem: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """All judged scores of a pair and of its baseline."""

    semantic: Judged[SemanticScore] = field(default_factory=Judged)
    intent: Judged[IntentScore] = field(default_factory=Judged)
