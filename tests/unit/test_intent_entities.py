"""The entities that rules find, and what became of each."""

import pytest

from pytest_asrgate.intent.entities import entities_by_rule
from pytest_asrgate.intent.listing import KINDS
from pytest_asrgate.intent.reading import holds
from pytest_asrgate.records.intent import EntityStatus

CASES: list[tuple[str, str, str, list[tuple[str, str, str, str]]]] = [
    (
        "en",
        "Please John come to New Delhi with Mr. Ajay Gupta on Monday at 5 pm",
        "please jon come to new delhi with mr ajay gupta on tuesday at 6 pm",
        [
            ("John", "other", "substituted", "jon"),
            ("New Delhi", "other", "preserved", "new delhi"),
            ("Mr. Ajay Gupta", "person", "preserved", "mr ajay gupta"),
            ("Monday", "date", "substituted", "tuesday"),
            ("5 pm", "time", "substituted", "6 pm"),
        ],
    ),
    ("en", "I told her that this one is the one, no one else", "I told her", []),
    ("en", "CALL JOHN", "call john", []),
    ("en", "call john", "call john", []),
    ("en", "He Met John In Goa", "he met john in goa", []),
    ("en", "Mumbai is hot", "mumbai is hot", []),
    (
        "en",
        "Priya called. Ask Priya",
        "priya called ask riya",
        [("Priya", "other", "preserved", "priya"), ("Priya", "other", "substituted", "riya")],
    ),
    (
        "en",
        "Take Mary’s car, I said",
        "take mary's car i said",
        [("Mary", "other", "preserved", "mary")],
    ),
    (
        "en",
        "I bank with the Bank of India on MG Road",
        "i bank with the bank of india",
        [("Bank of India", "other", "preserved", "bank of india"), ("MG Road", "address", "missing", "")],
    ),
    (
        "en",
        "5 apples and 5 pears",
        "5 apples and pears",
        [("5", "number", "preserved", "5"), ("5", "number", "missing", "")],
    ),
    ("en", "Order A-1234-B", "order a1234b", [("A-1234-B", "identifier", "preserved", "a1234b")]),
    (
        "en",
        "I paid $1,500.50 in 2020",
        "i paid 1500.50 dollars in 2021",
        [
            ("$1,500.50", "amount", "preserved", "1500.50 dollars"),
            ("2020", "number", "substituted", "2021"),
        ],
    ),
    # A number without its country's prefix may be the same: not what was said, and nothing false.
    ("en", "dial 91 98765 43210", "dial 9876543210", [("91 98765 43210", "phone", "missing", "")]),
    ("en", "on 12/05/1990", "on 12 05 1990", [("12/05/1990", "date", "preserved", "12 05 1990")]),
    ("en", "Paul called Peter", "Peter called Paul", [("Peter", "other", "preserved", "Peter")]),
    ("en", "I met Priya", "I met prior", [("Priya", "other", "missing", "")]),
    ("en", "I met Priya", "", [("Priya", "other", "missing", "")]),
    ("hi", "एक बात, मैं John से ५ बजे मिला", "एक बात मैं John से 6 बजे मिला",
     [("John", "other", "preserved", "John"), ("५", "number", "substituted", "6")]),
    ("en", "", "Hello John 5", []),
    # A month is one only where it is named beside its day.
    ("en", "Walk on, March 5 miles east", "walk on march 5 miles east", [("5", "number", "preserved", "5")]),
    ("en", "You may 5 times call", "you may 5 times call", [("5", "number", "preserved", "5")]),
    ("en", "It is on March 5 in Pune", "it is on march 5 in pune",
     [("March 5", "date", "preserved", "march 5"), ("Pune", "other", "preserved", "pune")]),
    ("en", "take 1/2 cup", "take 1/2 cup", [("1/2", "number", "preserved", "1/2")]),
    # Digits that are cut otherwise are nothing false.
    ("en", "my pin is 1234", "my pin is 1 2 3 4", [("1234", "number", "missing", "")]),
    ("en", "Pay 2 lakh 50 thousand", "pay 250000",
     [("2", "number", "missing", ""), ("50 thousand", "number", "missing", "")]),
    ("en", "Pay 2 lakh", "pay 3 lakh", [("2", "number", "substituted", "3")]),
    ("en", "take 1/2 cup", "take 1/3 cup", [("1/2", "number", "substituted", "1/3")]),
    ("en", "KA 05 MX 2210", "ka 05 mx 2210", [("KA 05 MX 2210", "identifier", "preserved", "ka 05 mx 2210")]),
    # What the number counts is a part of what it says.
    ("en", "Pay 2 lakh", "pay 200000", [("2", "number", "preserved", "200000")]),
    ("en", "it is 0.5", "it is .5", [("0.5", "number", "preserved", ".5")]),
    ("en", "I have 5 cats, the 3rd is ill", "i have 3 cats the 5th is ill",
     [("5", "number", "substituted", "3"), ("3rd", "number", "substituted", "5th")]),
    # Names are not what merely has capitals.
    ("en", "Come HERE in the MORNING", "come", []),
    ("en", "I waited, Although it rained. However Much I ask", "i waited", []),
    ("en", "he has Rs left", "he has", []),
    ("de", "Das Haus steht am See in Bonn", "das haus steht", []),
]  # fmt: skip


@pytest.mark.parametrize(("language", "reference", "hypothesis", "entities"), CASES)
def test_what_is_found(
    language: str, reference: str, hypothesis: str, entities: list[tuple[str, str, str, str]]
) -> None:
    """Data and names with their kind, status and what was heard, in the order of the reference."""
    found = entities_by_rule(reference, hypothesis, language)
    assert [(each.text, each.kind, each.status.value, each.heard) for each in found] == entities
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    for each in found:
        assert holds(each.text, reference)
        assert not each.heard or holds(each.heard, hypothesis)
        assert each.kind in KINDS
        assert each.importance == 1
        assert each.decided_by in {"rule name", "rule exact data"}


@pytest.mark.parametrize(("language", "reference"), [(case[0], case[1]) for case in CASES])
def test_a_text_preserves_itself(language: str, reference: str) -> None:
    """All entities of a text are preserved in the text itself, also in small letters and with more words around."""
    for hypothesis in (reference, reference.lower(), f"well {reference.lower()} indeed"):
        found = entities_by_rule(reference, hypothesis, language)
        assert {each.status for each in found} <= {EntityStatus.PRESERVED}


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("Pay 2 lakh", "pay 2 crore"),
        ("Pay 2 lakh", "pay 2"),
        ("Pay 500 rupees", "pay 500 dollars"),
        ("take 10 mg", "take 10 ml"),
        ("take 10 mg", "take 10 kilograms"),
        ("I have 3 cats", "I have third cats"),
        ("Pay - 500", "pay 500"),
        ("it is at 5 pm", "it is at 5 am"),
        ("Pay 5 percent", "pay 5 dollars"),
    ],
)
def test_a_number_with_another_unit_is_not_preserved(reference: str, hypothesis: str) -> None:
    """Units, scale words, signs and ordinals belong to a number, in both directions."""
    for left, right in ((reference, hypothesis), (hypothesis, reference)):
        found = entities_by_rule(left, right, "en")
        assert found
        assert EntityStatus.PRESERVED not in {each.status for each in found}


def test_a_time_in_another_form_is_not_false() -> None:
    """`17:00` may be `5 pm`: nothing false was said."""
    (found,) = entities_by_rule("Call at 5 pm", "call at 17:00", "en")
    assert found.status in {EntityStatus.PRESERVED, EntityStatus.MISSING}


def test_each_place_is_used_once_and_in_order() -> None:
    """Two numbers that changed places are not both preserved."""
    found = entities_by_rule("Order 5 apples and 6 pears", "order 6 apples and 5 pears", "en")
    assert [each.text for each in found] == ["5", "6"]
    assert sum(each.status is EntityStatus.PRESERVED for each in found) <= 1
    found = entities_by_rule("5 of a, 6 of b and 7 of c", "6 of b and 7 of c, 5 of a", "en")
    assert [each.status is EntityStatus.PRESERVED for each in found] == [False, True, True]


def test_long_texts_end() -> None:
    """Thousands of entities are compared without a slow path."""
    for part in ("met John at 7, ", "1,", "A1 ", "May 5 ", "4410 "):
        text = part * (20_000 // len(part))
        assert all(each.status is EntityStatus.PRESERVED for each in entities_by_rule(text, text.lower(), "en"))
        entities_by_rule(text, text.replace("7", "8").replace("4", "3"), "en")
