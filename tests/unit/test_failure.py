"""Claims about the one message of an item that did not pass."""

import re

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import RowStatus
from pytest_asrgate.reports.failure import failure_message
from pytest_asrgate.verdict import decide, failed_to_run

from .builders import Row, pair, scored

BEFORE: list[Row] = [(f"u{number}", "the big red dog", "the big red dog") for number in range(9)]
AFTER: list[Row] = [
    (name, text, "the big red dog" if number > 6 else "the big" if number == 3 else "the big red cat")
    for number, (name, text, _) in enumerate(BEFORE)
]


def _message(limits: dict[str, object], after: list[Row] = AFTER, before: list[Row] = BEFORE) -> str:
    return failure_message(decide(pair(limits), scored("q8_0", after), scored("f32", before)))


def test_the_first_line_says_who_against_whom_and_what() -> None:
    """Variant, dataset, baseline and verdict come first."""
    assert _message({"wer": 1.0}).splitlines()[0] == "q8_0 on prompts against f32: FAIL"
    alone = failure_message(decide(pair({"wer": 1.0}), scored("q8_0", AFTER), None))
    assert alone.splitlines()[0] == "q8_0 on prompts: FAIL"


def test_every_check_has_a_line() -> None:
    """All checks are listed with status, figure and limit in their units, passed and reported ones too."""
    lines = [line.split() for line in _message({"wer": 1.5, "wer_delta": 0.5, "empty": 3}).splitlines()]
    assert ["status", "check", "figure", "limit", "detail"] in lines
    starts = [line[:6] for line in lines]
    assert ["FAIL", "wer", "22.22", "%", "1.50", "%"] in starts
    assert ["FAIL", "wer_delta", "+22.22", "pp", "0.50", "pp"] in starts
    assert ["PASS", "empty", "0", "3", "0", "of"] in starts
    assert any(line[:2] == ["REPORTED", "truncated"] for line in lines)


def test_the_costliest_utterances_are_shown_first() -> None:
    """Five of the rows that cost most stand under the checks, the worst first, with both texts aligned."""
    text = _message({"wer_delta": 1.0})
    assert "the utterances that cost most (5 of 7):" in text
    lines = text.splitlines()
    place = lines.index("  u3: 2 errors in 4 words, baseline 0")
    assert lines[place + 1 : place + 4] == [
        "    REF: the big RED DOG",
        "    HYP: the big *** ***",
        "                 D   D",
    ]
    assert place < lines.index("  u0: 1 error in 4 words, baseline 0")
    assert "u7" not in text


def test_error_rows_are_shown_with_their_reason() -> None:
    """A crash has no texts to compare, so its reason stands there."""
    lost: list[Row] = [("u0", "the big red dog", None), *BEFORE[1:]]
    text = _message({}, lost)
    assert text.splitlines()[0].endswith(": ERROR")
    assert "\n  u0: u0.wav: crashed" in text


def test_what_the_baseline_lost_is_said() -> None:
    """A row that is wrong here and lost there says so."""
    before: list[Row] = [("u0", "the big red dog", None), *BEFORE[1:]]
    assert "u0: 1 error in 4 words, baseline has an error row" in _message({"wer": 1.0}, AFTER, before)


def test_a_flagged_row_shows_its_flag() -> None:
    """A truncated row is marked as such."""
    score = scored("q8_0", AFTER, statuses={"u3": RowStatus.TRUNCATED})
    text = failure_message(decide(pair({"truncated": 0}), score, scored("f32", BEFORE)))
    assert "  u3: 2 errors in 4 words, baseline 0 [truncated]" in text


def test_an_undecided_pair_says_what_would_decide_it() -> None:
    """INCONCLUSIVE tells both bounds, what the set resolves and what to do."""
    near: list[Row] = [("u0", "the big red dog", "the big red cat"), *BEFORE[1:]]
    text = _message({"non_inferiority": 5.0}, near)
    assert text.splitlines()[0].endswith(": INCONCLUSIVE")
    assert "undecided: one-sided 95% bounds" in text
    assert "resolves" in text
    assert re.search(r"; 5 pp needs about \d+ more utterances where there is no difference", text)


def test_a_pair_that_could_not_run_is_one_line() -> None:
    """Without checks the message is who, what and why."""
    text = failure_message(failed_to_run(pair(), DatasetError("m.jsonl:3 (u1): audio must not be empty")))
    assert text == "q8_0 on prompts: ERROR: m.jsonl:3 (u1): audio must not be empty"


def test_strangers_cannot_move_the_cursor() -> None:
    """Escape codes in ids, references, transcripts and reasons are shown, never sent to the terminal."""
    odd = "\x1b[2J\r\n"
    before: list[Row] = [(f"id{odd}", f"the{odd} cat", "the cat"), (f"x{odd}", "dogs", "dogs")]
    after: list[Row] = [(f"id{odd}", f"the{odd} cat", f"a{odd} hat{odd}"), (f"x{odd}", "dogs", None)]
    text = _message({"wer": 1.0, "errors": 0}, after, before)
    assert "\x1b" not in text
    assert "\r" not in text
    assert r"id\x1b[2J\r\n: " in text
    refused = failure_message(failed_to_run(pair(), DatasetError(f"bad id {odd}")))
    assert refused.count("\n") == 0
    assert "\x1b" not in refused


def test_a_rule_is_shown_by_its_name() -> None:
    """A limit that is a rule and no number is printed as it is."""
    text = _message({"ci": "within-baseline"})
    line = next(line for line in text.splitlines() if " ci " in line)
    assert line.split()[:5] == ["FAIL", "ci", "22.22", "%", "within-baseline"]
