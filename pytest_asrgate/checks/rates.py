"""Checks on the pooled rate, and on its paired difference from the baseline's."""

import math

from pytest_asrgate.checks.advice import advice
from pytest_asrgate.checks.limits import EQUAL, Limit, above, costliest, unmeasurable
from pytest_asrgate.records import Check, CheckStatus, Comparison, Counts, RowStatus, Score
from pytest_asrgate.values import plural

__all__ = ["counts_detail", "interval_rule", "margin_check", "non_inferiority", "rate", "rate_delta"]


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
    detail = counts_detail(score.counts, score.token)
    return Check("wer", value, limit, "%", above(value, limit), detail, costliest(score))


def counts_detail(counts: Counts, token: str) -> str:
    """Counts in words; `token` is what they count."""
    kinds = (
        (counts.substitutions, "substitution"),
        (counts.deletions, "deletion"),
        (counts.insertions, "insertion"),
    )
    return ", ".join(plural(count, kind) for count, kind in kinds) + f" over {plural(counts.words, token)}"


def rate_delta(score: Score, baseline: Score, comparison: Comparison, limit: Limit) -> Check:
    """The pooled rate minus the baseline's, in percentage points; a better rate never fails."""
    value = comparison.delta_pp
    interval = comparison.interval
    detail = f"two-sided 95% interval {interval.low:+.2f} to {interval.high:+.2f} pp"
    return Check("wer_delta", value, limit, "pp", above(value, limit), detail, costliest(score, baseline))


def interval_rule(score: Score, baseline: Score, comparison: Comparison, rule: Limit) -> Check:
    """The published rules about intervals of the two rates; weak, since they ignore that the sets are paired.

    Where none is set, what both would say is reported.
    """
    value, ours, theirs = comparison.rate_pct, comparison.rate_interval, comparison.baseline_interval
    worse = {"within-baseline": value > theirs.high, "overlap": ours.low > theirs.high}
    bounds = f"[{ours.low:.2f}, {ours.high:.2f}] against the baseline's [{theirs.low:.2f}, {theirs.high:.2f}]"
    figures = f"{value:.2f} % {bounds}"
    if rule is None:
        words = ", ".join(f"{name!r} would {'fail' if fails else 'pass'}" for name, fails in worse.items())
        return Check("ci", value, None, "rule", CheckStatus.REPORTED, f"weak rules: {words}; {figures}")
    status = CheckStatus.FAIL if worse[str(rule)] else CheckStatus.PASS
    return Check("ci", value, rule, "rule", status, f"weak rule {rule!r}: {figures}", costliest(score, baseline))


def _level(comparison: Comparison) -> tuple[str, str]:
    """What stands before a sentence on the deciding bounds, and what kind they are."""
    look = comparison.look
    if look is None:
        return "", "one-sided 95% bound"
    return f"at look {look.number} of {len(look.sizes)} (boundary {look.boundary:.2f}): ", "bound"


def non_inferiority(score: Score, baseline: Score, comparison: Comparison, margin: Limit) -> Check:
    """Three-way: FAIL when the loss is surely above the margin, PASS when it surely is not, else undecided."""
    return margin_check("non_inferiority", comparison, margin, score.speakers_note, costliest(score, baseline))


def margin_check(
    name: str, comparison: Comparison, margin: Limit, speakers_note: str, utterances: tuple[str, ...]
) -> Check:
    """The three-way check of any paired difference; `utterances` are the ids that cost most."""
    lower, upper = comparison.lower, comparison.upper
    where, bound = _level(comparison)
    margin_pp = comparison.resolution.margin_pp
    shown = f"{margin_pp:.2f} pp" if math.isfinite(margin_pp) else "no margin"
    resolves = f"this set resolves {shown} ({speakers_note})"
    limit = None if margin is None else float(margin)

    def check(value: float, status: CheckStatus, detail: str) -> Check:
        return Check(name, value, limit, "pp", status, where + detail, utterances)

    if limit is None:
        return check(upper, CheckStatus.REPORTED, f"upper {bound}; {resolves}")
    if lower > limit + EQUAL:
        return check(lower, CheckStatus.FAIL, f"lower {bound} {lower:+.2f} pp is above the margin")
    if upper > limit + EQUAL:
        sides = f"undecided: {bound}s {lower:+.2f} and {upper:+.2f} pp lie on both sides of the margin"
        if not math.isfinite(upper):
            sides = "undecided: there is no bound"
        look = comparison.look
        if look and look.utterances < look.total:
            return check(upper, CheckStatus.INCONCLUSIVE, f"{sides}, and more was left to decode")
        return check(upper, CheckStatus.INCONCLUSIVE, f"{sides}; {resolves}; {advice(comparison, limit)}")
    equal = "no utterance's errors differ; " if comparison.resolution.spread_pp == 0 else ""
    return check(upper, CheckStatus.PASS, f"{equal}upper {bound} {upper:+.2f} pp is within the margin; {resolves}")
