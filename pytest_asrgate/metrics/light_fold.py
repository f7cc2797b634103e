"""The light fold: a text as a reader would say it, without case, punctuation and white space."""

import re
import unicodedata

from pytest_asrgate.metrics.fold import fold, western_digits, without_grouping
from pytest_asrgate.metrics.indic import unify
from pytest_asrgate.metrics.letters import letters_of, whole_letters

__all__ = ["CARDINALS", "SPEAKING", "lightly_folded", "spelt_out"]

# The fraction slash and the division slash, the Arabic percent and separators; the Turkish i without a dot, which
# is the capital's small letter there; the Hebrew geresh and gershayim, typed as quotes. A wide macron would compose
# with what stands before it. A variation selector only chooses how a character is drawn, and the filler of Hangul
# is not drawn.
_PLAIN = str.maketrans("⁄∕٪٫٬ı￣׳״", "//%.,i '\"") | dict.fromkeys([*range(0xFE00, 0xFE10), 0xFFA0])  # noqa: RUF001
# Fullwidth and halfwidth forms are the same characters drawn wider or narrower, presentation forms and digraphs the
# same drawn together; all but the rial sign, which stays a currency.
_DRAWN = re.compile("[\uff00-\uffefĲĳǄ-ǌǱ-ǳ\ufb00-\ufdfb\ufe70-\ufefc]+")
# What a recogniser writes for a sound or an unknown word: its angle brackets compare nothing.
_TAG = re.compile(r"<(/?[^\W\d_][^\s<>]*|\|[^<>]*\|)>")
_FRACTION = re.compile("(\\d?)([¼-¾⅐-⅞↉])")
# References of some corpora part the ending from its word: `it 's`, `don 't`, `do n't`.
_PARTED_ENDING = re.compile(r"(?<=\w) (?=(?:'(?:s|t|re|ve|ll|d|m)|n't)(?![\w']))")
_PARTED_SLASH = re.compile(r"(?<=\d) ?/ ?(?=\d)")
_NO_LETTER = re.compile(r"[^\w\s]|[_²³]")
# `5km` and `5 km` are the same words, `90s` and `90 s` are not.
_SEAM = re.compile(r"(?<=\d)(?=[^\W\d_])(?!(?:st|nd|rd|th|s)(?!\w))|(?<=[^\W\d_])(?=\d)")

_MINUS = "−"  # noqa: RUF001 - the minus sign, which no hyphen and no dash can be taken for
_MINUS_LIKE = "-‑–﹣"  # noqa: RUF001
_DASHES = "—―﹘"  # noqa: RUF001
SPEAKING = frozenset("%‰°&@#*^§²³′″")  # noqa: RUF001 - primes: feet and inches, minutes and seconds
CARDINALS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    "(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|billion|trillion"
)
_CARDINAL = re.compile(CARDINALS)
# No longer than these words: the search stays linear.
_WORD_NEXT = re.compile(r"[a-z]{3,9}(?![\w'])")
_WORD_BEFORE = re.compile(r"(\w{1,12})[^\w ]{0,3} {1,2}\Z")
_PRONOUN_PARTS = frozenset(["any", "each", "every", "no", "some"])
# After these a value is due, so that a dash with blanks about it is a minus and parts no clauses.
_VALUE_DUE = re.compile(
    "is|are|was|were|be|been|being|equals?|at|to|of|from|by|about|around|under|below|above|over|than|between|reache[ds]"
    "|hits?|reads?"
)
_DEGREES = re.compile(r" \d{1,6}(?:[.,]\d{1,6})? ?(?:°|degrees?\b)")
_QUOTES = re.compile("[\"']")


def lightly_folded(text: str) -> str:
    """Drop case, punctuation, white space and format characters, and nothing that a reader would say aloud.

    A sign before a number, a separator between digits, fractions, mathematical and currency symbols stay; every
    symbol is a token of its own, and a minus is written U+2212, since a hyphen with a blank after it is a dash.
    Letters and marks of all scripts stay, in one of their spellings; digits become 0 to 9. The result folds to
    itself.
    """
    plain = _TAG.sub(r" \1 ", spelt_out(text))
    if not plain.isascii():
        plain = _FRACTION.sub(_fraction, plain)
    plain = _PARTED_SLASH.sub("/", _PARTED_ENDING.sub("", plain))
    plain = _with_primes(without_grouping(plain))
    # What went away may have stood between a letter and its accent or the other half of its sign.
    spoken = whole_letters(unify(_NO_LETTER.sub(_spoken, plain)))
    # An asterisk at either end is a list's or a footnote's.
    return " ".join(_SEAM.sub(" ", spoken).split()).strip("* ")


def spelt_out(text: str) -> str:
    """Write in small letters, with the digits 0 to 9, what can be written in several ways."""
    if text.isascii():
        return fold(text.casefold())
    drawn_alike = _DRAWN.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text.translate(_PLAIN))
    # Letters first, which may need the joiners that `fold` drops, and again without what stood between their
    # halves. Case before `fold`: casefold writes ŉ with an apostrophe, which `fold` then makes the usual one.
    folded = western_digits(fold(unify(drawn_alike).casefold()))
    # Not in all languages are these kafs and yehs one letter; where they are not, the normalised texts differ.
    return whole_letters(unify(letters_of("fa", folded)))


def _with_primes(text: str) -> str:
    """Write as a prime what stands after a digit and closes no quote: 5 inches, 6 feet."""
    opened: set[str] = set()

    def written(match: re.Match[str]) -> str:
        quote, start = match.group(), match.start()
        before, after = text[start - 1 : start] if start else "", text[start + 1 : start + 2]
        if _is_part_of_word(before):
            if quote == "'" and _is_part_of_word(after):
                pass  # an apostrophe, five foot ten
            elif quote in opened:
                opened.remove(quote)
            elif before.isdecimal():
                return "′" if quote == "'" else "″"  # noqa: RUF001
        elif quote in opened and after in ("", " "):
            opened.remove(quote)
        elif after not in ("", " "):
            opened.add(quote)
        return quote

    return _QUOTES.sub(written, text)


def _fraction(match: re.Match[str]) -> str:
    whole, part = match.groups()
    digits = unicodedata.normalize("NFKD", part).translate(_PLAIN)
    return f"{whole} {digits} " if whole else f"{digits} "


def _spoken(match: re.Match[str]) -> str:
    """Write one character that is no letter and no digit as what is said for it: itself, nothing or a blank."""
    character, text, start = match.group(), match.string, match.start()
    before, after = text[start - 1 : start] if start else "", text[start + 1 : start + 2]
    category = unicodedata.category(character)
    written = " "
    if category[0] == "M":
        written = character  # vowel signs of Indic scripts are marks
    elif character in "*~" and not _is_sign(character, before, after):
        pass  # emphasis, a drawn-out end, a range
    elif character in SPEAKING or category == "Sc" or (category == "Sm" and character != "|"):
        written = f" {character} "
    elif character in _MINUS_LIKE or character in _DASHES:
        written = f" {_MINUS} " if _is_minus(text, start, before) else " "
    elif character in ".,:/" and before.isdecimal() and after.isdecimal():
        written = character
    elif character == "." and after.isdecimal() and not _is_part_of_word(before) and before != ".":
        written = " ."
    elif character == "'" and _is_part_of_word(before) and after.isalnum():
        written = " ′ " if before.isdecimal() and after.isdecimal() else ""  # noqa: RUF001 - five foot ten
    return written


def _is_part_of_word(character: str) -> bool:
    return character.isalnum() or (character != "" and unicodedata.category(character)[0] == "M")


def _is_sign(character: str, before: str, after: str) -> bool:
    """An asterisk multiplies between digits or blanks, a tilde says about what begins with it."""
    if character == "~":
        return before in ("", " ")
    return all(neighbour == " " or neighbour.isdecimal() for neighbour in (before, after))


def _is_minus(text: str, start: int, before: str) -> bool:
    if text[start] in _MINUS_LIKE and _is_value(text, start + 1):
        return _may_open(before)
    if before not in ("", " "):
        return False
    word = _WORD_BEFORE.search(text[max(0, start - 20) : start])
    previous = word.group(1) if word else ""
    if _CARDINAL.fullmatch(previous) or previous[-1:].isdecimal():
        return False  # a range
    if text[start + 1 : start + 2] == " ":
        # A dash with blanks about it parts clauses elsewhere.
        due = start == 0 or _VALUE_DUE.fullmatch(previous) or _DEGREES.match(text, start + 1)
        return bool(due) and _is_value(text, start + 2)
    if text[start] in _DASHES:
        return _is_value(text, start + 1)
    number = _WORD_NEXT.match(text, start + 1)
    found = number.group() if number else ""
    return bool(_CARDINAL.fullmatch(found)) and not (found == "one" and previous in _PRONOUN_PARTS)


def _may_open(before: str) -> bool:
    # After a word, a closing bracket or a unit a hyphen joins or tells a range: (555)-1234, 50%-60%.
    ends = before != "" and (unicodedata.category(before) in ("Pd", "Pe", "Pf") or before in "%‰°′″²³.…!?")  # noqa: RUF001
    return not ends and not _is_part_of_word(before)


def _is_value(text: str, start: int) -> bool:
    value = text[start : start + 3]
    if value and unicodedata.category(value[0]) == "Sc":
        value = value[1:]
    return value.removeprefix(".")[:1].isdecimal()
