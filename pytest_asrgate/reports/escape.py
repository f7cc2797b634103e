"""Text from strangers (transcripts, ids, error messages) made safe for a terminal and a log."""

import unicodedata

__all__ = ["plain"]


def plain(text: str) -> str:
    """Show control, format and line-breaking characters as escapes, so that no transcript moves the cursor."""
    return "".join(
        character
        if unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
