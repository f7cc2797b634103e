"""Claims about the percentile bootstrap, over utterances and over speakers, of rates and of paired differences."""

import numpy as np
import pytest
from scipy import stats

from pytest_asrgate.records import Counts, Interval, RowStatus, UtteranceScore
from pytest_asrgate.statistics import paired_bootstrap, pooled_interval, rate_interval
from pytest_asrgate.statistics.bootstrap import _FEW

GENERATOR = np.random.default_rng(11)
WORDS = GENERATOR.integers(5, 25, 600)
BEFORE = GENERATOR.binomial(WORDS, 0.10)
AFTER = BEFORE + GENERATOR.binomial(2, 0.05, 600)


def _paired(size: int) -> tuple[Interval, Interval, Interval]:
    """The three intervals of the set above, repeated until it has `size` utterances."""
    times = size // 600
    found = paired_bootstrap(
        np.tile(BEFORE, times).tolist(), np.tile(AFTER, times).tolist(), np.tile(WORDS, times).tolist()
    )
    assert found is not None
    return found


def test_the_paired_interval_is_that_of_scipy() -> None:
    """Both resample pairs of utterances: the ends agree within the noise of 1,000 resamples."""

    def delta(a: np.ndarray, b: np.ndarray, w: np.ndarray, axis: int) -> np.ndarray:
        return np.asarray(100 * (b.sum(axis=axis) - a.sum(axis=axis)) / w.sum(axis=axis))

    theirs = stats.bootstrap(
        (BEFORE, AFTER, WORDS), delta, paired=True, vectorized=True, n_resamples=4000, method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    ours = _paired(600)[2]
    width = theirs.high - theirs.low
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.08 * width)


def test_one_set_of_draws_serves_all_three() -> None:
    """The intervals of the two rates are those that each rate has alone, digit for digit."""
    before, after, _ = _paired(600)
    assert before == rate_interval(BEFORE.tolist(), WORDS.tolist())
    assert after == rate_interval(AFTER.tolist(), WORDS.tolist())


@pytest.mark.parametrize("size", [_FEW + 200, 20_400])
def test_larger_sets_are_drawn_otherwise_and_mean_the_same(size: int) -> None:
    """Whatever way a large set is drawn, its interval is the small one's, narrower by the root of its size."""
    assert size % 600 == 0
    small, large = _paired(600), _paired(size)
    shrunk = (600 / size) ** 0.5
    for one, other in zip(small, large, strict=True):
        assert other.high - other.low == pytest.approx((one.high - one.low) * shrunk, rel=0.12)
        assert (other.high + other.low) / 2 == pytest.approx(
            (one.high + one.low) / 2, abs=0.1 * (one.high - one.low)
        )


def test_kept_draws_are_those_of_the_seed() -> None:
    """Up to some thousand utterances the draws are kept for the next call; still they are those of seed 42."""
    drawn = np.random.default_rng(42).integers(0, 600, (1000, 600))
    rates = 100 * BEFORE[drawn].sum(axis=1) / WORDS[drawn].sum(axis=1)
    low, high = np.percentile(rates, [2.5, 97.5])
    for _ in range(2):
        found = rate_interval(BEFORE.tolist(), WORDS.tolist())
        assert found is not None
        assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


def test_speakers_are_drawn_whole() -> None:
    """Six speakers, each wholly right or wholly wrong: the interval is that of six coins, not of sixty."""
    errors = [1] * 30 + [0] * 30
    speakers = [f"s{number // 10}" for number in range(60)]
    blocked, free = rate_interval(errors, [1] * 60, speakers), rate_interval(errors, [1] * 60)
    assert blocked is not None
    assert free is not None
    assert (blocked.low, blocked.high) == pytest.approx((100 / 6, 500 / 6))
    assert 40 > free.low > blocked.low


def test_error_rows_leave_with_their_speakers() -> None:
    """A row without counts is no utterance of its speaker's: what is left keeps its own."""
    kinds = [(Counts(words=4), "a"), (None, "b"), (Counts(1, 0, 0, 4), "c"), (Counts(2, 0, 0, 4), "c")]
    rows = [
        UtteranceScore(f"u{n}", RowStatus.OK if counts else RowStatus.ERROR, "", "", counts, False)
        for n, (counts, _) in enumerate(kinds)
    ]
    assert pooled_interval(rows) == rate_interval([0, 1, 2], [4, 4, 4])
    assert pooled_interval(rows, [name for _, name in kinds]) == rate_interval(
        [0, 1, 2], [4, 4, 4], ["a", "c", "c"]
    )


@pytest.mark.parametrize("speakers", [None, ["a", "a"]])
def test_without_words_there_is_no_interval(speakers: list[str] | None) -> None:
    """No reference words, no rate; nothing raises."""
    assert paired_bootstrap([1, 0], [0, 1], [0, 0], speakers) is None
    assert rate_interval([1, 0], [0, 0], speakers) is None


def test_a_runaway_output_in_a_large_set_is_drawn_too() -> None:
    """Counts too large to be told by one number are drawn all the same."""
    errors = [10**12, *[1] * _FEW]
    words = [10**13, *[20] * _FEW]
    found = rate_interval(errors, words)
    assert found is not None
    assert found.low < 100 * sum(errors) / sum(words) <= found.high + 1e-9
