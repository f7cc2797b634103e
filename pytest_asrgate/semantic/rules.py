"""The rules of the semantic error rate in their order; the first that says something of an edit settles it.

A run of words that say a number goes to `number` as a whole. Every other edit is offered to the rest in pieces of
up to three steps, the longest first: yes-no, number (a unit behind one), article, filler, possessive, plural,
trailing, truncated. What none of them settles is grouped with its neighbours, and the group goes to `negation`.
Joined words are same by `hyphen`.
"""

from collections.abc import Sequence

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Rule, Settled, quoted
from pytest_asrgate.semantic.rules_fillers import filler
from pytest_asrgate.semantic.rules_forms import article, plural, possessive
from pytest_asrgate.semantic.rules_meaning import negation, yes_no
from pytest_asrgate.semantic.rules_numbers import number, unit
from pytest_asrgate.semantic.rules_speech import trailing, truncated

__all__ = ["GROUP_RULES", "JOIN_RULES", "NUMBER_RULES", "PIECE_RULES", "RULES", "settle"]

NamedRules = Sequence[tuple[str, Rule]]


def hyphen(edit: Edit) -> Settled | None:
    """Same: the words are equal once they are joined or split."""
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are the same words, joined or split.")


JOIN_RULES: NamedRules = (("hyphen", hyphen),)
NUMBER_RULES: NamedRules = (("number", number),)
PIECE_RULES: NamedRules = (
    ("yes-no", yes_no),
    ("number", unit),
    ("article", article),
    ("filler", filler),
    ("possessive", possessive),
    ("plural", plural),
    ("trailing", trailing),
    ("truncated", truncated),
)
GROUP_RULES: NamedRules = (("negation", negation),)
RULES: NamedRules = (*JOIN_RULES, *NUMBER_RULES, *PIECE_RULES, *GROUP_RULES)


def _within_address(edit: Edit) -> bool:
    return any(word.address for word in (*edit.spoken_words, *edit.heard_words))


def settle(edit: Edit, rules: NamedRules) -> tuple[str, Settled] | None:
    """The name of the first rule that says something of an edit, and what it says.

    No rule calls words of an address the same: one letter more is another address.
    """
    for name, rule in rules:
        found = rule(edit)
        if found is not None and (found.label is not Label.SAME or not _within_address(edit)):
            return name, found
    return None
