"""Field types of gate.toml whose errors read as one sentence each."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from pytest_asrgate.languages import language_problem
from pytest_asrgate.values import LONGEST_AUDIO_S, finite_number, shown, tag_problem

__all__ = [
    "LARGEST_WHOLE",
    "MOST_WORKERS",
    "NAME",
    "AudioSeconds",
    "Count",
    "Device",
    "Language",
    "Name",
    "Nice",
    "Number",
    "PositiveInteger",
    "PositiveNumber",
    "Share",
    "Table",
    "Tag",
    "Text",
    "Whole",
    "Workers",
    "YesOrNo",
]

NAME = re.compile(r"[A-Za-z0-9._-]+")
# More model processes than any machine runs; a slip of the hand must not fill it.
MOST_WORKERS = 1024
# TOML's whole numbers have 64 bits, but Python's reader takes longer ones, which neither engines nor floats hold.
LARGEST_WHOLE = 2**63 - 1
# In characters; no usual file system takes names of more than 255.
_LONGEST_NAME = 100
_DEVICE = re.compile(r"(cuda|rocm|vulkan):(0|[1-9][0-9]{0,3})")


class Table(BaseModel):
    """A table of gate.toml: frozen, and every key that it does not know is a problem."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


def _off_or_number(value: object) -> object:
    if value == "off":
        return value
    number = finite_number(value)
    if number is None or number < 0:
        raise ValueError(f'must be a finite number of 0 or more, or "off"; got {shown(value)}')
    return number


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= LARGEST_WHOLE


def _off_or_count(value: object) -> object:
    if value == "off":
        return value
    if not _is_whole(value, 0):
        raise ValueError(f'must be a whole number of 0 or more, or "off"; got {shown(value)}')
    return value


def _positive_integer(value: object) -> object:
    if not _is_whole(value, 1):
        raise ValueError(f"must be a whole number of 1 or more; got {shown(value)}")
    return value


def _positive_number(value: object) -> object:
    number = finite_number(value)
    if number is None or number <= 0:
        raise ValueError(f"must be a finite number above 0; got {shown(value)}")
    return number


def _audio_seconds(value: object) -> object:
    number = finite_number(value)
    if number is None or not 0 < number <= LONGEST_AUDIO_S:
        raise ValueError(f"must be a number of seconds above 0, {LONGEST_AUDIO_S:g} at most; got {shown(value)}")
    return number


def _workers(value: object) -> object:
    number = _positive_integer(value)
    if isinstance(number, int) and number > MOST_WORKERS:
        raise ValueError(f"must be {MOST_WORKERS} at most; got {shown(value)}")
    return number


def _nice(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 19:
        raise ValueError(f"must be a whole number from 0, as usual, to 19, behind everything; got {shown(value)}")
    return value


def _whole(value: object) -> object:
    if not _is_whole(value, 0):
        raise ValueError(f"must be a whole number of 0 or more; got {shown(value)}")
    return value


def _device(value: object) -> object:
    if not isinstance(value, str) or not _DEVICE.fullmatch(value):
        raise ValueError(f'must be a device such as "cuda:0", "rocm:1" or "vulkan:0"; got {shown(value)}')
    return value


def _text(value: object) -> object:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"must be a text that is not empty; got {shown(value)}")
    if "\0" in value:
        raise ValueError("must not hold a NUL character")
    return value


def _language(value: object) -> object:
    text = _text(value)
    problem = language_problem(str(text))
    if problem:
        raise ValueError(problem)
    return text


def _yes_or_no(value: object) -> object:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false; got {shown(value)}")
    return value


def _name(value: object) -> object:
    if not isinstance(value, str) or not NAME.fullmatch(value) or value in {".", ".."}:
        raise ValueError(f"a name is made of A-Z a-z 0-9 . _ - only; got {shown(value)}")
    if len(value) > _LONGEST_NAME:
        raise ValueError(f"a name has {_LONGEST_NAME} characters at most, since two stand in the name of a file")
    return value


def _tag(value: object) -> object:
    problem = tag_problem(value) if isinstance(value, str) else "must be a text"
    if problem:
        raise ValueError(f"the tag of a slice {problem}; got {shown(value)}")
    return value


def _off_or_share(value: object) -> object:
    number = _off_or_number(value)
    if isinstance(number, float) and (number > 100 or 0 < number <= 1):
        example = f"{100 * number:g} for {number:g}" if number <= 1 else "90"
        raise ValueError(f"must be a share in percent, at most 100, such as {example}; got {shown(value)}")
    return number


# Unions with "off" go through one validator, since pydantic reports a failed union once per member.
Number = Annotated[float | Literal["off"], BeforeValidator(_off_or_number)]
Share = Annotated[float | Literal["off"], BeforeValidator(_off_or_share)]
Count = Annotated[int | Literal["off"], BeforeValidator(_off_or_count)]
PositiveInteger = Annotated[int, BeforeValidator(_positive_integer)]
PositiveNumber = Annotated[float, BeforeValidator(_positive_number)]
AudioSeconds = Annotated[float, BeforeValidator(_audio_seconds)]
Workers = Annotated[int, BeforeValidator(_workers)]
Nice = Annotated[int, BeforeValidator(_nice)]
Whole = Annotated[int, BeforeValidator(_whole)]
Device = Annotated[str, BeforeValidator(_device)]
Text = Annotated[str, BeforeValidator(_text)]
Language = Annotated[str, BeforeValidator(_language)]
YesOrNo = Annotated[bool, BeforeValidator(_yes_or_no)]
Name = Annotated[str, BeforeValidator(_name)]
Tag = Annotated[str, BeforeValidator(_tag)]
