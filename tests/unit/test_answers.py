"""What a worker's answer is taken for."""

import json
from collections.abc import Mapping
from concurrent.futures import CancelledError
from typing import Any

import pytest

from pytest_asrgate.errors import EngineMissingError, IntegrityError, ModelError, TranscriberError
from pytest_asrgate.executors.answers import Answer, answer_of, checked_row
from pytest_asrgate.executors.messages import identity_fields, identity_of, packed, row_fields, row_of, unpacked
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.transcribers.protocol import Identity

ROW = Hypothesis("a", "hello", RowStatus.TRUNCATED, "cut", "raw", 1.0, 2.0, 3.0, 6.0, 1.5)
IDENTITY = Identity("print", {"engine": "e", "files": {"a": "1"}}, ("seed",), load_ms=5.0)
GOOD: dict[str, Any] = {
    "worker": "tcp://there",
    "rows": [row_fields(ROW)],
    "identity": identity_fields(IDENTITY),
    "findings": ["[warn] hunter2-hunter2"],
}


def _redact(text: str) -> str:
    return text.replace("hunter2-hunter2", "${TOKEN}")


def _answer(message: Mapping[str, Any], expected: Identity | None = None) -> Answer:
    return answer_of(lambda: json.dumps(message), frozenset({"a"}), expected, _redact)


def test_a_row_and_an_identity_come_back_as_they_went() -> None:
    """Every field, and half characters in an id as well."""
    odd = Hypothesis("\ud800", "", RowStatus.ERROR, "why")
    assert [row_of(unpacked(packed(row_fields(row)))) for row in (ROW, odd)] == [ROW, odd]
    assert identity_of(unpacked(packed(identity_fields(IDENTITY)))) == IDENTITY


@pytest.mark.parametrize("bracket", ['{"a": ', "["])
def test_what_is_nested_without_end_is_no_message(bracket: str) -> None:
    """Whatever looks into it would be lost in it."""
    close = "}" if "{" in bracket else "]"
    for depth, good in ((60, True), (600, False)):
        text = '{"x": ' + bracket * depth + "1" + close * depth + "}"
        if good:
            assert "x" in unpacked(text)
        else:
            with pytest.raises(IntegrityError, match="no message"):
                unpacked(text)


def test_a_good_answer_is_read_and_redacted() -> None:
    """What came from a worker may hold a value that only the controller knows for a secret."""
    secret = {**GOOD["rows"][0], "detail": "hunter2-hunter2 failed", "text": "hunter2-hunter2"}
    stamps = {**GOOD["identity"], "provenance": {"command": ["x", "--key=hunter2-hunter2"]}}
    answer = _answer({**GOOD, "rows": [secret], "identity": stamps})
    assert answer.findings == ("[warn] ${TOKEN}",)
    assert answer.rows[0].detail == "${TOKEN} failed"
    # What was recognised is what was recognised.
    assert answer.rows[0].text == "hunter2-hunter2"
    assert answer.identity.provenance == {"command": ["x", "--key=${TOKEN}"]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "b"}, "'b', which is not in its shard"),
        ({"id": 1}, "without an id"),
        ({"text": None}, "without a text"),
        ({"detail": None}, "without a text"),
        ({"raw_text": 1}, "without a text"),
        ({"status": "fine"}, "cannot be used"),
        ({"latency_ms": float("nan")}, "latency_ms must be a number"),
        ({"audio_s": -1}, "audio_s must be a number"),
        ({"mel_ms": True}, "mel_ms must be a number"),
    ],
)
def test_a_row_that_is_odd_is_refused(change: dict[str, object], words: str) -> None:
    """Field by field; no NaN comes in."""
    with pytest.raises(IntegrityError, match=words):
        checked_row({**GOOD["rows"][0], **change}, frozenset({"a"}), str)


@pytest.mark.parametrize(
    "message",
    [
        {**GOOD, "rows": None},
        {**GOOD, "rows": [1]},
        {**GOOD, "findings": "none"},
        {**GOOD, "identity": {}},
        {**GOOD, "identity": {"fingerprint": "x"}},
        {"worker": "tcp://there"},
    ],
)
def test_an_answer_that_is_odd_is_refused(message: dict[str, object]) -> None:
    """One sentence, of the family that says so."""
    with pytest.raises(IntegrityError, match="sent"):
        _answer(message)
    with pytest.raises(IntegrityError, match="no message"):
        answer_of(lambda: "[1", frozenset(), None, str)


@pytest.mark.parametrize(
    ("kind", "error"),
    [("ModelError", ModelError), ("EngineMissingError", EngineMissingError), ("SystemExit", TranscriberError)],
)
def test_a_refusal_is_raised_as_the_error_that_it_is(kind: str, error: type[Exception]) -> None:
    """A worker cannot name any class."""
    with pytest.raises(error) as raised:
        _answer({"worker": "w", "refused": "no: hunter2-hunter2", "kind": kind})
    assert (type(raised.value), str(raised.value)) == (error, "no: ${TOKEN}")


def test_another_engine_is_told_by_what_differs() -> None:
    """The provenance fields that differ are named with both values."""
    other = identity_fields(Identity("other", {"engine": "e", "engine_version": "2", "device": "cuda"}))
    expected = Identity("print", {"engine": "e", "engine_version": "1"})
    with pytest.raises(TranscriberError, match=r"worker w is another engine.*: engine_version '2', not '1'; make"):
        _answer({"worker": "w", "other": other}, expected)


class KilledWorker(Exception):
    """As Dask's."""

    allowed_failures = 2


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KilledWorker(), "gave up a shard of 1 utterances, since 3 workers died over it"),
        (ModuleNotFoundError("No module named 'pytest_asrgate'"), "every worker need pytest-asrgate"),
        (RuntimeError("Error during deserialization of the graph"), "every worker need pytest-asrgate"),
        (ValueError("many\n lines"), r"the Dask cluster failed \(ValueError: many lines\)"),
        (TranscriberError("worker w: the model is too large"), "worker w: the model is too large"),
    ],
)
def test_what_dask_raises_is_one_sentence(error: Exception, words: str) -> None:
    """Whatever it is."""

    def fail() -> object:
        raise error

    with pytest.raises(TranscriberError, match=words):
        answer_of(fail, frozenset({"a"}), None, str)


def test_a_cancelled_task_stays_one() -> None:
    """Only the controller knows whether it was its own wish."""

    def fail() -> object:
        raise CancelledError

    with pytest.raises(CancelledError):
        answer_of(fail, frozenset(), None, str)
