"""What is too easily judged wrong of an intent to rest on one reply: numbers, questions, negations, verdicts.

All of it depends on the texts alone, never on what a score would be.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from pytest_asrgate.intent.digit_words import DIGIT_WORDS
from pytest_asrgate.intent.reading import folded
from pytest_asrgate.intent.signal_words import LARGER_NUMERALS, NEGATED_ENDINGS, NEGATIVE_WORDS, QUESTION_WORDS
from pytest_asrgate.semantic.forms import NEGATIONS
from pytest_asrgate.semantic.normalise import read_text
from pytest_asrgate.semantic.risks import looks_like_a_verdict

__all__ = ["risks_of", "verdict_like"]

# Of several scripts; the Greek one looks like a semicolon.
_QUESTION_MARK = re.compile("[?\uff1f\u061f\u037e\u2047\u2048\u2049]")
# Before its subject, such a word makes a question of an English sentence without a mark.
_AUXILIARIES = frozenset(
    "am is are was were do does did have has had can could will would shall should may might".split()  # noqa: SIM905 - shorter
)
_DIGITS = re.compile(r"\d+")
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
    found = {
        "number": _numbers(reference, language) != _numbers(hypothesis, language),
        "question": _asks(reference, language) != _asks(hypothesis, language),
        "negation": _negations(reference, language) != _negations(hypothesis, language),
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


@lru_cache(maxsize=16)
def _listed(kind: str, language: str) -> frozenset[str]:
    lists = {"question": QUESTION_WORDS, "negative": NEGATIVE_WORDS, "numeral": LARGER_NUMERALS}
    return frozenset(folded(word) for word in lists[kind].get(language, ()))


def _numbers(text: str, language: str) -> Counter[str]:
    """How often each number is said; in English however it is written."""
    if language == "en":
        runs = {word.number.run: word.number.digits for word in read_text(text).words if word.number is not None}
        return Counter(runs.values())
    # int: the digits of every script are the same ones; a leading zero is one of them.
    digits = ["".join(str(int(digit)) for digit in run) for run in _DIGITS.findall(text)]
    numerals = _listed("numeral", language)
    single = DIGIT_WORDS.get(language, {})
    words = (single.get(word, word if word in numerals else "") for word in _words(text))
    return Counter([*digits, *filter(None, words)])


def _asks(text: str, language: str) -> tuple[bool, bool]:
    """Whether a text has a question mark, and whether it has a word that asks."""
    words = tuple(word.text for word in read_text(text).words) if language == "en" else _words(text)
    asking = _listed("question", language)
    inverted = language == "en" and words[:1] != () and words[0] in _AUXILIARIES and words[:2] != ("do", "not")
    return bool(_QUESTION_MARK.search(text)), inverted or any(word in asking for word in words)


def _negations(text: str, language: str) -> int:
    if language == "en":
        return sum(word.text in NEGATIONS for word in read_text(text).words)
    negative, endings = _listed("negative", language), NEGATED_ENDINGS.get(language, ())
    return sum(word in negative or word.endswith(endings) for word in _words(text))
