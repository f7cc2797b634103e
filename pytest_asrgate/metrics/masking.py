"""What a normaliser hides: raw texts that differ although their normalised texts are equal."""

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from pytest_asrgate.metrics.light_fold import CARDINALS, SPEAKING, lightly_folded, spelt_out

__all__ = ["MASKED_FIRST", "MASKED_WORDS", "masked_kinds"]

# The kinds that change what a listener would do come first; the rest is spelling, mostly.
MASKED_FIRST = ("digits", "sign", "currency", "unit", "negation")
MASKED_WORDS = "words"

_UNITS = frozenset(["percent", "per cent", *"°%‰′″²³"])  # noqa: RUF001
_UNIT_LETTERS = re.compile("μ[a-zω]{0,3}|[km]?ω")  # Greek, as casefold leaves it
# After a number in digits; elsewhere um and mm are fillers. Greek ones are above.
_ABBREVIATED_UNIT = re.compile(
    "[numcdk]?m|mi|ft|yd|[km]?g|lbs?|oz|[mcd]?l|[num]?s|min|hr?|hrs|[kmgt]?(?:hz|b)|[mk]?[vw]|kwh|[km]ph|kmh|[hk]?pa"
    "|[cfk]|db"
)
_CURRENCY_WORDS = frozenset(["dollar", "dollars", "euro", "euros", "pound", "pounds", "cent", "cents"])
_SIGN_WORDS = frozenset(["plus", "minus", "negative", "positive"])
_NUMBER_WORD = re.compile(
    rf"(?:{CARDINALS})(?:th)?|(?:twen|thir|for|fif|six|seven|eigh|nine)tie(?:s|th)|(?:fif|eigh|nin|twelf)th"
    "|first|second|third|oh?"
)
_NEGATION_WORDS = frozenset(
    ["not", "no", "never", "none", "nor", "neither", "cannot", "without", "nothing", "nobody"]
)
_NEGATION = re.compile(rf"n ?'t\b|\b(?:aint|dunno|{'|'.join(sorted(_NEGATION_WORDS))})\b")
# In tokens. The exact search tells where a token stands, but its time grows faster than the square.
_EXACT_TO = 200
_TOKEN = re.compile(r"(?<!\S)per cent(?!\S)|\S+")
# Where white space says nothing, neither does the end of a token: numbers, words in ASCII, all else by character.
_UNSPACED_TOKEN = re.compile(r"(?<!\S)per cent(?!\S)|\.?\d+(?:[.,:/]\d+)*|[a-z]+|\S")


def masked_kinds(reference: str, hypothesis: str, *, spaced: bool = True) -> tuple[str, ...]:
    """Tell in which kinds two raw texts differ whose normalised texts are equal, which the caller has checked.

    In the order of `MASKED_FIRST`, then `MASKED_WORDS`; empty where the light folds are equal, under `spaced=False`
    also where they differ in white space only. One token may be of two kinds (`1/2`); a token of a kind of its own
    is not one of the words. The order of the texts does not matter.
    """
    if reference == hypothesis:
        return ()
    # difflib is not symmetric, this answer is.
    (left, left_text), (right, right_text) = sorted(
        ((lightly_folded(text), text) for text in (reference, hypothesis)), key=lambda pair: pair[0]
    )
    if left == right or (not spaced and left.replace(" ", "") == right.replace(" ", "")):
        return ()
    token_of = _TOKEN if spaced else _UNSPACED_TOKEN
    negated = _negations(left_text) != _negations(right_text)
    found = {"negation"} if negated else set()
    left_tokens, right_tokens = token_of.findall(left), token_of.findall(right)
    units = _units_of_numbers(left_tokens) | _units_of_numbers(right_tokens)
    unequal = set(_unequal(left_tokens, right_tokens))
    for token in unequal:
        if token in units:
            found.add("unit")
        elif _NUMBER_WORD.fullmatch(token):
            # `one's` for `one is` is the same number.
            contracted = any(token + ending in unequal for ending in ("s", "d", "ll", "ve"))
            found.add(MASKED_WORDS if contracted else "digits")
        elif not (negated and token in _NEGATION_WORDS):
            found |= _kinds(token)
    return tuple(kind for kind in (*MASKED_FIRST, MASKED_WORDS) if kind in found)


def _unequal(left: Sequence[str], right: Sequence[str]) -> Iterable[str]:
    """The tokens of two different sequences that have no fellow on the other side."""
    start, shorter = 0, min(len(left), len(right))
    while start < shorter and left[start] == right[start]:
        start += 1
    end = 0
    while end < shorter - start and left[-1 - end] == right[-1 - end]:
        end += 1
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    if max(len(left), len(right)) > _EXACT_TO:
        of_left, of_right = Counter(left), Counter(right)
        # Where only the order differs, the ends of what differs are the least that stands elsewhere.
        return {*(of_left - of_right), *(of_right - of_left)} or {left[0], right[0], left[-1], right[-1]}
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    return [
        token
        for tag, left_start, left_end, right_start, right_end in matcher.get_opcodes()
        if tag != "equal"
        for token in (*left[left_start:left_end], *right[right_start:right_end])
    ]


def _units_of_numbers(tokens: Sequence[str]) -> set[str]:
    """The abbreviations that stand directly after a number, or after another one that does: 5 km h."""
    units: set[str] = set()
    measured = False
    for token in tokens:
        if measured and _ABBREVIATED_UNIT.fullmatch(token):
            units.add(token)
        else:
            measured = token[-1].isdecimal()
    return units


def _negations(text: str) -> int:
    return len(_NEGATION.findall(spelt_out(text)))


def _kinds(token: str) -> set[str]:
    kinds = {"digits"} if any(character.isdecimal() for character in token) else set()
    category = unicodedata.category(token[0])
    if token in _CURRENCY_WORDS or category == "Sc":
        kinds.add("currency")
    elif token in _UNITS or _UNIT_LETTERS.fullmatch(token):
        kinds.add("unit")
    elif token in _SIGN_WORDS or "/" in token or category == "Sm" or token in SPEAKING:
        kinds.add("sign")
    return kinds or {MASKED_WORDS}
