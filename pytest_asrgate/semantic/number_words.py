# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""The words that numbers are said with, and their values."""

from pytest_asrgate.semantic.numerals import ONES, SCALES, TENS, ordinal_words

__all__ = [
    "FRACTIONS", "NUMBER_WORDS", "ORDINALS", "PLURAL_TENS", "SCALE_VALUES", "SMALL", "TENS_VALUES",
    "UNITS_VALUES", "UNIT_NOUNS",
]  # fmt: skip

UNITS_VALUES = {word: value for value, word in enumerate(ONES[:10])}
TENS_VALUES = {word: 10 * value for value, word in enumerate(TENS) if value > 1}
# Everything below a hundred that is one word.
SMALL = {word: value for value, word in enumerate(ONES)} | TENS_VALUES
SCALE_VALUES = dict(SCALES)
ORDINALS = {ordinal_words(value)[-1]: value for value in [*range(20), *TENS_VALUES.values()]}
# `hundredth` and so on close what stands before them.
SCALE_ORDINALS = {ordinal_words(value)[-1]: value for value in [100, *SCALE_VALUES.values()]}
PLURAL_TENS = {f"{word[:-1]}ies": value for word, value in TENS_VALUES.items()}

# What a number counts; behind it both forms say the same amount.
UNIT_NOUNS = frozenset(
    "dollar dollars cent cents pound pounds euro euros penny pence second seconds minute minutes hour hours day "
    "days week weeks month months year years mile miles kilometer kilometers meter meters centimeter centimeters "
    "millimeter millimeters inch inches foot feet yard yards degree degrees percent kilogram kilograms gram grams "
    "milligram milligrams ounce ounces ton tons liter liters milliliter milliliters gallon gallons cup cups "
    "teaspoon teaspoons tablespoon tablespoons rupee rupees yen watt watts volt volts gigabyte gigabytes".split()
)

# Denominators with one, and with more.
_ONE = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
FRACTIONS = (_ONE, {("halves" if word == "half" else f"{word}s"): value for word, value in _ONE.items()})

NUMBER_WORDS = frozenset([*SMALL, "hundred", *SCALE_VALUES, *ORDINALS, *SCALE_ORDINALS, *PLURAL_TENS])
