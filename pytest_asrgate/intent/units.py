"""What a number of a text says with the words around it: its value in full, its unit, and its sign."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.signal_words import LARGER_NUMERALS
from pytest_asrgate.intent.sure_numbers import SCALES, is_negative
from pytest_asrgate.semantic.abbreviations import UNITS
from pytest_asrgate.semantic.number_words import UNIT_NOUNS

__all__ = ["Amount", "amount_of", "are_other", "same_amount"]

_SCALED = frozenset().union(*LARGER_NUMERALS.values())
_SPELLINGS = {"litre": "liter", "millilitre": "milliliter", "metre": "meter", "centimetre": "centimeter",
              "millimetre": "millimeter", "kilometre": "kilometer", "kilo": "kilogram", "foot": "feet",
              "inches": "inch"}  # fmt: skip


def _singular(word: str) -> str:
    word = word if len(word) < 4 or word == "inches" else word.removesuffix("s")
    return _SPELLINGS.get(word, word)


# Every word for a unit, by the word that stands for all of its forms.
_UNITS = {word: _singular(word) for word in UNIT_NOUNS}
_UNITS |= {form: _singular(many) for short, (one, many) in UNITS.items() for form in (short, one, many)}
_UNITS |= {
    other: word for word in _SPELLINGS for other, word in ((word, _singular(word)), (f"{word}s", _singular(word)))
}
_UNITS |= {word: word for word in ("dollar", "euro", "pound", "rupee", "yen", "percent", "am", "pm")}


@dataclass(frozen=True, slots=True)
class Amount:
    """What a number says with the words around it.

    `value` are its digits with those of an English scale word, `scale` is this word or one of another language,
    `unit` what it counts, in one form for all of its words; both are empty where none is known.
    """

    value: str
    scale: str
    unit: str
    is_negative: bool
    is_ordinal: bool


def amount_of(pieces: Sequence[Piece], raw: str, first: int, last: int) -> Amount:
    """The number in the pieces from `first` to before `last` of a raw text, with what stands around it."""
    behind = _behind(pieces, last)
    key = behind[0].key if behind else ""
    scale = key.removesuffix("s") if key in SCALES else key if key in _SCALED else ""
    inside = [_UNITS[piece.key] for piece in pieces[first:last] if piece.key in _UNITS]
    counted = behind[1:] if scale else behind[:1]
    unit = inside[-1] if inside else _UNITS.get(counted[0].key, "") if counted else ""
    piece = pieces[first]
    number = piece.number
    if number is None:
        return Amount("", scale, unit, is_negative=False, is_ordinal=False)
    negative = is_negative(raw, piece) or number.digits.startswith("-")
    # A fraction is all of its pieces.
    digits = "".join(
        each.number.digits if each.number else each.key for each in pieces[first:last] if _counts(each)
    )
    return Amount(_scaled(digits.removeprefix("-"), scale), scale, unit, negative, number.ordinal)


def _counts(piece: Piece) -> bool:
    return piece.number is not None or piece.key == "/"


def _behind(pieces: Sequence[Piece], last: int) -> list[Piece]:
    """The next pieces in the clause, two at most."""
    following: list[Piece] = []
    for place in range(last, min(len(pieces), last + 2)):
        if pieces[place - 1].pause or pieces[place].kind == Kind.QUESTION:
            break
        following.append(pieces[place])
    return following


def _scaled(digits: str, scale: str) -> str:
    zeros = SCALES.get(scale, 0)
    if not zeros or not digits.replace(".", "", 1).isdecimal():
        return digits
    value = Decimal(digits) * 10**zeros
    return str(int(value)) if value == int(value) else str(value)


def are_other(left: Amount, right: Amount) -> bool:
    """Whether both have units, or both scale words, that surely are not the same."""
    units = bool(left.unit and right.unit) and left.unit != right.unit
    return units or (bool(left.scale and right.scale) and left.scale != right.scale)


def same_amount(left: Amount, right: Amount) -> bool | None:
    """Whether two numbers say the same with what is around them, None where only they themselves tell."""
    if left.is_negative != right.is_negative or left.is_ordinal != right.is_ordinal:
        return False
    if left.unit and right.unit and left.unit != right.unit:
        return False
    if left.scale or right.scale:
        return left.value == right.value and (left.scale == right.scale or not {left.scale, right.scale} & _SCALED)
    return None
