"""The plots of a page, in the places where templates/plots.html.j2 draws them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.page.fitting import isolated
from pytest_asrgate.reports.page.interval_plot import rate_and_change
from pytest_asrgate.reports.page.measures import MEASURES, Measure, reading
from pytest_asrgate.reports.page.panel import Panel
from pytest_asrgate.reports.page.trade_plot import TradePanel, against_latency, against_size

__all__ = ["IntervalPart", "IntervalPlot", "TradePlot", "interval_plots", "trade_plots"]


@dataclass(frozen=True, slots=True)
class IntervalPart:
    """One measure: the drawing of its rates, and that of the differences where there are any.

    `folded` is what a reader opens.
    """

    title: str
    panels: tuple[Panel, ...]
    folded: bool


@dataclass(frozen=True, slots=True)
class IntervalPlot:
    """The measures of one data set.

    `outcomes` are the kinds of its marks, and the flags say what else the key has to explain.
    """

    dataset: str
    title: str
    parts: tuple[IntervalPart, ...]
    outcomes: tuple[str, ...]
    banded: bool
    compared: bool
    margin: bool
    early: bool
    unbounded: bool


@dataclass(frozen=True, slots=True)
class TradePlot:
    """What a rate costs in size and in time, on one data set."""

    dataset: str
    title: str
    panels: tuple[TradePanel, ...]
    outcomes: tuple[str, ...]


_ORDER = ("baseline", "pass", "fail", "inconclusive", "error")


def _outcomes(found: set[str]) -> tuple[str, ...]:
    return tuple(each for each in _ORDER if each in found)


def _rated(pairs: Sequence[PairEntry]) -> dict[str, list[PairEntry]]:
    """The pairs of each data set on which something has a rate."""
    found: dict[str, list[PairEntry]] = {}
    for pair in pairs:
        found.setdefault(pair["dataset"], []).append(pair)
    return {name: mine for name, mine in found.items() if any(pair["rate_pct"] is not None for pair in mine)}


def _metric(pairs: Sequence[PairEntry]) -> str:
    return next((pair["metric"].upper() for pair in pairs if pair["metric"]), "WER")


def _part(pairs: Sequence[PairEntry], measure: Measure, key: str) -> IntervalPart | None:
    readings = [reading(pair, measure) for pair in pairs]
    if all(each.rate is None for each in readings):
        return None
    name = _metric(pairs) if measure.key == "rate" else measure.title
    dataset = isolated(plain(pairs[0]["dataset"]))
    panels = rate_and_change(readings, measure, key=f"{key}-{measure.key}", title=dataset, name=name)
    return IntervalPart(title=name, panels=panels, folded=measure.kept)


def _interval_plot(pairs: Sequence[PairEntry], key: str) -> IntervalPlot:
    found = (_part(pairs, measure, key) for measure in MEASURES)
    parts = tuple(part for part in found if part is not None)
    panels = [panel for part in parts for panel in part.panels]
    rows = [row for panel in panels for row in panel.rows]
    kinds = {area.kind for panel in panels for area in panel.areas}
    return IntervalPlot(
        dataset=pairs[0]["dataset"],
        title=isolated(plain(pairs[0]["dataset"])),
        parts=parts,
        outcomes=_outcomes({row.outcome for row in rows}),
        banded="band" in kinds,
        compared=any(row.bounds or row.bound_arrows for row in rows),
        margin="beyond" in kinds,
        early=any(pair["early"] for pair in pairs),
        unbounded=any(row.arrows or row.bound_arrows for row in rows),
    )


def interval_plots(pairs: Sequence[PairEntry]) -> list[IntervalPlot]:
    """Rates with their intervals, and differences against the margin, for each data set that has a rate."""
    return [
        _interval_plot(mine, f"interval-{number}") for number, mine in enumerate(_rated(pairs).values(), start=1)
    ]


def trade_plots(pairs: Sequence[PairEntry]) -> list[TradePlot]:
    """Model size and latency against the rate, for each data set with two variants that have the figures."""
    made = []
    for number, (dataset, mine) in enumerate(_rated(pairs).items(), start=1):
        readings = [reading(pair, MEASURES[0]) for pair in mine]
        title = isolated(plain(dataset))
        panels = tuple(
            panel
            for panel in (
                draw(mine, readings, key=f"trade-{number}", title=title, name=_metric(mine))
                for draw in (against_size, against_latency)
            )
            if panel is not None
        )
        if panels:
            shown = {point.outcome for panel in panels for point in panel.points}
            made.append(TradePlot(dataset=dataset, title=title, panels=panels, outcomes=_outcomes(shown)))
    return made
