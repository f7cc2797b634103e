"""Rules for numbers: the same, another, or nothing that is certain; and for the unit behind a number."""

import re

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import is_plural_pair
from pytest_asrgate.semantic.number_words import SMALL, UNIT_NOUNS
from pytest_asrgate.semantic.numbers import MONTH_NAMES
from pytest_asrgate.semantic.same_numbers import parts_of, surely_equal
from pytest_asrgate.semantic.words import Number, Word

__all__ = ["number", "unit"]

# Within so many words a month tells that a number is a day.
_NEAR = 3
# Of a time or a decimal, where they are not read as its part.
_NUMBER_PARTS = frozenset({"half", "quarter", "past", "point", "dot", "oh", "minus", "negative", "dozen"})
# In other languages a point parts the thousands.
_MAYBE_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
# Of these there is half a one.
_HALVED = frozenset(
    """
    cup teaspoon tablespoon pint quart gallon liter ounce pound mile kilometer inch foot hour minute dozen million
    """.split()  # noqa: SIM905 - shorter
)
_NOT_COUNTED = {None, ("1", False), ("-1", False)}


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
    times = left.isdigit() and right.isdigit() and {len(left), len(right)} <= {3, 4}
    return times and abs(int(left) - int(right)) == 1200


def _without_century(short: str, long: str) -> bool:
    """Whether a year or a decade lacks only its century: `95` and `1995`, `90s` and `1990s`."""
    return len(short.rstrip("s")) == 2 and long in {f"19{short}", f"20{short}"}


def _plain(digits: str) -> str:
    return digits.lstrip("0") or "0"


def _parts_alike(left: list[str], right: list[str], *, century: bool) -> bool:
    """Whether parts are equal, two by two, but for zeros before them, and the century where `century` says so."""
    if len(left) != len(right):
        return False
    return all(
        _plain(one) == _plain(other) or (century and _without_century(*sorted((one, other), key=len)))
        for one, other in zip(left, right, strict=True)
    )


def _cut_up(edit: Edit, parts: tuple[list[str], list[str]]) -> bool:
    """Whether a side is in several parts, or a time or the like: what can be read in more ways than one."""
    words = (*edit.spoken_words, *edit.heard_words)
    return max(map(len, parts)) > 1 or any(
        word.number is not None and (":" in word.raw or _MAYBE_THOUSANDS.search(word.raw)) for word in words
    )


def _slashed_once(edit: Edit) -> bool:
    """Whether one side only was written with a slash: `4/5` is a date, a fraction or two numbers."""
    return any("/" in word.raw for word in edit.spoken_words) != any("/" in word.raw for word in edit.heard_words)


def _loosely_equal(edit: Edit, spoken: list[Number], heard: list[Number]) -> bool:
    """Whether numbers have the same digits but for how they are cut up, zeros, a point, and the century of a year.

    Zeros are looked at where neither side is cut up. Times that are twelve hours apart, too, since one may be of a
    clock with 24 hours.
    """
    left, right = ("".join(run.digits for run in runs).lstrip("0") for runs in (spoken, heard))
    if ("." in left) != ("." in right):
        # The zeros at the end of `3.50` are lost where it is read as a decimal, those of `three fifty` are not.
        left, right = (digits.replace(".", "").strip("0") for digits in (left, right))
    if _word_by_word(edit.spoken_words) == right or _word_by_word(edit.heard_words) == left:
        return True
    parts = _flat(spoken), _flat(heard)
    if _cut_up(edit, parts) and left.replace("0", "") == right.replace("0", ""):
        return True
    if _slashed_once(edit) and len(parts[0]) != len(parts[1]):
        return True
    if len(parts[0]) > 1 and _parts_alike(*parts, century=True):
        return True
    return left == right or _half_a_day(left, right) or _without_century(*sorted((left, right), key=len))


def _flat(runs: list[Number]) -> list[str]:
    return [part for run in runs for part in parts_of(run)]


def _equal_number(edit: Edit, spoken: list[Number], heard: list[Number]) -> Settled | None:
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    before, after = ({word.text for word in words} for words in (edit.before(1), edit.after(1)))
    if not all(surely_equal(one, other, before, after) for one, other in zip(spoken, heard, strict=True)):
        return None
    if [run.ordinal for run in spoken] == [run.ordinal for run in heard]:
        return Settled(Label.SAME, f"{both} are the same number.")
    near = {word.text for word in (*edit.before(_NEAR), *edit.after(_NEAR))}
    return Settled(Label.SAME, f"{both} are the same day of a month.") if near & MONTH_NAMES else None


def _same_date(spoken: list[Number], heard: list[Number]) -> bool:
    """Whether three parts, one of which is a year, differ in no more than zeros before them: `06/08/2004`."""
    parts = _flat(spoken), _flat(heard)
    if len(parts[0]) != 3 or not _parts_alike(*parts, century=False):
        return False
    lengths = sorted(len(_plain(part)) for part in parts[0])
    return lengths[-1] == 4 and lengths[1] <= 2


def _half(edit: Edit) -> Settled | None:
    """`one half cup` and `half a cup`."""
    texts = [[word.text for word in words] for words in (edit.spoken_words, edit.heard_words)]
    if sorted(texts) != [["half"], ["one", "half"]]:
        return None
    for text, (_, stop) in edit.sides:
        following = [word.text for word in text.words[stop : stop + 2]]
        if following[:1] in (["a"], ["an"]):
            following = following[1:]
        if not following or following[0] not in _HALVED:
            return None
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are the same amount.")


def number(edit: Edit) -> Settled | None:
    """Same: the same digits on both sides; error: other digits between words that are alike. Else open.

    Open, too, are digits that differ in how they are cut up, in a point or in zeros before them (`3.50` and `three
    fifty`), one number against several that stand beside each other (`120 ounces`, `one twenty ounce coffee`; see
    `surely_equal`), and digits beside words that may be part of a time or a decimal (`half past two` and `2:30`).
    An ordinal and a cardinal of the same digits are the same next to a month (`may fifth`, `may five`), else open.
    """
    spoken, heard = _runs(edit.spoken_words), _runs(edit.heard_words)
    if not spoken or not heard:
        return _half(edit)
    if [run.digits for run in spoken] == [run.digits for run in heard]:
        return _equal_number(edit, spoken, heard)
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    if _same_date(spoken, heard):
        return Settled(Label.SAME, f"{both} are the same date.")
    near = {word.text for word in (*edit.before(2), *edit.after(2))}
    if _loosely_equal(edit, spoken, heard) or near & _NUMBER_PARTS:
        return None
    if not (edit.alike_before and edit.alike_after):
        return None
    return Settled(Label.ERROR, f"{both} are different numbers.")


def unit(edit: Edit) -> Settled | None:
    """Same: a unit right behind a number above one, in singular and plural: `300 dollars`, `300 dollar`.

    Both numbers must have the same digits.
    """
    pair = edit.one_for_one
    if pair is None or not {word.text for word in pair} <= UNIT_NOUNS:
        return None
    if not is_plural_pair(pair[0].text, pair[1].text):
        return None
    counted = [
        None if word.number is None else (word.number.digits, word.number.ordinal) for word in edit.before(1)
    ]
    if len(counted) < len(pair) or counted[0] != counted[1] or counted[0] in _NOT_COUNTED:
        return None
    if any(word.number is not None and word.number.ordinal for word in edit.before(1)):
        return None
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are the same unit behind the same number.")
