"""A verdict as plain JSON values: what crosses from an xdist worker, and what the JSON report holds."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TypedDict, cast

from pytest_asrgate.checks import touches_value
from pytest_asrgate.records import Check, Interval, Latency, RowStatus, Score, Verdict

__all__ = ["CheckEntry", "LatencyEntry", "PairEntry", "UtteranceEntry", "pair_entry"]


class CheckEntry(TypedDict):
    """One check; `value` is null where it could not be measured or is infinite."""

    name: str
    value: float | str | None
    limit: float | str | None
    unit: str
    status: str
    detail: str
    utterances: list[str]


class UtteranceEntry(TypedDict):
    """One utterance; `ref` and `hyp` are the normalised texts, `errors` is null for an error row.

    `masked` says in what ways the texts differ that the normaliser made equal, null where that cannot be known.
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
    latency_ms: float | None
    detail: str


class LatencyEntry(TypedDict):
    """What a latency probe measured, on which host and when; nulls where there is no baseline."""

    p50_ms: float
    p99_ms: float
    baseline_p50_ms: float | None
    baseline_p99_ms: float | None
    ratio: float | None
    rtf: float
    clips: int
    rounds: int
    threads: int
    host: str
    processor: str
    load_average: float
    measured: str


class PairEntry(TypedDict):
    """One pair of the report; the keys are those of DESIGN.md, with a few more beside them."""

    variant: str
    dataset: str
    verdict: str
    reason: str
    is_baseline: bool
    expected_to_fail: bool
    incomplete: bool
    metric: str | None
    n: int
    words: int
    null_references: int
    rate_pct: float | None
    ci_pct: list[float] | None
    substitutions: int
    deletions: int
    insertions: int
    baseline: str | None
    delta_pp: float | None
    delta_ci_pp: list[float | None] | None
    upper95_pp: float | None
    lower95_pp: float | None
    resolvable_pp: float | None
    latency_p50_ms: float | None
    latency: LatencyEntry | None
    speakers: str
    error_rows: int
    truncated: list[str]
    repetition: list[str]
    masked_first: list[str]
    checks: list[CheckEntry]
    transcribed: int
    reused: int
    transcribed_now: int
    failed_now: int
    warnings: list[str]
    findings: list[str]
    not_controllable: list[str]
    contract: dict[str, object]
    stamp: dict[str, object]
    utterances: list[UtteranceEntry]


def _flagged(score: Score | None, status: RowStatus) -> list[str]:
    return [row.id for row in score.utterances if row.status is status] if score else []


def _finite(value: float | None) -> float | None:
    """JSON has no infinity; a bound that excludes nothing is null."""
    return value if value is not None and math.isfinite(value) else None


def _interval(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_finite(interval.low), _finite(interval.high)]


def _check(check: Check) -> CheckEntry:
    value = _finite(check.value) if isinstance(check.value, float) else check.value
    return CheckEntry(
        name=check.name,
        value=value,
        limit=check.limit,
        unit=check.unit,
        status=check.status.value,
        detail=check.detail,
        utterances=list(check.utterances),
    )


def _latency(latency: Latency | None) -> LatencyEntry | None:
    # The keys are the fields' names, which a test compares.
    return None if latency is None else cast("LatencyEntry", asdict(latency))


def _utterances(score: Score) -> list[UtteranceEntry]:
    entries = []
    for row, hypothesis in zip(score.utterances, score.hypotheses.hypotheses, strict=True):
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
                latency_ms=hypothesis.latency_ms,
                detail=row.detail,
            )
        )
    return entries


def pair_entry(
    verdict: Verdict,
    *,
    transcribed_now: int = 0,
    failed_now: int = 0,
    with_utterances: bool = False,
    notes: Sequence[str] = (),
) -> PairEntry:
    """Return the verdict as JSON values; the `…_now` count the engines' work for this item alone."""
    score, comparison = verdict.score, verdict.comparison
    made = score.hypotheses if score else None
    ci = score.interval if score else None
    return PairEntry(
        variant=verdict.variant,
        dataset=verdict.dataset,
        verdict=verdict.outcome.value,
        reason=verdict.reason,
        is_baseline=verdict.is_baseline,
        expected_to_fail=verdict.expected_to_fail,
        incomplete=verdict.incomplete,
        metric=score.metric if score else None,
        n=len(score.utterances) if score else 0,
        words=score.counts.words if score else 0,
        null_references=sum(row.null_reference for row in score.utterances) if score else 0,
        rate_pct=score.counts.rate_pct if score else None,
        ci_pct=[ci.low, ci.high] if ci else None,
        substitutions=score.counts.substitutions if score else 0,
        deletions=score.counts.deletions if score else 0,
        insertions=score.counts.insertions if score else 0,
        baseline=verdict.baseline_score.hypotheses.variant if verdict.baseline_score else None,
        delta_pp=comparison.delta_pp if comparison else None,
        delta_ci_pp=_interval(comparison.interval) if comparison else None,
        upper95_pp=_finite(comparison.upper95) if comparison else None,
        lower95_pp=_finite(comparison.lower95) if comparison else None,
        resolvable_pp=_finite(comparison.resolution.margin_pp) if comparison else None,
        latency_p50_ms=score.latency_p50_ms if score else None,
        latency=_latency(verdict.latency),
        speakers=score.speakers_note if score else "",
        error_rows=len(_flagged(score, RowStatus.ERROR)),
        truncated=_flagged(score, RowStatus.TRUNCATED),
        repetition=_flagged(score, RowStatus.REPETITION),
        masked_first=[row.id for row in score.utterances if touches_value(row)] if score else [],
        checks=[_check(check) for check in verdict.checks],
        transcribed=made.transcribed if made else 0,
        reused=made.reused if made else 0,
        transcribed_now=transcribed_now,
        failed_now=failed_now,
        warnings=[*verdict.warnings, *notes],
        findings=list(made.findings) if made else [],
        not_controllable=list(made.not_controllable) if made else [],
        contract=dict(made.contract) if made else {},
        stamp=dict(made.provenance) if made else {},
        utterances=_utterances(score) if score and with_utterances else [],
    )
