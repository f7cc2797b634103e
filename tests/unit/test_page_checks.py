"""Claims about the checks on the page: what decided stands first, each with its figure and its limit."""

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.reports.entries import pair_entry
from pytest_asrgate.reports.page.checks import check_blocks
from pytest_asrgate.verdict import failed_to_run

from .builders import Row, entry, pair

GOOD: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs bark", "red dogs bark")]
BAD: list[Row] = [("a", "the cat", "a hat"), ("b", "red dogs bark", "red dogs bark")]


def test_failing_checks_come_first_and_unlimited_ones_last() -> None:
    """A reader sees at the top what decided, and at the end what was only measured."""
    (block,) = check_blocks([entry(BAD, GOOD, {"wer": 90.0, "wer_delta": 1.0})])
    assert (block.rows[0].name, block.rows[0].status, block.rows[0].outcome) == ("wer_delta", "fail", "fail")
    assert {row.name for row in block.rows[1:3]} == {"wer", "errors"}
    assert {row.outcome for row in block.rows[3:]} == {"none"}
    assert {row.status for row in block.rows[3:]} == {"reported"}


def test_figures_have_units_and_differences_a_sign() -> None:
    """A rate is in percent, a difference in percentage points with its sign, a limit without one."""
    (block,) = check_blocks([entry(BAD, GOOD, {"wer": 90.0, "wer_delta": 1.0})])
    rows = {row.name: row for row in block.rows}
    assert (rows["wer"].figure, rows["wer"].limit) == ("40.00 %", "90.00 %")
    assert (rows["wer_delta"].figure, rows["wer_delta"].limit) == ("+40.00 pp", "1.00 pp")


def test_a_pair_without_checks_says_why() -> None:
    """What kept a pair from being judged stands where its checks would."""
    (block,) = check_blocks([pair_entry(failed_to_run(pair(), DatasetError("m.jsonl: holds no rows")))])
    assert (block.rows, block.outcome) == ((), "error")
    assert "m.jsonl: holds no rows" in block.reason
