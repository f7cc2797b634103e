"""The values that flow from a manifest to a verdict; all frozen, none knows where it came from."""

from pytest_asrgate.records.comparisons import Comparison, Latency, Resolution
from pytest_asrgate.records.problems import Problem
from pytest_asrgate.records.scores import Counts, Interval, Score, UtteranceScore
from pytest_asrgate.records.utterances import Hypothesis, HypothesisSet, Progress, RowStatus, Utterance
from pytest_asrgate.records.verdicts import Check, CheckStatus, Outcome, Verdict

__all__ = [
    "Check",
    "CheckStatus",
    "Comparison",
    "Counts",
    "Hypothesis",
    "HypothesisSet",
    "Interval",
    "Latency",
    "Outcome",
    "Problem",
    "Progress",
    "Resolution",
    "RowStatus",
    "Score",
    "Utterance",
    "UtteranceScore",
    "Verdict",
]
