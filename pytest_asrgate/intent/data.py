# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Exact data in a text: e-mail addresses, identifiers, dates, times, amounts and other numbers, each as a span."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.intent.numbers import month_of
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.semantic.abbreviations import UNITS

__all__ = ["CURRENCIES", "Span", "compact", "find_data"]

CURRENCIES = frozenset({"dollar", "euro", "pound", "rupee", "yen"})
_HALVES = frozenset({"am", "pm"})
# What an identifier is called, which is no part of it.
_LABELS = frozenset(
    "pnr otp pin id ids no upi atm sim emi pan dob inr usd rs gst imei ifsc cvv kyc i a am pm us uk uae tv pc is "
    "my the and or to of in on at it be by we he me so go up do if an as ok x".split()
)
_BEHIND_NUMBERS = frozenset([*UNITS, *"k m s st nd rd th g l b c f x pm am".split()])
_JOINTS = frozenset({"-", ".", "/"})
# In letters, digits and pieces.
_LONGEST_GROUP, _LONGEST_GLUED, _PHONE, _LONGEST, _LONGEST_PREFIX = 4, 8, 7, 20, 2
# Months that are other words too, and what may follow a date without a pause.
_OTHER_WORDS = frozenset({"march", "may"})
_BEHIND_DATES = frozenset(
    "in at on for and or to is was the from by with of please we i he she they you it will as until till but not "
    "if when because this that".split()
)


@dataclass(frozen=True, slots=True)
class Span:
    """Exact data in the pieces from `first` to before `last`; `kind` is one of `intent.listing.KINDS`."""

    first: int
    last: int
    kind: str


def find_data(pieces: Sequence[Piece], raw: str) -> list[Span]:
    """All exact data of a raw text in order; `pieces` are its own, with numbers read."""
    if not any(piece.kind in {Kind.NUMBER, Kind.ADDRESS} for piece in pieces):
        return []
    spans: list[Span] = []
    place = 0
    # `KA 05 MX 2210` is in capitals and shouts no words.
    shouted = raw.isupper() and any(
        piece.kind == Kind.WORD and len(piece.key) > _LONGEST_PREFIX for piece in pieces
    )
    while place < len(pieces):
        span = _span(pieces, place, raw, shouted)
        if span is None:
            place += 1
        else:
            spans.append(span)
            place = span.last
    return spans


def _span(pieces: Sequence[Piece], place: int, raw: str, shouted: bool) -> Span | None:
    """The data that begins at a place."""
    piece = pieces[place]
    if piece.kind == Kind.ADDRESS:
        return Span(place, place + 1, "email")
    if piece.kind == Kind.SIGN:
        return None
    date = _date(pieces, place, raw)
    if date is not None:
        return date
    identifier = _identifier(pieces, place, raw, shouted)
    if identifier is not None:
        return identifier
    return _number(pieces, place, raw) if piece.number is not None else None


def _key(pieces: Sequence[Piece], place: int) -> str:
    return pieces[place].key if 0 <= place < len(pieces) else ""


def _is_number(pieces: Sequence[Piece], place: int) -> bool:
    return 0 <= place < len(pieces) and pieces[place].number is not None


def _date(pieces: Sequence[Piece], place: int, raw: str) -> Span | None:
    """`5 January 1980`, `5th of January`, `January 5th, 1980`, `05/01/1980`."""
    number = pieces[place].number
    last = 0
    if number is None:
        if month_of(_key(pieces, place)):
            if _is_year(pieces, place + 1):
                last = place + 2
            elif _is_day(pieces, place + 1) and _is_month(pieces, place, raw):
                last = place + (3 if _is_year(pieces, place + 2) else 2)
    elif "/" in number.digits and len(number.parts) == 3:
        last = place + 1
    elif not pieces[place].pause and _is_day(pieces, place):
        month = place + (2 if _key(pieces, place + 1) == "of" else 1)
        if month_of(_key(pieces, month)) and (month > place + 1 or _is_month(pieces, month, raw)):
            last = month + (2 if _is_year(pieces, month + 1) else 1)
    return Span(place, last, "date") if last else None


def _is_month(pieces: Sequence[Piece], place: int, raw: str) -> bool:
    """Whether a month is surely none of the other words that are written so: `you may 5 times`, `march 5 miles`."""
    if pieces[place].key not in _OTHER_WORDS:
        return True
    if not raw[pieces[place].start].isupper() and any(map(str.isupper, raw[1:])):
        return False
    behind = place + (2 if _is_number(pieces, place + 1) else 1)
    paused = pieces[behind - 1].pause or behind >= len(pieces) or pieces[behind].kind == Kind.QUESTION
    return paused or _is_number(pieces, behind) or pieces[behind].key in _BEHIND_DATES


def _is_day(pieces: Sequence[Piece], place: int) -> bool:
    number = pieces[place].number if 0 <= place < len(pieces) else None
    if number is None or not number.digits.isdecimal() or len(number.digits) > 2:
        return False
    return 0 < int(number.digits) < 32


def _is_year(pieces: Sequence[Piece], place: int) -> bool:
    number = pieces[place].number if 0 <= place < len(pieces) else None
    return number is not None and number.digits.isdecimal() and len(number.digits) == 4 and not number.clock


def _identifier(pieces: Sequence[Piece], place: int, raw: str, shouted: bool) -> Span | None:
    """Letters and digits that are one identifier: `AB12 34`, `KA 05 MX 2210`, `a b one two`."""
    end = place
    last = place
    letters, digits, spelled, glued = 0, 0, 0, False
    while end < min(len(pieces), place + _LONGEST):
        piece = pieces[end]
        if piece.key in _JOINTS and piece.kind == Kind.SIGN and end > place:
            end += 1
            continue
        if end > place and pieces[end - 1].pause and not _is_joined(pieces, end, raw):
            break
        if piece.number is not None:
            if not piece.number.digits.isdecimal() or piece.number.ordinal or piece.number.clock:
                break
            digits += 1
        elif _is_letters(pieces, end, raw, shouted):
            if digits and not letters and piece.key in _BEHIND_NUMBERS:
                break
            letters += 1
            spelled += len(piece.key) == 1
        else:
            break
        if end > place and _is_joined(pieces, end, raw):
            glued = glued or (piece.number is None) != (pieces[end - 1].number is None)
        end += 1
        last = end
    if not (letters and digits):
        return None
    several = letters + digits > 2 and (letters > 1 or spelled)
    return Span(place, last, "identifier") if glued or several else None


def _is_joined(pieces: Sequence[Piece], place: int, raw: str) -> bool:
    """Whether a piece is one with that before it, with nothing or a hyphen between them."""
    return pieces[place].glued or raw[pieces[place - 1].end : pieces[place].start] == "-"


def _is_letters(pieces: Sequence[Piece], place: int, raw: str, shouted: bool) -> bool:
    """Whether a piece may be the letters of an identifier: joined to digits, short and in capitals, or single."""
    piece = pieces[place]
    key = piece.key
    if piece.kind != Kind.WORD or not (key.isascii() and key.isalpha()) or len(key) > _LONGEST_GLUED:
        return False
    before = place > 0 and pieces[place - 1].number is not None and _is_joined(pieces, place, raw)
    after = _is_number(pieces, place + 1) and _is_joined(pieces, place + 1, raw)
    if before or after:
        return True
    if len(key) == 1:
        beside = [_key(pieces, place - 1), _key(pieces, place + 1)]
        single = any(len(other) == 1 and other.isalpha() for other in beside)
        return single or (key not in _LABELS and _is_number(pieces, place + 1))
    return (
        not shouted and len(key) <= _LONGEST_GROUP and key not in _LABELS and raw[piece.start : piece.end].isupper()
    )


def _number(pieces: Sequence[Piece], place: int, raw: str) -> Span:
    """A number with the sign or the half of the day that belongs to it."""
    piece, key = pieces[place], _key(pieces, place + 1)
    number = piece.number
    assert number is not None  # noqa: S101 - asked by the caller; tells the type checker
    if key == "/" and _is_number(pieces, place + 2) and pieces[place + 1].glued and pieces[place + 2].glued:
        return Span(place, place + 3, "number")
    if key in _HALVES and not piece.pause:
        return Span(place, place + 2, "time")
    if number.clock:
        return Span(place, place + 1, "time")
    if key in CURRENCIES:
        signed = not raw[pieces[place + 1].start].isalpha()
        return Span(place, place + (2 if signed else 1), "amount")
    if key == "percent" and raw[pieces[place + 1].start] == "%":
        return Span(place, place + 2, "number")
    plain = number.digits.isdecimal() and "," not in raw[piece.start : piece.end]
    return Span(place, place + 1, "phone" if plain and len(number.digits) >= _PHONE else "number")


def compact(pieces: Sequence[Piece]) -> str:
    """The letters and digits of an identifier, in lower case, without what stands between them."""
    return "".join(
        piece.number.digits if piece.number is not None else piece.key
        for piece in pieces
        if piece.kind != Kind.SIGN or piece.key not in _JOINTS
    )
