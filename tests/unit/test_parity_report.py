"""Claims about the lines of `asrgate parity`, and about what counts as equal."""

from pytest_asrgate.parity import Parity
from pytest_asrgate.reports.parity import parity_lines
from pytest_asrgate.scoring import compare

from .builders import Row, scored

ROWS: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs", "red dogs")]


def test_nothing_differs_only_where_the_same_utterances_failed() -> None:
    """A text that differs is a difference, and so is an error on one side only."""
    assert Parity("threads", 2, compared=2).equal
    assert Parity("threads", 2, compared=1, lost=("a",), usual_lost=("a",)).equal
    assert not Parity("threads", 2, compared=2, differing=("a",)).equal
    assert not Parity("threads", 2, compared=1, lost=("a",)).equal
    assert not Parity("threads", 2, compared=1, usual_lost=("a",)).equal
    assert not Parity("threads", 2, compared=0, lost=("a",), usual_lost=("b",)).equal


def test_without_words_there_is_no_delta() -> None:
    """Silence has texts to compare, and no rate."""
    (line,) = parity_lines(Parity("threads", 2, compared=1))
    assert line == "threads 2: 0 of 1 text differ, 0 errors against 0, no delta, since no reference words are left"


def test_bounds_of_one_utterance_are_unbounded() -> None:
    """Infinite bounds are a word, never inf or nan."""
    comparison = compare(scored("q8_0", ROWS[:1]), scored("f32", ROWS[:1]))
    (line,) = parity_lines(Parity("threads", 2, compared=1, comparison=comparison))
    assert "delta +0.00 pp (paired 95 % unbounded to unbounded)" in line


def test_doubt_and_ids_have_lines_of_their_own() -> None:
    """Few ids of many are named, and control characters of strangers stay out of the terminal."""
    ids = tuple(f"u{number}" for number in range(8))
    found = Parity("threads", 4, doubt="\x1b", compared=8, differing=ids, lost=("x",), usual_lost=("y",))
    _, differing, lost, usual, doubt = parity_lines(found)
    assert differing == "  text or status differs: u0, u1, u2, u3, u4 and 3 more"
    assert (lost, usual) == ("  failed with threads 4: x", "  failed under the gate's recipe: y")
    assert "\x1b" not in doubt
