"""Claims about axes: round ticks that differ, and every value in its place."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.reports.page.scales import Scale, amount, range_of, within_reach

VALUES = st.floats(-1e4, 1e4)
SPANS = st.floats(1e-3, 1e6)


@given(VALUES, SPANS, st.integers(4, 8))
def test_ticks_are_few_and_differ(low: float, span: float, most: int) -> None:
    """At least two and at most so many ticks, in order, on the axis, no two with one label."""
    ticks = Scale(low, low + span, 0.0, 1000.0).ticks(most, signed=True)
    places = [tick.place for tick in ticks]
    assert 2 <= len(ticks) <= most
    assert places == sorted(set(places))
    assert places[0] >= 0.0
    assert places[-1] <= 1000.0
    assert len({tick.label for tick in ticks}) == len(ticks)


@given(VALUES, SPANS)
def test_a_tick_stands_where_its_label_says(low: float, span: float) -> None:
    """The label is the value, not a rounded one."""
    scale = Scale(low, low + span, 0.0, 1000.0)
    for tick in scale.ticks(6):
        assert tick.place == pytest.approx(scale.place(float(tick.label.replace(",", ""))), abs=0.02)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.0, 27.0, ["0", "5", "10", "15", "20", "25"]),
        (16.0, 27.2, ["16", "18", "20", "22", "24", "26"]),
        (-0.012, 0.012, ["-0.010", "-0.005", "0", "+0.005", "+0.010"]),
        (0.0, 2200.0, ["0", "+500", "+1,000", "+1,500", "+2,000"]),
    ],
)
def test_ticks_are_round(low: float, high: float, labels: list[str]) -> None:
    """Ticks are multiples of 1, 2 or 5 times a power of ten; zero has no digits to look exact by."""
    assert [tick.label for tick in Scale(low, high, 0.0, 1.0).ticks(6, signed=low < 0 or high > 100)] == labels


def test_an_infinite_value_stands_at_the_edge() -> None:
    """A bound that excludes nothing runs to the end of the axis."""
    scale = Scale(0.0, 10.0, 100.0, 200.0)
    assert [scale.place(value) for value in (-math.inf, 5.0, math.inf, 11.0)] == [100.0, 150.0, 200.0, 200.0]


def test_an_upright_axis_grows_upwards() -> None:
    """A drawing's places count downwards, so that the start may lie below the end."""
    scale = Scale(0.0, 10.0, 200.0, 100.0)
    assert [scale.place(value) for value in (0.0, 10.0)] == [200.0, 100.0]


@given(st.lists(st.floats(0.0, 1e6), min_size=1))
def test_a_range_holds_its_values(values: list[float]) -> None:
    """Whatever the values, also if all are equal, the axis has a length and shows all of them."""
    low, high = range_of(values, floor=0.0)
    assert 0.0 <= low < high
    assert low <= min(values)
    assert max(values) <= high


def test_a_range_starts_at_zero_where_that_is_near() -> None:
    """An axis from 0 wastes less than half of it, or does not begin there."""
    assert range_of([2.0, 10.0], floor=0.0)[0] == 0.0
    assert range_of([16.0, 20.0], floor=0.0)[0] == pytest.approx(15.76)


def test_a_share_ends_at_its_ceiling() -> None:
    """There is no axis beyond 100 % of a share."""
    assert range_of([60.0, 100.0], floor=0.0, ceiling=100.0)[1] == 100.0


def test_reach() -> None:
    """A limit far from all figures would squeeze them into a line, so that it is left out."""
    assert within_reach(25.0, [16.0, 27.0], 4.0)
    assert within_reach(30.0, [16.0, 20.0], 4.0)
    assert not within_reach(50.0, [16.0, 20.0], 4.0)
    assert not within_reach(50.0, [2.0], 4.0)


@pytest.mark.parametrize(("value", "text"), [(2.0, "2"), (0.05, "0.05"), (25.0, "25"), (900.0, "900")])
def test_limits_are_written_short(value: float, text: str) -> None:
    """A limit has the digits that its author gave it."""
    assert amount(value) == text
