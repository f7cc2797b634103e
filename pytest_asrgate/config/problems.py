"""Turns what pydantic found wrong into one sentence a problem, with the nearest right word."""

import difflib
import typing
from collections.abc import Iterable, Mapping

from pydantic import BaseModel, ValidationError

from pytest_asrgate.records import Problem
from pytest_asrgate.values import shown

__all__ = ["dotted", "from_validation", "nearest"]


def nearest(word: str, words: Iterable[str]) -> str:
    """Return ` did you mean …?`, or the list of right words where none is near, or nothing for no words."""
    known = list(words)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; known here: {', '.join(known)}" if known else ""


def dotted(parts: Iterable[object]) -> str:
    """Join a key path as it would be written in the file."""
    return ".".join(str(part) for part in parts if part != "[key]") or "gate file"


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


def _sentence(model: type[BaseModel], error: Mapping[str, typing.Any]) -> str:
    path, kind, got = error["loc"], error["type"], error["input"]
    if kind == "extra_forbidden":
        table = _table_at(model, path[:-1])
        return "unknown key" + nearest(str(path[-1]), table.model_fields if table else ())
    if kind == "missing":
        return "must be given"
    if kind == "literal_error":
        expected = str(error["ctx"]["expected"])
        words = [word.strip(" '") for word in expected.replace(" or ", ", ").split(",")]
        hint = nearest(got, words) if isinstance(got, str) else ""
        tail = hint if "did you mean" in hint else ""
        return f"must be one of {expected}; got {shown(got)}{tail}"
    if kind in {"model_type", "model_attributes_type", "dict_type"}:
        return f"must be a table; got {shown(got)}"
    if kind == "list_type":
        return f"must be a list; got {shown(got)}"
    return str(error["msg"]).removeprefix("Value error, ")


def from_validation(model: type[BaseModel], error: ValidationError) -> list[Problem]:
    """One problem for each thing that pydantic refused."""
    return [Problem(dotted(item["loc"]), _sentence(model, item)) for item in error.errors()]
