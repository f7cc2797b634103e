# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Runs of number words, and what each says: the same digits however the number is said.

The words are grouped as they are spoken: `two thousand five` is one group, `twenty twenty four` are two, `five
five five` three. Groups below a hundred stand beside each other as in years, telephone numbers and times, so their
digits are chained; a group with `hundred` or above is a number of its own. `and` inside a number is dropped, `oh`
between digits is `zero`, `a hundred` is `one hundred`. A comma or the end of a sentence ends a run, except a comma
between digits that are read one by one (`five five five, one two three four`). Numerals that were written apart
are never one group: `20 5` is 20 and 5, and each number keeps the parts that it was chained from. A day behind a
month is no part of the year that follows.

The word `one` alone is a number only before a noun of a short list (`one ticket`) or behind a word such as
`number`: elsewhere it is a pronoun or an article (`the one that`, `one day`). A single `first` is one behind `the`
or the like, not in `at first`; `second` is none where it is a time. Digits are numbers wherever they stand.
"""

from fractions import Fraction

from pytest_asrgate.semantic.abbreviations import MONTHS
from pytest_asrgate.semantic.drafts import Draft
from pytest_asrgate.semantic.number_groups import Group, GroupReader
from pytest_asrgate.semantic.number_words import (
    FRACTIONS,
    NUMBER_WORDS,
    PLURAL_TENS,
    SCALE_ORDINALS,
    SCALE_VALUES,
    SMALL,
    UNITS_VALUES,
)
from pytest_asrgate.semantic.numerals import decimal_digits
from pytest_asrgate.semantic.tokens import Pause
from pytest_asrgate.semantic.words import Number

__all__ = ["MONTH_NAMES", "NUMBERED", "mark_numbers"]

_REPEATS = {"double": 2, "triple": 3}
# Before these `one` counts something; `one day`, `one side`, `one thing` are ways to tell a story.
_COUNTED = frozenset(
    "dollar euro pound cent percent hour minute mile kilometer meter foot inch degree kilogram gram ounce liter "
    "gallon cup teaspoon tablespoon week month year ticket tickets person people adult child passenger guest room "
    "table bedroom bed seat bag box bottle pack pair copy item piece slice pill tablet dose stop bus train car "
    "order account payment appointment reservation pizza coffee beer times quarter half third".split()
)
# What is numbered stands before it.
NUMBERED = frozenset(
    "number chapter page room gate platform option step line flight channel route highway unit apartment level "
    "phase version part season episode volume terminal track lane exit floor zone grade class extension plus "
    "minus".split()
)
_NOT_BEFORE_ONE = frozenset(
    "the this that these those which no any every some each another other only my your his her its our".split()
)
# Before an ordinal that means a place in an order: `the first`, not `first I will`.
_BEFORE_FIRST = frozenset(
    "the my your his her its our their this every each january february march april may june july august september "
    "october november december".split()
)
MONTH_NAMES = frozenset([*MONTHS.values(), "may"])
# Behind these `a` is not `one`: half a million.
_ARTICLE_AFTER = frozenset({"half", "quarter", "many", "such", "what"})
# Between the numbers of a list.
_LISTING = frozenset({"and", "or", "to"})
_ZEROS = frozenset({"oh", "o"})
_SUBTRACTED = frozenset({"minus", "negative"})


def mark_numbers(drafts: list[Draft]) -> list[Draft]:
    """The words with each run of number words marked, without the `and` inside numbers."""
    if not any(draft.text in NUMBER_WORDS for draft in drafts):
        return drafts
    _write_zeros_and_ones(drafts)
    reader = _Reader(drafts)
    reader.read()
    dropped = set(reader.dropped)
    return [draft for place, draft in enumerate(drafts) if place not in dropped] if dropped else drafts


def _write_zeros_and_ones(drafts: list[Draft]) -> None:
    for place, draft in enumerate(drafts):
        before = drafts[place - 1] if place else None
        if draft.text in _ZEROS and place > 1 and all(map(_is_single, drafts[place - 2 : place])):
            # Behind digits that are read one by one it is one of them, also the last.
            draft.text = "zero"
        if draft.after or place + 1 == len(drafts):
            continue
        after = drafts[place + 1]
        if draft.text == "a" and (after.text == "hundred" or after.text in SCALE_VALUES):
            draft.text = "a" if before is not None and before.text in _ARTICLE_AFTER else "one"
        elif draft.text in _ZEROS and before is not None and not before.after and before.text in SMALL:
            draft.text = "zero" if after.text in SMALL or after.text in _ZEROS else draft.text


def _is_single(draft: Draft) -> bool:
    """Whether a word is one digit and no pause follows."""
    return draft.text in UNITS_VALUES and not draft.after


class _Reader(GroupReader):
    """Reads the runs of one text, from left to right; each method takes a place and returns where it stopped."""

    def __init__(self, drafts: list[Draft]) -> None:
        super().__init__(drafts)
        self.runs = 0

    def read(self) -> None:
        place = 0
        while place < len(self.texts):
            text = self.texts[place]
            if text in NUMBER_WORDS or text in _REPEATS:
                place = max(self._run(place), place + 1)
            else:
                place += 1

    def _run(self, place: int) -> int:
        """Mark the run that begins here, and return where it ends."""
        first = place
        text = self.texts[place]
        if text in PLURAL_TENS:
            return self._mark(first, place + 1, f"{PLURAL_TENS[text]}s")
        if text in SCALE_ORDINALS:
            return self._mark(first, place + 1, str(SCALE_ORDINALS[text]), ordinal=True)
        chained = self._chain(place)
        if chained is None:
            return place + 1
        parts, end, ordinal, plain = chained
        digits = "".join(parts)
        if ordinal:
            return self._ordinal(first, end, digits)
        if plain and self.text_at(end, first) in PLURAL_TENS:
            return self._mark(first, end + 1, f"{digits}{PLURAL_TENS[self.text_at(end, first)]}s")
        end, said = self._behind(first, end, digits)
        return self._mark(first, end, said, parts=parts if said == digits else ())

    def _chain(self, place: int) -> tuple[tuple[str, ...], int, bool, bool] | None:
        """Digits of groups that stand beside each other, the end, whether an ordinal, whether all are small."""
        parts: list[str] = []
        begin, singles = place, 0
        while True:
            first = place
            text = self.texts[place] if place < len(self.texts) else ""
            repeated = self._repeated(place)
            if repeated:
                parts += repeated
                singles += len(repeated)
                place += 2
            elif (
                UNITS_VALUES.get(text)
                and self.text_at(place + 1, first) == "hundred"
                and self._singles(place + 2) > 5
            ):
                # `eight hundred` before digits read one by one begins their telephone number.
                parts.append(f"{UNITS_VALUES[text]}00")
                singles, place = 3, place + 2
            else:
                kept = len(self.dropped)
                group = self.group(place, first) if text else None
                if group is None:
                    break
                if group.ordinal or not group.small:
                    if not parts:
                        return (str(group.value),), group.end, group.ordinal, False
                    del self.dropped[kept:]
                    break
                if parts and self.piece(first) is not None and self.piece(first) == self.piece(first - 1):
                    parts[-1] += str(group.value)
                else:
                    parts.append(str(group.value))
                singles = singles + 1 if group.end == place + 1 and group.value < 10 else 0
                place = group.end
            if place >= len(self.texts):
                break
            pause = self.drafts[place - 1].after
            if pause and not (pause == Pause.SHORT and singles >= 2 and self._singles(place) >= 2):
                break
            if len(parts) == 1 and begin and self._is_day(begin, place):
                break
        return (tuple(parts), place, False, True) if parts else None

    def _is_day(self, place: int, end: int) -> bool:
        """Whether a number is the day behind a month, and what follows it is the year: `march 21 2023`."""
        if self.texts[place - 1] not in MONTH_NAMES:
            return False
        if self.piece(place) != self.piece(end):
            return True
        century = self.texts[end] in {"nineteen", "twenty"}
        following = self.below_hundred(end + 1, end) if century else None
        return (
            following is not None
            and not following.ordinal
            and self.below_hundred(end, end) == Group(SMALL[self.texts[end]], end + 1)
        )

    def _repeated(self, place: int) -> str:
        """`double five` beside another number word, else nothing."""
        if place + 1 >= len(self.texts) or self.texts[place] not in _REPEATS or self.drafts[place].after:
            return ""
        digit = UNITS_VALUES.get(self.texts[place + 1])
        beside = (place and self.texts[place - 1] in SMALL) or (
            place + 2 < len(self.texts) and self.texts[place + 2] in SMALL and not self.drafts[place + 1].after
        )
        return str(digit) * _REPEATS[self.texts[place]] if digit is not None and beside else ""

    def _singles(self, place: int) -> int:
        """How many single digits stand from here without a pause."""
        end = place
        while end < len(self.texts) and self.texts[end] in UNITS_VALUES:
            end += 1
            if self.drafts[end - 1].after:
                break
        return end - place

    def _behind(self, first: int, end: int, digits: str) -> tuple[int, str]:
        """End and digits with what can stand behind a number: a decimal part, a scale, a fraction."""
        pointed = False
        while self.text_at(end, first) == "point" and (tail := self._tail(end + 1, first)):
            if pointed and "." not in digits:
                break
            digits, end, pointed = f"{digits}.{tail[0]}", tail[1], True
        if pointed and digits.count(".") == 1:
            scale = SCALE_VALUES.get(self.text_at(end, first), 0)
            return end + bool(scale), decimal_digits(Fraction(digits) * (scale or 1)) if len(
                digits
            ) < 40 else digits
        if pointed or len(digits) > 40:
            return end, digits
        text = self.text_at(end, first)
        value = FRACTIONS[digits != "1"].get(text)
        if value and len(digits) < 3:
            return end + 1, decimal_digits(Fraction(int(digits), value))
        if text == "and":
            part, stop = self._fraction(end + 1, first)
            if part:
                scale = SCALE_VALUES.get(self.text_at(stop, first), 0)
                return stop + bool(scale), decimal_digits((int(digits) + part) * (scale or 1))
        if self.texts[first] in SCALE_VALUES and self.texts[max(first - 2, 0) : first] == ["half", "a"]:
            return end, decimal_digits(Fraction(int(digits), 2))
        return end, digits

    def _tail(self, place: int, first: int) -> tuple[str, int] | None:
        """Digits behind a point."""
        parts: list[str] = []
        while self.text_at(place, first) in SMALL:
            below = self.below_hundred(place, first)
            if below is None or below.ordinal:
                break
            parts.append(str(below.value))
            place = below.end
        return ("".join(parts), place) if parts else None

    def _fraction(self, place: int, first: int) -> tuple[Fraction | None, int]:
        """`a half`, `one half`, `three quarters` behind `and`."""
        text, after = self.text_at(place, first), self.text_at(place + 1, first)
        count = 1 if text in {"a", "one"} else UNITS_VALUES.get(text, 0)
        value = FRACTIONS[count != 1].get(after) if count else None
        if value is None or (text == "a" and after not in {"half", "quarter", "third"}):
            return None, place
        return Fraction(count, value), place + 2

    def _ordinal(self, first: int, end: int, digits: str) -> int:
        text = self.texts[first]
        before = self.texts[first - 1] if first else ""
        if end == first + 1 and not self.drafts[first].numeral:
            if text == "second" and (
                before in {"a", "per", "every", "each", "split"} or self._number_before(first)
            ):
                return end
            if text == "first" and before not in _BEFORE_FIRST and len(self.texts) > 1:
                return end
        return self._mark(first, end, digits, ordinal=True)

    def _number_before(self, first: int) -> bool:
        return bool(first) and (self.drafts[first - 1].number is not None or self.texts[first - 1] == "one")

    def _mark(
        self, first: int, end: int, digits: str, *, ordinal: bool = False, parts: tuple[str, ...] = ()
    ) -> int:
        if end == first + 1 and self.texts[first] == "one" and not self._counts(first):
            return end
        # Not a subtraction: that has a number before it.
        negative = first and self.texts[first - 1] in _SUBTRACTED and not self.drafts[first - 1].after
        if negative and (first < 2 or self.drafts[first - 2].number is None or self.drafts[first - 2].after):
            first, digits = first - 1, f"-{digits}"
            parts = (f"-{parts[0]}", *parts[1:]) if parts else ()
        run = self.drafts[first:end]
        number = Number(
            self.runs,
            digits,
            ordinal,
            parts or (digits,),
            written=any(draft.numeral for draft in run),
            clock=any(draft.numeral and ":" in draft.raw for draft in run),
        )
        self.runs += 1
        for draft in run:
            draft.number = number
        return end

    def _counts(self, place: int) -> bool:
        """Whether `one` alone is a number here."""
        before = self.texts[place - 1] if place else ""
        if self.drafts[place].numeral or before in NUMBERED or len(self.texts) == 1 or self._listed(place):
            return True
        after = self.text_at(place + 1, place)
        booked = after == "night" and before == "for"
        return (booked or after in _COUNTED) and before not in _NOT_BEFORE_ONE

    def _listed(self, place: int) -> bool:
        """Whether another number is beside this one, as in `one, two` and `one or two`."""
        for step in (-1, 1):
            other = place + step
            if 0 <= other < len(self.texts) and self.texts[other] in _LISTING:
                other += step
            if 0 <= other < len(self.texts) and self.texts[other] in SMALL:
                return True
        return False
