# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Exact data of two spans as tokens that are compared one by one: addresses, identifiers, dates, numbers, words.

A comparison is True where both surely say the same, False where they surely do not, and None for all the rest.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pytest_asrgate.intent.data import CURRENCIES, Span, compact
from pytest_asrgate.intent.numbers import month_of, same_number
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.semantic.words import Number

__all__ = ["Token", "digits_of", "same_token", "tokens_of", "window_of"]

_HALVES = frozenset({"am", "pm"})
# What may come and go in a span without changing it.
_SILENT = frozenset("the a an is".split())
_SIGNS_OF_MONEY = frozenset("$€£₹¥")
_LONGEST_WINDOW = 24
# Digits of a telephone number without the prefixes that it may have, in India and North America.
_SUBSCRIBER = 10
_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")
# A full stop that may part hours and minutes, or thousands, instead of a fraction.
_OTHER_STOP = re.compile(r"(?:\d{1,2}\.[0-5]\d|.*\.\d{3})")
_YEAR = 4


@dataclass(frozen=True, slots=True)
class Token:
    """One part of a span: `sort` is email, identifier, date, number or word, `key` what is equal for equal ones.

    `raw` are the words that it was read from; a number has its number.
    """

    sort: str
    key: str
    raw: str
    number: Number | None = None


def digits_of(pieces: Sequence[Piece]) -> str:
    """The digits of all numbers, one after the other."""
    return "".join(piece.number.digits for piece in pieces if piece.number is not None)


def tokens_of(pieces: Sequence[Piece], data: Sequence[Span], raw: str) -> list[Token]:
    """The parts of a span in order, without articles and question marks."""
    starts = {span.first: span for span in data if span.kind in {"email", "identifier", "date"}}
    made: list[Token] = []
    place = 0
    while place < len(pieces):
        piece, span = pieces[place], starts.get(place)
        if span is not None:
            part = pieces[span.first : span.last]
            words = raw[part[0].start : part[-1].end]
            key = _date(part) if span.kind == "date" else compact(part)
            made.append(Token(span.kind, key, words))
            place = span.last
            continue
        words = raw[piece.start : piece.end]
        if piece.number is not None:
            made.append(Token("number", piece.number.digits, words, piece.number))
        elif piece.kind != Kind.QUESTION and piece.key not in _SILENT:
            made.append(Token("word", piece.key, words))
        place += 1
    return made


def _date(pieces: Sequence[Piece]) -> str:
    """Day, month and year of a date with the name of its month; for one in numerals its parts in their order."""
    months = [month for piece in pieces if (month := month_of(piece.key))]
    numbers = [piece.number.digits for piece in pieces if piece.number is not None]
    if not months:
        return numbers[0]
    days = [digits.lstrip("0") for digits in numbers if len(digits) < _YEAR]
    years = [digits for digits in numbers if len(digits) >= _YEAR]
    return f"{'.'.join(days)} {'.'.join(months)} {'.'.join(years)}"


def same_token(left: Token, right: Token) -> bool | None:
    """Whether two parts of two spans are the same."""
    if left.sort != right.sort:
        return None
    if left.number is not None and right.number is not None:
        return _same_number(left.number, right.number)
    if left.key == right.key:
        return True
    return False if _are_other(left, right) else None


def _are_other(left: Token, right: Token) -> bool:
    """Whether two parts of one sort that are not equal surely say something else."""
    if left.sort == "word":
        # Other words may say the same; these never do.
        return any({left.key, right.key} <= known for known in (CURRENCIES, _SIGNS_OF_MONEY, _HALVES))
    if left.sort == "date":
        return _same_format(left.key, right.key)
    if left.sort == "email":
        return left.key.isascii() and right.key.isascii()
    # `AB12 34` may be the rest of `AB12`, which the one who quoted left out.
    contained = left.key in right.key or right.key in left.key
    return not (contained and any(sign.isspace() for sign in left.raw + right.raw))


def _same_format(left: str, right: str) -> bool:
    """Whether two dates have the same parts, so that one of them must differ."""
    if " " in left or " " in right:
        shapes = [[bool(part) for part in each.split(" ")] for each in (left, right)]
        return shapes[0] == shapes[1]
    sides = [each.split("/") for each in (left, right)]
    lengths = [[len(part) >= _YEAR for part in side] for side in sides]
    # Day and month may be told the other way round.
    return lengths[0] == lengths[1] and any(lengths[0]) and sorted(sides[0]) != sorted(sides[1])


def _same_number(left: Number, right: Number) -> bool | None:
    if left.ordinal != right.ordinal:
        return None
    if left.digits == right.digits:
        return same_number(left, right, frozenset(), frozenset()) or _told_as_clock(left, right) or None
    return False if _are_other_numbers(left, right) else None


def _are_other_numbers(left: Number, right: Number) -> bool:
    """Whether two numbers of other digits are surely other ones, and told in the same form."""
    if left.clock or right.clock:
        return left.clock == right.clock and left.digits.lstrip("0") != right.digits.lstrip("0")
    if not (_DECIMAL.fullmatch(left.digits) and _DECIMAL.fullmatch(right.digits)):
        return False
    if Decimal(left.digits) == Decimal(right.digits):
        # `08` is 8 and `1.50` may be 1.5, but nobody writes 42 as `0042`.
        return any(each.startswith("00") for each in (left.digits, right.digits))
    if left.digits.replace(".", "") == right.digits.replace(".", ""):
        unclear = any(_OTHER_STOP.fullmatch(each) for each in (left.digits, right.digits))
        return left.written and right.written and not unclear
    return not _may_be_same_phone(left.digits, right.digits)


def _told_as_clock(left: Number, right: Number) -> bool:
    """Whether a time with a colon is told in words, as hours and minutes: `6:45` and `six forty five`."""
    clock, other = (left, right) if left.clock else (right, left)
    return clock.clock and not other.written and len(clock.digits) > 2


def _may_be_same_phone(left: str, right: str) -> bool:
    """Whether two telephone numbers differ in the prefix of a country or a trunk line that one of them lacks."""
    long = min(len(left), len(right)) >= _SUBSCRIBER
    return long and len(left) != len(right) and left[-_SUBSCRIBER:] == right[-_SUBSCRIBER:]


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
