# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Abbreviations in full; which word one stands for can depend on what is beside it."""

__all__ = ["ABBREVIATIONS", "BEFORE_NUMBERS", "INITIALISMS", "MONTHS", "STOPPED", "TITLES", "UNITS"]

# Each with its full form and with others that are as good.
ABBREVIATIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "mr": ("mister", ()), "mrs": ("missus", ("misses",)), "dr": ("doctor", ("drive",)),
    "prof": ("professor", ()), "jr": ("junior", ()), "sr": ("senior", ()), "vs": ("versus", ()),
    "etc": ("et cetera", ()), "ave": ("avenue", ()), "blvd": ("boulevard", ()), "dept": ("department", ()),
    "govt": ("government", ()), "approx": ("approximately", ()), "messrs": ("messieurs", ()),
    "st": ("saint", ("street",)), "rd": ("road", ()), "eg": ("for example", ()), "ie": ("that is", ()),
    "hwy": ("highway", ()), "intl": ("international", ()), "assn": ("association", ()),
    "tbsp": ("tablespoon", ("tablespoons",)), "tsp": ("teaspoon", ("teaspoons",)),
    "sgt": ("sergeant", ()), "lt": ("lieutenant", ()), "pkwy": ("parkway", ()),
}  # fmt: skip

# What is an abbreviation only with a full stop behind it; without one it is a word or something else.
STOPPED: dict[str, tuple[str, tuple[str, ...]]] = {
    "mt": ("mount", ()), "ft": ("fort", ("feet",)), "capt": ("captain", ()), "gen": ("general", ()),
    "gov": ("governor", ()), "sen": ("senator", ()), "rep": ("representative", ()), "rev": ("reverend", ()),
    "hon": ("honorable", ()), "col": ("colonel", ()), "apt": ("apartment", ()), "inc": ("incorporated", ("inc",)),
    "ltd": ("limited", ()), "co": ("company", ()), "corp": ("corporation", ()), "fig": ("figure", ()),
    "est": ("established", ()), "v": ("versus", ()),
}  # fmt: skip

# Of these, what stands before a name, what before a number, and what behind a name.
TITLES = frozenset("mt ft capt gen gov sen rep rev hon col v".split())
BEFORE_NUMBERS = frozenset({"apt", "fig", "est", "tel"})

# With a full stop, or before a number.
MONTHS = {
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july",
    "aug": "august", "sept": "september", "sep": "september", "oct": "october", "nov": "november",
    "dec": "december",
}  # fmt: skip

# Letters with full stops that are no initialism.
INITIALISMS = {
    "us": "usa",
    "usa": "usa",
    "eg": "for example",
    "ie": "that is",
    "ok": "okay",
}

# Units behind a number, one and many.
UNITS = {
    "kg": ("kilogram", "kilograms"), "kgs": ("kilogram", "kilograms"), "km": ("kilometer", "kilometers"),
    "kms": ("kilometer", "kilometers"), "cm": ("centimeter", "centimeters"), "mm": ("millimeter", "millimeters"),
    "mg": ("milligram", "milligrams"), "ml": ("milliliter", "milliliters"), "lb": ("pound", "pounds"),
    "lbs": ("pound", "pounds"), "oz": ("ounce", "ounces"), "ft": ("foot", "feet"), "sq": ("square", "square"),
    "mph": ("mile per hour", "miles per hour"), "kph": ("kilometer per hour", "kilometers per hour"),
    "kmh": ("kilometer per hour", "kilometers per hour"), "hz": ("hertz", "hertz"),
    "khz": ("kilohertz", "kilohertz"), "mhz": ("megahertz", "megahertz"), "ghz": ("gigahertz", "gigahertz"),
    "kb": ("kilobyte", "kilobytes"), "mb": ("megabyte", "megabytes"), "gb": ("gigabyte", "gigabytes"),
    "tb": ("terabyte", "terabytes"), "h": ("hour", "hours"), "hr": ("hour", "hours"), "hrs": ("hour", "hours"),
    "min": ("minute", "minutes"), "mins": ("minute", "minutes"), "sec": ("second", "seconds"),
    "secs": ("second", "seconds"), "yr": ("year", "years"), "yrs": ("year", "years"),
    "kw": ("kilowatt", "kilowatts"),
    "kwh": ("kilowatt hour", "kilowatt hours"), "usd": ("dollar", "dollars"), "eur": ("euro", "euros"),
    "gbp": ("pound", "pounds"), "tbsp": ("tablespoon", "tablespoons"), "tsp": ("teaspoon", "teaspoons"),
    "bn": ("billion", "billion"), "mi": ("mile", "miles"),
}  # fmt: skip
