"""What a worker does with an order, without a cluster."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate import __version__
from pytest_asrgate.config import ExecutorSettings
from pytest_asrgate.executors.pool import Pool
from pytest_asrgate.executors.remote import slots_of, work
from pytest_asrgate.hashing import file_sha256
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.registry import KINDS, Kind
from tests.unit.cluster_stand_ins import StandIn, desk_at, order_of, stand_in_kind


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[StandIn]:
    """Every engine that was opened."""
    engines: list[StandIn] = []
    monkeypatch.setitem(KINDS, "stand-in", stand_in_kind(engines))
    return engines


def test_rows_are_sent_one_by_one_and_are_all_in_the_answer(tmp_path: Path, made: list[StandIn]) -> None:
    """So that a message that is lost loses nothing."""
    sent: list[dict[str, Any]] = []
    answer = work(order_of(tmp_path, "a", "b"), desk_at(tmp_path, sent), Pool())
    assert [row["text"] for row in answer["rows"]] == ["a", "b"]  # type: ignore[union-attr, index, call-overload]
    assert [message["row"] for message in sent] == answer["rows"]
    assert {message["shard"] for message in sent} == {"shard"}
    assert answer["findings"] == ["[warn] stand-in"]


def test_an_order_without_utterances_only_asks_who_would_decode(tmp_path: Path, made: list[StandIn]) -> None:
    """The model's bytes tell."""
    answer: Any = work(order_of(tmp_path), desk_at(tmp_path, []), Pool())
    assert answer["rows"] == []
    assert answer["identity"]["fingerprint"] == file_sha256(tmp_path / "model.bin")


def test_another_version_is_refused(tmp_path: Path, made: list[StandIn]) -> None:
    """One sentence names both, and no engine is opened."""
    order = order_of(tmp_path, "a") | {"version": "9.9"}
    answer = work(order, desk_at(tmp_path, []), Pool())
    assert answer["refused"] == (
        f"worker tcp://there has pytest-asrgate {__version__}, this machine has 9.9; install the same version on "
        "both"
    )
    assert made == []


def test_another_model_is_refused(tmp_path: Path, made: list[StandIn]) -> None:
    """One sentence names worker, path and both hashes; no engine is opened."""
    order = order_of(tmp_path, "a")
    before = order["model"]["sha256"]
    (tmp_path / "model.bin").write_bytes(b"another")
    answer = work(order, desk_at(tmp_path, []), Pool())
    model = tmp_path / "model.bin"
    for part in ("variant.q8_0.model", "worker tcp://there", str(model), before, file_sha256(model)):
        assert part in str(answer["refused"])
    assert (answer["kind"], made) == ("ModelError", [])


def test_a_model_that_is_replaced_between_two_shards_is_refused(tmp_path: Path, made: list[StandIn]) -> None:
    """Though its engine is loaded already, which is ended; the sentence names worker, path and both hashes."""
    order, pool, model = order_of(tmp_path, "a"), Pool(), tmp_path / "model.bin"
    assert "rows" in work(order, desk_at(tmp_path, []), pool)
    # The same bytes with another stamp are no other model.
    model.write_bytes(model.read_bytes())
    assert "rows" in work(order, desk_at(tmp_path, []), pool)
    assert len(made) == 1
    model.write_bytes(b"another")
    answer = work(order, desk_at(tmp_path, []), pool)
    for part in ("worker tcp://there", str(model), order["model"]["sha256"], file_sha256(model)):
        assert part in str(answer["refused"])
    assert (answer["kind"], made[0].closed, len(pool)) == ("ReplacedFileError", True, 0)
    assert "refused" in work(order, desk_at(tmp_path, []), pool)


def test_a_model_that_is_replaced_within_a_shard_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row that was decoded after it is sent."""
    engines: list[StandIn] = []
    order, sent = order_of(tmp_path, "a", "b", "c"), []

    def replace() -> None:
        if sent:
            (tmp_path / "model.bin").write_bytes(b"another")

    monkeypatch.setitem(KINDS, "stand-in", stand_in_kind(engines, replace))
    answer = work(order, desk_at(tmp_path, sent), Pool())
    assert answer["kind"] == "ReplacedFileError"
    assert [message["row"]["id"] for message in sent] == ["a"]


def test_a_model_that_has_gone_costs_no_row(tmp_path: Path, made: list[StandIn]) -> None:
    """The engine has it."""
    order, pool = order_of(tmp_path, "a"), Pool()
    assert "rows" in work(order, desk_at(tmp_path, []), pool)
    (tmp_path / "model.bin").unlink()
    assert "rows" in work(order, desk_at(tmp_path, []), pool)


def test_rows_that_say_more_than_a_text_are_only_in_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error may be that of a worker that dies, and a detail may name a place or a secret."""

    class Chatty(StandIn):
        def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
            yield Hypothesis("a", "", RowStatus.ERROR, "why")
            yield Hypothesis("b", "b", RowStatus.TRUNCATED, "cut at hunter2")
            yield Hypothesis("c", "c")

    monkeypatch.setitem(
        KINDS, "stand-in", Kind(lambda _, variant, *__: Chatty(Identity(file_sha256(variant.model), {})))
    )
    sent: list[dict[str, Any]] = []
    answer: Any = work(order_of(tmp_path, "a", "b", "c"), desk_at(tmp_path, sent), Pool())
    assert [row["detail"] for row in answer["rows"]] == ["why", "cut at hunter2", ""]
    assert [message["row"]["id"] for message in sent] == ["c"]


def test_audio_that_is_absent_or_another_is_an_error_row_of_its_own(tmp_path: Path, made: list[StandIn]) -> None:
    """Its neighbours are decoded, and its sentence names worker, file and reason."""
    order = order_of(tmp_path, "a", "b", "c")
    (tmp_path / "a.wav").unlink()
    (tmp_path / "b.wav").write_bytes(b"another")
    answer: Any = work(order, desk_at(tmp_path, []), Pool())
    rows = {row["id"]: row for row in answer["rows"]}
    assert [rows[name]["status"] for name in "abc"] == ["error", "error", "ok"]
    assert rows["a"]["detail"].startswith(f"worker tcp://there: {tmp_path}/a.wav cannot be read (No such file")
    assert f"{tmp_path}/b.wav is another file" in rows["b"]["detail"]


def test_an_engine_that_is_not_the_expected_one_does_not_decode(tmp_path: Path, made: list[StandIn]) -> None:
    """It says who it is instead."""
    sent: list[dict[str, Any]] = []
    answer: Any = work(order_of(tmp_path, "a", expected="another"), desk_at(tmp_path, sent), Pool())
    assert answer["other"]["provenance"]["engine"] == "stand-in"
    assert sent == []


def test_a_kind_that_the_worker_does_not_know_is_refused(tmp_path: Path) -> None:
    """One sentence names worker and kind."""
    answer = work(order_of(tmp_path, "a", kind="of my own"), desk_at(tmp_path, []), Pool())
    assert answer["refused"] == "variant.q8_0: worker tcp://there has no transcriber of kind 'of my own'"


def test_a_program_of_the_gates_folder_cannot_run_from_a_url(tmp_path: Path) -> None:
    """One sentence says to lead to a folder."""
    settings = ExecutorSettings(
        kind="dask", folders={tmp_path: "memory://gate", tmp_path / "model.bin": str(tmp_path / "model.bin")}
    )
    answer = work(order_of(tmp_path, executor=settings, kind="command"), desk_at(tmp_path, []), Pool())
    assert "which cannot be memory://gate; lead to a folder with executor.folders" in str(answer["refused"])


def test_a_shard_that_nobody_wants_is_not_begun(tmp_path: Path, made: list[StandIn]) -> None:
    """No engine is opened for it."""
    assert work(order_of(tmp_path, "a"), desk_at(tmp_path, [], lambda: True), Pool()) == {"stopped": True}
    assert made == []


def test_a_shard_that_nobody_wants_any_more_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its engine is ended at once, and is not kept."""
    engines: list[StandIn] = []
    gone, pool = threading.Event(), Pool()

    def slow() -> None:
        gone.set()
        while not engines[0].interrupted:
            pass

    monkeypatch.setitem(KINDS, "stand-in", stand_in_kind(engines, slow))
    answer = work(order_of(tmp_path, "a"), desk_at(tmp_path, [], gone.is_set), pool)
    assert answer == {"stopped": True}
    assert (engines[0].closed, len(pool)) == (True, 0)


@pytest.mark.parametrize(
    ("resources", "threads", "need", "slots"),
    [
        ({"model": 2}, 4, {"model": 1}, 2),
        ({"model": 2}, 1, {"model": 1}, 1),
        ({"model": 1, "GPU": 4}, 9, {"model": 0.1, "GPU": 1}, 4),
        ({"model": 1}, 9, {"model": 1, "GPU": 1}, 0),
        ({}, 9, {"model": 1}, 0),
        ({"model": 0.9}, 9, {"model": 0.3}, 3),
    ],
)
def test_slots_are_what_resources_and_threads_permit(
    resources: dict[str, float], threads: int, need: dict[str, float], slots: int
) -> None:
    """Every resource that is needed counts, and so does each thread."""
    assert slots_of(resources, threads, need) == slots
