"""What rows of hypotheses have in common, whether a file holds them or an engine just made them."""

from collections.abc import Mapping
from typing import Any, TypedDict

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.values import finite_number, shown

__all__ = ["Times", "hypothesis_of", "number_of", "status_of_error", "text_of", "times_of"]


class Times(TypedDict):
    """The times of a row in ms, but for the last one, which is the length of the audio in seconds."""

    mel_ms: float | None
    encode_ms: float | None
    decode_ms: float | None
    latency_ms: float | None
    audio_s: float | None


def status_of_error(error: object) -> RowStatus:
    """The status that an `error` of the native tools stands for: partial output is told as one, but has text."""
    if not error:
        return RowStatus.OK
    text = str(error)
    if text.startswith("output truncated"):
        return RowStatus.TRUNCATED
    return RowStatus.REPETITION if text.startswith("output repetition") else RowStatus.ERROR


def _figure(row: Mapping[str, Any], key: str) -> float | None:
    value = finite_number(row.get(key))
    if row.get(key) is not None and (value is None or value < 0):
        raise ValueError(f"{key} must be a number of 0 or more; it is {shown(row[key])}")
    return value


def number_of(row: Mapping[str, Any], key: str, where: str) -> float | None:
    """The figure under a key, None where the row has none; DatasetError for any but numbers of 0 or more."""
    try:
        return _figure(row, key)
    except ValueError as error:
        raise DatasetError(f"{where}: {error}") from None


def times_of(row: Mapping[str, Any]) -> Times:
    """The times of a row, None where it has none; ValueError naming the key for any but numbers of 0 or more."""
    return Times(
        mel_ms=_figure(row, "mel_ms"),
        encode_ms=_figure(row, "encode_ms"),
        decode_ms=_figure(row, "decode_ms"),
        latency_ms=_figure(row, "latency_ms"),
        audio_s=_figure(row, "audio_s"),
    )


def text_of(row: Mapping[str, Any], key: str, where: str) -> str:
    """The text under a key; DatasetError for anything else."""
    value = row.get(key)
    if not isinstance(value, str):
        found = "missing" if key not in row else shown(value)
        raise DatasetError(f"{where}: {key} must be a text; it is {found}")
    return value


def _status_of(row: Mapping[str, Any], where: str) -> RowStatus:
    """The `status` that a row names, else the one that its `error` stands for."""
    try:
        return RowStatus(row.get("status") or status_of_error(row.get("error")))
    except ValueError:
        raise DatasetError(
            f"{where}: status {shown(row.get('status'))} is none of {', '.join(RowStatus)}"
        ) from None


def _masked(row: Mapping[str, Any], where: str) -> tuple[str, ...] | None:
    """What the normaliser hid in a row that was normalised already, None where the row does not say."""
    kinds = row.get("masked")
    if kinds is None:
        return None
    if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
        raise DatasetError(f"{where}: masked must be a list of texts; it is {shown(kinds)}")
    return tuple(kinds)


def _flag(row: Mapping[str, Any], key: str, where: str) -> bool | None:
    """What was seen in the raw texts of a row that was normalised already, None where the row does not say."""
    value = row.get(key) if row.get("normalised_reference") is not None else None
    if value is not None and not isinstance(value, bool):
        raise DatasetError(f"{where}: {key} must be true or false; it is {shown(value)}")
    return value


def hypothesis_of(row: Mapping[str, Any], where: str) -> Hypothesis:
    """The hypothesis of a row that names its `id`; `where` is its file, line and id.

    Raises DatasetError for an unknown status, a status that contradicts `error`, and keys of a wrong kind.
    """
    error, status = row.get("error"), _status_of(row, where)
    if error and status is RowStatus.OK:
        raise DatasetError(f"{where}: status is ok and error is {str(error)[:80]!r}; a row is one or the other")
    if status is RowStatus.ERROR:
        text = row["hyp_text"] if isinstance(row.get("hyp_text"), str) else ""
    else:
        text = text_of(row, "hyp_text", where)
    try:
        times = times_of(row)
    except ValueError as problem:
        raise DatasetError(f"{where}: {problem}") from None
    parts = [times["mel_ms"], times["encode_ms"], times["decode_ms"]]
    if times["latency_ms"] is None and None not in parts:
        times["latency_ms"] = sum(part or 0.0 for part in parts)
    raw_text, normalised = row.get("raw_text"), row.get("normalised_reference")
    return Hypothesis(
        id=row["id"],
        text=text,
        status=status,
        detail=str(error or row.get("detail") or ""),
        raw_text=raw_text if isinstance(raw_text, str) else None,
        normalised_reference=None if normalised is None else text_of(row, "normalised_reference", where),
        masked=_masked(row, where),
        loop=_flag(row, "loop", where),
        drift=_flag(row, "language_drift", where),
        **times,
    )
