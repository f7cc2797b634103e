"""Rules for what always matters, or never: numbers, negations, yes and no."""

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import NEGATIONS
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


def _loosely_equal(spoken: list[Number], heard: list[Number]) -> bool:
    """Whether numbers have the same digits but for how they are cut up, zeros before them, and a point."""
    left, right = ("".join(run.digits for run in runs).lstrip("0") for runs in (spoken, heard))
    if ("." in left) != ("." in right):
        # The zeros at the end of `3.50` are lost where it is read as a decimal, those of `three fifty` are not.
        left, right = (digits.replace(".", "").strip("0") for digits in (left, right))
    return left == right


def number(edit: Edit) -> Settled | None:
    """Same: the same digits on both sides; error: other digits. Lost, gained, or against another word: open.

    Open, too, are digits that differ in how they are cut up, in a point or in zeros before them (`3.50` and `three
    fifty`), and those beside words that may be part of a time or a decimal (`half past two` and `2:30`).
    An ordinal and a cardinal of the same digits are the same next to a month (`may fifth`, `may five`), else open.
    """
    spoken, heard = _runs(edit.spoken_words), _runs(edit.heard_words)
    if not spoken or not heard:
        return None
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    if [run.digits for run in spoken] == [run.digits for run in heard]:
        if [run.ordinal for run in spoken] == [run.ordinal for run in heard]:
            return Settled(Label.SAME, f"{both} are the same number.")
        near = {word.text for word in (*edit.before(_NEAR), *edit.after(_NEAR))}
        return Settled(Label.SAME, f"{both} are the same day of a month.") if near & _MONTHS else None
    near = {word.text for word in (*edit.before(2), *edit.after(2))}
    if _loosely_equal(spoken, heard) or near & _NUMBER_PARTS:
        return None
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


def negation(edit: Edit) -> Settled | None:
    """Error: a negation is lost or gained, by count, in an edit of nothing else but auxiliaries and one other word.

    Open where another negation stands within 3 words, since the two may be one, and beside other edits.
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
    lost = "lost" if spoken else "gained"
    both = f"from {quoted(edit.spoken_words)} to {quoted(edit.heard_words)}"
    return Settled(Label.ERROR, f"A negation is {lost}, {both}.")
