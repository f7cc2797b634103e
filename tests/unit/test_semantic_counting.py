"""From labelled differences to S, D, I and a rate."""

import math

import pytest

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.records import Counts, Difference, Label
from pytest_asrgate.semantic.alignment import Step, align
from pytest_asrgate.semantic.counting import calculate_wer, cost_of, counts_of_differences
from tests.unit.semantic_texts import text_of


@pytest.mark.parametrize(
    ("counts", "rate"),
    [
        ((0, 0, 0, 29), 0.0),
        ((1, 0, 0, 29), 100 / 29),
        ((2, 0, 0, 30), 200 / 30),
        ((3, 1, 0, 32), 12.5),
        ((0, 0, 2, 7), 200 / 7),
        ((0, 0, 49, 1), 4900.0),
        ((2, 3, 0, 5), 100.0),
        ((0, 0, 0, 0), None),
        ((0, 0, 3, 0), None),
    ],
)
def test_the_rate_is_errors_over_reference_words(counts: tuple[int, int, int, int], rate: float | None) -> None:
    """In percent, never clipped, and none where there are no reference words."""
    assert calculate_wer(*counts) == (None if rate is None else pytest.approx(rate, abs=1e-12))


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ((-3, 0, 0, 10), "substitutions must be a whole number from 0, not -3"),
        ((0, 1.5, 0, 10), "deletions must be a whole number from 0, not 1.5"),
        ((0, 0, math.nan, 10), "insertions must be a whole number from 0, not nan"),
        ((0, 0, 0, math.inf), "reference_words must be a whole number from 0, not inf"),
        ((True, 0, 0, 10), "substitutions must be a whole number from 0, not True"),
        ((0, 0, "2", 10), "insertions must be a whole number from 0, not '2'"),
        ((0, 0, None, 10), "insertions must be a whole number from 0, not None"),
        ((6, 5, 0, 10), "substitutions and deletions are 11 together, which is more than the 10 reference words"),
        ((1, 0, 0, 0), "substitutions and deletions are 1 together, which is more than the 0 reference words"),
        ((10**5000, 0, 0, 0), "substitutions and deletions are a huge number together"),
    ],
)
def test_counts_that_no_alignment_has_are_refused(counts: tuple[int, int, int, int], sentence: str) -> None:
    """Negative, broken or impossible counts raise one clear sentence, and never give a rate."""
    with pytest.raises(ScoringError) as caught:
        calculate_wer(*counts)
    assert str(caught.value).startswith(sentence)


def cost(reference: str, hypothesis: str) -> tuple[int, int, int]:
    """S, D and I of all edits between two texts."""
    left, right = text_of(reference), text_of(hypothesis)
    return cost_of(left, right, align(left, right))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("cross-country", "koscanti", (1, 0, 0)),
        ("cross-country", "kosk anti", (1, 0, 0)),
        ("cross country", "koscanti", (1, 1, 0)),
        ("go cross-country", "go", (0, 1, 0)),
        ("go", "go cross-country", (0, 0, 1)),
        ("koscanti", "cross-country", (1, 0, 0)),
        ("red apple", "blue-pear", (2, 0, 0)),
        ("one-way two-way", "x y z v", (2, 0, 0)),
        ("x-y", "v-w-z", (1, 0, 0)),
        ("a b", "a c b d", (0, 0, 2)),
    ],
)
def test_a_compound_counts_once(reference: str, hypothesis: str, expected: tuple[int, int, int]) -> None:
    """One of the reference is one error whatever replaces it; one of the hypothesis hides no other error."""
    assert cost(reference, hypothesis) == expected


def test_no_steps_cost_nothing() -> None:
    """Equal and joined steps are free."""
    left, right = text_of("a wi-fi b"), text_of("a wifi b")
    assert cost_of(left, right, align(left, right)) == (0, 0, 0)
    assert cost_of(left, right, [Step("=", (0, 1), (0, 1))]) == (0, 0, 0)


def test_only_errors_are_counted() -> None:
    """What is the same, and what is open, adds nothing; N is that of the reference whatever was judged."""
    rows = [
        Difference(1, "a", "b", 1, 0, 0, Label.ERROR),
        Difference(2, "c d", "", 0, 2, 0, Label.SAME),
        Difference(3, "", "e", 0, 0, 1, Label.OPEN),
        Difference(4, "f g", "h i j", 2, 0, 1, Label.ERROR),
    ]
    assert counts_of_differences(rows, 12) == Counts(3, 0, 1, 12)
    assert counts_of_differences([], 12) == Counts(0, 0, 0, 12)
