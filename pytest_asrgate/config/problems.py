"""Turns what pydantic found wrong into one sentence a problem, with the nearest right word."""

import difflib
import typing
from collections.abc import Callable, Iterable, Mapping
from itertools import count

from pydantic import BaseModel, ValidationError

from pytest_asrgate.records import Problem
from pytest_asrgate.values import shown

__all__ = ["dotted", "first_hints", "from_validation", "nearest"]

# So many names are searched for the nearest one, and so many listed where none is near: a gate may have thousands.
_SEARCHED = 500
_LISTED = 40
# After so many problems nobody reads what the nearest right word of another one is.
_HINTED = 50
# In characters of one part of a key.
_LONGEST_PART = 200


def nearest(word: str, words: Iterable[str]) -> str:
    """Return ` did you mean …?`, or the list of right words where none is near, or nothing for no words."""
    known = list(words)
    close = difflib.get_close_matches(word, known[:_SEARCHED], n=1, cutoff=0.6)
    if close:
        return f"; did you mean {shown(close[0])}?"
    names = [_part(name) for name in known[:_LISTED]]
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return f"; known here: {', '.join(names)}{more}" if known else ""


def first_hints() -> Callable[[str, Iterable[str]], str]:
    """As `nearest` for the first problems of a kind, and nothing for later ones: each search takes time."""
    calls = count()
    return lambda word, words: nearest(word, words) if next(calls) < _HINTED else ""


def _part(name: object) -> str:
    """One name as a message has it: on one line, of a bearable length, and without control characters."""
    text = str(name)
    if len(text) > _LONGEST_PART:
        text = f"{text[: _LONGEST_PART - 3]}..."
    return text if text.isprintable() else repr(text)


def dotted(parts: Iterable[object]) -> str:
    """Join a key path as it would be written in the file; odd and very long keys are quoted and cut."""
    return ".".join(_part(part) for part in parts if part != "[key]") or "gate file"


def _table_at(model: type[BaseModel], path: Iterable[object]) -> type[BaseModel] | None:
    """The table that a key path leads to, through fields and named tables."""
    here: object = model
    for part in path:
        if isinstance(here, type) and issubclass(here, BaseModel):
            field = here.model_fields.get(str(part))
            here = field.annotation if field else None
        elif typing.get_origin(here) is dict:
            here = typing.get_args(here)[1]
        else:
            return None
    return here if isinstance(here, type) and issubclass(here, BaseModel) else None


def _sentence(
    model: type[BaseModel], error: Mapping[str, typing.Any], hint: Callable[[str, Iterable[str]], str]
) -> str:
    path, kind, got = error["loc"], error["type"], error["input"]
    if kind == "extra_forbidden":
        table = _table_at(model, path[:-1])
        return "unknown key" + hint(str(path[-1]), table.model_fields if table else ())
    if kind == "missing":
        return "must be given"
    if kind == "literal_error":
        expected = str(error["ctx"]["expected"])
        words = [word.strip(" '") for word in expected.replace(" or ", ", ").split(",")]
        found = hint(got, words) if isinstance(got, str) else ""
        tail = found if "did you mean" in found else ""
        return f"must be one of {expected}; got {shown(got)}{tail}"
    if kind in {"model_type", "model_attributes_type", "dict_type"}:
        return f"must be a table; got {shown(got)}"
    if kind == "list_type":
        return f"must be a list; got {shown(got)}"
    return str(error["msg"]).removeprefix("Value error, ")


def from_validation(model: type[BaseModel], error: ValidationError) -> list[Problem]:
    """One problem for each thing that pydantic refused."""
    hint = first_hints()
    return [Problem(dotted(item["loc"]), _sentence(model, item, hint)) for item in error.errors()]
