"""One function for each kind of check: a measured figure, its limit, and what the two say."""

from pytest_asrgate.checks.changed import changed, changes, leverage
from pytest_asrgate.checks.counts import COUNTERS, counted, counted_delta, touches_value
from pytest_asrgate.checks.determinism import flips
from pytest_asrgate.checks.intent import (
    entity_loss,
    entity_margin,
    entity_mean,
    intent_loss,
    intent_margin,
    intent_share,
)
from pytest_asrgate.checks.judged import (
    judge_errors,
    judge_errors_delta,
    semantic_delta,
    semantic_margin,
    semantic_rate,
)
from pytest_asrgate.checks.limits import Limit, unmeasurable
from pytest_asrgate.checks.rates import interval_rule, non_inferiority, rate, rate_delta
from pytest_asrgate.checks.spans import dropped_span
from pytest_asrgate.checks.timing import latency_ratio, real_time_factor

__all__ = [
    "COUNTERS",
    "Limit",
    "changed",
    "changes",
    "counted",
    "counted_delta",
    "dropped_span",
    "entity_loss",
    "entity_margin",
    "entity_mean",
    "flips",
    "intent_loss",
    "intent_margin",
    "intent_share",
    "interval_rule",
    "judge_errors",
    "judge_errors_delta",
    "latency_ratio",
    "leverage",
    "non_inferiority",
    "rate",
    "rate_delta",
    "real_time_factor",
    "semantic_delta",
    "semantic_margin",
    "semantic_rate",
    "touches_value",
    "unmeasurable",
]
