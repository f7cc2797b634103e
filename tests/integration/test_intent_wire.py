"""The two questions of the intent score on the wire: raw texts arrive as they are, bad replies are mended once."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.intent.listing import Listed, listed, listing_question
from pytest_asrgate.intent.task import intent_question
from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.judge.task import Failure, FailureKind, Question, Ruling
from tests.integration.judge_calls import bare_environment  # noqa: F401 - a fixture that every test here uses
from tests.support.judge_questions import settings
from tests.support.judge_server import Answer, JudgeServer, said

REFERENCE = "Did Meera mail k.rao@example.org, ₹ 4.50?  ‘Yes…’ \N{BYTE ORDER MARK}क्या वह आई?"
HYPOTHESIS = "did Mira mail k.rao@example.com; ₹450? yes. \u200cक्या वह आया?"
CONTEXT = "Agent: a@b.example?\nUser: p. 5?"
ENTITIES = (Listed("Meera", "person", 3), Listed("k.rao@example.org", "email", 3))


def listing() -> Question:
    """The question for the entities of the reference."""
    return listing_question(REFERENCE, language="hi", context=CONTEXT)


def intent(**changes: Any) -> Question:
    """The question for what became of them."""
    return intent_question(REFERENCE, HYPOTHESIS, ENTITIES, language="hi", context=CONTEXT, **changes)


def entities(*rows: tuple[Any, Any, Any], **more: Any) -> Answer:
    """A reply that lists these."""
    return said(
        json.dumps(
            {"entities": [{"text": text, "kind": kind, "importance": weight} for text, kind, weight in rows]} | more
        )
    )


def verdicts(changes: Mapping[str, Any] | None = None) -> Answer:
    """A good reply to the second question, with other entries for some ids; None leaves one out."""
    good = {
        "intent": {"reason": "Somebody else.", "verdict": "lost"},
        "1": {"reason": "Mira.", "heard": "Mira", "verdict": "substituted"},
        "2": {"reason": "Another one.", "heard": "k.rao@example.com", "verdict": "substituted"},
    }
    return said(
        json.dumps({name: entry for name, entry in (good | dict(changes or {})).items() if entry is not None})
    )


GOOD_LISTING = entities(("Meera", "person", 3), ("k.rao@example.org", "email", 3))
BAD_LISTINGS = {
    "no JSON": said("Meera and an address."),
    "no list": said('{"entities": "NA"}'),
    "a score": entities(("Meera", "person", 3), entity_score=0.5),
    "a word of the hypothesis": entities(("Mira", "person", 3)),
    "twice": entities(("Meera", "person", 3), ("Meera", "person", 3)),
    "importance 0": entities(("Meera", "person", 0)),
    "importance 1e99": said('{"entities": [{"text": "Meera", "kind": "person", "importance": 1e99}]}'),
    "importance NaN": said('{"entities": [{"text": "Meera", "kind": "person", "importance": NaN}]}'),
    "importance true": entities(("Meera", "person", True)),
    "a kind of its own": entities(("Meera", "woman", 3)),
    "an empty text": entities(("", "person", 3)),
    "more than can be": entities(*[("Meera", "person", 3)] * 5_000),
    "half a character": said('{"entities": [{"text": "\\ud800", "kind": "person", "importance": 1}]}'),
}
BAD_VERDICTS = {
    "no JSON": said("The intent is lost."),
    "an id lacks": verdicts({"2": None}),
    "the intent lacks": verdicts({"intent": None}),
    "an id too many": verdicts({"3": {"reason": "So.", "heard": "", "verdict": "missing"}}),
    "a score": verdicts({"entity_score": 0.5}),
    "a score out of range": verdicts({"intent": {"reason": "So.", "verdict": 7}}),
    "a word of the reference": verdicts({"1": {"reason": "So.", "heard": "Meera", "verdict": "preserved"}}),
    "a part of an address": verdicts({"2": {"reason": "So.", "heard": "k.rao@example", "verdict": "preserved"}}),
    "preserved nowhere": verdicts({"1": {"reason": "So.", "heard": "", "verdict": "preserved"}}),
    "missing somewhere": verdicts({"1": {"reason": "So.", "heard": "Mira", "verdict": "missing"}}),
    "a label of the other kind": verdicts({"intent": {"reason": "So.", "verdict": "preserved"}}),
    "no reason": verdicts({"intent": {"reason": "", "verdict": "lost"}}),
    "an endless reason": verdicts({"intent": {"reason": "so " * 5_000, "verdict": "lost"}}),
}
CASES = [("entities", name) for name in BAD_LISTINGS] + [("intent", name) for name in BAD_VERDICTS]


def asked(folder: Path, question: Question, *script: Answer, **changes: Any) -> tuple[Ruling | Failure, list[Any]]:
    """What comes of a question, and the bodies that the server saw."""

    async def no_wait(_: float) -> None:
        """Outages are no part of this."""

    with (
        JudgeServer(*script) as server,
        Judge(settings(folder, api_base=server.url, **changes), sleep=no_wait) as judge,
    ):
        (outcome,) = judge.rule([question])
        return outcome, [seen.body for seen in server.seen]


def bad(task: str, name: str) -> tuple[Question, Answer, Answer]:
    """A question, a bad reply to it and a good one."""
    if task == "entities":
        return listing(), BAD_LISTINGS[name], GOOD_LISTING
    return intent(), BAD_VERDICTS[name], verdicts()


def test_the_listing_carries_the_raw_reference_and_no_word_of_the_hypothesis(tmp_path: Path) -> None:
    """Every ?, @ and . of it arrives, whatever is invisible in it too; the schema is strict."""
    outcome, (body,) = asked(tmp_path, listing(), GOOD_LISTING)
    system, user = body["messages"]
    assert json.loads(user["content"]) == {"language": "hi", "context": CONTEXT, "reference": REFERENCE}
    assert "Mira" not in json.dumps(body)
    assert "example.com" not in json.dumps(body)
    assert system["role"] == "system"
    form = body["response_format"]["json_schema"]
    assert (form["strict"], form["name"]) == (True, "entities")
    assert isinstance(outcome, Ruling)
    assert listed(outcome) == ENTITIES


def test_the_intent_question_carries_both_raw_texts(tmp_path: Path) -> None:
    """Every ?, @ and . of both arrives, and the entities with their ids but without a weight."""
    outcome, (body,) = asked(tmp_path, intent(), verdicts())
    assert json.loads(body["messages"][1]["content"]) == {
        "language": "hi",
        "context": CONTEXT,
        "reference": REFERENCE,
        "hypothesis": HYPOTHESIS,
        "entities": [
            {"id": "1", "text": "Meera", "kind": "person"},
            {"id": "2", "text": "k.rao@example.org", "kind": "email"},
        ],
    }
    assert body["response_format"]["json_schema"]["strict"] is True
    assert isinstance(outcome, Ruling)
    assert {name: (item.label, item.quote) for name, item in outcome.items.items()} == {
        "intent": ("lost", ""),
        "1": ("substituted", "Mira"),
        "2": ("substituted", "k.rao@example.com"),
    }


@pytest.mark.parametrize(("task", "name"), CASES)
def test_a_bad_reply_is_repaired_once(task: str, name: str, tmp_path: Path) -> None:
    """The model is told what was wrong and asked once more; a good reply then is the ruling, and alone is kept."""
    question, wrong, good = bad(task, name)
    outcome, bodies = asked(tmp_path, question, wrong, good)
    assert isinstance(outcome, Ruling), outcome
    assert [message["role"] for message in bodies[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert bodies[1]["messages"][:2] == bodies[0]["messages"]
    (line,) = (tmp_path / "judge.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["task"] == task


@pytest.mark.parametrize(("task", "name"), CASES)
def test_a_bad_reply_after_the_repair_is_a_failure(task: str, name: str, tmp_path: Path) -> None:
    """Two bad replies are no ruling, neither 0 nor 1; a third is not asked for, and nothing is kept."""
    question, wrong, _ = bad(task, name)
    outcome, bodies = asked(tmp_path, question, wrong)
    assert isinstance(outcome, Failure)
    assert outcome.kind is FailureKind.MALFORMED
    assert "after one try to repair it" in outcome.sentence
    assert len(outcome.sentence) < 700
    assert len(bodies) == 2
    assert not (tmp_path / "judge.jsonl").exists() or (tmp_path / "judge.jsonl").read_text() == ""


def test_a_reference_without_entities_is_an_answer(tmp_path: Path) -> None:
    """An empty list is kept and replayed like any other."""
    outcome, bodies = asked(tmp_path, listing(), entities())
    assert isinstance(outcome, Ruling)
    assert listed(outcome) == ()
    assert len(bodies) == 1
    again, bodies = asked(tmp_path, listing(), said("never asked"), mode="replay")
    assert again == outcome
    assert bodies == []


def test_a_listing_is_asked_once_whatever_it_holds_and_a_risky_intent_is_voted_on(tmp_path: Path) -> None:
    """Lists have no labels to vote on; three votes of an intent are three calls with seeds of their own."""
    outcome, bodies = asked(tmp_path, listing(), GOOD_LISTING, votes=3)
    assert isinstance(outcome, Ruling)
    assert len(bodies) == 1
    outcome, bodies = asked(tmp_path, intent(risky=("number",)), verdicts(), votes=3)
    assert isinstance(outcome, Ruling)
    assert outcome.votes["intent"] == ("lost", "lost", "lost")
    assert len({body["seed"] for body in bodies}) == len(bodies) == 3


def test_a_reason_against_its_label_is_voted_on(tmp_path: Path) -> None:
    """The first reply says in its reason that the intent is preserved, and lost in its label: the others decide."""
    torn = verdicts({"intent": {"reason": "The intent is preserved.", "verdict": "lost"}})
    kept = verdicts({"intent": {"reason": "The same question.", "verdict": "kept"}})
    outcome, bodies = asked(tmp_path, intent(), torn, kept, votes=3)
    assert isinstance(outcome, Ruling)
    assert len(bodies) == 3
    assert outcome.items["intent"].label == "kept"
    assert outcome.contradicted == ("intent",)
