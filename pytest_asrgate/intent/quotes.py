"""Quotes compared where they stand: with the sign, the address or the number that each of them was cut out of."""

import re
from bisect import bisect_right
from functools import lru_cache

from pytest_asrgate.intent.data import compact, find_data
from pytest_asrgate.intent.exact import exact_places, found_exact, same_exact
from pytest_asrgate.intent.numbers import read
from pytest_asrgate.intent.pieces import Kind
from pytest_asrgate.intent.reading import folded, places_of
from pytest_asrgate.intent.texts import Texts

__all__ = ["found_once", "in_other_order", "overlap", "same_quotes", "whole_quote"]

# What joins a quote to what is beside it, where no blank stands between them.
_BEFORE = re.compile(r"[A-Za-z0-9@%$€£₹¥.,:/+\-\u2212_]+\Z")
_BEHIND = re.compile(r"[A-Za-z0-9@%$€£₹¥.,:/+\-\u2212_]+")
# At the edges of what is joined these are punctuation.
_OPENING, _CLOSING = ".,:/_", ".,:/+-\u2212_$€£₹¥"
_LONGEST, _MOST_PIECES = 64, 32


def _wholes(quote: str, text: str, language: str) -> frozenset[str]:
    """A quote in each of its places, with what is joined to it there; as it is where nothing is."""
    searched = folded(text)
    pieces = [piece for piece in read(searched, language) if piece.kind in {Kind.NUMBER, Kind.ADDRESS}]
    ends = [piece.end for piece in pieces]
    made = set()
    bare = folded(quote)
    # Inside of another address it is not held, and yet it was quoted.
    places = places_of(quote, text) or [
        (each.start(), each.end()) for each in re.finditer(re.escape(bare), searched)
    ]
    for first, last in places:
        begun = bisect_right(ends, first)
        # Groups of digits with blanks between them are one piece, and so is an address that was said.
        over = [piece for piece in pieces[begun : begun + _MOST_PIECES] if piece.start < last]
        start, end = min([first, *(each.start for each in over)]), max([last, *(each.end for each in over)])
        before = _BEFORE.search(searched[max(0, start - _LONGEST) : start])
        behind = _BEHIND.match(searched[end : end + _LONGEST])
        left, right = before[0] if before else "", behind[0].rstrip(_CLOSING) if behind else ""
        # The full stop of `.5` is none.
        fraction = left == "." and searched[start].isdecimal()
        left = left if fraction else left.lstrip(_OPENING)
        whole = f"{left}{searched[start:end]}{right}"
        made.add(whole if len(whole) > last - first else quote)
    return frozenset(made or {quote})


def whole_quote(quote: str, text: str, language: str) -> str:
    """The words of a text that a quote was cut out of, or the quote, where it stands in several or in none."""
    wholes = _wholes(quote, text, language)
    found = re.search(re.escape(next(iter(wholes))), text, re.IGNORECASE) if len(wholes) == 1 else None
    return found[0] if found else quote


def same_quotes(text: str, quote: str, texts: Texts) -> bool | None:
    """Whether an entity of a reference and the words quoted for it are surely the same, or surely not, in place."""
    found = {
        same_exact(one, other, texts.language)
        for one in _wholes(text, texts.reference, texts.language)
        for other in _wholes(quote, texts.hypothesis, texts.language)
    }
    return found.pop() if len(found) == 1 else None


def found_once(text: str, texts: Texts) -> str:
    """The words of the hypothesis that hold the data of an entity; nothing unless both texts hold it once."""
    both = (texts.reference, texts.hypothesis)
    if any(exact_places(text, each, texts.language) != 1 for each in both):
        return ""
    return found_exact(text, texts.hypothesis, texts.language)


@lru_cache(maxsize=16)
def in_other_order(texts: Texts) -> bool:
    """Whether data that both texts hold changed places, so that equal words may have another part in them."""
    orders = []
    for raw in (texts.reference, texts.hypothesis):
        pieces = read(raw, texts.language)
        orders.append([compact(pieces[span.first : span.last]) for span in find_data(pieces, raw)])
    shared = set(orders[0]) & set(orders[1])
    left, right = ([each for each in order if each in shared] for order in orders)
    return left != right


def overlap(words: str, quote: str, texts: Texts) -> bool:
    """Whether two quotes of the hypothesis have a place in common."""
    return any(
        first < other_last and other_first < last
        for first, last in places_of(words, texts.hypothesis)
        for other_first, other_last in places_of(quote, texts.hypothesis)
    )
