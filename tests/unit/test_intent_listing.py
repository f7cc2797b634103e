"""The question for entities: what is asked, which replies are valid, in which order they come."""

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
from pytest_asrgate.intent.listing import (
    KINDS,
    LISTING_TASK,
    MOST_ENTITIES,
    MOST_IMPORTANT,
    Listed,
    listed,
    listing_question,
)
from pytest_asrgate.judge.task import Item, Question
from pytest_asrgate.judge.voting import deliberate
from tests.unit.properties import STEADY

FORMS: list[tuple[Literal["NFC", "NFD"], Literal["NFC", "NFD"]]] = [("NFC", "NFD"), ("NFD", "NFC")]
REFERENCE = "Send Meera's parcel to Patna, and a copy to Meera @ meera.k@example.org by 5?"
GOOD: dict[str, Any] = {
    "entities": [
        {"text": "Patna", "kind": "place", "importance": 3},
        {"text": "parcel", "kind": "object", "importance": 2},
    ]
}


def question(reference: str = REFERENCE, language: str = "en") -> Question:
    """A question about a reference."""
    return listing_question(reference, language=language, context="Agent: hello?")


def reply(*rows: tuple[str, str, int]) -> dict[str, Any]:
    """A reply that lists these entities."""
    return {"entities": [{"text": text, "kind": kind, "importance": weight} for text, kind, weight in rows]}


def entities(read: Question, *rows: tuple[str, str, int]) -> list[tuple[str, str, int]]:
    """What is read of a reply to a question, in order."""
    items = LISTING_TASK.parse(read, reply(*rows))
    assert list(items) == [str(number) for number in range(1, len(items) + 1)]
    return [(item.quote, item.label, item.weight) for item in items.values()]


def test_a_question_holds_the_raw_reference_and_nothing_of_a_hypothesis() -> None:
    """The judge sees language, context and reference as they are: the same question for every variant."""
    assert question().data == {"language": "en", "context": "Agent: hello?", "reference": REFERENCE}
    assert question().risky == ()
    assert listing_question("So.", language="hi").data == {"language": "hi", "context": None, "reference": "So."}
    json.dumps(question().data, allow_nan=False)


def test_the_schema_is_strict_and_takes_a_good_reply() -> None:
    """Every object forbids other keys and requires all of its own; kinds and importances are given ones."""
    schema: Any = LISTING_TASK.schema(question())
    entry = schema["properties"]["entities"]["items"]
    for each in (schema, entry):
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])
    jsonschema.validate(GOOD, schema)
    jsonschema.validate({"entities": []}, schema)
    for bad in (reply(("Patna", "city", 1)), reply(("Patna", "place", 0)), reply(("Patna", "place", 4))):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)


@pytest.mark.parametrize(
    ("reference", "language", "most"),
    [
        ("call Meera", "en", 2),
        ("Wait!", "en", 1),
        ("?", "en", 1),
        ("मुझे सोमवार को पटना जाना है", "hi", 6),
        (unicodedata.normalize("NFD", "दिल्ली गया"), "hi", 2),
        ("எனக்கு மூன்று டிக்கெட் வேண்டும்", "ta", 4),
        ("Pune-Nashik bus", "en", 3),
        (" ".join(map(str, range(300))), "en", MOST_ENTITIES),
        ("明日東京へ行く", "ja", MOST_ENTITIES),
    ],
)
def test_the_schema_has_room_for_as_many_entities_as_words(reference: str, language: str, most: int) -> None:
    """A small model that goes on listing the same is stopped there; languages without blanks have no such count."""
    schema: Any = LISTING_TASK.schema(question(reference, language))
    assert schema["properties"]["entities"]["maxItems"] == most


def test_entities_are_read_in_the_order_of_the_reference() -> None:
    """However they were listed, so that the same entities have the same numbers."""
    rows = [("Patna", "place", 3), ("parcel", "object", 2), ("5", "time", 1)]
    assert entities(question(), *rows) == [rows[1], rows[0], rows[2]]
    assert entities(question(), *reversed(rows)) == [rows[1], rows[0], rows[2]]


def test_a_reply_becomes_entities() -> None:
    """A ruling on a listing is read as entities with text, kind and importance; nothing of it asks for votes."""
    items = LISTING_TASK.parse(question(), GOOD)
    assert items == {"1": Item("object", "", "parcel", 2), "2": Item("place", "", "Patna", 3)}
    asking = deliberate(question(), 3)
    next(asking)
    with pytest.raises(StopIteration) as end:
        asking.send(items)
    assert listed(end.value.value) == (Listed("parcel", "object", 2), Listed("Patna", "place", 3))
    assert not any(LISTING_TASK.contradicts(item) for item in items.values())
    assert LISTING_TASK.unsure not in KINDS


def test_a_reference_may_have_no_entity() -> None:
    """An empty list is an answer."""
    asking = deliberate(question("Good evening to you."), 3)
    next(asking)
    with pytest.raises(StopIteration) as end:
        asking.send(LISTING_TASK.parse(question("Good evening to you."), {"entities": []}))
    assert listed(end.value.value) == ()


def test_an_entity_that_is_said_twice_may_be_listed_twice() -> None:
    """But not three times, whatever its case."""
    twice = question("Ravi, call Ravi now")
    assert len(entities(twice, ("Ravi", "person", 3), ("ravi", "person", 3))) == 2
    with pytest.raises(ReplyError, match="'ravi' is listed 3 times, and the reference holds it 2 times"):
        entities(twice, ("Ravi", "person", 3), ("ravi", "person", 3), ("RAVI", "person", 3))


@pytest.mark.parametrize(
    ("reference", "listed_texts", "kept"),
    [
        ("call Ravi Kumar", ["Ravi", "Kumar", "Ravi Kumar"], ["Ravi Kumar"]),
        ("call Ravi Kumar, Ravi", ["Ravi Kumar", "Ravi"], ["Ravi Kumar", "Ravi"]),
        ("call Ravi Kumar, Ravi", ["Ravi Kumar", "Ravi", "Ravi"], ["Ravi Kumar", "Ravi"]),
        ("mail a@x.com now", ["x.com", "a@x.com"], ["a@x.com"]),
        ("the Ravi Kumar Singh file", ["Ravi Kumar", "Kumar Singh"], ["Ravi Kumar", "Kumar Singh"]),
        ("one two three", ["two", "one two", "one two three"], ["one two three"]),
    ],
)
def test_a_part_of_an_entity_is_none(reference: str, listed_texts: list[str], kept: list[str]) -> None:
    """What stands only inside of other listed entities would weigh twice; it is dropped in any order."""
    for texts in (listed_texts, listed_texts[::-1]):
        found = entities(question(reference), *((text, "other", 1) for text in texts))
        assert [text for text, _, _ in found] == kept


def test_a_note_on_sounds_holds_no_entity() -> None:
    """Nobody said what stands in brackets; the same word outside of them is one."""
    with pytest.raises(ReplyError, match=r"entity 1: 'noise' stands only in a note on sounds; nobody said it"):
        LISTING_TASK.parse(question("call Ravi [noise] now"), reply(("noise", "object", 1)))
    assert entities(question("call about the noise [noise]"), ("noise", "object", 1)) == [("noise", "object", 1)]


@pytest.mark.parametrize(
    ("reference", "language", "span"),
    [
        ("मैं ज़रूर पढ़ूँगा", "hi", "ज़रूर"),
        ("আমি ঢাকায় যাব", "bn", "ঢাকায়"),
        ("ମୁଁ ପଢ଼ିବି", "or", "ପଢ଼ିବି"),
        ("அவர் கொச்சியில் இருக்கிறார்", "ta", "கொச்சியில்"),
        ("ನಾನು ಹೋಗುತ್ತೇನೆ", "kn", "ಹೋಗುತ್ತೇನೆ"),
        ("അവൻ കൊച്ചിയിൽ വരും", "ml", "കൊച്ചിയിൽ"),
        ("ਮੈਂ ਜ਼ੀਰਾ ਜਾਣਾ ਹੈ", "pa", "ਜ਼ੀਰਾ"),
        ("Meet me at Café Renée", "en", "Café Renée"),
    ],
)
def test_spans_are_found_in_either_normal_form(reference: str, language: str, span: str) -> None:
    """A span in NFD of a reference in NFC is held, the other way round too, and both are the same entity."""
    for form, other in FORMS:
        asked = question(unicodedata.normalize(form, reference), language)
        theirs = unicodedata.normalize(other, span)
        assert entities(asked, (theirs, "other", 1)) == [(unicodedata.normalize("NFC", span), "other", 1)]
        with pytest.raises(ReplyError, match="is listed 2 times, and the reference holds it once"):
            entities(asked, (theirs, "other", 1), (unicodedata.normalize(form, span), "other", 1))


def test_a_hundred_entities_are_read_and_one_more_is_not() -> None:
    """Long lists keep their order by place, with ids to 100."""
    names = [f"name{number:03}" for number in range(101)]
    asked = question(" ".join(names))
    rows = [(name, "person", 1 + at % MOST_IMPORTANT) for at, name in enumerate(names)]
    assert entities(asked, *reversed(rows[:100])) == rows[:100]
    with pytest.raises(ReplyError) as caught:
        entities(asked, *rows)
    assert str(caught.value) == "101 entities are listed, more than 100"


def change(path: tuple[Any, ...], value: object) -> Callable[[], object]:
    """A good reply with one value replaced."""

    def made() -> object:
        replied: Any = copy.deepcopy(GOOD)
        place = replied
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        return replied

    return made


FIRST = ("entities", 0)


@pytest.mark.parametrize(
    ("made", "clause"),
    [
        (dict, "the reply has no entities"),
        (list, "the reply must be an object, not []"),
        (lambda: None, "the reply must be an object, not None"),
        (lambda: math.nan, "the reply must be an object, not nan"),
        (lambda: {"entities": None}, "the entities must be a list, not None"),
        (lambda: {"entities": {}}, "the entities must be a list, not {}"),
        (lambda: {"entities": "NA"}, "the entities must be a list, not 'NA'"),
        (change(("entity_score",), 1.0), "the reply has the unknown key 'entity_score'"),
        (change(FIRST, "Patna"), "entity 1 must be an object, not 'Patna'"),
        (change(FIRST, {"text": "Patna", "kind": "place"}), "entity 1 has no importance"),
        (change(FIRST, {"kind": "place", "importance": 1}), "entity 1 has no text"),
        (change((*FIRST, "entity_score"), 7), "entity 1 has the unknown key 'entity_score'"),
        (change((*FIRST, "text"), " "), "entity 1: the text must be words of the reference, not ' '"),
        (change((*FIRST, "text"), 5), "entity 1: the text must be words of the reference, not 5"),
        (
            change((*FIRST, "text"), "Pune"),
            "entity 1: the reference does not hold 'Pune'; quote its very words",
        ),
        (
            change((*FIRST, "text"), "Patn"),
            "entity 1: the reference does not hold 'Patn'; quote its very words",
        ),
        (change((*FIRST, "text"), "?"), "entity 1: the text must be words of the reference, not '?'"),
        (
            change((*FIRST, "kind"), "city"),
            f"entity 1: the kind must be one of {', '.join(KINDS)}, not 'city'",
        ),
        (
            change((*FIRST, "kind"), ["place"]),
            f"entity 1: the kind must be one of {', '.join(KINDS)}, not ['place']",
        ),
        *(
            (
                change((*FIRST, "importance"), value),
                f"entity 1: the importance must be 1 to {MOST_IMPORTANT}, not {told}",
            )
            for value, told in (
                (0, "0"),
                (4, "4"),
                (-1, "-1"),
                (2.0, "2.0"),
                (0.5, "0.5"),
                (True, "True"),
                ("3", "'3'"),
                (None, "None"),
                (math.nan, "nan"),
                (math.inf, "inf"),
                (10**40, "a huge number"),
            )
        ),
        (
            lambda: reply(("Patna", "place", 3), ("patna", "place", 3)),
            "'patna' is listed 2 times, and the reference holds it once",
        ),
        (
            lambda: reply(("Patna", "place", 3), ("Patna,", "place", 3)),
            "'patna' is listed 2 times, and the reference holds it once",
        ),
    ],
)
def test_a_reply_that_is_not_what_was_asked_for_is_refused(made: Callable[[], object], clause: str) -> None:
    """Whatever is wrong with a reply, it is refused with one clause that says what."""
    with pytest.raises(ReplyError) as caught:
        LISTING_TASK.parse(question(), made())
    assert str(caught.value) == clause


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["Patna", "place", 1]),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(["entities", "text", "kind", "importance", "x"]), part, max_size=4)
    ),
    max_leaves=12,
)


@STEADY
@given(JSON)
def test_any_reply_is_read_or_refused(replied: object) -> None:
    """Any JSON gives entities of the reference, or a ReplyError; nothing else."""
    for value in (replied, {"entities": replied}, {"entities": [replied]}):
        try:
            items = LISTING_TASK.parse(question(), value)
        except ReplyError:
            continue
        assert all(1 <= item.weight <= MOST_IMPORTANT and item.label in KINDS for item in items.values())
