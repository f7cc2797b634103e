"""Claims about early looks: the boundaries of STATISTICS.md, when to look, and in which order to decode."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pytest_asrgate.statistics import boundaries, look_sizes, stratified_order

TENTHS = tuple(number / 10 for number in range(1, 11))
# STATISTICS.md, "Deciding early".
PUBLISHED = (6.088, 4.229, 3.396, 2.906, 2.579, 2.342, 2.160, 2.015, 1.895, 1.795)

# Speakers of utterances, in the order of a manifest.
SPEAKERS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=60)


def _named(speakers: list[str]) -> list[str]:
    return [f"u{number}" for number in range(len(speakers))]


def test_ten_boundaries_are_the_published_ones() -> None:
    """Ten looks at tenths of the set have the boundaries of STATISTICS.md to 0.002."""
    assert boundaries(TENTHS) == pytest.approx(PUBLISHED, abs=0.002)


def test_one_look_is_the_fixed_design() -> None:
    """Who looks at the whole set only needs the one-sided 5 % quantile."""
    assert boundaries((1.0,)) == pytest.approx((stats.norm.isf(0.05),), abs=1e-6)


def test_the_first_look_spends_its_share() -> None:
    """The first boundary is the quantile of what the spending function allows by then."""
    level = 2 * stats.norm.sf(stats.norm.isf(0.025) / math.sqrt(0.2))
    assert boundaries((0.2, 1.0))[0] == pytest.approx(stats.norm.isf(level))


@given(st.integers(50, 5000))
@settings(max_examples=30, deadline=None)
def test_boundaries_fall_from_look_to_look(total: int) -> None:
    """The boundaries of a set's looks fall, but for sets of 55 to 59, and none is below the fixed design's.

    With 55 to 59 utterances the two looks come so close that the second may have the higher boundary.
    """
    found = boundaries(tuple(size / total for size in look_sizes(total)))
    assert min(found) >= stats.norm.isf(0.05) - 1e-6
    if not 55 <= total <= 59:
        assert list(found) == sorted(found, reverse=True)


@pytest.mark.parametrize("first", [0.1, 0.5, 0.91])
def test_two_looks_spend_five_percent_exactly(first: float) -> None:
    """The chance that one of two looks is beyond its boundary is 5 % by scipy's bivariate normal distribution."""
    both = stats.multivariate_normal([0, 0], [[1, math.sqrt(first)], [math.sqrt(first), 1]])
    assert 1 - both.cdf(boundaries((first, 1.0))) == pytest.approx(0.05, abs=1e-5)


def test_all_looks_together_spend_five_percent() -> None:
    """Of 40,000 random walks without drift 5 % cross a boundary at some look (four standard errors: 0.44)."""
    import numpy as np

    steps = np.random.default_rng(11).standard_normal((40_000, 10)).cumsum(axis=1)
    crossed = (steps / np.sqrt(np.arange(1, 11)) >= np.array(boundaries(TENTHS))).any(axis=1)
    assert crossed.mean() == pytest.approx(0.05, abs=0.0044)


@pytest.mark.parametrize(
    ("total", "sizes"),
    [
        (2620, tuple(range(262, 2621, 262))),
        (1000, tuple(range(100, 1001, 100))),
        (120, (60, 72, 84, 96, 108, 120)),
        (117, (59, 71, 82, 94, 106, 117)),
        (51, (51,)),
        (50, (50,)),
        (3, (3,)),
        (1, (1,)),
    ],
)
def test_looks_are_tenths_and_none_comes_before_fifty(total: int, sizes: tuple[int, ...]) -> None:
    """Sets are looked at by tenths, rounded up, from 50 utterances on; a smaller set once, as a whole."""
    assert look_sizes(total) == sizes


@given(st.integers(1, 5000))
def test_looks_rise_to_the_whole_set(total: int) -> None:
    """Sizes rise strictly, at most ten of them, and the last is the whole set."""
    sizes = look_sizes(total)
    assert list(sizes) == sorted(set(sizes))
    assert len(sizes) <= 10
    assert sizes[-1] == total
    assert all(size >= 50 for size in sizes[:-1])


@given(SPEAKERS, st.integers(0, 1000))
@settings(deadline=None)
def test_every_utterance_stands_in_the_order_once(speakers: list[str], seed: int) -> None:
    """The order is a permutation of the places."""
    assert sorted(stratified_order(_named(speakers), speakers, seed)) == list(range(len(speakers)))


@given(SPEAKERS, st.integers(0, 1000))
@settings(deadline=None)
def test_every_prefix_has_its_share_of_each_speaker(speakers: list[str], seed: int) -> None:
    """Whatever the prefix, one share fits all speakers: each has it of its utterances, give or take one."""
    order = [speakers[place] for place in stratified_order(_named(speakers), speakers, seed)]
    for size in range(1, len(order) + 1):
        lowest, highest = 0.0, math.inf
        for name in set(speakers):
            taken, whole = order[:size].count(name), speakers.count(name)
            lowest = max(lowest, (taken - 1) / whole)
            highest = min(highest, (taken + 1) / whole)
        assert lowest <= highest


def test_tenths_of_equal_speakers_hold_equal_numbers() -> None:
    """Of ten speakers with 20 utterances each tenth of the order holds 1 to 3 of every one."""
    speakers = [f"s{number % 10}" for number in range(200)]
    order = [speakers[place] for place in stratified_order(_named(speakers), speakers, 5)]
    for start in range(0, 200, 20):
        tenth = order[start : start + 20]
        assert {name: tenth.count(name) in {1, 2, 3} for name in set(speakers)} == dict.fromkeys(speakers, True)


@given(SPEAKERS.flatmap(lambda names: st.tuples(st.just(names), st.permutations(range(len(names))))))
@settings(deadline=None)
def test_the_order_of_rows_does_not_matter(drawn: tuple[list[str], list[int]]) -> None:
    """A shuffled manifest is decoded in the same order of ids."""
    speakers, shuffle = drawn
    ids = _named(speakers)
    moved = [ids[place] for place in shuffle]
    first = [ids[place] for place in stratified_order(ids, speakers, 9)]
    second = [moved[place] for place in stratified_order(moved, [speakers[place] for place in shuffle], 9)]
    assert first == second


def test_another_seed_is_another_order_and_the_same_seed_the_same() -> None:
    """The seed alone decides, and it decides both who comes first and which speaker."""
    speakers = [f"s{number % 4}" for number in range(100)]
    orders = [stratified_order(_named(speakers), speakers, seed) for seed in (1, 1, 2)]
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
    firsts = {speakers[stratified_order(_named(speakers), speakers, seed)[0]] for seed in range(40)}
    assert firsts == {"s0", "s1", "s2", "s3"}


def test_the_order_is_the_same_on_every_machine() -> None:
    """A fixed order, written down once: it must not change with versions, or early runs could not be repeated."""
    assert stratified_order(list("abcdef"), list("xxxxyy"), 1) == (4, 0, 3, 5, 1, 2)


def test_without_speakers_the_order_is_a_plain_shuffle() -> None:
    """No speakers count as one speaker, and the order is not that of the rows."""
    ids = [f"u{number}" for number in range(50)]
    order = stratified_order(ids, None, 3)
    assert sorted(order) == list(range(50))
    assert list(order) != sorted(order)


def test_no_utterances_have_an_empty_order() -> None:
    """Nothing to decode is no error."""
    assert stratified_order([], None, 1) == ()


def test_every_place_is_equally_likely_to_come_first() -> None:
    """Over 2,000 seeds each of ten utterances comes first about 200 times (five standard errors: 67)."""
    ids = [f"u{number}" for number in range(10)]
    firsts = [stratified_order(ids, None, seed)[0] for seed in range(2000)]
    assert all(abs(firsts.count(place) - 200) <= 67 for place in range(10))
