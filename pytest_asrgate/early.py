"""Early verdicts: decode in a fixed order, look up to ten times, stop once all is decided (STATISTICS.md).

The order is fixed by a seed before anything is decoded. What was not decoded was not seen, so an early verdict
never makes a preset shippable.
"""

import math
from collections.abc import Iterator

from pytest_asrgate.config import Pair
from pytest_asrgate.config.thresholds import INTENT, JUDGE_ERRORS, LATENCY, SEMANTIC
from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.records import Check, CheckStatus, Comparison, Look, Outcome, Score, Verdict
from pytest_asrgate.statistics import (
    binomial_upper,
    counted_columns,
    look_levels,
    look_sizes,
    paired_bounds,
    stratified_order,
)

__all__ = ["decided", "decoding_order", "looks", "may_end_early"]

_MARGIN = "non_inferiority"


def may_end_early(pair: Pair) -> bool:
    """Whether the pair or one of its slices has a paired bound to decide; without one nothing can stop early.

    Nor may a pair whose meaning is judged: its limits hold for the whole set, and part of a set would be paid for
    again and again.
    """
    if pair.dataset.judged and (SEMANTIC | INTENT | JUDGE_ERRORS) & pair.thresholds.limits().keys():
        return False
    levels = (pair.thresholds, *pair.dataset.slices.values())
    return any(name.endswith(_MARGIN) for level in levels for name in level.limits())


def decoding_order(data: LoadedDataset, seed: int) -> tuple[int, ...]:
    """The places of the data set's utterances in the order that an early run decodes them in."""
    return stratified_order([utterance.id for utterance in data.utterances], data.speakers, seed)


def looks(total: int, seed: int) -> Iterator[Look]:
    """The looks at a set of `total` utterances, each with the boundary that its bounds are taken at."""
    sizes = look_sizes(total)
    for number, (_, boundary, alpha) in enumerate(look_levels(total), start=1):
        yield Look(number, sizes, total, boundary, alpha, seed)


def decided(verdict: Verdict) -> bool:
    """Whether an early run may end with this verdict on what it has decoded so far.

    It may where a margin is surely exceeded, where more bad outputs were counted than are allowed in the whole set,
    and where every margin and every other limit is surely kept. Anything else may still change with the utterances
    that follow.
    """
    margins = [check for check in verdict.every_check if _is_margin(check) and check.limit is not None]
    if any(check.status is CheckStatus.FAIL for check in margins):
        return True
    if any(_only_grows(check) and _over(check.status) for check in verdict.every_check):
        return True
    return verdict.outcome is Outcome.PASS and _all_kept(verdict)


def _is_margin(check: Check) -> bool:
    return check.name.endswith(_MARGIN)


def _only_grows(check: Check) -> bool:
    """Whether a figure is a count of utterances, which no further utterance can lower."""
    return check.unit == "utterances" and not check.name.endswith("_delta")


def _over(status: CheckStatus) -> bool:
    return status in {CheckStatus.FAIL, CheckStatus.ERROR}


def _all_kept(verdict: Verdict) -> bool:
    look = verdict.early
    if look is None or look.utterances == look.total:
        return True
    whole = all(_kept(check, look, verdict.comparison, verdict.score) for check in verdict.checks)
    # A slice's own rate has no bound here, so it is known at the end only.
    return whole and all(_kept(check, look, part.comparison) for part in verdict.slices for check in part.checks)


def _kept(check: Check, look: Look, comparison: Comparison | None, score: Score | None = None) -> bool:
    """Whether a limit that is kept so far may be taken as kept in the whole set.

    Looking ten times at a figure and stopping when it happens to be low would pass what a full run fails. So rates
    and differences are held to their bounds at the level of the look, and numbers of utterances to their share of
    the limit; the interval rules have no bound and wait for the end.
    """
    limit = check.limit
    if limit is None or check.name in LATENCY or _is_margin(check):
        return True
    if check.name == "wer_delta":
        return comparison is not None and comparison.upper <= float(limit)
    if check.name == "wer":
        return score is not None and _rate_bound(score, look) <= float(limit)
    if check.name == "changed":
        total = comparison.utterances if comparison else 0
        bound = binomial_upper(len(check.utterances), total, alpha=look.alpha)
        return bound is not None and bound <= float(limit)
    if check.unit == "utterances":
        return isinstance(check.value, int | float) and check.value <= float(limit) * look.utterances / look.total
    return check.name == "dropped_span"


def _rate_bound(score: Score, look: Look) -> float:
    """The upper bound, in percent, of the rate at the look's level: its distance from a system without errors."""
    errors, words, speakers = counted_columns(score.utterances, score.speakers)
    bounds = paired_bounds([0] * len(errors), errors, words, speakers, alpha=look.alpha, partial=True)
    return bounds[1] if bounds else math.inf
