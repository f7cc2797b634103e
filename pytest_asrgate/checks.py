"""One function for each kind of check: a measured figure, its limit, and what the two say."""

from collections.abc import Callable, Sequence

from pytest_asrgate.metrics.masking import MASKED_FIRST
from pytest_asrgate.records import Check, CheckStatus, Comparison, Latency, RowStatus, Score, UtteranceScore
from pytest_asrgate.values import plural

__all__ = [
    "COUNTERS",
    "counted",
    "counted_delta",
    "interval_rule",
    "latency_ratio",
    "non_inferiority",
    "rate",
    "rate_delta",
    "real_time_factor",
    "touches_value",
    "unmeasurable",
]

Limit = float | str | None

COUNTERS: dict[str, Callable[[UtteranceScore], bool]] = {
    "errors": lambda row: row.status is RowStatus.ERROR,
    "truncated": lambda row: row.status is RowStatus.TRUNCATED,
    "empty": lambda row: row.empty,
    "hallucinations": lambda row: row.hallucination,
    "loops": lambda row: row.loop,
    "masked": lambda row: bool(row.masked),
}

# Floating point must not decide a figure that equals its limit: 20.000000000000004 is not above 20.
_EQUAL = 1e-9


def _above(value: float, limit: Limit) -> CheckStatus:
    if limit is None:
        return CheckStatus.REPORTED
    return CheckStatus.FAIL if value > float(limit) + _EQUAL else CheckStatus.PASS


def unmeasurable(name: str, limit: Limit, unit: str, why: str) -> Check:
    """A limit that is set but cannot be measured is an error; one that is not set is only reported."""
    status = CheckStatus.REPORTED if limit is None else CheckStatus.ERROR
    return Check(name, None, limit, unit, status, why)


def _costliest(score: Score, baseline: Score | None = None) -> tuple[str, ...]:
    """Ids by errors, or by errors added to the baseline's; ids that cost nothing are left out."""
    cost = {}
    for number, row in enumerate(score.utterances):
        if row.counts is None:
            continue
        before = baseline.utterances[number].counts if baseline else None
        if baseline and before is None:
            continue
        cost[row.id] = row.counts.errors - (before.errors if before else 0)
    return tuple(sorted((name for name in cost if cost[name] > 0), key=lambda name: -cost[name]))


def rate(score: Score, limit: Limit) -> Check:
    """The pooled rate, in percent, against an absolute limit."""
    value = score.counts.rate_pct
    if value is None:
        lost = sum(row.status is RowStatus.ERROR for row in score.utterances)
        why = f"there are no reference {score.token}s"
        if lost:
            why = (
                f"no utterance with reference {score.token}s has a score: "
                f"{lost} of {len(score.utterances)} are error rows"
            )
        return unmeasurable("wer", limit, "%", why)
    counts = score.counts
    kinds = (
        (counts.substitutions, "substitution"),
        (counts.deletions, "deletion"),
        (counts.insertions, "insertion"),
    )
    detail = ", ".join(plural(count, kind) for count, kind in kinds) + f" over {plural(counts.words, score.token)}"
    return Check("wer", value, limit, "%", _above(value, limit), detail, _costliest(score))


def rate_delta(score: Score, baseline: Score, comparison: Comparison, limit: Limit) -> Check:
    """The pooled rate minus the baseline's, in percentage points; a better rate never fails."""
    value = comparison.delta_pp
    interval = comparison.interval
    detail = f"two-sided 95% interval {interval.low:+.2f} to {interval.high:+.2f} pp"
    return Check("wer_delta", value, limit, "pp", _above(value, limit), detail, _costliest(score, baseline))


def interval_rule(score: Score, baseline: Score, comparison: Comparison, rule: Limit) -> Check:
    """The published rules about intervals of the two rates; weak, since they ignore that the sets are paired."""
    value, ours, theirs = comparison.rate_pct, comparison.rate_interval, comparison.baseline_interval
    if rule is None:
        return Check("ci", None, None, "rule", CheckStatus.REPORTED)
    worse = value > theirs.high if rule == "within-baseline" else ours.low > theirs.high
    detail = (
        f"weak rule {rule!r}: {value:.2f} % [{ours.low:.2f}, {ours.high:.2f}] against the baseline's "
        f"[{theirs.low:.2f}, {theirs.high:.2f}]"
    )
    status = CheckStatus.FAIL if worse else CheckStatus.PASS
    return Check("ci", value, rule, "rule", status, detail, _costliest(score, baseline))


def non_inferiority(score: Score, baseline: Score, comparison: Comparison, margin: Limit) -> Check:
    """Three-way: FAIL when the loss is surely above the margin, PASS when it surely is not, else undecided."""
    lower, upper = comparison.lower95, comparison.upper95
    resolves = f"this set resolves {comparison.resolvable_pp:.2f} pp ({score.speakers_note})"
    worst = _costliest(score, baseline)
    if margin is None:
        return Check(
            "non_inferiority", upper, None, "pp", CheckStatus.REPORTED, f"upper 95% bound; {resolves}", worst
        )
    limit = float(margin)
    if lower > limit + _EQUAL:
        detail = f"lower one-sided 95% bound {lower:+.2f} pp is above the margin"
        return Check("non_inferiority", lower, limit, "pp", CheckStatus.FAIL, detail, worst)
    if upper > limit + _EQUAL:
        detail = (
            f"undecided: one-sided 95% bounds {lower:+.2f} and {upper:+.2f} pp lie on both sides of the margin; "
            f"{resolves}; use more utterances or a wider margin"
        )
        return Check("non_inferiority", upper, limit, "pp", CheckStatus.INCONCLUSIVE, detail, worst)
    detail = f"upper one-sided 95% bound {upper:+.2f} pp is within the margin; {resolves}"
    return Check("non_inferiority", upper, limit, "pp", CheckStatus.PASS, detail, worst)


def latency_ratio(latency: Latency, limit: Limit) -> Check:
    """The variant's median decoding time over the baseline's, from one probe on one host."""
    if latency.ratio is None:
        return unmeasurable("latency_ratio", limit, "ratio", "there is no baseline to compare with")
    detail = (
        f"p50 {latency.p50_ms:.0f} ms against {latency.baseline_p50_ms:.0f} ms, "
        f"p99 {latency.p99_ms:.0f} ms against {latency.baseline_p99_ms:.0f} ms; {_circumstances(latency)}"
    )
    return Check("latency_ratio", latency.ratio, limit, "ratio", _above(latency.ratio, limit), detail)


def real_time_factor(latency: Latency, limit: Limit) -> Check:
    """Decoding time over the length of the audio, from the same probe."""
    return Check("rtf", latency.rtf, limit, "ratio", _above(latency.rtf, limit), _circumstances(latency))


def _circumstances(latency: Latency) -> str:
    return (
        f"{latency.clips} clips in {latency.rounds} rounds, {latency.threads} thread(s), on {latency.host} at load "
        f"{latency.load_average:.1f}, {latency.measured}"
    )


def _matching(name: str, rows: Sequence[UtteranceScore]) -> tuple[str, ...]:
    found = [row for row in rows if COUNTERS[name](row)]
    if name == "masked":
        found.sort(key=lambda row: not touches_value(row))
    return tuple(row.id for row in found)


def touches_value(row: UtteranceScore) -> bool:
    """Whether what the normaliser hid in a row touches digits, signs, currency, units or negation."""
    return not set(MASKED_FIRST).isdisjoint(row.masked or ())


_NORMALISED_BEFORE = "only normalised texts were stored, so what the normaliser hid cannot be known"


def _hidden(rows: Sequence[UtteranceScore]) -> bool:
    return any(row.masked is None for row in rows)


def counted(name: str, score: Score, limit: Limit) -> Check:
    """A number of utterances against an absolute limit; too many error rows are an error, not a failure."""
    if name == "masked" and _hidden(score.utterances):
        return unmeasurable(name, limit, "utterances", _NORMALISED_BEFORE)
    found = _matching(name, score.utterances)
    effective = 0 if name == "errors" and limit is None else limit
    status = _above(len(found), effective)
    detail = ""
    if name == "errors" and found:
        first = next(row for row in score.utterances if row.id == found[0])
        detail = f"{first.id}: {first.detail}"
        status = CheckStatus.ERROR if status is CheckStatus.FAIL else status
    if name == "masked" and found:
        touching = sum(touches_value(row) for row in score.utterances)
        detail = f"hidden by the normaliser; {touching} of them touch digits, signs, currency, units or negation"
    return Check(name, len(found), effective, "utterances", status, detail, found)


def counted_delta(name: str, score: Score, baseline: Score, limit: Limit) -> Check:
    """A number of utterances beyond the baseline's number; error rows of either side count for neither."""
    if name == "masked" and _hidden([*score.utterances, *baseline.utterances]):
        return unmeasurable(f"{name}_delta", limit, "utterances", _NORMALISED_BEFORE)
    pairs = list(zip(score.utterances, baseline.utterances, strict=True))
    if name != "errors":
        pairs = [pair for pair in pairs if all(row.counts is not None for row in pair)]
    ours = _matching(name, [after for after, _ in pairs])
    theirs = _matching(name, [before for _, before in pairs])
    value = len(ours) - len(theirs)
    new = tuple(identity for identity in ours if identity not in set(theirs))
    detail = f"{len(ours)} against the baseline's {len(theirs)}"
    return Check(f"{name}_delta", value, limit, "utterances", _above(value, limit), detail, new)
