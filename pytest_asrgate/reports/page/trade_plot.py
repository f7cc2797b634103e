"""What a rate costs: the size of the model, or its latency, against the rate on one data set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.page.fitting import isolated, shown_name, text_width
from pytest_asrgate.reports.page.label_places import Box, place_labels
from pytest_asrgate.reports.page.measures import Reading
from pytest_asrgate.reports.page.scales import Scale, Tick, range_of
from pytest_asrgate.values import finite_number

__all__ = ["TradePanel", "TradePoint", "against_latency", "against_size"]

_WIDTH, _RIGHT, _TOP, _BOTTOM = 420.0, 404.0, 26.0, 42.0
# A plot of few points, and how much it grows for each more so that every name finds its place.
_HIGH, _MANY, _MORE = 200.0, 8, 14.0
_NAME = 96.0
_X_TICKS, _Y_TICKS = 6, 6
_MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class TradePoint:
    """One variant: `whisker` is the rate's interval, `name` begins at `name_x` on the base line `name_y`."""

    name: str
    title: str
    outcome: str
    x: float
    y: float
    whisker: tuple[float, float] | None
    name_x: float
    name_y: float
    leader: tuple[float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class TradePanel:
    """One drawing: `key` is unique over the page, `title` and `desc` say it in words; places in its units."""

    key: str
    title: str
    desc: str
    x_axis: str
    y_axis: str
    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    points: tuple[TradePoint, ...]


def _said(reading: Reading, cost: float, unit: str, digits: int) -> str:
    said = f"{isolated(plain(reading.variant))} ({reading.word}): {cost:.{digits}f} {unit}, {reading.rate:.2f} %"
    if reading.interval:
        said += f" (95 % interval {reading.interval[0]:.2f} to {reading.interval[1]:.2f} %)"
    return said + "."


def _whisker(reading: Reading, upright: Scale) -> tuple[float, float] | None:
    """The ends of the rate's interval in the drawing."""
    return (upright.place(reading.interval[0]), upright.place(reading.interval[1])) if reading.interval else None


def _panel(
    found: Sequence[tuple[Reading, float]], *, key: str, title: str, name: str, axis: str, unit: str, digits: int
) -> TradePanel:
    rates = [each for reading, _ in found for each in (reading.rate, *(reading.interval or ())) if each is not None]
    bottom = _TOP + _HIGH + _MORE * max(0, len(found) - _MANY)
    low, high = range_of(rates, floor=0.0)
    upright = Scale(low, high, bottom, _TOP)
    y_ticks = upright.ticks(_Y_TICKS)
    left = round(16.0 + max((text_width(tick.label) for tick in y_ticks), default=0.0), 2)
    low, high = range_of([cost for _, cost in found], floor=0.0)
    along = Scale(low, high, left, _RIGHT)
    places = [(along.place(cost), upright.place(reading.rate or 0.0)) for reading, cost in found]
    names = [shown_name(reading.variant, _NAME) for reading, _ in found]
    whiskers = [_whisker(reading, upright) for reading, _ in found]
    labels = place_labels(
        places,
        [text_width(each) for each in names],
        # The top belongs to the axis's name.
        Box(left + 3.0, _TOP - 6.0, _WIDTH, bottom - 2.0),
        [Box(x - 1.0, ends[1], x + 1.0, ends[0]) for (x, _), ends in zip(places, whiskers, strict=True) if ends],
    )
    said = [_said(reading, cost, unit, digits) for reading, cost in found]
    return TradePanel(
        key=key,
        title=f"{title}: {axis} against {name}",
        desc=" ".join(said),
        x_axis=axis,
        y_axis=f"{name}, %",
        width=_WIDTH,
        height=bottom + _BOTTOM,
        left=left,
        right=_RIGHT,
        top=_TOP,
        bottom=bottom,
        x_ticks=along.ticks(_X_TICKS),
        y_ticks=y_ticks,
        points=tuple(
            TradePoint(
                name=each,
                title=words,
                outcome=reading.outcome,
                x=x,
                y=y,
                whisker=ends,
                name_x=round(label.box.left, 2),
                name_y=round(label.box.bottom - 3.5, 2),
                leader=label.leader,
            )
            for each, words, (reading, _), (x, y), ends, label in zip(
                names, said, found, places, whiskers, labels, strict=True
            )
        ),
    )


def _with_cost(
    pairs: Sequence[PairEntry], readings: Sequence[Reading], costs: Mapping[str, float]
) -> list[tuple[Reading, float]]:
    """The variants that have a rate and a cost; none where there are not two to compare."""
    found = [
        (reading, costs[pair["variant"]])
        for pair, reading in zip(pairs, readings, strict=True)
        if reading.rate is not None and pair["variant"] in costs
    ]
    return found if len(found) > 1 else []


def against_size(
    pairs: Sequence[PairEntry], readings: Sequence[Reading], *, key: str, title: str, name: str
) -> TradePanel | None:
    """Size of the model in MB against the rate, None where fewer than two variants say their size."""
    sizes = {pair["variant"]: finite_number(pair["stamp"].get("model_bytes")) for pair in pairs}
    found = _with_cost(pairs, readings, {who: size / _MEGABYTE for who, size in sizes.items() if size is not None})
    if not found:
        return None
    return _panel(found, key=f"{key}-size", title=title, name=name, axis="model size, MB", unit="MB", digits=1)


def _probed(pairs: Sequence[PairEntry]) -> dict[str, float]:
    """Medians of the latency probes, in ms; a baseline without its own has that of the first probe against it."""
    found = {pair["variant"]: pair["latency"]["p50_ms"] for pair in pairs if pair["latency"]}
    for pair in pairs:
        before = pair["latency"]["baseline_p50_ms"] if pair["latency"] else None
        if before is not None and pair["baseline"] is not None:
            found.setdefault(pair["baseline"], before)
    return found


def against_latency(
    pairs: Sequence[PairEntry], readings: Sequence[Reading], *, key: str, title: str, name: str
) -> TradePanel | None:
    """Median latency in ms against the rate, by the probe where two variants have one; None where too few do."""
    found, axis = _with_cost(pairs, readings, _probed(pairs)), "median latency by the probe, ms"
    if not found:
        medians = {pair["variant"]: pair["latency_p50_ms"] for pair in pairs}
        found = _with_cost(pairs, readings, {who: ms for who, ms in medians.items() if ms is not None})
        axis = "median latency as decoded, ms"
    if not found:
        return None
    return _panel(found, key=f"{key}-latency", title=title, name=name, axis=axis, unit="ms", digits=0)
