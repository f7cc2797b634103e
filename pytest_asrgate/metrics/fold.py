"""What cannot be seen and must never cost an error: composition, apostrophes, format characters, white space."""

import re
import unicodedata

__all__ = ["FOLD_VERSION", "fold", "western_digits", "without_grouping"]

# Raise this when a function here changes, or what `normalise` and `letters` do around the library: it is part of
# the normaliser's stamp in every score.
FOLD_VERSION = 2

# Fullwidth ASCII is the same characters drawn wider. Keyboards and engines choose freely among curly, reversed and
# modifier-letter apostrophes. The Arabic tatweel only stretches a word on the line. Leaders and ellipses, upright
# ones too, are full stops.
_WRITTEN_ALIKE = (
    {0xFF01 + offset: 0x21 + offset for offset in range(94)}
    | str.maketrans(dict.fromkeys("‘’‛ʼʻ", "'"))  # noqa: RUF001 - the very characters
    | {0x0640: ""}
    | {0x2024: ".", 0x2025: "..", 0x2026: "...", 0xFE19: "...", 0xFE30: "..", 0xFE52: "."}
)
# An acute, a grave, a prime: between letters they are apostrophes, elsewhere feet, minutes or quotation marks.
_TICK = re.compile("[´`′]")  # noqa: RUF001

# 1,000 and 1,00,000, yet not 1,2 nor the list 5,1,000.
_GROUPED = re.compile(r"(?<![\d.,:/])\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d|,\d)")


def fold(text: str) -> str:
    """Compose to NFC, write every apostrophe as `'`, drop format characters (Cf), and blank out white space.

    Every run of white space becomes one blank. Format characters are the byte order mark, soft hyphen, zero-width
    space, joiner and non-joiner, and their kin. Fullwidth ASCII becomes ASCII, an ellipsis three full stops.
    """
    plain = text if text.isascii() else text.translate(_WRITTEN_ALIKE)
    if not plain.isascii():
        # Composed last: a format character may have stood between a letter and its mark.
        plain = "".join(character for character in plain if unicodedata.category(character) != "Cf")
        plain = unicodedata.normalize("NFC", plain)
    return " ".join(_TICK.sub(_apostrophe, plain).split())


def _apostrophe(tick: re.Match[str]) -> str:
    start, end = tick.span()
    before, after = tick.string[max(start - 1, 0) : start], tick.string[end : end + 1]
    # A letter may end in its accent or vowel sign.
    after_letter = before.isalpha() or (before != "" and unicodedata.category(before)[0] == "M")
    return "'" if after_letter and after.isalpha() else tick[0]


def western_digits(text: str) -> str:
    """Write the decimal digits of every script (१, ٣, ๕) as 0 to 9."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(character)) if unicodedata.category(character) == "Nd" else character
        for character in text
    )


def without_grouping(text: str) -> str:
    """Drop the commas that group the digits 0 to 9 of a number by thousands or lakhs."""
    return _GROUPED.sub(lambda number: number[0].replace(",", ""), text)
