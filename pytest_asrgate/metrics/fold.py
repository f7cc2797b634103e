"""What cannot be seen and must never cost an error: composition, apostrophes, format characters, white space."""

import unicodedata

__all__ = ["FOLD_VERSION", "fold", "western_digits"]

# Raise this when `fold`, `western_digits` or what `normalise` does around the library change: it is part of the
# normaliser's stamp in every score.
FOLD_VERSION = 2

# Curly, reversed, modifier-letter and fullwidth apostrophes; keyboards and engines choose among them freely. The
# Arabic tatweel only stretches a word on the line, and an ellipsis is three full stops.
_WRITTEN_ALIKE = str.maketrans(dict.fromkeys("‘’‛ʼʻ＇", "'") | {"\u0640": "", "…": "..."})  # noqa: RUF001 - the very characters


def fold(text: str) -> str:
    """Compose to NFC, write every apostrophe as `'`, drop format characters (Cf), and blank out white space.

    Every run of white space becomes one blank. Format characters are the byte order mark, soft hyphen, zero-width
    space, joiner and non-joiner, and their kin.
    """
    plain = text.translate(_WRITTEN_ALIKE)
    if not plain.isascii():
        # Composed last: a format character may have stood between a letter and its mark.
        plain = "".join(character for character in plain if unicodedata.category(character) != "Cf")
        plain = unicodedata.normalize("NFC", plain)
    return " ".join(plain.split())


def western_digits(text: str) -> str:
    """Write the decimal digits of every script (१, ٣, ๕) as 0 to 9."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(character)) if unicodedata.category(character) == "Nd" else character
        for character in text
    )
