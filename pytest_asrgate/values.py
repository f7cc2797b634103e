"""Checks on single values that strangers wrote."""

import re
from collections.abc import Sequence

__all__ = ["canonical_language", "finite_number", "named", "plural", "shown", "without_surrogates"]

# Far outside anything measured, far inside a float: a longer whole number would overflow when converted.
_LARGEST = 1e300


def finite_number(value: object) -> float | None:
    """The value as a float; None for anything that is not a finite number of ordinary size (True is no number)."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_LARGEST < value < _LARGEST:
        return None
    return float(value)


def shown(value: object) -> str:
    """A value as a message quotes it; Python refuses to print very long whole numbers, and nobody reads them."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**30:
        return "a huge number"
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def without_surrogates(text: str) -> str:
    """Replace halves of characters, which no file can hold, by the replacement character."""
    return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)


_NAMED = {"english": "en", "eng": "en"}


def canonical_language(tag: str) -> str:
    """The language that a tag such as `en_US`, `EN` or `English` stands for, as a short lower-case code."""
    first = re.split(r"[-_]", tag.strip(), maxsplit=1)[0].lower()
    return _NAMED.get(first, first)


def plural(count: int, noun: str) -> str:
    """A number with its noun: `1 word`, `2 words`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


_NAMED_AT_MOST = 5


def named(ids: Sequence[str]) -> str:
    """The first few of many names, quoted, and how many more there are."""
    more = f" and {len(ids) - _NAMED_AT_MOST} more" if len(ids) > _NAMED_AT_MOST else ""
    return ", ".join(repr(name) for name in ids[:_NAMED_AT_MOST]) + more
