"""Checks on single values that strangers wrote."""

import unicodedata
from collections.abc import Sequence

__all__ = [
    "LONGEST_AUDIO_S",
    "RULES",
    "UNKNOWN",
    "finite_number",
    "first_of",
    "id_problem",
    "named",
    "plural",
    "shown",
    "tag_problem",
    "without_surrogates",
]

# What stands in a contract for a term that stored hypotheses do not name; to know that is to know nothing.
UNKNOWN = "unknown"

# The name of the judge that is none: rules alone.
RULES = "rules"

# A day of 16 kHz audio is 5.5 GB as float32; nothing this gate judges is longer than a few hours.
LONGEST_AUDIO_S = 4 * 3600.0

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


def plural(count: int, noun: str, several: str = "") -> str:
    """A number with its noun: `1 word`, `2 words`; `several` is a plural that does not end with an s alone."""
    return f"{count} {noun}" if count == 1 else f"{count} {several or noun + 's'}"


# In characters; a tag names a group in a table.
_LONGEST_TAG = 100


def tag_problem(tag: str) -> str:
    """What is wrong with a tag of a manifest, or with a slice's name, in a clause; empty for a good one."""
    if not tag or tag != tag.strip():
        return "must not be empty, nor begin or end with a space"
    if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in tag):
        return "must not hold control characters"
    return f"must have at most {_LONGEST_TAG} characters" if len(tag) > _LONGEST_TAG else ""


# In characters; an id names an utterance in messages and tables.
_LONGEST_ID = 1000


def id_problem(identity: str) -> str:
    """What is wrong with the id of an utterance, in a clause; empty for one that a manifest can hold."""
    if not identity.strip():
        return "must not be empty"
    if "\0" in identity:
        return "must not hold a NUL character"
    longest = f"must have at most {_LONGEST_ID} characters; it has {len(identity)}"
    return longest if len(identity) > _LONGEST_ID else ""


_NAMED_AT_MOST = 5


def first_of(texts: Sequence[str]) -> str:
    """The first few of many texts, and how many more there are."""
    more = f" and {len(texts) - _NAMED_AT_MOST} more" if len(texts) > _NAMED_AT_MOST else ""
    return ", ".join(texts[:_NAMED_AT_MOST]) + more


def named(ids: Sequence[str]) -> str:
    """The first few of many names, quoted, and how many more there are."""
    return first_of([repr(name) for name in ids])
