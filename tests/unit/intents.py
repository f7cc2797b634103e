"""Values of intent and entities, for tests of what is made of them."""

from pytest_asrgate.intent.arithmetic import entity_score, figures_by_language, figures_of
from pytest_asrgate.records import Entity, EntityStatus, IntentScore, IntentUtterance

__all__ = ["entities", "intent_score", "intent_utterance"]

_STATUSES = {"p": EntityStatus.PRESERVED, "m": EntityStatus.MISSING, "s": EntityStatus.SUBSTITUTED}


def entities(letters: str, *importances: int) -> tuple[Entity, ...]:
    """One entity a letter (p, m, s), with the importances given for the first ones and 1 for the rest."""
    weights = [*importances, *[1] * (len(letters) - len(importances))]
    return tuple(
        Entity(number, f"entity{number}", "person", weight, _STATUSES[letter])
        for number, (letter, weight) in enumerate(zip(letters, weights, strict=True), start=1)
    )


def intent_utterance(
    identity: str,
    kept: bool | None = True,
    found: str = "",
    *,
    language: str = "en",
    empty: bool = False,
    error: str = "",
) -> IntentUtterance:
    """A judged utterance whose entities are given as letters; None with an error for one without a ruling."""
    every = entities(found)
    return IntentUtterance(
        identity,
        language,
        kept,
        explanation="why",
        decided_by="judge openai/judge",
        entities=every,
        entity_score=None if kept is None else entity_score(every),
        empty_reference=empty,
        asked=True,
        judge_error=error,
    )


def intent_score(*rows: IntentUtterance, judge: str = "openai/judge") -> IntentScore:
    """A score with the figures of its rows."""
    return IntentScore(
        judge,
        rows,
        figures_of(rows),
        figures_by_language(rows),
        lower_bound=judge == "rules",
        rules_version=1,
        task_version=101,
        speakers_note="independence assumed: no speakers are named",
    )
