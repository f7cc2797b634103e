"""Claims about addresses of mail and web, and about what counts once: hyphenated pieces, and nothing else."""

import pytest

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.normalise import read_text
from pytest_asrgate.semantic.pairs import TextPair, prepare


@pytest.mark.parametrize(
    ("raw", "address"),
    [
        ("mail john.doe@acme.com now", "john dot doe at acme dot com"),
        ("go to https://www.booking.com/rooms, please", "www dot booking dot com slash rooms"),
        ("my name is foo_bar there", "foo underscore bar"),
        ("mail x_1@acme.com", "x underscore one at acme dot com"),
        ("mail jo at acme dot com today", "mail jo at acme dot com"),
        ("polka dot dress", ""),
        ("mail john dot doe at acme", ""),
        ("a well-known 3.5 thing e.g. this.", ""),
    ],
)
def test_the_words_of_an_address_are_marked(raw: str, address: str) -> None:
    """Each word of an address, its signs and numbers among them, and no other word."""
    assert " ".join(word.text for word in read_text(raw).words if word.address) == address


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("write to tickets@acme.com", "write to ticket@acme.com"),
        ("open booking.com", "open bookings.com"),
        ("mail john smith@acme.com", "mail johnsmith@acme.com"),
        ("mail jane@theacme.com", "mail jane@acme.com"),
        ("mail the.boss@acme.com", "mail boss@acme.com"),
        ("go to my-shop.com", "go to myshop.com"),
        ("log in as foo_bar", "log in as foobar"),
        ("log in as foo_bars", "log in as foo_bar"),
        ("mail um@acme.com", "mail at acme dot com"),
        ("open drivers.com", "open driver dot com"),
        ("write to tickets at acme dot com", "write to ticket at acme dot com"),
        ("mail john smith at acme dot com", "mail johnsmith at acme dot com"),
        ("open bookings dot com", "open booking dot com"),
        ("go to acme.com/a", "go to acme.com"),
    ],
)
def test_nothing_within_an_address_is_the_same_by_rule(reference: str, hypothesis: str) -> None:
    """One letter less is another address: what touches one, on either side, is left to the judge."""
    for pair in (TextPair(reference, hypothesis), TextPair(hypothesis, reference)):
        found = prepare(pair).differences
        assert found
        assert Label.SAME not in {row.label for row in found}


def test_what_stands_beside_an_address_is_settled_as_ever() -> None:
    """Only the words of the address are kept from the rules."""
    found = prepare(TextPair("the boxes of jo@acme.com", "boxes of jo@acme.com")).differences
    assert [row.decided_by for row in found] == ["rule article"]
    assert prepare(TextPair("mail jo@acme.com", "mail jo at acme dot com")).differences == ()


@pytest.mark.parametrize(
    ("glued", "apart", "hypothesis"),
    [
        ("mail john.doe@acme.com", "mail john dot doe at acme dot com", "mail nobody"),
        ("my code is ABC123 now", "my code is ABC 123 now", "my code is lost now"),
        ("an mp3 here", "an mp 3 here", "an empty tree here"),
    ],
)
def test_what_is_glued_costs_what_it_costs_apart(glued: str, apart: str, hypothesis: str) -> None:
    """At equal N the way a reference is written moves no S, D or I: only a hyphen makes one of several words."""

    def cost(reference: str) -> tuple[int, int, int, int]:
        made = prepare(TextPair(reference, hypothesis))
        rows = made.differences
        return (
            made.words,
            sum(row.substitutions for row in rows),
            sum(row.deletions for row in rows),
            sum(row.insertions for row in rows),
        )

    assert cost(glued) == cost(apart)


@pytest.mark.parametrize(
    ("raw", "compounds"),
    [
        ("a 3D-printed part", [None, 0, 0, 0, None]),
        ("the WH-1000XM4 here", [None, 0, 0, 0, 0, 0, None]),
        ("jo@my-shop.com", [None] * 7),
    ],
)
def test_a_hyphenated_piece_holds_all_that_is_glued_to_it(raw: str, compounds: list[int | None]) -> None:
    """From blank to blank; an address is none."""
    assert [word.compound for word in read_text(raw).words] == compounds
