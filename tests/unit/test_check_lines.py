"""Claims about the checks of a pair as aligned lines."""

import pytest

from pytest_asrgate.reports.check_lines import check_lines
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.layout import text_width
from pytest_asrgate.verdict import decide

from .builders import Row, entry, pair, scored

GOOD: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs bark", "red dogs bark")]
BAD: list[Row] = [("a", "the cat", "a hat"), ("b", "red dogs bark", "red dogs bark")]
MADE = entry(BAD, GOOD, {"wer": 90.0, "wer_delta": 1.0})


def test_every_check_is_there_with_its_limit() -> None:
    """Also what has no limit is a line, since it was measured."""
    heading, titles, *rows = check_lines(MADE)
    assert heading == "q8_0 on prompts: FAIL"
    assert titles.split() == ["status", "check", "figure", "limit", "detail"]
    assert len(rows) == len(MADE["checks"])
    (found,) = (row.split() for row in rows if row.split()[1] == "wer_delta")
    assert found[:6] == ["FAIL", "wer_delta", "+40.00", "pp", "1.00", "pp"]


@pytest.mark.parametrize("width", range(40, 141))
def test_every_line_fits_and_nothing_is_lost(width: int) -> None:
    """Details are folded beside or below the columns, and columns that do not fit stand below each other."""
    lines = check_lines(MADE, width)
    assert max(map(text_width, lines)) <= width
    assert all(line.strip() for line in lines)
    assert " ".join(lines).split() == " ".join(check_lines(MADE)).split()


def test_a_long_name_in_the_heading_is_wrapped_at_a_blank() -> None:
    """The heading goes on in an indented line; without a terminal it is one line."""
    made: PairEntry = {**MADE, "variant": "moonshine-tiny-streaming-Q4_K_M", "dataset": "calls-of-last-winter"}
    assert check_lines(made, 60)[:2] == [
        "moonshine-tiny-streaming-Q4_K_M on calls-of-last-winter:",
        "  FAIL",
    ]
    assert check_lines(made)[0] == "moonshine-tiny-streaming-Q4_K_M on calls-of-last-winter: FAIL"


def test_a_slice_with_a_long_name_fits() -> None:
    """A check of a slice is folded in its own column, so that its figures stay below each other."""
    name = "place:kitchen with the window open"
    tags = {"a": (name,), "b": (name,)}
    judged = pair(slices={name: {"wer": 1.0}})
    made = pair_entry(decide(judged, scored("q8_0", BAD, tags=tags), scored("f32", GOOD, tags=tags)))
    assert "slice place" in "".join(check_lines(made))
    lines = check_lines(made, 50)
    assert max(map(text_width, lines)) <= 50
    assert " ".join(lines).split() == " ".join(check_lines(made)).split()


def test_a_wide_terminal_changes_nothing() -> None:
    """With room for all there is one line a check."""
    assert check_lines(MADE, 1000) == check_lines(MADE)
