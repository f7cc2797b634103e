"""Claims about counting word errors, among them the trap table's rows about null references and loops."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.metrics import wer
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.metrics.utterances import score_utterances
from pytest_asrgate.metrics.wer import aligned_errors, count_errors, pool
from pytest_asrgate.records import Counts, Hypothesis, RowStatus, Utterance, UtteranceScore

WORDS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat"]), max_size=7)


def _scored(*rows: tuple[str, str]) -> tuple[UtteranceScore, ...]:
    spoken = [Utterance(f"u{n}", Path("a.wav"), reference, language="en") for n, (reference, _) in enumerate(rows)]
    heard = [Hypothesis(f"u{n}", text) for n, (_, text) in enumerate(rows)]
    return score_utterances(spoken, heard, scoring_rule(["en"]))


def _distance(left: list[str], right: list[str]) -> int:
    """Edit distance over words, the plain way."""
    row = list(range(len(right) + 1))
    for number, word in enumerate(left, start=1):
        previous, row[0] = row[0], number
        for column, other in enumerate(right, start=1):
            previous, row[column] = (
                row[column],
                min(row[column] + 1, row[column - 1] + 1, previous + (word != other)),
            )
    return row[-1]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "counts"),
    [
        ("the cat sat", "the cat sat", Counts(words=3)),
        ("the cat sat", "the hat sat", Counts(substitutions=1, words=3)),
        ("the cat sat", "the sat", Counts(deletions=1, words=3)),
        ("the cat sat", "the cat sat down", Counts(insertions=1, words=3)),
        ("the cat sat", "", Counts(deletions=3, words=3)),
        ("", "x y", Counts(insertions=2)),
        ("", "", Counts()),
        ("", "♪ - x", Counts(insertions=1)),
        ("d", " ".join(["d"] * 50), Counts(insertions=49, words=1)),
    ],
    ids=["equal", "sub", "del", "ins", "empty", "null", "silence", "signs on silence", "loop"],
)
def test_counts_of_one_pair(reference: str, hypothesis: str, counts: Counts) -> None:
    """Each kind of error is counted as such, unclipped, and on a null reference every word is an insertion."""
    assert count_errors([reference], [hypothesis]) == [counts]


def test_counts_keep_the_order_of_rows_around_null_references() -> None:
    """Null references between others shift nothing."""
    assert count_errors(["", "a b", "", "c"], ["x", "a", "", "c d"]) == [
        Counts(insertions=1),
        Counts(deletions=1, words=2),
        Counts(),
        Counts(insertions=1, words=1),
    ]


def test_nothing_to_count_is_nothing() -> None:
    """No rows give no counts."""
    assert count_errors([], []) == []
    assert pool([]) == Counts()


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_errors_are_the_edit_distance(rows: list[tuple[list[str], list[str]]]) -> None:
    """The errors of each row are the least edits from one text to the other, and its words are the reference's."""
    found = count_errors([" ".join(left) for left, _ in rows], [" ".join(right) for _, right in rows])
    assert [counts.errors for counts in found] == [_distance(left, right) for left, right in rows]
    assert [counts.words for counts in found] == [len(left) for left, _ in rows]
    for counts, (left, right) in zip(found, rows, strict=True):
        assert counts.insertions - counts.deletions == len(right) - len(left)


def test_words_on_an_empty_reference_are_pooled_and_flagged() -> None:
    """Two words on silence beside one right word are 2 errors over 1 word and one hallucination."""
    silence, right = _scored(("", "x y"), ("d", "d"))
    assert pool([silence, right]) == Counts(insertions=2, words=1)
    assert pool([silence, right]).rate_pct == 200.0
    assert (silence.hallucination, right.hallucination) == (True, False)


def test_a_reference_that_normalises_to_nothing_is_null() -> None:
    """`Uh.` says nothing, so what is heard on it is a hallucination and not a substitution."""
    (row,) = _scored(("Uh.", "thank you for watching"))
    assert row.null_reference
    assert row.hallucination
    assert row.counts == Counts(insertions=4)


def test_a_loop_is_counted_in_full() -> None:
    """`thank you` fifty times over for once is 98 insertions over 2 words: 4,900 %."""
    (row,) = _scored(("thank you", "thank you " * 50))
    assert row.counts == Counts(insertions=98, words=2)
    assert row.counts.rate_pct == 4900.0


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [("don't go", "don’t go"), ("hello world", "\ufeffhel\u200blo world"), ("café", "cafe\u0301")],
)
def test_invisible_differences_are_no_errors(reference: str, hypothesis: str) -> None:
    """The rows of the trap table about apostrophes, format characters and composition score 0."""
    (row,) = _scored((reference, hypothesis))
    assert row.counts is not None
    assert row.counts.errors == 0
    assert row.counts.words > 0


def test_the_scorer_normalises_exactly_once() -> None:
    """`oh oh` reaches the counts as 00: a second pass would have made it 0."""
    (row,) = _scored(("oh oh", "oh oh"))
    assert (row.reference, row.hypothesis) == ("00", "00")


def test_rates_of_rows_are_pooled_over_words() -> None:
    """One wrong word of 1 beside 9 right words is 10 %, not the 50 % of averaged rates."""
    rows = _scored(("cat", "hat"), ("the dog ran to the big red old barn", "the dog ran to the big red old barn"))
    assert pool(rows).rate_pct == 10.0


def test_an_error_row_has_no_counts_and_no_text() -> None:
    """What an engine left before it crashed is not scored, not even as deletions, and its reason is kept."""
    spoken = [Utterance("a", Path("a.wav"), "one cat", "en"), Utterance("b", Path("b.wav"), "two cats", "en")]
    heard = [Hypothesis("a", "one", RowStatus.ERROR, detail="timeout"), Hypothesis("b", "two cats")]
    lost, fine = score_utterances(spoken, heard, scoring_rule(["en"]))
    assert (lost.counts, lost.hypothesis, lost.detail) == (None, "", "timeout")
    assert pool([lost, fine]) == Counts(words=2)


@pytest.mark.parametrize("status", [RowStatus.TRUNCATED, RowStatus.REPETITION])
def test_partial_rows_are_scored_on_their_partial_text(status: RowStatus) -> None:
    """A truncated or looping row keeps its text, its score and its flag."""
    spoken = [Utterance("a", Path("a.wav"), "the big cat", "en")]
    (row,) = score_utterances(spoken, [Hypothesis("a", "the big", status)], scoring_rule(["en"]))
    assert row.status is status
    assert row.counts == Counts(deletions=1, words=3)


def test_speech_that_gave_only_signs_is_empty() -> None:
    """Dots and notes for a spoken sentence are an empty output."""
    (row,) = _scored(("the cat sat", "... ♪"))
    assert row.empty
    assert row.counts is not None
    assert (row.counts.errors, row.counts.words) == (3, 3)


def test_rows_of_unequal_number_are_refused() -> None:
    """A hypothesis short is an error, never a silently shorter score."""
    spoken = [Utterance("a", Path("a.wav"), "one", "en"), Utterance("b", Path("b.wav"), "two", "en")]
    with pytest.raises((ValueError, IndexError)):
        score_utterances(spoken, [Hypothesis("a", "one")], scoring_rule(["en"]))


def test_characters_are_counted_without_white_space() -> None:
    """Under cer every code point counts, and blanks on either side cost nothing."""
    assert count_errors(["今天 天气", "ab"], ["今天天汽", "a b c"], "cer") == [
        Counts(substitutions=1, words=4),
        Counts(insertions=1, words=2),
    ]
    assert count_errors(["", "日"], ["ああ", ""], "cer") == [Counts(insertions=2), Counts(deletions=1, words=1)]


def test_each_row_is_normalised_by_its_own_language() -> None:
    """In one set an English contraction and Hindi digits are each made equal by their own normaliser."""
    spoken = [Utterance("a", Path(), "I can't", "en"), Utterance("b", Path(), "१२ किताब", "hi")]
    heard = [Hypothesis("a", "i can not"), Hypothesis("b", "12 किताब।")]
    rows = score_utterances(spoken, heard, scoring_rule(["en", "hi"]))
    assert pool(rows) == Counts(words=5)


def test_a_text_that_no_normaliser_can_read_is_an_error_row() -> None:
    """Broken output that makes the library fail is an error row with the reason, and never a score."""
    spoken = [Utterance("a", Path(), "one", "en"), Utterance("b", Path(), "two", "en")]
    heard = [Hypothesis("a", "1" * 5000), Hypothesis("b", "two")]
    broken, fine = score_utterances(spoken, heard, scoring_rule(["en"]))
    assert (broken.status, broken.counts) == (RowStatus.ERROR, None)
    assert broken.detail == "the recognised text: normaliser whisper-english cannot read the text (AssertionError)"
    assert fine.counts == Counts(words=1)


def test_a_reference_that_no_normaliser_can_read_is_named() -> None:
    """A broken reference is the test set's fault, so it ends the scoring and names the utterance."""
    spoken = [Utterance("a-7", Path(), "1" * 5000, "en")]
    with pytest.raises(ScoringError, match="the reference of 'a-7': normaliser whisper-english cannot read"):
        score_utterances(spoken, [Hypothesis("a-7", "one")], scoring_rule(["en"]))


def test_what_the_normaliser_hid_is_noted_only_where_texts_became_equal() -> None:
    """A dropped sign is masked, a counted error is not, and neither is what was asked to be removed."""
    hidden, counted, same = _scored(("it was -5", "it was 5"), ("-5 cats", "5 hats"), ("Hello.", "hello"))
    assert (hidden.masked, counted.masked, same.masked) == (("sign",), (), ())
    assert hidden.reference_text == "it was -5"
    spoken = [Utterance("a", Path(), "hello", "en")]
    (row,) = score_utterances(spoken, [Hypothesis("a", "[S01] hello")], scoring_rule(["en"], dediarize=True))
    assert (row.masked, row.counts) == ((), Counts(words=1))


def test_loops_and_drift_are_found_in_raw_texts() -> None:
    """What the normaliser drops may repeat itself; another script is drift by the language of its row."""
    spoken = [Utterance("a", Path(), "one cat", "en"), Utterance("b", Path(), "किताब पढ़ो अभी", "hi")]
    heard = [Hypothesis("a", "[Music] " * 9), Hypothesis("b", "kitaab padho abhi")]
    rows = score_utterances(spoken, heard, scoring_rule(["en", "hi"]))
    assert [(row.loop, row.drift) for row in rows] == [(True, False), (False, True)]


def test_an_error_row_neither_loops_nor_drifts() -> None:
    """What an engine left before it crashed is not looked at."""
    spoken = [Utterance("a", Path(), "किताब पढ़ो अभी", "hi")]
    (row,) = score_utterances(
        spoken, [Hypothesis("a", "kitaab padho abhi " * 9, RowStatus.ERROR)], scoring_rule(["hi"])
    )
    assert (row.loop, row.drift) == (False, False)


def test_flags_of_a_score_file_are_taken() -> None:
    """Rows that were normalised elsewhere are judged by what was seen there, and else by their normalised texts."""
    spoken = [Utterance(name, Path(), "one cat", "en") for name in "ab"]
    told = {"normalised_reference": "one cat"}
    heard = [Hypothesis("a", "one cat", loop=True, drift=True, **told), Hypothesis("b", "one cat " * 9, **told)]
    rows = score_utterances(spoken, heard, scoring_rule(["en"]))
    assert [(row.loop, row.drift) for row in rows] == [(True, True), (True, False)]


def test_alignments_do_not_depend_on_what_else_is_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are aligned in portions; each comes out as it does alone, null references among them."""
    references = ["the cat sat", "", "on a mat", "uh", "the the", "a cat"]
    hypotheses = ["the hat sat", "noise", "on mat", "", "the", "a big cat"]
    alone = [
        steps
        for pair in zip(references, hypotheses, strict=True)
        for steps in aligned_errors(*([text] for text in pair))
    ]
    assert alone == ["=S=", "I", "=D=", "D", "=D", "=I="]
    monkeypatch.setattr(wer, "_AT_ONCE", 2)
    assert aligned_errors(references, hypotheses) == alone


@pytest.mark.parametrize("gap", ["\t", "\r", "\n", "\u2028", "\u3000", " \x85 "])
def test_any_white_space_parts_words(gap: str) -> None:
    """Where nothing is normalised, a tab or a line end between two words does not make one of them."""
    assert aligned_errors([f"a{gap}b"], ["a b"]) == ["=="]
    assert aligned_errors(["a b"], [f"a{gap}b"]) == ["=="]
