"""One measure of one data set: each variant's rate, and its difference from the baseline against the margin."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_asrgate.reports.page.fitting import shown_name, text_width
from pytest_asrgate.reports.page.limit_lines import Area, LimitLine, areas_of, filled, lanes, lines_of
from pytest_asrgate.reports.page.measures import Measure, Reading
from pytest_asrgate.reports.page.panel import Dot, Panel, panel_row
from pytest_asrgate.reports.page.plot_words import change_name, delta_words, rate_words
from pytest_asrgate.reports.page.scales import Scale, amount, range_of, within_reach

__all__ = ["rate_and_change"]

# Units of the drawing: about what a phone is wide, so that its text is readable there.
_WIDTH = 420.0
_LEFT, _RIGHT = 8.0, 14.0
_NAMES_AT_MOST = 112.0
_ROW, _LANE, _OVER, _UNDER = 26.0, 16.0, 8.0, 42.0
_OVERSHOOT = 4.0
# So many times the range of the figures an axis may grow in order to show a limit.
_RATE_REACH, _DELTA_REACH = 4.0, 60.0
_TICKS = 6


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a panel shows, in values; `limits` are one for each row."""

    side: str
    axis: str
    low: float
    high: float
    signed: bool
    dots: tuple[Dot, ...]
    words: tuple[str, ...]
    titles: tuple[str, ...]
    limits: Mapping[str, tuple[float | None, ...]]
    labels: Mapping[str, str]
    bands: tuple[tuple[float, float] | None, ...]
    beyond: tuple[tuple[float, float] | None, ...]


def _finite(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None and math.isfinite(value)]


def _ends(dots: Sequence[Dot]) -> list[float]:
    return _finite(each for dot in dots for each in (dot.value, *(dot.interval or ()), *dot.deciding))


def _reachable(limits: Iterable[float | None], values: Sequence[float], reach: float) -> list[float]:
    return [limit for limit in _finite(limits) if within_reach(limit, values, reach)]


def _rates(readings: Sequence[Reading], measure: Measure, name: str) -> _Draft:
    dots = tuple(Dot(each.rate, each.interval, ()) for each in readings)
    limits = filled([each.limit for each in readings], [each.rate is None for each in readings])
    values = _ends(dots)
    values += _reachable(limits, values, _RATE_REACH)
    low, high = range_of(values, floor=0.0, ceiling=100.0 if measure.kept else None)
    intervals = {each.variant: each.interval for each in readings if each.is_baseline}
    bands = [intervals.get((each.variant if each.is_baseline else each.baseline) or "") for each in readings]
    return _Draft(
        side="rate",
        axis=f"{name}, %",
        low=low,
        high=high,
        signed=False,
        dots=dots,
        words=tuple(_missing(each, each.rate, "no rate") for each in readings),
        titles=tuple(rate_words(each) for each in readings),
        limits={"limit": limits},
        labels={"limit": "at least {} %" if measure.kept else "limit {} %"},
        bands=filled(bands, [each.baseline is None for each in readings]),
        beyond=(),
    )


def _missing(reading: Reading, value: float | None, otherwise: str) -> str:
    """The word in a row: what could not be judged says so, even where it has a figure."""
    if reading.outcome == "error":
        return "ERROR"
    return otherwise if value is None else ""


def _changes(readings: Sequence[Reading], measure: Measure, name: str) -> _Draft:
    dots = tuple(Dot(each.delta, each.delta_interval, each.deciding) for each in readings)
    silent = [each.delta is None for each in readings]
    margins = filled([each.margin for each in readings], silent)
    limits = filled([each.delta_limit for each in readings], silent)
    values = [*_ends(dots), 0.0]
    values += _reachable((*margins, *limits), values, _DELTA_REACH)
    low, high = range_of(values)
    baselines = {each.baseline for each in readings if each.baseline is not None}
    return _Draft(
        side="delta",
        axis=change_name(measure, name, baselines),
        low=low,
        high=high,
        signed=True,
        dots=dots,
        words=tuple(
            _missing(each, each.delta, "baseline" if each.is_baseline else "not compared") for each in readings
        ),
        titles=tuple(delta_words(each) for each in readings),
        limits={"limit": limits, "margin": margins},
        labels={"limit": "limit {} pp", "margin": "margin {} pp"},
        bands=(),
        beyond=tuple(None if margin is None else (margin, math.inf) for margin in margins),
    )


def _panel(draft: _Draft, readings: Sequence[Reading], key: str, title: str, deepest: int = 0) -> Panel:
    """The drawing; `deepest` is how many lanes of limits its neighbour has, with whose rows its own are level."""
    names = [shown_name(each.variant, _NAMES_AT_MOST) for each in readings]
    left = round(_LEFT + max(text_width(name) for name in names) + 8.0, 2)
    right = _WIDTH - _RIGHT
    scale = Scale(draft.low, draft.high, left, right)
    lines: list[LimitLine] = []
    said = list(draft.titles)
    level = [(_ROW * place, _ROW * (place + 1)) for place in range(len(readings))]
    for kind, values in draft.limits.items():
        labels = {value: draft.labels[kind].format(amount(value)) for value in _finite(values)}
        lines += lines_of(kind, values, labels, level, scale)
        said += [f"{label[:1].upper()}{label[1:]}." for label in labels.values()]
    placed, depth = lanes(lines, left, right)
    top = _OVER + _LANE * max(depth, deepest)
    rows = [(top + begin, top + end) for begin, end in level]
    areas: list[Area] = [
        *areas_of("band", draft.bands, rows, scale),
        *areas_of("beyond", draft.beyond, rows, scale),
    ]
    bottom = rows[-1][1]
    zero = scale.place(0.0) if draft.signed else None
    upright = [segment.x for line in placed for segment in line.segments] + ([] if zero is None else [zero])
    return Panel(
        key=f"{key}-{draft.side}",
        title=f"{title}: {draft.axis}",
        desc=" ".join(said),
        axis=draft.axis,
        width=_WIDTH,
        height=bottom + _UNDER,
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        zero=zero,
        ticks=scale.ticks(_TICKS, signed=draft.signed),
        areas=tuple(areas),
        lines=tuple(_lowered(line, top) for line in placed),
        rows=tuple(
            panel_row(name, words, (begin + end) / 2, each.outcome, dot=dot, word=word, scale=scale, lines=upright)
            for name, words, (begin, end), each, dot, word in zip(
                names, draft.titles, rows, readings, draft.dots, draft.words, strict=True
            )
        ),
    )


def _lowered(line: LimitLine, top: float) -> LimitLine:
    """The line where the rows are, and a little above the first of them."""
    segments = tuple(
        replace(each, top=each.top + top - (0.0 if each.top else _OVERSHOOT), bottom=each.bottom + top)
        for each in line.segments
    )
    return replace(line, segments=segments)


def rate_and_change(
    readings: Sequence[Reading], measure: Measure, *, key: str, title: str, name: str
) -> tuple[Panel, ...]:
    """The drawing of the rates, and beside it that of the differences where anything was compared.

    `key` must be unique over the page; `name` is what the rate is called on its axis.
    """
    drafts = [_rates(readings, measure, name)]
    if any(each.delta is not None for each in readings):
        drafts.append(_changes(readings, measure, name))
    first = [_panel(draft, readings, key, title) for draft in drafts]
    deepest = max(len({line.lane for line in panel.lines}) for panel in first)
    return tuple(_panel(draft, readings, key, title, deepest) for draft in drafts)
