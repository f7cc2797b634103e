"""Number words read as numbers: English ones by the semantic error rate's reader, Indian digits one by one.

Amounts are brought into one order, `$5` and `5%` as `5 dollars` and `5 percent`, where the text is English.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from pytest_asrgate.intent.addresses import with_addresses
from pytest_asrgate.intent.digit_words import DIGIT_WORDS, DOUBTFUL
from pytest_asrgate.intent.pieces import Kind, Piece, cut
from pytest_asrgate.semantic.abbreviations import MONTHS
from pytest_asrgate.semantic.normalise import read_text
from pytest_asrgate.semantic.number_words import NUMBER_WORDS, SMALL
from pytest_asrgate.semantic.numbers import MONTH_NAMES
from pytest_asrgate.semantic.same_numbers import surely_equal
from pytest_asrgate.semantic.words import Number

__all__ = ["base_of", "is_between_numbers", "month_of", "read", "same_number"]

_CURRENCIES = {"$": "dollar", "€": "euro", "£": "pound", "₹": "rupee", "¥": "yen"}
_SIGN_WORDS = {"%": "percent", "&": "and", "+": "plus", "°": "degrees"}
_MONEY = {word: word.removesuffix("s") for word in ("dollars", "euros", "pounds", "rupees")}
_MONEY |= {"rs": "rupee", "inr": "rupee", "usd": "dollar"}
# Of these, what stands before a number too.
_BEFORE_SUMS = frozenset({"rs", "inr", "usd"})
# Digits said one by one are one number from so many on: two or three may be a list, or "one or two".
_SAID_SINGLY = 3
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})\b", re.IGNORECASE)


def base_of(language: str) -> str:
    """The language of a code without its region."""
    return language.replace("_", "-").partition("-")[0].lower()


@lru_cache(maxsize=1024)
def read(raw: str, language: str) -> tuple[Piece, ...]:
    """The pieces of a raw text with its number words read as numbers; `language` is its canonical code."""
    pieces = cut(raw)
    code = base_of(language)
    words = DIGIT_WORDS.get(code)
    if code == "en":
        if _NUMBER_WORD.search(raw):
            pieces = _english(pieces, raw)
        pieces = _ordinals(_amounts(pieces), raw)
    elif words:
        pieces = _indian(pieces, words, DOUBTFUL.get(code, frozenset()))
    return with_addresses(pieces)


def month_of(key: str) -> str:
    """The English month that a key names, empty for none."""
    return key if key in MONTH_NAMES else MONTHS.get(key, "")


def _merged(pieces: Sequence[Piece], number: Number) -> Piece:
    first, last = pieces[0], pieces[-1]
    return Piece(f"#{number.digits}", first.start, last.end, Kind.NUMBER, number, last.pause, first.glued)


def _english(pieces: Sequence[Piece], raw: str) -> tuple[Piece, ...]:
    """With each run of number words as one number; what was written in numerals stays as it was cut."""
    # Without its memory, which is for other texts; `read` has one.
    runs: dict[int, tuple[int, int, Number]] = {}
    for word in read_text.__wrapped__(raw).words:
        if word.number is not None:
            first, _, number = runs.get(word.number.run, (word.start, 0, word.number))
            runs[word.number.run] = first, word.start + len(word.raw), number
    made: list[Piece] = []
    place = 0
    for first, last, number in runs.values():
        while place < len(pieces) and pieces[place].start < first:
            made.append(pieces[place])
            place += 1
        end = place
        while end < len(pieces) and pieces[end].start < last:
            end += 1
        if end > place:
            made += _run(pieces[place:end], number)
            place = end
    return (*made, *pieces[place:])


def _run(pieces: Sequence[Piece], number: Number) -> list[Piece]:
    """One number, unless it is written or is put together from several of which one is written."""
    if all(piece.kind == Kind.WORD for piece in pieces):
        return [_merged(pieces, number)]
    signs = [piece for piece in pieces if piece.key in _CURRENCIES]
    rest = [piece for piece in pieces if piece.key not in _CURRENCIES]
    # The reader of words does not know a point before the first digit, `.5`, which is shorter than its number.
    pointed = any(piece.number and len(piece.number.digits) > piece.end - piece.start for piece in rest)
    mixed = any(piece.kind == Kind.WORD for piece in rest) and not pointed
    if len(number.parts) == 1 and mixed and len(signs) < 2:
        # `5 million` and `$5 million`.
        whole = _merged(rest, number)
        words = [replace(sign, key=_CURRENCIES[sign.key]) for sign in signs]
        return [replace(whole, start=pieces[0].start), *words]
    return [
        _merged([piece], Number(number.run, str(SMALL[piece.key]), parts=(str(SMALL[piece.key]),)))
        if piece.key in SMALL
        else piece
        for piece in pieces
    ]


def _named(piece: Piece, key: str, *, pause: bool) -> Piece:
    # In long texts `replace` takes most of the time.
    return Piece(key, piece.start, piece.end, piece.kind, piece.number, pause, piece.glued)


def _amounts(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """With signs of currency as words behind their numbers, and other signs as the words that they are read as."""
    made: list[Piece] = []
    waiting: Piece | None = None
    for place, piece in enumerate(pieces):
        key = piece.key
        follows = place + 1 < len(pieces) and pieces[place + 1].kind == Kind.NUMBER
        if key in _BEFORE_SUMS and follows and not (made and made[-1].kind == Kind.NUMBER):
            # The full stop of `Rs.` is no pause.
            waiting = _named(piece, _MONEY[key], pause=False)
        elif piece.kind == Kind.SIGN and key in _CURRENCIES:
            word = _named(piece, _CURRENCIES[key], pause=piece.pause)
            if follows:
                waiting = word
                continue
            made.append(word)
        elif piece.kind == Kind.SIGN and key in _SIGN_WORDS:
            made.append(_named(piece, _SIGN_WORDS[key], pause=piece.pause))
        elif key in _MONEY and made and made[-1].kind == Kind.NUMBER:
            made.append(_named(piece, _MONEY[key], pause=piece.pause))
        elif waiting is not None:
            # What was glued to the sign stands where the sign stood.
            made += [replace(piece, glued=waiting.glued), waiting]
            waiting = None
        elif piece.number is not None and made and made[-1].key == "minus" and made[-1].kind == Kind.SIGN:
            sign = made.pop()
            digits = f"-{piece.number.digits}"
            number = replace(piece.number, digits=digits, parts=(digits,))
            made.append(replace(piece, key=f"#{digits}", number=number, start=sign.start, glued=sign.glued))
        else:
            made.append(piece)
    return tuple(made)


def is_between_numbers(pieces: Sequence[Piece]) -> bool:
    """Whether a currency stands between two numbers, so that nobody knows to which it belongs; of pieces as cut."""
    return any(
        (piece.key in _CURRENCIES or piece.key in _BEFORE_SUMS)
        and before.number is not None
        and after.number is not None
        for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False)
    )


def _ordinals(pieces: Sequence[Piece], raw: str) -> tuple[Piece, ...]:
    """With `5` and `th` as one number."""
    if not any(piece.glued and piece.key in {"st", "nd", "rd", "th"} for piece in pieces):
        return tuple(pieces)
    made: list[Piece] = []
    for piece in pieces:
        before = made[-1] if made else None
        if (
            before is not None
            and before.number is not None
            and piece.glued
            and piece.key in {"st", "nd", "rd", "th"}
            and raw[before.start : before.end].isdecimal()
        ):
            made[-1] = replace(
                before, end=piece.end, pause=piece.pause, number=replace(before.number, ordinal=True)
            )
        else:
            made.append(piece)
    return tuple(made)


def _indian(pieces: Sequence[Piece], words: Mapping[str, str], doubtful: frozenset[str]) -> tuple[Piece, ...]:
    made: list[Piece] = []
    place = 0
    while place < len(pieces):
        end = place
        while end < len(pieces) and pieces[end].kind == Kind.WORD and pieces[end].key in words:
            end += 1
        run = pieces[place:end]
        digits = "".join(words[piece.key] for piece in run)
        if len(run) >= _SAID_SINGLY:
            made.append(_merged(run, Number(0, digits, parts=tuple(digits))))
        elif run:
            made += [
                piece if piece.key in doubtful else _merged([piece], Number(0, digit, parts=(digit,)))
                for piece, digit in zip(run, digits, strict=True)
            ]
        else:
            made.append(pieces[place])
            end += 1
        place = end
    return tuple(made)


def same_number(
    left: Number, right: Number, before: frozenset[str], after: frozenset[str], *, alone: bool = False
) -> bool:
    """Whether two numbers are surely the same; `before` and `after` are the keys around them.

    A cardinal and an ordinal are so only beside a month, or `alone` in their texts (`first` is `one`). Digits that
    were all said one by one are the number that they write, as the document has it (`two five` is 25).
    """
    if left.digits != right.digits:
        return False
    if left.ordinal != right.ordinal and not alone and not any(map(month_of, before | after)):
        return False
    for one, other in ((left, right), (right, left)):
        if _said_singly(one) and len(other.parts) == 1 and not other.clock:
            return True
    return surely_equal(left, right, before, after)


def _said_singly(number: Number) -> bool:
    return not number.written and len(number.parts) > 1 and all(len(part) == 1 for part in number.parts)
