"""Claims about the interval plots: rates, differences, bounds and limits in their places."""

from collections.abc import Mapping

import pytest

from pytest_asrgate.reports.entries import CheckEntry, PairEntry
from pytest_asrgate.reports.page.fitting import text_width
from pytest_asrgate.reports.page.limit_lines import Area
from pytest_asrgate.reports.page.panel import Panel, PanelRow
from pytest_asrgate.reports.page.plots import interval_plots

from .plot_pairs import against, base, check, early

SEMANTIC = {"rate_pct": 8.0, "ci_pct": [7.0, 9.0], "delta_pp": None, "delta_ci_pp": None}
SEMANTIC_BOUNDS = {"upper95_pp": None, "lower95_pp": None}
FIGURES = {"intent_pct": 96.0, "intent_ci_pct": [85.0, 100.0], "entity_pct": None, "entity_ci_pct": None}
LOSS = {"loss_pp": 1.0, "ci_pp": [-2.0, 4.0], "lower95_pp": -1.5, "upper95_pp": 3.5}


def _margin(value: float | None, status: str, limit: float = 2.0) -> dict[str, CheckEntry]:
    return {"non_inferiority": check(value, limit, status)}


def _panels(*pairs: PairEntry) -> tuple[Panel, ...]:
    (plot,) = interval_plots(pairs)
    return plot.parts[0].panels


def _changes(*pairs: PairEntry) -> Panel:
    return _panels(*pairs)[1]


def _value(panel: Panel, place: float) -> float:
    """The value at a place, read off the ticks as a person would."""
    first, last = panel.ticks[0], panel.ticks[-1]
    low, high = (float(tick.label.replace(",", "")) for tick in (first, last))
    return low + (place - first.place) / (last.place - first.place) * (high - low)


def _beyond(panel: Panel) -> list[Area]:
    return [area for area in panel.areas if area.kind == "beyond"]


def test_no_rate_no_plot() -> None:
    """A data set in which nobody speaks has nothing to plot, one where a single pair has a rate does."""
    none = {"rate_pct": None, "ci_pct": None, "delta_pp": None, "delta_ci_pp": None}
    assert interval_plots([base(**none), against(**none)]) == []
    assert interval_plots([]) == []
    assert len(interval_plots([base(), against(verdict="ERROR", **none)])) == 1


def test_one_plot_for_each_data_set() -> None:
    """In the order of the report; what is drawn has a key of its own everywhere."""
    plots = interval_plots([base(dataset="b"), base(dataset="a"), against(dataset="b"), against(dataset="a")])
    assert [plot.dataset for plot in plots] == ["b", "a"]
    keys = [panel.key for plot in plots for part in plot.parts for panel in part.panels]
    assert len(set(keys)) == len(keys) == 4


def test_a_rate_stands_at_its_value() -> None:
    """Mark and both ends of the interval can be read off the axis."""
    row = _panels(base(), against(rate_pct=12.0, ci_pct=[10.5, 13.0]))[0].rows[1]
    panel = _panels(base(), against(rate_pct=12.0, ci_pct=[10.5, 13.0]))[0]
    assert row.mark is not None
    assert _value(panel, row.mark) == pytest.approx(12.0, abs=0.02)
    assert [_value(panel, cap) for cap in row.caps] == pytest.approx([10.5, 13.0], abs=0.02)
    assert panel.axis == "WER, %"


def test_a_character_error_rate_is_called_so() -> None:
    """The axis names the metric of the data set, and what it is compared with."""
    rates, changes = _panels(base(metric="cer"), against(metric="cer"))
    assert rates.axis == "CER, %"
    assert changes.axis == "CER minus that of f32, pp"


@pytest.mark.parametrize(
    ("verdict", "checks", "bounds"),
    [
        ("FAIL", _margin(-0.8, "fail", -1.0), [-0.8]),
        ("PASS", _margin(1.8, "pass"), [1.8]),
        ("INCONCLUSIVE", _margin(1.8, "inconclusive", 1.0), [-0.8, 1.8]),
        ("PASS", {}, [1.8]),
    ],
)
def test_the_bound_that_decides(verdict: str, checks: Mapping[str, CheckEntry], bounds: list[float]) -> None:
    """A loss is told by the lower bound, its absence by the upper one, and undecided by both."""
    panel = _changes(base(), against(verdict=verdict, checks=checks))
    assert [_value(panel, place) for place in panel.rows[1].bounds] == pytest.approx(bounds, abs=0.02)


def test_an_early_run_is_decided_by_its_look() -> None:
    """There the bounds are those of the look, which are further out than the 95 % ones."""
    pairs = [base(), against("q", "INCONCLUSIVE", _margin(2.6, "inconclusive"), early=early(-1.4, 2.6))]
    panel = _changes(*pairs)
    assert [_value(panel, place) for place in panel.rows[1].bounds] == pytest.approx([-1.4, 2.6], abs=0.02)
    assert interval_plots(pairs)[0].early


def test_infinite_ends_are_arrows() -> None:
    """What has no bound runs to the edge on both sides, thin for the interval and heavy for the bounds."""
    unbounded = {"delta_ci_pp": [None, None], "lower95_pp": None, "upper95_pp": None}
    panel = _changes(base(), against("q", "INCONCLUSIVE", _margin(None, "inconclusive"), **unbounded))
    row = panel.rows[1]
    assert (row.caps, row.bounds) == ((), ())
    assert row.arrows == row.bound_arrows == ("low", "high")
    assert (row.pieces[0][0], row.pieces[-1][1]) == (panel.left, panel.right)


def test_what_fails_is_shaded() -> None:
    """From the margin to the edge, over all rows where all have the same margin, the baseline's included."""
    panel = _changes(base(), against(checks=_margin(1.8, "pass")), against("q4", checks=_margin(1.8, "pass")))
    (area,) = _beyond(panel)
    assert _value(panel, area.x) == pytest.approx(2.0, abs=0.02)
    assert area.x + area.width == pytest.approx(panel.right)
    assert (area.y, area.y + area.height) == (panel.top, panel.bottom)
    assert [line.label for line in panel.lines] == ["margin 2 pp"]


def test_margins_that_differ_stand_in_their_rows() -> None:
    """Each row shows the margin that it is judged by; one without a margin is not shaded."""
    panel = _changes(
        base(),
        against("loose", checks=_margin(1.8, "pass", 3.0)),
        against("free"),
        against("tight", checks=_margin(1.8, "pass", 2.0)),
    )
    rows = {name: row.y for name, row in zip(("base", "loose", "free", "tight"), panel.rows, strict=True)}
    covered = {
        name: [round(_value(panel, area.x), 1) for area in _beyond(panel) if area.y <= y <= area.y + area.height]
        for name, y in rows.items()
    }
    assert covered == {"base": [], "loose": [3.0], "free": [], "tight": [2.0]}


def test_a_lone_margin_spares_who_has_none() -> None:
    """A variant that was compared without a margin fails nowhere, so its row is left white."""
    panel = _changes(base(), against("free"), against("bound", checks=_margin(1.8, "pass")))
    free = panel.rows[1].y
    assert not any(area.y <= free <= area.y + area.height for area in _beyond(panel))


def test_names_of_limits_do_not_overlap() -> None:
    """Limits close to each other have their names one above the other, inside the drawing."""
    checks = {"wer_delta": check(0.5, 1.9, "pass"), "non_inferiority": check(1.8, 2.0, "pass")}
    panel = _changes(base(), against(checks=checks))
    assert {line.lane for line in panel.lines} == {0, 1}
    assert {line.kind for line in panel.lines} == {"limit", "margin"}
    assert panel.top >= 8 + 16 * 2


def test_the_name_of_a_limit_stays_in_the_drawing() -> None:
    """A limit at the end of the axis has its name before it."""
    panel = _changes(base(), against(checks=_margin(1.8, "pass", 2.05)))
    (line,) = panel.lines
    assert line.segments[0].x > panel.right - 20
    assert line.x + text_width(line.label) <= panel.right
    rates = _panels(base(rate_pct=11.0, ci_pct=[10.0, 12.0], checks={"wer": check(11.0, 9.95, "fail", "%")}))[0]
    assert rates.lines[0].x >= rates.left


def test_zero_is_always_in_sight() -> None:
    """A loss is seen as far from zero as it is, also where there is no margin and nothing near zero."""
    panel = _changes(base(), against(delta_pp=8.0, delta_ci_pp=[7.0, 9.0], lower95_pp=7.2, upper95_pp=8.8))
    assert panel.zero is not None
    assert _value(panel, panel.zero) == pytest.approx(0.0, abs=0.02)


def test_the_baseline_is_a_band() -> None:
    """The baseline's interval lies under all rows, also under one that has no figures."""
    none = {"rate_pct": None, "ci_pct": None, "delta_pp": None, "delta_ci_pp": None, "baseline": None}
    panel = _panels(base(), against(), against("q4", "ERROR", **none))[0]
    (band,) = panel.areas
    assert [_value(panel, edge) for edge in (band.x, band.x + band.width)] == pytest.approx([9.0, 11.0], abs=0.02)
    assert (band.y, band.y + band.height) == (panel.top, panel.bottom)


def test_each_row_has_the_band_of_its_own_baseline() -> None:
    """With two baselines a row lies over that which it is compared with."""
    panel = _panels(
        base("f32"), against("q8"), base("big", rate_pct=6.0, ci_pct=[5.0, 7.0]), against("bigq", baseline="big")
    )[0]
    found = {
        row.name: [round(_value(panel, area.x)) for area in panel.areas if area.y <= row.y <= area.y + area.height]
        for row in panel.rows
    }
    assert found == {"f32": [9], "q8": [9], "big": [5], "bigq": [5]}


def test_a_baseline_outside_the_run_has_no_band() -> None:
    """What the report does not hold is not drawn."""
    assert not _panels(against(), against("q4"))[0].areas


def test_a_limit_far_off_is_named_at_the_edge() -> None:
    """It would squeeze the figures into a line, so only its name is there, with the way to it."""
    panel = _panels(base(checks={"wer": check(10.0, 90.0, "pass", "%")}), against())[0]
    (line,) = panel.lines
    assert (line.label, line.segments) == ("limit 90 % →", ())
    assert "Limit 90 %." in panel.desc
    near = _panels(base(checks={"wer": check(10.0, 12.0, "pass", "%")}), against())[0].lines[0]
    assert near.label == "limit 12 %"
    assert near.segments


def _words(rows: tuple[PanelRow, ...]) -> list[str]:
    return [row.word for row in rows]


def test_what_has_no_mark_says_why() -> None:
    """A pair that could not be judged has the word in its row, in both drawings; so has what was not compared."""
    none = {"rate_pct": None, "ci_pct": None, "delta_pp": None, "delta_ci_pp": None}
    alone = {"baseline": None, "delta_pp": None, "delta_ci_pp": None}
    rates, changes = _panels(base(), against(), against("q4", "ERROR", **none), against("q5", **alone))
    assert _words(rates.rows) == ["", "", "ERROR", ""]
    assert _words(changes.rows) == ["baseline", "", "ERROR", "not compared"]
    assert rates.rows[2].mark is None
    assert rates.rows[2].outcome == "error"


def test_an_error_with_figures_has_both() -> None:
    """The figures that there are stay, and the word stands beside them."""
    row = _panels(base(), against(verdict="ERROR"))[0].rows[1]
    assert row.mark is not None
    assert row.word == "ERROR"
    assert row.word_x > row.caps[1] or row.word_anchor == "end"


def test_no_line_runs_through_a_word() -> None:
    """The word in an empty row stands clear of the zero line and of the limits."""
    panel = _changes(base(), against(checks=_margin(1.8, "pass"), delta_ci_pp=[-0.2, 5.0]))
    word = panel.rows[0]
    assert panel.zero is not None
    upright = [panel.zero, *(segment.x for line in panel.lines for segment in line.segments)]
    assert not any(word.word_x - 1 < x < word.word_x + 50 for x in upright)


def test_nothing_compared_is_one_drawing() -> None:
    """Without a baseline there are no differences to draw."""
    alone = {"baseline": None, "delta_pp": None, "delta_ci_pp": None}
    assert len(_panels(against("a", **alone), against("b", **alone))) == 1


def test_both_drawings_are_level() -> None:
    """A variant has the same height in both, though one has more lanes of limits."""
    checks = {"wer_delta": check(0.5, 1.9, "pass"), "non_inferiority": check(1.8, 2.0, "pass")}
    rates, changes = _panels(base(), against(checks=checks))
    assert [row.y for row in rates.rows] == [row.y for row in changes.rows]
    assert rates.height == changes.height


def test_the_margin_is_in_sight_of_small_differences() -> None:
    """Differences far within the margin are shown with it: that they are far within is the news."""
    panel = _changes(
        base(),
        against(
            delta_pp=0.01,
            delta_ci_pp=[-0.02, 0.04],
            lower95_pp=-0.01,
            upper95_pp=0.03,
            checks=_margin(0.03, "pass"),
        ),
    )
    assert panel.lines[0].segments
    assert panel.zero is not None
    assert panel.left < panel.zero < panel.lines[0].segments[0].x < panel.right


def test_the_semantic_rate_follows() -> None:
    """Where a pair has a judged rate a second pair of drawings shows it, with its own limits."""
    judged = {**SEMANTIC, "delta_pp": 0.4, "delta_ci_pp": [-1.0, 1.8], "upper95_pp": 1.5, "lower95_pp": -0.7}
    checks = {"semantic_non_inferiority": check(1.5, 2.5, "pass"), "semantic_wer": check(8.0, 9.5, "pass", "%")}
    pairs = [base(semantic={**SEMANTIC, **SEMANTIC_BOUNDS}), against(semantic=judged, checks=checks)]
    (plot,) = interval_plots(pairs)
    assert [(part.title, part.folded) for part in plot.parts] == [("WER", False), ("semantic error rate", False)]
    rates, changes = plot.parts[1].panels
    assert [line.label for line in rates.lines] == ["limit 9.5 %"]
    assert [line.label for line in changes.lines] == ["margin 2.5 pp"]
    assert [_value(changes, place) for place in changes.rows[1].bounds] == pytest.approx([1.5], abs=0.02)


def test_what_is_kept_has_a_least() -> None:
    """Of intents kept more is better: the limit is the least, the loss is positive, no axis passes 100 %."""
    checks = {"intent": check(96.0, 80.0, "pass", "%"), "intent_non_inferiority": check(3.5, 5.0, "pass")}
    pairs = [
        base(intent={"figures": {**FIGURES, "intent_loss": None, "entity_loss": None}}),
        against(intent={"figures": {**FIGURES, "intent_loss": LOSS, "entity_loss": None}}, checks=checks),
    ]
    (plot,) = interval_plots(pairs)
    assert [(part.title, part.folded) for part in plot.parts] == [("WER", False), ("intents kept", True)]
    rates, changes = plot.parts[1].panels
    assert [line.label for line in rates.lines] == ["at least 80 %"]
    assert _value(rates, rates.right) <= 100.01
    assert changes.axis == "lost against f32, pp"
    assert [_value(changes, place) for place in changes.rows[1].bounds] == pytest.approx([3.5], abs=0.02)


def test_the_description_says_the_figures() -> None:
    """Who cannot see the drawing hears every figure in it, with the verdict and the limits."""
    rates, changes = _panels(base(), against(verdict="FAIL", checks=_margin(-0.8, "fail", 2.0)))
    assert rates.desc == (
        "f32 (baseline): 10.00 %, 95 % interval 9.00 to 11.00 %. q8 (FAIL): 10.00 %, 95 % interval 9.00 to 11.00 %."
    )
    assert changes.desc == (
        "f32 (baseline): not compared. "
        "q8 (FAIL): +0.50 pp, two-sided 95 % interval -1.00 to +2.00 pp, deciding bound -0.80 pp. Margin 2 pp."
    )
