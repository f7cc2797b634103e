"""What the rows of every engine have in common: timings, and what stands for an utterance that failed."""

from collections.abc import Mapping
from typing import Any

from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.values import finite_number, shown

__all__ = ["TIMES", "error_row", "status_of_error", "times_of"]

# In ms, but for the last one, which is the length of the audio in seconds.
TIMES = ("mel_ms", "encode_ms", "decode_ms", "latency_ms", "audio_s")


def error_row(utterance: Utterance, detail: str) -> Hypothesis:
    """The row of an utterance that has no score; `detail` is one sentence that says why."""
    return Hypothesis(id=utterance.id, text="", status=RowStatus.ERROR, detail=detail)


def status_of_error(error: object) -> RowStatus:
    """The status that an `error` of the native tools stands for: partial output is told as one, but has text."""
    if not error:
        return RowStatus.OK
    text = str(error)
    if text.startswith("output truncated"):
        return RowStatus.TRUNCATED
    return RowStatus.REPETITION if text.startswith("output repetition") else RowStatus.ERROR


def times_of(row: Mapping[str, Any]) -> dict[str, float | None]:
    """The TIMES of a row, None where it has none; ValueError naming the key for any but numbers of 0 or more."""
    times: dict[str, float | None] = {}
    for key in TIMES:
        value = finite_number(row.get(key))
        if row.get(key) is not None and (value is None or value < 0):
            raise ValueError(f"{key} must be a number of 0 or more; it is {shown(row[key])}")
        times[key] = value
    return times
