"""Claims about what an undecided pair is told to do."""

import math
from dataclasses import replace

import pytest

from pytest_asrgate.checks.advice import advice
from pytest_asrgate.records import Comparison, Interval, Resolution

# A spread of 10 pp an utterance and 2.5 quantiles: a margin of m needs (25 / m)² utterances.
SPREAD = Resolution(utterances=100, spread_pp=10.0, between_pp2=0.0, power=2.5, floor_pp=0.1)


def _comparison(delta: float = 0.0, resolution: Resolution = SPREAD) -> Comparison:
    wide = Interval(-9.0, 9.0)
    return Comparison("f32", delta, wide, -9.0, 9.0, resolution, 5.0, wide, wide, wide, resolution.utterances)


@pytest.mark.parametrize(
    ("margin", "delta", "sentence"),
    [
        (1.0, 0.0, "1 pp needs about 530 more utterances"),
        (0.25, 0.0, "0.25 pp needs about 9,900 more utterances"),
        (0.001, 0.0, "0.001 pp needs over 1,000,000 more utterances"),
        (2.49, 0.0, "2.49 pp needs 1 more utterance"),
        (
            1.0,
            1.5,
            "1 pp needs about 530 more utterances where there is no difference; "
            "a true difference as the seen one, +1.50 pp, needs about 2,400 more utterances",
        ),
        (
            3.0,
            2.5,
            "the set is large enough for 3 pp where there is no difference; "
            "a true difference as the seen one, +2.50 pp, needs about 2,400 more utterances",
        ),
        (
            3.0,
            3.0,
            "the set is large enough for 3 pp where there is no difference; "
            "a true difference as the seen one, +3.00 pp, cannot be told from the margin",
        ),
    ],
)
def test_how_many_more_utterances_a_margin_needs(margin: float, delta: float, sentence: str) -> None:
    """(25/m)² utterances less the 100 there are: for the margin, or for its distance from the difference."""
    assert advice(_comparison(delta), margin) == sentence


def test_speakers_that_differ_cannot_be_outnumbered() -> None:
    """Where the speakers' own variance exceeds the margin's, more utterances of theirs are not the mend."""
    blocks = replace(SPREAD, between_pp2=0.25)
    assert advice(_comparison(0.0, blocks), 1.0) == (
        "no number of utterances of these speakers decides 1 pp: add speakers"
    )
    assert blocks.utterances_for(1.25) == math.inf
    assert blocks.utterances_for(2.5) == pytest.approx(100 / 0.75)


def test_no_margin_is_finer_than_the_words_allow() -> None:
    """Without any spread the three words that could still be hiding set the number of utterances."""
    equal = Resolution(100, 0.0, 0.0, 2.5, 0.3)
    assert equal.margin_pp == 0.3
    assert equal.utterances_for(0.1) == pytest.approx(300)
    assert advice(_comparison(0.0, equal), 0.1) == "0.1 pp needs about 200 more utterances"


def test_one_utterance_is_told_to_get_company() -> None:
    """Infinite bounds have advice of their own, and no number."""
    alone = Resolution(1, math.inf, math.inf, math.inf, math.inf)
    assert advice(_comparison(0.0, alone), 1.0) == "one utterance says nothing about spread: use more"
    assert alone.margin_pp == alone.utterances_for(5.0) == math.inf


def test_what_the_set_resolves_is_what_it_needs() -> None:
    """The two figures are one: a set of n utterances resolves the margin for which n are needed."""
    assert SPREAD.margin_pp == pytest.approx(2.5)
    assert SPREAD.utterances_for(SPREAD.margin_pp) == pytest.approx(100)


def test_an_estimate_below_the_set_says_so() -> None:
    """Bounds of few changes are wider than the normal estimate: then it is a few more, and never none."""
    sentence = advice(_comparison(-3.0), 3.0)
    assert sentence.endswith("-3.00 pp, needs a few more utterances")
