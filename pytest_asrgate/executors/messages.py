"""What a controller and its workers tell each other, as plain JSON texts that are checked where they arrive."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pytest_asrgate.errors import IntegrityError, TranscriberError
from pytest_asrgate.formats.rows import times_of
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.values import finite_number, shown, without_surrogates

# No engine says anything as deep; what follows it down, as `redacted_deeply`, needs the stack for it.
_DEEPEST = 100

__all__ = ["identity_fields", "identity_of", "packed", "redacted_deeply", "row_fields", "row_of", "unpacked"]


def packed(message: Mapping[str, object]) -> str:
    """A message as ASCII text, since half characters in an id are no bytes; TranscriberError for no JSON."""
    try:
        return json.dumps(message, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TranscriberError(f"the engine said what JSON cannot hold ({error})") from error


def _too_deep(value: object) -> bool:
    """Whether lists and mappings lie deeper in each other than is good; level by level, not by recursion."""
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        below: list[object] = []
        for each in level:
            if isinstance(each, dict):
                below += each.values()
            elif isinstance(each, list):
                below += each
        if not below:
            return False
        level = below
    return True


def unpacked(text: object) -> dict[str, Any]:
    """The message that `packed` wrote; IntegrityError for anything else."""
    try:
        message = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or _too_deep(message):
        raise IntegrityError(f"a worker sent what is no message: {shown(text)}")
    return message


def row_fields(row: Hypothesis) -> dict[str, object]:
    """A row as an engine makes it, under the names of its fields."""
    return {
        "id": row.id,
        "text": row.text,
        "status": row.status.value,
        "detail": row.detail,
        "raw_text": row.raw_text,
        "mel_ms": row.mel_ms,
        "encode_ms": row.encode_ms,
        "decode_ms": row.decode_ms,
        "latency_ms": row.latency_ms,
        "audio_s": row.audio_s,
    }


def row_of(fields: object) -> Hypothesis:
    """The row that `row_fields` wrote, checked field by field; IntegrityError for anything odd."""
    if not isinstance(fields, Mapping) or not isinstance(fields.get("id"), str):
        raise IntegrityError(f"a worker sent a row without an id: {shown(fields)}")
    name = fields["id"]
    text, raw_text, detail = fields.get("text"), fields.get("raw_text"), fields.get("detail")
    if not isinstance(text, str) or not isinstance(raw_text, str | None) or not isinstance(detail, str):
        raise IntegrityError(f"a worker sent a row for {name!r} without a text")
    try:
        status, times = RowStatus(fields.get("status", "")), times_of(fields)
    except ValueError as error:
        raise IntegrityError(f"a worker sent a row for {name!r} that cannot be used ({error})") from None
    return Hypothesis(
        id=name,
        text=without_surrogates(text),
        status=status,
        detail=without_surrogates(detail),
        raw_text=None if raw_text is None else without_surrogates(raw_text),
        **times,
    )


def identity_fields(identity: Identity) -> dict[str, object]:
    """An identity under the names of its fields."""
    return {
        "fingerprint": identity.fingerprint,
        "provenance": dict(identity.provenance),
        "not_controllable": list(identity.not_controllable),
        "load_ms": identity.load_ms,
    }


def identity_of(fields: object) -> Identity:
    """The identity that `identity_fields` wrote; IntegrityError for anything odd."""
    good = isinstance(fields, Mapping) and isinstance(fields.get("fingerprint"), str)
    if not isinstance(fields, Mapping) or not good:
        raise IntegrityError(f"a worker sent an identity without a fingerprint: {shown(fields)}")
    provenance, fixed = fields.get("provenance"), fields.get("not_controllable")
    if not isinstance(provenance, dict) or not isinstance(fixed, list):
        raise IntegrityError(f"a worker sent an identity without a provenance: {shown(fields)}")
    return Identity(
        fingerprint=fields["fingerprint"],
        provenance=provenance,
        not_controllable=tuple(str(name) for name in fixed),
        load_ms=finite_number(fields.get("load_ms")),
    )


def redacted_deeply(value: Any, redact: Callable[[str], str]) -> Any:
    """The value with every text in it redacted, however deep."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: redacted_deeply(item, redact) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted_deeply(item, redact) for item in value]
    return value
