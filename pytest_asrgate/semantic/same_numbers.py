"""Whether two writings of the same digits are surely one number, and not several that stand beside each other.

`two 10 mg tablets` and `210 mg tablets` have the same digits; so have `room two ten` and `room 210`. Only what
stands around them, or how many digits there are, tells the one from the other. Where nothing does it is left open.
"""

from collections.abc import Set as AbstractSet

from pytest_asrgate.semantic.number_words import UNIT_NOUNS
from pytest_asrgate.semantic.numbers import NUMBERED
from pytest_asrgate.semantic.words import Number

__all__ = ["is_year", "parts_of", "surely_equal"]

# Nobody counts so many things, each below ten, one after the other; nor says so many digits in one breath.
_SINGLES, _LONG = 5, 7
_HALVES_OF_DAY = frozenset({"am", "pm"})


def parts_of(number: Number) -> tuple[str, ...]:
    """The digits of what was written or said apart, a year in two halves behind other parts as one."""
    parts = number.parts or (number.digits,)
    if len(parts) > 2 and len(parts[-1]) == len(parts[-2]) == 2 and is_year(parts[-2] + parts[-1]):
        return (*parts[:-2], parts[-2] + parts[-1])
    return parts


def is_year(digits: str) -> bool:
    """Whether digits may be a year that is said in two halves."""
    return len(digits) == 4 and digits.isdigit() and 1100 <= int(digits) <= 2099


def surely_equal(left: Number, right: Number, before: AbstractSet[str], after: AbstractSet[str]) -> bool:
    """Whether two numbers of the same digits are the same; `before` and `after` are the words around them.

    They are where both are cut alike or not at all. One number against several parts is the same only behind a word
    such as `room`, as a time or a year, or with many digits; parts that were written with blanks between them
    never are, but for five single digits and more.
    """
    if left.digits != right.digits:
        return False
    (fewer, single), (parts, several) = sorted(
        ((parts_of(number), number) for number in (left, right)), key=lambda row: len(row[0])
    )
    if fewer == parts or len(parts) == 1:
        return True
    singles = all(len(part) == 1 for part in parts)
    if several.written or (singles and len(parts) >= _SINGLES):
        return singles and len(parts) >= _SINGLES
    if len(left.digits) >= _LONG or not before.isdisjoint(NUMBERED):
        return True
    if len(fewer) > 1:
        return False
    # `007` can only be read digit by digit.
    by_digits = singles and fewer[0].startswith("0")
    year = is_year(fewer[0]) and len(parts[0]) == 2 and (before | after).isdisjoint(UNIT_NOUNS)
    return by_digits or year or single.clock or not after.isdisjoint(_HALVES_OF_DAY)
