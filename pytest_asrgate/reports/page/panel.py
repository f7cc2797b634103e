"""One drawing of rates or of differences, ready to be drawn: everything in places, nothing in values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.reports.page.fitting import text_width
from pytest_asrgate.reports.page.limit_lines import Area, LimitLine
from pytest_asrgate.reports.page.scales import Scale, Tick

__all__ = ["Dot", "Panel", "PanelRow", "panel_row"]

# An open mark, through which no line may run; and the room between a line and a word.
_OPEN = 6.0


@dataclass(frozen=True, slots=True)
class PanelRow:
    """One variant; places in the units of the drawing. `arrows` and heavy `bound_arrows` point to infinite ends.

    `pieces` are the parts of the thin interval line, `caps` its finite ends, `bounds` the bounds that decide.
    `word` says at `word_x` what no mark can, such as ERROR.
    """

    name: str
    title: str
    y: float
    outcome: str
    mark: float | None
    pieces: tuple[tuple[float, float], ...]
    caps: tuple[float, ...]
    arrows: tuple[str, ...]
    bounds: tuple[float, ...]
    bound_arrows: tuple[str, ...]
    word: str
    word_x: float
    word_anchor: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing: `key` is unique over the page, `title` and `desc` say it in words; places in its units."""

    key: str
    title: str
    desc: str
    axis: str
    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    zero: float | None
    ticks: tuple[Tick, ...]
    areas: tuple[Area, ...]
    lines: tuple[LimitLine, ...]
    rows: tuple[PanelRow, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    """What is drawn of one variant, in values: a figure, its interval, and the bounds that decide."""

    value: float | None
    interval: tuple[float, float] | None
    deciding: tuple[float, ...]


def _pieces(dot: Dot, scale: Scale, *, hollow: bool) -> tuple[tuple[float, float], ...]:
    if dot.value is None or dot.interval is None:
        return ()
    low, high = (scale.place(end) for end in dot.interval)
    if not hollow:
        return ((low, high),)
    mark = scale.place(dot.value)
    both = (low, mark - _OPEN), (mark + _OPEN, high)
    return tuple((round(begin, 2), round(end, 2)) for begin, end in both if end > begin)


def _word_place(
    word: str, taken: tuple[float, float] | None, scale: Scale, lines: Sequence[float]
) -> tuple[float, str]:
    """Where a word stands in its row: beside what is drawn there, or where no upright line runs through it."""
    width = text_width(word)
    if taken is None:
        starts = [scale.start + _OPEN, *(line + _OPEN for line in sorted(lines))]
        free = (
            start
            for start in starts
            if start + width <= scale.end and not any(start - 1 < line < start + width for line in lines)
        )
        return round(next(free, starts[0]), 2), "start"
    if taken[1] + _OPEN + width <= scale.end or taken[0] - _OPEN - width < scale.start:
        return round(taken[1] + _OPEN, 2), "start"
    return round(taken[0] - _OPEN, 2), "end"


def panel_row(
    name: str,
    title: str,
    y: float,
    outcome: str,
    *,
    dot: Dot,
    word: str,
    scale: Scale,
    lines: Sequence[float] = (),
) -> PanelRow:
    """One variant's row; `word` is written beside its mark, or where that would be, clear of upright `lines`."""
    mark = None if dot.value is None else scale.place(dot.value)
    pieces = _pieces(dot, scale, hollow=outcome == "inconclusive")
    ends = dot.interval if dot.interval and mark is not None else ()
    places = [place for piece in pieces for place in piece]
    taken = None if mark is None else (min([mark - _OPEN, *places]), max([mark + _OPEN, *places]))
    word_x, anchor = _word_place(word, taken, scale, lines)
    return PanelRow(
        name=name,
        title=title,
        y=y,
        outcome=outcome,
        mark=mark,
        pieces=pieces,
        caps=tuple(scale.place(end) for end in ends if math.isfinite(end)),
        arrows=tuple("high" if end > 0 else "low" for end in ends if math.isinf(end)),
        bounds=tuple(scale.place(bound) for bound in dot.deciding if math.isfinite(bound)),
        bound_arrows=tuple("high" if bound > 0 else "low" for bound in dot.deciding if math.isinf(bound)),
        word=word,
        word_x=word_x,
        word_anchor=anchor,
    )
