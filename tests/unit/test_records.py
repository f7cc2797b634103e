"""Claims about the values that flow through the gate."""

import dataclasses

import pytest

from pytest_asrgate.records import Counts, Outcome, RowStatus, UtteranceScore


def _row(counts: Counts | None, reference: str, hypothesis: str, *, null: bool = False) -> UtteranceScore:
    status = RowStatus.OK if counts is not None else RowStatus.ERROR
    return UtteranceScore("u1", status, reference, hypothesis, counts, null)


def test_counts_add_up_field_by_field() -> None:
    """The sum of two counts holds the sums of each kind of error and of the words."""
    assert Counts(1, 2, 3, 10) + Counts(4, 0, 1, 7) == Counts(5, 2, 4, 17)


def test_errors_are_substitutions_deletions_and_insertions() -> None:
    """Errors are the three kinds together, words are not among them."""
    assert Counts(1, 2, 3, 100).errors == 6


def test_rates_are_pooled_and_never_averaged() -> None:
    """One wrong word of one beside nineteen right ones is 5 %, where the mean of the rates says 50 %."""
    wrong, right = Counts(substitutions=1, words=1), Counts(words=19)
    assert (wrong.rate_pct, right.rate_pct) == (100.0, 0.0)
    assert (wrong + right).rate_pct == 5.0


def test_rate_may_exceed_one_hundred_percent() -> None:
    """A loop of 49 surplus words over one word is 4,900 %, unclipped."""
    assert Counts(insertions=49, words=1).rate_pct == 4900.0


def test_no_words_have_no_rate() -> None:
    """Without reference words there is no rate, not even where words were inserted."""
    assert Counts(insertions=2).rate_pct is None


@pytest.mark.parametrize(
    ("row", "empty", "hallucination"),
    [
        (_row(Counts(deletions=2, words=2), "two words", ""), True, False),
        (_row(Counts(words=2), "two words", "two words"), False, False),
        (_row(Counts(insertions=2), "", "you you", null=True), False, True),
        (_row(Counts(), "", "", null=True), False, False),
        (_row(None, "two words", ""), False, False),
        (_row(None, "", "", null=True), False, False),
    ],
    ids=["nothing heard", "right", "invented", "silence", "error row", "error row on silence"],
)
def test_flags_of_an_utterance(row: UtteranceScore, empty: bool, hallucination: bool) -> None:
    """Empty means that speech gave nothing, a hallucination that silence gave words; error rows are neither."""
    assert (row.empty, row.hallucination) == (empty, hallucination)


def test_values_are_frozen() -> None:
    """A value cannot be changed once it is made."""
    counts = Counts(1, 2, 3, 4)
    with pytest.raises(dataclasses.FrozenInstanceError):
        counts.words = 5  # type: ignore[misc]


def test_statuses_and_outcomes_read_as_they_are_written_in_reports() -> None:
    """The words of rows are lower case, those of verdicts capitals, as the reports promise."""
    assert [str(status) for status in RowStatus] == ["ok", "truncated", "repetition", "error"]
    assert [str(outcome) for outcome in Outcome] == ["PASS", "FAIL", "INCONCLUSIVE", "ERROR"]
