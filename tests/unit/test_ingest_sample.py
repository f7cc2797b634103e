"""Claims about samples: every utterance has the same chance, every speaker his share, the same for one seed."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.corpora.corpus import Clip
from pytest_asrgate.ingest.sample import sample_clips

from .ingests import clip


def _clips(speakers: Sequence[str | None]) -> list[Clip]:
    return [clip(f"u{number:03}", speaker=speaker) for number, speaker in enumerate(speakers)]


SPEAKERS = st.lists(st.sampled_from([None, "", "a", "b", "c", "null"]), min_size=1, max_size=60)


@given(SPEAKERS, st.integers(1, 70), st.integers(-(2**70), 2**70), st.randoms(use_true_random=False))
def test_shares_and_order(speakers: list[str | None], count: int, seed: int, random: object) -> None:
    """N at most, no clip twice, each speaker's share rounded up or down, whatever order the corpus came in."""
    clips = _clips(speakers)
    taken = sample_clips(clips, count, seed)
    assert len(taken) == min(count, len(clips))
    assert list(taken) == sorted(set(taken), key=lambda each: each.id)
    assert set(taken) <= set(clips)
    shares = Counter(each.speaker for each in taken)
    for speaker, number in Counter(speakers).items():
        exact = number * min(count, len(clips))
        assert exact // len(clips) <= shares[speaker] <= -(-exact // len(clips))
    shuffled = list(clips)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert sample_clips(shuffled, count, seed) == taken


FIXED = ["u001", "u007", "u031", "u032"]


def test_the_sample_of_a_seed_is_fixed() -> None:
    """It does not depend on Python's own random numbers, which changed between versions."""
    clips = _clips(["a"] * 20 + ["b"] * 20)
    assert [each.id for each in sample_clips(clips, 4, 0)] == FIXED
    assert [each.id for each in sample_clips(clips, 4, 1)] != FIXED


def test_every_utterance_has_the_same_chance() -> None:
    """Over many seeds each of unequal speakers' clips is taken N/total of the time, and single ones as well."""
    clips = _clips(["a"] * 7 + ["b"] * 2 + ["c"])
    seeds = 3000
    times = Counter(each.id for seed in range(seeds) for each in sample_clips(clips, 3, seed))
    # Five standard deviations of a binomial of 3000 at 0.3.
    for each in clips:
        assert times[each.id] == pytest.approx(0.3 * seeds, abs=5 * (seeds * 0.3 * 0.7) ** 0.5)


def test_without_speakers_it_is_a_plain_sample() -> None:
    """Pairs of clips come together as they would in a draw of single ones."""
    clips = _clips([None] * 6)
    seeds = 3000
    times = Counter((one.id, other.id) for seed in range(seeds) for one, other in [sample_clips(clips, 2, seed)])
    assert len(times) == 15
    assert all(150 <= number <= 250 for number in times.values())
