"""Properties of scoring: counts add up, order and grouping change nothing, and another algorithm agrees."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.metrics.alignment import aligned_diff
from pytest_asrgate.metrics.normalise import is_null
from pytest_asrgate.metrics.wer import aligned_errors, count_errors, counts_of
from pytest_asrgate.records import Counts
from tests.unit.builders import Row, scored
from tests.unit.properties import STEADY, texts

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "cat", "東京", "don't"]), max_size=9).map(" ".join)
TEXTS = st.one_of(WORDS, texts())
METRICS = st.sampled_from(["wer", "cer"])
# Hypotheses of None are error rows.
ROWS = st.lists(st.tuples(TEXTS, st.one_of(TEXTS, st.none())), min_size=1, max_size=6).map(
    lambda pairs: [(f"u{number}", *pair) for number, pair in enumerate(pairs)]
)


def _distance(left: Sequence[str], right: Sequence[str]) -> int:
    """The edit distance by the textbook's recurrence (Levenshtein, 1966), row by row."""
    before = list(range(len(right) + 1))
    for number, one in enumerate(left, start=1):
        row = [number]
        for place, other in enumerate(right):
            row.append(min(before[place + 1] + 1, row[-1] + 1, before[place] + (one != other)))
        before = row
    return before[-1]


def _tokens(text: str, metric: str) -> list[str]:
    words = text.split()
    return list("".join(words)) if metric == "cer" else words


@STEADY
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5), METRICS)
def test_counts_are_those_of_a_shortest_edit(pairs: list[tuple[str, str]], metric: str) -> None:
    """Hits, substitutions and deletions are the reference; errors are the distance; insertions are the rest."""
    spoken, heard = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    steps = aligned_errors(spoken, heard, metric)
    assert [counts_of(each) for each in steps] == count_errors(spoken, heard, metric)
    for reference, hypothesis, each in zip(spoken, heard, steps, strict=True):
        counts = counts_of(each)
        left, right = _tokens(reference, metric), _tokens(hypothesis, metric)
        assert min(counts.substitutions, counts.deletions, counts.insertions) >= 0
        if is_null(reference):
            assert counts == Counts(insertions=sum(not is_null(token) for token in right))
            continue
        assert each.count("=") + counts.substitutions + counts.deletions == counts.words == len(left)
        assert each.count("=") + counts.substitutions + counts.insertions == len(right)
        assert counts.errors == _distance(left, right)
        assert (counts.errors == 0) == (left == right)


@STEADY
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_perfect_transcript_has_no_error(spoken: list[str]) -> None:
    """Whatever was said, whoever repeats it makes no error but what is heard where nothing was said."""
    score = scored("f32", [(f"u{number}", text, text) for number, text in enumerate(spoken)])
    assert all(
        row.counts is not None and row.counts.errors == 0 for row in score.utterances if not row.null_reference
    )
    assert score.counts.substitutions == score.counts.deletions == 0


@STEADY
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_utterances_changes_nothing(rows: list[Row], random: Random) -> None:
    """Pooled counts, and what each utterance counts for, are the same in any order."""
    mixed = list(rows)
    random.shuffle(mixed)
    one, other = scored("f32", rows), scored("f32", mixed)
    assert one.counts == other.counts
    assert {row.id: row for row in one.utterances} == {row.id: row for row in other.utterances}


@STEADY
@given(ROWS, st.integers(0, 6))
def test_two_sets_pool_to_their_whole(rows: list[Row], cut: int) -> None:
    """Where a set is cut in two, the counts of the parts add up to those of the whole: no rate is averaged."""
    whole = scored("f32", rows)
    parts = [scored("f32", part) for part in (rows[:cut], rows[cut:]) if part]
    assert sum((part.counts for part in parts), Counts()) == whole.counts
    assert [row for part in parts for row in part.utterances] == list(whole.utterances)
    assert whole.counts == sum((row.counts for row in whole.utterances if row.counts), Counts())


@STEADY
@given(ROWS)
def test_an_error_row_counts_for_nothing(rows: list[Row]) -> None:
    """Rows without a transcript have no counts, no step and no flag, and leave those of the others alone."""
    score = scored("f32", rows)
    for row, (_, _, heard) in zip(score.utterances, rows, strict=True):
        assert (row.counts is None) == (heard is None)
        assert heard is not None or not (row.steps or row.loop or row.drift or row.empty or row.hallucination)
    kept = [row for row in rows if row[2] is not None]
    assert score.counts == (scored("f32", kept).counts if kept else Counts())


@STEADY
@given(WORDS, WORDS, st.integers(5, 60), METRICS)
def test_a_diff_shows_both_sides_in_order(reference: str, hypothesis: str, width: int, metric: str) -> None:
    """All tokens of both texts stand in the diff, in order and once; marks are the errors that were counted."""
    lines = aligned_diff(reference, hypothesis, width, metric=metric)
    shown = {
        side: " ".join(line.removeprefix(f"{side}: ") for line in lines if line.startswith(f"{side}:")).split()
        for side in ("REF", "HYP")
    }
    for side, text in (("REF", reference), ("HYP", hypothesis)):
        words = [word for word in shown[side] if set(word) != {"*"}]
        assert [word.lower() for word in words] == [token.lower() for token in _tokens(text, metric)]
    marks = "".join(line for line in lines if not line.startswith(("REF:", "HYP:"))).split()
    counts = count_errors([reference], [hypothesis], metric)[0]
    assert sorted(marks) == sorted("S" * counts.substitutions + "D" * counts.deletions + "I" * counts.insertions)
