"""The file that `asrgate judge` writes: all figures of a judged score, and the full trail of every utterance."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_asrgate.jsonlines import json_text
from pytest_asrgate.records import RowStatus, Score, Utterance
from pytest_asrgate.records.judged import SemanticScore
from pytest_asrgate.reports.judged_entries import SemanticFigures, semantic_figures
from pytest_asrgate.reports.trail import TrailEntry, trail

__all__ = ["SCHEMA", "JudgedUtteranceEntry", "SemanticDocument", "document_text", "semantic_document"]

SCHEMA = "asrgate.semantic/1"


class JudgedUtteranceEntry(TrailEntry):
    """One utterance with the raw texts, and the context, that a judge sees."""

    status: str
    ref_text: str
    hyp_text: str
    context: str | None


class SemanticDocument(SemanticFigures):
    """The whole file; rates in percent, money in US dollars. `report_file` names the file of hypotheses."""

    schema: str
    task: str
    report_file: str
    language: str
    speakers: str
    error_rows: list[str]
    utterances: list[JudgedUtteranceEntry]


def semantic_document(
    semantic: SemanticScore, score: Score, utterances: Sequence[Utterance], *, source: str
) -> SemanticDocument:
    """The document of a judged score; `score` and `utterances` are what was judged, row by row."""
    rows: list[JudgedUtteranceEntry] = [
        {
            **trail(row),
            "status": hypothesis.status.value,
            "ref_text": utterance.reference,
            "hyp_text": hypothesis.text,
            "context": utterance.context,
        }
        for row, hypothesis, utterance in zip(
            semantic.utterances, score.hypotheses.hypotheses, utterances, strict=True
        )
    ]
    return {
        "schema": SCHEMA,
        "task": "semantic",
        "report_file": source,
        "language": str(score.hypotheses.contract["language"]),
        "speakers": semantic.speakers_note,
        "error_rows": [row.id for row in score.utterances if row.status is RowStatus.ERROR],
        **semantic_figures(semantic),
        "utterances": rows,
    }


def document_text(document: Mapping[str, Any]) -> str:
    """The document of a judged score, of whatever task, as JSON, one utterance a line."""
    head = json_text({key: value for key, value in document.items() if key != "utterances"}, indent=1)
    rows = ",\n".join(f"  {json_text(row)}" for row in document["utterances"])
    return f'{head.removesuffix("}").rstrip()},\n "utterances": [\n{rows}\n ]\n}}\n'
