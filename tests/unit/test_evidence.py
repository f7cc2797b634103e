"""Claims about the lines that a verbose run adds, and about the line on many presets."""

from typing import Any

import pytest

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.evidence import evidence, presets_compared
from pytest_asrgate.reports.notes import notes

from .builders import Row, entry

CLEAN: list[Row] = [(f"u{number}", "the big red dog", "the big red dog") for number in range(25)]
SOME: list[Row] = [(name, text, "the big red cat" if name in {"u1", "u2"} else text) for name, text, _ in CLEAN]
ONE_BACK: list[Row] = [(name, text, "one big red cat" if name == "u3" else text) for name, text, _ in CLEAN]
MAPSSWE = {"segments": 61, "mean": -0.02, "standard_deviation": 1.0, "z": -0.123, "p": 0.9024, "undefined": ""}


def _changed(**changes: Any) -> PairEntry:
    return {**entry(SOME, CLEAN), **changes}  # type: ignore[typeddict-item]


def test_a_line_has_the_three_figures_of_a_pair() -> None:
    """Bootstrap, MAPSSWE and probability of improvement stand in one line, under a heading of what for."""
    made = _changed(delta_bootstrap_pp=[-0.954, 0.871], mapsswe=MAPSSWE, improvement_pct=47.05)
    heading, line = evidence([made])
    assert "reported only" in heading
    assert line == (
        "q8_0 prompts: paired bootstrap of the delta -0.95 to +0.87 pp; MAPSSWE 61 segments, z = -0.12, p = 0.902; "
        "better than f32 in 47 % of resamples (ties half)"
    )


def test_identical_outputs_are_explained() -> None:
    """No segment, no z, and 50 % that come from ties."""
    assert evidence([entry(CLEAN, CLEAN)])[1] == (
        "q8_0 prompts: paired bootstrap of the delta +0.00 to +0.00 pp; MAPSSWE 0 segments, no z: neither system "
        "errs; better than f32 in 50 % of resamples (ties half, and nearly all are ties)"
    )


def test_few_segments_are_called_rough() -> None:
    """Under 50 segments the normal distribution is no guide, and the line says so."""
    line = evidence([entry(SOME, ONE_BACK)])[1]
    assert "MAPSSWE 4 segments, z = +0.00, p = 1.000 (rough under 50 segments)" in line


@pytest.mark.parametrize(
    ("share", "shown"), [(0.0, "0 %"), (0.05, "0.1 %"), (47.5, "48 %"), (99.95, "100.0 %"), (100.0, "100 %")]
)
def test_a_share_is_whole_percents_but_for_the_ends(share: float, shown: str) -> None:
    """What is nearly none or nearly all keeps a decimal."""
    assert f" in {shown} of resamples" in evidence([_changed(improvement_pct=share)])[1]


def test_a_tiny_p_is_a_bound() -> None:
    """A p that three decimals cannot show is given as below 0.001."""
    assert "p < 0.001" in evidence([_changed(mapsswe={**MAPSSWE, "p": 0.0})])[1]


def test_the_interval_over_speakers_stands_beside_the_plain_one() -> None:
    """A pair with speakers, a baseline too, has a line of both intervals of its rate."""
    baseline = _changed(
        variant="f32",
        delta_bootstrap_pp=None,
        mapsswe=None,
        improvement_pct=None,
        ci_pct=[3.304, 5.0],
        ci_speaker_pct=[2.9, 5.456],
    )
    assert evidence([baseline])[1:] == [
        "f32 prompts: 95 % CI of the rate over speakers 2.90 to 5.46 %, over utterances 3.30 to 5.00 %"
    ]


def test_without_figures_there_are_no_lines() -> None:
    """A run of nothing but baselines without speakers prints no heading either."""
    bare = _changed(delta_bootstrap_pp=None, mapsswe=None, improvement_pct=None, ci_speaker_pct=None)
    assert evidence([bare]) == []
    assert evidence([]) == []


SENTENCE = (
    "2 presets were compared with f32: each verdict stands alone; that all of them must pass needs no correction, "
    "picking the best of them by these figures does"
)


def test_many_presets_against_one_baseline_are_counted() -> None:
    """Variants are counted once for each baseline, whatever the number of data sets; one alone is no news."""
    two = [_changed(variant="q8_0"), _changed(variant="q8_0", dataset="digits"), _changed(variant="q4_0")]
    assert presets_compared(two) == [SENTENCE]
    assert presets_compared(two[:2]) == []
    other = [_changed(variant=name, baseline="f16") for name in ("a", "b", "c")]
    assert presets_compared([*two, *other])[1].startswith("3 presets were compared with f16:")


def test_what_was_not_compared_is_not_counted() -> None:
    """A pair without a difference, as one that could not run, is no comparison."""
    assert presets_compared([_changed(variant="q8_0"), _changed(variant="q4_0", delta_pp=None)]) == []


def test_the_notes_have_that_line_once() -> None:
    """It stands under the table without -v."""
    lines = notes([_changed(variant="q8_0"), _changed(variant="q4_0")], ".asrgate")
    assert lines.count(SENTENCE) == 1
    assert not [line for line in lines if "MAPSSWE" in line]


def test_names_are_made_plain() -> None:
    """Nothing in a name can steer the terminal."""
    lines = evidence([_changed(dataset="a\x1b[31m", baseline="b\x1b[2J")])
    assert "\x1b" not in "".join(
        lines + presets_compared([_changed(variant=name, baseline="\x1b") for name in "ab"])
    )
