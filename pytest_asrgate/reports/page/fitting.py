"""Text in a drawing, which does not wrap: how wide it will be, and how to make it fit."""

import unicodedata

from pytest_asrgate.reports.escape import plain

__all__ = ["FONT_SIZE", "isolated", "shortened", "shown_name", "text_width"]

# In the units of the drawing, as all widths here.
FONT_SIZE = 12.0

# In parts of the font's size. Fonts differ, so these are on the wide side.
_WIDE, _CAPITAL, _USUAL, _THIN = 1.0, 0.75, 0.61, 0.38
_THIN_SIGNS = frozenset(" .,:;'|!()[]/ijltf-")
_BROAD_SIGNS = frozenset("mwMW@%&")
_ELLIPSIS = "…"


def _advance(character: str) -> float:
    category = unicodedata.category(character)
    if category in {"Mn", "Me", "Cf"}:
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"} or character in _BROAD_SIGNS:
        return _WIDE
    if character in _THIN_SIGNS:
        return _THIN
    return _CAPITAL if category == "Lu" or not character.isascii() else _USUAL


def text_width(text: str) -> float:
    """About how wide a text is drawn, in units of the drawing."""
    return FONT_SIZE * sum(_advance(character) for character in text)


def _clusters(text: str) -> list[str]:
    """Characters with the marks that stand on them, which must not be cut apart."""
    found: list[str] = []
    for character in text:
        if found and unicodedata.category(character).startswith("M"):
            found[-1] += character
        else:
            found.append(character)
    return found


def shortened(text: str, room: float) -> str:
    """The text, or its beginning and its end where it is wider than the room; names differ at their ends."""
    if text_width(text) <= room:
        return text
    left = _clusters(text)
    head, tail = "", ""
    while left:
        at_end = len(tail) <= len(head)
        more = left.pop() if at_end else left.pop(0)
        longer = (head, more + tail) if at_end else (head + more, tail)
        if text_width(longer[0] + _ELLIPSIS + longer[1]) > room:
            break
        head, tail = longer
    return head + _ELLIPSIS + tail


def isolated(text: str) -> str:
    """The text so that one written from right to left does not reorder the sentence it stands in."""
    if any(unicodedata.bidirectional(character) in {"R", "AL"} for character in text):
        return f"\u2068{text}\u2069"
    return text


def shown_name(name: str, room: float) -> str:
    """A name from a gate file as it is drawn in that room."""
    return isolated(shortened(plain(name), room))
