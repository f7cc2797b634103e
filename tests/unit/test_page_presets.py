"""Claims about the top of the page: each preset's verdict, the worst of its pairs, in words."""

from typing import cast

import pytest

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.page.presets import headline, presets

from .builders import Row, entry

GOOD: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs bark", "red dogs bark")]
BAD: list[Row] = [("a", "the cat", "a hat"), ("b", "red dogs bark", "")]


def _pair(variant: str, dataset: str, verdict: str, **changes: object) -> PairEntry:
    made = {**entry(BAD, GOOD), "variant": variant, "dataset": dataset, "verdict": verdict, **changes}
    return cast("PairEntry", made)


def test_a_preset_is_as_good_as_its_worst_pair() -> None:
    """One failing data set fails the preset, and one that could not be judged leaves it unjudged."""
    pairs = [
        _pair("q8_0", "calls", "PASS"),
        _pair("q8_0", "noise", "FAIL"),
        _pair("q4_0", "calls", "FAIL"),
        _pair("q4_0", "noise", "ERROR"),
    ]
    found = presets(pairs, [0, 0, 0, 0])
    assert {preset.name: preset.outcome for preset in found} == {"q8_0": "fail", "q4_0": "error"}


def test_the_worst_preset_stands_first_and_the_baseline_last() -> None:
    """On a phone the first card is what somebody must decide on."""
    verdicts = {"f32": "PASS", "f16": "PASS", "q8_0": "PASS", "q4_0": "FAIL", "q2_k": "INCONCLUSIVE"}
    pairs = [_pair(name, "calls", verdict, is_baseline=name == "f32") for name, verdict in verdicts.items()]
    assert [preset.name for preset in presets(pairs, [0] * 5)] == ["q4_0", "q2_k", "f16", "q8_0", "f32"]


def test_an_unexpected_failure_is_told_before_an_expected_one() -> None:
    """A preset with both is not said to fail as expected."""
    pairs = [_pair("q4_0", "calls", "FAIL", expected_to_fail=True), _pair("q4_0", "noise", "FAIL")]
    (found,) = presets(pairs, [0, 0])
    assert found.word == "FAIL"
    assert headline([found]) == "1 preset fails"


def test_what_was_left_out_is_named() -> None:
    """A preset that passed what was run says which data sets were not."""
    (found,) = presets([_pair("q8_0", "calls", "PASS")], [3], ["q8_0::noise", "q8_00::calls"])
    assert found.not_judged == ("noise",)
    assert found.pairs[0].rows == 3


def test_a_line_has_rate_difference_and_the_reason() -> None:
    """Whoever decides reads the figures and why, of pairs that do not pass."""
    bad = _pair("q8_0", "calls", "FAIL", reason="wer: above", rate_pct=80.0, delta_pp=79.5)
    good = _pair("q8_0", "noise", "PASS", reason="", rate_pct=None, delta_pp=None)
    (found,) = presets([bad, good], [2, 0])
    assert (found.pairs[0].figures, found.pairs[0].reason) == ("WER 80.00 % (+79.50 pp)", "wer: above")
    assert (found.pairs[1].figures, found.pairs[1].reason) == ("", "")


def test_the_models_file_and_size_are_named() -> None:
    """The size of a model is told in megabytes, and nothing where the engine did not say."""
    known = _pair("q8_0", "calls", "PASS", stamp={"model": "tiny-Q8_0.gguf", "model_bytes": 28_400_000})
    (found,) = presets([known], [0])
    assert found.model == "tiny-Q8_0.gguf, 28.4 MB"
    (found,) = presets([_pair("q8_0", "calls", "PASS", stamp={"model_bytes": True})], [0])
    assert found.model == ""


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        ([], "Nothing was judged"),
        (["baseline"], "No preset was compared"),
        (["baseline", "PASS"], "1 preset passes"),
        (["PASS", "PASS", "expected"], "1 preset fails as expected, 2 presets pass"),
        (
            ["PASS", "ERROR", "INCONCLUSIVE", "FAIL", "FAIL"],
            "1 preset could not be judged, 2 presets fail, 1 preset is undecided, 1 preset passes",
        ),
    ],
)
def test_the_heading_counts_presets_bad_news_first(verdicts: list[str], sentence: str) -> None:
    """Baselines are no presets that somebody decides on."""
    pairs = []
    for number, verdict in enumerate(verdicts):
        changes = {"is_baseline": verdict == "baseline", "expected_to_fail": verdict == "expected"}
        word = {"baseline": "PASS", "expected": "FAIL"}.get(verdict, verdict)
        pairs.append(_pair(f"v{number}", "calls", word, **changes))
    assert headline(presets(pairs, [0] * len(pairs))) == sentence


def test_a_part_of_the_evidence_is_no_plain_pass() -> None:
    """A preset that passed early, or without some utterances, is counted apart, and pairs left out are counted."""
    whole = _pair("f16", "calls", "PASS")
    part = _pair("q8_0", "calls", "PASS", incomplete=True)
    made = presets([whole, part], [0, 0])
    assert headline(made, 2) == "1 preset passes, 1 preset passes, but incomplete, 2 pairs not judged"
    assert headline([], 3) == "Nothing was judged, 3 pairs not judged"


def test_a_baseline_that_fails_is_bad_news_too() -> None:
    """The baseline faces the absolute limits, and what fails there is counted."""
    assert headline(presets([_pair("f32", "calls", "FAIL", is_baseline=True)], [0])) == "1 preset fails"
