"""Claims about intervals and bounds, against the formulas of STATISTICS.md written out a second time here."""

import math
import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pytest_asrgate.records import Interval
from pytest_asrgate.statistics import (
    PairedDifference,
    boundaries,
    look_sizes,
    paired_bounds,
    paired_difference,
    rate_interval,
)

# Rows of (errors of the baseline, errors of the variant, words, speaker); at least one row has words.
ROWS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 20), st.sampled_from("abcde")),
    min_size=2,
    max_size=30,
).filter(lambda rows: any(words for _, _, words, _ in rows))


def _compare(rows: Sequence[tuple[int, int, int, str]], *, blocks: bool = True) -> PairedDifference:
    before, after, words, speakers = zip(*rows, strict=True)
    found = paired_difference(before, after, words, speakers if blocks else None)
    assert found is not None
    return found


def _figures(found: PairedDifference) -> list[float]:
    return [
        found.delta_pp,
        found.lower95,
        found.upper95,
        found.interval.low,
        found.interval.high,
        found.resolution.margin_pp,
    ]


def _written_out(
    before: Sequence[int], after: Sequence[int], words: Sequence[int], speakers: Sequence[str] | None
) -> list[float]:
    """The same figures straight from STATISTICS.md and from the docstring of paired.py, with numpy and scipy."""
    ea, eb, w = (np.asarray(values, dtype=float) for values in (before, after, words))
    n, total = len(w), w.sum()
    delta = 100 * (eb - ea).sum() / total
    e = (eb - ea) - delta / 100 * w
    vu = 1e4 * n / (n - 1) * (e**2).sum() / total**2
    vb, groups, third = vu, float(n), 0.0
    if speakers is not None and len(set(speakers)) > 1:
        names = np.asarray(speakers)
        sums = np.array([e[names == name].sum() for name in set(speakers)])
        sizes = np.array([w[names == name].sum() for name in set(speakers)])
        groups = max(2.0, total**2 / (sizes**2).sum())
        vb = 1e4 * groups / (groups - 1) * (sums**2).sum() / total**2
        third = (sums**3).sum() / (sums**2).sum() if sums.any() else 0.0
    deff = max(1.0, vb / vu) if vu > 0 else 1.0

    def poisson(events: float, alpha: float) -> tuple[float, float]:
        low = stats.chi2.isf(1 - alpha, 2 * events) / 2 if events else 0.0
        return events - low, stats.chi2.isf(alpha, 2 * (events + 1)) / 2 - events

    def direction(a: np.ndarray, alpha: float) -> tuple[float, float]:
        if a.sum() == 0:
            return poisson(0, alpha)
        u = deff * (a**2).sum() / a.sum()
        low, high = poisson(a.sum() / u, alpha)
        return u * low, u * high

    def skewed(alpha: float) -> tuple[float, float]:
        if not third:
            return 0.0, 0.0
        u = 2 * abs(third)
        low, high = poisson(max(vb, vu) * total**2 / 1e4 / u**2, alpha)
        return (u * low, u * high) if third > 0 else (u * high, u * low)

    bounds = []
    for alpha in (0.05, 0.025):
        infl = stats.t.isf(alpha, groups - 1) / stats.norm.isf(alpha)
        a, b = np.maximum(eb - ea, 0), np.maximum(ea - eb, 0)
        (a_low, a_high), (b_low, b_high) = direction(a, alpha), direction(b, alpha)
        low, high = skewed(alpha)
        bounds.append(delta - infl * 100 / total * max(math.hypot(a_low, b_high), low))
        bounds.append(delta + infl * 100 / total * max(math.hypot(a_high, b_low), high))
    f = stats.t.isf(0.05, groups - 1) + stats.t.isf(0.2, groups - 1)
    s = 100 * math.sqrt((e**2).sum() / (n - 1)) / (total / n)
    infl = stats.t.isf(0.05, groups - 1) / stats.norm.isf(0.05)
    floor = infl * 100 / total * stats.chi2.isf(0.05, 2) / 2
    resolvable = max(f * math.sqrt(max(0.0, vb - vu) + s**2 / n), floor)
    return [delta, *bounds, resolvable]


@pytest.mark.parametrize("groups", [None, 1, 5, 40], ids=["no speakers", "one", "five", "forty"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bounds_follow_the_published_formula(groups: int | None, seed: int) -> None:
    """Every figure is that of the published formulas, with and without speaker blocks."""
    generator = np.random.default_rng(seed)
    words = generator.integers(1, 30, 200).tolist()
    before = generator.poisson(0.8, 200).tolist()
    after = (generator.poisson(0.9, 200) + generator.integers(0, 2, 200)).tolist()
    speakers = None if groups is None else [f"s{number % groups}" for number in range(200)]
    found = paired_difference(before, after, words, speakers)
    assert found is not None
    assert _figures(found) == pytest.approx(_written_out(before, after, words, speakers), rel=1e-9)


def test_clumped_blocks_widen_the_bounds() -> None:
    """Losses that all fall on two of twenty speakers give wider bounds than the same losses as independent ones."""
    speakers = [f"s{number // 10}" for number in range(200)]
    after = [2 if number < 20 else 0 for number in range(200)]
    blocked = paired_difference([0] * 200, after, [10] * 200, speakers)
    free = paired_difference([0] * 200, after, [10] * 200)
    assert blocked is not None
    assert free is not None
    assert blocked.delta_pp == free.delta_pp == 2.0
    assert blocked.upper95 - 2.0 > 1.5 * (free.upper95 - 2.0)
    assert blocked.resolution.margin_pp > 1.5 * free.resolution.margin_pp


def test_a_skewed_loss_widens_the_side_it_hides_on() -> None:
    """One speaker of 20 with most of the loss moves the upper bound away, and its mirror image the lower one."""
    speakers = [f"s{number // 10}" for number in range(200)]
    even = [1 if number % 10 < 2 else 0 for number in range(200)]
    skewed = [2 if number < 10 else even[number] for number in range(200)]
    flat, heavy, back = (
        paired_bounds(*errors, [10] * 200, speakers)
        for errors in (([0] * 200, even), ([0] * 200, skewed), (skewed, [0] * 200))
    )
    assert flat is not None
    assert heavy is not None
    assert back is not None
    plain = paired_bounds([0] * 200, skewed, [10] * 200)
    assert plain is not None
    assert heavy[1] - plain[1] > 2 * (plain[0] - heavy[0])
    assert back == pytest.approx((-heavy[1], -heavy[0]))


def test_unequal_speakers_count_as_fewer() -> None:
    """Identical outputs of two speakers with 90 and 10 words are bounded as by no more than two equal speakers."""
    equal = paired_bounds([0] * 10, [0] * 10, [10] * 10, list("aaaaabbbbb"))
    skewed = paired_bounds([0] * 10, [0] * 10, [10] * 10, list("aaaaaaaaab"))
    many = paired_bounds([0] * 10, [0] * 10, [10] * 10, list("aaaaaabcde"))
    assert equal is not None
    assert many is not None
    assert skewed == equal
    # Five speakers with 60, 10, 10, 10 and 10 words are worth 1 / 0.4 = 2.5.
    factor = stats.t.isf(0.05, 1.5) / stats.t.isf(0.05, 1)
    assert many[1] / equal[1] == pytest.approx(factor)


@pytest.mark.parametrize(
    ("words", "speakers"),
    [([10, 10, 0, 0], "aabb"), ([0, 0, 0, 7], "abcd"), ([1, 1, 1, 997], "abcd")],
    ids=["a speaker without words", "one utterance with words", "one speaker with nearly all"],
)
def test_lopsided_speakers_have_finite_bounds(words: list[int], speakers: str) -> None:
    """However the words are spread over speakers, the bounds are numbers, in order, at every level used."""
    for after in ([0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 3, 0], [1, 1, 1, 1]):
        for alpha in (0.05, 0.025, 1e-9):
            bounds = paired_bounds([0] * 4, after, words, list(speakers), alpha=alpha)
            assert bounds is not None
            delta = 100 * sum(after) / sum(words)
            assert all(math.isfinite(bound) for bound in bounds)
            assert bounds[0] <= delta <= bounds[1]


@given(ROWS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_stricter_level_and_a_partial_set_never_narrow_the_bounds(
    rows: list[tuple[int, int, int, str]], blocks: bool
) -> None:
    """From level to level, and from the whole set to a part of it, the bounds only move outwards."""
    before, after, words, speakers = zip(*rows, strict=True)
    names = speakers if blocks else None
    found = [paired_bounds(before, after, words, names, alpha=alpha) for alpha in (0.05, 0.02, 1e-3, 1e-6, 1e-9)]
    part = [paired_bounds(before, after, words, names, alpha=alpha, partial=True) for alpha in (0.05, 1e-6)]
    whole = [found[0], found[3]]
    for narrow, wide in [*pairwise(found), *zip(whole, part, strict=True)]:
        assert narrow is not None
        assert wide is not None
        assert all(math.isfinite(bound) for bound in wide)
        assert wide[0] <= narrow[0] + 1e-9 * abs(narrow[0])
        assert wide[1] >= narrow[1] - 1e-9 * abs(narrow[1])


def test_an_early_look_presumes_changes_of_five_words() -> None:
    """Where nothing differs yet, a part of the set leaves five times as much open as the whole set would."""
    errors, words = [1, 0, 2] * 40, [8, 9, 7] * 40
    whole = paired_bounds(errors, errors, words)
    part = paired_bounds(errors, errors, words, partial=True)
    assert whole is not None
    assert part == pytest.approx([5 * bound for bound in whole])


def test_identical_outputs_do_not_claim_certainty() -> None:
    """Without a difference U95 is three words over all words and L95 its mirror, since three may still hide."""
    found = paired_difference([1, 0, 2] * 40, [1, 0, 2] * 40, [8, 9, 7] * 40)
    assert found is not None
    words = 24 * 40
    inflation = stats.t.isf(0.05, 119) / stats.norm.isf(0.05)
    assert found.delta_pp == 0.0
    assert found.upper95 == pytest.approx(stats.chi2.isf(0.05, 2) / 2 * 100 / words * inflation)
    assert found.upper95 == pytest.approx(300 / words, rel=0.02)
    assert found.lower95 == -found.upper95
    assert found.resolution.margin_pp == pytest.approx(found.upper95)


def test_one_utterance_decides_nothing() -> None:
    """A single utterance has a difference but no spread: its bounds are infinite."""
    found = paired_difference([1], [2], [10])
    assert found is not None
    assert _figures(found) == [10.0, -math.inf, math.inf, -math.inf, math.inf, math.inf]
    assert paired_bounds([1], [2], [10]) == (-math.inf, math.inf)


def test_no_words_have_no_difference() -> None:
    """Without reference words, or without rows, there is nothing to compare."""
    assert paired_difference([0, 1], [2, 3], [0, 0]) is None
    assert paired_difference([], [], []) is None


def test_one_speaker_counts_as_independent_utterances() -> None:
    """One block says nothing about speakers, so its figures are those of independent utterances."""
    rows = ([0, 1, 0, 2], [1, 1, 0, 3], [5, 6, 7, 8])
    assert paired_difference(*rows, ["a"] * 4) == paired_difference(*rows)


def test_words_said_on_silence_count_in_the_difference() -> None:
    """Errors on a row without reference words are errors over the words of the others."""
    found = paired_difference([0, 0], [3, 0], [0, 100])
    assert found is not None
    assert found.delta_pp == 3.0


def test_speakers_who_do_not_lean_have_one_bound() -> None:
    """Where the speakers' skewness is nothing but rounding, no order of the rows moves a bound."""
    rows = [(0, 1, 15, "a"), (1, 0, 0, "a"), (0, 0, 1, "a"), (0, 0, 2, "b"), (3, 0, 1, "d"), (4, 0, 10, "b")]
    rows += [(4, 0, 10, "d"), (5, 0, 3, "a"), (2, 0, 16, "d"), (3, 0, 5, "e")]
    shuffled = random.Random(1)  # noqa: S311 - an order, no secret
    bounds = set()
    for _ in range(300):
        order = shuffled.sample(rows, len(rows))
        before, after, words, speakers = zip(*order, strict=True)
        found = paired_difference(before, after, words, speakers)
        assert found is not None
        bounds.add((round(found.lower95, 6), round(found.upper95, 6)))
    assert len(bounds) == 1


@given(ROWS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_swapping_the_systems_mirrors_every_figure(rows: list[tuple[int, int, int, str]], blocks: bool) -> None:
    """What is worse one way is better by the same figures the other way."""
    ahead = _compare(rows, blocks=blocks)
    back = _compare([(after, before, words, name) for before, after, words, name in rows], blocks=blocks)
    mirrored = [-ahead.delta_pp, -ahead.upper95, -ahead.lower95, -ahead.interval.high, -ahead.interval.low]
    assert _figures(back) == pytest.approx([*mirrored, ahead.resolution.margin_pp], rel=1e-9, abs=1e-9)


@given(ROWS.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_order_of_utterances_changes_nothing(
    orders: tuple[list[tuple[int, int, int, str]], list[tuple[int, int, int, str]]], blocks: bool
) -> None:
    """A shuffled set has the same figures."""
    left, right = (_figures(_compare(rows, blocks=blocks)) for rows in orders)
    assert left == pytest.approx(right, rel=1e-9, abs=1e-9)


@given(ROWS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_difference_lies_within_its_bounds(rows: list[tuple[int, int, int, str]], blocks: bool) -> None:
    """Lower bound, difference and upper bound stand in this order, and two-sided ones enclose one-sided ones."""
    found = _compare(rows, blocks=blocks)
    order = [found.interval.low, found.lower95, found.delta_pp, found.upper95, found.interval.high]
    assert order == sorted(order)
    assert all(math.isfinite(value) for value in order)
    assert found.lower95 < found.upper95


def test_the_interval_agrees_with_the_paired_bootstrap_where_it_should() -> None:
    """On 600 independent utterances with many differences the limits are scipy's paired bootstrap within 12 %."""
    generator = np.random.default_rng(7)
    words = generator.integers(5, 25, 600)
    before = generator.binomial(words, 0.10)
    after = generator.binomial(words, 0.12)

    def delta(a: np.ndarray, b: np.ndarray, w: np.ndarray, axis: int) -> np.ndarray:
        return np.asarray(100 * (b.sum(axis=axis) - a.sum(axis=axis)) / w.sum(axis=axis))

    theirs = stats.bootstrap(
        (before, after, words),
        delta,
        paired=True,
        vectorized=True,
        n_resamples=2000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    ours = paired_difference(before.tolist(), after.tolist(), words.tolist())
    assert ours is not None
    width = float(theirs.high - theirs.low)
    assert ours.interval.low == pytest.approx(float(theirs.low), abs=0.12 * width)
    assert ours.interval.high == pytest.approx(float(theirs.high), abs=0.12 * width)


def _alone(before: np.ndarray, after: np.ndarray, words: np.ndarray, speakers: np.ndarray | None) -> float:
    """The upper bound of the plain sandwich, which is too sure of rare, clumped and skewed differences."""
    changes, total = after - before, words.sum()
    residuals = changes - changes.sum() / total * words
    sums = residuals if speakers is None else np.bincount(speakers, weights=residuals)
    groups = len(sums)
    variance = max((residuals**2).sum(), groups / (groups - 1) * (sums**2).sum(), 1.0)
    return float(100 / total * (changes.sum() + stats.t.isf(0.05, groups - 1) * math.sqrt(variance)))


def _rare(generator: np.random.Generator, clump: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, None]:
    """117 utterances of 8 words, truly 1 pp worse, by losses of `clump` words."""
    after = clump * generator.poisson(0.08 / clump, 117)
    return np.zeros(117, dtype=int), after, np.full(117, 8), None


def _spoken(generator: np.random.Generator, shape: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """40 speakers with 65 utterances of 20 words, truly 1 pp worse, of gamma distributed difficulty."""
    speakers = np.repeat(np.arange(40), 65)
    expected = 20 * generator.gamma(shape, 1 / shape, 40)[speakers]
    before, after = generator.poisson(0.015 * expected), generator.poisson(0.025 * expected)
    return before, after, np.full(2600, 20), speakers


@pytest.mark.parametrize(
    ("draw", "kind", "sandwich"),
    [(_rare, 1, 0.07), (_rare, 3, 0.14), (_spoken, 2.0, 0.05), (_spoken, 0.5, 0.08)],
    ids=["rare", "clumps of three", "speakers", "speakers that differ heavily"],
)
def test_error_rates_at_the_margin_keep_their_level(
    draw: Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]], kind: float, sandwich: float
) -> None:
    """At a margin of exactly the true 1 pp at most 7 % pass and 7 % fail (nominal 5), the sandwich passes more.

    600 runs; benchmarks/error_rates.py has thousands, and finds at most 6.3 %.
    """
    generator = np.random.default_rng(2024)
    passed = failed = alone = 0
    for _ in range(600):
        drawn = draw(generator, kind)
        bounds = paired_bounds(*drawn)
        assert bounds is not None
        failed += bounds[0] > 1.0
        passed += bounds[1] <= 1.0
        alone += _alone(*drawn) <= 1.0
    assert passed / 600 <= 0.07
    assert failed / 600 <= 0.07
    # Were nothing ever decided, the two claims above would be empty.
    assert passed + failed > 0
    assert alone / 600 > sandwich
    assert alone > passed


def test_early_error_rates_keep_their_level() -> None:
    """Ten looks at sets that lose clumps of three words, truly at the margin, pass and fail at most 8 % each."""
    generator = np.random.default_rng(2024)
    sizes = look_sizes(117)
    levels = [float(stats.norm.sf(limit)) for limit in boundaries(tuple(size / 117 for size in sizes))]
    passed = failed = careless = 0
    for _ in range(600):
        before, after, words, _ = _rare(generator, 3)
        outcomes = {}
        for careful in (True, False):
            outcomes[careful] = 0
            for size, alpha in zip(sizes, levels, strict=True):
                part = careful and size < 117
                bounds = paired_bounds(before[:size], after[:size], words[:size], alpha=alpha, partial=part)
                assert bounds is not None
                outcomes[careful] = (bounds[1] <= 1.0) - (bounds[0] > 1.0)
                if outcomes[careful]:
                    break
        passed += outcomes[True] > 0
        failed += outcomes[True] < 0
        careless += outcomes[False] > 0
    assert 0 < passed <= 0.08 * 600
    assert failed <= 0.08 * 600
    assert careless > 0.1 * 600


def test_a_clear_loss_and_a_clear_tie_are_decided() -> None:
    """Over 960 words a loss of 5 pp fails a margin of 1 pp, and one changed word each way passes it."""
    loss = paired_difference([0] * 120, [1, 0] * 24 + [0] * 72, [8] * 120)
    tie = paired_difference([1, *[0] * 119], [0, 1, *[0] * 118], [8] * 120)
    assert loss is not None
    assert tie is not None
    assert loss.lower95 > 1.0
    assert tie.upper95 <= 1.0


def test_rate_interval_is_the_bootstrap_of_its_seed() -> None:
    """1,000 resamples drawn with seed 42, percentiles 2.5 and 97.5 of the pooled rates, and nothing else."""
    generator = np.random.default_rng(3)
    words = generator.integers(0, 20, 50)
    errors = generator.binomial(np.maximum(words, 1), 0.2)
    drawn = np.random.default_rng(42).integers(0, 50, size=(1000, 50))
    rates = [100 * errors[row].sum() / words[row].sum() for row in drawn]
    low, high = np.percentile(rates, [2.5, 97.5])
    found = rate_interval(errors.tolist(), words.tolist())
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high))


def test_rate_interval_is_deterministic() -> None:
    """The same counts give the same interval, digit for digit."""
    errors, words = [1, 0, 2, 0, 5], [9, 8, 7, 6, 5]
    assert rate_interval(errors, words) == rate_interval(errors, words)


@pytest.mark.parametrize(
    ("errors", "words", "interval"),
    [
        ([1], [4], Interval(25.0, 25.0)),
        ([0, 0], [3, 4], Interval(0.0, 0.0)),
        ([2, 0], [0, 0], None),
        ([], [], None),
    ],
    ids=["one utterance", "no errors", "no words", "no rows"],
)
def test_rate_interval_of_small_sets(errors: list[int], words: list[int], interval: Interval | None) -> None:
    """One utterance is its own interval, no words have none, and nothing raises."""
    assert rate_interval(errors, words) == interval


def test_resamples_without_words_are_left_out() -> None:
    """Beside silence the interval runs from the speech alone to the speech with both errors, and stays finite."""
    assert rate_interval([1, 1], [10, 0]) == Interval(10.0, 20.0)
