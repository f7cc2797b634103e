"""The values that flow from a manifest to a verdict; all frozen, none knows where it came from."""

from pytest_asrgate.records.comparisons import Comparison, Latency, Look, MatchedPairs, Resolution
from pytest_asrgate.records.intent import (
    Entity,
    EntityStatus,
    IntentComparison,
    IntentFigures,
    IntentScore,
    IntentUtterance,
)
from pytest_asrgate.records.judged import (
    AlignedWords,
    Difference,
    Label,
    SemanticScore,
    SemanticUtterance,
    Spending,
)
from pytest_asrgate.records.judgements import Judged, Judgement
from pytest_asrgate.records.problems import Problem
from pytest_asrgate.records.repeats import Flip, Repeats
from pytest_asrgate.records.scores import Counts, Interval, Score, UtteranceScore
from pytest_asrgate.records.utterances import Hypothesis, HypothesisSet, Progress, RowStatus, Utterance
from pytest_asrgate.records.verdicts import Check, CheckStatus, Outcome, SliceResult, Verdict

__all__ = [
    "AlignedWords",
    "Check",
    "CheckStatus",
    "Comparison",
    "Counts",
    "Difference",
    "Entity",
    "EntityStatus",
    "Flip",
    "Hypothesis",
    "HypothesisSet",
    "IntentComparison",
    "IntentFigures",
    "IntentScore",
    "IntentUtterance",
    "Interval",
    "Judged",
    "Judgement",
    "Label",
    "Latency",
    "Look",
    "MatchedPairs",
    "Outcome",
    "Problem",
    "Progress",
    "Repeats",
    "Resolution",
    "RowStatus",
    "Score",
    "SemanticScore",
    "SemanticUtterance",
    "SliceResult",
    "Spending",
    "Utterance",
    "UtteranceScore",
    "Verdict",
]
