"""What a plot shows of a pair: one measured rate and its difference from the baseline's, with their limits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.reports.entries import CheckEntry, PairEntry
from pytest_asrgate.reports.table import verdict_word

__all__ = ["MEASURES", "Measure", "Reading", "reading"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A rate that pairs have, with the names of the checks on it; `kept` is a share, of which more is better."""

    key: str
    title: str
    change: str
    rate_check: str
    delta_check: str
    margin_check: str
    kept: bool


MEASURES = (
    Measure("rate", "word error rate", "{} minus that of {}", "wer", "wer_delta", "non_inferiority", kept=False),
    Measure(
        "semantic",
        "semantic error rate",
        "{} minus that of {}",
        "semantic_wer",
        "semantic_wer_delta",
        "semantic_non_inferiority",
        kept=False,
    ),
    Measure(
        "intent", "intents kept", "lost against {1}", "intent", "intent_delta", "intent_non_inferiority", kept=True
    ),
    Measure(
        "entity", "entity score", "lost against {1}", "entity", "entity_delta", "entity_non_inferiority", kept=True
    ),
)

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Reading:
    """One pair's figures of one measure: rates in percent, differences in percentage points, losses positive.

    Ends of intervals and bounds may be infinite. `deciding` are the bounds that the margin check went by.
    """

    variant: str
    baseline: str | None
    is_baseline: bool
    outcome: str
    word: str
    rate: float | None
    interval: Pair | None
    limit: float | None
    delta: float | None
    delta_interval: Pair | None
    deciding: tuple[float, ...]
    margin: float | None
    delta_limit: float | None


@dataclass(frozen=True, slots=True)
class _Figures:
    rate: float | None
    interval: Sequence[float] | None
    delta: float | None = None
    delta_interval: Sequence[float | None] | None = None
    lower: float | None = None
    upper: float | None = None


def _of_rate(entry: PairEntry) -> _Figures:
    early = entry["early"]
    lower, upper = (early["lower_pp"], early["upper_pp"]) if early else (entry["lower95_pp"], entry["upper95_pp"])
    return _Figures(entry["rate_pct"], entry["ci_pct"], entry["delta_pp"], entry["delta_ci_pp"], lower, upper)


def _of_meaning(entry: PairEntry) -> _Figures | None:
    found = entry["semantic"]
    if found is None:
        return None
    return _Figures(
        found["rate_pct"],
        found["ci_pct"],
        found["delta_pp"],
        found["delta_ci_pp"],
        found["lower95_pp"],
        found["upper95_pp"],
    )


def _of_intent(entry: PairEntry, *, entities: bool) -> _Figures | None:
    if entry["intent"] is None:
        return None
    found = entry["intent"]["figures"]
    rate, interval, loss = (
        (found["entity_pct"], found["entity_ci_pct"], found["entity_loss"])
        if entities
        else (found["intent_pct"], found["intent_ci_pct"], found["intent_loss"])
    )
    if loss is None:
        return _Figures(rate, interval)
    return _Figures(rate, interval, loss["loss_pp"], loss["ci_pp"], loss["lower95_pp"], loss["upper95_pp"])


def _figures(entry: PairEntry, measure: Measure) -> _Figures | None:
    if measure.key == "rate":
        return _of_rate(entry)
    return _of_meaning(entry) if measure.key == "semantic" else _of_intent(entry, entities=measure.key == "entity")


def _check(entry: PairEntry, name: str) -> CheckEntry | None:
    return next((check for check in entry["checks"] if check["name"] == name), None)


def _limit(check: CheckEntry | None) -> float | None:
    limit = check["limit"] if check else None
    return float(limit) if isinstance(limit, int | float) else None


def _deciding(check: CheckEntry | None, lower: float, upper: float) -> tuple[float, ...]:
    """A loss is told by the lower bound, its absence by the upper one; undecided is what lies between both."""
    status, value = (check["status"], check["value"]) if check else ("", None)
    # In an early run only the check has the bound of its look, where a judge made the difference.
    told = float(value) if isinstance(value, int | float) else None
    if status == "fail":
        return (lower if told is None else told,)
    upper = upper if told is None else told
    return (lower, upper) if status == "inconclusive" else (upper,)


def reading(entry: PairEntry, measure: Measure) -> Reading:
    """What an entry says of a measure; figures it has not are None."""
    found = _figures(entry, measure) or _Figures(None, None)
    low, high = found.delta_interval or (None, None)
    infinite = -math.inf, math.inf
    lower, upper = (
        default if value is None else value
        for value, default in zip((found.lower, found.upper), infinite, strict=True)
    )
    margin = _check(entry, measure.margin_check)
    good_baseline = entry["is_baseline"] and entry["verdict"] == "PASS"
    return Reading(
        variant=entry["variant"],
        baseline=entry["baseline"],
        is_baseline=entry["is_baseline"],
        outcome="baseline" if good_baseline else entry["verdict"].lower(),
        word=verdict_word(entry),
        rate=found.rate,
        interval=(found.interval[0], found.interval[1]) if found.interval else None,
        limit=_limit(_check(entry, measure.rate_check)),
        delta=found.delta,
        delta_interval=(
            (infinite[0] if low is None else low, infinite[1] if high is None else high)
            if found.delta_interval
            else None
        ),
        deciding=() if found.delta is None else _deciding(margin, lower, upper),
        margin=_limit(margin),
        delta_limit=_limit(_check(entry, measure.delta_check)),
    )
