"""Claims about verdicts: the first that applies of ERROR, FAIL, INCONCLUSIVE and PASS."""

import pytest

from pytest_asrgate.config import Thresholds
from pytest_asrgate.config.thresholds import INTENT, JUDGE_ERRORS, NEEDS_BASELINE, SEMANTIC
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import CheckStatus, Outcome, RowStatus
from pytest_asrgate.verdict import decide, failed_to_run

from .builders import CONTRACT, Row, pair, scored, statuses

CLEAN: list[Row] = [(f"u{number}", "the big red dog", "the big red dog") for number in range(30)]
# Three of 120 words lost: surely no better, but 30 utterances cannot tell whether it is 1 pp worse.
NEAR: list[Row] = [(name, text, "the big red" if name in {"u0", "u1", "u2"} else text) for name, text, _ in CLEAN]
FAR: list[Row] = [(name, text, "the big") for name, text, _ in CLEAN]
LOST: list[Row] = [("u0", "the big red dog", None), *CLEAN[1:]]


def test_a_variant_within_all_limits_passes() -> None:
    """Nothing above its limit is PASS, complete, without reason or warning."""
    limits = {"wer": 5.0, "wer_delta": 1.0, "ci": "overlap", "non_inferiority": 5.0, "errors": 0, "empty": 0}
    verdict = decide(pair(limits), scored("q8_0", CLEAN), scored("f32", CLEAN))
    assert (verdict.outcome, verdict.reason, verdict.warnings) == (Outcome.PASS, "", ())
    assert (verdict.incomplete, verdict.is_baseline, verdict.expected_to_fail) == (False, False, False)
    assert {name for name, status in statuses(verdict).items() if status is CheckStatus.PASS} == set(limits)
    assert verdict.comparison is not None
    assert (verdict.variant, verdict.dataset) == ("q8_0", "prompts")


@pytest.mark.parametrize(
    ("rows", "limits", "outcome", "decided_by"),
    [
        (NEAR, {"non_inferiority": 1.0}, Outcome.INCONCLUSIVE, "non_inferiority: undecided"),
        (NEAR, {"non_inferiority": 1.0, "wer": 1.0}, Outcome.FAIL, "wer: "),
        (FAR, {"non_inferiority": 1.0}, Outcome.FAIL, "non_inferiority: lower one-sided 95% bound"),
        (FAR, {"wer": 1.0, "intent": 90.0}, Outcome.ERROR, 'intent: dataset.prompts.judged does not list "intent"'),
        (NEAR, {"non_inferiority": 1.0, "rtf": 1.0}, Outcome.ERROR, "rtf: cannot be measured"),
        (FAR, {}, Outcome.PASS, ""),
        (FAR, {"wer_delta": 1.0}, Outcome.FAIL, "wer_delta: "),
        (FAR, {"ci": "overlap"}, Outcome.FAIL, "ci: weak rule 'overlap'"),
        (NEAR, {"ci": "within-baseline"}, Outcome.FAIL, "ci: weak rule 'within-baseline'"),
        (NEAR, {"ci": "overlap"}, Outcome.PASS, ""),
        (NEAR, {"ci": "off", "wer": "off"}, Outcome.PASS, ""),
    ],
)
def test_the_gravest_check_decides(
    rows: list[Row], limits: dict[str, object], outcome: Outcome, decided_by: str
) -> None:
    """ERROR stands above FAIL, FAIL above INCONCLUSIVE, and the reason is the sentence of the deciding check."""
    verdict = decide(pair(limits), scored("q8_0", rows), scored("f32", CLEAN))
    assert verdict.outcome is outcome
    assert verdict.reason.startswith(decided_by)
    assert bool(verdict.reason) is bool(decided_by)


def test_every_check_is_evaluated() -> None:
    """A failure hides no other: all checks stand in the verdict."""
    limits = {"wer": 1.0, "wer_delta": 1.0, "non_inferiority": 1.0, "empty": 0}
    found = statuses(decide(pair(limits), scored("q8_0", FAR), scored("f32", CLEAN)))
    assert [found[name] for name in ("wer", "wer_delta", "non_inferiority")] == [CheckStatus.FAIL] * 3
    assert found["empty"] is CheckStatus.PASS


UNBUILT = sorted(
    set(Thresholds.model_fields)
    - {"wer", "wer_delta", "ci", "non_inferiority", "dropped_span", "changed"}
    - SEMANTIC
    - INTENT
    - JUDGE_ERRORS
    - {
        f"{name}{end}"
        for name in (
            "errors",
            "truncated",
            "empty",
            "hallucinations",
            "loops",
            "language_drift",
            "catastrophic",
            "masked",
        )
        for end in ("", "_delta")
    }
)


@pytest.mark.parametrize("name", UNBUILT)
def test_a_limit_that_cannot_be_measured_is_an_error(name: str) -> None:
    """Each threshold that is set and not built is an ERROR that names it, never silence."""
    verdict = decide(pair({name: 1}), scored("q8_0", CLEAN), scored("f32", CLEAN))
    assert verdict.outcome is Outcome.ERROR
    assert verdict.reason == f"{name}: cannot be measured by this version"


@pytest.mark.parametrize(("limit", "outcome"), [(None, Outcome.ERROR), (0, Outcome.ERROR), (1, Outcome.PASS)])
def test_error_rows_within_their_limit_are_incomplete(limit: int | None, outcome: Outcome) -> None:
    """One crash is ERROR unless one is allowed; allowed or not, the verdict says incomplete."""
    limits = {} if limit is None else {"errors": limit}
    verdict = decide(pair(limits), scored("q8_0", LOST), scored("f32", CLEAN))
    assert (verdict.outcome, verdict.incomplete) == (outcome, True)
    if outcome is Outcome.ERROR:
        assert verdict.reason == "errors: u0: u0.wav: crashed; 1 of 30: below 14.86 %"


def test_rows_that_the_baseline_lost_make_a_verdict_incomplete() -> None:
    """Evidence that is missing on the other side is missing too."""
    verdict = decide(pair({"errors": 1}), scored("q8_0", CLEAN), scored("f32", LOST))
    assert (verdict.outcome, verdict.incomplete) == (Outcome.PASS, True)
    assert verdict.comparison is not None
    assert verdict.comparison.left_out == 1


def test_error_rows_leave_both_sides() -> None:
    """The variant lost a row that the baseline got wrong: no difference is left."""
    before: list[Row] = [("u0", "the big red dog", "no words right at all"), *CLEAN[1:]]
    verdict = decide(pair({"errors": 1, "wer_delta": 0.0}), scored("q8_0", LOST), scored("f32", before))
    assert verdict.comparison is not None
    assert (verdict.comparison.delta_pp, verdict.comparison.utterances) == (0.0, 29)


def test_the_baseline_faces_the_absolute_limits_only() -> None:
    """The baseline is judged by its own figures: differences do not concern it, absolute limits do."""
    limits = {"wer_delta": 0.0, "ci": "overlap", "non_inferiority": 0.1, "changed": 0.0, "empty_delta": 0}
    verdict = decide(pair(limits, variant="f32"), scored("f32", FAR), None, is_baseline=True)
    assert (verdict.outcome, verdict.is_baseline, verdict.comparison) == (Outcome.PASS, True, None)
    assert not set(statuses(verdict)) & NEEDS_BASELINE
    verdict = decide(pair({**limits, "wer": 5.0}, variant="f32"), scored("f32", FAR), None, is_baseline=True)
    assert verdict.outcome is Outcome.FAIL


@pytest.mark.parametrize("name", ["wer_delta", "non_inferiority", "empty_delta"])
def test_a_missing_baseline_is_an_error_for_what_needs_one(name: str) -> None:
    """Why there is no baseline is the reason of each limit that needs one."""
    verdict = decide(pair({name: 1}), scored("q8_0", CLEAN), None, "there is no baseline: x.gguf is absent")
    assert verdict.outcome is Outcome.ERROR
    assert verdict.reason == f"{name}: there is no baseline: x.gguf is absent"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("ci", "rule"),
        ("wer_delta", "pp"),
        ("non_inferiority", "pp"),
        ("empty_delta", "utterances"),
        ("changed", "%"),
        ("intent", "%"),
        ("intent_delta", "pp"),
        ("rtf", "ratio"),
        ("semantic_wer", "%"),
        ("semantic_non_inferiority", "pp"),
        ("catastrophic_delta", "utterances"),
    ],
)
def test_an_unmeasured_limit_has_its_own_unit(name: str, unit: str) -> None:
    """The unit of a limit does not depend on whether it could be measured."""
    value: object = "overlap" if name == "ci" else 50
    verdict = decide(pair({name: value}), scored("q8_0", CLEAN), None, "there is no baseline")
    (check,) = [check for check in verdict.checks if check.name == name]
    assert (check.status, check.unit) == (CheckStatus.ERROR, unit)


def test_another_contract_is_an_error_that_names_it() -> None:
    """Two runs that may not be compared are ERROR, with what differs, and have no comparison."""
    other = scored("q8_0", CLEAN, contract={**CONTRACT, "timestamps": "word"})
    verdict = decide(pair({"wer_delta": 1.0}), other, scored("f32", CLEAN))
    assert (verdict.outcome, verdict.comparison, verdict.baseline_score) == (Outcome.ERROR, None, None)
    assert "timestamps: 'none' against 'word'" in verdict.reason


@pytest.mark.parametrize("contract", [True, False], ids=["contract", "no baseline"])
def test_a_refused_comparison_is_told_without_limits_too(contract: bool) -> None:
    """Where no limit needs the baseline the pair may pass, but why nothing was compared is still said."""
    fact = "timestamps" if contract else "x.gguf is absent"
    other = scored("q8_0", CLEAN, contract={**CONTRACT, "timestamps": "word"})
    verdict = (
        decide(pair({"wer": 50.0}), other, scored("f32", CLEAN))
        if contract
        else decide(pair({"wer": 50.0}), other, None, "there is no baseline: x.gguf is absent")
    )
    told = " ".join([verdict.reason, *verdict.warnings, *(check.detail for check in verdict.checks)])
    assert fact in told


def test_unrecorded_terms_are_warned_of() -> None:
    """Hypotheses that do not name their recipe are compared, and the verdict says what was assumed."""
    stranger = scored("q8_0", CLEAN, contract={**CONTRACT, "timestamps": "unknown", "logprob": "unknown"})
    verdict = decide(pair({"wer_delta": 1.0}), stranger, scored("f32", CLEAN))
    assert verdict.outcome is Outcome.PASS
    (warning,) = verdict.warnings
    assert "timestamps, logprob" in warning


def test_an_unrecorded_baseline_is_warned_of_too() -> None:
    """The same holds where it is the baseline whose recipe nobody wrote down."""
    stranger = scored("f32", CLEAN, contract={**CONTRACT, "timestamps": "unknown"})
    verdict = decide(pair({"wer_delta": 1.0}), scored("q8_0", CLEAN), stranger)
    assert any("timestamps" in warning for warning in verdict.warnings)


def test_nothing_is_assumed_of_a_baseline_that_there_is_not() -> None:
    """Where nothing is compared, no warning speaks of a baseline."""
    stranger = scored("q8_0", CLEAN, contract={**CONTRACT, "timestamps": "unknown"})
    verdict = decide(pair({"wer": 5.0}), stranger, None)
    assert not any("baseline" in warning for warning in verdict.warnings)


SILENCE: list[Row] = [("s1", "", ""), ("s2", "Uh.", "um"), ("s3", "", "")]


def test_a_dataset_without_words_is_judged_by_counts() -> None:
    """Silence has no rate; a word on it is a hallucination, which a limit on those fails."""
    heard: list[Row] = [("s1", "", "thank you"), *SILENCE[1:]]
    limits = {"hallucinations": 0, "hallucinations_delta": 0}
    verdict = decide(pair(limits), scored("q8_0", heard), scored("f32", SILENCE))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reason.startswith("hallucinations")
    assert verdict.comparison is None
    found = {check.name: check for check in verdict.checks}
    assert (found["wer"].status, found["wer"].value) == (CheckStatus.REPORTED, None)
    assert found["hallucinations"].utterances == ("s1",)
    assert decide(pair(limits), scored("q8_0", SILENCE), scored("f32", SILENCE)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "limits",
    [{"wer": 20.0}, {"wer_delta": 1.0}, {"ci": "overlap"}, {"non_inferiority": 1.0}],
    ids=lambda x: next(iter(x)),
)
def test_a_rate_limit_on_a_dataset_without_words_is_an_error(limits: dict[str, object]) -> None:
    """What has no words cannot be held to a rate, and the sentence says so."""
    verdict = decide(pair(limits), scored("q8_0", SILENCE), scored("f32", SILENCE))
    assert verdict.outcome is Outcome.ERROR
    assert "there are no reference words" in verdict.reason


def test_one_utterance_is_undecided() -> None:
    """A single utterance decides no margin, whatever it holds."""
    verdict = decide(pair({"non_inferiority": 50.0}), scored("q8_0", CLEAN[:1]), scored("f32", CLEAN[:1]))
    assert verdict.outcome is Outcome.INCONCLUSIVE


def test_partial_rows_are_counted_and_scored() -> None:
    """Truncated rows keep their score and are held against their own limit."""
    cut: list[Row] = [("u0", "the big red dog", "the big"), *CLEAN[1:]]
    score = scored("q8_0", cut, statuses={"u0": RowStatus.TRUNCATED})
    verdict = decide(pair({"truncated": 0, "truncated_delta": 0}), score, scored("f32", CLEAN))
    assert verdict.outcome is Outcome.FAIL
    assert verdict.incomplete is False
    assert score.counts.errors == 2


def test_an_expected_failure_is_judged_as_any_other() -> None:
    """What was expected is carried, and changes no verdict."""
    verdict = decide(pair({"wer": 1.0}, fails=True), scored("q8_0", FAR), scored("f32", CLEAN))
    assert (verdict.outcome, verdict.expected_to_fail) == (Outcome.FAIL, True)


def test_a_pair_that_could_not_run_is_an_error_with_its_reason() -> None:
    """Without any score the verdict is ERROR and says why."""
    verdict = failed_to_run(pair(fails=True), DatasetError("m.jsonl:3 (u1): audio must not be empty"))
    assert (verdict.outcome, verdict.score, verdict.checks) == (Outcome.ERROR, None, ())
    assert verdict.reason == "m.jsonl:3 (u1): audio must not be empty"
    assert verdict.expected_to_fail
