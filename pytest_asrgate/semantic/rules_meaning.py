"""Rules for what always matters, or never: numbers, negations, yes and no."""

import re

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import NEGATIONS
from pytest_asrgate.semantic.number_words import SMALL
from pytest_asrgate.semantic.numbers import NUMBERED
from pytest_asrgate.semantic.words import Number, Text, Word

__all__ = ["negation", "number", "yes_no"]

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
# Of a time or a decimal, where they are not read as its part.
_NUMBER_PARTS = frozenset({"half", "quarter", "past", "point", "dot", "oh", "minus", "negative", "dozen"})
_MONTHS = frozenset(
    """
    january february march april may june july august september october november december
    """.split()  # noqa: SIM905 - shorter
)


def _runs(words: tuple[Word, ...]) -> list[Number] | None:
    """The numbers that the words say; None where one of them is no number."""
    found: dict[int, Number] = {}
    for word in words:
        if word.number is None:
            return None
        found[word.number.run] = word.number
    return list(found.values())


def _word_by_word(words: tuple[Word, ...]) -> str:
    """The digits of each word one after the other: `ninety two ten` is 90210 too; nothing for other words."""
    small = len(words) > 2 and all(word.text in SMALL for word in words)
    return "".join(str(SMALL[word.text]) for word in words) if small else ""


def _half_a_day(left: str, right: str) -> bool:
    """Whether two times with minutes are twelve hours apart: `2:30` and `14:30`."""
    digits = left.isdigit() and right.isdigit() and min(len(left), len(right)) > 2
    return digits and abs(int(left) - int(right)) == 1200


def _without_century(short: str, long: str) -> bool:
    """Whether a year or a decade lacks only its century: `95` and `1995`, `90s` and `1990s`."""
    return len(short.rstrip("s")) == 2 and long in {f"19{short}", f"20{short}"}


def _loosely_equal(edit: Edit, spoken: list[Number], heard: list[Number]) -> bool:
    """Whether numbers have the same digits but for how they are cut up, zeros before them, and a point.

    Times that are twelve hours apart, too, since one may be of a clock with 24 hours, and years without a century.
    """
    left, right = ("".join(run.digits for run in runs).lstrip("0") for runs in (spoken, heard))
    if ("." in left) != ("." in right):
        # The zeros at the end of `3.50` are lost where it is read as a decimal, those of `three fifty` are not.
        left, right = (digits.replace(".", "").strip("0") for digits in (left, right))
    if _word_by_word(edit.spoken_words) == right or _word_by_word(edit.heard_words) == left:
        return True
    return left == right or _half_a_day(left, right) or _without_century(*sorted((left, right), key=len))


def _may_be_two(edit: Edit, digits: str) -> bool:
    """Whether two digits that are read one by one may be two numbers: `take one two times` and `take 12 times`."""
    return len(digits) == 2 and digits.isdigit() and not any(word.text in NUMBERED for word in edit.before(1))


def _equal_number(edit: Edit, spoken: list[Number], heard: list[Number]) -> Settled | None:
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    if [run.ordinal for run in spoken] == [run.ordinal for run in heard]:
        if any(_may_be_two(edit, run.digits) for run in spoken):
            return None
        return Settled(Label.SAME, f"{both} are the same number.")
    near = {word.text for word in (*edit.before(_NEAR), *edit.after(_NEAR))}
    return Settled(Label.SAME, f"{both} are the same day of a month.") if near & _MONTHS else None


def number(edit: Edit) -> Settled | None:
    """Same: the same digits on both sides; error: other digits between words that are alike. Else open.

    Open, too, are digits that differ in how they are cut up, in a point or in zeros before them (`3.50` and `three
    fifty`), two digits read one by one, unless behind a word such as `room`, and digits beside words that may be
    part of a time or a decimal (`half past two` and `2:30`, `2 pm` and `14:00`).
    An ordinal and a cardinal of the same digits are the same next to a month (`may fifth`, `may five`), else open.
    """
    spoken, heard = _runs(edit.spoken_words), _runs(edit.heard_words)
    if not spoken or not heard:
        return None
    if [run.digits for run in spoken] == [run.digits for run in heard]:
        return _equal_number(edit, spoken, heard)
    near = {word.text for word in (*edit.before(2), *edit.after(2))}
    if _loosely_equal(edit, spoken, heard) or near & _NUMBER_PARTS:
        return None
    if not (edit.alike_before and edit.alike_after):
        return None
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.ERROR, f"{both} are different numbers.")


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
