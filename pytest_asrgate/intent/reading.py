"""Texts as intents and entities are compared: folded, without annotations, and whether a quoted span stands in one.

Letters keep their combining marks, which in Indian scripts are vowels: nothing here drops one.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from pytest_asrgate.intent.case_endings import CASE_ENDINGS

__all__ = [
    "LETTER",
    "MARK",
    "UNSEEN",
    "folded",
    "has_words",
    "holds",
    "occurrences",
    "places_of",
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
# What a transcript says that nobody did: in brackets, and of known words only. Any other word in brackets may have
# been said, and whatever stands in round ones.
_SOUND = (
    r"(?:background|noises?|music|laughter|laughs?|laughing|silence|inaudible|unintelligible|unclear|applause|"
    r"clapping|coughs?|coughing|crosstalk|pause|sighs?|sighing|breaths?|breathing|blank|audio|speech|unk|unknown|"
    r"sil|spn|nsn|hesitation|lipsmack|cough|sneeze|sneezing|static|beep|ringing|typing|overlap|overlapping)"
)
_SOUNDS = rf"\s*{_SOUND}(?:[\s_/-]{{1,3}}{_SOUND}){{0,4}}\s*"
_ANNOTATION = re.compile(rf"\[{_SOUNDS}\]|<{_SOUNDS}>|\[\s*\]", re.IGNORECASE)
_WORD = re.compile(rf"{LETTER}|\d")
# Scripts that write endings behind a word, and those that put no blanks between words.
_INDIAN = range(0x900, 0xE00)
_UNPARTED = (range(0xE00, 0x1000), range(0x1780, 0x1800), range(0x2E80, 0xAC00), range(0x20000, 0x32000))
_INDIAN_SCRIPTS = (_INDIAN, range(0xA8E0, 0xA900), range(0x1CD0, 0x1D00))
_SUFFIXED = (_INDIAN, range(0xA8E0, 0xA900), range(0x1CD0, 0x1D00), range(0xAC00, 0xD7B0))
# Signs that are part of the number behind them, and those that join the parts of an address or an abbreviation.
_BEFORE_DIGITS = "-\u2212."
_JOINTS = ".-_+"
_SINGLE_LETTERS = re.compile(rf"{LETTER}(?:\.{LETTER})+")
# A span of fewer letters may be the beginning of quite another word.
_SMALL = 4
_VIRAMAS = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d")


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
    """A text with blanks in the place of annotations such as `[noise]` and `<unk>`.

    It is as long as before. Only brackets whose words are all known to describe sounds go, and round ones never.
    """
    if "[" in text or "<" in text:
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


# As texts are folded, in which a letter and its dot may be two.
_ENDINGS = frozenset(map(folded, CASE_ENDINGS))
_LONGEST_ENDING = max(map(len, _ENDINGS))


@lru_cache(maxsize=64)
def _searched(text: str) -> str:
    return _APOSTROPHE.sub("'", folded(text))


def _trimmed(span: str) -> str:
    """A folded span without the signs at its edges, but for those that belong to a number: `-5`, `.5`, `5%`."""
    first, last = 0, len(span)
    while first < last and _is_silent(span[first]):
        first += 1
    while first < last and _is_silent(span[last - 1]):
        last -= 1
    if first and span[first : first + 1].isdecimal() and span[first - 1] in _BEFORE_DIGITS:
        first -= 1
    if span[last : last + 1] == "%" and span[last - 1 : last].isdecimal():
        last += 1
    return span[first:last]


def _places(span: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a span stands in a folded text, from left to right, without overlaps."""
    span = _trimmed(span)
    if not _WORD.search(span):
        return
    letters = _indian_letters(span)
    place = text.find(span)
    while place >= 0:
        end = place + len(span)
        whole = _begins(span, text, place) and _ends(span, text, end) and not _is_cut_out(span, text, place, end)
        if whole and not (0 < letters < _SMALL and _goes_on(text, end, letters)):
            yield place, end
            place = text.find(span, end)
        else:
            place = text.find(span, place + 1)


def _indian_letters(span: str) -> int:
    """How many letters a span has that ends in an Indian script, with their marks; 0 for other scripts."""
    if not _is_in(span[-1], _INDIAN_SCRIPTS):
        return 0
    letters = 0
    for place, sign in enumerate(span):
        # A letter behind a virama is one with the letter before it.
        joined = place and span[place - 1] in _VIRAMAS
        letters += sign.isalpha() and not joined
    return letters


def _goes_on(text: str, end: int, letters: int) -> bool:
    """Whether a word of so many letters goes on behind a place with more than a known ending of its case."""
    last = end
    while last < len(text) and last - end <= _LONGEST_ENDING and _belongs(text[last]):
        last += 1
    # An ending of one letter makes another word of a single one: `रात` is no `रा`.
    return last > end and (text[end:last] not in _ENDINGS or letters == last - end == 1)


def _begins(span: str, text: str, place: int) -> bool:
    """Whether a word, or a whole number, begins at a place."""
    first = span[0]
    if not place or _is_in(first, _UNPARTED) or not (_belongs(first) or first in _BEFORE_DIGITS):
        return True
    before = text[place - 1]
    two_before = text[place - 2] if place > 1 else ""
    if _belongs(before):
        return False
    if first.isdecimal() and before in ".,:" and two_before.isdecimal():
        return False
    return not (first.isalpha() and before == "'" and two_before.isalpha())


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


def _is_cut_out(span: str, text: str, place: int, end: int) -> bool:
    """Whether a place is the inside of a longer address or abbreviation, as `a@shop` of `a@shop.com`."""
    if "@" in span:
        joints = _JOINTS
    elif _SINGLE_LETTERS.fullmatch(span):
        joints = "."
    else:
        return False
    before, after = text[max(0, place - 2) : place], text[end : end + 2]
    return any(
        len(each) == 2 and each[at] in joints and each[1 - at].isalnum() for each, at in ((before, 1), (after, 0))
    )


def places_of(span: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where a span stands in `folded(text)` as `holds` says, from left to right, without overlaps."""
    return tuple(_places(_searched(span), _searched(text)))


def occurrences(span: str, text: str) -> int:
    """How often a span stands in a text as `holds` says, without overlaps."""
    return sum(1 for _ in _places(_searched(span), _searched(text)))


def holds(span: str, text: str) -> bool:
    """Whether a quoted span stands in a text, after folding both.

    It must begin where a word begins, and hold whole numbers and addresses. A Latin word must end with the span, or
    go on with a possessive `'s`; behind words of Indian scripts endings may follow, as in `কলকাতায়` behind `কলকাতা`,
    but behind fewer than four letters only those that are known. Signs at the edges of the span are ignored, unless
    they are part of a number (`-5`, `5%`); a span without letters and digits is never held.
    """
    return next(_places(_searched(span), _searched(text)), None) is not None
