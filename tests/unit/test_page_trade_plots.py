"""Claims about size and latency against the rate."""

import pytest

from pytest_asrgate.reports.page.plots import trade_plots
from pytest_asrgate.reports.page.trade_plot import TradePanel

from .plot_pairs import against, base, probe

NONE = {"rate_pct": None, "ci_pct": None, "delta_pp": None, "delta_ci_pp": None}


def _sized(size: object) -> dict[str, object]:
    return {"stamp": {"model_bytes": size}}


def _x_values(panel: TradePanel) -> dict[str, float]:
    first, last = panel.x_ticks[0], panel.x_ticks[-1]
    low, high = (float(tick.label.replace(",", "")) for tick in (first, last))
    return {
        point.name: low + (point.x - first.place) / (last.place - first.place) * (high - low)
        for point in panel.points
    }


def test_size_against_rate() -> None:
    """The size is that of the model in millions of bytes, and the rate has its interval."""
    (plot,) = trade_plots([base(**_sized(108_000_000)), against(**_sized(18_000_000))])
    (panel,) = plot.panels
    assert panel.x_axis == "model size, MB"
    assert panel.y_axis == "WER, %"
    assert _x_values(panel) == pytest.approx({"f32": 108.0, "q8": 18.0}, abs=0.2)
    for point in panel.points:
        assert point.whisker is not None
        assert point.whisker[0] > point.y > point.whisker[1]


@pytest.mark.parametrize("other", [None, True, "18 MB", float("nan")])
def test_one_size_is_no_plot(other: object) -> None:
    """A plot needs two variants that say their size as a number."""
    assert trade_plots([base(**_sized(108_000_000)), against(**_sized(other))]) == []


def test_what_has_no_rate_is_no_point() -> None:
    """A pair that could not be judged stands nowhere."""
    assert trade_plots([base(**_sized(1e8)), against(verdict="ERROR", **NONE, **_sized(2e7))]) == []


def test_latency_as_decoded() -> None:
    """Without a probe the medians of the decoding runs are shown, and called that."""
    (plot,) = trade_plots([base(latency_p50_ms=170.0), against(latency_p50_ms=140.0)])
    (panel,) = plot.panels
    assert panel.x_axis == "median latency as decoded, ms"
    assert _x_values(panel) == pytest.approx({"f32": 170.0, "q8": 140.0}, abs=0.5)


def test_the_probe_measures_better() -> None:
    """Where a probe timed variant and baseline side by side, only its figures are shown, and it is named."""
    pairs = [
        base(latency_p50_ms=170.0),
        against(latency_p50_ms=140.0, latency=probe(90.0, 100.0)),
        against("q4", latency_p50_ms=150.0),
    ]
    (panel,) = trade_plots(pairs)[0].panels
    assert panel.x_axis == "median latency by the probe, ms"
    assert _x_values(panel) == pytest.approx({"f32": 100.0, "q8": 90.0}, abs=0.2)


def test_a_probe_alone_is_no_comparison() -> None:
    """A single probed variant would stand alone, so that all are shown as they were decoded."""
    pairs = [base(latency_p50_ms=170.0), against(latency_p50_ms=140.0, latency=probe(90.0, None))]
    (panel,) = trade_plots(pairs)[0].panels
    assert panel.x_axis == "median latency as decoded, ms"


def test_both_costs() -> None:
    """Size and latency stand side by side, each with keys of its own over all data sets."""
    pairs = [
        make(dataset=dataset, latency_p50_ms=100.0, **_sized(1e8))
        for dataset in ("a", "b")
        for make in (base, against)
    ]
    plots = trade_plots(pairs)
    keys = [panel.key for plot in plots for panel in plot.panels]
    assert len(set(keys)) == len(keys) == 4


def test_the_description_says_the_costs() -> None:
    """Who cannot see the drawing hears what each variant costs."""
    (panel,) = trade_plots([base(**_sized(108_000_000)), against(verdict="FAIL", **_sized(18_400_000))])[0].panels
    assert "q8 (FAIL): 18.4 MB, 10.00 % (95 % interval 9.00 to 11.00 %)." in panel.desc


def test_many_variants_get_a_higher_drawing() -> None:
    """Twenty names have room to be read: the drawing grows with their number."""
    few = trade_plots([against(f"q{number}", **_sized(5e7)) for number in range(4)])[0].panels[0]
    many = trade_plots([against(f"q{number}", **_sized(5e7)) for number in range(20)])[0].panels[0]
    assert many.height > few.height
    assert len({(point.name_x, point.name_y) for point in many.points}) == 20
