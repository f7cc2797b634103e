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


def test_long_texts_end() -> None:
    """Thousands of entities are compared without a slow path."""
    for part in ("met John at 7, ", "1,", "A1 ", "May 5 ", "4410 "):
        text = part * (20_000 // len(part))
        assert all(each.status is EntityStatus.PRESERVED for each in entities_by_rule(text, text.lower(), "en"))
        entities_by_rule(text, text.replace("7", "8").replace("4", "3"), "en")
