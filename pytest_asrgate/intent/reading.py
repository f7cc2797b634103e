"""Texts as intents and entities are compared: folded, without annotations, and whether a quoted span stands in one.

Letters keep their combining marks, which in Indian scripts are vowels: nothing here drops one.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

__all__ = [
    "LETTER",
    "MARK",
    "UNSEEN",
    "folded",
    "has_words",
    "holds",
    "occurrences",
    "same_letters",
    "without_annotations",
]

# All of the ranges that hold combining marks, in which an alphabet or signs for the eye only may stand too.
_MARKED = (range(0x300, 0x2000), range(0x20D0, 0x2100), range(0x2CE0, 0x3100), range(0xA660, 0xAC00),
           range(0xFE00, 0xFE30), range(0x10A00, 0x11E00))  # fmt: skip


def _mark_class() -> str:
    """All combining marks, as what stands between the brackets of a regular expression."""
    spans: list[list[int]] = []
    for part in _MARKED:
        for code in part:
            if unicodedata.category(chr(code))[0] != "M":
                continue
            if spans and spans[-1][1] == code - 1:
                spans[-1][1] = code
            else:
                spans.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in spans)


# Parts of regular expressions: a letter, and what goes between brackets for marks and for what has no look.
LETTER = r"[^\W\d_]"
MARK = _mark_class()
UNSEEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"

# Letters that were written with a joiner before they had a code of their own: without the joiner they would be
# another letter (`അവന്‍` is he, `അവന്` is to him).
_JOINED = {
    f"{letter}\u200d": alone
    for letter, alone in (
        ("\u0d23\u0d4d", "\u0d7a"),
        ("\u0d28\u0d4d", "\u0d7b"),
        ("\u0d30\u0d4d", "\u0d7c"),
        ("\u0d32\u0d4d", "\u0d7d"),
        ("\u0d33\u0d4d", "\u0d7e"),
        ("\u0d15\u0d4d", "\u0d7f"),
        ("\u09a4\u09cd", "\u09ce"),
    )
}
_UNSEEN = re.compile(f"[{UNSEEN}]")
_DIGIT = re.compile(r"[^\D0-9]")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc\uff07\u00b4`]")
# What a transcript says that nobody did. Round brackets may hold what was said, unless they hold one of these.
_ANNOTATION = re.compile(
    r"\[[^\]\[]{0,200}\]|<[^<>\s\d]{1,60}>"
    r"|\((?:\s|background|noises?|music|laughter|laugh|laughs|laughing|silence|inaudible|unintelligible|applause|"
    r"coughs?|coughing|crosstalk|pause|sighs?|breathing){1,5}\)",
    re.IGNORECASE,
)
_WORD = re.compile(rf"{LETTER}|\d")
# Scripts that write endings behind a word, and those that put no blanks between words.
_INDIAN = range(0x900, 0xE00)
_UNPARTED = (range(0xE00, 0x1000), range(0x1780, 0x1800), range(0x2E80, 0xAC00), range(0x20000, 0x32000))
_SUFFIXED = (_INDIAN, range(0xA8E0, 0xA900), range(0x1CD0, 0x1D00), range(0xAC00, 0xD7B0))


def same_letters(text: str) -> str:
    """NFC, letters that need a joiner as letters of their own, then without joiners and marks of direction."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    if "\u200d" in text:
        for joined, alone in _JOINED.items():
            text = text.replace(joined, alone)
    # What stood around a joiner may compose once it is gone.
    return unicodedata.normalize("NFC", _UNSEEN.sub("", text))


def folded(text: str) -> str:
    """A text in lower case and NFC, with ASCII digits and single blanks, without joiners and byte order marks.

    Lower case, not Unicode's case folding, which makes `Maße` and `Masse` one word.
    """
    text = same_letters(text)
    if not text.isascii():
        text = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
        # Lower case can take letters apart.
        return " ".join(unicodedata.normalize("NFC", text.lower()).split())
    return " ".join(text.lower().split())


def without_annotations(text: str) -> str:
    """A text with blanks in the place of annotations such as `[noise]`, `<unk>` and `(inaudible)`.

    It is as long as before. Round brackets go only where all of their words are known to describe sounds.
    """
    if "[" in text or "<" in text or "(" in text:
        return _ANNOTATION.sub(lambda found: " " * len(found[0]), text)
    return text


def has_words(text: str) -> bool:
    """Whether letters or digits stand outside of annotations."""
    return bool(_WORD.search(without_annotations(text)))


def _is_in(character: str, ranges: tuple[range, ...]) -> bool:
    code = ord(character)
    return any(code in part for part in ranges)


def _belongs(character: str) -> bool:
    """Whether a character is part of a word."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _is_silent(character: str) -> bool:
    return character.isspace() or unicodedata.category(character)[0] in "PC"


@lru_cache(maxsize=64)
def _searched(text: str) -> str:
    return _APOSTROPHE.sub("'", folded(text))


def _places(span: str, text: str) -> Iterator[int]:
    """Where a span stands in a folded text, from left to right, without overlaps."""
    first, last = 0, len(span)
    while first < last and _is_silent(span[first]):
        first += 1
    while first < last and _is_silent(span[last - 1]):
        last -= 1
    span = span[first:last]
    if not _WORD.search(span):
        return
    place = text.find(span)
    while place >= 0:
        end = place + len(span)
        if _begins(span, text, place) and _ends(span, text, end):
            yield place
            place = text.find(span, end)
        else:
            place = text.find(span, place + 1)


def _begins(span: str, text: str, place: int) -> bool:
    """Whether a word, or a whole number, begins at a place."""
    if not place or not _belongs(span[0]) or _is_in(span[0], _UNPARTED):
        return True
    before = text[place - 1]
    two_before = text[place - 2] if place > 1 else ""
    if _belongs(before):
        return False
    if span[0].isdecimal():
        return not (before in ".,:" and two_before.isdecimal())
    return not (before == "'" and two_before.isalpha())


def _ends(span: str, text: str, end: int) -> bool:
    """Whether what a span ends with goes no further, but for endings that its script allows."""
    last, after = span[-1], text[end : end + 1]
    if not after or not _belongs(last):
        return True
    if unicodedata.category(after)[0] == "M":
        return False
    following = text[end + 1 : end + 2]
    if last.isdecimal():
        return not after.isdecimal() and not (after in ".,:" and following.isdecimal())
    if _is_in(last, _SUFFIXED) or _is_in(last, _UNPARTED):
        return True
    if after == "'":
        beyond = text[end + 2 : end + 3]
        return not following.isalnum() or (following == "s" and not (beyond and _belongs(beyond)))
    return not _belongs(after)


def occurrences(span: str, text: str) -> int:
    """How often a span stands in a text as `holds` says, without overlaps."""
    return sum(1 for _ in _places(_searched(span), _searched(text)))


def holds(span: str, text: str) -> bool:
    """Whether a quoted span stands in a text, after folding both.

    It must begin where a word begins, and hold whole numbers. A Latin word must end with the span, or go on with a
    possessive `'s`; behind words of Indian scripts endings may follow, as in `কলকাতায়` behind `কলকাতা`. Signs at
    the edges of the span are ignored; a span without letters and digits is never held.
    """
    return next(_places(_searched(span), _searched(text)), None) is not None
