"""Rules for what always matters, or never: negations, yes and no."""

import re

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import NEGATIONS
from pytest_asrgate.semantic.words import Text, Word

__all__ = ["negation", "yes_no"]

_AUXILIARIES = frozenset(
    """
    do does did am is are was were be been have has had will would shall should can could may might must to
    """.split()  # noqa: SIM905 - shorter
)
_YES = frozenset({"yes", "yeah", "yep", "yup"})
_NO = frozenset({"no", "nope", "nah"})
# Within so many words, a second negation leaves it open what the loss of one means.
_NEAR = 3
# Behind `not` these do not lose what it denies: `not only he`, `cannot but agree`.
_NOT_DENIED = frozenset({"only", "but", "just", "merely"})
_SUBJECTS = frozenset({"i", "you", "he", "she", "it", "we", "they", "this", "that", "these", "those", "there"})
# What sounds like a negation, or is one in dialect, and no other word that was said for it.
_LIKE_NEGATIONS = frozenset(
    """
    know knot nought naught naughty nay nun adnt didn doan doant dunt dint couldn wouldn shouldn isn wasn hadn hain
    """.split()  # noqa: SIM905 - shorter
)
_CONTRACTED = re.compile(r"n['’‘\u02bc`]t\b", re.IGNORECASE)


def yes_no(edit: Edit) -> Settled | None:
    """Error: yes for no, or no for yes."""
    pair = edit.one_for_one
    if pair is None:
        return None
    left, right = pair[0].text, pair[1].text
    if (left in _YES and right in _NO) or (left in _NO and right in _YES):
        return Settled(Label.ERROR, f"{quoted(edit.spoken_words)} became {quoted(edit.heard_words)}.")
    return None


def _negations(words: tuple[Word, ...]) -> int:
    return sum(word.text in NEGATIONS for word in words)


def _alone(text: Text, part: tuple[int, int]) -> bool:
    """Whether no other negation stands near, which may double it or repeat it."""
    start, stop = part
    near = (*text.words[max(0, start - _NEAR) : start], *text.words[stop : stop + _NEAR])
    return not _negations(near)


def _asks(text: Text, part: tuple[int, int]) -> bool:
    """Whether a negation stands where a question is asked with one: `isn't it`, `why don't you`."""
    start, stop = part
    words = text.words[max(0, start - 1) : stop]
    auxiliary = any(word.text in _AUXILIARIES for word in words)
    return auxiliary and stop < len(text.words) and text.words[stop].text in _SUBJECTS


def _answers(text: Text, part: tuple[int, int]) -> bool:
    """Whether a `no` may be an answer or a sigh, as at the start of a text and in `oh no`."""
    start, stop = part
    alone = stop == start + 1 and text.words[start].text == "no"
    return alone and (start == 0 or text.words[start - 1].text in {"oh", "ah", "well"})


def _denies(edit: Edit) -> bool:
    """Whether the one negation of an edit denies something, for all that its text shows."""
    if _negations(edit.reference.words) == _negations(edit.hypothesis.words):
        return False  # it only stands elsewhere
    for text, (start, stop) in edit.sides:
        words = text.words[start:stop]
        if any(word.text not in NEGATIONS and _seems_negative(word) for word in words):
            return False
        following = text.words[stop].text if stop < len(text.words) else ""
        if _negations(words) and (following in _NOT_DENIED or _asks(text, (start, stop))):
            return False
    one_sided = edit.one_sided
    return one_sided is None or not _answers(*one_sided)


def _seems_negative(word: Word) -> bool:
    """Whether a word sounds like a negation, or is one in dialect; an auxiliary before `not` is none."""
    contracted = bool(_CONTRACTED.search(word.raw)) and word.text not in _AUXILIARIES
    return word.text in _LIKE_NEGATIONS or contracted


def negation(edit: Edit) -> Settled | None:
    """Error: a negation is lost or gained, by count, in an edit of nothing else but auxiliaries and one other word.

    Open where another negation stands within 3 words, since the two may be one, beside other edits, and where the
    negation may say nothing: it stands elsewhere in the other text, in a question (`isn't it`), before `only`, is a
    `no` that opens a text, or was said in dialect or for a word that sounds like it (`know`).
    """
    spoken, heard = _negations(edit.spoken_words), _negations(edit.heard_words)
    if spoken == heard or spoken + heard != 1:
        return None
    others = [
        [word for word in words if word.text not in _AUXILIARIES | NEGATIONS]
        for words in (edit.spoken_words, edit.heard_words)
    ]
    if {word.text for word in (*edit.spoken_words, *edit.heard_words)} == {"no", "number"}:
        return None  # both are read from `No.`
    # `not good` for `bad` may well say the same; `now` for `not` does not.
    negated, plain = others if spoken else reversed(others)
    if negated or len(plain) > 1 or not all(_alone(text, part) for text, part in edit.sides):
        return None
    if not _denies(edit):
        return None
    lost = "lost" if spoken else "gained"
    both = f"from {quoted(edit.spoken_words)} to {quoted(edit.heard_words)}"
    return Settled(Label.ERROR, f"A negation is {lost}, {both}.")
