"""Which words may be taken for one word that is written apart, and where that happens in two texts."""

from collections.abc import Container, Iterator, Sequence

from pytest_asrgate.semantic.forms import ARTICLES, NEGATIONS
from pytest_asrgate.semantic.words import Word

__all__ = ["MOST_JOINED", "find_joins", "places_of"]

# One word against so many is a join; against single letters, against so many (`u s a`). Several against several are
# none: `comfort she` and `comforts he` have the same letters too.
_JOINED = 3
MOST_JOINED = 6
# To say no with one word and to say it with two is not the same: `not able`, `notable`.
_SELDOM_JOINED = ARTICLES | {"no", "not"}
# What is another word than its parts: `to get her` is not `together`, `use less` not `useless`.
_OTHER_JOINED = frozenset({"together", "father", "mother", "weather", "manslaughter", "therapist", "restless"})
_LESS = frozenset({"nonetheless", "nevertheless", "regardless", "unless", "doubtless"})
# Before what is a word by itself, `in` says its opposite: `in justice`. In these it does not.
_WITH_IN = frozenset(
    """
    into inside indoors indoor instead indeed input income incoming insight inland inbox inset inborn inbound
    infield inmate inlaw inlaws inward inwards intake indepth inhouse inlet inroad inroads instep infill inhale
    install inasmuch insofar innings incase inflow influx infact
    """.split()  # noqa: SIM905 - shorter
)
_JOINED_ANYWAY = frozenset({"another", "awhile", "alot", "nonetheless", "nevertheless"})


def _may_join(words: Sequence[Word], joined: str) -> bool:
    """Whether words may be taken for the one word that they are when joined."""
    if any(word.address for word in words):
        return False
    letters = all(len(word.text) == 1 for word in words)
    if (len(words) > _JOINED and not letters) or joined in _OTHER_JOINED:
        return False
    if (words[-1].text == "less" and joined not in _LESS) or (words[0].text == "in" and joined not in _WITH_IN):
        return False
    hyphened = words[0].compound is not None and len({word.compound for word in words}) == 1
    if letters or hyphened or joined in _JOINED_ANYWAY:
        return True
    if joined in NEGATIONS:
        # `no where` is nowhere; `now here` is not.
        return words[0].text in {"no", "can", "with"}
    return not any(word.text in _SELDOM_JOINED for word in words)


def places_of(words: Sequence[Word]) -> dict[str, list[int]]:
    """Where each word stands, counted from 1; no word of an address, which nothing is joined to."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words, start=1):
        if not word.address:
            places.setdefault(word.text, []).append(place)
    return places


def find_joins(words: Sequence[Word], singles: Container[str]) -> Iterator[tuple[int, int, str]]:
    """(place before which they end, how many, joined) of words that are one of the other text when joined."""
    for start in range(len(words) - 1):
        joined = words[start].text
        for length in range(2, min(MOST_JOINED, len(words) - start) + 1):
            last = words[start + length - 1].text
            if length > _JOINED and (len(last) > 1 or len(joined) >= length):
                break
            joined += last
            if joined in singles and _may_join(words[start : start + length], joined):
                yield start + length, length, joined
