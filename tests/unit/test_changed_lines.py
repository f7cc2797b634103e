"""Claims about the width of the lines of changed utterances on a terminal."""

import pytest

from pytest_asrgate.reports.changed_lines import changed_lines
from pytest_asrgate.reports.layout import text_width

from .builders import Row, entry

BEFORE: list[Row] = [("one", "the cat sat", "the cat sat"), ("lost", "the cat sat", "the cat sat")]
AFTER: list[Row] = [("one", "the cat sat", "the hat sat"), ("lost", "the cat sat", None)]


@pytest.mark.parametrize("width", [40, 50, 80, 120])
def test_what_went_wrong_with_a_lost_one_is_wrapped(width: int) -> None:
    """An engine's last words may be many; they go on in indented lines, and on no terminal stay in one."""
    made = entry(AFTER, BEFORE, {"errors": 0})
    for row in made["utterances"]:
        if row["errors"] is None:
            row["detail"] = "lost.wav: the engine ended with code 11 after " + "one thing and another " * 12
    lines = changed_lines(made, width)
    assert max(map(text_width, lines)) <= width
    start = next(number for number, line in enumerate(lines) if line.startswith("  lost: "))
    assert all(line.startswith("    ") for line in lines[start + 1 : start + 3])
    assert " ".join(lines).split() == [word for line in changed_lines(made, None) for word in line.split()]
    assert sum("one thing" in line for line in changed_lines(made, None)) == 1


@pytest.mark.parametrize("width", [40, 50, 80, 120])
def test_raw_texts_are_wrapped(width: int) -> None:
    """What is shown as it was heard, because it loops or the normaliser hides it, keeps to the terminal too."""
    hidden = "Call at -5. " * 20
    rows: list[Row] = [("loop", "the cat", "the cat " + "the dog " * 30), ("hidden", hidden, "call at 5 " * 20)]
    made = entry(rows, [("loop", "the cat", "the cat"), rows[1]], {"masked": 0})
    lines = changed_lines(made, width)
    assert any(line.strip().startswith("RAW: ") for line in lines)
    assert any("-5." in line for line in lines)
    assert max(map(text_width, lines)) <= width
