"""What is too easily judged wrong of an intent to rest on one reply: numbers, questions, negations, verdicts.

All of it depends on the texts alone, never on what a score would be.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from pytest_asrgate.intent.digit_words import DIGIT_WORDS
from pytest_asrgate.intent.reading import folded
from pytest_asrgate.intent.signal_words import (
    LARGER_NUMERALS,
    NEGATED_ENDINGS,
    NEGATIVE_WORDS,
    NOT_NEGATED,
    QUESTION_WORDS,
)
from pytest_asrgate.semantic.forms import NEGATIONS
from pytest_asrgate.semantic.normalise import read_text
from pytest_asrgate.semantic.number_words import NUMBER_WORDS
from pytest_asrgate.semantic.risks import looks_like_a_verdict

__all__ = ["risks_of", "verdict_like"]

# Of several scripts; the Greek one looks like a semicolon.
_QUESTION_MARK = re.compile("[?\uff1f\u061f\u037e\u2047\u2048\u2049]")
# Before its subject, such a word makes a question of an English sentence without a mark.
_AUXILIARIES = frozenset(
    "am is are was were do does did have has had can could will would shall should may might".split()  # noqa: SIM905 - shorter
)
_DIGITS = re.compile(r"\d+")
# In characters; in a longer text English is not read but looked at word by word, which takes no time.
_LONGEST_READ = 5_000
# What the labels of this task look like where a transcript should not hold any.
_VERDICT = re.compile(
    r"""
      \b(?:mark|label|rate|score|grade|treat|consider|regard|count|judge)\b(?:\s+\w+){0,5}?\s+
      (?:as|intents?|entity|entities|everything)\s+["'”“]?(?:kept|preserved)\b
    | \b(?:answer|reply|respond|output|return)\b(?:\s+with)?\s+["'”“]?(?:kept|preserved)\b["'”“]?
      (?=\s*(?:$|[.,;!?]|(?:for|to|on|in|and|every|each|always|only|please)\b))
    | \bintent(?:[\s_]score)?\b["'”“]?\s*(?:[:=]|is)\s*["'”“]?(?:kept|preserved|1\b)
    | \bentit(?:y|ies)(?:[\s_]score)?\b["'”“]?\s*(?:[:=]|is|are)\s*["'”“]?(?:preserved|1\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)


def verdict_like(reference: str, hypothesis: str, context: str | None = None) -> bool:
    """Whether a text that a judge is shown reads like its reply, or like instructions to it."""
    if any(looks_like_a_verdict(text) or _VERDICT.search(text) for text in (reference, hypothesis)):
        return True
    if not context:
        return False
    return looks_like_a_verdict(context, conversation=True) or bool(_VERDICT.search(context))


def risks_of(reference: str, hypothesis: str, language: str, context: str | None = None) -> tuple[str, ...]:
    """Why a question about these raw texts is voted on whatever the first reply says, in a fixed order.

    `language` is its canonical code; of those that have no list of words, marks and digits alone are seen.
    """
    reads = language == "en" and max(len(reference), len(hypothesis)) <= _LONGEST_READ
    found = {
        "number": _numbers(reference, language, reads=reads) != _numbers(hypothesis, language, reads=reads),
        "question": _asks(reference, language, reads=reads) != _asks(hypothesis, language, reads=reads),
        "negation": _negations(reference, language, reads=reads) != _negations(hypothesis, language, reads=reads),
        "verdict-like text": verdict_like(reference, hypothesis, context),
    }
    return tuple(name for name, there in found.items() if there)


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """Folded words without signs around them; the marks of Indian scripts are part of a word."""
    bare = "".join(
        " " if unicodedata.category(sign)[0] in "PS" and sign not in "'’" else sign for sign in folded(text)
    )
    return tuple(word.strip("'’").replace("’", "'") for word in bare.split() if word.strip("'’"))


@lru_cache(maxsize=32)
def _listed(kind: str, language: str) -> frozenset[str]:
    if kind == "endings":
        return frozenset(folded(ending) for ending in NEGATED_ENDINGS.get(language, ()))
    lists = {
        "question": QUESTION_WORDS,
        "negative": {**NEGATIVE_WORDS, "en": NEGATIONS},
        "harmless": NOT_NEGATED,
        "numeral": {**LARGER_NUMERALS, "en": NUMBER_WORDS},
    }
    return frozenset(folded(word) for word in lists[kind].get(language, ()))


def _numbers(text: str, language: str, *, reads: bool) -> Counter[str]:
    """How often each number is said; in English that is read however it is written."""
    if reads:
        runs = {word.number.run: word.number.digits for word in read_text(text).words if word.number is not None}
        return Counter(runs.values())
    # int: the digits of every script are the same ones; a leading zero is one of them.
    digits = ["".join(str(int(digit)) for digit in run) for run in _DIGITS.findall(text)]
    numerals = _listed("numeral", language)
    single = DIGIT_WORDS.get(language, {})
    words = (single.get(word, word if word in numerals else "") for word in _words(text))
    return Counter([*digits, *filter(None, words)])


def _asks(text: str, language: str, *, reads: bool) -> tuple[bool, bool]:
    """Whether a text has a question mark, and whether it has a word that asks."""
    words = tuple(word.text for word in read_text(text).words) if reads else _words(text)
    asking = _listed("question", language)
    inverted = language == "en" and words[:1] != () and words[0] in _AUXILIARIES and words[:2] != ("do", "not")
    return bool(_QUESTION_MARK.search(text)), inverted or any(word in asking for word in words)


def _negations(text: str, language: str, *, reads: bool) -> int:
    if reads:
        return sum(word.text in NEGATIONS for word in read_text(text).words)
    negative, harmless = _listed("negative", language), _listed("harmless", language)
    endings = ("n't",) if language == "en" else tuple(_listed("endings", language))
    return sum(word in negative or (word.endswith(endings) and word not in harmless) for word in _words(text))
