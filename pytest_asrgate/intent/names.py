# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Capitalised names in a text of Latin letters, each as a span of its pieces."""

from collections.abc import Sequence

from pytest_asrgate.intent.data import Span
from pytest_asrgate.intent.numbers import base_of, month_of
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.reading import without_annotations

__all__ = ["bare", "find_names"]

_TITLES = frozenset("mr mrs ms dr prof st sir smt shri sri mx mister doctor professor captain".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_STREETS = frozenset("road rd street st lane avenue ave nagar colony marg drive boulevard square".split())
# Capitalised wherever they stand, and no names.
_NO_NAMES = frozenset("i i'm i'll i'd i've ok okay am pm yes no a an the rs inr usd".split())
# Words that open sentences and are capitalised for that alone, also before a name: `Please John`.
_OPENERS = frozenset(
    """
    a about add after all also am an and any are as ask at be because before book bring but buy by call can
    cancel change check come contact could dear deliver did do does email every find first for from get give
    go had has have he hello help her here hey hi his how i if in inform is it its just keep last leave let
    like listen look make may me meet message my need new next no not now of off oh ok okay on one open or
    order our pay play please put read remind remove reserve say see send set she should show so some speak
    start stop take talk tell text thank thanks that the their then there these they this those to today
    tomorrow tonight transfer try turn two use wait was we well were what when where which who whom whose why
    will with would write yes yesterday you your i'm i'll i've it's that's what's where's who's don't can't
    didn't we're you're they're she's he's let's only both ever doesn't isn't aren't won't good morning
    evening afternoon sorry welcome yeah yep nope hmm right although however therefore moreover though while
    since unless until whether during before despite instead perhaps maybe otherwise finally actually again
    never always every each many much more most other another same night noon day week month year
    """.split()
)
# Capitalised or not, never a name.
_LINKING = frozenset("although however therefore moreover though much unless whether despite otherwise".split())
_JOINING = frozenset({"of", "de", "da", "van", "von", "al", "bin"})


def bare(key: str) -> str:
    """A word without its possessive."""
    return key.removesuffix("'s").removesuffix("'")


def find_names(pieces: Sequence[Piece], raw: str, taken: Sequence[Span], language: str) -> list[Span]:
    """The names of a raw text in order, outside of the data that is `taken`.

    A word that opens a sentence is one only where it is capitalised elsewhere in the text too, or other capitalised
    words follow it and it is no common opener of sentences. Where all words or none are capitalised there are no
    names to be seen, but for two or three that are nothing else. In German every noun is capitalised, so that
    there are none by rule.
    """
    if base_of(language) == "de":
        return []
    text = without_annotations(raw)
    if not any(map(str.isupper, text)) or not any(map(str.islower, text)):
        return []
    used = {place for span in taken for place in range(span.first, span.last)}
    capital = [
        _is_capital(piece, raw) and place not in used and not _is_verb(pieces, place)
        for place, piece in enumerate(pieces)
    ]
    words = [place for place, piece in enumerate(pieces) if piece.kind == Kind.WORD]
    if len(words) > 3 and all(raw[pieces[place].start].isupper() for place in words):
        return []
    opening = [_opens(pieces, place, raw) for place in range(len(pieces))]
    elsewhere = {bare(piece.key) for place, piece in enumerate(pieces) if capital[place] and not opening[place]}
    spans: list[Span] = []
    place = 0
    while place < len(pieces):
        if not capital[place]:
            place += 1
            continue
        last = _run(pieces, place, capital, opening, raw)
        first = place
        place = last
        if opening[first] and bare(pieces[first].key) not in elsewhere:
            first += 1 if last - first == 1 or pieces[first].key in _OPENERS else 0
        while last > first and not capital[last - 1]:
            last -= 1
        if first < last and not _is_title_alone(pieces[first:last]):
            spans.append(Span(first, last, _kind(pieces[first:last])))
    return spans


def _is_capital(piece: Piece, raw: str) -> bool:
    # Other scripts have no capitals; a lone letter is an initial only beside a name.
    if piece.kind != Kind.WORD or not raw[piece.start].isupper() or piece.key in _NO_NAMES:
        return False
    word = raw[piece.start : piece.end]
    # A currency is read as its name; a common word in capitals is said loudly.
    loud = len(word) > 1 and word.isupper() and bare(piece.key) in _OPENERS
    return word.lower() not in _NO_NAMES and not loud and piece.key not in _LINKING


def _is_verb(pieces: Sequence[Piece], place: int) -> bool:
    """Whether a month beside a number is no date, as in `March 5 miles`; dates are taken before."""
    ambiguous = pieces[place].key in {"march", "may"} and place + 1 < len(pieces)
    return ambiguous and pieces[place + 1].number is not None


def _gap(pieces: Sequence[Piece], place: int, raw: str) -> str:
    return raw[pieces[place - 1].end : pieces[place].start] if place else ""


def _opens(pieces: Sequence[Piece], place: int, raw: str) -> bool:
    """Whether a sentence or a quotation begins at a place."""
    if not place:
        return True
    before, gap = pieces[place - 1], _gap(pieces, place, raw)
    if before.kind == Kind.QUESTION or any(sign in gap for sign in '!:"“।'):
        return True
    if "." not in gap:
        return False
    initial = len(before.key) == 1 and raw[before.start].isupper()
    return before.key not in _TITLES and not initial


def _run(pieces: Sequence[Piece], place: int, capital: Sequence[bool], opening: Sequence[bool], raw: str) -> int:
    """Where the run of capitalised words that begins at a place ends."""
    end = place + 1
    while end < len(pieces):
        gap = _gap(pieces, end, raw)
        parted = pieces[end - 1].pause and gap not in {"-", ". ", "."}
        possessive = pieces[end - 1].key != bare(pieces[end - 1].key)
        if parted or possessive or opening[end]:
            break
        joins = pieces[end].key in _JOINING and end + 1 < len(pieces) and capital[end + 1] and not pieces[end].pause
        if not capital[end] and not joins:
            break
        end += 1
    return end


def _is_title_alone(pieces: Sequence[Piece]) -> bool:
    return all(piece.key in _TITLES or len(piece.key) == 1 for piece in pieces)


def _kind(pieces: Sequence[Piece]) -> str:
    if len(pieces) == 1 and (pieces[0].key in _DAYS or month_of(pieces[0].key)):
        return "date"
    if len(pieces) > 1 and pieces[0].key in _TITLES:
        return "person"
    return "address" if len(pieces) > 1 and pieces[-1].key in _STREETS else "other"
