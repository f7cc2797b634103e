"""Claims about slices in the table and under it, in the failure message, and in the JSON entry."""

import json
from collections.abc import Mapping

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate import report_schema
from pytest_asrgate.records import Verdict
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.failure import failure_message
from pytest_asrgate.reports.notes import notes
from pytest_asrgate.reports.slices import slice_lines, worst_cell, worst_slice
from pytest_asrgate.reports.table import table
from pytest_asrgate.verdict import decide

from .builders import Row, pair, scored

TEXT = "the big red dog"
IDS = [f"u{number}" for number in range(20)]
TAGS = {name: ("in" if number < 5 else "us",) for number, name in enumerate(IDS)}
BEFORE: list[Row] = [(name, TEXT, TEXT) for name in IDS]
AFTER: list[Row] = [(name, TEXT, "the big red" if TAGS[name] == ("in",) else TEXT) for name in IDS]


def _verdict(
    slices: Mapping[str, Mapping[str, object]] | None = None, tags: Mapping[str, tuple[str, ...]] = TAGS
) -> Verdict:
    judged = pair(slices=slices)
    return decide(judged, scored("q8_0", AFTER, tags=tags), scored("f32", BEFORE, tags=tags))


def _baseline(tags: Mapping[str, tuple[str, ...]] = TAGS) -> PairEntry:
    return pair_entry(decide(pair(variant="f32"), scored("f32", AFTER, tags=tags), None, is_baseline=True))


def _silent() -> PairEntry:
    tags = {"a": ("hum",), "b": ("hum",)}
    return pair_entry(decide(pair(), scored("q8_0", [("a", "", "you"), ("b", "", "")], tags=tags), None))


def test_an_entry_has_its_slices() -> None:
    """Size, words, rate, interval, difference, bounds and checks of each slice are JSON values under its name."""
    made = pair_entry(_verdict({"in": {"wer": 1.0}}), with_utterances=True)
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    first, second = made["slices"]
    assert (first["name"], first["n"], first["words"], first["rate_pct"]) == ("in", 5, 20, 25.0)
    assert (first["ci_pct"], first["delta_pp"]) == ([25.0, 25.0], 25.0)
    assert first["lower95_pp"] is not None
    assert first["upper95_pp"] is not None
    assert first["lower95_pp"] < 25.0 < first["upper95_pp"]
    assert [(check["name"], check["status"]) for check in first["checks"]] == [("wer", "fail")]
    assert (second["name"], second["delta_pp"], second["checks"]) == ("us", 0.0, [])
    assert "wer" not in [check["name"] for check in made["checks"] if check["status"] == "fail"]
    assert made["utterances"][0]["tags"] == ["in"]


def test_a_slice_of_one_utterance_has_null_bounds() -> None:
    """JSON has no infinity; an entry with such a slice, or with one of silence, fulfils the schema."""
    tags = {**TAGS, "u9": ("us", "alone")}
    made = pair_entry(_verdict({"alone": {"non_inferiority": 1.0}}, tags))
    alone = made["slices"][0]
    assert (alone["n"], alone["lower95_pp"], alone["upper95_pp"], alone["resolvable_pp"]) == (1, None, None, None)
    schema = report_schema()
    part = Draft202012Validator({"$ref": "#/$defs/slice", "$defs": schema["$defs"]})
    entries = [alone, *_silent()["slices"]]
    assert len(entries) == 2
    for each in entries:
        assert [str(error) for error in part.iter_errors(each)] == []
    assert not part.is_valid({**alone, "n": -1})


def test_the_worst_slice_has_a_column() -> None:
    """By its difference for a variant, by its rate for a baseline; the verdict stays the last word of a row."""
    heading, first, second = table([_baseline(), pair_entry(_verdict())])
    assert heading.split("  ")[-2:] == ["worst slice", "verdict"]
    assert first.split()[-4:] == ["in", "25.00", "%", "baseline"]
    assert second.split()[-3:] == ["in", "+25.00", "PASS"]
    assert heading.index("verdict") == first.index("baseline") == second.index("PASS")
    assert heading.index("worst slice") == first.index("in 25.00 %") == second.index("in +25.00")


def test_without_slices_there_is_no_column() -> None:
    """A gate without tags, or with tags of silence only, has the table it always had."""
    for made in (pair_entry(_verdict(tags={})), _silent()):
        assert "worst slice" not in table([made])[0]
        assert slice_lines([made]) == []
        assert worst_slice(made) is None
    rows = table([pair_entry(_verdict(tags={})), pair_entry(_verdict())])
    assert rows[1].split()[-2:] == ["—", "PASS"]


def test_a_long_tag_is_shortened_in_the_table_only() -> None:
    """A column of a hundred characters helps nobody; the line below has the whole name."""
    long = "device:" + "x" * 60
    made = pair_entry(_verdict(tags=dict.fromkeys(IDS, (long,))))
    assert worst_cell(made) == f"{long[:23]}… +6.25"
    assert long in slice_lines([made])[0]


def test_sizes_and_bounds_stand_under_the_table() -> None:
    """Each variant's worst slice is told with size and bounds, and that the worst of several is so by chance."""
    made = pair_entry(_verdict())
    worst = worst_slice(made)
    assert worst is not None
    bounds = f"bounds {worst['lower95_pp']:+.2f} and {worst['upper95_pp']:+.2f} pp"
    assert slice_lines([_baseline(), made]) == [
        f"prompts, worst of 2 slices (one-sided 95 % bounds): q8_0 in (5 utterances, {bounds}); "
        "the worst of several looks bad by chance too: no bound is corrected for that"
    ]
    assert slice_lines([made])[0] in notes([made], "state")
    one = slice_lines([pair_entry(_verdict(tags={"u0": ("in",), "u1": ("in",)}))])
    assert one[0].startswith("prompts, its one slice (one-sided 95 % bounds): q8_0 in (2 utterances, bounds ")
    assert "chance" not in one[0]


def test_a_slice_without_bounds_says_so() -> None:
    """One utterance has a difference and no bound."""
    made = pair_entry(_verdict({"in": {"wer_delta": 99.0}}, {"u0": ("in",)}))
    assert slice_lines([made]) == [
        "prompts, its one slice (one-sided 95 % bounds): q8_0 in (1 utterance, no bounds)"
    ]


def test_what_was_left_out_is_told_once_a_dataset() -> None:
    """Tags of single utterances make no slices, which is said, also where they are all there is."""
    tags = {name: (f"only {name}",) for name in IDS}
    made = pair_entry(_verdict(tags=tags))
    assert made["slices"] == []
    assert made["slices_left_out"] == 20
    (line,) = slice_lines([_baseline(tags), made, made])
    assert line.startswith("prompts: 20 tags left out of the slices (one utterance, or beyond the 50 most fr")


@pytest.mark.parametrize("limits", [{"wer_delta": 2.0}, {"non_inferiority": 20.0}])
def test_a_slices_check_is_told_with_its_name(limits: dict[str, object]) -> None:
    """Under the table and in the failure message a slice's check stands with the slice, beside the pair's own."""
    verdict = _verdict({"in": limits})
    (name,) = limits
    word = "fail" if name == "wer_delta" else "inconclusive"
    (line,) = [line for line in notes([pair_entry(verdict)], "state") if "limit" in line and "slice in" in line]
    assert line.startswith(f"q8_0 prompts slice in: {name} {word}, limit {limits[name]} pp: ")
    lines = failure_message(verdict).splitlines()
    (shown,) = [line.split() for line in lines if "slice in" in line]
    assert shown[:4] == [word.upper(), "slice", "in", name]
    assert shown[4].startswith("+")
    assert lines[1].split() == ["status", "check", "figure", "limit", "detail"]
    assert "the utterances that cost most (5 of 5):" in lines
    assert "  u0: 1 error in 4 words, baseline 0" in lines


def test_a_tag_cannot_move_the_cursor() -> None:
    """Format characters of a tag are shown as escapes wherever it is printed."""
    odd = "in\u202e"
    tags = dict.fromkeys(IDS, (odd,))
    verdict = _verdict({odd: {"wer": 1.0}}, tags)
    made = pair_entry(verdict)
    text = "\n".join([*table([made]), *notes([made], "state"), failure_message(verdict)])
    assert "\u202e" not in text
    assert text.count("in\\u202e") >= 4
