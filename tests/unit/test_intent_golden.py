"""The golden pairs against the rules: never kept where a meaning differs, always where the rules must see it."""

from collections import Counter

import pytest

from pytest_asrgate.intent.entities import entities_by_rule
from pytest_asrgate.intent.equality import kept_by_rule
from pytest_asrgate.intent.listing import KINDS
from pytest_asrgate.intent.reading import holds
from pytest_asrgate.records.intent import EntityStatus
from tests.unit.golden_intent import EXACT_KINDS, GOLDEN_INTENTS, GoldenIntent

LANGUAGES = {"en", "hi", "bn", "mr", "ml", "kn", "ta", "te", "gu", "or", "pa"}
RULES = {
    *("actor", "direction of action", "subject", "object", "question, statement or command", "pronouns"),
    *("honorifics", "possessives", "tense", "number", "singular or plural", "negation", "names", "dates of birth"),
    *("e-mail addresses", "phone numbers", "account numbers and identifiers", "addresses", "yes or no"),
    *("agree or disagree", "empty reference", "empty hypothesis", "acknowledgements", "repetition"),
    *("equivalent requests", "number formats", "minor variations", "language preference"),
    *("direct acknowledgement", "subject and object", "named entities"),
}
PHENOMENA = {
    ("hi", "pronouns"), ("hi", "subject and object"), ("bn", "named entities"), ("mr", "tense"),
    ("ml", "question, statement or command"), ("kn", "singular or plural"), ("ta", "phone numbers"),
    ("te", "subject and object"), ("gu", "negation"), ("or", "named entities"), ("pa", "tense"),
}  # fmt: skip
NEVER_KEPT = {"empty reference", "empty hypothesis"}


def _name(pair: GoldenIntent) -> str:
    return f"{pair.language}-{pair.rule}-{GOLDEN_INTENTS.index(pair)}"


@pytest.mark.parametrize("pair", GOLDEN_INTENTS, ids=_name)
def test_rules_are_sound_and_see_what_they_must(pair: GoldenIntent) -> None:
    """A pair with another meaning is never kept by rule, in neither direction; one that rules must see is."""
    for reference, hypothesis in ((pair.reference, pair.hypothesis), (pair.hypothesis, pair.reference)):
        rule = kept_by_rule(reference, hypothesis, pair.language)
        if not pair.kept:
            assert rule == ""
        if pair.by_rule:
            assert rule


@pytest.mark.parametrize("pair", [each for each in GOLDEN_INTENTS if each.entities], ids=_name)
def test_rules_find_the_exact_entities(pair: GoldenIntent) -> None:
    """Digits, dates, e-mails and identifiers of a golden pair are found with the status that they have."""
    found = entities_by_rule(pair.reference, pair.hypothesis, pair.language)
    statuses = {each.text: each.status for each in found}
    for text, kind, status in pair.entities:
        if kind in EXACT_KINDS and any(character.isdigit() or character == "@" for character in text):
            assert statuses.get(text) == status, found
        elif text in statuses:
            assert statuses[text] == status, found


def test_the_list_is_broad() -> None:
    """At least 120 pairs: each rule in both directions, each language with the phenomenon that is named for it."""
    assert len(GOLDEN_INTENTS) >= 130
    assert {pair.rule for pair in GOLDEN_INTENTS} == RULES
    assert {pair.language for pair in GOLDEN_INTENTS} == LANGUAGES
    seen = {(pair.rule, pair.kept) for pair in GOLDEN_INTENTS}
    assert {(rule, kept) for rule in RULES - NEVER_KEPT for kept in (True, False)} <= seen
    there = {(pair.language, pair.rule, pair.kept) for pair in GOLDEN_INTENTS}
    assert {(*named, kept) for named in PHENOMENA for kept in (True, False)} <= there
    assert min(Counter(pair.language for pair in GOLDEN_INTENTS).values()) >= 5


def test_the_list_is_in_order() -> None:
    """No pair stands twice, rules see nothing that is lost, and entities are words of the reference."""
    assert len({(each.language, each.reference, each.hypothesis) for each in GOLDEN_INTENTS}) == len(GOLDEN_INTENTS)
    for pair in GOLDEN_INTENTS:
        assert pair.kept or not pair.by_rule
        for text, kind, status in pair.entities:
            assert holds(text, pair.reference)
            assert kind in KINDS
            assert status in set(EntityStatus)
