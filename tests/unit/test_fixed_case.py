"""Claims about one known comparison, whose figures were measured elsewhere, and about empty ones.

2,620 utterances of 20 words, 174 of which differ, 2.970 % against 3.261 %: the intervals of the rates overlap, and
yet the variant is surely worse.
"""

import json
import math

import pytest

from pytest_asrgate.records import CheckStatus, Comparison, Interval, Outcome
from pytest_asrgate.reports.entries import pair_entry
from pytest_asrgate.scoring import compare
from pytest_asrgate.statistics import paired_bootstrap, paired_difference
from pytest_asrgate.verdict import decide

from .builders import Row, pair, scored

WORDS = [20] * 2620
# 1,556 errors, most of them one at a time, some in fives.
BASELINE = [5] * 191 + [1] * 601 + [0] * 1828
# 147 words lost one by one, 11 times two at once, 16 words gained: 153 more errors in 174 utterances.
CHANGES = [1] * 12 + [0] * 179 + [-1] * 16 + [0] * 600 + [1] * 135 + [2] * 11 + [0] * 1667
VARIANT = [before + change for before, change in zip(BASELINE, CHANGES, strict=True)]


def test_the_known_case_has_its_known_figures() -> None:
    """Rates, their intervals, and the paired interval [0.237, 0.345] pp, by our bounds and by the bootstrap."""
    assert sum(change != 0 for change in CHANGES) == 174
    assert 100 * sum(BASELINE) / sum(WORDS) == pytest.approx(2.970, abs=0.001)
    assert 100 * sum(VARIANT) / sum(WORDS) == pytest.approx(3.261, abs=0.001)
    found = paired_difference(BASELINE, VARIANT, WORDS)
    assert found is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((0.237, 0.345), abs=0.01)
    drawn = paired_bootstrap(BASELINE, VARIANT, WORDS)
    assert drawn is not None
    before, after, delta = drawn
    assert (before.low, before.high) == pytest.approx((2.734, 3.211), abs=0.01)
    assert (after.low, after.high) == pytest.approx((3.020, 3.507), abs=0.01)
    assert (delta.low, delta.high) == pytest.approx((0.237, 0.345), abs=0.01)


def test_the_weak_rule_passes_what_the_paired_bound_fails() -> None:
    """The intervals overlap, so the published rule sees nothing; a margin of 0.2 pp is surely exceeded."""
    found, drawn = paired_difference(BASELINE, VARIANT, WORDS), paired_bootstrap(BASELINE, VARIANT, WORDS)
    assert found is not None
    assert drawn is not None
    before, after, _ = drawn
    assert after.low < before.high
    assert found.lower95 > 0.2


def _equal(rows: list[Row]) -> Comparison:
    found = compare(scored("q8_0", rows), scored("f32", rows))
    assert found is not None
    return found


def test_identical_outputs_are_explained() -> None:
    """No difference passes a margin that the words can show, and the check says that nothing differs."""
    rows: list[Row] = [(f"u{number}", "the big red dog ran", "the big dog ran") for number in range(100)]
    verdict = decide(pair({"non_inferiority": 1.0}), scored("q8_0", rows), scored("f32", rows))
    (check,) = [check for check in verdict.checks if check.name == "non_inferiority"]
    assert (verdict.outcome, check.status) == (Outcome.PASS, CheckStatus.PASS)
    assert check.detail.startswith("no utterance's errors differ; upper one-sided 95% bound +0.6")
    assert _equal(rows).bootstrap == Interval(0.0, 0.0)


def test_all_words_wrong_on_both_sides_is_no_difference() -> None:
    """100 % against 100 % differs by nothing and has a finite bound."""
    found = _equal([(f"u{number}", "the big red dog ran", "nothing at all was right") for number in range(100)])
    assert (found.rate_pct, found.delta_pp) == (100.0, 0.0)
    assert found.rate_interval == Interval(100.0, 100.0)
    assert 0 < found.upper95 < 1


def test_all_words_wrong_on_one_side_is_a_sure_loss() -> None:
    """0 % against 100 %, each utterance alike: a loss far above any margin, with finite bounds."""
    right: list[Row] = [(f"u{number}", "the big red dog ran", "the big red dog ran") for number in range(60)]
    wrong: list[Row] = [(name, text, "") for name, text, _ in right]
    verdict = decide(pair({"non_inferiority": 10.0}), scored("q8_0", wrong), scored("f32", right))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.comparison is not None
    assert verdict.comparison.delta_pp == 100.0
    assert 50 < verdict.comparison.lower95 < 100 < verdict.comparison.upper95 < math.inf


@pytest.mark.parametrize(
    "rows",
    [
        [("u1", "the big red dog", "the big red cat")],
        [("u1", "the big red dog", None), ("u2", "the big red dog", "a dog")],
        [("u1", "", "you"), ("u2", "Uh.", "")],
        [("u1", "", "you you"), ("u2", "dog", "dog")],
        [("u1", "dog", ""), ("u2", "dog", "")],
        [("u1", "dog", None), ("u2", "cat", None)],
    ],
    ids=["one utterance", "one is left", "null references", "silence beside a word", "all empty", "all lost"],
)
@pytest.mark.parametrize("speakers", [False, True], ids=["independent", "one speaker each"])
def test_no_verdict_holds_a_nan(rows: list[Row], speakers: bool) -> None:
    """Whatever is missing, every figure is a number, an infinity that the report writes as null, or absent."""
    names = tuple(name for name, _, _ in rows) if speakers else None
    limits = {"non_inferiority": 1.0, "wer": 50.0, "wer_delta": 1.0, "ci": "overlap", "errors": 2}
    clean: list[Row] = [(name, text, text) for name, text, _ in rows]
    verdict = decide(pair(limits), scored("q8_0", rows, speakers=names), scored("f32", clean, speakers=names))
    # Fails on NaN and infinity alike.
    json.dumps(pair_entry(verdict, with_utterances=True), allow_nan=False)
    assert verdict.outcome is not Outcome.PASS
    values = [check.value for check in verdict.checks if isinstance(check.value, float)]
    assert not any(math.isnan(value) for value in values)
    assert verdict.reason
