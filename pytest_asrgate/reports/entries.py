"""A verdict as plain JSON values: what crosses from an xdist worker, and what the JSON report holds."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict, cast

from pytest_asrgate.checks import touches_value
from pytest_asrgate.records import (
    Check,
    Comparison,
    Latency,
    Repeats,
    RowStatus,
    Score,
    SliceResult,
    Verdict,
)
from pytest_asrgate.reports.bounds import finite, finite_interval
from pytest_asrgate.reports.intent_entries import IntentEntry, intent_entry
from pytest_asrgate.reports.judged_entries import SemanticEntry, semantic_entry
from pytest_asrgate.reports.utterance_entries import UtteranceEntry, utterance_entries

__all__ = [
    "CheckEntry",
    "EarlyEntry",
    "LatencyEntry",
    "MatchedPairsEntry",
    "PairEntry",
    "SliceEntry",
    "pair_entry",
]


class CheckEntry(TypedDict):
    """One check; `value` is null where it could not be measured or is infinite.

    `upper95_pct` bounds the rate behind a number of utterances, null for other figures and where none could.
    """

    name: str
    value: float | str | None
    limit: float | str | None
    unit: str
    status: str
    detail: str
    utterances: list[str]
    upper95_pct: float | None


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


class FlipEntry(TypedDict):
    """One utterance that was decoded to different outputs; the stored one first."""

    id: str
    outputs: list[str]


class RepeatsEntry(TypedDict):
    """What became of a sample that was decoded again; `failed` names what ended in an error at least once."""

    utterances: int
    decodings: int
    flips: list[FlipEntry]
    failed: list[str]
    failure: str
    seed: int
    host: str
    measured: str


class EarlyEntry(TypedDict):
    """Where an early run ended: look, utterances decoded, and the bounds that decided (null where infinite)."""

    look: int
    looks: list[int]
    utterances: int
    total: int
    share_pct: float
    boundary: float
    alpha: float
    lower_pp: float | None
    upper_pp: float | None
    seed: int


class MatchedPairsEntry(TypedDict):
    """MAPSSWE, variant less baseline; nulls where it is undefined, and `undefined` says why."""

    segments: int
    mean: float | None
    standard_deviation: float | None
    z: float | None
    p: float | None
    undefined: str


class SliceEntry(TypedDict):
    """The utterances that carry one tag; nulls where there are no reference words, no baseline, or no bound."""

    name: str
    n: int
    words: int
    rate_pct: float | None
    ci_pct: list[float] | None
    delta_pp: float | None
    lower95_pp: float | None
    upper95_pp: float | None
    lower_pp: float | None
    upper_pp: float | None
    resolvable_pp: float | None
    speakers: str
    checks: list[CheckEntry]


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
    ci_speaker_pct: list[float] | None
    substitutions: int
    deletions: int
    insertions: int
    baseline: str | None
    delta_pp: float | None
    delta_ci_pp: list[float | None] | None
    upper95_pp: float | None
    lower95_pp: float | None
    resolvable_pp: float | None
    delta_bootstrap_pp: list[float] | None
    mapsswe: MatchedPairsEntry | None
    improvement_pct: float | None
    latency_p50_ms: float | None
    latency: LatencyEntry | None
    repeats: RepeatsEntry | None
    early: EarlyEntry | None
    semantic: SemanticEntry | None
    intent: IntentEntry | None
    speakers: str
    error_rows: int
    truncated: list[str]
    repetition: list[str]
    masked_first: list[str]
    checks: list[CheckEntry]
    slices: list[SliceEntry]
    slices_left_out: int
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


def _check(check: Check) -> CheckEntry:
    value = finite(check.value) if isinstance(check.value, float) else check.value
    return CheckEntry(
        name=check.name,
        value=value,
        limit=check.limit,
        unit=check.unit,
        status=check.status.value,
        detail=check.detail,
        utterances=list(check.utterances),
        upper95_pct=check.upper95_pct,
    )


def _latency(latency: Latency | None) -> LatencyEntry | None:
    # The keys are the fields' names, which a test compares.
    return None if latency is None else cast("LatencyEntry", asdict(latency))


def _matched_pairs(comparison: Comparison | None) -> MatchedPairsEntry | None:
    found = comparison.matched_pairs if comparison else None
    return None if found is None else cast("MatchedPairsEntry", asdict(found))


def _repeats(repeats: Repeats | None) -> RepeatsEntry | None:
    if repeats is None:
        return None
    return RepeatsEntry(
        utterances=repeats.utterances,
        decodings=repeats.decodings,
        flips=[FlipEntry(id=flip.id, outputs=list(flip.outputs)) for flip in repeats.flips],
        failed=list(repeats.failed),
        failure=repeats.failure,
        seed=repeats.seed,
        host=repeats.host,
        measured=repeats.measured,
    )


def _early(verdict: Verdict) -> EarlyEntry | None:
    look, comparison = verdict.early, verdict.comparison
    if look is None:
        return None
    return EarlyEntry(
        look=look.number,
        looks=list(look.sizes),
        utterances=look.utterances,
        total=look.total,
        share_pct=100.0 * look.utterances / look.total,
        boundary=look.boundary,
        alpha=look.alpha,
        lower_pp=finite(comparison.lower) if comparison else None,
        upper_pp=finite(comparison.upper) if comparison else None,
        seed=look.seed,
    )


def _slice(part: SliceResult) -> SliceEntry:
    comparison, interval = part.comparison, part.interval
    return SliceEntry(
        name=part.name,
        n=part.utterances,
        words=part.counts.words,
        rate_pct=part.counts.rate_pct,
        ci_pct=[interval.low, interval.high] if interval else None,
        delta_pp=comparison.delta_pp if comparison else None,
        lower95_pp=finite(comparison.lower95) if comparison else None,
        upper95_pp=finite(comparison.upper95) if comparison else None,
        lower_pp=finite(comparison.lower) if comparison else None,
        upper_pp=finite(comparison.upper) if comparison else None,
        resolvable_pp=finite(comparison.resolution.margin_pp) if comparison else None,
        speakers=part.speakers_note,
        checks=[_check(check) for check in part.checks],
    )


def pair_entry(
    verdict: Verdict,
    *,
    transcribed_now: int = 0,
    failed_now: int = 0,
    with_utterances: bool = False,
    gate_folder: Path | None = None,
    notes: Sequence[str] = (),
) -> PairEntry:
    """Return the verdict as JSON values; the `…_now` count the engines' work for this item alone.

    Utterances name their audio relative to `gate_folder`, where one is given.
    """
    score, comparison = verdict.score, verdict.comparison
    made = score.hypotheses if score else None
    ci = score.interval if score else None
    blocked = score.speaker_interval if score else None
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
        ci_speaker_pct=[blocked.low, blocked.high] if blocked else None,
        substitutions=score.counts.substitutions if score else 0,
        deletions=score.counts.deletions if score else 0,
        insertions=score.counts.insertions if score else 0,
        baseline=verdict.baseline_score.hypotheses.variant if verdict.baseline_score else None,
        delta_pp=comparison.delta_pp if comparison else None,
        delta_ci_pp=finite_interval(comparison.interval) if comparison else None,
        upper95_pp=finite(comparison.upper95) if comparison else None,
        lower95_pp=finite(comparison.lower95) if comparison else None,
        resolvable_pp=finite(comparison.resolution.margin_pp) if comparison else None,
        delta_bootstrap_pp=[comparison.bootstrap.low, comparison.bootstrap.high] if comparison else None,
        mapsswe=_matched_pairs(comparison),
        improvement_pct=comparison.improvement_pct if comparison else None,
        latency_p50_ms=score.latency_p50_ms if score else None,
        latency=_latency(verdict.latency),
        repeats=_repeats(verdict.repeats),
        early=_early(verdict),
        semantic=semantic_entry(verdict, with_utterances=with_utterances),
        intent=intent_entry(verdict, with_utterances=with_utterances),
        speakers=score.speakers_note if score else "",
        error_rows=len(_flagged(score, RowStatus.ERROR)),
        truncated=_flagged(score, RowStatus.TRUNCATED),
        repetition=_flagged(score, RowStatus.REPETITION),
        masked_first=[row.id for row in score.utterances if touches_value(row)] if score else [],
        checks=[_check(check) for check in verdict.checks],
        slices=[_slice(part) for part in verdict.slices],
        slices_left_out=verdict.slices_left_out,
        transcribed=made.transcribed if made else 0,
        reused=made.reused if made else 0,
        transcribed_now=transcribed_now,
        failed_now=failed_now,
        warnings=[*verdict.warnings, *notes],
        findings=list(made.findings) if made else [],
        not_controllable=list(made.not_controllable) if made else [],
        contract=dict(made.contract) if made else {},
        stamp=dict(made.provenance) if made else {},
        utterances=utterance_entries(verdict, gate_folder) if with_utterances else [],
    )
