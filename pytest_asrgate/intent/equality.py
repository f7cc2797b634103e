"""Whether two texts surely say the same: case, punctuation, number formats, acknowledgements, repetition.

Whatever may change a meaning keeps two texts apart: a question mark, an apostrophe (`we're`, `were`), a vowel sign,
a decimal point, a minus, a currency, a full stop inside of an address.
"""

from collections.abc import Sequence

from pytest_asrgate.intent.acknowledgements import acknowledged, leading
from pytest_asrgate.intent.numbers import base_of, read, same_number
from pytest_asrgate.intent.pieces import Kind, Piece, cut
from pytest_asrgate.intent.reading import has_words
from pytest_asrgate.intent.repetition import said_once

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
    if _keys(cut(reference)) == _keys(cut(hypothesis)):
        return "case and punctuation"
    spoken, heard = read(reference, language), read(hypothesis, language)
    if same_pieces(spoken, heard):
        return "number formats"
    return _by_what_is_said(spoken, heard, base_of(language))


def _by_what_is_said(spoken: Sequence[Piece], heard: Sequence[Piece], language: str) -> str:
    """`acknowledgements` or `repetition`, empty for neither."""
    answer = acknowledged(spoken, language)
    if answer:
        return "acknowledgements" if answer == acknowledged(heard, language) else ""
    if _same_behind_answer(spoken, heard):
        return "acknowledgements"
    spoken, heard = said_once(spoken, language), said_once(heard, language)
    return "repetition" if same_pieces(spoken, heard) or _same_behind_answer(spoken, heard) else ""


def _same_behind_answer(spoken: Sequence[Piece], heard: Sequence[Piece]) -> bool:
    """Whether both open with the same acknowledgement, however it is said, and go on alike."""
    (answer, end), (other, other_end) = leading(spoken), leading(heard)
    return bool(answer) and answer == other and same_pieces(spoken[end:], heard[other_end:])


def _keys(pieces: Sequence[Piece]) -> list[tuple[str, object]]:
    """What is equal for pieces that differ in case and punctuation only."""
    # Several question marks ask no more than one.
    return [
        (piece.key, piece.number and piece.number.parts)
        for place, piece in enumerate(pieces)
        if not (piece.kind == Kind.QUESTION and place and pieces[place - 1].kind == Kind.QUESTION)
    ]


def same_pieces(spoken: Sequence[Piece], heard: Sequence[Piece]) -> bool:
    """Whether two texts have the same pieces, numbers in whatever form."""
    spoken, heard = _asked_once(spoken), _asked_once(heard)
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


def _asked_once(pieces: Sequence[Piece]) -> Sequence[Piece]:
    if not any(piece.kind == Kind.QUESTION for piece in pieces):
        return pieces
    return [
        piece
        for place, piece in enumerate(pieces)
        if not (piece.kind == Kind.QUESTION and place and pieces[place - 1].kind == Kind.QUESTION)
    ]


def _around(pieces: Sequence[Piece], place: int) -> tuple[frozenset[str], frozenset[str]]:
    """The keys before and behind a place."""
    before = frozenset(piece.key for piece in pieces[max(0, place - _AROUND) : place])
    return before, frozenset(piece.key for piece in pieces[place + 1 : place + 1 + _AROUND])
