"""Limits in a plot: where they run, what they leave on their far side, and where their names stand."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pytest_asrgate.reports.page.fitting import text_width
from pytest_asrgate.reports.page.scales import Scale

__all__ = ["Area", "Band", "LimitLine", "Segment", "areas_of", "filled", "lanes", "lines_of"]

# Between two names side by side.
_GAP = 8.0

Band = tuple[float, float]
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Area:
    """A shaded part of a plot: `band` is the baseline's interval, `beyond` what fails."""

    kind: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a vertical line."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class LimitLine:
    """A limit (`limit` or `margin`) over the rows that have it, and its name; off the axis it has no segments."""

    kind: str
    label: str
    x: float
    lane: int
    anchor: str
    segments: tuple[Segment, ...]


def _runs(values: Sequence[object], value: object) -> list[tuple[int, int]]:
    """First and last place of each run of a value."""
    found: list[tuple[int, int]] = []
    for place, each in enumerate(values):
        if each != value:
            continue
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


def _extents(values: Sequence[object], value: object, rows: Sequence[Band]) -> list[Band]:
    """From where to where a value holds."""
    return [(rows[first][0], rows[last][1]) for first, last in _runs(values, value)]


def filled(values: Sequence[Value | None], silent: Sequence[bool]) -> tuple[Value | None, ...]:
    """The values, and the only one that there is also in rows that are silent, so that its line is not broken."""
    found = {each for each in values if each is not None}
    lone = next(iter(found)) if len(found) == 1 else None
    return tuple(lone if each is None and quiet else each for each, quiet in zip(values, silent, strict=True))


def lines_of(
    kind: str, values: Sequence[float | None], labels: Mapping[float, str], rows: Sequence[Band], scale: Scale
) -> list[LimitLine]:
    """A line for each value that some row has; `rows` has top and bottom of each."""
    found = []
    for value in sorted(labels):
        if scale.low <= value <= scale.high:
            x = scale.place(value)
            segments = tuple(Segment(x, top, bottom) for top, bottom in _extents(values, value, rows))
            found.append(LimitLine(kind, labels[value], x, 0, "middle", segments))
        else:
            above = value > scale.high
            label = f"{labels[value]} →" if above else f"← {labels[value]}"
            found.append(
                LimitLine(kind, label, scale.end if above else scale.start, 0, "end" if above else "start", ())
            )
    return found


def areas_of(
    kind: str, values: Sequence[tuple[float, float] | None], rows: Sequence[Band], scale: Scale
) -> list[Area]:
    """The part between two values, over the rows that have them; infinite ones stand for the edge."""
    found = []
    for span in dict.fromkeys(each for each in values if each is not None):
        left, right = scale.place(span[0]), scale.place(span[1])
        if right > left and not math.isnan(right):
            found += [
                Area(kind, left, top, round(right - left, 2), bottom - top)
                for top, bottom in _extents(values, span, rows)
            ]
    return found


def lanes(lines: Sequence[LimitLine], left: float, right: float) -> tuple[tuple[LimitLine, ...], int]:
    """The lines with their names inside the plot and in lanes so that no two overlap, and the number of lanes."""
    ends: list[float] = []
    placed = []
    for line in sorted(lines, key=lambda each: each.x):
        width = text_width(line.label)
        begin = line.x - {"middle": width / 2, "end": width, "start": 0.0}[line.anchor]
        begin = max(left, min(begin, right - width))
        lane = next((place for place, end in enumerate(ends) if begin >= end + _GAP), len(ends))
        ends[lane : lane + 1] = [begin + width]
        placed.append(LimitLine(line.kind, line.label, round(begin, 2), lane, "start", line.segments))
    return tuple(placed), len(ends)
