"""Claims about MAPSSWE, the matched pairs test of sentence segments."""

import math
import statistics as averages

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.statistics import matched_pairs
from pytest_asrgate.statistics.matched_pairs import segment_differences

# One utterance of each system, and the errors of the second less those of the first, segment by segment.
EXAMPLES = {
    "nothing wrong": ("=====", "=====", []),
    "one error": ("=====", "==S==", [1]),
    "an error that only the baseline makes": ("==S==", "=====", [-1]),
    "the same error on both sides": ("==S==", "==S==", [0]),
    "one correct word between is too little": ("=S===", "===S=", [0]),
    "two correct words part two segments": ("=S====", "====S=", [-1, 1]),
    "a word that one side lost is not correct": ("=S=D==", "=S====", [-1]),
    "an insertion between breaks a pair of correct words": ("=S=====", "=S=I=S==", [2]),
    "an insertion after two correct words stands alone": ("=S=====", "=S==I===", [0, 1]),
    "an insertion before the first word": ("====", "I====", [1]),
    "an insertion after the last word, of either side": ("====", "====II", [2]),
    "and of the other": ("====I", "====", [-1]),
    "both at once": ("====I", "====II", [1]),
    "everything lost": ("====", "DDDD", [4]),
    "words where nobody speaks": ("", "III", [3]),
    "silence on both sides": ("", "", []),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_where_segments_begin_and_end(name: str) -> None:
    """A segment ends at two words in a row that both got right, with nothing inserted between them."""
    baseline, variant, expected = EXAMPLES[name]
    assert segment_differences([baseline], [variant]) == expected


def test_an_utterance_ends_a_segment() -> None:
    """Errors at the end of one utterance and the start of the next are two segments."""
    assert segment_differences(["===S", "===="], ["====", "SS=="]) == [-1, 2]


def _walked(baseline: str, variant: str) -> list[int]:
    """The segments of one utterance found word by word, as one would on paper."""

    def words(steps: str) -> list[tuple[int, int]]:
        """(insertions before the word, whether the word is wrong), and last what stands after all words."""
        found, inserted = [], 0
        for step in steps:
            if step == "I":
                inserted += 1
            else:
                found.append((inserted, int(step != "=")))
                inserted = 0
        return [*found, (inserted, 0)]

    segments, open_, difference, correct = [], False, 0, 0
    pairs = list(zip(words(baseline), words(variant), strict=True))
    for (before_inserted, before_wrong), (after_inserted, after_wrong) in pairs:
        for wrong in ((before_inserted, after_inserted), (before_wrong, after_wrong)):
            if any(wrong):
                open_, correct = True, 0
                difference += wrong[1] - wrong[0]
        if open_ and not before_wrong and not after_wrong:
            correct += 1
            if correct == 2:
                segments.append(difference)
                open_, difference, correct = False, 0, 0
    return [*segments, difference] if open_ else segments


@st.composite
def _alignments(draw: st.DrawFn) -> tuple[str, str]:
    """Alignments of two systems over one reference of up to 12 words."""
    size = draw(st.integers(0, 12))

    def one() -> str:
        marks = draw(st.lists(st.sampled_from("====SD"), min_size=size, max_size=size))
        inserted = draw(st.lists(st.sampled_from([0, 0, 0, 0, 1, 2]), min_size=size + 1, max_size=size + 1))
        return "".join("I" * many + mark for many, mark in zip(inserted, [*marks, ""], strict=True))

    return one(), one()


@given(st.lists(_alignments(), max_size=6))
def test_segments_are_those_of_a_walk(pairs: list[tuple[str, str]]) -> None:
    """Whatever the alignments, the segments are those that a walk from word to word finds."""
    expected = [difference for pair in pairs for difference in _walked(*pair)]
    assert segment_differences([before for before, _ in pairs], [after for _, after in pairs]) == expected


@given(st.lists(_alignments(), max_size=6))
def test_every_error_is_in_one_segment(pairs: list[tuple[str, str]]) -> None:
    """The differences add up to the difference of the pooled errors, and exchanged sides turn every sign."""
    before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def errors(sides: list[str]) -> int:
        return sum(len(steps) - steps.count("=") for steps in sides)

    found = segment_differences(before, after)
    assert sum(found) == errors(after) - errors(before)
    assert segment_differences(after, before) == [-difference for difference in found]


def test_the_statistic_is_the_mean_over_its_standard_error() -> None:
    """Four segments of 1, 1, -1 and 2 errors: mean, deviation with n - 1, z and two-sided p."""
    found = matched_pairs(["====", "====", "==S=", "===="], ["=S==", "==D=", "====", "=SS="])
    differences = [1, 1, -1, 2]
    z = averages.mean(differences) / (averages.stdev(differences) / 2)
    assert (found.segments, found.undefined) == (4, "")
    assert found.mean == pytest.approx(0.75)
    assert found.standard_deviation == pytest.approx(averages.stdev(differences))
    assert found.z == pytest.approx(z)
    assert found.p == pytest.approx(2 * (1 - averages.NormalDist().cdf(z)))


def test_what_is_undefined_is_none_and_explained() -> None:
    """Too few segments, or equal ones, have no z and no p, and never a NaN."""
    cases = [
        (["===="], ["===="], 0, None, None, "neither system errs"),
        ([], [], 0, None, None, "neither system errs"),
        (["===="], ["=S=="], 1, 1.0, None, "one segment says nothing of spread"),
        (["=S=="], ["==S="], 1, 0.0, None, "one segment says nothing of spread"),
        (["=S==", "D==="], ["==S=", "D==="], 2, 0.0, 0.0, "both err equally often in every segment"),
        (["====", "===="], ["=S==", "===I="], 2, 1.0, 0.0, "every segment differs by the same number of errors"),
    ]
    for before, after, segments, mean, deviation, why in cases:
        found = matched_pairs(before, after)
        assert (found.segments, found.mean, found.standard_deviation) == (segments, mean, deviation)
        assert (found.z, found.p, found.undefined) == (None, None, why)


def test_a_huge_z_has_a_p_of_zero_at_worst() -> None:
    """A thousand losses and one gain: p is a number, however small."""
    found = matched_pairs(["===="] * 1000 + ["=S=="], ["=S=="] * 1000 + ["===="])
    assert found.z is not None
    assert found.z > 100
    assert found.p == 0.0
    assert math.isfinite(found.z)


def test_alignments_over_other_references_are_refused() -> None:
    """Two alignments of different numbers of reference words cannot be walked together."""
    with pytest.raises(ValueError, match=r"number 2 .* 4 reference words against 3"):
        matched_pairs(["====", "===="], ["====", "==="])
    with pytest.raises(ValueError, match="1 alignments against 2"):
        matched_pairs(["===="], ["====", "===="])
