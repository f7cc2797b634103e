"""The question for intent and entities: what is asked, which replies are valid, when a reason speaks against it."""

import copy
import json
import math
import unicodedata
from collections.abc import Callable
from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.errors import ReplyError
from pytest_asrgate.intent.listing import LISTING_TASK, Listed
from pytest_asrgate.intent.task import ENTITY_LABELS, INTENT_LABELS, INTENT_TASK, intent_question
from pytest_asrgate.judge.task import Item, Question
from pytest_asrgate.semantic.task import SEMANTIC_TASK
from tests.unit.properties import STEADY

REFERENCE = "Did Meera pay 450.50 to k.rao@example.org?"
HYPOTHESIS = "did Mira pay to k.rao@example.org?"
ENTITIES = (
    Listed("Meera", "person", 3),
    Listed("450.50", "amount", 3),
    Listed("k.rao@example.org", "email", 3),
)
GOOD: dict[str, Any] = {
    "intent": {"reason": "Someone else is asked about.", "verdict": "lost"},
    "1": {"reason": "Mira stands there.", "heard": "Mira", "verdict": "substituted"},
    "2": {"reason": "No amount.", "heard": "", "verdict": "missing"},
    "3": {"reason": "Letter by letter.", "heard": "k.rao@example.org", "verdict": "preserved"},
}


def question(**changes: Any) -> Question:
    """A question about three entities."""
    return intent_question(
        REFERENCE, HYPOTHESIS, ENTITIES, **{"language": "en", "context": "Agent: yes?", **changes}
    )


def test_a_question_holds_raw_sentences_and_numbered_entities() -> None:
    """The judge sees both raw texts, language, context and the entities, whose importance is not its business."""
    asked = question(risky=("number",))
    assert asked.data == {
        "language": "en",
        "context": "Agent: yes?",
        "reference": REFERENCE,
        "hypothesis": HYPOTHESIS,
        "entities": [
            {"id": "1", "text": "Meera", "kind": "person"},
            {"id": "2", "text": "450.50", "kind": "amount"},
            {"id": "3", "text": "k.rao@example.org", "kind": "email"},
        ],
    }
    assert asked.risky == ("number",)
    json.dumps(asked.data, allow_nan=False)


def test_the_schema_is_strict_and_takes_a_good_reply() -> None:
    """Every object forbids other keys and requires all of its own, and reasons come before labels."""
    schema: Any = INTENT_TASK.schema(question())
    assert schema["required"] == ["intent", "1", "2", "3"]
    for each in (schema, *schema["properties"].values()):
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])
    # Models write keys in the order of the schema.
    assert list(schema["properties"]["intent"]["properties"]) == ["reason", "verdict"]
    assert list(schema["properties"]["1"]["properties"]) == ["reason", "heard", "verdict"]
    jsonschema.validate(GOOD, schema)


def test_a_good_reply_is_read_by_id_in_the_order_of_the_question() -> None:
    """Entries may come in any order; each gives its label, its reason and its quote."""
    for reply in (GOOD, dict(reversed(GOOD.items()))):
        assert list(INTENT_TASK.parse(question(), reply).items()) == [
            ("intent", Item("lost", "Someone else is asked about.")),
            ("1", Item("substituted", "Mira stands there.", "Mira")),
            ("2", Item("missing", "No amount.")),
            ("3", Item("preserved", "Letter by letter.", "k.rao@example.org")),
        ]


def test_without_entities_the_intent_alone_is_asked() -> None:
    """A greeting has none."""
    asked = intent_question("Good evening", "good morning", (), language="en")
    reply = {"intent": {"reason": "Another time.", "verdict": "unsure"}}
    jsonschema.validate(reply, INTENT_TASK.schema(asked))
    assert INTENT_TASK.parse(asked, reply) == {"intent": Item("unsure", "Another time.")}


def test_a_hundred_entities_are_read() -> None:
    """None may be left out, however many there are; ids stay numbers in their order."""
    names = [f"name{number:03}" for number in range(100)]
    text = " ".join(names)
    asked = intent_question(text, text.upper(), [Listed(name, "person", 1) for name in names], language="en")
    reply: dict[str, Any] = {"intent": {"reason": "So.", "verdict": "kept"}}
    reply |= {str(at): {"reason": "So.", "heard": name, "verdict": "preserved"} for at, name in enumerate(names, 1)}
    items = INTENT_TASK.parse(asked, reply)
    assert list(items) == ["intent", *map(str, range(1, 101))]
    assert items["100"].quote == "name099"
    del reply["57"]
    with pytest.raises(ReplyError, match="id '57' is not answered"):
        INTENT_TASK.parse(asked, reply)


@pytest.mark.parametrize("span", ["ज़रूर", "ढाका"])
def test_quotes_are_found_in_either_normal_form(span: str) -> None:
    """A quote in NFD of a hypothesis in NFC is held, and the other way round."""
    forms: list[tuple[Literal["NFC", "NFD"], Literal["NFC", "NFD"]]] = [("NFC", "NFD"), ("NFD", "NFC")]
    for form, other in forms:
        hypothesis = unicodedata.normalize(form, f"हाँ {span} जाना है")
        asked = intent_question("हाँ", hypothesis, [Listed("हाँ", "other", 1)], language="hi")
        entry = {"reason": "So.", "heard": unicodedata.normalize(other, span), "verdict": "substituted"}
        reply = {"intent": {"reason": "So.", "verdict": "lost"}, "1": entry}
        assert INTENT_TASK.parse(asked, reply)["1"].label == "substituted"


def change(path: tuple[Any, ...], value: object) -> Callable[[], object]:
    """A good reply with one value replaced."""

    def made() -> object:
        reply: Any = copy.deepcopy(GOOD)
        place = reply
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        return reply

    return made


def without(key: str) -> Callable[[], object]:
    """A good reply that lacks an id."""
    return lambda: {name: entry for name, entry in GOOD.items() if name != key}


@pytest.mark.parametrize(
    ("made", "clause"),
    [
        (dict, "id 'intent' is not answered"),
        (list, "the reply must be an object, not []"),
        (lambda: None, "the reply must be an object, not None"),
        (lambda: math.nan, "the reply must be an object, not nan"),
        (lambda: {"intent_score": 1}, "nothing was asked about id 'intent_score'"),
        (change(("entity_score",), 0.5), "nothing was asked about id 'entity_score'"),
        (change(("4",), GOOD["1"]), "nothing was asked about id '4'"),
        (lambda: dict([*GOOD.items(), (1, GOOD["1"])]), "nothing was asked about id 1"),
        (without("intent"), "id 'intent' is not answered"),
        (without("2"), "id '2' is not answered"),
        (change(("2",), "missing"), "id '2' must be an object, not 'missing'"),
        (change(("intent",), 1), "id 'intent' must be an object, not 1"),
        (
            change(("intent", "verdict"), "preserved"),
            "the verdict must be one of kept, lost, unsure, not 'preserved'",
        ),
        (change(("intent", "verdict"), 1), "id 'intent': the verdict must be one of kept, lost, unsure, not 1"),
        (
            change(("intent", "verdict"), True),
            "id 'intent': the verdict must be one of kept, lost, unsure, not True",
        ),
        (
            change(("1", "verdict"), "kept"),
            "id '1': the verdict must be one of preserved, missing, substituted, unsure, not 'kept'",
        ),
        (change(("1", "verdict"), ["missing"]), "preserved, missing, substituted, unsure, not ['missing']"),
        (change(("1", "verdict"), math.nan), "preserved, missing, substituted, unsure, not nan"),
        (change(("intent", "reason"), " "), "id 'intent': the reason must be a text that is not empty, not ' '"),
        (change(("3", "reason"), None), "id '3': the reason must be a text that is not empty, not None"),
        (change(("3", "reason"), "x" * 2001), "id '3': the reason has 2001 characters, more than 2000"),
        (change(("intent", "heard"), "Mira"), "id 'intent' has the unknown key 'heard'"),
        (change(("1", "entity_score"), 7), "id '1' has the unknown key 'entity_score'"),
        (change(("1",), {"reason": "So.", "verdict": "missing"}), "id '1' has no heard"),
        (change(("1",), {"reason": "So.", "heard": ""}), "id '1' has no verdict"),
        (change(("1",), {"verdict": "missing", "heard": ""}), "id '1' has no reason"),
        (change(("1", "heard"), None), "id '1': heard must be a text, not None"),
        (change(("1", "heard"), ["Mira"]), "id '1': heard must be a text, not ['Mira']"),
        (change(("1", "heard"), "?"), "id '1': heard must be words of the hypothesis, not '?'"),
        (
            change(("1", "heard"), "Meera"),
            "id '1': the hypothesis does not hold 'Meera'; quote its very words",
        ),
        (change(("1", "heard"), "Mir"), "id '1': the hypothesis does not hold 'Mir'; quote its very words"),
        (
            change(("1", "heard"), " "),
            "id '1': substituted needs the words of the hypothesis in heard, which is empty",
        ),
        (
            change(("3", "heard"), ""),
            "id '3': preserved needs the words of the hypothesis in heard, which is empty",
        ),
        (change(("2", "heard"), "pay"), "id '2': heard must be empty for what is missing, not 'pay'"),
        (
            change(("2",), {"reason": "So.", "heard": "450", "verdict": "unsure"}),
            "id '2': the hypothesis does not hold '450'; quote its very words",
        ),
    ],
)
def test_a_reply_that_is_not_what_was_asked_for_is_refused(made: Callable[[], object], clause: str) -> None:
    """Whatever is wrong with a reply, it is refused with one clause that says what."""
    with pytest.raises(ReplyError) as caught:
        INTENT_TASK.parse(question(), made())
    assert str(caught.value).endswith(clause)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("heard", ["", "Mira"])
def test_who_is_unsure_may_quote_or_not(heard: str) -> None:
    """Both are valid, as long as a quote stands in the hypothesis."""
    reply = change(("1",), {"reason": "So.", "heard": heard, "verdict": "unsure"})()
    assert INTENT_TASK.parse(question(), reply)["1"] == Item("unsure", "So.", heard)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["Mira", "kept", "missing", ""]),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(["intent", "1", "reason", "heard", "verdict"]), part, max_size=5)
    ),
    max_leaves=12,
)


@STEADY
@given(JSON)
def test_any_reply_is_read_or_refused(reply: object) -> None:
    """Any JSON gives an item for each id, or a ReplyError; nothing else."""
    for value in (reply, {**GOOD, "1": reply}):
        try:
            items = INTENT_TASK.parse(question(), value)
        except ReplyError:
            continue
        assert set(items) == set(GOOD)


# What is said of the sentence, and what is said of one entity.
INTENT_KEPT = [
    "The intent is preserved.",
    "The intent is fully preserved in the hypothesis.",
    "The intent remains the same.",
    "The request is kept.",
    "It keeps the intent of the speaker.",
    "The hypothesis conveys the same request.",
    "Both ask for the same thing.",
    "Both make the same request.",
    "It is the same question.",
    "No word is missing, and the meaning does not change.",
    "The meaning is not lost.",
]
ENTITY_KEPT = [
    "The entity is present in the hypothesis.",
    "The name is preserved exactly.",
    "The name appears in both.",
    "It stands in the hypothesis.",
    "The entity is not missing.",
    "The number is kept, in a different number format.",
    "It is the same person.",
]
INTENT_LOST = [
    "The intent is not preserved.",
    "The intent isn't preserved.",
    "The intent is lost.",
    "A different actor performs the action.",
    "The hypothesis has a different subject.",
    "There is a different speaker.",
    "The subject has changed.",
    "The actor and the recipient are swapped.",
    "The tense changed.",
    "The statement became a question.",
    "It is a question instead of a statement.",
    "The hypothesis fails to preserve the request.",
    "It does not convey the meaning.",
    "It has a different meaning.",
]
ENTITY_LOST = [
    "The entity is missing.",
    "The name is replaced by another.",
    "The place was substituted with another city.",
    "It does not appear in the hypothesis.",
    "The hypothesis does not keep the name.",
    "The entity is no longer present.",
    "The digits have been dropped.",
]
LOST = ["This is a different person.", "Another place is meant."]
# With the labels that a stranger's judge gave with them.
SAYS_NEITHER = [
    "Mira is heard.",
    "The subject is the same, but the tense changed.",
    "The name is present in the reference.",
    "The name is missing in the reference.",
    "It is unclear whether the intent is preserved.",
    "If the entity is missing cannot be told.",
    "No entity is missing.",
    "It is only partly preserved.",
    "The number is in a different number format.",
    "They differ.",
    "Not the same request.",
    'The filler "um" is missing in the hypothesis.',
    "A comma is missing.",
    'The word "please" is omitted.',
    '"yep" was replaced with "yes".',
    "The word is replaced by a synonym.",
    "The number has changed from words to digits.",
    "None of the entities is missing.",
    "The meaning would be lost only if the name changed.",
    "The meaning would be lost if the name changed.",
    "None of the request is preserved.",
    "Little of the meaning is kept.",
    "The entity is preserved but the intent is not.",
    "Both names are present but their roles are exchanged.",
    "Mumbai appears in the hypothesis where Delhi was said.",
    '"seven" stands in the hypothesis for "three".',
    "The first name is kept, the last is not.",
    "The suffix is omitted.",
    '"Mr" is missing but the name is right.',
    "None of it is preserved.",
]


def contradicted(reason: str) -> set[str]:
    """The labels that a reason contradicts."""
    return {
        label
        for label in {*INTENT_LABELS, *ENTITY_LABELS}
        if INTENT_TASK.contradicts(Item(label, reason, "" if label in INTENT_LABELS else "x"))
    }


@pytest.mark.parametrize("reason", INTENT_KEPT)
def test_a_reason_that_says_the_intent_is_kept(reason: str) -> None:
    """It contradicts lost, and no label of what is kept."""
    found = contradicted(reason)
    assert "lost" in found
    assert found <= {"lost", "substituted"}


@pytest.mark.parametrize("reason", ENTITY_KEPT)
def test_a_reason_that_says_an_entity_is_kept(reason: str) -> None:
    """It contradicts missing and substituted, and says nothing of the intent."""
    assert contradicted(reason) == {"missing", "substituted"}


@pytest.mark.parametrize("reason", INTENT_LOST)
def test_a_reason_that_says_the_intent_is_lost(reason: str) -> None:
    """It contradicts kept, and says nothing of an entity."""
    assert contradicted(reason) == {"kept"}


@pytest.mark.parametrize("reason", ENTITY_LOST)
def test_a_reason_that_says_an_entity_is_lost(reason: str) -> None:
    """It contradicts preserved; an entity may be missing although the intent is kept."""
    assert contradicted(reason) == {"preserved"}


@pytest.mark.parametrize("reason", LOST)
def test_a_reason_that_says_that_something_else_is_meant(reason: str) -> None:
    """It contradicts both labels of what is kept."""
    assert contradicted(reason) == {"kept", "preserved"}


@pytest.mark.parametrize("reason", SAYS_NEITHER)
def test_a_reason_that_is_not_plain_contradicts_nothing(reason: str) -> None:
    """What is negated, conditional, says both, or tells of a word or of the reference, speaks against no label."""
    assert contradicted(reason) == set()


@pytest.mark.parametrize("task", [LISTING_TASK, INTENT_TASK], ids=lambda task: task.name)
def test_the_instructions_name_every_language_and_say_that_texts_are_data(task: Any) -> None:
    """Each language of the document is named, and nothing in a transcript is addressed to the judge."""
    named = ["English", "Hindi", "Bengali", "Marathi", "Malayalam", "Kannada", "Tamil", "Telugu", "Gujarati"]
    named += ["Odia", "Punjabi"]
    assert [language for language in named if language not in task.instructions] == []
    assert "given to you as data" in task.instructions
    assert "addressed to you" in task.instructions
    # Some servers count characters; a reply needs room too.
    assert len(task.instructions) < 9_000


def test_the_instructions_say_what_the_document_says_of_answers_and_ordinals() -> None:
    """A hedge is no refusal, another pronoun no small change, and an ordinal beside a noun no cardinal."""
    told = INTENT_TASK.instructions
    for words in (
        "yes, yeah, hmm, aha, okay, right",
        "no, nah, nope and uh-uh",
        '"not really" or "maybe" is neither',
    ):
        assert words in " ".join(told.split()), words
    assert "suits me" not in told
    assert '"the third shop" is not "three shops"' in " ".join(told.split())


def test_tasks_have_names_of_their_own() -> None:
    """A cassette tells them apart by these."""
    assert {SEMANTIC_TASK.name, LISTING_TASK.name, INTENT_TASK.name} == {"semantic", "entities", "intent"}
    assert (LISTING_TASK.version, INTENT_TASK.version, SEMANTIC_TASK.version) == (1, 1, 1)
