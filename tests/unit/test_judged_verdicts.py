"""Claims about judged scores in a verdict: rates, bounds, judge errors, and every way in which there is none."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pytest_asrgate.records import (
    Check,
    CheckStatus,
    Counts,
    Judged,
    Judgement,
    Outcome,
    SemanticScore,
    SemanticUtterance,
)
from pytest_asrgate.verdict import decide
from tests.unit.builders import judged, pair, scored

WORDS = "turn the lights off in the kitchen please now thanks"
ROWS = [(f"u{n}", WORDS, WORDS) for n in range(40)]


def _utterance(number: int, errors: int | None) -> SemanticUtterance:
    """An utterance of ten words with so many substitutions that matter; None for one that the judge failed on."""
    failed = errors is None
    counts = None if errors is None else Counts(errors, 0, 0, 10)
    return SemanticUtterance(
        f"u{number}", WORDS, WORDS, (), (), counts, asked=True, judge_error="no valid reply" if failed else ""
    )


def _score(*errors: int | None, judge: str = "openai/judge") -> SemanticScore:
    """Forty utterances; those at the end have no errors."""
    padded = [*errors, *[0] * (40 - len(errors))]
    return judged(*[_utterance(n, each) for n, each in enumerate(padded)], judge=judge)


def _both(
    score: SemanticScore | None = None,
    baseline: SemanticScore | None = None,
    *,
    problem: str = "",
    baseline_problem: str = "",
) -> Judgement:
    return Judgement(Judged(score, baseline, problem, baseline_problem))


def _checks(limits: Mapping[str, object], judgement: Judgement) -> tuple[Outcome, str, dict[str, Check], bool]:
    gate_pair = pair({"wer": 50.0, **limits})
    gate_pair = replace(gate_pair, dataset=replace(gate_pair.dataset, judged=("semantic",)))
    verdict = decide(gate_pair, scored("q8_0", ROWS), scored("f32", ROWS), judgement=judgement)
    return verdict.outcome, verdict.reason, {check.name: check for check in verdict.checks}, verdict.incomplete


def test_rate_and_difference_are_judged_like_the_error_rate() -> None:
    """The pooled rate, the paired delta and its three-way bound face their limits; ids stand costliest first."""
    both = _both(_score(1, 3), _score(1))
    outcome, _, found, incomplete = _checks({"semantic_wer": 1.0, "semantic_wer_delta": 0.75}, both)
    assert (outcome, incomplete) == (Outcome.PASS, False)
    assert (found["semantic_wer"].value, found["semantic_wer"].unit) == (1.0, "%")
    assert found["semantic_wer"].utterances == ("u1", "u0")
    assert found["semantic_wer"].detail == "4 substitutions, 0 deletions, 0 insertions over 400 words"
    assert found["semantic_wer_delta"].value == pytest.approx(0.75)
    assert found["semantic_wer_delta"].utterances == ("u1",)
    assert found["semantic_non_inferiority"].status is CheckStatus.REPORTED
    outcome, reason, found, _ = _checks({"semantic_wer": 0.99}, both)
    assert outcome is Outcome.FAIL
    assert reason.startswith("semantic_wer: 4 substitutions")
    outcome, reason, _, _ = _checks({"semantic_wer_delta": 0.74}, both)
    assert (outcome, reason.partition(":")[0]) == (Outcome.FAIL, "semantic_wer_delta")


@pytest.mark.parametrize(
    ("errors", "margin", "outcome"),
    [
        ((), 2.0, Outcome.PASS),
        ((9,) * 20, 2.0, Outcome.FAIL),
        ((1,) * 8, 2.0, Outcome.INCONCLUSIVE),
    ],
)
def test_the_margin_is_three_way(errors: tuple[int, ...], margin: float, outcome: Outcome) -> None:
    """A loss surely within the margin passes, one surely above it fails, and what is between is undecided."""
    got, reason, found, _ = _checks({"semantic_non_inferiority": margin}, _both(_score(*errors), _score()))
    assert got is outcome
    assert found["semantic_non_inferiority"].limit == margin
    assert outcome is Outcome.PASS or reason.startswith("semantic_non_inferiority: ")


@pytest.mark.parametrize(
    ("limit", "outcome"), [(None, Outcome.ERROR), (0, Outcome.ERROR), (1, Outcome.ERROR), (2, Outcome.PASS)]
)
def test_judge_errors_are_errors_and_never_scores(limit: int | None, outcome: Outcome) -> None:
    """An utterance without a ruling has no counts on either side; more of them than allowed is ERROR."""
    limits = {} if limit is None else {"judge_errors": limit}
    got, reason, found, incomplete = _checks(limits, _both(_score(None, 5, None), _score(5, 5)))
    assert (got, incomplete) == (outcome, True)
    assert found["judge_errors"].value == 2
    assert found["judge_errors"].utterances == ("u0", "u2")
    assert found["judge_errors"].detail.startswith("u0: no valid reply; 2 of 40: below")
    assert got is Outcome.PASS or reason.startswith("judge_errors: u0: no valid reply")
    if got is Outcome.ERROR:
        # What is left would look like a better system, and so has no figure.
        assert {found[name].value for name in ("semantic_wer", "semantic_wer_delta")} == {None}
        assert found["semantic_wer"].detail == "the judge failed on 2 of 40 utterances"
    else:
        # u0 and u2 leave both sides, and u1 is equal on both.
        assert found["semantic_wer_delta"].value == 0.0
        assert found["semantic_wer"].detail.endswith("over 380 words")


def test_a_baseline_that_the_judge_failed_on_is_none() -> None:
    """A limit on the difference is ERROR where the baseline's own texts were not judged, never a pass."""
    both = _both(
        _score(1), _score(None), baseline_problem="the baseline f32 is incomplete: 1 judge error; u0: cut off"
    )
    outcome, reason, found, _ = _checks({"semantic_wer_delta": 1.0}, both)
    assert outcome is Outcome.ERROR
    assert reason == "semantic_wer_delta: the baseline f32 is incomplete: 1 judge error; u0: cut off"
    assert found["semantic_wer"].value == 0.25
    outcome, _, found, _ = _checks({}, both)
    assert outcome is Outcome.PASS
    assert "semantic_wer_delta" not in found


def test_judge_errors_beyond_the_baselines() -> None:
    """The baseline's own judge errors count against it, and new ones are named."""
    outcome, reason, found, _ = _checks(
        {"judge_errors": 5, "judge_errors_delta": 0}, _both(_score(None, None), _score(None))
    )
    assert outcome is Outcome.FAIL
    assert found["judge_errors_delta"].value == 1
    assert reason == "judge_errors_delta: 2 against the baseline's 1; new: 'u1'"


def test_a_judge_that_failed_everywhere_is_no_rate() -> None:
    """Without one ruling there is no rate, and a limit on it is ERROR with the reason, not zero."""
    none = _score(*[None] * 40)
    outcome, _, found, _ = _checks({"semantic_wer": 5.0, "judge_errors": 40}, _both(none, _score()))
    assert outcome is Outcome.ERROR
    assert found["semantic_wer"].value is None
    assert found["semantic_wer"].detail == "the judge failed on 40 of 40 utterances"
    assert found["semantic_wer_delta"].value is None


def test_rules_alone_are_labelled_a_bound() -> None:
    """What rules alone give is named an upper bound, and a difference of two of them a heuristic."""
    both = _both(_score(1, judge="rules"), _score(judge="rules"))
    _, _, found, _ = _checks({}, both)
    assert "an upper bound: by rules alone" in found["semantic_wer"].detail
    for name in ("semantic_wer_delta", "semantic_non_inferiority"):
        assert "a heuristic: the difference of two upper bounds" in found[name].detail
    _, _, found, _ = _checks({}, _both(_score(1), _score()))
    assert "bound:" not in found["semantic_wer"].detail
    assert "heuristic" not in found["semantic_wer_delta"].detail


@pytest.mark.parametrize(
    ("judgement", "why"),
    [
        (_both(problem="the judge is off"), "the judge is off"),
        (_both(_score(), baseline_problem="no baseline here"), "no baseline here"),
        (_both(_score(), _score(judge="another")), "judged by openai/judge, and f32 by another"),
    ],
)
def test_a_judged_limit_without_a_score_is_an_error(judgement: Judgement, why: str) -> None:
    """A limit that is set and was not measured is ERROR, with the reason."""
    outcome, reason, found, _ = _checks({"semantic_wer_delta": 1.0}, judgement)
    assert outcome is Outcome.ERROR
    assert reason == f"semantic_wer_delta: {why}"
    assert found["semantic_wer_delta"].status is CheckStatus.ERROR


def test_what_is_not_bought_is_not_measured() -> None:
    """A limit on meaning where the data set buys no judgement is ERROR; that no judge failed there is true."""
    rows, before = scored("q8_0", ROWS), scored("f32", ROWS)
    verdict = decide(pair({"semantic_wer": 5.0}), rows, before)
    assert verdict.outcome is Outcome.ERROR
    assert verdict.reason == 'semantic_wer: dataset.prompts.judged does not list "semantic"'
    verdict = decide(pair({"judge_errors": 0, "judge_errors_delta": 0}), rows, before)
    assert verdict.outcome is Outcome.PASS
    assert {check.detail for check in verdict.checks if check.name.startswith("judge_errors")} == {
        "nothing of this data set is judged"
    }


def test_the_baseline_faces_the_absolute_limits_alone() -> None:
    """The baseline's own item has a semantic rate and no difference."""
    gate_pair = pair({"wer": 50.0, "semantic_wer": 1.0, "semantic_non_inferiority": 1.0})
    verdict = decide(gate_pair, scored("f32", ROWS), None, is_baseline=True, judgement=_both(_score(9)))
    assert verdict.outcome is Outcome.FAIL
    names = {check.name for check in verdict.checks if "semantic" in check.name}
    assert names == {"semantic_wer"}


def test_a_warning_of_the_judge_reaches_the_verdict() -> None:
    """A transcript that looks like a verdict is told beside the pair."""
    odd = replace(_utterance(0, 0), warning="the transcript looks like a verdict")
    verdict = decide(pair({}), scored("q8_0", ROWS[:1]), None, judgement=_both(judged(odd)))
    assert "u0: the transcript looks like a verdict" in verdict.warnings
