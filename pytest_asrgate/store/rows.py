"""Rows as the store keeps them: each carries a seal, and what does not fit its seal is no row."""

import hashlib
import json
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis, RowStatus

__all__ = [
    "COLUMNS",
    "KEY",
    "TAG_BYTES",
    "EngineRecord",
    "checked_hypothesis",
    "engine_from_record",
    "engine_to_record",
    "finding_lines",
    "findings_to_record",
    "hypothesis_values",
    "opened_order",
    "opened_record",
    "row_seal",
    "sealed_order",
    "sealed_record",
    "text_key",
    "text_seal",
    "version_tag",
]

KEY = ("audio", "engine", "recipe")
COLUMNS = (
    "text",
    "raw_text",
    "status",
    "detail",
    "mel_ms",
    "encode_ms",
    "decode_ms",
    "latency_ms",
    "audio_s",
)
# Bytes that a version of our code begins its keys of texts with.
TAG_BYTES = 4
_SEAL_MARK = "\n#"
# The digest of an order as it was kept before it had a seal.
_DIGEST = re.compile("[0-9a-f]{32}")
_FINISHED = {status.value: status for status in RowStatus if status is not RowStatus.ERROR}


@dataclass(frozen=True, slots=True)
class EngineRecord:
    """What an engine said of itself when it was loaded: stamps, what it cannot set, and its load time in ms."""

    provenance: Mapping[str, object]
    not_controllable: tuple[str, ...]
    load_ms: float | None = None


def hypothesis_values(made: Hypothesis) -> tuple[Any, ...]:
    """The values of `COLUMNS`, as the database gives them back.

    ValueError for a time that is not finite, StoreError for a text that is none in UTF-8.
    """
    times = (made.mel_ms, made.encode_ms, made.decode_ms, made.latency_ms, made.audio_s)
    if not all(value is None or math.isfinite(value) for value in times):
        raise ValueError(f"the hypothesis of {made.id!r} cannot be kept: one of its times is not finite")
    for text in (made.text, made.raw_text or "", made.detail):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise StoreError(
                f"the hypothesis of {made.id!r} cannot be kept: its text has half of a surrogate pair"
            ) from None
    return (
        made.text,
        made.raw_text,
        made.status.value,
        made.detail,
        # A column of real numbers gives back 1.0 for 1, and 0.0 for -0.0; the seal must be that of what comes back.
        *(None if value is None else float(value) + 0.0 for value in times),
    )


def row_seal(key: Sequence[Any], values: Sequence[Any]) -> int:
    """A checksum over key and values: a page of a database that went bad may still be read."""
    whole = "\0".join(
        value if isinstance(value, str) else "\1" if value is None else repr(value) for value in (*key, *values)
    )
    return zlib.crc32(whole.encode("utf-8", "surrogatepass"))


def _is_time(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isfinite(value))


def checked_hypothesis(
    utterance: str, key: Sequence[Any], values: Sequence[Any], seal: object, *, sealed: bool = True
) -> Hypothesis | None:
    """The row of `key` and `COLUMNS` for the utterance of this id, None where it is damaged.

    `sealed` is false for a store of before there were seals: there only the kinds of the values are looked at.
    """
    text, raw_text, status, detail, *times = values
    if not (isinstance(text, str) and isinstance(detail, str) and isinstance(raw_text, str | None)):
        return None
    if not (isinstance(status, str) and status in _FINISHED and all(map(_is_time, times))):
        return None
    if sealed and seal != row_seal(key, values):
        return None
    mel, encode, decode, latency, seconds = times
    return Hypothesis(
        id=utterance,
        text=text,
        raw_text=raw_text,
        status=_FINISHED[status],
        detail=detail,
        mel_ms=mel,
        encode_ms=encode,
        decode_ms=decode,
        latency_ms=latency,
        audio_s=seconds,
    )


def sealed_record(text: str) -> str:
    """A record that says itself whether it is whole."""
    return f"{text}{_SEAL_MARK}{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def opened_record(stored: object) -> str | None:
    """What was sealed, None where it is damaged; a record of before there were seals is taken as it is."""
    if not isinstance(stored, str):
        return None
    text, mark, _ = stored.rpartition(_SEAL_MARK)
    if not mark:
        return stored
    return text if sealed_record(text) == stored else None


def sealed_order(key: str, seed: str, digest: str) -> str:
    """The digest of an early run's order, which says itself whether it is whole and whose it is."""
    return sealed_record(json.dumps([key, seed, digest]))


def opened_order(key: str, seed: object, stored: object) -> tuple[str, str]:
    """Seed and digest of an early run's order; ValueError where they are damaged.

    One of before these had seals is taken as it is.
    """
    if not (isinstance(seed, str) and isinstance(stored, str)):
        raise ValueError("damaged")
    if _SEAL_MARK not in stored:
        if _DIGEST.fullmatch(stored) is None or not seed.removeprefix("-").isdecimal():
            raise ValueError("damaged")
        return seed, stored
    fields = _json(stored)
    if not (isinstance(fields, list) and len(fields) == 3 and fields[:2] == [key, seed]):
        raise ValueError("damaged")
    return seed, str(fields[2])


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON value")


def _json(stored: object) -> Any:
    """What a stored record says; ValueError where it is damaged."""
    text = opened_record(stored)
    if text is None:
        raise ValueError("damaged")
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("damaged") from error


def engine_to_record(record: EngineRecord) -> str:
    """An engine's stamps as text."""
    fields = {
        "provenance": dict(record.provenance),
        "not_controllable": list(record.not_controllable),
        "load_ms": record.load_ms,
    }
    return sealed_record(json.dumps(fields))


def engine_from_record(stored: object) -> EngineRecord | None:
    """What `engine_to_record` wrote, None where that is damaged."""
    try:
        fields = _json(stored)
        provenance, names, load_ms = fields["provenance"], fields["not_controllable"], fields["load_ms"]
    except (ValueError, TypeError, KeyError):
        return None
    if not (isinstance(provenance, dict) and isinstance(names, list) and all(isinstance(n, str) for n in names)):
        return None
    if not (load_ms is None or (isinstance(load_ms, int | float) and math.isfinite(load_ms))):
        return None
    return EngineRecord(provenance, tuple(names), load_ms)


def finding_lines(stored: object) -> tuple[str, ...]:
    """Stored warnings of an engine; none where they are damaged."""
    try:
        lines = _json(stored)
    except ValueError:
        return ()
    if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        return ()
    return tuple(lines)


def findings_to_record(findings: Iterable[str]) -> str:
    """Warnings of an engine as text."""
    return sealed_record(json.dumps(list(findings)))


def version_tag(version: str) -> bytes:
    """What the keys of a version of our code begin with."""
    return hashlib.blake2b(version.encode(), digest_size=TAG_BYTES).digest()


def text_key(tag: bytes, function: str, text: str) -> bytes:
    """What the result of a function is found by; short, since there is one for each text."""
    whole = f"{function}\0{text}".encode("utf-8", "surrogatepass")
    return tag + hashlib.blake2b(whole, digest_size=16).digest()


def text_seal(key: bytes, result: bytes) -> int:
    """A checksum over the result of a function and its key."""
    return zlib.crc32(result, zlib.crc32(key))
