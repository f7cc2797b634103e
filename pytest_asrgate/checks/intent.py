"""Checks on intent and entities: what is kept of them, and what is lost against the baseline."""

from pytest_asrgate.checks.limits import Limit, above, below, unmeasurable
from pytest_asrgate.checks.rates import margin_check
from pytest_asrgate.records import Check, Comparison, IntentFigures, IntentScore, IntentUtterance, Interval
from pytest_asrgate.values import plural

__all__ = ["entity_loss", "entity_margin", "entity_mean", "intent_loss", "intent_margin", "intent_share"]

_INTENT_BOUND = "a lower bound: by rules alone, what they cannot show to be kept counts as lost"
# What rules do not find is left out, whether it is preserved or not, so a judge may find more or less.
_ENTITY_NOTE = (
    "by rules alone: over the digits, dates, e-mails, identifiers and names that rules find; no bound of what a "
    "judge would say"
)
_INTENT_HEURISTIC = "a heuristic: the difference of two lower bounds, by rules alone"
_ENTITY_HEURISTIC = "a heuristic: by rules alone, over the entities that rules find"


def _costliest(score: IntentScore, baseline: IntentScore | None, *, entities: bool) -> tuple[str, ...]:
    """Ids by what was lost, or lost beyond the baseline's loss; ids that lost nothing are left out."""

    def loss(row: IntentUtterance) -> float | None:
        return row.entity_loss if entities else row.intent_loss

    cost = {}
    for place, row in enumerate(score.utterances):
        ours, before = loss(row), loss(baseline.utterances[place]) if baseline else 0.0
        if ours is not None and before is not None:
            cost[row.id] = ours - before
    return tuple(sorted((name for name in cost if cost[name] > 0), key=lambda name: -cost[name]))


def _apart(figures: IntentFigures) -> str:
    """What is counted apart, in a clause; empty for nothing."""
    empty = figures.empty_references
    return f"; {plural(empty, 'empty reference')} counted apart" if empty else ""


def _range(interval: Interval | None, name: str) -> str:
    return f" ({name} {interval.low:.2f} – {interval.high:.2f} %)" if interval else ""


def _nothing(figures: IntentFigures, whom: str) -> str:
    if figures.failed:
        return f"the judge failed on {plural(figures.failed, 'utterance')}, and no other has {whom}"
    return f"no judged utterance has {whom}"


def intent_share(score: IntentScore, limit: Limit) -> Check:
    """The share of utterances whose intent is kept, in percent, against the least that is allowed."""
    figures = score.figures
    value = figures.intent_pct
    if value is None:
        return unmeasurable("intent", limit, "%", _nothing(figures, "a reference with words"))
    detail = f"kept in {figures.kept} of {plural(figures.utterances, 'utterance')}"
    detail += _range(figures.interval, "95% Wilson interval") + _apart(figures)
    if score.lower_bound:
        detail += f"; {_INTENT_BOUND}"
    return Check("intent", value, limit, "%", below(value, limit), detail, _costliest(score, None, entities=False))


def entity_mean(score: IntentScore, limit: Limit) -> Check:
    """The mean entity score of the utterances with entities, in percent, against the least that is allowed."""
    figures = score.figures
    value = figures.entity_pct
    if value is None:
        return unmeasurable("entity", limit, "%", _nothing(figures, "an entity"))
    detail = f"{figures.preserved} preserved, {figures.missing} missing, {figures.substituted} substituted in "
    detail += plural(figures.with_entities, "utterance") + _range(figures.entity_interval, "95% interval")
    if figures.without_entities:
        detail += f"; {figures.without_entities} without entities counted apart"
    if score.lower_bound:
        detail += f"; {_ENTITY_NOTE}"
    return Check("entity", value, limit, "%", below(value, limit), detail, _costliest(score, None, entities=True))


def _loss(
    name: str, score: IntentScore, baseline: IntentScore, comparison: Comparison, limit: Limit, *, entities: bool
) -> Check:
    value, interval = comparison.delta_pp, comparison.interval
    detail = f"lost against the baseline; two-sided 95% interval {interval.low:+.2f} to {interval.high:+.2f} pp"
    if score.lower_bound:
        detail += f"; {_ENTITY_HEURISTIC if entities else _INTENT_HEURISTIC}"
    ids = _costliest(score, baseline, entities=entities)
    return Check(name, value, limit, "pp", above(value, limit), detail, ids)


def intent_loss(score: IntentScore, baseline: IntentScore, comparison: Comparison, limit: Limit) -> Check:
    """How much less often than the baseline's the intent is kept, in percentage points; a gain never fails."""
    return _loss("intent_delta", score, baseline, comparison, limit, entities=False)


def entity_loss(score: IntentScore, baseline: IntentScore, comparison: Comparison, limit: Limit) -> Check:
    """How far the mean entity score lies below the baseline's, in percentage points; a gain never fails."""
    return _loss("entity_delta", score, baseline, comparison, limit, entities=True)


def _note(score: IntentScore, heuristic: str) -> str:
    return score.speakers_note + (f"; {heuristic}" if score.lower_bound else "")


def intent_margin(score: IntentScore, baseline: IntentScore, comparison: Comparison, margin: Limit) -> Check:
    """The three-way check of the paired loss of intents."""
    ids = _costliest(score, baseline, entities=False)
    return margin_check("intent_non_inferiority", comparison, margin, _note(score, _INTENT_HEURISTIC), ids)


def entity_margin(score: IntentScore, baseline: IntentScore, comparison: Comparison, margin: Limit) -> Check:
    """The three-way check of the paired loss of entities."""
    ids = _costliest(score, baseline, entities=True)
    return margin_check("entity_non_inferiority", comparison, margin, _note(score, _ENTITY_HEURISTIC), ids)
