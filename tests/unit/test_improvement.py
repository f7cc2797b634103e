"""Claims about the probability of improvement."""

import random

import pytest

from pytest_asrgate.statistics import paired_bootstrap, probability_of_improvement


def test_identical_outputs_are_a_coin_toss() -> None:
    """Where no utterance differs every resample is a tie, and ties count one half."""
    assert probability_of_improvement([1, 0, 2], [1, 0, 2], [5, 5, 5]) == 50.0


def test_a_variant_that_is_never_worse() -> None:
    """One gain of three utterances: better wherever it is drawn, 1 - (2/3)³ of the time, and half of the ties."""
    found = probability_of_improvement([1, 0, 0], [0, 0, 0], [5, 5, 5])
    better = 1 - (2 / 3) ** 3
    assert found == pytest.approx(100 * (better + (1 - better) / 2), abs=3)


def test_all_better_and_all_worse() -> None:
    """One error fewer in every utterance is better in every resample, one more in none."""
    assert probability_of_improvement([1] * 5, [0] * 5, [5] * 5) == 100.0
    assert probability_of_improvement([0] * 5, [1] * 5, [5] * 5) == 0.0


@pytest.mark.parametrize("size", [7, 300, 25_000])
def test_exchanged_sides_add_up(size: int) -> None:
    """What one side gains the other loses: the two probabilities are 100 together, with the same draws."""
    draw = random.Random(size)  # noqa: S311 - a test's counts are no secret
    before, after = ([draw.randrange(3) for _ in range(size)] for _ in range(2))
    words = [draw.randint(1, 9) for _ in range(size)]
    there, back = (
        probability_of_improvement(before, after, words),
        probability_of_improvement(after, before, words),
    )
    assert there is not None
    assert back is not None
    # Above 20,000 utterances the draws are by distinct rows, whose order the sides change.
    assert there + back == pytest.approx(100.0, abs=1e-9 if size <= 20_000 else 5.0)


def test_it_is_deterministic() -> None:
    """The seed is fixed: the same counts give the same figure."""
    counts = [0, 1, 0, 2, 1], [1, 0, 0, 1, 1], [4, 4, 4, 4, 4]
    assert probability_of_improvement(*counts) == probability_of_improvement(*counts)


@pytest.mark.parametrize(("seed", "shift"), [(seed, shift) for seed in range(5) for shift in (0.0, 0.1, 0.2)])
def test_it_agrees_with_the_interval_of_the_same_draws(seed: int, shift: float) -> None:
    """An interval of the delta that lies wholly under 0 means better in 97.5 % of resamples, and the reverse."""
    draw = random.Random(seed)  # noqa: S311 - a test's counts are no secret
    before = [int(draw.random() < 0.3) for _ in range(200)]
    after = [int(draw.random() < 0.3 - shift) for _ in range(200)]
    drawn = paired_bootstrap(before, after, [10] * 200)
    share = probability_of_improvement(before, after, [10] * 200)
    assert drawn is not None
    assert share is not None
    delta = drawn[2]
    assert (delta.high < 0) == (share > 97.4) or delta.high == 0
    assert (delta.low > 0) == (share < 2.6) or delta.low == 0


def test_without_words_there_is_none() -> None:
    """Silence has no rate, so nothing is better."""
    assert probability_of_improvement([0], [1], [0]) is None
    assert probability_of_improvement([], [], []) is None
