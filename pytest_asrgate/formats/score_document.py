"""What a score file says: the figures of one score, then every utterance with its normalised texts.

Rates are fractions that are never rounded. A figure of the whole that is unknown is left out and not null, since
the upstream script that compares score files formats whatever is there; in a row it is null.
"""

import statistics
from collections.abc import Mapping
from typing import Any

from pytest_asrgate.formats.terms import DECODE_LANGUAGE
from pytest_asrgate.metrics.masking import MASKED_FIRST
from pytest_asrgate.metrics.spans import longest_dropped
from pytest_asrgate.records import RowStatus, Score, UtteranceScore
from pytest_asrgate.values import UNKNOWN

__all__ = ["SCHEMA", "score_document"]

SCHEMA = "asrgate.score/1"

# The contract terms that have a key of their own, or that no reader of a score file can check.
_NOT_RECIPE = frozenset({"language", "normaliser", "metric", "dediarize", "manifest", DECODE_LANGUAGE})


def _rates(score: Score) -> dict[str, float]:
    figures: dict[str, float] = {}
    if score.counts.words:
        figures["error_rate"] = score.counts.errors / score.counts.words
        figures["error_rate_pct"] = 100.0 * figures["error_rate"]
    if score.interval is not None:
        figures["error_rate_ci_lo"] = score.interval.low / 100.0
        figures["error_rate_ci_hi"] = score.interval.high / 100.0
    if score.speaker_interval is not None:
        figures["error_rate_ci_speaker_lo"] = score.speaker_interval.low / 100.0
        figures["error_rate_ci_speaker_hi"] = score.speaker_interval.high / 100.0
    if score.metric == "wer":
        # The names under which upstream's older files and scripts know the same figures.
        figures |= {name.replace("error_rate", "wer"): value for name, value in figures.items()}
    return figures


def _latencies(score: Score) -> dict[str, float]:
    values = sorted(
        row.latency_ms
        for row in score.hypotheses.hypotheses
        if row.latency_ms is not None and row.status is not RowStatus.ERROR
    )
    if not values:
        return {} if score.latency_p50_ms is None else {"latency_p50_ms": score.latency_p50_ms}
    place = (len(values) - 1) * 0.99
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return {
        "latency_mean_ms": statistics.fmean(values),
        "latency_p50_ms": statistics.median(values),
        "latency_p99_ms": values[low] + (values[high] - values[low]) * (place - low),
    }


def _masked(score: Score, references: Mapping[str, str]) -> dict[str, object]:
    """Utterances whose difference the normaliser hid, digits and their like first; nothing where it is unknown."""
    if any(row.masked is None for row in score.utterances):
        return {}
    found = [row for row in score.utterances if row.masked]
    found.sort(key=lambda row: set(MASKED_FIRST).isdisjoint(row.masked or ()))
    texts = {row.id: row.text for row in score.hypotheses.hypotheses if row.normalised_reference is None}
    return {
        "masked": len(found),
        "masked_utterances": [
            {
                "id": row.id,
                "kinds": list(row.masked or ()),
                "ref_text": references.get(row.id, row.reference_text),
                "hyp_text": texts.get(row.id),
            }
            for row in found
        ],
    }


def _longest_dropped(score: Score) -> dict[str, int]:
    """The longest run of deletions in one utterance, in units of the metric; nothing where no word was spoken."""
    spans = [longest_dropped(row.steps) for row in score.utterances if row.counts and not row.null_reference]
    return {"dropped_span": max(spans)} if spans else {}


def _row(row: UtteranceScore, metric: str, speaker: str | None, latency_ms: float | None) -> dict[str, object]:
    counts = row.counts
    written: dict[str, object] = {
        "id": row.id,
        "ref": row.reference,
        "hyp": row.hypothesis,
        metric: counts.errors / counts.words if counts and counts.words else None,
        "status": row.status.value,
        "substitutions": counts.substitutions if counts else None,
        "deletions": counts.deletions if counts else None,
        "insertions": counts.insertions if counts else None,
        "words": counts.words if counts else None,
        "null_reference": row.null_reference,
    }
    # Found in the raw texts, which a score file does not hold.
    if row.loop:
        written["loop"] = True
    if row.drift:
        written["language_drift"] = True
    if speaker is not None:
        written["speaker"] = speaker
    if latency_ms is not None:
        written["latency_ms"] = latency_ms
    if row.detail:
        written["detail"] = row.detail
    return written


def score_document(score: Score, *, source: str, references: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the document of a score; `source` names the file of hypotheses that was scored.

    `references` are raw reference texts by id, for scores whose rows do not hold them.
    """
    rows, made = score.utterances, score.hypotheses
    contract = {name: value for name, value in made.contract.items() if value is not None and value != UNKNOWN}
    by_status = {status: sum(row.status is status for row in rows) for status in RowStatus}
    speakers: tuple[str | None, ...] = score.speakers or (None,) * len(rows)
    latencies = [row.latency_ms for row in made.hypotheses] or [None] * len(rows)
    named: dict[str, Any] = {
        name: contract[name] for name in ("language", "normaliser", "dediarize") if name in contract
    }
    return {
        "schema": SCHEMA,
        "metric": score.metric,
        **named,
        **_rates(score),
        "n": len(rows),
        "words": score.counts.words,
        "substitutions": score.counts.substitutions,
        "deletions": score.counts.deletions,
        "insertions": score.counts.insertions,
        "n_errors": by_status[RowStatus.ERROR],
        "null_references": sum(row.null_reference for row in rows),
        "hallucinations": sum(row.hallucination for row in rows),
        "empty": sum(row.empty for row in rows),
        "truncated": by_status[RowStatus.TRUNCATED],
        "repetition": by_status[RowStatus.REPETITION],
        "loops": sum(row.loop for row in rows),
        "language_drift": sum(row.drift for row in rows),
        "catastrophic": sum(map(score.catastrophic, rows)),
        "catastrophic_above_pct": score.catastrophic_rate,
        **_longest_dropped(score),
        **_masked(score, references or {}),
        **_latencies(score),
        "speakers": score.speakers_note,
        "report_file": source,
        "recipe": {
            **{name: value for name, value in contract.items() if name not in _NOT_RECIPE},
            # What the engine was told, which may be another thing than how its texts were scored.
            **({"language": contract[DECODE_LANGUAGE]} if DECODE_LANGUAGE in contract else {}),
        },
        "stamp": dict(made.provenance),
        "not_controllable": list(made.not_controllable),
        "per_utterance": [
            _row(row, score.metric, speaker, latency_ms)
            for row, speaker, latency_ms in zip(rows, speakers, latencies, strict=True)
        ],
    }
