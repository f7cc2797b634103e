"""The rules that error_rates.py holds against the truth: each judges one drawn test set by a margin."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache

import numpy as np
from error_worlds import Counts, Run
from numpy.typing import NDArray
from scipy.special import stdtrit

from pytest_asrgate.statistics import look_levels, paired_bounds

__all__ = ["BOOTSTRAPPED", "OURS", "RULES", "Outcome", "early", "ours", "verdicts"]

OURS = "asrgate"
# Rules that draw resamples: slow, so they see the first runs only.
BOOTSTRAPPED = ("within-baseline", "CIs overlap", "bootstrap")
RULES = (*BOOTSTRAPPED, "sandwich", OURS)
_RESAMPLES = 500


class Outcome(IntEnum):
    """What a rule says of a set."""

    UNDECIDED = 0
    PASS = 1
    FAIL = 2


def _decide(lower: float, upper: float, margin: float) -> Outcome:
    if upper <= margin:
        return Outcome.PASS
    return Outcome.FAIL if lower > margin else Outcome.UNDECIDED


def ours(run: Run, margin: float, alpha: float = 0.05) -> Outcome:
    """The verdict that ships."""
    bounds = paired_bounds(run.before, run.after, run.words, run.speakers, alpha=alpha)
    assert bounds is not None
    return _decide(*bounds, margin)


def sandwich(run: Run, margin: float) -> Outcome:
    """The interval of STATISTICS.md for fixed sets: the larger of two variances, Student's t."""
    changes, total = run.after - run.before, float(run.words.sum())
    delta = float(changes.sum()) / total
    residuals = changes - delta * run.words
    groups = len(residuals)
    variance = groups / (groups - 1) * float(residuals @ residuals)
    if run.speakers is not None:
        sums = np.bincount(run.speakers, weights=residuals)
        groups = len(sums)
        variance = max(variance, groups / (groups - 1) * float(sums @ sums))
    half = -float(stdtrit(groups - 1, 0.05)) * np.sqrt(max(variance, 1.0)) / total
    return _decide(100 * (delta - half), 100 * (delta + half), margin)


def bootstrapped(run: Run, margin: float, random: np.random.Generator) -> dict[str, Outcome]:
    """The two published rules and the plain paired bootstrap, from the same resamples of utterances."""
    rows, times = np.unique(np.stack([run.before, run.after, run.words]), axis=1, return_counts=True)
    drawn = random.multinomial(times.sum(), times / times.sum(), _RESAMPLES) @ rows.T
    before, after = 100 * drawn[:, 0] / drawn[:, 2], 100 * drawn[:, 1] / drawn[:, 2]
    top = float(np.percentile(before, 97.5))
    bottom = float(np.percentile(after, 2.5))
    rate = 100 * float(run.after.sum()) / float(run.words.sum())
    lower, upper = np.percentile(after - before, [5, 95])
    return {
        "within-baseline": Outcome.PASS if rate <= top else Outcome.FAIL,
        "CIs overlap": Outcome.PASS if bottom <= top else Outcome.FAIL,
        "bootstrap": _decide(float(lower), float(upper), margin),
    }


def verdicts(run: Run, margin: float, random: np.random.Generator | None) -> Mapping[str, Outcome]:
    """What every rule says; without a random source only those that draw nothing."""
    found = bootstrapped(run, margin, random) if random else {}
    return {**found, "sandwich": sandwich(run, margin), OURS: ours(run, margin)}


@cache
def _looks(total: int) -> tuple[tuple[int, float], ...]:
    return tuple((size, alpha) for size, _, alpha in look_levels(total))


def early(
    run: Run, order: NDArray[np.int64] | Sequence[int], margins: Sequence[float]
) -> list[tuple[Outcome, float]]:
    """For each margin what an early run says that decodes in this order, and the share that it decoded."""
    found: list[tuple[Outcome, float]] = []
    places = np.asarray(order)
    looks = _looks(len(places))
    taken: dict[int, tuple[float, float]] = {}
    for margin in margins:
        outcome, share = Outcome.UNDECIDED, 1.0
        for number, (size, alpha) in enumerate(looks):
            if number not in taken:
                taken[number] = _bounds(run, places[:size], alpha)
            outcome = _decide(*taken[number], margin)
            if outcome is not Outcome.UNDECIDED:
                share = size / len(places)
                break
        found.append((outcome, share))
    return found


def _bounds(run: Run, seen: Counts, alpha: float) -> tuple[float, float]:
    speakers = None if run.speakers is None else run.speakers[seen]
    partial = len(seen) < len(run.words)
    bounds = paired_bounds(
        run.before[seen], run.after[seen], run.words[seen], speakers, alpha=alpha, partial=partial
    )
    assert bounds is not None
    return bounds
