"""Claims about intent and entities in a verdict: limits, margins, judge errors, and what has no figure."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pytest_asrgate.early import may_end_early
from pytest_asrgate.intent.languages import unserved_text
from pytest_asrgate.records import Check, CheckStatus, IntentScore, Judged, Judgement, Outcome, SemanticScore
from pytest_asrgate.verdict import decide
from tests.unit.builders import judged, judged_utterance, pair, scored
from tests.unit.intents import intent_score, intent_utterance

WORDS = "call anna at nine"
ROWS = [(f"u{n}", WORDS, WORDS) for n in range(100)]


def _score(lost: int = 0, *, missing: int = 0, failed: int = 0, judge: str = "openai/judge") -> IntentScore:
    """A hundred utterances with two entities each: the first are lost, miss an entity, or have no ruling."""
    rows = [
        intent_utterance(f"u{n}", None, error="no valid reply")
        if n < failed
        else intent_utterance(f"u{n}", n >= failed + lost, "pm" if n < failed + missing else "pp")
        for n in range(100)
    ]
    return intent_score(*rows, judge=judge)


def _semantic(*failed: int) -> SemanticScore:
    """A semantic score of the same utterances, of which the judge failed on some."""
    rows = [judged_utterance(f"u{n}", WORDS, WORDS) for n in range(100)]
    return judged(
        *[replace(row, counts=None, judge_error="cut off") if n in failed else row for n, row in enumerate(rows)]
    )


def _both(score: IntentScore | None = None, baseline: IntentScore | None = None, **why: str) -> Judgement:
    return Judgement(intent=Judged(score, baseline, **why))


def _decided(
    limits: Mapping[str, object], judgement: Judgement, *, bought: tuple[str, ...] = ("intent",)
) -> tuple[Outcome, str, dict[str, Check], bool]:
    gate_pair = pair({"wer": 50.0, **limits})
    gate_pair = replace(gate_pair, dataset=replace(gate_pair.dataset, judged=bought))
    verdict = decide(gate_pair, scored("q8_0", ROWS), scored("f32", ROWS), judgement=judgement)
    return verdict.outcome, verdict.reason, {check.name: check for check in verdict.checks}, verdict.incomplete


@pytest.mark.parametrize(
    ("limits", "outcome", "first"),
    [
        ({"intent": 96.0}, Outcome.PASS, ""),
        (
            {"intent": 96.5},
            Outcome.FAIL,
            "intent: kept in 96 of 100 utterances (95% Wilson interval 90.16",
        ),
        ({"entity": 97.5}, Outcome.PASS, ""),
        ({"entity": 97.6}, Outcome.FAIL, "entity: 195 preserved, 5 missing, 0 substituted in 100 utterances"),
        ({"intent_delta": 3.0}, Outcome.PASS, ""),
        ({"intent_delta": 2.9}, Outcome.FAIL, "intent_delta: lost against the baseline"),
        ({"entity_delta": 1.5}, Outcome.PASS, ""),
        ({"entity_delta": 1.4}, Outcome.FAIL, "entity_delta: lost against the baseline"),
    ],
)
def test_every_limit_passes_and_fails(limits: Mapping[str, object], outcome: Outcome, first: str) -> None:
    """Shares and means must not be below their limit, losses not above; equal to it passes."""
    both = _both(_score(4, missing=5), _score(1, missing=2))
    got, reason, found, incomplete = _decided(limits, both)
    assert (got, incomplete) == (outcome, False)
    assert reason.startswith(first)
    assert found["intent"].value == 96.0
    assert found["entity"].value == 97.5
    assert found["intent_delta"].value == pytest.approx(3.0)
    assert found["entity_delta"].value == pytest.approx(1.5)
    assert found["intent"].utterances == ("u0", "u1", "u2", "u3")
    assert found["intent_delta"].utterances == ("u1", "u2", "u3")
    assert found["entity_delta"].utterances == ("u2", "u3", "u4")


@pytest.mark.parametrize("name", ["intent", "entity"])
@pytest.mark.parametrize(("lost", "outcome"), [(0, Outcome.PASS), (40, Outcome.FAIL), (4, Outcome.INCONCLUSIVE)])
def test_the_margins_are_three_way(name: str, lost: int, outcome: Outcome) -> None:
    """A loss surely within the margin passes, one surely above it fails, and what is between is undecided."""
    score = _score(lost) if name == "intent" else _score(missing=lost)
    margin = 4.0 if name == "intent" else 3.5
    got, reason, found, _ = _decided({f"{name}_non_inferiority": margin}, _both(score, _score()))
    assert got is outcome
    assert found[f"{name}_non_inferiority"].limit == margin
    assert outcome is Outcome.PASS or reason.startswith(f"{name}_non_inferiority: ")


def test_a_gain_never_fails() -> None:
    """Less lost than by the baseline is within any limit."""
    got, _, found, _ = _decided({"intent_delta": 0.0, "entity_delta": 0.0}, _both(_score(), _score(5, missing=5)))
    assert got is Outcome.PASS
    assert found["intent_delta"].value == pytest.approx(-5.0)
    assert found["entity_delta"].value == pytest.approx(-2.5)


@pytest.mark.parametrize(("limit", "outcome"), [(None, Outcome.ERROR), (1, Outcome.ERROR), (2, Outcome.PASS)])
def test_failed_judgements_never_leave_in_silence(limit: int | None, outcome: Outcome) -> None:
    """More than are allowed is ERROR and leaves no figure; fewer are named and the verdict is incomplete."""
    limits = {} if limit is None else {"judge_errors": limit}
    got, reason, found, incomplete = _decided({**limits, "intent": 90.0}, _both(_score(failed=2), _score()))
    assert (got, incomplete) == (outcome, True)
    assert found["judge_errors"].utterances == ("u0", "u1")
    if outcome is Outcome.ERROR:
        assert reason.startswith("judge_errors: u0: no valid reply; 2 of 100")
        assert {found[name].value for name in ("intent", "entity", "intent_delta", "entity_delta")} == {None}
        assert found["intent"].status is CheckStatus.ERROR
    else:
        assert found["intent"].detail.startswith("kept in 98 of 98 utterances")
        assert found["intent_delta"].value == 0.0


def test_judge_errors_of_both_tasks_count_each_utterance_once() -> None:
    """An utterance that the judge failed on twice is one; limits on either score are then unmeasured."""
    semantic = _semantic(1, 5)
    both = Judgement(Judged(semantic, semantic), Judged(_score(failed=2), _score()))
    _, _, found, _ = _decided({}, both, bought=("semantic", "intent"))
    assert found["judge_errors"].value == 3
    assert set(found["judge_errors"].utterances) == {"u0", "u1", "u5"}
    assert (found["semantic_wer"].value, found["intent"].value) == (None, None)


@pytest.mark.parametrize(
    ("judgement", "name", "why"),
    [
        (_both(problem="the judge is off"), "intent", "the judge is off"),
        (_both(_score(), baseline_problem="no baseline here"), "entity_delta", "no baseline here"),
        (_both(_score(), _score(judge="b")), "intent_delta", "judged by openai/judge, and f32 by b"),
        (Judgement(), "intent", 'dataset.prompts.judged does not list "intent"'),
    ],
)
def test_a_limit_without_a_score_is_an_error(judgement: Judgement, name: str, why: str) -> None:
    """A limit that is set and was not measured is ERROR with the reason, never a pass."""
    outcome, reason, found, _ = _decided({name: 50.0}, judgement)
    assert outcome is Outcome.ERROR
    assert reason == f"{name}: {why}"
    assert found[name].status is CheckStatus.ERROR


def test_limits_of_one_task_do_not_speak_of_the_other() -> None:
    """Where meaning is bought and intent is not, each limit says what it lacks."""
    semantic = _semantic()
    both = Judgement(semantic=Judged(semantic, semantic))
    outcome, reason, found, _ = _decided({"semantic_wer": 5.0, "entity": 50.0}, both, bought=("semantic",))
    assert outcome is Outcome.ERROR
    assert reason == 'entity: dataset.prompts.judged does not list "intent"'
    assert found["semantic_wer"].status is CheckStatus.PASS


def test_no_entity_at_all_is_no_mean() -> None:
    """A set whose references have no entity has an accuracy and no mean; a limit on the mean is an ERROR."""
    rows = [intent_utterance(f"u{n}") for n in range(100)]
    both = _both(intent_score(*rows), intent_score(*rows))
    outcome, reason, found, _ = _decided({"entity": 90.0, "intent": 90.0}, both)
    assert outcome is Outcome.ERROR
    assert reason == "entity: no judged utterance has an entity"
    assert found["intent"].value == 100.0
    outcome, reason, _, _ = _decided({"entity_delta": 1.0}, both)
    assert (outcome, reason) == (Outcome.ERROR, "entity_delta: no utterance with entities was judged on both sides")


def test_rules_alone_are_labelled_a_lower_bound() -> None:
    """Of intents it is a lower bound, of entities none, since others than rules find may be lost or kept."""
    _, _, found, _ = _decided({}, _both(_score(1, judge="rules"), _score(judge="rules")))
    assert "a lower bound: by rules alone" in found["intent"].detail
    assert found["entity"].detail.endswith(
        "; by rules alone: over the digits, dates, e-mails, identifiers and names that rules find; no bound of "
        "what a judge would say"
    )
    for name in ("intent_delta", "intent_non_inferiority"):
        assert "a heuristic: the difference of two lower bounds" in found[name].detail
    for name in ("entity_delta", "entity_non_inferiority"):
        assert "a heuristic: by rules alone, over the entities that rules find" in found[name].detail
        assert "lower" not in found[name].detail
    _, _, found, _ = _decided({}, _both(_score(1), _score()))
    assert "bound:" not in found["intent"].detail + found["entity"].detail
    assert "heuristic" not in found["intent_delta"].detail


def test_a_language_that_nothing_is_written_for_is_told() -> None:
    """The verdict warns of it once, and of none that is served."""
    rows = [intent_utterance(f"u{n}", language=("fr", "en", "ja", "hi")[n % 4]) for n in range(100)]
    for score, told in ((intent_score(*rows), True), (_score(), False)):
        gate_pair = pair({"wer": 50.0})
        gate_pair = replace(gate_pair, dataset=replace(gate_pair.dataset, judged=("intent",)))
        warnings = decide(gate_pair, scored("q8_0", ROWS), None, judgement=_both(score)).warnings
        assert (unserved_text(["fr", "ja", "fr"]) in warnings) is told
        assert sum("not among the languages" in each for each in warnings) == told


def test_the_baseline_faces_the_absolute_limits_alone() -> None:
    """The baseline's own item has its share and its mean and no loss."""
    gate_pair = pair({"wer": 50.0, "intent": 95.0, "intent_delta": 1.0})
    verdict = decide(gate_pair, scored("f32", ROWS), None, is_baseline=True, judgement=_both(_score(9)))
    assert verdict.outcome is Outcome.FAIL
    names = {check.name for check in verdict.checks if check.name.startswith(("intent", "entity"))}
    assert names == {"intent", "entity"}


def test_what_a_pair_cannot_end_early() -> None:
    """A pair with a limit on intent is decoded in full: its limits hold for the whole set."""
    gate_pair = pair({"non_inferiority": 2.0, "intent_delta": 1.0})
    judged_pair = replace(gate_pair, dataset=replace(gate_pair.dataset, judged=("intent",)))
    assert not may_end_early(judged_pair)
    assert may_end_early(gate_pair)
