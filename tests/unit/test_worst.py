"""Claims about which utterances are shown first, and about the lines of them on a terminal."""

from pytest_asrgate.reports.changed_lines import changed_lines
from pytest_asrgate.reports.worst import cost_text, worst_utterances

from .builders import Row, entry

BEFORE: list[Row] = [
    ("same", "the cat sat", "the cat sat"),
    ("one", "the cat sat", "the cat sat"),
    ("two", "the cat sat", "the cat sat"),
    ("better", "the cat sat", "a hat"),
    ("lost", "the cat sat", "the cat sat"),
]
AFTER: list[Row] = [
    ("same", "the cat sat", "The cat sat."),
    ("one", "the cat sat", "the hat sat"),
    ("two", "the cat sat", "a hat sat"),
    ("better", "the cat sat", "the cat sat"),
    ("lost", "the cat sat", None),
]


def test_what_lost_most_against_the_baseline_comes_first() -> None:
    """Utterances that did not change are left out, and those that got better come last."""
    rows, what = worst_utterances(entry(AFTER, BEFORE, {"errors": 1}))
    assert [row["id"] for row in rows] == ["two", "one", "better"]
    assert what == "3 changed utterances"


def test_lost_ones_come_first_where_they_are_the_reason() -> None:
    """A pair that could not be judged shows what it could not be judged for."""
    rows, what = worst_utterances(entry(AFTER, BEFORE, {"errors": 0}))
    assert rows[0]["id"] == "lost"
    assert what == "1 utterance without an output and 3 changed utterances"


def test_without_a_baseline_those_with_errors_are_the_worst() -> None:
    """A baseline's own pair shows its errors."""
    rows, what = worst_utterances(entry([row for row in AFTER if row[2] is not None]))
    assert [row["id"] for row in rows] == ["two", "one"]
    assert what == "2 utterances with errors"


def test_the_cost_stands_beside_the_baselines() -> None:
    """Errors of how many words, and what the baseline had; for a lost one what went wrong."""
    made = entry(AFTER, BEFORE, {"errors": 1})
    texts = {row["id"]: cost_text(row, made) for row in made["utterances"]}
    assert texts["two"] == "2 errors in 3 words, baseline 0"
    assert texts["lost"] == "lost.wav: crashed"
    turned = entry(BEFORE, AFTER, {"errors": 1})
    assert cost_text(turned["utterances"][4], turned) == "0 errors in 3 words, the baseline has no output"


def test_lines_show_the_aligned_words_and_what_is_remarkable() -> None:
    """Each utterance has its id, its cost, its marks, and the words above each other."""
    rows: list[Row] = [("quiet", "the cat sat", ""), ("noise", "", "you")]
    lines = changed_lines(entry(rows, [("quiet", "the cat sat", "the cat sat"), ("noise", "", "")]), 80)
    assert lines[0] == "q8_0 on prompts: 2 changed utterances, worst first:"
    assert lines[1] == "  quiet: 3 errors in 3 words, baseline 0 [empty, catastrophic]"
    assert lines[2] == "    REF: THE CAT SAT"
    assert "  noise: 1 error in 0 words, baseline 0 [hallucination]" in lines


def test_only_ten_are_shown_and_the_rest_are_counted() -> None:
    """A terminal is no place for thousands; where all of them are is said."""
    many: list[Row] = [(f"u{number}", "the cat sat", "the hat sat") for number in range(14)]
    lines = changed_lines(entry(many, [(name, text, text) for name, text, _ in many]), None)
    assert sum("errors in" in line or "error in" in line for line in lines) == 10
    assert lines[-1] == "  and 4 more (the page made with --asrgate-html has all)"


def test_nothing_changed_is_no_lines() -> None:
    """A pair that is as its baseline has nothing to show."""
    assert changed_lines(entry(BEFORE, BEFORE), 80) == []


def test_a_terminals_width_is_kept_and_its_control_codes_are_not_sent() -> None:
    """Long texts go on in further lines, and what would move the cursor is shown as an escape."""
    words = " ".join(["cat"] * 60)
    made = entry([("\x1b[2J", words, f"{words} \x1b[1A hat")], [("\x1b[2J", words, words)])
    lines = changed_lines(made, 60)
    assert max(map(len, lines)) <= 60
    assert "\x1b" not in "".join(lines)
