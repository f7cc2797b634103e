"""Claims about names beside points: none hides another."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrgate.reports.page.label_places import Box, Label, place_labels

ROOM = Box(40.0, 20.0, 420.0, 220.0)


def _disjoint(labels: tuple[Label, ...]) -> bool:
    return all(not one.box.meets(other.box) for one, other in combinations(labels, 2))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(195.0, 205.0), st.floats(115.0, 125.0)), min_size=10, max_size=10))
def test_ten_names_at_nearly_one_place(points: list[tuple[float, float]]) -> None:
    """Ten variants that cost and err the same have ten readable names, all in the drawing, none over a mark."""
    labels = place_labels(points, [70.0] * 10, ROOM)
    assert _disjoint(labels)
    for label in labels:
        assert label.box.within(ROOM)
        assert not any(label.box.meets(Box(x - 5, y - 5, x + 5, y + 5)) for x, y in points)


def test_ten_names_in_a_corner() -> None:
    """There too, where three of four sides have no room."""
    labels = place_labels([(418.0, 218.0)] * 10, [70.0] * 10, ROOM)
    assert _disjoint(labels)
    assert all(label.box.within(ROOM) for label in labels)


def test_a_lone_name_stands_beside_its_point() -> None:
    """To the right, without a line that leads there."""
    (label,) = place_labels([(100.0, 100.0)], [50.0], ROOM)
    assert 100.0 < label.box.left < 112.0
    assert label.box.top < 100.0 < label.box.bottom
    assert label.leader is None


def test_a_name_that_had_to_move_is_led_to() -> None:
    """A line leads from the point to a name that is not beside it."""
    labels = place_labels([(200.0, 100.0)] * 10, [70.0] * 10, ROOM)
    leaders = [label.leader for label in labels if label.leader]
    assert leaders
    assert all(leader[:2] == (200.0, 100.0) for leader in leaders)


def test_a_name_evades_a_line() -> None:
    """Where there is room beside it, no interval runs through a name."""
    line = Box(120.0, 20.0, 122.0, 220.0)
    (label,) = place_labels([(100.0, 100.0)], [50.0], ROOM, [line])
    assert not label.box.meets(line)


def test_more_names_than_room_still_have_a_place() -> None:
    """Where a hundred cannot be apart, each has a place in the drawing all the same."""
    labels = place_labels([(200.0, 100.0)] * 100, [90.0] * 100, Box(40.0, 20.0, 300.0, 120.0))
    assert len(labels) == 100
    assert all(label.box.within(Box(40.0, 20.0, 300.0, 120.0)) for label in labels)
