"""Names beside points, so that none hides another: each takes the nearest place that is free."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Box", "Label", "place_labels"]

# Height of a line of text, the reach of a mark, and the step from one place to the next.
_LINE, _MARK, _STEP = 14.0, 6.0, 7.0
# From this distance on a thin line leads from the point to its name.
_LED = 16.0
# What it costs to hide a name or a mark, or to cross a line: as much as to be so far away.
_HIDES_NAME, _HIDES_MARK, _CROSSES = 500.0, 200.0, 12.0


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        """Whether both have a part in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, other: "Box") -> bool:
        """Whether this lies in the other."""
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )


@dataclass(frozen=True, slots=True)
class Label:
    """Where a name begins (its box), and from where to where a line leads to it, if it needs one."""

    box: Box
    leader: tuple[float, float, float, float] | None


def _places(x: float, y: float, width: float, room: Box) -> Iterator[tuple[int, Box]]:
    """Places for a name of that width, ring by ring around the point."""
    rings = int(max(room.right - room.left, room.bottom - room.top) / _STEP) + 1
    for ring in range(rings):
        away = _MARK + 2.0 + ring * _STEP
        tops = [y - _LINE / 2]
        for step in range(1, ring + 1):
            tops += [y - _LINE / 2 - step * _STEP, y - _LINE / 2 + step * _STEP]
        for top in tops:
            yield ring, Box(x + away, top, x + away + width, top + _LINE)
            yield ring, Box(x - away - width, top, x - away, top + _LINE)
        for top in (y - away - _LINE, y + away):
            for shift in (0.0, -width / 2, width / 2):
                left = x - width / 2 + shift
                yield ring, Box(left, top, left + width, top + _LINE)


def _leader(x: float, y: float, box: Box) -> tuple[float, float, float, float] | None:
    near_x = min(max(x, box.left), box.right)
    near_y = min(max(y, box.top), box.bottom)
    if (near_x - x) ** 2 + (near_y - y) ** 2 < _LED**2:
        return None
    return x, y, round(near_x, 2), round(near_y, 2)


def _cost(box: Box, names: Sequence[Box], marks: Sequence[Box], lines: Sequence[Box]) -> float:
    """How bad a place is: no name may be hidden, no mark should be, and a line better is not crossed."""
    return (
        _HIDES_NAME * sum(map(box.meets, names))
        + _HIDES_MARK * sum(map(box.meets, marks))
        + _CROSSES * sum(map(box.meets, lines))
    )


def _best(point: tuple[float, float], width: float, room: Box, obstacles: tuple[Sequence[Box], ...]) -> Box:
    """The cheapest place for the name of a point, whose distance counts, too."""
    x, y = point
    best, least = Box(x, y, x + width, y + _LINE), math.inf
    for ring, box in _places(x, y, width, room):
        away = ring * _STEP
        if away >= least:
            break
        if box.within(room):
            cost = away + _cost(box, *obstacles)
            if cost < least:
                best, least = box, cost
    return best


def place_labels(
    points: Sequence[tuple[float, float]], widths: Sequence[float], room: Box, lines: Sequence[Box] = ()
) -> tuple[Label, ...]:
    """A place for the name of each point, over no other name and no mark as long as the room allows it."""
    marks = [Box(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in points]
    taken: list[Box] = []
    found: dict[int, Box] = {}
    for place in sorted(range(len(points)), key=lambda number: points[number][::-1]):
        found[place] = _best(points[place], widths[place], room, (taken, marks, lines))
        taken.append(found[place])
    return tuple(Label(found[place], _leader(*points[place], found[place])) for place in range(len(points)))
