"""What the rules for forms and speech may not be certain of: letters, places, actions, texts that break off.

Each table has pairs that a rule once took for the same; the tables beside them show what stays settled. All
sentences are our own.
"""

import pytest

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.forms import is_plural_pair
from pytest_asrgate.semantic.pairs import TextPair, prepare


def _labels(reference: str, hypothesis: str) -> list[Label]:
    return [row.label for row in prepare(TextPair(reference, hypothesis)).differences]


def _deciders(reference: str, hypothesis: str) -> set[str]:
    return {row.decided_by for row in prepare(TextPair(reference, hypothesis)).differences}


def _rows(table: str) -> list[tuple[str, str]]:
    lines = [line.partition(" | ") for line in table.strip().splitlines()]
    return [(left.strip(), right.strip()) for left, _, right in lines]


LETTERS = """
    seat 12A | seat 12
    apartment 4a | apartment 4
    apartment 4 a please | apartment 4 please
    seat A12 please | seat 12 please
    press A | press
    press a | press
    press A now | press now
    call triple a | call triple
    call triple a now | call triple now
    from a to b | from to b
    play in a minor | play in minor
    play it in a flat | play it in flat
    blood type a | blood type
    vitamin A | vitamin
    he got an a | he got an
    take me to Chick-fil-A | take me to Chick-fil
    set the answer to A please | set the answer to please
"""
EACH = """
    take one a day | take one day
    3 a week | 3 week
    5 an hour | 5 hour
    in an hour | in hours
    book a room | book rooms
    I need a big room | I need big rooms
    cancel a flight | cancel the flights
    I need a room | I need rooms
"""
ACTIONS = """
    Cancel my order | cancel my orders
    Delete the file | delete the files
    delete my emails | delete my email
    turn off the alarm | turn off the alarms
    pay my bill | pay my bills
    call my parents | call my parent
    I would like to cancel my morning meeting | I would like to cancel my morning meetings
    I am ordering the ticket | I am ordering the tickets
    is it her | is it hers
    it is our house | it is ours house
    fly to athens | fly to athen
"""
TRAILING = """
    lights on | lights
    is bluetooth on | is bluetooth
    is the light on | is the light
    airplane mode on | airplane mode
    turn the lights in the living room on | turn the lights in the living room
    I want the lights in the living room on | I want the lights in the living room
    lights on and | lights
    dine in | dine
    trade in | trade
    clock in | clock
    put the slides of my talk on | put the slides of my talk
    the bus passes by | the bus passes
"""
PLACES = """
    Where is the nearest ER? | Where is the nearest?
    where is the nearest er | where is the nearest
    Take me to the ER now | Take me to the now
    take me to the er now | take me to the now
    the ER on Fifth | the uh on Fifth
    book an er visit | book a visit
    UM campus | campus
    UM campus | uh campus
    find the UM campus | find the campus
    Ah Fong restaurant | Fong restaurant
"""
CUT = """
    cancel... | can
    book a car... | book a cargo
    transfer to Ann... | transfer to anna
    book for Ma... | book for march
    call Bob- | call
    call bob- | call
    I want a coffee- | I want a
    I want a tea- | I want a
    I want to pass... | I want to passport
    transfer to Alex... | transfer to Alexander
"""
CONTENT = """
    call someone you know | call someone
    how many people you know | how many people
    you know John | John
    Well drilling near me | drilling near me
    well pump repair | pump repair
    so Cal weather | Cal weather
    So Cal weather | Cal weather
    so close the door | close the door
    play Love Actually | play love
    play love actually | play love
    Play Love Actually | play love
    so | hello so
"""


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [pair for table in (LETTERS, EACH, ACTIONS, TRAILING, PLACES, CUT, CONTENT) for pair in _rows(table)],
)
def test_what_may_matter_is_not_the_same(reference: str, hypothesis: str) -> None:
    """At least one difference is open, whichever text was the reference."""
    for one, other in ((reference, hypothesis), (hypothesis, reference)):
        labels = _labels(one, other)
        assert labels
        assert set(labels) != {Label.SAME}


SETTLED = [
    ("article", "book a flight to Rome now", "book flight to Rome now"),
    ("article", "A man is at the door", "man is at the door"),
    ("article", "Stop. A man is here", "Stop. man is here"),
    ("article", "BOOK A FLIGHT TO ROME", "BOOK FLIGHT TO ROME"),
    ("article", "take the 5 keys", "take 5 keys"),
    ("plural", "where are the new tickets sold", "where are the new ticket sold"),
    ("plural", "the order that I made was for the red shoes", "the order that I made was for the red shoe"),
    ("trailing", "I want a", "I want"),
    ("trailing", "find me a book by", "find me a book"),
    ("trailing", "is there a hotel in", "is there a hotel"),
    ("trailing", "find me a hotel on the", "find me a hotel"),
    ("trailing", "I need some tips on", "I need some tips"),
    ("filler", "er call Anna", "call Anna"),
    ("filler", "er call Anna", "uh call Anna"),
    ("filler", "Er, call Anna", "call Anna"),
    ("filler", "UM CALL ANNA", "CALL ANNA"),
    ("filler", "take me to the um station", "take me to the station"),
    ("filler", "Ah, Anna is here", "Anna is here"),
    ("filler", "um Anna is here", "Anna is here"),
    ("filler", "it was you know fun", "it was fun"),
    ("filler", "You know, I need help", "I need help"),
    ("filler", "it was great, you know", "it was great"),
    ("filler", "so I need a cab", "I need a cab"),
    ("filler", "Well, drilling is loud", "drilling is loud"),
    ("filler", "well um I need a cab", "I need a cab"),
    ("filler", "I actually love it", "I love it"),
    ("truncated", "we want to go to the restau...", "we want to go to the restaurant"),
    ("truncated", "open the fri-", "open the"),
]


@pytest.mark.parametrize(("rule", "reference", "hypothesis"), SETTLED)
def test_what_is_certain_stays_the_same(rule: str, reference: str, hypothesis: str) -> None:
    """The rules still settle what they are for."""
    assert _labels(reference, hypothesis) == [Label.SAME]
    assert _deciders(reference, hypothesis) == {f"rule {rule}"}


def test_pronouns_and_names_are_no_plurals() -> None:
    """`hers` is not more than one `her`, nor `athens` more than one `athen`."""
    for pair in ("her hers", "our ours", "your yours", "their theirs", "athen athens", "brook brooks"):
        assert not is_plural_pair(*pair.split()), pair
