"""The words KEY=VALUE of a command as a table of values."""

import tomllib
from collections.abc import Callable, Sequence
from typing import Any

from pytest_asrgate.config.fields import LARGEST_WHOLE
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.jsonlines import strict_json
from pytest_asrgate.values import finite_number, shown

__all__ = ["option_table", "option_value"]


def _is_plain(value: object) -> bool:
    """Whether JSON holds such a value, too: no date, infinity, or whole number of any size."""
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, bool | str):
        return True
    if isinstance(value, int):
        return abs(value) <= LARGEST_WHOLE
    return finite_number(value) is not None


def option_value(text: str) -> object:
    """A TOML or JSON value (true, a number, a list, a quoted text, a table) where it is one, else the text."""
    readers: list[Callable[[], dict[str, Any]]] = [
        lambda: tomllib.loads(f"value = {text}"),
        lambda: {"value": strict_json(text)},
    ]
    for read in readers:
        try:
            found = read()
        except (ValueError, RecursionError):
            continue
        # A line break in the text could begin another key.
        if found.keys() == {"value"} and _is_plain(found["value"]):
            return found["value"]
    return text


def option_table(given: Sequence[str]) -> dict[str, object]:
    """The `--option` words as a table; AsrGateError for one without a name, or with the name of another."""
    table: dict[str, object] = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise AsrGateError(f"--option: must be KEY=VALUE, such as path=build/transcribe-cli; got {shown(word)}")
        if key.strip() in table:
            raise AsrGateError(f"--option: {shown(key.strip())} is given twice")
        table[key.strip()] = option_value(value)
    return table
