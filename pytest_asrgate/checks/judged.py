"""Checks on judged scores: the semantic error rate, its difference from the baseline's, and a judge's failures."""

from collections.abc import Sequence

from pytest_asrgate.checks.counts import share_detail
from pytest_asrgate.checks.limits import Limit, above, unmeasurable
from pytest_asrgate.checks.rates import counts_detail, margin_check
from pytest_asrgate.records import (
    Check,
    CheckStatus,
    Comparison,
    IntentScore,
    SemanticScore,
    SemanticUtterance,
)
from pytest_asrgate.values import named

__all__ = ["judge_errors", "judge_errors_delta", "semantic_delta", "semantic_margin", "semantic_rate"]

_BOUND = "an upper bound: by rules alone, open differences count as errors"
_HEURISTIC = "a heuristic: the difference of two upper bounds, by rules alone"


def _costliest(score: SemanticScore, baseline: SemanticScore | None = None) -> tuple[str, ...]:
    """Ids by errors, or by errors added to the baseline's; ids that cost nothing are left out."""
    cost = {}
    for place, row in enumerate(score.utterances):
        before = baseline.utterances[place].counts if baseline else None
        if row.counts is None or (baseline and before is None):
            continue
        cost[row.id] = row.counts.errors - (before.errors if before else 0)
    return tuple(sorted((name for name in cost if cost[name] > 0), key=lambda name: -cost[name]))


# A judged score of any kind, of which an utterance may have none since the judge failed on it.
_Score = SemanticScore | IntentScore


def _asked(score: SemanticScore) -> tuple[int, int]:
    """How many utterances have no ruling, and how many were to be judged: those that the engine did not lose."""
    failed = len(score.judge_errors)
    return failed, failed + sum(row.counts is not None for row in score.utterances)


def _failures(scores: Sequence[_Score]) -> tuple[dict[str, str], int]:
    """Why the judge has no ruling on an utterance, by its id, and how many utterances were to be judged.

    Of several scores an utterance counts once, in the order of the first.
    """
    found: dict[str, str] = {}
    judged: set[str] = set()
    for score in scores:
        for row in score.utterances:
            if row.judge_error:
                found.setdefault(row.id, row.judge_error)
            elif isinstance(row, SemanticUtterance):
                judged |= {row.id} if row.counts is not None else set()
            elif row.kept is not None:
                judged.add(row.id)
    return found, len(judged | found.keys())


def semantic_rate(score: SemanticScore, limit: Limit) -> Check:
    """The pooled semantic error rate, in percent, against an absolute limit."""
    value = score.counts.rate_pct
    if value is None:
        failed, total = _asked(score)
        why = f"the judge failed on {failed} of {total} utterances" if failed else "there are no reference words"
        return unmeasurable("semantic_wer", limit, "%", why)
    detail = counts_detail(score.counts, "word")
    if score.upper_bound:
        detail += f"; {_BOUND}"
    return Check("semantic_wer", value, limit, "%", above(value, limit), detail, _costliest(score))


def semantic_delta(score: SemanticScore, baseline: SemanticScore, comparison: Comparison, limit: Limit) -> Check:
    """The semantic rate minus the baseline's, in percentage points; a better rate never fails."""
    value, interval = comparison.delta_pp, comparison.interval
    detail = f"two-sided 95% interval {interval.low:+.2f} to {interval.high:+.2f} pp"
    if score.upper_bound:
        detail += f"; {_HEURISTIC}"
    return Check("semantic_wer_delta", value, limit, "pp", above(value, limit), detail, _costliest(score, baseline))


def semantic_margin(score: SemanticScore, baseline: SemanticScore, comparison: Comparison, margin: Limit) -> Check:
    """The three-way check of the semantic rate's paired difference."""
    note = score.speakers_note + (f"; {_HEURISTIC}" if score.upper_bound else "")
    return margin_check("semantic_non_inferiority", comparison, margin, note, _costliest(score, baseline))


def judge_errors(scores: Sequence[_Score], limit: Limit) -> Check:
    """How many utterances the judge gave no valid answer for; more than the limit, or than none, is an error.

    Of several `scores` of a pair an utterance counts once.
    """
    failures, total = _failures(scores)
    failed, ids = len(failures), tuple(failures)
    share, bound = share_detail(failed, total)
    effective = 0 if limit is None else limit
    status = CheckStatus.ERROR if failed > float(effective) else CheckStatus.PASS
    if status is CheckStatus.PASS and limit is None:
        status = CheckStatus.REPORTED
    detail = f"{ids[0]}: {failures[ids[0]]}; {share}" if ids else share
    return Check("judge_errors", failed, effective, "utterances", status, detail, ids, bound)


def judge_errors_delta(scores: Sequence[_Score], baselines: Sequence[_Score], limit: Limit) -> Check:
    """How many utterances more than the baseline's the judge gave no valid answer for."""
    ours, theirs = (list(_failures(side)[0]) for side in (scores, baselines))
    value = len(ours) - len(theirs)
    new = tuple(name for name in ours if name not in set(theirs))
    detail = f"{len(ours)} against the baseline's {len(theirs)}"
    status = above(value, limit)
    if status is CheckStatus.FAIL:
        detail += f"; new: {named(new)}"
    return Check("judge_errors_delta", value, limit, "utterances", status, detail, new)
