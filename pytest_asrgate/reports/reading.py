"""Reads a report that `--asrgate-json` wrote, and refuses what is none in a sentence that names file and key."""

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
from pytest_asrgate.jsonlines import read_object
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
# How the names of intervals end, which are lists of two numbers.
_INTERVALS = ("ci_pct", "ci_speaker_pct", "ci_pp", "delta_bootstrap_pp")


def _checked(kind: Any) -> Any:
    """A type as pydantic can check it: the same, with its TypedDicts made over."""
    if is_typeddict(kind):
        return _checked_dict(kind)
    if kind is float:
        # A whole number stays one: a count that came back as 16.0 would be shown as that.
        return int | float
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
        known = _WORDS.get((kind, name))
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
    message = message.removeprefix("Input should ").removeprefix("String should ")
    return message.replace("a valid ", "a ").replace("a integer", "a whole number")


def _sentence(document: Mapping[str, Any], error: ValidationError) -> str:
    """What is wrong with the first bad key."""
    errors = error.errors(include_url=False, include_input=False, include_context=False)
    place, value = _place(document, errors[0]["loc"])
    if errors[0]["type"] == "missing":
        gate = document.get("gate")
        made = gate.get("plugin_version") if isinstance(gate, dict) else None
        by = (
            f"its gate.plugin_version is {shown(made)}, this is {__version__!r}"
            if made
            else f"this is {__version__}"
        )
        return (
            f"{place}{': ' if place else ''}has no key {errors[0]['loc'][-1]!r}; was it written by another version "
            f"of pytest-asrgate ({by})? write it again with --asrgate-json"
        )
    here = [each for each in errors if _place(document, each["loc"])[0] == place]
    wanted = dict.fromkeys(_wanted(each["msg"], each["type"]) for each in here)
    if "be a number" in wanted:
        # Where any number will do, whole ones need no mention.
        wanted.pop("be a whole number", None)
    return f"{place}: must {' or '.join(wanted)}; it is {shown(value)}"


def read_report(path: Path) -> Report:
    """Read and check a JSON report, keys that are not known left out; ReportError for what is none."""
    try:
        document = read_object(path)
    except DatasetError as error:
        raise ReportError(str(error)) from error
    schema = document.get("schema")
    if schema != SCHEMA:
        said = f"its key 'schema' says {shown(schema)}" if "schema" in document else "it has no key 'schema'"
        raise ReportError(f"{path}: is no report of --asrgate-json ({SCHEMA}): {said}")
    try:
        return _adapter().validate_python(document)
    except ValidationError as error:
        raise ReportError(f"{path}: {_sentence(document, error)}") from error
