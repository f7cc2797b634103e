"""The trail of an utterance whose intent and entities were judged, and its documented object, as JSON values."""

from typing import TypedDict

from pytest_asrgate.records import Entity, EntityStatus, IntentScore, IntentUtterance

__all__ = [
    "NO_ENTITIES",
    "DocumentedEntry",
    "EntityEntry",
    "IntentTrailEntry",
    "documented",
    "intent_trail",
    "intent_trails",
    "is_untouched",
    "named_entities",
]

# What the lists of entities say where the reference has none.
NO_ENTITIES = "NA"


class DocumentedEntry(TypedDict):
    """The object that is written of each utterance; both scores are null where there is no ruling."""

    index: int
    intent_score: int | None
    intent_explanation: str
    entity_score: float | None
    ground_truth_entities: str
    preserved_entities: str
    missing_entities: str
    entity_explanation: str


class EntityEntry(TypedDict):
    """One entity of the reference; `heard` is quoted from the hypothesis, empty for what is missing."""

    number: int
    text: str
    kind: str
    importance: int
    status: str
    heard: str
    decided_by: str
    reason: str
    votes: list[str]


class IntentTrailEntry(TypedDict):
    """One judged utterance; both scores are null for an error row, and where the judge failed."""

    id: str
    language: str
    intent_score: int | None
    intent_explanation: str
    entity_score: float | None
    entity_explanation: str
    empty_reference: bool
    decided_by: str
    votes: list[str]
    asked: bool
    judge_error: str
    warning: str
    entities: list[EntityEntry]


def _entity(found: Entity) -> EntityEntry:
    return EntityEntry(
        number=found.number,
        text=found.text,
        kind=found.kind,
        importance=found.importance,
        status=found.status.value,
        heard=found.heard,
        decided_by=found.decided_by,
        reason=found.reason,
        votes=list(found.votes),
    )


def _intent_score(row: IntentUtterance) -> int | None:
    return None if row.kept is None else int(row.kept)


def _entity_score(row: IntentUtterance) -> float | None:
    return None if row.kept is None or row.entity_score is None else float(row.entity_score)


def _without_score(row: IntentUtterance) -> str:
    """Why there are no scores, empty where there are."""
    if row.kept is not None:
        return ""
    return f"No score: {row.judge_error or 'there is no hypothesis, since the row is an error'}"


def named_entities(row: IntentUtterance, *statuses: EntityStatus) -> list[str]:
    """The entities with one of these statuses, or all where none is given, in the order of the reference."""
    return [each.text for each in row.entities if not statuses or each.status in statuses]


def _joined(row: IntentUtterance, *statuses: EntityStatus) -> str:
    if row.kept is not None and not row.entities:
        return NO_ENTITIES
    # Nothing is known of the entities of a row without a ruling, and that is not to have none.
    return ", ".join(named_entities(row, *statuses))


def documented(row: IntentUtterance, index: int) -> DocumentedEntry:
    """The object that is written of an utterance; substituted entities are among the missing ones."""
    nothing = _without_score(row)
    return DocumentedEntry(
        index=index,
        intent_score=_intent_score(row),
        intent_explanation=nothing or row.explanation,
        entity_score=_entity_score(row),
        ground_truth_entities=_joined(row),
        preserved_entities=_joined(row, EntityStatus.PRESERVED),
        missing_entities=_joined(row, EntityStatus.MISSING, EntityStatus.SUBSTITUTED),
        entity_explanation=nothing or row.entity_explanation,
    )


def intent_trail(row: IntentUtterance) -> IntentTrailEntry:
    """Everything that is known of one judged utterance."""
    return IntentTrailEntry(
        id=row.id,
        language=row.language,
        intent_score=_intent_score(row),
        intent_explanation=row.explanation,
        entity_score=_entity_score(row),
        entity_explanation=row.entity_explanation,
        empty_reference=row.empty_reference,
        decided_by=row.decided_by,
        votes=list(row.votes),
        asked=row.asked,
        judge_error=row.judge_error,
        warning=row.warning,
        entities=[_entity(each) for each in row.entities],
    )


def is_untouched(row: IntentUtterance) -> bool:
    """Whether rules saw that all is kept, so that nothing was decided that a reader would check."""
    whole = all(each.status is EntityStatus.PRESERVED for each in row.entities)
    return bool(row.kept) and whole and not row.asked and not row.warning


def intent_trails(score: IntentScore) -> list[IntentTrailEntry]:
    """The trails of all utterances but those of which rules saw that all is kept."""
    return [intent_trail(row) for row in score.utterances if not is_untouched(row)]
