"""Rows of one variant from many shards."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pytest_asrgate.config import TranscriberSettings, Variant
from pytest_asrgate.errors import IntegrityError, TranscriberError
from pytest_asrgate.executors.protocol import Deliver, Execution
from pytest_asrgate.executors.sharded import ShardedTranscriber
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.rows import error_row, not_tried

VARIANT = Variant(
    "q8_0", TranscriberSettings("native", "command", "cpu", 60.0, 4000, {}), model=None, make=None, baseline=None
)
UTTERANCES = [Utterance(f"u{number}", Path("none.wav"), "", language="en", duration_s=1.0) for number in range(40)]

Decode = Callable[[Sequence[Utterance], Deliver], list[Hypothesis]]


def _decode(shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
    rows = [Hypothesis(utterance.id, f"text of {utterance.id}") for utterance in shard]
    for row in rows:
        deliver(row)
    return rows


@dataclass
class Threads(Execution):
    """An execution of threads that does with a shard what a test wants."""

    decode: Decode = _decode
    workers: int = 2
    serial: bool = False
    runs_here: bool = True
    shards: list[list[str]] = field(default_factory=list)
    interrupted: int = 0
    running: int = 0
    most: int = 0

    def __post_init__(self) -> None:
        self.pool = ThreadPoolExecutor(8)
        self.lock = threading.Lock()

    def _run(self, shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        try:
            return self.decode(shard, deliver)
        finally:
            with self.lock:
                self.running -= 1

    def submit(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> Future[list[Hypothesis]]:
        self.shards.append([utterance.id for utterance in shard])
        return self.pool.submit(self._run, shard, deliver)

    def single(self, variant: Variant, *, beside: bool = False) -> Transcriber:
        raise AssertionError("not asked for here")

    def identity(self, variant: Variant) -> Identity:
        return Identity("print", {})

    def findings(self, variant: Variant) -> tuple[str, ...]:
        return ("[warn] one",)

    def check(self) -> None:
        raise TranscriberError("all workers are gone")

    def interrupt(self) -> None:
        self.interrupted += 1

    def release(self, variant: Variant | None = None) -> None:
        pass

    def close(self) -> None:
        pass


def _sharded(execution: Execution) -> ShardedTranscriber:
    return ShardedTranscriber(execution, VARIANT, batch_size=1, speed=lambda _: 1.0)


def test_all_rows_come_once() -> None:
    """Every utterance gets its own row, and never more shards run than there are workers."""
    execution = Threads()
    rows = [*_sharded(execution).transcribe(UTTERANCES)]
    assert {row.id: row.text for row in rows} == {u.id: f"text of {u.id}" for u in UTTERANCES}
    assert len(rows) == len(UTTERANCES)
    assert len(execution.shards) > 2
    assert execution.most <= 2
    assert execution.interrupted == 1


def test_rows_come_before_their_shard_is_done() -> None:
    """A row can be stored while its shard still runs."""
    go_on = threading.Event()

    def decode(shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
        rows = _decode(shard, deliver)
        assert go_on.wait(30)
        return rows

    rows = _sharded(Threads(decode)).transcribe(UTTERANCES)
    assert next(rows).text.startswith("text of")
    go_on.set()
    assert len([*rows]) == len(UTTERANCES) - 1


def test_rows_that_were_not_delivered_are_in_the_result_and_doubled_ones_count_once() -> None:
    """A message that never came loses nothing; a shard that was done twice adds nothing: its first row stands."""

    def decode(shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
        deliver(Hypothesis(shard[0].id, "first"))
        deliver(Hypothesis(shard[0].id, "second"))
        return [Hypothesis(utterance.id, "later") for utterance in shard]

    execution = Threads(decode)
    rows = [*_sharded(execution).transcribe(UTTERANCES)]
    assert sorted(row.id for row in rows) == sorted(u.id for u in UTTERANCES)
    first = {shard[0] for shard in execution.shards}
    assert all(row.text == ("first" if row.id in first else "later") for row in rows)


def test_a_shard_without_one_of_its_rows_is_no_result() -> None:
    """IntegrityError names what is missing, and the other shards are ended."""
    execution = Threads(lambda shard, deliver: _decode(shard[1:], deliver))
    with pytest.raises(IntegrityError, match=r"variant\.q8_0: no row came for 'u\d+'"):
        [*_sharded(execution).transcribe(UTTERANCES)]
    assert execution.interrupted == 1


def test_an_engine_that_cannot_be_used_ends_all() -> None:
    """What a shard raises is raised, after the rows that came before it."""

    def decode(shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
        if shard[0].id != "u0":
            raise TranscriberError("this device is another")
        return _decode(shard, deliver)

    execution = Threads(decode)
    with pytest.raises(TranscriberError, match="this device is another"):
        [*_sharded(execution).transcribe(UTTERANCES)]
    assert execution.interrupted == 1


def _crashing(bad: set[str]) -> Decode:
    """As an engine does that crashes at these and gives up after five in a row."""

    def decode(shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
        rows: list[Hypothesis] = []
        for utterance in shard:
            if len(rows) >= 5 and all(row.status is RowStatus.ERROR for row in rows[-5:]):
                rows.append(not_tried(utterance, "the engine failed 5 times in a row before"))
            elif utterance.id in bad:
                rows.append(error_row(utterance, "crashed"))
            else:
                rows.append(Hypothesis(utterance.id, "text"))
        return rows

    return decode


def test_a_broken_engine_is_given_up_soon() -> None:
    """Where nothing succeeds, what is left is tried once more and then becomes rows that say so."""
    execution = Threads(_crashing({u.id for u in UTTERANCES}))
    rows = [*_sharded(execution).transcribe(UTTERANCES)]
    assert {row.id for row in rows} == {u.id for u in UTTERANCES}
    assert all(row.status is RowStatus.ERROR for row in rows)
    assert len(execution.shards) <= 6
    assert any(row.detail.startswith("not tried: ") for row in rows)


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "bad", [range(5), range(8, 13), range(8, 20), range(35, 40), [*range(7), 20, *range(30, 38)]]
)
def test_bad_neighbours_cost_themselves_alone(workers: int, bad: Sequence[int]) -> None:
    """Whatever the number of workers, so wherever shards are cut, the same utterances fail."""
    wrong = {f"u{number}" for number in bad}
    rows = [*_sharded(Threads(_crashing(wrong), workers=workers)).transcribe(UTTERANCES)]
    assert len(rows) == len(UTTERANCES)
    assert {row.id for row in rows if row.status is RowStatus.ERROR} == wrong


def test_a_row_that_was_not_asked_for_is_refused() -> None:
    """A shard with a stranger's row, or with two of one utterance, is no result."""
    for extra in (Hypothesis("stranger", ""), Hypothesis("u0", "again")):

        def decode(shard: Sequence[Utterance], deliver: Deliver, extra: Hypothesis = extra) -> list[Hypothesis]:
            return [*_decode(shard, deliver), extra]

        with pytest.raises(IntegrityError, match=f"a row for '{extra.id}', which was not asked for"):
            [*_sharded(Threads(decode)).transcribe(UTTERANCES)]


def test_who_stops_listening_ends_the_shards() -> None:
    """Closing the iterator interrupts what runs, as Ctrl-C does."""
    execution = Threads()
    rows = _sharded(execution).transcribe(UTTERANCES)
    next(rows)
    rows.close()  # type: ignore[attr-defined] # a generator
    assert execution.interrupted == 1


def test_silence_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """While nothing arrives the execution is asked whether anybody is left."""
    monkeypatch.setattr("pytest_asrgate.executors.arrivals._LOOK_S", 0.05)
    gone = threading.Event()

    def decode(shard: Sequence[Utterance], deliver: Deliver) -> list[Hypothesis]:
        gone.wait(30)
        return []

    with pytest.raises(TranscriberError, match="all workers are gone"):
        [*_sharded(Threads(decode)).transcribe(UTTERANCES)]
    gone.set()
