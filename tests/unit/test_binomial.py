"""Claims about the exact bound of a rate from a count, against scipy's binomial test."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_asrgate.statistics import binomial_upper


@given(st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
@settings(max_examples=80, deadline=None)
def test_the_bound_is_that_of_the_one_sided_exact_test(counts: tuple[int, int]) -> None:
    """Clopper and Pearson's one-sided upper bound at 95 %, as scipy inverts its binomial test."""
    count, total = counts
    expected = binomtest(count, total, alternative="less").proportion_ci(0.95, method="exact").high
    assert binomial_upper(count, total) == pytest.approx(100.0 * expected, rel=1e-9)


@pytest.mark.parametrize(
    ("count", "total", "percent"),
    [(0, 2620, 100 * (1 - 0.05 ** (1 / 2620))), (0, 1, 95.0), (1, 1, 100.0), (7, 7, 100.0)],
)
def test_the_ends_are_known_without_a_table(count: int, total: int, percent: float) -> None:
    """None of n allows 1 - 0.05^(1/n), all of them allow everything."""
    assert binomial_upper(count, total) == pytest.approx(percent)


def test_of_nothing_there_is_no_bound() -> None:
    """Where nothing could show it there is no rate to bound, and no number that looks like one."""
    assert binomial_upper(0, 0) is None


@pytest.mark.parametrize(("count", "total"), [(2, 1), (-1, 5), (1, 0)])
def test_an_impossible_count_is_refused(count: int, total: int) -> None:
    """More than all, and fewer than none, are mistakes of the caller."""
    with pytest.raises(ValueError, match=f"{count} of {total} is no share"):
        binomial_upper(count, total)
