"""The rule for words that fill a pause: um, you know, actually; well and so at the start; like between commas."""

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import ARTICLES
from pytest_asrgate.semantic.rules_forms import is_shouted
from pytest_asrgate.semantic.words import Text

__all__ = ["HESITATIONS", "filler", "is_filler_only"]

HESITATIONS = frozenset({"um", "uh", "uhm", "umm", "uhh", "er", "erm", "ah", "hm", "hmm", "mm", "mmm", "eh"})
# No sentence opens with more fillers than so many.
_OPENING = 6
_EMPTY = frozenset({"actually", "basically"})
_AT_START = frozenset({"well", "so"})
# Behind or before these `er` is where one is treated: `the nearest er`, `er visit`.
_BEFORE_ER = ARTICLES | frozenset(
    "this that our my your nearest closest local hospital animal pediatric".split()  # noqa: SIM905 - shorter
)
_BEHIND_ER = frozenset("doctor doctors nurse nurses visit visits room bill staff".split())  # noqa: SIM905 - shorter
# Behind these `you know` says nothing, unless what is known follows.
_BEFORE_EMPTY_KNOWING = frozenset(
    "is are was were am be been just really very a an the".split()  # noqa: SIM905 - shorter
)
_KNOWN = frozenset(
    """
    what how who where when why which whether if that the a an about him her them it me us this these those any
    anyone anything of someone something my your his their our
    """.split()  # noqa: SIM905 - shorter
)
# Before these an opening `well` or `so` without a comma says nothing. Before others it may be part of what is said:
# `well water`, `so much`.
_OPENERS = frozenset(
    """
    i you he she it we they this there the a an my your his her our their please yes no what how where when who why
    let call book show tell give get make take find play send turn cancel remind
    """.split()  # noqa: SIM905 - shorter
)
# Between a word and its comma, in characters.
_BLANKS = 8
_ENDS = ",.?!"


def _comma_before(text: Text, place: int) -> bool:
    start = text.words[place].start
    return text.raw[max(0, start - _BLANKS) : start].rstrip().endswith(",")


def _comma_after(text: Text, place: int, signs: str = ",") -> bool:
    word = text.words[place]
    end = word.start + len(word.raw)
    return word.raw.endswith(tuple(signs)) or text.raw[end : end + _BLANKS].lstrip().startswith(tuple(signs))


def _hesitates(text: Text, place: int) -> bool:
    """Whether a word is a sound that fills a pause, and no name or place that is written the same way.

    Names and places are in upper case within other text (`the ER`, `UM campus`), capitalised within a sentence or
    right before a name (`Ah Fong`); `er` is a place where the words beside it say so.
    """
    words = text.words
    word = words[place]
    if word.text not in HESITATIONS or word.name:
        return False
    following = words[place + 1] if place + 1 < len(words) else None
    if word.text == "er" and (
        (place and words[place - 1].text in _BEFORE_ER) or (following is not None and following.text in _BEHIND_ER)
    ):
        return False
    letters = word.raw.strip(" .,;:!?")
    if len(letters) > 1 and letters.isupper() and not is_shouted(text.raw):
        return False
    named = letters[:1].isupper() and following is not None and following.name
    return not named or _comma_after(text, place, _ENDS)


def _near_hesitation(text: Text, first: int, last: int) -> bool:
    """Whether a hesitation stands right before or behind some words."""
    return any(_hesitates(text, place) for place in (first - 1, last + 1) if 0 <= place < len(text.words))


def _fillers(text: Text, part: tuple[int, int]) -> bool:
    """Whether every word of a range is a filler where it stands."""
    words = text.words
    place, stop = part
    while place < stop:
        if _is_filler(text, place):
            place += 1
        elif place + 1 < stop and (words[place].text, words[place + 1].text) == ("you", "know"):
            if not _you_know(text, place):
                return False
            place += 2
        else:
            return False
    return True


def _is_filler(text: Text, place: int) -> bool:
    """Whether one word is a filler where it stands."""
    word = text.words[place]
    if word.text in HESITATIONS:
        return _hesitates(text, place)
    if word.text in _EMPTY:
        # `Love Actually`, however it is written.
        return not word.name and not (place and text.words[place - 1].text == "love")
    if word.text in _AT_START:
        return _opens(text, place) and not _meant(text, place)
    return word.text == "like" and (_set_off(text, place, place) or _near_hesitation(text, place, place))


def _opens(text: Text, place: int) -> bool:
    """Whether nothing but fillers stands before a place."""
    return place < _OPENING and all(word.text in HESITATIONS | _AT_START for word in text.words[:place])


def _meant(text: Text, place: int) -> bool:
    """Whether an opening `well` or `so` may belong to the word behind it, or says all there is."""
    words = text.words
    if place + 1 >= len(words) or words[place].compound is not None:
        return True
    if _comma_after(text, place):
        return False
    following = words[place + 1]
    filling = following.text in HESITATIONS | _AT_START
    return following.name or not (following.text in _OPENERS or (filling and place + 2 < len(words)))


def _set_off(text: Text, first: int, last: int) -> bool:
    """Whether commas of the raw text, or its beginning, stand on both sides of some words."""
    return _comma_after(text, last) and (first == 0 or _comma_before(text, first))


def _you_know(text: Text, place: int) -> bool:
    """Whether a `you know` asks for nothing: commas set it off, a hesitation is beside it, or the word before.

    Behind a noun or a pronoun it may be about knowing: `people you know`.
    """
    words = text.words
    before = words[place - 1].text if place else ""
    after = words[place + 2].text if place + 2 < len(words) else ""
    at_the_end = not after and place > 0 and _comma_before(text, place)
    if _set_off(text, place, place + 1) or at_the_end or _near_hesitation(text, place, place + 1):
        return True
    return before in _BEFORE_EMPTY_KNOWING and bool(after) and after not in _KNOWN


def is_filler_only(text: Text) -> bool:
    """Whether a text has words, and all of them hesitate."""
    return bool(text.words) and all(_hesitates(text, place) for place in range(len(text.words)))


def filler(edit: Edit) -> Settled | None:
    """Same: fillers lost, gained or exchanged: um, uh, you know, actually, basically; well and so at the start.

    `like` and `you know` only where commas of the raw text set them off or a hesitation stands beside them, `you
    know` behind a form of `be` too (`it was you know fun`); `well` and `so` only before a comma, or before a word
    that a sentence begins with (`so I`, not `so much`). Nothing that is written like a name: `the ER`, `UM`,
    `Love Actually`.
    """
    if not all(_fillers(text, part) for text, part in edit.sides):
        return None
    lost, gained = quoted(edit.spoken_words), quoted(edit.heard_words)
    if edit.one_sided:
        return Settled(Label.SAME, f"The filler {lost if edit.spoken_words else gained} is lost or gained.")
    return Settled(Label.SAME, f"A filler changes, from {lost} to {gained}.")
