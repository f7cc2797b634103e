"""Single numbers said in words: `two thousand five`, `twenty fifth`, `one hundred and five`."""

from typing import NamedTuple

from pytest_asrgate.semantic.drafts import Draft
from pytest_asrgate.semantic.number_words import (
    ORDINALS,
    SCALE_ORDINALS,
    SCALE_VALUES,
    SMALL,
    TENS_VALUES,
    UNITS_VALUES,
)

__all__ = ["Group", "GroupReader"]

# What is part of a number only where it was written or said with it.
_PARTS = SMALL.keys() | ORDINALS.keys()


class Group(NamedTuple):
    """One number and the place behind it; `small` says that neither `hundred` nor anything above was said."""

    value: int
    end: int
    ordinal: bool = False
    small: bool = True


class GroupReader:
    """Reads single numbers in a text; `dropped` are the places of each `and` that belongs to one."""

    def __init__(self, drafts: list[Draft]) -> None:
        self.drafts = drafts
        self.texts = [draft.text for draft in drafts]
        self.dropped: list[int] = []

    def text_at(self, place: int, first: int) -> str:
        """The word at a place, nothing where a pause parts it from the one before; at `first` none does."""
        if place >= len(self.texts) or (place > first and self.drafts[place - 1].after):
            return ""
        if place > first and self.texts[place] in _PARTS and self.piece(place) != self.piece(place - 1):
            # `20 5` is not twenty five.
            return ""
        return self.texts[place]

    def piece(self, place: int) -> tuple[int, int] | None:
        """What is equal for the words of one written numeral, None for other words."""
        draft = self.drafts[place]
        return (draft.start, draft.numeral) if draft.numeral else None

    def below_hundred(self, place: int, first: int) -> Group | None:
        """A number below a hundred, or an ordinal: `five`, `twelve`, `twenty five`, `twenty fifth`."""
        text = self.text_at(place, first)
        if text in TENS_VALUES:
            after = self.text_at(place + 1, first)
            if UNITS_VALUES.get(after):
                return Group(TENS_VALUES[text] + UNITS_VALUES[after], place + 2)
            if 0 < ORDINALS.get(after, 0) < 10:
                return Group(TENS_VALUES[text] + ORDINALS[after], place + 2, True)
        if text in SMALL:
            return Group(SMALL[text], place + 1)
        return Group(ORDINALS[text], place + 1, True) if text in ORDINALS else None

    def _below_thousand(self, place: int, first: int) -> Group | None:
        """The same with hundreds, of which there may be up to 99: `nineteen hundred`."""
        below = Group(1, place) if self.text_at(place, first) == "hundred" else self.below_hundred(place, first)
        if below is None or below.ordinal or not below.value:
            return below
        hundred = self.text_at(below.end, first)
        if hundred == "hundredth":
            return Group(below.value * 100, below.end + 1, True, False)
        if hundred != "hundred":
            return below
        value, end = below.value * 100, below.end + 1
        joined = self.text_at(end, first) == "and"
        rest = self.below_hundred(end + joined, first)
        if rest is None or not rest.value or self.text_at(rest.end, first) == "hundred":
            return Group(value, end, False, False)
        if joined and not self._may_drop(first, end):
            return Group(value, end, False, False)
        if joined:
            self.dropped.append(end)
        return Group(value + rest.value, rest.end, rest.ordinal, False)

    def _may_drop(self, first: int, place: int) -> bool:
        """Whether an `and` can belong to the number: not in `between one hundred and five hundred`, `100 and 5`."""
        if place + 1 < len(self.texts) and self.piece(place + 1) not in {None, self.piece(place - 1)}:
            return False
        return first == 0 or self.texts[first - 1] != "between"

    def group(self, place: int, first: int) -> Group | None:
        """One cardinal or ordinal of any size, None where there is none."""
        total, scale, end = 0, 0, place
        while (start := self._start(end, first, scale)) is not None:
            kept = len(self.dropped)
            below = self._below_thousand(start, first)
            if below is None and not scale and self.text_at(start, first) in SCALE_VALUES:
                below = Group(1, start)
            if below is None:
                break
            said = self.text_at(below.end, first)
            higher = SCALE_VALUES.get(said) or SCALE_ORDINALS.get(said, 0)
            # A scale must be below the one before, and zero is no part of a larger number.
            if (scale and (higher >= scale or not below.value)) or (below.ordinal and higher):
                del self.dropped[kept:]
                return (
                    Group(below.value, below.end, True, below.small)
                    if not scale
                    else Group(total, end, False, False)
                )
            if start > end:
                self.dropped.append(end)
            if not higher:
                return Group(total + below.value, below.end, below.ordinal, below.small and not scale)
            total, end, scale = total + below.value * higher, below.end + 1, higher
            if said in SCALE_ORDINALS:
                return Group(total, end, True, False)
        return Group(total, end, False, False) if end > place else None

    def _start(self, end: int, first: int, scale: int) -> int | None:
        """Where the next part begins: behind the `and` that may stand there; None where the number is over."""
        if not scale or self.text_at(end, first) != "and":
            return end
        return end + 1 if self._may_drop(first, end) else None
