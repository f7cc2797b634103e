"""A raw text of any language cut into words, numerals, addresses and the signs that have a meaning.

Punctuation is no piece, only a pause; but a question mark is, and so is a full stop, a hyphen or a colon inside of
digits or letters (`a.b`, `5-10`), a minus, a sign of currency, `%`, `@`, `&` and whatever else is no punctuation.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from unicodedata import category

from pytest_asrgate.intent.reading import LETTER, MARK, UNSEEN, folded, without_annotations
from pytest_asrgate.semantic.same_numbers import is_year
from pytest_asrgate.semantic.words import Number

__all__ = ["Kind", "Piece", "cut", "numeral"]


class Kind:
    """What a piece is."""

    WORD, NUMBER, ADDRESS, QUESTION, SIGN = "word", "number", "address", "question", "sign"


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a raw text, from `start` to before `end`; equal keys say the same.

    `pause` says that punctuation or an annotation stands behind it, `glued` that nothing stands before it but the
    piece before. A number has its digits, and the parts that it was written or said in.
    """

    key: str
    start: int
    end: int
    kind: str
    number: Number | None = None
    pause: bool = False
    glued: bool = False


_EMAIL = r"(?P<address>[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})(?![A-Za-z])"
_ALONE = r"(?<![\d.,:/-])"
_NUMBERS = (
    # With full stops and two digits behind the last it is rather a version than a date.
    rf"(?P<date>{_ALONE}(?:\d{{1,2}}(?P<sign>[-/.])\d{{1,2}}(?P=sign)(?:\d{{4}}|(?<!\.)\d\d)"
    r"|\d{4}(?P<sign2>[-/.])\d{1,2}(?P=sign2)\d{1,2})(?![-/.,:]?\d))"
    rf"|(?P<point>(?<![\w.,:/])[.\u066b]\d+(?![.,:/]?\d))"
    rf"|(?P<clock>{_ALONE}\d{{1,2}}:\d\d(?::\d\d)?(?![:.,]?\d))"
    # Grouped in thousands, or in lakhs.
    rf"|(?P<numeral>{_ALONE}\d{{1,3}}(?:,\d\d){{0,6}}(?:,\d\d\d){{1,6}}(?!,?\d)(?:\.\d+)?|\d+(?:\.\d+(?!\.?\d))?)"
)
_REST = (
    r"|(?P<half>(?<![^\W_])[AaPp]\.\s?[Mm]\b\.?)"
    rf"|(?P<word>{LETTER}[^\W\d_{UNSEEN}]*(?:[{MARK}{UNSEEN}]+{LETTER}*)*"
    rf"(?:['\u2019\u02bc]{LETTER}+(?:[{MARK}{UNSEEN}]+{LETTER}*)*)*)"
    r"|(?P<rest>[^\s])"
)
_PIECE = re.compile(_NUMBERS + _REST)
_PIECE_OR_EMAIL = re.compile(f"{_EMAIL}|{_NUMBERS}{_REST}")
_QUESTIONS = frozenset("?\u037e\u061f\uff1f\u2047\u2048\u2049\ufe56\u1367\u2e2e\u2cfa\ua60f")
# Punctuation by its category that is said, or tells words apart.
_MEANT = frozenset("%@#&*\\_/")
# Pieces of digits that are one number where blanks or hyphens stand between them, by their lengths.
_BLANKS = frozenset([(5, 5), (3, 3, 4), (2, 5, 5), (1, 3, 3, 4), (2, 3, 3, 4), (4, 4, 4, 4), (4, 4, 4)])
_HYPHENS = _BLANKS | {(3, 2, 4)}
# With the prefix of a city, which begins with a zero.
_WITH_PREFIX = frozenset([(3, 8), (4, 7)])
# Two groups of five are a mobile number in India, which begins so.
_MOBILE = "6789"
_MOST_GROUPS = 4
# So many single digits in a row are one number: nobody writes a list of as many.
_SINGLES = 10


def numeral(digits: str, *, ordinal: bool = False, parts: tuple[str, ...] = (), clock: bool = False) -> Number:
    """A number that was written in numerals."""
    return Number(0, digits, ordinal, parts or (digits,), written=True, clock=clock)


@lru_cache(maxsize=256)
def cut(raw: str) -> tuple[Piece, ...]:
    """The pieces of a raw text in order; numerals are numbers already, number words are still words."""
    text = without_annotations(raw)
    pattern = _PIECE_OR_EMAIL if "@" in text else _PIECE
    pieces: list[Piece] = []
    for found in pattern.finditer(text):
        # Of the named groups, `sign` is a part of another.
        name = found.lastgroup or ""
        piece = _piece(name, found, text)
        if piece is not None:
            pieces.append(_glued(piece) if pieces and pieces[-1].end == piece.start else piece)
        elif pieces and name == "rest" and not pieces[-1].pause and category(found[0])[0] != "C":
            pieces[-1] = replace(pieces[-1], pause=True)
    return tuple(_joined(pieces, text))


def _glued(piece: Piece) -> Piece:
    # In long texts `replace` takes most of the time.
    return Piece(piece.key, piece.start, piece.end, piece.kind, piece.number, piece.pause, glued=True)


def _piece(name: str, found: re.Match[str], text: str) -> Piece | None:
    start, end = found.span()
    raw = found[0]
    if name == "word":
        key = folded(raw)
        if "\u2019" in key or "\u02bc" in key:
            key = key.replace("\u2019", "'").replace("\u02bc", "'")
        if raw[-1] in "sS" and text[end : end + 1] in ("'", "\u2019") and _is_plural_possessive(text, end):
            return Piece(f"{key}'", start, end, Kind.WORD)
        return Piece(key, start, end, Kind.WORD)
    if name == "half":
        return Piece(f"{raw[0].lower()}m", start, end, Kind.WORD)
    if name == "address":
        return Piece(raw.lower(), start, end, Kind.ADDRESS)
    return _sign(raw, start, text) if name == "rest" else _number(_numeral(name, folded(raw)), start, end)


def _numeral(name: str, text: str) -> Number:
    """The number of a clock, a date or a plain numeral."""
    if name == "numeral":
        return numeral(text.replace(",", ""))
    if name == "point":
        return numeral(f"0.{text[1:]}")
    if name == "clock":
        parts = text.split(":")
        parts = parts[:1] if parts[1:] == ["00"] else parts
        return numeral("".join(parts), parts=tuple(parts), clock=True)
    parts = [part.lstrip("0") or "0" for part in re.split(r"[-/.]", text)]
    return numeral("/".join(parts), parts=tuple(parts))


def _number(number: Number, start: int, end: int) -> Piece:
    return Piece(f"#{number.digits}", start, end, Kind.NUMBER, number)


def _is_plural_possessive(text: str, place: int) -> bool:
    """Whether an apostrophe behind an s belongs to it: a word follows, and no quotation was opened before."""
    following = text[place + 1 : place + 3]
    opened = re.search(r"(?:^|\s)['\u2018]\w", text[max(0, place - 200) : place])
    return len(following) == 2 and following[0].isspace() and following[1].isalpha() and not opened


def _sign(sign: str, start: int, text: str) -> Piece | None:
    """A sign that has a meaning where it stands, None for punctuation."""
    end = start + 1
    if sign in _QUESTIONS:
        return Piece("?", start, end, Kind.QUESTION)
    before, after = text[start - 1 : start], text[end : end + 1]
    if sign in "-\u2010\u2011\u2012\u2013\u2212":
        decimal = after.isdecimal() or (after in (".", "\u066b") and text[end + 1 : end + 2].isdecimal())
        if decimal and (not before or before.isspace() or before in "(["):
            return Piece("minus", start, end, Kind.SIGN)
        left, right = text[max(0, start - 3) : start].rstrip(), text[end : end + 3].lstrip()
        between = left[-1:].isdecimal() and right[:1].isdecimal()
        return Piece("-", start, end, Kind.SIGN) if between else None
    if sign in ".:,\u066b\u066c" and before.isalnum() and after.isalnum():
        # Between letters a comma or colon without a blank is a slip of typing; `Rs.500` has a pause.
        numeric = before.isdecimal() and after.isdecimal()
        meant = numeric or (sign == "." and before.isalpha() and after.isalpha())
        return Piece(sign, start, end, Kind.SIGN) if meant else None
    kind = category(sign)
    silent = (kind[0] in "PZ" and sign not in _MEANT) or kind in {"Cf", "Cc"}
    return None if silent else Piece(sign, start, end, Kind.SIGN)


def _joined(pieces: list[Piece], text: str) -> list[Piece]:
    """The pieces with groups of digits joined that are one number: `555-123-4567`, `98765 43210`, `9 8 7 6 5`."""
    beside = (right.kind for left, right in pairwise(pieces) if left.kind == Kind.NUMBER)
    if not any(kind in {Kind.NUMBER, Kind.SIGN} for kind in beside):
        return pieces
    made: list[Piece] = []
    place = 0
    while place < len(pieces):
        end, digits, parts = _group(pieces, place, text)
        if end == place + 1:
            made.append(pieces[place])
        else:
            whole = replace(
                _number(numeral(digits, parts=parts), pieces[place].start, pieces[end - 1].end),
                pause=pieces[end - 1].pause,
                glued=pieces[place].glued,
            )
            made.append(whole)
        place = end
    return made


def _group(pieces: list[Piece], place: int, text: str) -> tuple[int, str, tuple[str, ...]]:
    """Where the number ends that begins at a place, with its digits and parts."""
    alone = place + 1, "", ()
    if not _is_digits(pieces[place], text):
        return alone
    hyphens, blanks = [place], [place]
    at = place
    while at + 2 < len(pieces) and pieces[at + 1].key == "-" and _may_go_on(hyphens, pieces):
        if not (_is_digits(pieces[at + 2], text) and pieces[at + 2].glued and pieces[at + 1].glued):
            break
        at += 2
        hyphens.append(at)
    at = place
    while at + 1 < len(pieces) and _may_go_on(blanks, pieces):
        if not (_is_digits(pieces[at + 1], text) and _is_blank(pieces[at], pieces[at + 1], text)):
            break
        at += 1
        blanks.append(at)
    if len(hyphens) == len(blanks) == 1:
        return alone
    for places, known in ((hyphens, _HYPHENS), (blanks, _BLANKS)):
        groups = tuple(text[pieces[each].start : pieces[each].end] for each in places)
        lengths = tuple(map(len, groups))
        digits = folded("".join(groups))
        if _is_one_number(groups, lengths, known):
            return places[-1] + 1, digits, ()
        if len(groups) >= _SINGLES and set(lengths) == {1}:
            return places[-1] + 1, digits, tuple(digits)
    return alone


def _is_one_number(groups: Sequence[str], lengths: tuple[int, ...], known: AbstractSet[tuple[int, ...]]) -> bool:
    """Whether groups of such lengths are surely one number, and no list, range or years."""
    groups = [folded(group) for group in groups]
    if all(group[-1] == "0" for group in groups) or all(is_year(group) for group in groups):
        return False
    if known is _HYPHENS and lengths in _WITH_PREFIX:
        return groups[0][0] == "0"
    return lengths in known and (lengths != (5, 5) or groups[0][0] in _MOBILE)


def _may_go_on(places: Sequence[int], pieces: Sequence[Piece]) -> bool:
    """Whether so many groups may be one number: a few, or any number of single digits."""
    last = pieces[places[-1]]
    return len(places) <= _MOST_GROUPS or last.end - last.start == 1


def _is_digits(piece: Piece, text: str) -> bool:
    return piece.kind == Kind.NUMBER and text[piece.start : piece.end].isdecimal()


def _is_blank(before: Piece, after: Piece, text: str) -> bool:
    return after.start - before.end <= 2 and not text[before.end : after.start].strip(" \u00a0)")
