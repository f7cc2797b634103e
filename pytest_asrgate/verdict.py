"""Score + thresholds → checks → one of ERROR, FAIL, INCONCLUSIVE, PASS; the first that applies."""

from collections.abc import Iterator, Mapping

from pytest_asrgate import checks
from pytest_asrgate.config import Pair, Thresholds
from pytest_asrgate.config.thresholds import LATENCY, NEEDS_BASELINE
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.records import Check, CheckStatus, Comparison, Latency, Outcome, Score, Verdict
from pytest_asrgate.scoring import compare, unknown_terms

__all__ = ["decide", "failed_to_run"]

_OUTCOMES = (
    (CheckStatus.ERROR, Outcome.ERROR),
    (CheckStatus.FAIL, Outcome.FAIL),
    (CheckStatus.INCONCLUSIVE, Outcome.INCONCLUSIVE),
)


def _unit(name: str) -> str:
    """The unit of a threshold that this version cannot measure, for the message."""
    if name in LATENCY:
        return "ratio"
    if name == "dropped_span":
        return "words"
    if name == "ci":
        return "rule"
    if name.endswith("non_inferiority"):
        return "pp"
    stem = name.removesuffix("_delta")
    if stem in {"wer", "semantic_wer", "intent", "entity"}:
        return "pp" if name.endswith("_delta") else "%"
    return "%" if name == "changed" else "utterances"


def _against_baseline(
    score: Score, baseline: Score, comparison: Comparison | None, thresholds: Thresholds
) -> Iterator[Check]:
    limits = thresholds.limits()
    if comparison is None:
        why = "there are no reference words in common with the baseline"
        for name, unit in (("wer_delta", "pp"), ("ci", "rule"), ("non_inferiority", "pp")):
            yield checks.unmeasurable(name, limits.get(name), unit, why)
    else:
        yield checks.rate_delta(score, baseline, comparison, limits.get("wer_delta"))
        yield checks.interval_rule(score, baseline, comparison, limits.get("ci"))
        yield checks.non_inferiority(score, baseline, comparison, limits.get("non_inferiority"))
    for name in checks.COUNTERS:
        yield checks.counted_delta(name, score, baseline, limits.get(f"{name}_delta"))


def _overall(found: list[Check]) -> Outcome:
    statuses = {check.status for check in found}
    return next((outcome for status, outcome in _OUTCOMES if status in statuses), Outcome.PASS)


def _reason(found: list[Check], outcome: Outcome) -> str:
    """The sentence of the first check that decided."""
    wanted = next((status for status, result in _OUTCOMES if result is outcome), None)
    for check in found:
        if check.status is wanted:
            return f"{check.name}: {check.detail}" if check.detail else check.name
    return ""


def _timed(latency: Latency, limits: Mapping[str, float | str], *, is_baseline: bool) -> Iterator[Check]:
    yield checks.real_time_factor(latency, limits.get("rtf"))
    if not is_baseline:
        yield checks.latency_ratio(latency, limits.get("latency_ratio"))


def _unmeasured(
    limits: Mapping[str, float | str], measured: set[str], reasons: Mapping[str, str], *, is_baseline: bool
) -> Iterator[Check]:
    """An ERROR for each limit that is set and was not measured; `reasons` says why, by name of the limit."""
    for name, limit in limits.items():
        if name not in measured and not (is_baseline and name in NEEDS_BASELINE):
            why = reasons.get(name) or "cannot be measured by this version"
            yield checks.unmeasurable(name, limit, _unit(name), why)


def _warnings(score: Score, baseline: Score | None, baseline_problem: str) -> Iterator[str]:
    """What does not change the verdict but a reader should know."""
    if baseline_problem:
        yield f"not compared: {baseline_problem}"
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
) -> Verdict:
    """Judge one scored pair against its thresholds.

    `baseline_problem` says why there is no usable baseline score; every limit that needs one is then an ERROR.
    The baseline itself faces the absolute limits only. `latency` is the probe's result where a limit asks for one,
    `latency_problem` says why there is none.
    """
    limits = pair.thresholds.limits()
    # First, since too many of them explain whatever else cannot be measured.
    found = [checks.counted("errors", score, limits.get("errors")), checks.rate(score, limits.get("wer"))]
    comparison = None
    if is_baseline:
        baseline, baseline_problem = None, ""
    if baseline is not None:
        try:
            comparison = compare(score, baseline)
            found += _against_baseline(score, baseline, comparison, pair.thresholds)
        except AsrGateError as error:
            baseline, baseline_problem = None, str(error)
    found += [checks.counted(name, score, limits.get(name)) for name in checks.COUNTERS if name != "errors"]
    if latency is not None:
        found += _timed(latency, limits, is_baseline=is_baseline)
    reasons = dict.fromkeys(NEEDS_BASELINE, baseline_problem) | dict.fromkeys(LATENCY, latency_problem)
    found += _unmeasured(limits, {check.name for check in found}, reasons, is_baseline=is_baseline)
    outcome = _overall(found)
    return Verdict(
        variant=pair.variant.name,
        dataset=pair.dataset.name,
        outcome=outcome,
        checks=tuple(found),
        reason=_reason(found, outcome),
        score=score,
        baseline_score=baseline,
        comparison=comparison,
        latency=latency,
        is_baseline=is_baseline,
        incomplete=bool(found[0].value) or bool(comparison and comparison.left_out),
        expected_to_fail=pair.expected_to_fail,
        warnings=tuple(_warnings(score, baseline, baseline_problem)),
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
