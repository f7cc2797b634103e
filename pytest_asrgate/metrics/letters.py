"""Letters that can be typed in several ways, made one: by language, and where it is the same in all of them."""

import re
import unicodedata
from collections.abc import Mapping

__all__ = ["LANGUAGES_WITH_LETTERS", "letters_of", "whole_letters"]

# Turkish and Azerbaijani have two letters i. Python's lower case knows one: I would become the wrong letter.
_TWO_LETTERS_I = str.maketrans({"İ": "i", "I": "ı"})  # noqa: RUF001 - the very letter

# Keyboards and fonts of Arabic write its kaf (643), yeh (64A) and alef maksura (649) for the kaf (6A9) and yeh
# (6CC) of these languages. First every yeh becomes the one that composes with a hamza above, then the bare ones go.
_EVERY_YEH = {0x0643: "\u06a9", 0x0649: "\u064a", 0x06CC: "\u064a"}
_BARE_YEH = {0x064A: "\u06cc"}

# Urdu and its neighbours have a round heh (6C1) and a two-eyed one; the Arabic one (647) is the round one mistyped.
_ROUND_HEH = {0x0647: "\u06c1"}

# Old fonts and keyboards have cedillas for the commas below of Romanian.
_COMMA_BELOW = {0x015E: "\u0218", 0x015F: "\u0219", 0x0162: "\u021a", 0x0163: "\u021b"}

# The tables of a language in their order; a text is composed after each.
_TABLES: Mapping[str, tuple[Mapping[int, str], ...]] = {
    **dict.fromkeys(("az", "tr"), (_TWO_LETTERS_I,)),
    **dict.fromkeys(("ckb", "fa"), (_EVERY_YEH, _BARE_YEH)),
    **dict.fromkeys(("pnb", "skr", "ur"), (_EVERY_YEH, _BARE_YEH, _ROUND_HEH)),
    **dict.fromkeys(("mo", "ro"), (_COMMA_BELOW,)),
}
LANGUAGES_WITH_LETTERS = frozenset(_TABLES)

# The vowel am in its two halves, with a tone mark between them where one was typed late.
_THAI_AM = re.compile("\u0e4d([\u0e48-\u0e4b]?)\u0e32")
_LAO_AM = re.compile("\u0ecd([\u0ec8-\u0ecb]?)\u0eb2")

# The sign ae typed as two signs e, which are drawn like it: Thai, Lao.
_TWO_SIGNS = (("\u0e40\u0e40", "\u0e41"), ("\u0ec0\u0ec0", "\u0ec1"))

# The vowel sign below typed before the one above it.
_BURMESE_ORDER = re.compile("(\u102f+)(\u102d+)")

# In canonical order only marks that stand below or are attached come between a letter and the dot above it.
_BELOW = "".join(mark for mark in map(chr, range(0x0300, 0x0370)) if 0 < unicodedata.combining(mark) < 230)
_SECOND_DOT = re.compile(f"i([{_BELOW}]*)\u0307+")


def letters_of(language: str, text: str) -> str:
    """Write the letters of a language as its own keyboard would; of a text in NFC, before lower case."""
    for table in _TABLES.get(language, ()):
        text = unicodedata.normalize("NFC", text.translate(table))
    return text


def whole_letters(text: str) -> str:
    """Compose to NFC, also what NFKC and Python's lower case took apart: am and the capital i with a dot."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    if "\u0307" in composed:
        # Apart, so that the i of į is an i as well.
        apart = unicodedata.normalize("NFD", composed)
        composed = unicodedata.normalize("NFC", _SECOND_DOT.sub("i\\1", apart))
    # NFKC takes am apart, so that one wrong letter would count as two.
    composed = _LAO_AM.sub("\\1\u0eb3", _THAI_AM.sub("\\1\u0e33", composed))
    for typed, meant in _TWO_SIGNS:
        composed = composed.replace(typed, meant)
    return _BURMESE_ORDER.sub("\\2\\1", composed)
