"""The entity score of an utterance, and the figures of many: all of it is computed here, never by a judge."""

from collections.abc import Iterable, Sequence

from pytest_asrgate.records import Entity, EntityStatus, IntentFigures, IntentUtterance
from pytest_asrgate.statistics import mean_interval, wilson_interval
from pytest_asrgate.values import plural

__all__ = ["SUBSTITUTION_FACTOR", "entity_explanation", "entity_score", "figures_by_language", "figures_of"]

# A substituted entity is missing, and something false stands in its place.
SUBSTITUTION_FACTOR = 2


def entity_score(entities: Sequence[Entity]) -> float:
    """How much of the entities is preserved, from 0 to 1; 1 where there are none.

    Importance preserved over importance of all, where that of a substituted entity counts twice. So it is 1 only if
    all are preserved, 0 only if none is, and a substituted entity costs more than a missing one beside it.
    """
    if not entities:
        return 1.0
    kept = sum(each.importance for each in entities if each.status is EntityStatus.PRESERVED)
    whole = sum(
        each.importance * (SUBSTITUTION_FACTOR if each.status is EntityStatus.SUBSTITUTED else 1)
        for each in entities
    )
    return kept / whole


def entity_explanation(entities: Sequence[Entity]) -> str:
    """One sentence on what became of the entities, with the reasons of those that are not preserved."""
    if not entities:
        return "The reference has no entity."
    lost = [each for each in entities if each.status is not EntityStatus.PRESERVED]
    kept = f"{len(entities) - len(lost)} of {plural(len(entities), 'entity', 'entities')} preserved"
    if not lost:
        return f"{kept}."
    told = []
    for each in lost:
        became = f'"{each.text}" became "{each.heard}"' if each.heard else f'"{each.text}" is missing'
        told.append(f"{became}: {each.reason}" if each.reason else became)
    return f"{kept}; {'; '.join(told)}"


def figures_of(rows: Iterable[IntentUtterance], language: str = "") -> IntentFigures:
    """The figures of these utterances; `language` is the one that all of them are in, empty for several.

    The interval of the intent is Wilson's; that of the mean entity score is a bootstrap over utterances, and
    Wilson's where all have the same score (`statistics.mean_interval`).
    """
    rows = list(rows)
    ruled = [row for row in rows if row.counts]
    kept = sum(row.kept is True for row in ruled)
    spoken_of = [row for row in ruled if row.entities]
    scores = [row.entity_score for row in spoken_of if row.entity_score is not None]
    statuses = [each.status for row in spoken_of for each in row.entities]
    return IntentFigures(
        language=language,
        utterances=len(ruled),
        kept=kept,
        interval=wilson_interval(kept, len(ruled)),
        with_entities=len(spoken_of),
        without_entities=len(ruled) - len(spoken_of),
        entity_pct=100.0 * sum(scores) / len(scores) if scores else None,
        entity_interval=mean_interval(scores),
        preserved=statuses.count(EntityStatus.PRESERVED),
        missing=statuses.count(EntityStatus.MISSING),
        substituted=statuses.count(EntityStatus.SUBSTITUTED),
        empty_references=sum(row.empty_reference and row.kept is not None for row in rows),
        failed=sum(bool(row.judge_error) for row in rows),
    )


def figures_by_language(rows: Sequence[IntentUtterance]) -> tuple[IntentFigures, ...]:
    """The figures of each language, in the order of their codes."""
    codes = sorted({row.language for row in rows})
    return tuple(figures_of((row for row in rows if row.language == code), code) for code in codes)
