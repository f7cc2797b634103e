# ruff: noqa: RUF001 - letters that look like others are what this is about
"""Characters written plainly before words are found: one for one, so that every place in the text stays."""

import unicodedata

__all__ = ["SIGNS", "fold_characters", "plain_letters"]

# Signs that are read aloud, or that tell how what is around them is.
SIGNS = "£€¥₹₩₽₺₪₱₫฿₦₴¢°‰½¼¾⅓⅔⅛×÷±√≤≥—–…²³⁴⁵⁶⁷⁸⁹"

_FOLDED = {
    **dict.fromkeys("’‘ʼʻ‛`´′＇ꞌ", "'"),
    **dict.fromkeys("“”„‟«»″＂", '"'),
    # Hyphens that join words; the longer dashes part them.
    **dict.fromkeys("‐‑⁃−﹣－", "-"),
    **dict.fromkeys("—―", "—"),
    # Before a number it may be a minus.
    **dict.fromkeys("‒–", "–"),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("、，", ","),
    **dict.fromkeys("。．", "."),
    **dict.fromkeys("【〔", "["),
    **dict.fromkeys("】〕", "]"),
    # How a picture is drawn (variation selectors, the key cap): as little seen as a joiner.
    **dict.fromkeys([*map(chr, range(0xFE00, 0xFE10)), "\u20e3"], "\u200d"),
    # A footnote's marks must not become digits of the number before them.
    "⁰": " ",
    "¹": " ",
    "º": "°",
    "…": "…",
}
# What nobody sees inside a word: the soft hyphen, joiners, the byte order mark.
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"


class _Table(dict[int, str]):
    """What each character is folded to, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _folded(chr(code))
        return folded


def _folded(character: str) -> str:
    if character in _FOLDED:
        return _FOLDED[character]
    if character.isascii() or character in SIGNS or character in _UNSEEN:
        return character
    decimal = unicodedata.decimal(character, None)
    if decimal is not None:
        return str(decimal)
    if unicodedata.category(character)[0] in "LM":
        # Letters of full width and the like would hide abbreviations and units.
        wide = unicodedata.normalize("NFKC", character)
        return wide if wide.isascii() and len(wide) == 1 and wide.isalpha() else character
    wide = unicodedata.normalize("NFKC", character)
    return wide if wide.isascii() and len(wide) == 1 else " "


_TABLE = _Table()


def fold_characters(text: str) -> str:
    """Write quotes, dashes, digits and wide letters plainly, and a blank for what is no part of any word.

    The result is as long as the text.
    """
    return text if text.isascii() else text.translate(_TABLE)


def plain_letters(word: str) -> str:
    """A word in lower case without the accents of Latin letters; its letters, marks and apostrophes are left."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).lower())
    kept = "".join(
        character
        for character in apart.translate(_TABLE)
        if character == "'"
        or (unicodedata.category(character)[0] in "LM" and not "\u0300" <= character <= "\u036f")
    )
    return unicodedata.normalize("NFC", kept)
