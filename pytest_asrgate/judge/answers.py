"""What every task asks of a reply and checks in it: closed objects, exactly the ids that were asked, reasons."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_asrgate.errors import ReplyError
from pytest_asrgate.values import shown

__all__ = ["answers_to", "closed_object", "entry_of", "label_of", "reason_of"]

# In characters; a reason is a sentence or two.
_LONGEST_REASON = 2_000


def closed_object(properties: Mapping[str, object]) -> dict[str, object]:
    """The JSON schema of an object that has just these properties, as strict modes of providers want it."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": dict(properties),
    }


def entry_of(value: object, place: str, keys: Sequence[str]) -> dict[str, Any]:
    """An object that has just these keys; ReplyError naming `place` for anything else."""
    if not isinstance(value, dict):
        raise ReplyError(f"{place} must be an object, not {shown(value)}")
    if missing := [key for key in keys if key not in value]:
        raise ReplyError(f"{place} has no {missing[0]}")
    if unknown := [key for key in value if key not in keys]:
        raise ReplyError(f"{place} has the unknown key {shown(unknown[0])}")
    return value


def answers_to(reply: object, asked: Sequence[str]) -> dict[str, Any]:
    """A reply that answers each id that was asked about and no other; ReplyError otherwise."""
    if not isinstance(reply, dict):
        raise ReplyError(f"the reply must be an object, not {shown(reply)}")
    if unknown := [key for key in reply if key not in asked]:
        raise ReplyError(f"nothing was asked about id {shown(unknown[0])}")
    if missing := [name for name in asked if name not in reply]:
        raise ReplyError(f"id {shown(missing[0])} is not answered")
    return reply


def reason_of(value: object, place: str) -> str:
    """A reason in one line; ReplyError for what is no text, empty, or a page."""
    if not isinstance(value, str) or not value.strip():
        raise ReplyError(f"{place}: the reason must be a text that is not empty, not {shown(value)}")
    if len(value) > _LONGEST_REASON:
        raise ReplyError(f"{place}: the reason has {len(value)} characters, more than {_LONGEST_REASON}")
    return " ".join(value.split())


def label_of(value: object, labels: Sequence[str], place: str) -> str:
    """One of these labels; ReplyError for anything else."""
    if not isinstance(value, str) or value not in labels:
        raise ReplyError(f"{place}: the verdict must be one of {', '.join(labels)}, not {shown(value)}")
    return value
