"""What numerals are read from: words that say a number or not, fractions."""

from collections.abc import Sequence

from pytest_asrgate.semantic.numerals import cardinal_words
from pytest_asrgate.semantic.tokens import Token

__all__ = ["FRACTION_SIGNS", "Spoken", "fraction_words", "number_words", "read_fraction_sign", "token_at"]

# Words, each with which numeral of its piece it says, from 1, or 0 where it says none; and the token behind them.
Spoken = tuple[list[tuple[str, int]], int]

_DENOMINATORS = {
    2: ("half", "halves"), 3: ("third", "thirds"), 4: ("quarter", "quarters"), 5: ("fifth", "fifths"),
    6: ("sixth", "sixths"), 7: ("seventh", "sevenths"), 8: ("eighth", "eighths"), 9: ("ninth", "ninths"),
    10: ("tenth", "tenths"),
}  # fmt: skip
FRACTION_SIGNS = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅛": (1, 8)}


def number_words(words: Sequence[str]) -> list[tuple[str, int]]:
    """Words that all say one numeral."""
    return [(word, 1) for word in words]


def token_at(tokens: Sequence[Token], place: int) -> Token | None:
    """The token at a place, None outside the text."""
    return tokens[place] if 0 <= place < len(tokens) else None


def fraction_words(count: str, parts: str) -> list[str] | None:
    """`three quarters` of `3` and `4`; None for what is rather a date or a score."""
    if len(count) > 2 or len(parts) > 2 or count.startswith("0") or int(parts) not in _DENOMINATORS:
        return None
    if int(count) >= int(parts):
        return None
    return [*cardinal_words(int(count)), _DENOMINATORS[int(parts)][count != "1"]]


def read_fraction_sign(sign: str) -> list[tuple[str, int]]:
    """The words of a sign such as ½."""
    count, parts = FRACTION_SIGNS[sign]
    return number_words(fraction_words(str(count), str(parts)) or [])
