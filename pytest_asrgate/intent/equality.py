"""Whether two texts surely say the same: case, punctuation, number formats, acknowledgements, repetition.

Whatever may change a meaning keeps two texts apart: a question mark, an apostrophe (`we're`, `were`), a vowel sign,
a decimal point, a minus, a currency, a full stop inside of an address, a pause beside a negation. What is not
certain is left to a judge.
"""

from collections.abc import Sequence

from pytest_asrgate.intent.acknowledgements import acknowledged, leading
from pytest_asrgate.intent.numbers import base_of, is_between_numbers, read, same_number
from pytest_asrgate.intent.pieces import Piece, cut
from pytest_asrgate.intent.reading import has_words, without_annotations
from pytest_asrgate.intent.repetition import said_once
from pytest_asrgate.intent.sameness import asked_once, surely_same
from pytest_asrgate.intent.sure_numbers import Said

__all__ = ["INTENT_RULES_VERSION", "kept_by_rule", "same_pieces"]

# Raised whenever what the rules make of any pair of texts changes: what is kept, which entities are found, and how
# exact data is compared.
INTENT_RULES_VERSION = 1

# So many pieces around a number may tell what it is.
_AROUND = 2


def kept_by_rule(reference: str, hypothesis: str, language: str) -> str:
    """The name of the rule under which the intent of a raw reference is surely kept, empty where none says so.

    `language` is a canonical code; number words and acknowledgements are read in English and ten Indian languages.
    A text without words keeps nothing. One of `equal texts`, `case and punctuation`, `number formats`,
    `acknowledgements` and `repetition`.
    """
    if not has_words(reference) or not has_words(hypothesis):
        return ""
    if reference == hypothesis:
        return "equal texts"
    if base_of(language) == "el":
        # In Greek it asks.
        reference, hypothesis = reference.replace(";", "?"), hypothesis.replace(";", "?")
    return _by_pieces(reference, hypothesis, language)


def _by_pieces(reference: str, hypothesis: str, language: str) -> str:
    """The name of the rule for two texts that are not equal."""
    # What was annotated is blank, so that nothing is looked for in it.
    reference, hypothesis = without_annotations(reference), without_annotations(hypothesis)
    spoken, heard = Said(reference, cut(reference)), Said(hypothesis, cut(hypothesis))
    read_both = Said(reference, read(reference, language)), Said(hypothesis, read(hypothesis, language))
    doubtful = is_between_numbers(spoken.pieces) or is_between_numbers(heard.pieces)
    if doubtful and _joints(spoken.pieces) != _joints(heard.pieces):
        return ""
    if _keys(spoken.pieces) == _keys(heard.pieces):
        # A comma between number words may make two numbers of one.
        same = surely_same(spoken, heard, language) and surely_same(*read_both, language)
        return "case and punctuation" if same else ""
    if doubtful:
        return ""
    spoken, heard = read_both
    if surely_same(spoken, heard, language):
        return "number formats"
    return _by_what_is_said(spoken, heard, language)


def _by_what_is_said(spoken: Said, heard: Said, language: str) -> str:
    """`acknowledgements` or `repetition`, empty for neither."""
    code = base_of(language)
    answer = acknowledged(spoken.pieces, code)
    if answer:
        return "acknowledgements" if answer == acknowledged(heard.pieces, code) else ""
    if _same_behind_answer(spoken, heard, language):
        return "acknowledgements"
    spoken, heard = (Said(said.raw, said_once(said.pieces, said.raw, code)) for said in (spoken, heard))
    same = surely_same(spoken, heard, language) or _same_behind_answer(spoken, heard, language)
    return "repetition" if same else ""


def _same_behind_answer(spoken: Said, heard: Said, language: str) -> bool:
    """Whether both open with the same English acknowledgement, however it is said, and go on alike."""
    if base_of(language) != "en":
        return False
    answer, other = leading(spoken.pieces), leading(heard.pieces)
    rest, other_rest = Said(spoken.raw, spoken.pieces[1:]), Said(heard.raw, heard.pieces[1:])
    return bool(answer) and answer == other and surely_same(rest, other_rest, language)


def _keys(pieces: Sequence[Piece]) -> list[tuple[str, object]]:
    """What is equal for pieces that differ in case and punctuation only."""
    return [(piece.key, piece.number and piece.number.parts) for piece in asked_once(pieces)]


def _joints(pieces: Sequence[Piece]) -> list[tuple[bool, bool]]:
    return [(piece.pause, piece.glued) for piece in pieces]


def same_pieces(spoken: Sequence[Piece], heard: Sequence[Piece]) -> bool:
    """Whether two spans of exact data have the same pieces, numbers in whatever form.

    For what was quoted alone; in a whole text more must be the same, which `kept_by_rule` looks at.
    """
    spoken, heard = asked_once(spoken), asked_once(heard)
    if len(spoken) != len(heard):
        return False
    for place, (left, right) in enumerate(zip(spoken, heard, strict=True)):
        if left.number is not None and right.number is not None:
            alone = len(spoken) == 1
            if not same_number(left.number, right.number, *_around(spoken, place), alone=alone):
                return False
        elif left.key != right.key:
            return False
    return True


def _around(pieces: Sequence[Piece], place: int) -> tuple[frozenset[str], frozenset[str]]:
    """The keys before and behind a place."""
    before = frozenset(piece.key for piece in pieces[max(0, place - _AROUND) : place])
    return before, frozenset(piece.key for piece in pieces[place + 1 : place + 1 + _AROUND])
