# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Numerals written as they are spoken: cardinals, years, ordinals, decimals, digits one by one."""

import re
from fractions import Fraction
from functools import lru_cache

__all__ = [
    "ONES", "SCALES", "TENS", "cardinal_words", "decimal_digits", "digit_words", "numeral_words", "ordinal_words",
    "plural_words", "year_words",
]  # fmt: skip

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
SCALES = (("trillion", 10**12), ("billion", 10**9), ("million", 10**6), ("thousand", 1000))
_IRREGULAR_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
# Longer ones are read digit by digit, unless they end in three zeros.
_LONGEST_CARDINAL, _LONGEST_ROUND = 6, 15
# Two full stops are no decimal.
_DOTTED_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")


def digit_words(digits: str) -> list[str]:
    """Digits one by one; other signs are left out."""
    return [ONES[int(digit)] for digit in digits if digit.isdigit()]


@lru_cache(maxsize=4096)
def _cardinal(number: int) -> tuple[str, ...]:
    if number < 20:
        return (ONES[number],)
    if number < 100:
        ones = number % 10
        return (TENS[number // 10], ONES[ones]) if ones else (TENS[number // 10],)
    if number < 1000:
        rest = number % 100
        return (ONES[number // 100], "hundred", *(_cardinal(rest) if rest else ()))
    for name, value in SCALES:
        if number >= value:
            rest = number % value
            return (*_cardinal(number // value), name, *(_cardinal(rest) if rest else ()))
    raise AssertionError(number)


def cardinal_words(number: int) -> list[str]:
    """A whole number from 0 to below 10^15 in American words, without `and`."""
    return list(_cardinal(number))


def year_words(year: int) -> list[str]:
    """A year from 1100 to 2099 as it is spoken: nineteen ninety five, two thousand five, twenty twenty four.

    The `oh` of 1905 is written `zero`, as everywhere.
    """
    century, rest = divmod(year, 100)
    if year // 10 == 200:
        return cardinal_words(year)
    if not rest:
        return [*cardinal_words(century), "hundred"]
    if rest < 10:
        return [*cardinal_words(century), "zero", ONES[rest]]
    return [*cardinal_words(century), *cardinal_words(rest)]


def ordinal_words(number: int) -> list[str]:
    """A whole number from 0 to below 10^15 as an ordinal: twenty first."""
    *words, last = cardinal_words(number)
    if last in _IRREGULAR_ORDINALS:
        last = _IRREGULAR_ORDINALS[last]
    else:
        last = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return [*words, last]


def plural_words(digits: str) -> list[str]:
    """The plural of a decade or another number: nineteen nineties, eighties, two thousands."""
    *words, last = numeral_words(digits)
    return [*words, _plural(last)]


def _plural(word: str) -> str:
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word == "six" else f"{word}s"


def numeral_words(numeral: str, *, year: bool = True) -> list[str]:
    """Words of a numeral such as 1,250, 3.5, 007 or 2024; `year` says that four digits may be one."""
    if _DOTTED_THOUSANDS.fullmatch(numeral):
        numeral = numeral.replace(".", ",")
    if "." in numeral:
        whole, *parts = numeral.split(".")
        if whole and not _GROUPED.fullmatch(whole):
            words = numeral_words(whole, year=False)
        else:
            words = cardinal_words(_number(whole)) if len(whole) < 16 else digit_words(whole)
        for part in parts:
            # Behind the first point digits are read one by one; what has several is a version or an address.
            several = len(parts) > 1 and not part.startswith("0")
            words += ["point", *(numeral_words(part, year=False) if several else digit_words(part))]
        return words
    digits = numeral.replace(",", "")
    if len(digits) > 1 and digits[0] == "0":
        return digit_words(digits)
    if "," in numeral:
        return cardinal_words(_number(digits)) if len(digits) <= _LONGEST_ROUND else digit_words(digits)
    if len(digits) > _LONGEST_CARDINAL and not (digits.endswith("000") and len(digits) <= _LONGEST_ROUND):
        return digit_words(digits)
    number = _number(digits)
    return year_words(number) if year and len(digits) == 4 and 1100 <= number <= 2099 else cardinal_words(number)


def _number(digits: str) -> int:
    return int(digits.replace(",", "") or "0")


def decimal_digits(value: Fraction) -> str:
    """A fraction with digits behind a point where these end, as it is where they do not."""
    if value.denominator == 1:
        return str(value.numerator)
    twos = value.denominator
    while twos % 2 == 0:
        twos //= 2
    while twos % 5 == 0:
        twos //= 5
    if twos > 1:
        return f"{value.numerator}/{value.denominator}"
    places = 0
    while value.denominator > 1 and (value * 10**places).denominator > 1:
        places += 1
    digits = f"{(value * 10**places).numerator:0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}"
