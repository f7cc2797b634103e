"""Sums of money as they are spoken: `$5.50`, `£3 million`, `€20k`, `$5-10`."""

import re
from collections.abc import Sequence

from pytest_asrgate.semantic.number_words import SCALE_VALUES
from pytest_asrgate.semantic.numerals import cardinal_words, numeral_words
from pytest_asrgate.semantic.parts import Spoken, number_words, token_at
from pytest_asrgate.semantic.tokens import Kind, Token

__all__ = ["CURRENCIES", "read_money", "sum_words"]

# One, many, one of the smaller unit, many of it.
CURRENCIES = {
    "$": ("dollar", "dollars", "cent", "cents"), "£": ("pound", "pounds", "penny", "pence"),
    "€": ("euro", "euros", "cent", "cents"), "¥": ("yen", "yen", "sen", "sen"),
    "₹": ("rupee", "rupees", "paisa", "paise"), "₩": ("won", "won", "jeon", "jeon"),
    "₽": ("ruble", "rubles", "kopek", "kopeks"), "₺": ("lira", "lira", "kurus", "kurus"),
    "₪": ("shekel", "shekels", "agora", "agorot"), "₱": ("peso", "pesos", "centavo", "centavos"),
    "₫": ("dong", "dong", "xu", "xu"), "฿": ("baht", "baht", "satang", "satang"),
    "₦": ("naira", "naira", "kobo", "kobo"), "₴": ("hryvnia", "hryvnias", "kopiyka", "kopiykas"),
}  # fmt: skip
_GLUED_SCALES = {"k": "thousand", "m": "million", "mn": "million", "b": "billion", "bn": "billion", "t": "trillion"}
_CENTS = re.compile(r"(\d*)\.(\d\d)")


def read_money(tokens: Sequence[Token], place: int) -> Spoken | None:
    """The words of `$5.50` from its sign on, None where no number follows."""
    numeral = token_at(tokens, place + 1)
    if numeral is None or numeral.kind is not Kind.NUMERAL or numeral.gap not in {"", " "}:
        return None
    one, many, *_ = CURRENCIES[tokens[place].text]
    text, end = numeral.text, place + 2
    words: list[tuple[str, int]] = []
    before = token_at(tokens, place - 1)
    if before is not None and before.kind is Kind.NUMERAL and tokens[place].gap in {"-", "—"}:
        words.append(("to", 0))
    following = token_at(tokens, end)
    if following is not None and following.kind is Kind.NUMERAL and following.gap in {"-", "—"}:
        return [*words, *number_words(numeral_words(text, year=False)), ("to", 0),
                *number_words(numeral_words(following.text, year=False)), (many, 0)], end + 1  # fmt: skip
    scale = _scale(following)
    if scale:
        return [*words, *number_words([*numeral_words(text, year=False), scale]), (many, 0)], end + 1
    if cents := _CENTS.fullmatch(text.replace(",", "")):
        whole = int(cents[1] or "0") if len(cents[1]) < 16 else 0
        return [*words, *sum_words(whole, int(cents[2]), tokens[place].text)], end
    return [*words, *number_words(numeral_words(text, year=False)), (one if text == "1" else many, 0)], end


def sum_words(whole: int, part: int, sign: str) -> list[tuple[str, int]]:
    """So many of a currency, and so many of its smaller unit; the one that is zero is not said."""
    one, many, small, smalls = CURRENCIES[sign]
    words: list[tuple[str, int]] = []
    if whole or not part:
        words += [*number_words(cardinal_words(whole)), (one if whole == 1 else many, 0)]
    if part:
        words += [*number_words(cardinal_words(part)), (small if part == 1 else smalls, 0)]
    return words


def _scale(following: Token | None) -> str:
    if following is None or following.kind is not Kind.WORD:
        return ""
    if following.gap in {" ", "-"} and following.text in SCALE_VALUES:
        return following.text
    return _GLUED_SCALES.get(following.text, "") if following.gap == "" else ""
