"""Score + thresholds → checks → one of ERROR, FAIL, INCONCLUSIVE, PASS; the first that applies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_asrgate import checks
from pytest_asrgate.config import Pair
from pytest_asrgate.config.thresholds import LATENCY, NEEDS_BASELINE
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.meaning import judged_reasons, meaning_checks, meaning_of, meaning_warnings
from pytest_asrgate.records import (
    Check,
    CheckStatus,
    Comparison,
    Interval,
    Judgement,
    Latency,
    Look,
    Outcome,
    Repeats,
    Score,
    SliceResult,
    Verdict,
)
from pytest_asrgate.scoring import compare, unknown_terms
from pytest_asrgate.slices import Slice, slices
from pytest_asrgate.statistics import pooled_interval

__all__ = ["decide", "failed_to_run"]

Limits = Mapping[str, float | str]

_NOT_JUDGED = Judgement()

_OUTCOMES = (
    (CheckStatus.ERROR, Outcome.ERROR),
    (CheckStatus.FAIL, Outcome.FAIL),
    (CheckStatus.INCONCLUSIVE, Outcome.INCONCLUSIVE),
)


def _unit(name: str) -> str:
    """The unit of a threshold that this version cannot measure, for the message."""
    if name in LATENCY:
        return "ratio"
    if name == "ci":
        return "rule"
    if name.endswith("non_inferiority"):
        return "pp"
    stem = name.removesuffix("_delta")
    if stem in {"wer", "semantic_wer", "intent", "entity"}:
        return "pp" if name.endswith("_delta") else "%"
    return "%" if name == "changed" else "utterances"


def _against_baseline(
    score: Score, baseline: Score, comparison: Comparison | None, limits: Limits
) -> Iterator[Check]:
    if comparison is None:
        why = "there are no reference words in common with the baseline"
        for name, unit in (("wer_delta", "pp"), ("ci", "rule"), ("non_inferiority", "pp")):
            yield checks.unmeasurable(name, limits.get(name), unit, why)
    else:
        yield checks.rate_delta(score, baseline, comparison, limits.get("wer_delta"))
        yield checks.interval_rule(score, baseline, comparison, limits.get("ci"))
        yield checks.non_inferiority(score, baseline, comparison, limits.get("non_inferiority"))
    made = checks.changes(score, baseline)
    yield checks.leverage(made)
    yield checks.changed(made, limits.get("changed"))
    for name in checks.COUNTERS:
        yield checks.counted_delta(name, score, baseline, limits.get(f"{name}_delta"))


def _figures(
    score: Score, baseline: Score | None, comparison: Comparison | None, limits: Limits
) -> Iterator[Check]:
    """Every check on what was recognised, be it in a whole set or in a slice."""
    # First, since too many of them explain whatever else cannot be measured.
    yield checks.counted("errors", score, limits.get("errors"))
    yield checks.rate(score, limits.get("wer"))
    if baseline is not None:
        yield from _against_baseline(score, baseline, comparison, limits)
    for name in checks.COUNTERS:
        if name != "errors":
            yield checks.counted(name, score, limits.get(name))
    yield checks.dropped_span(score, baseline, limits.get("dropped_span"))


def _overall(found: Sequence[Check]) -> Outcome:
    statuses = {check.status for check in found}
    return next((outcome for status, outcome in _OUTCOMES if status in statuses), Outcome.PASS)


def _reason(found: Sequence[Check], parts: Sequence[SliceResult], outcome: Outcome) -> str:
    """The sentence of the first check that decided."""
    wanted = next((status for status, result in _OUTCOMES if result is outcome), None)
    placed = [("", check) for check in found]
    placed += [(f"slice {part.name}: ", check) for part in parts for check in part.checks]
    for place, check in placed:
        if check.status is wanted:
            return place + (f"{check.name}: {check.detail}" if check.detail else check.name)
    return ""


def _timed(latency: Latency, limits: Limits, *, is_baseline: bool) -> Iterator[Check]:
    yield checks.real_time_factor(latency, limits.get("rtf"))
    if not is_baseline:
        yield checks.latency_ratio(latency, limits.get("latency_ratio"))


def _unmeasured(
    limits: Limits, measured: set[str], reasons: Mapping[str, str], *, is_baseline: bool
) -> Iterator[Check]:
    """An ERROR for each limit that is set and was not measured; `reasons` says why, by name of the limit."""
    for name, limit in limits.items():
        if name not in measured and not (is_baseline and name in NEEDS_BASELINE):
            why = reasons.get(name) or "cannot be measured by this version"
            yield checks.unmeasurable(name, limit, _unit(name), why)


def _of_slice(part: Slice, limits: Limits, reasons: Mapping[str, str], *, is_baseline: bool) -> Iterator[Check]:
    """The checks that a slice has a limit for."""
    made = _figures(part.score, part.baseline, part.comparison, limits) if limits else ()
    found = [check for check in made if check.name in limits]
    yield from found
    yield from _unmeasured(limits, {check.name for check in found}, reasons, is_baseline=is_baseline)


def _too_early(check: Check, part: Slice) -> Check:
    """The check as it stands before the whole set is decoded: what cannot be measured yet is not known yet."""
    if part.score.utterances and not (check.status is CheckStatus.ERROR and check.value is None):
        return check
    why = check.detail if part.score.utterances else "no utterance of this slice is decoded"
    return replace(check, value=None, status=CheckStatus.INCONCLUSIVE, detail=f"not yet known: {why}")


def _rate_interval(part: Slice) -> Interval | None:
    """The interval of a slice's rate; a comparison over the same utterances has drawn it already."""
    made = part.comparison
    return made.rate_interval if made and not made.left_out else pooled_interval(part.score.utterances)


def _slices(
    pair: Pair, score: Score, baseline: Score | None, why: str, look: Look | None, *, is_baseline: bool
) -> tuple[tuple[SliceResult, ...], int]:
    """What the tags' groups show, judged where they have limits, and how many tags were left out.

    `why` says why there is no baseline where a limit needs one.
    """
    wanted = {tag: thresholds.limits() for tag, thresholds in pair.dataset.slices.items()}
    parts, left_out = slices(score, baseline, wanted, look)
    reasons = dict.fromkeys(NEEDS_BASELINE, why)
    found = []
    for part in parts:
        judged = tuple(_of_slice(part, wanted.get(part.name, {}), reasons, is_baseline=is_baseline))
        if look and look.utterances < look.total and not why:
            judged = tuple(_too_early(check, part) for check in judged)
        result = SliceResult(
            name=part.name,
            utterances=len(part.score.utterances),
            counts=part.score.counts,
            interval=_rate_interval(part),
            comparison=part.comparison,
            speakers_note=part.score.speakers_note,
            checks=judged,
        )
        found.append(result)
    return tuple(found), left_out


def _warnings(
    score: Score, baseline: Score | None, baseline_problem: str, repeats_problem: str, judgement: Judgement
) -> Iterator[str]:
    """What does not change the verdict but a reader should know."""
    if baseline_problem:
        yield f"not compared: {baseline_problem}"
    if repeats_problem:
        yield f"not decoded again: {repeats_problem}"
    yield from meaning_warnings(judgement)
    compared = [score, baseline] if baseline is not None else []
    unknown = list(dict.fromkeys(name for side in compared for name in unknown_terms(side.hypotheses.contract)))
    if unknown:
        yield f"stored hypotheses do not name their {', '.join(unknown)}: assumed equal to the baseline's"
    findings = score.hypotheses.findings
    if findings:
        more = f" (and {len(findings) - 1} more, in the JSON report)" if len(findings) > 1 else ""
        yield f"the engine printed: {findings[0]}{more}"


def decide(
    pair: Pair,
    score: Score,
    baseline: Score | None,
    baseline_problem: str = "",
    *,
    is_baseline: bool = False,
    latency: Latency | None = None,
    latency_problem: str = "",
    repeats: Repeats | None = None,
    repeats_problem: str = "",
    judgement: Judgement = _NOT_JUDGED,
    look: Look | None = None,
) -> Verdict:
    """Judge one scored pair against its thresholds.

    `baseline_problem` says why there is no usable baseline score; every limit that needs one is then an ERROR.
    The baseline itself faces the absolute limits only. `latency` is the probe's result where a limit asks for one,
    `latency_problem` says why there is none; so do `repeats` and `repeats_problem` where the transcriber asks for
    repeats. `judgement` holds the judged scores of both sides. `look` is set where an early run asks with what it
    has decoded so far.
    """
    limits = pair.thresholds.limits()
    comparison = None
    if is_baseline:
        baseline, baseline_problem = None, ""
    if baseline is not None:
        try:
            comparison = compare(score, baseline, look)
        except AsrGateError as error:
            baseline, baseline_problem = None, str(error)
    found = list(_figures(score, baseline, comparison, limits))
    if latency is not None:
        found += _timed(latency, limits, is_baseline=is_baseline)
    engine = pair.variant.transcriber
    if engine.repeat > 1:
        found.append(checks.flips(repeats, repeats_problem, declared=engine.deterministic))
    meaning = meaning_of(judgement, baseline.hypotheses.variant if baseline else None, look)
    semantic, intent = meaning.judgement.semantic, meaning.judgement.intent
    found += meaning_checks(pair, meaning, limits)
    reasons = dict.fromkeys(NEEDS_BASELINE, baseline_problem) | dict.fromkeys(LATENCY, latency_problem)
    reasons |= judged_reasons(pair, meaning.judgement, baseline_problem)
    found += _unmeasured(limits, {check.name for check in found}, reasons, is_baseline=is_baseline)
    parts, left_out = _slices(pair, score, baseline, baseline_problem, look, is_baseline=is_baseline)
    outcome = _overall([*found, *(check for part in parts for check in part.checks)])
    return Verdict(
        variant=pair.variant.name,
        dataset=pair.dataset.name,
        outcome=outcome,
        checks=tuple(found),
        reason=_reason(found, parts, outcome),
        score=score,
        baseline_score=baseline,
        comparison=comparison,
        latency=latency,
        repeats=repeats,
        semantic=semantic.score,
        semantic_baseline=semantic.baseline,
        semantic_comparison=meaning.semantic,
        intent=intent.score,
        intent_baseline=intent.baseline,
        intent_comparisons=meaning.intent,
        early=look,
        slices=parts,
        slices_left_out=left_out,
        is_baseline=is_baseline,
        incomplete=bool(found[0].value) or bool(comparison and comparison.left_out) or meaning.incomplete,
        expected_to_fail=pair.expected_to_fail,
        warnings=tuple(_warnings(score, baseline, baseline_problem, repeats_problem, meaning.judgement)),
    )


def failed_to_run(pair: Pair, error: AsrGateError, *, is_baseline: bool = False) -> Verdict:
    """The ERROR verdict of a pair that could not be transcribed or scored at all."""
    return Verdict(
        variant=pair.variant.name,
        dataset=pair.dataset.name,
        outcome=Outcome.ERROR,
        reason=str(error),
        is_baseline=is_baseline,
        expected_to_fail=pair.expected_to_fail,
    )
