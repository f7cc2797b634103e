# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""E-mail addresses and identifiers of two spans compared, letter by letter and digit by digit."""

from collections import Counter
from collections.abc import Sequence

from pytest_asrgate.intent.data import Span, compact
from pytest_asrgate.intent.pieces import Kind, Piece

__all__ = ["UNREAD", "Side", "digits_of", "same_addresses", "same_identifiers", "window_of"]

# English words that make another number of the one beside them, and are not read here.
UNREAD = frozenset(
    "lakh lakhs crore crores dozen dozens double triple half quarter halves quarters thousand thousands hundred "
    "hundreds million millions billion billions score couple once twice k m".split()
)
_LONGEST_WINDOW = 24

# The pieces of a span, and the data in them.
Side = tuple[Sequence[Piece], Sequence[Span]]


def digits_of(pieces: Sequence[Piece]) -> str:
    """The digits of all numbers, one after the other."""
    return "".join(piece.number.digits for piece in pieces if piece.number is not None)


def same_addresses(spoken: Side, heard: Side) -> tuple[bool, bool | None]:
    """Whether there are addresses at all, and whether they are equal."""
    sides = [[pieces[span.first] for span in spans if span.kind == "email"] for pieces, spans in (spoken, heard)]
    if not any(sides):
        return False, None
    if not all(sides):
        return True, None
    if Counter(piece.key for piece in sides[0]) == Counter(piece.key for piece in sides[1]):
        return True, True
    # `rahul kumar at gmail dot com` is rahulkumar@gmail.com, if the span begins with the name.
    names = ["".join(piece.key for piece in pieces if piece.kind != Kind.QUESTION) for pieces, _ in (spoken, heard)]
    if len(sides[0]) == len(sides[1]) == 1 and _is_end_of(names, sides):
        return True, True
    return True, False


def _is_end_of(names: Sequence[str], sides: Sequence[Sequence[Piece]]) -> bool:
    return sides[0][0].key == names[1] or sides[1][0].key == names[0]


def same_identifiers(spoken: Side, heard: Side) -> tuple[bool, bool | None]:
    sides = [
        [compact(pieces[span.first : span.last]) for span in spans if span.kind == "identifier"]
        for pieces, spans in (spoken, heard)
    ]
    if not any(sides):
        return False, None
    if sides[0] == sides[1]:
        return True, True
    if len(sides[0]) == 1 and window_of(heard[0], sides[0][0]):
        return True, True
    if len(sides[1]) == 1 and window_of(spoken[0], sides[1][0]):
        return True, True
    if all(sides):
        return True, False
    digits = [digits_of(pieces) for pieces, _ in (spoken, heard)]
    unread = any(piece.key in UNREAD for side in (spoken, heard) for piece in side[0])
    inside = "".join(filter(str.isdecimal, (sides[0] or sides[1])[0]))
    other = digits[1] if sides[0] else digits[0]
    return True, False if other and other != inside and not unread else None


def window_of(pieces: Sequence[Piece], target: str) -> tuple[int, int] | None:
    """Where the letters and digits of an identifier stand in some pieces, none of them cut."""
    for first in range(len(pieces)):
        if pieces[first].kind not in {Kind.WORD, Kind.NUMBER} or pieces[first].glued:
            continue
        found, last = "", first
        while last < len(pieces) and last - first < _LONGEST_WINDOW and len(found) < len(target):
            piece = pieces[last]
            if piece.kind in {Kind.ADDRESS, Kind.QUESTION}:
                break
            found += compact([piece])
            if not target.startswith(found):
                break
            last += 1
        beyond = last < len(pieces) and (pieces[last].glued and pieces[last].kind in {Kind.WORD, Kind.NUMBER})
        if found == target and not beyond:
            return first, last
    return None
