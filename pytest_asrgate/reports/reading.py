"""Reads a report that `--asrgate-json` wrote, and refuses what is none in a sentence that names file and key."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

# Python's own TypedDict tells too little of itself before 3.12.
from typing_extensions import TypedDict as CheckedDict

from pytest_asrgate import __version__
from pytest_asrgate.errors import DatasetError, ReportError
from pytest_asrgate.jsonlines import json_text, read_object
from pytest_asrgate.records import CheckStatus, Outcome, RowStatus
from pytest_asrgate.reports.entries import CheckEntry, PairEntry
from pytest_asrgate.reports.json_report import SCHEMA, Report
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.values import shown

__all__ = ["read_report"]

_ROW_STATUS = Literal[tuple(status.value for status in RowStatus)]  # type: ignore[valid-type] # made of the enum
# What the type of a key says too little of: those words that reports look up.
_WORDS: Mapping[tuple[type, str], Any] = {
    (PairEntry, "verdict"): Literal[tuple(outcome.value for outcome in Outcome)],
    (PairEntry, "metric"): Literal["wer", "cer", None],
    (CheckEntry, "status"): Literal[tuple(status.value for status in CheckStatus)],
    (UtteranceEntry, "status"): _ROW_STATUS,
    (UtteranceEntry, "baseline_status"): _ROW_STATUS | None,
    (UtteranceEntry, "steps"): Annotated[str, Field(pattern="^[=SDI]*$")],
}
# The one whole number that counts nothing.
_ANY_NUMBER = "seed"
# What pydantic says of types, in the words of JSON.
_KINDS = {
    "be a dictionary": "be an object",
    "be a boolean": "be true or false",
    "be a integer": "be a whole number",
    "be None": "be null",
}
# In characters, of a value that is quoted.
_LONGEST_VALUE = 80
# How the names of intervals end, which are lists of two numbers.
_INTERVALS = ("ci_pct", "ci_speaker_pct", "ci_pp", "delta_bootstrap_pp")


def _checked(kind: Any) -> Any:
    """A type as pydantic can check it: the same, with its TypedDicts made over."""
    if is_typeddict(kind):
        return _checked_dict(kind)
    if kind is float:
        # A whole number stays one: a count that came back as 16.0 would be shown as that.
        return int | float
    if kind is int:
        # All whole numbers are counts, or numbers of something.
        return Annotated[int, Field(ge=0)]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return Union[tuple(map(_checked, arguments))]  # noqa: UP007 - made of a tuple
    if origin in {list, dict}:
        return origin[tuple(map(_checked, arguments))]
    return kind


def _interval(kind: Any) -> Any:
    """The type of a list, or of a list or null, as that of two numbers."""
    if get_origin(kind) is list:
        return Annotated[kind, Field(min_length=2, max_length=2)]
    return Union[tuple(map(_interval, get_args(kind)))] if get_args(kind) else kind  # noqa: UP007 - as above


@cache
def _checked_dict(kind: type) -> Any:
    fields = {}
    for name, hint in get_type_hints(kind).items():
        known = hint if name == _ANY_NUMBER else _WORDS.get((kind, name))
        fields[name] = (
            known if known is not None else _checked(_interval(hint) if name.endswith(_INTERVALS) else hint)
        )
    make: Any = CheckedDict
    made = make(kind.__name__, fields)
    # Keys that a later version of ours may add are left out.
    made.__pydantic_config__ = ConfigDict(strict=True, extra="ignore")
    return made


@cache
def _adapter() -> TypeAdapter[Report]:
    return TypeAdapter(_checked_dict(Report))


def _place(value: Any, location: Sequence[int | str]) -> tuple[str, Any]:
    """Where in the file an error is, and what stands there; pydantic names the parts of types, too."""
    text = ""
    for key in location:
        if isinstance(value, dict) and key in value:
            text += f".{key}" if text else str(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            text += f"[{key}]"
        else:
            break
        value = value[key]
    return text, value


def _wanted(message: str, kind: str) -> str:
    if kind in {"too_short", "too_long"}:
        return "hold two numbers"
    if kind == "string_pattern_mismatch":
        return "be made of =, S, D and I"
    if kind == "greater_than_equal":
        return "be 0 or more"
    message = message.removeprefix("Input should ").removeprefix("String should ").replace("a valid ", "a ")
    return re.sub(r" or None$", " or null", _KINDS.get(message, message))


def _told(value: Any) -> str:
    """A value as a message quotes it, in the words of JSON where Python has others."""
    if value is None or isinstance(value, bool | list | dict):
        text = json_text(value)
        return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."
    return shown(value)


def _lacks(document: Mapping[str, Any], key: int | str) -> str:
    """That a key is missing, what may be the reason, and the mend."""
    gate = document.get("gate")
    made = gate.get("plugin_version") if isinstance(gate, dict) else None
    why = "was it changed?"
    if made != __version__:
        by = (
            f"its gate.plugin_version is {_told(made)}, this is {__version__!r}"
            if made
            else f"this is {__version__}"
        )
        why = f"was it written by another version of pytest-asrgate ({by})?"
    return f"has no key {key!r}; {why} write it again with --asrgate-json"


def _sentence(document: Mapping[str, Any], error: ValidationError) -> str:
    """What is wrong with the first bad key."""
    errors = error.errors(include_url=False, include_input=False, include_context=False)
    place, value = _place(document, errors[0]["loc"])
    if errors[0]["type"] == "missing":
        return f"{place}{': ' if place else ''}{_lacks(document, errors[0]['loc'][-1])}"
    here = [each for each in errors if _place(document, each["loc"])[0] == place]
    wanted = dict.fromkeys(_wanted(each["msg"], each["type"]) for each in here)
    if "be a number" in wanted:
        # Where any number will do, whole ones need no mention.
        wanted.pop("be a whole number", None)
    return f"{place}: must {' or '.join(wanted)}; it is {_told(value)}"


def read_report(path: Path) -> Report:
    """Read and check a JSON report, keys that are not known left out; ReportError for what is none."""
    try:
        document = read_object(path)
    except DatasetError as error:
        raise ReportError(str(error)) from error
    schema = document.get("schema")
    if schema != SCHEMA:
        said = f"its key 'schema' says {_told(schema)}" if "schema" in document else "it has no key 'schema'"
        raise ReportError(f"{path}: is no report of --asrgate-json ({SCHEMA}): {said}")
    try:
        return _adapter().validate_python(document)
    except ValidationError as error:
        raise ReportError(f"{path}: {_sentence(document, error)}") from error
