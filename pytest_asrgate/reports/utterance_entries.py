"""The utterances of a pair as JSON values, each beside what the baseline made of it."""

import os
from pathlib import Path
from typing import TypedDict

from pytest_asrgate.metrics.spans import longest_dropped
from pytest_asrgate.records import RowStatus, Score, UtteranceScore, Verdict
from pytest_asrgate.values import without_surrogates

__all__ = ["UtteranceEntry", "utterance_entries"]


class _Before(TypedDict):
    """What the baseline made of an utterance; nulls where there is none."""

    changed: bool | None
    baseline_status: str | None
    baseline_hyp: str | None
    baseline_hyp_text: str | None
    baseline_errors: int | None
    baseline_steps: str | None


class UtteranceEntry(_Before):
    """One utterance; `ref` and `hyp` are the normalised texts, `errors` is null for an error row.

    `steps` is the alignment, one character a step: `=` equal, `S`, `D` or `I`; empty for an error row.
    `masked` says in what ways the texts differ that the normaliser made equal, null where that cannot be known.
    `dropped_span` is the longest run of deletions in units of the metric, null for an error row. `audio` is named
    from the gate file's folder, `duration_s` in seconds. `changed` says whether the normalised text is another than
    the baseline's, null where one of them is missing; so are the `baseline_…` ones.
    """

    id: str
    status: str
    ref: str
    hyp: str
    ref_text: str | None
    hyp_text: str
    masked: list[str] | None
    errors: int | None
    substitutions: int | None
    deletions: int | None
    insertions: int | None
    words: int | None
    steps: str
    null_reference: bool
    empty: bool
    hallucination: bool
    loop: bool
    language_drift: bool
    catastrophic: bool
    dropped_span: int | None
    latency_ms: float | None
    detail: str
    tags: list[str]
    language: str | None
    audio: str | None
    duration_s: float | None


def _before(row: UtteranceScore, baseline: Score | None, place: int) -> _Before:
    before = baseline.utterances[place] if baseline else None
    raw = baseline.hypotheses.hypotheses[place].text if baseline else None
    both = before is not None and RowStatus.ERROR not in {row.status, before.status}
    return _Before(
        changed=row.hypothesis != before.hypothesis if before and both else None,
        baseline_status=before.status.value if before else None,
        baseline_hyp=before.hypothesis if before else None,
        baseline_hyp_text=raw,
        baseline_errors=before.counts.errors if before and before.counts else None,
        baseline_steps=before.steps if before else None,
    )


def _audio(row: UtteranceScore, gate_folder: Path | None) -> str | None:
    if row.audio is None:
        return None
    place = Path(os.path.relpath(row.audio, gate_folder)) if gate_folder else row.audio
    return without_surrogates(place.as_posix())


def utterance_entries(verdict: Verdict, gate_folder: Path | None = None) -> list[UtteranceEntry]:
    """Each utterance of the pair, in the order of its manifest; none where the pair has no score."""
    score = verdict.score
    if score is None:
        return []
    entries = []
    rows = zip(score.utterances, score.hypotheses.hypotheses, strict=True)
    for place, (row, hypothesis) in enumerate(rows):
        counts = row.counts
        entries.append(
            UtteranceEntry(
                id=row.id,
                status=row.status.value,
                ref=row.reference,
                hyp=row.hypothesis,
                ref_text=row.reference_text,
                hyp_text=hypothesis.text,
                masked=None if row.masked is None else list(row.masked),
                errors=counts.errors if counts else None,
                substitutions=counts.substitutions if counts else None,
                deletions=counts.deletions if counts else None,
                insertions=counts.insertions if counts else None,
                words=counts.words if counts else None,
                steps=row.steps,
                null_reference=row.null_reference,
                empty=row.empty,
                hallucination=row.hallucination,
                loop=row.loop,
                language_drift=row.drift,
                catastrophic=score.catastrophic(row),
                dropped_span=longest_dropped(row.steps) if counts else None,
                latency_ms=hypothesis.latency_ms,
                detail=row.detail,
                tags=list(row.tags),
                language=row.language,
                audio=_audio(row, gate_folder),
                duration_s=row.duration_s if hypothesis.audio_s is None else hypothesis.audio_s,
                **_before(row, verdict.baseline_score, place),
            )
        )
    return entries
