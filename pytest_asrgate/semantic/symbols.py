"""Signs as words, where what is around them does not say otherwise."""

from pytest_asrgate.semantic.abbreviations import UNITS
from pytest_asrgate.semantic.money import CURRENCIES

__all__ = ["PER_UNITS", "SIGN_WORDS", "slash_word"]

SIGN_WORDS = {
    "&": "and", "@": "at", "%": "percent", "+": "plus", "=": "equals", "-": "minus", "×": "times",
    "÷": "divided by", "²": "squared", "³": "cubed", "⁴": "to the power four", "⁵": "to the power five",
    "⁶": "to the power six", "⁷": "to the power seven", "⁸": "to the power eight", "⁹": "to the power nine",
    "–": "minus", "<": "less than", ">": "more than", "≤": "at most", "≥": "at least", "‰": "per mille",
    "±": "plus or minus", "√": "square root of", "*": "times", "^": "to the power of",
}  # fmt: skip

# What stands behind `per` where that was a slash.
PER_UNITS = {
    "h": "hour", "hr": "hour", "hour": "hour", "s": "second", "sec": "second", "second": "second", "min": "minute",
    "minute": "minute", "day": "day", "week": "week", "wk": "week", "month": "month", "mo": "month", "year": "year",
    "yr": "year", "night": "night", "person": "person", "kg": "kilogram", "km": "kilometer", "l": "liter",
    "ml": "milliliter", "dl": "deciliter", "lb": "pound",
}  # fmt: skip
_MEASURES = frozenset(
    [word for forms in UNITS.values() for form in forms for word in form.split()]
    + [word for forms in CURRENCIES.values() for word in forms]
    + ["meters", "meter", "miles", "grams", "gram", "liters", "calories", "times"]
)


def slash_word(before: str, after: str) -> str:
    """`per` where a slash divides a measure (`60 km/h`, `$20/month`), else nothing: `and/or` is `and or`."""
    return "per" if before in _MEASURES and after in PER_UNITS else ""
