"""The file that `asrgate judge --task intent` writes: all figures, and for each utterance its documented object."""

from collections.abc import Sequence

from pytest_asrgate.intent.arithmetic import SUBSTITUTION_FACTOR
from pytest_asrgate.intent.listing import MOST_IMPORTANT
from pytest_asrgate.records import EntityStatus, IntentScore, RowStatus, Score, Utterance
from pytest_asrgate.reports.intent_entries import IntentHead, intent_figures
from pytest_asrgate.reports.intent_trail import (
    DocumentedEntry,
    EntityEntry,
    documented,
    intent_trail,
    named_entities,
)

__all__ = ["ENTITY_SCORE", "SCHEMA", "IntentDocument", "IntentUtteranceEntry", "intent_document"]

SCHEMA = "asrgate.intent/1"

ENTITY_SCORE = (
    f"importance (1 to {MOST_IMPORTANT}) of the preserved entities over the importance of all, in which that of a "
    f"substituted entity counts {SUBSTITUTION_FACTOR} times; 1 without entities"
)


class IntentUtteranceEntry(DocumentedEntry):
    """The documented object first, then its lists as arrays, what a judge sees, and the full trail."""

    ground_truth_entities_list: list[str]
    preserved_entities_list: list[str]
    missing_entities_list: list[str]
    id: str
    language: str
    status: str
    ref_text: str
    hyp_text: str
    context: str | None
    empty_reference: bool
    decided_by: str
    votes: list[str]
    asked: bool
    judge_error: str
    warning: str
    entities: list[EntityEntry]


class IntentDocument(IntentHead):
    """The whole file; rates in percent, money in US dollars. `report_file` names the file of hypotheses.

    `entity_score` says how the score of an utterance is computed.
    """

    schema: str
    task: str
    report_file: str
    language: str
    speakers: str
    entity_score: str
    substitution_factor: int
    error_rows: list[str]
    utterances: list[IntentUtteranceEntry]


def intent_document(
    intent: IntentScore,
    score: Score,
    utterances: Sequence[Utterance],
    *,
    source: str,
    indexes: Sequence[int] = (),
) -> IntentDocument:
    """The document of a judged score; `score` and `utterances` are what was judged, row by row.

    `indexes` are the rows' own, else they are counted from 1.
    """
    numbers = indexes or range(1, len(utterances) + 1)
    rows: list[IntentUtteranceEntry] = []
    for index, row, hypothesis, utterance in zip(
        numbers, intent.utterances, score.hypotheses.hypotheses, utterances, strict=True
    ):
        trail = intent_trail(row)
        rows.append(
            {
                **documented(row, index),
                "ground_truth_entities_list": named_entities(row),
                "preserved_entities_list": named_entities(row, EntityStatus.PRESERVED),
                "missing_entities_list": named_entities(row, EntityStatus.MISSING, EntityStatus.SUBSTITUTED),
                "id": row.id,
                "language": row.language,
                "status": hypothesis.status.value,
                "ref_text": utterance.reference,
                "hyp_text": hypothesis.text,
                "context": utterance.context,
                "empty_reference": row.empty_reference,
                "decided_by": row.decided_by,
                "votes": trail["votes"],
                "asked": row.asked,
                "judge_error": row.judge_error,
                "warning": row.warning,
                "entities": trail["entities"],
            }
        )
    return {
        "schema": SCHEMA,
        "task": "intent",
        "report_file": source,
        "language": str(score.hypotheses.contract["language"]),
        "speakers": intent.speakers_note,
        "entity_score": ENTITY_SCORE,
        "substitution_factor": SUBSTITUTION_FACTOR,
        "error_rows": [row.id for row in score.utterances if row.status is RowStatus.ERROR],
        **intent_figures(intent),
        "utterances": rows,
    }
