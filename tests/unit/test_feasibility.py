"""Claims about margins that are told to be out of reach before anything is decoded."""

import math
from dataclasses import replace

import pytest

from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.feasibility import unreachable_margins
from pytest_asrgate.statistics import effective_groups, identical_bound, paired_difference

from .builders import loaded, pair, utterances

SET = loaded(utterances(*["the big red dog ran"] * 60))


def _told(margin: object, data: LoadedDataset = SET) -> list[str]:
    return unreachable_margins([(pair({"non_inferiority": margin}), data)])


def test_a_margin_under_what_identical_outputs_leave_is_told() -> None:
    """300 words leave about 1 pp open: 0.9 is out of reach and told with the figures, 1.1 is not."""
    assert identical_bound(300, 60) == pytest.approx(1.0, abs=0.05)
    (sentence,) = _told(0.9)
    assert sentence.startswith("prompts has 300 words: even identical outputs leave 1.0")
    assert "the margin of q8_0 is 0.9" in sentence
    assert _told(1.1) == []


def test_it_is_what_a_verdict_on_identical_outputs_would_say() -> None:
    """The figure is the upper bound of two systems without any difference, with and without speakers."""
    words, lopsided = [5] * 60, ["a"] * 40 + ["b"] * 10 + ["c"] * 10
    for speakers, groups in ((None, 60), ([f"s{number % 6}" for number in range(60)], 6), (lopsided, 2.0)):
        found = paired_difference([1] * 60, [1] * 60, words, speakers)
        assert found is not None
        assert effective_groups(words, speakers) == pytest.approx(groups)
        assert found.upper95 == pytest.approx(identical_bound(300, groups))


def test_few_speakers_leave_more_open() -> None:
    """The same words of three speakers are told, where those of sixty independent utterances are not."""
    few = loaded(SET.utterances, speakers=tuple(f"s{number % 3}" for number in range(60)))
    assert _told(1.3) == []
    assert len(_told(1.3, few)) == 1


@pytest.mark.parametrize("margin", ["off", None])
def test_without_a_margin_nothing_is_told(margin: object) -> None:
    """What is not asked for is not out of reach."""
    assert _told(margin) == []


def test_a_margin_of_nothing_is_always_out_of_reach() -> None:
    """No set shows a loss to be exactly none."""
    assert len(_told(0.0)) == 1


def test_variants_with_one_margin_share_a_sentence() -> None:
    """The set and its margin are told once, with all variants that have it."""
    pairs = [(pair({"non_inferiority": 0.5}, variant=name), SET) for name in ("q8_0", "q4_0")]
    (sentence,) = unreachable_margins(pairs)
    assert "the margin of q8_0, q4_0 is 0.5" in sentence


def test_a_set_without_words_is_left_to_its_verdict() -> None:
    """Where nobody speaks there is no rate at all, which the pair itself says."""
    assert _told(0.5, loaded(utterances("", "", "Uh."))) == []


def test_characters_are_counted_where_the_metric_does() -> None:
    """Japanese counts characters: 60 sentences of 5 are 300."""
    rows = [replace(row, language="ja") for row in utterances(*["今日は晴れ"] * 60)]
    (sentence,) = _told(0.9, loaded(rows, languages=("ja",)))
    assert sentence.startswith("prompts has 300 characters")


def test_the_bound_of_one_group_is_infinite() -> None:
    """One utterance or one block says nothing."""
    assert identical_bound(1000, 1) == math.inf


def test_the_margin_of_a_slice_is_told_too() -> None:
    """A tenth of the words leaves ten times as much open: its margin is told by name, the whole set's is not."""
    rows = [replace(row, tags=("in",) if number % 10 == 0 else ()) for number, row in enumerate(SET.utterances)]
    judged = pair({"non_inferiority": 1.1}, slices={"in": {"non_inferiority": 5.0}})
    (sentence,) = unreachable_margins([(judged, loaded(rows))])
    assert sentence.startswith("slice in of prompts has 30 words: even identical outputs leave 1")
    assert "the margin of q8_0 is 5" in sentence
    easy = pair(slices={"in": {"non_inferiority": 30.0, "wer": 5.0}})
    assert unreachable_margins([(easy, loaded(rows))]) == []


def test_a_slice_of_one_speaker_counts_its_utterances() -> None:
    """As in a verdict, a slice that holds one voice only is taken as independent utterances."""
    rows = [replace(row, tags=("in",) if number < 30 else ()) for number, row in enumerate(SET.utterances)]
    data = loaded(rows, speakers=("ann",) * 30 + ("bob",) * 30)
    assert unreachable_margins([(pair(slices={"in": {"non_inferiority": 3.0}}), data)]) == []
    assert len(unreachable_margins([(pair(slices={"in": {"non_inferiority": 1.5}}), data)])) == 1
