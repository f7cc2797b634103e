"""Raw sentences as the semantic error rate reads them: the document's normalisation, word for word.

The order: characters folded, tokens found, each token written in full (contractions, abbreviations, numerals,
signs, informal speech, American spelling), then runs of number words marked. Decisions that the document leaves
open:

- `mm-hmm`, `mhm` and `uh-huh` are `yes`, `uh-uh` and `nuh-uh` are `no`; `hmm`, `um`, `uh` are fillers and stay.
- `wont` and `cant` without apostrophe are `will not` and `can not`, but for a `wont` that is a habit (`his wont`,
  `of wont`); `well`, `were`, `ill`, `its`, `hell`, `shell`, `id`, `wed` are words of their own; so is
  `lets`, but not where it opens a sentence (`lets go`).
- `'s` is `is` (or `has`) behind a pronoun or a question word; behind any other word it is a possessive, and
  the word stays one: `drivers` with the raw piece `driver's`.
- `U.S.`, `US`, `USA` are `usa`, so that no country is taken for the pronoun.
- `u s a` is `usa` too, unless the `a` may be the article of the next word (`the u s a man knows`).
- Contractions that were cut into tokens (`wo n't`, `he 's`) are read as if they were not.
- Annotations are no words: `[laughter]`, `<unk>`, and `(inaudible)`, but for round brackets with digits in them.
- `per` before a unit of time may be `a` or `an`: `60 mph`, `60 miles an hour`.
- Words of an address are read as they are written, with its signs between them: `jo dot st at acme dot com`.
- `o'clock` behind a number is dropped: `5:00`, `five o'clock` and `five` are equal.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from pytest_asrgate.semantic.drafts import Draft
from pytest_asrgate.semantic.numbers import mark_numbers
from pytest_asrgate.semantic.reading import read_tokens
from pytest_asrgate.semantic.tokens import find_tokens
from pytest_asrgate.semantic.words import Text, Word

__all__ = ["SEMANTIC_VERSION", "read_plain", "read_text"]

# Raised whenever what the rules make of any pair of texts changes: what is read, aligned or settled. It stands in
# every document and report.
SEMANTIC_VERSION = 3

# Texts: references are the same for all variants, and many hypotheses are equal.
_REMEMBERED = 10_000

# What an address ends in, and how many words before its last dot may be part of it.
_ENDINGS = frozenset(
    {"com", "org", "net", "edu", "gov", "io", "co", "uk", "ai", "dev", "app", "info", "de", "eu", "tv", "me"}
)
_LONGEST_NAME = 4
_ANNOTATION = re.compile(r"\s*(?:\[[^\]\[]*\]|\([^()\d]*\)|<[^<>]*>)\s*\Z")
_CLOSING = " \t\r\n\"'”’»)]}"
_CUT = ("...", "…", "-", "—", "–", "‐", "‒", "―")  # noqa: RUF001 - dashes
_ENDED = (".", "?", "!", "。", "？", "！", "।", "؟")  # noqa: RUF001 - of other scripts


@lru_cache(maxsize=_REMEMBERED)
def read_text(raw: str) -> Text:
    """Read an English text; a text without words has none."""
    tokens = find_tokens(raw)
    drafts = mark_numbers(read_tokens(tokens, raw))
    if "dot" in raw or "DOT" in raw:
        _mark_spoken_addresses(drafts)
    cut, ended = _ending(raw)
    return Text(raw, tuple([_word(draft) for draft in drafts]), cut, ended)


def _mark_spoken_addresses(drafts: Sequence[Draft]) -> None:
    """Mark `jo at acme dot com` as the address that it is, with some words before it, which may be its name."""
    for place in range(1, len(drafts) - 1):
        if drafts[place].text == "dot" and drafts[place + 1].text in _ENDINGS:
            for draft in drafts[max(0, place - _LONGEST_NAME) : place + 2]:
                draft.address = True


def _word(draft: Draft) -> Word:
    return Word(
        draft.text,
        draft.raw,
        draft.start,
        draft.compound,
        draft.number,
        draft.name,
        draft.variants,
        draft.address,
    )


@lru_cache(maxsize=_REMEMBERED)
def read_plain(normalised: str, raw: str) -> Text:
    """Read a text of another language that its own normaliser has normalised: words between blanks, no more.

    `start` counts in the normalised text, since nothing says where in the raw one a word was.
    """
    words = tuple(Word(found[0], found[0], found.start()) for found in re.finditer(r"\S+", normalised))
    return Text(raw, words, *_ending(raw))


def _ending(raw: str) -> tuple[bool, bool]:
    """Whether a raw text was cut off, and whether it ends like a whole sentence."""
    last = raw[-200:].rstrip()
    if last.endswith(("]", ")", ">")):
        last = _ANNOTATION.sub("", last) or last
    last = last.rstrip(_CLOSING)
    cut = last.endswith(_CUT)
    return cut, not cut and last.endswith(_ENDED)
