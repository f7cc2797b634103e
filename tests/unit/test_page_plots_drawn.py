"""Claims about the drawings themselves: well-formed, safe, and readable by machines and people."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

import jinja2
import pytest

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.page.plots import interval_plots, trade_plots

from .plot_pairs import against, base, check

SVG = "{http://www.w3.org/2000/svg}"
OUTCOMES = ("baseline", "pass", "fail", "inconclusive", "error")
CLASSES = {
    *(f"plot-{name}" for name in ("axis", "grid", "label", "limit", "margin", "zero", "band", "beyond", "name")),
    *(f"mark-{name}" for name in OUTCOMES),
    *("plot", "whisker", "bound", "plot-key", "plot-legend", "plots", "muted"),
}
NONE = {"rate_pct": None, "ci_pct": None, "delta_pp": None, "delta_ci_pp": None}
COST = {"stamp": {"model_bytes": 50_000_000}, "latency_p50_ms": 100.0}
LONG = "a-variant-with-a-name-that-fits-in-no-column-q4_0"
NAMES = (LONG, '<b>&"signs"</b>', "量子化四位模型非常长的名字", "نموذج-صغير-4", "क्वांटाइज़्ड-मॉडल", "x\u202ey\x07")


def _drawn(pairs: Sequence[PairEntry]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pytest_asrgate.reports.page", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.from_string(
        '{% import "plots.html.j2" as plots %}'
        "{% for each in intervals %}{{ plots.interval_plot(each) }}{% endfor %}"
        "{% for each in trades %}{{ plots.trade_plot(each) }}{% endfor %}"
    )
    return page.render(intervals=interval_plots(pairs), trades=trade_plots(pairs))


def _tree(pairs: Sequence[PairEntry]) -> ElementTree.Element:
    # Our own output from made-up pairs: nothing that a parser has to be protected from.
    return ElementTree.fromstring(f"<main>{_drawn(pairs)}</main>")  # noqa: S314 - as said


def _many() -> list[PairEntry]:
    checks = {"non_inferiority": check(1.8, 2.0, "pass"), "wer": check(10.0, 12.0, "pass", "%")}
    pairs = []
    for dataset in ("prompts", 'less <than> & "more"'):
        pairs.append(base(dataset=dataset, **COST))
        pairs += [against(name, dataset=dataset, checks=checks, **COST) for name in NAMES]
        pairs.append(against("undecided", "INCONCLUSIVE", dataset=dataset, delta_ci_pp=[None, None], **COST))
        pairs.append(against("worse", "FAIL", checks, dataset=dataset, **COST))
        pairs.append(against("lost", "ERROR", dataset=dataset, **NONE))
        pairs.append(against("late", "ERROR", dataset=dataset, **COST))
    return pairs


@pytest.fixture(scope="module")
def drawn() -> ElementTree.Element:
    """Two data sets with odd names and every verdict, parsed."""
    return _tree(_many())


def _plots(tree: ElementTree.Element) -> list[ElementTree.Element]:
    return [each for each in tree.iter(f"{SVG}svg") if each.get("class") == "plot"]


def test_names_are_text(drawn: ElementTree.Element) -> None:
    """Names with signs of markup are well-formed and stand there as their authors wrote them."""
    texts = ["".join(each.itertext()) for each in drawn.iter(f"{SVG}text")]
    assert '<b>&"signs"</b>' in texts
    assert not list(drawn.iter("b"))
    assert not any("\u202e" in text or "\x07" in text for text in drawn.itertext())


def test_each_drawing_is_an_image_with_words(drawn: ElementTree.Element) -> None:
    """A screen reader announces an image, its title, and all figures."""
    plots = _plots(drawn)
    assert len(plots) == 8
    for plot in plots:
        title, described = plot.find(f"{SVG}title"), plot.find(f"{SVG}desc")
        assert title is not None
        assert described is not None
        assert title.text
        assert described.text
        assert plot.get("role") == "img"
        assert (plot.get("aria-labelledby") or "").split() == [title.get("id"), described.get("id")]


def test_ids_are_unique(drawn: ElementTree.Element) -> None:
    """No two elements of a page have one id."""
    ids = [each.get("id") for each in drawn.iter() if each.get("id")]
    assert len(ids) == len(set(ids)) == 16


def test_nothing_that_the_policy_forbids(drawn: ElementTree.Element) -> None:
    """There is no script, no style, no handler and no reference: the page's strict policy would stop them."""
    for each in drawn.iter():
        assert each.tag.removeprefix(SVG) not in {"script", "style", "a", "image", "use", "foreignObject"}
        assert not [name for name in each.attrib if name == "style" or name.startswith("on") or "href" in name]


def test_classes_are_those_of_the_style_sheet(drawn: ElementTree.Element) -> None:
    """Colours come through classes that the page defines, and through nothing else."""
    used = {name for each in drawn.iter() for name in (each.get("class") or "").split()}
    assert used == CLASSES
    colours = {each.get(name) for each in drawn.iter() for name in ("fill", "stroke")}
    assert colours <= {None, "none", "currentColor"}


def test_a_shortened_name_is_whole_where_one_points(drawn: ElementTree.Element) -> None:
    """The title of what one points at has the whole name, the drawing as much as fits."""
    for plot in _plots(drawn):
        texts = ["".join(each.itertext()) for each in plot.iter(f"{SVG}text")]
        titles = [each.findtext(f"{SVG}title") or "" for each in plot.iter(f"{SVG}g")]
        assert LONG not in texts
        assert any(text.startswith("a-var") and text.endswith("q4_0") for text in texts)
        assert any(title.startswith(LONG) for title in titles)


def test_verdicts_differ_in_shape() -> None:
    """Who sees no colours tells the verdicts apart."""
    shapes = set()
    for outcome in OUTCOMES:
        pair = base() if outcome == "baseline" else against("q", outcome.upper())
        (key,) = [each for each in _tree([pair]).iter(f"{SVG}svg") if each.get("class") == f"mark-{outcome}"]
        shapes.add(re.sub(r"\s+", " ", ElementTree.tostring(key[0], encoding="unicode")))
    assert len(shapes) == len(OUTCOMES)


def test_text_stays_in_the_drawing(drawn: ElementTree.Element) -> None:
    """No name, figure or title of an axis begins or ends outside of its drawing."""
    for plot in _plots(drawn):
        width, height = (float(number) for number in (plot.get("viewBox") or "").split()[2:])
        for text in plot.iter(f"{SVG}text"):
            assert 0.0 <= float(text.get("x") or "nan") <= width
            assert 0.0 < float(text.get("y") or "nan") < height


def test_axes_have_units(drawn: ElementTree.Element) -> None:
    """Every drawing says what its figures are."""
    for plot in _plots(drawn):
        texts = ["".join(each.itertext()) for each in plot.iter(f"{SVG}text")]
        assert any(re.search(r", (%|pp|MB|ms)$", text) for text in texts)


@pytest.mark.parametrize(
    "changes",
    [
        {"rate_pct": 0.0, "ci_pct": [0.0, 0.0], "delta_pp": 0.0, "delta_ci_pp": [0.0, 0.0]},
        {"rate_pct": 900.0, "ci_pct": [5.0, 2200.0], "delta_pp": 890.0, "delta_ci_pp": [1.0, 2190.0]},
        {"rate_pct": 10.01, "ci_pct": [9.99, 10.03], "delta_pp": 0.01, "delta_ci_pp": [-0.01, 0.02]},
        {"rate_pct": 10.0, "ci_pct": None, "delta_pp": 0.0, "delta_ci_pp": [None, None]},
    ],
)
def test_odd_figures_are_drawn(changes: dict[str, object]) -> None:
    """Equal values, a loop, tiny differences and missing intervals make no place that is not a number."""
    text = _drawn([base(**COST), against(**{**COST, **changes})])
    assert not re.search(r'"[^"]*\b(nan|inf|None)\b[^"]*"', text)
    for plot in _plots(_tree([base(**COST), against(**{**COST, **changes})])):
        labels = [
            "".join(each.itertext())
            for each in plot.iter(f"{SVG}text")
            if re.fullmatch(r"[-+]?[\d.,]+", "".join(each.itertext())) and each.get("text-anchor") == "middle"
        ]
        assert len(labels) == len(set(labels)) >= 2


@pytest.mark.parametrize("count", [1, 20])
def test_any_number_of_variants(count: int) -> None:
    """One variant or twenty: each has its row."""
    pairs = [base(), *(against(f"q{number}") for number in range(count))]
    for plot in _plots(_tree(pairs)):
        assert (
            len([each for each in plot.iter(f"{SVG}g") if each.get("class", "").startswith("mark-")]) == count + 1
        )


def test_the_key_explains_what_is_drawn() -> None:
    """Arrows, the band and the margin are explained only where they are."""
    plain = " ".join(_tree([against("q")]).itertext())
    assert "arrow" not in plain
    assert "shaded" not in plain
    assert "band" not in plain
    full = " ".join(
        _tree(
            [base(), against(checks={"non_inferiority": check(1.8, 2.0, "pass")}, delta_ci_pp=[None, None])]
        ).itertext()
    )
    assert "arrow" in full
    assert "shaded" in full
    assert "band" in full
