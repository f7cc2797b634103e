"""Claims about the checks of a pair as aligned lines."""

import pytest

from pytest_asrgate.reports.check_lines import check_lines

from .builders import Row, entry

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


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
def test_details_go_on_under_themselves(width: int) -> None:
    """On a narrow terminal the columns stay aligned, and details are folded beside or below them."""
    lines = check_lines(MADE, width)
    wide = check_lines(MADE)
    # Figures and names are never broken, so that below some width they alone are wider.
    least = max(len(line[: line.index("  ", 50)]) if "  " in line[50:] else 0 for line in wide)
    assert max(map(len, lines)) <= max(width, least, 62)
    assert " ".join(" ".join(lines).split()) == " ".join(" ".join(wide).split())


def test_a_wide_terminal_changes_nothing() -> None:
    """With room for all there is one line a check."""
    assert check_lines(MADE, 1000) == check_lines(MADE)
