"""The trails of judged utterances for a page: what the rows beside them say already is left out."""

from typing import TypedDict

from pytest_asrgate.reports.intent_trail import EntityEntry, IntentTrailEntry
from pytest_asrgate.reports.trail import DifferenceEntry, TrailEntry

__all__ = ["DifferenceRow", "EntityRow", "IntentRow", "SemanticRow", "intent_row", "semantic_row"]


class DifferenceRow(TypedDict, total=False):
    """One difference and who decided it; empty keys are left out, but for the texts and the label."""

    ref: str
    hyp: str
    label: str
    decided_by: str
    reason: str
    votes: list[str]


class SemanticRow(TypedDict, total=False):
    """What was decided of the meaning; counts are left out where there is no score, as is what is empty."""

    substitutions: int
    deletions: int
    insertions: int
    words: int
    differences: list[DifferenceRow]
    judge_error: str
    warning: str


class EntityRow(TypedDict, total=False):
    """One entity and what became of it; empty keys are left out."""

    text: str
    kind: str
    importance: int
    status: str
    heard: str
    decided_by: str
    reason: str
    votes: list[str]


class IntentRow(TypedDict, total=False):
    """What was decided of intent and entities; scores are left out where there are none, as is what is empty."""

    intent_score: int
    intent_explanation: str
    entity_score: float
    entity_explanation: str
    decided_by: str
    votes: list[str]
    entities: list[EntityRow]
    judge_error: str
    warning: str


def _difference(found: DifferenceEntry) -> DifferenceRow:
    row = DifferenceRow(ref=found["ref"], hyp=found["hyp"], label=found["label"], decided_by=found["decided_by"])
    if found["reason"]:
        row["reason"] = found["reason"]
    if found["votes"]:
        row["votes"] = found["votes"]
    return row


def semantic_row(trail: TrailEntry) -> SemanticRow:
    """The trail of one utterance without its id, texts and alignment."""
    row = SemanticRow()
    if trail["substitutions"] is not None and trail["deletions"] is not None and trail["insertions"] is not None:
        row["substitutions"], row["deletions"] = trail["substitutions"], trail["deletions"]
        row["insertions"], row["words"] = trail["insertions"], trail["words"] or 0
    if trail["differences"]:
        row["differences"] = [_difference(each) for each in trail["differences"]]
    if trail["judge_error"]:
        row["judge_error"] = trail["judge_error"]
    if trail["warning"]:
        row["warning"] = trail["warning"]
    return row


def _entity(found: EntityEntry) -> EntityRow:
    row = EntityRow(text=found["text"], kind=found["kind"], importance=found["importance"], status=found["status"])
    if found["heard"]:
        row["heard"] = found["heard"]
    if found["decided_by"]:
        row["decided_by"] = found["decided_by"]
    if found["reason"]:
        row["reason"] = found["reason"]
    if found["votes"]:
        row["votes"] = found["votes"]
    return row


def intent_row(trail: IntentTrailEntry) -> IntentRow:
    """The trail of one utterance without its id and language."""
    row = IntentRow()
    if trail["intent_score"] is not None:
        row["intent_score"] = trail["intent_score"]
    if trail["intent_explanation"]:
        row["intent_explanation"] = trail["intent_explanation"]
    if trail["entity_score"] is not None:
        row["entity_score"] = trail["entity_score"]
    if trail["entity_explanation"]:
        row["entity_explanation"] = trail["entity_explanation"]
    if trail["decided_by"]:
        row["decided_by"] = trail["decided_by"]
    if trail["votes"]:
        row["votes"] = trail["votes"]
    if trail["entities"]:
        row["entities"] = [_entity(each) for each in trail["entities"]]
    if trail["judge_error"]:
        row["judge_error"] = trail["judge_error"]
    if trail["warning"]:
        row["warning"] = trail["warning"]
    return row
