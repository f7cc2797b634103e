"""What the controller makes of a cluster, which is a stand-in here: no Dask is needed."""

import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_asrgate.config import ExecutorSettings
from pytest_asrgate.errors import EngineMissingError, IntegrityError, TranscriberError
from pytest_asrgate.executors import dask, remote
from pytest_asrgate.executors.dask import DaskExecution
from pytest_asrgate.executors.messages import identity_fields, packed, row_fields
from pytest_asrgate.executors.pool import EngineKey
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.registry import KINDS
from tests.unit.cluster_stand_ins import StandIn, clips, small_gate, stand_in_kind, variant_of

IDENTITY = Identity("print", {"engine": "stand-in"})
WORKER = "tcp://there"


class _Cluster:
    """A link whose tasks are ended by the test; it has `slots`, and is lost where `gone` says so."""

    def __init__(self) -> None:
        self.address = "tcp://scheduler"
        self.size: int | None = 1
        self.gone = ""
        self.closed = False
        self.orders: list[dict[str, Any]] = []
        self.tasks: list[Future[str]] = []
        self.released: list[tuple[Mapping[str, int], list[str]]] = []
        self.heard: Callable[[tuple[float, object]], None] = lambda _: None
        self.client = SimpleNamespace(
            subscribe_topic=lambda _, handler: setattr(self, "heard", handler),
            get_executor=lambda **_: SimpleNamespace(submit=self._submit),
            run=self._run,
        )

    def _submit(self, function: object, order: dict[str, Any]) -> "Future[str]":
        self.orders.append(order)
        self.tasks.append(Future())
        return self.tasks[-1]

    def _run(
        self, function: object, run: str, generations: Mapping[str, int], *, workers: list[str], on_error: str
    ) -> None:
        self.released.append((generations, workers))

    def workers(self) -> Mapping[str, object]:
        return {WORKER: {}}

    def slots(self, need: Mapping[str, float]) -> int | None:
        return self.size

    def lost(self) -> str:
        return self.gone

    def nobody(self, need: Mapping[str, float], waited_s: float) -> str:
        return f"nobody within {waited_s:g} s"

    def close(self) -> None:
        self.closed = True

    def tell(self, row: Hypothesis, attempt: str = "first") -> None:
        """Send a row of the last order, as a worker does."""
        message = {"shard": self.orders[-1]["shard"], "worker": WORKER, "attempt": attempt, "row": row_fields(row)}
        self.heard((0.0, packed(message)))

    def end(self, *rows: Hypothesis, identity: Identity = IDENTITY) -> None:
        """End the last task with these rows."""
        answer = {"worker": WORKER, "rows": [row_fields(row) for row in rows], "findings": []}
        self.tasks[-1].set_result(packed({**answer, "identity": identity_fields(identity)}))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> _Cluster:
    """What `connect` gives."""
    made = _Cluster()
    monkeypatch.setattr(dask, "check_installed", lambda: None)
    monkeypatch.setattr(dask, "connect", lambda *_: made)
    monkeypatch.setitem(KINDS, "stand-in", stand_in_kind([]))
    return made


def _execution(folder: Path, **settings: Any) -> DaskExecution:
    executor = ExecutorSettings(kind="dask", **{"address": "tcp://scheduler", "wait_s": 0.01, **settings})
    return DaskExecution(small_gate(folder, executor), lambda _: StandIn(IDENTITY), FileHashes())


def _identified(folder: Path, cluster: _Cluster, **settings: Any) -> DaskExecution:
    """An execution that knows already who decodes."""
    execution, before = _execution(folder, **settings), len(cluster.tasks)
    answering = threading.Thread(target=lambda: (_until(lambda: len(cluster.tasks) > before), cluster.end()))
    answering.start()
    assert execution.identity(variant_of(folder)) == IDENTITY
    answering.join()
    return execution


def _until(condition: Callable[[], object]) -> None:
    pause = threading.Event()
    while not condition():
        pause.wait(0.01)


def test_the_cluster_says_who_decodes_and_shards_carry_it(tmp_path: Path, cluster: _Cluster) -> None:
    """One order without utterances asks, for any engine; those after it expect that one."""
    execution = _identified(tmp_path, cluster)
    execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    asked, shard = cluster.orders
    assert (asked["expected"], asked["utterances"]) == (None, [])
    assert shard["expected"] == "print"


def test_a_cluster_of_our_own_is_not_started_to_identify(tmp_path: Path, cluster: _Cluster) -> None:
    """Files tell, and they are the same for its workers."""
    execution = _execution(tmp_path, address=None)
    assert execution.identity(variant_of(tmp_path)) == IDENTITY
    assert cluster.orders == []


def test_rows_are_delivered_once_and_are_all_in_the_result(tmp_path: Path, cluster: _Cluster) -> None:
    """As they come, whoever sends them again, and also those whose message was lost."""
    execution, came = _identified(tmp_path, cluster), []
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a", "b", "c"), came.append)
    a, b, c = (Hypothesis(name, name) for name in "abc")
    cluster.tell(a)
    cluster.tell(a, attempt="second")
    cluster.tell(b, attempt="second")
    assert came == [a, b]
    cluster.end(a, b, c)
    assert future.result() == [a, b, c]
    # Too late to be of use, and no reason to fail.
    cluster.tell(c)
    assert came == [a, b]


@pytest.mark.parametrize(
    "second", [Hypothesis("b", "of another shard"), Hypothesis("a", "another text")], ids=["id", "text"]
)
def test_a_row_that_cannot_be_right_ends_its_shard(tmp_path: Path, cluster: _Cluster, second: Hypothesis) -> None:
    """A strange id, and a second text from the same attempt; the task is taken back."""
    execution = _identified(tmp_path, cluster)
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    cluster.tell(Hypothesis("a", "text"))
    cluster.tell(second)
    with pytest.raises(IntegrityError, match=r"^variant\.q8_0: .*sent"):
        future.result(timeout=0)
    _until(cluster.tasks[-1].cancelled)


@pytest.mark.parametrize("message", [None, 3, "no json", "[]", "{}", json.dumps({"shard": "of another run"})])
def test_a_message_that_belongs_to_nobody_changes_nothing(
    tmp_path: Path, cluster: _Cluster, message: object
) -> None:
    """Anybody may publish on a cluster."""
    execution = _identified(tmp_path, cluster)
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    cluster.heard((0.0, message))
    assert not future.done()
    cluster.end(Hypothesis("a", "text"))
    assert future.result(timeout=0) == [Hypothesis("a", "text")]


@pytest.mark.parametrize("event", [(), None, 3, (0.0,)])
def test_an_event_that_is_none_ends_nothing(tmp_path: Path, cluster: _Cluster, event: Any) -> None:
    """Nothing is raised in the thread of Dask's client."""
    execution = _identified(tmp_path, cluster)
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    cluster.heard(event)
    cluster.end(Hypothesis("a", "text"))
    assert future.result(timeout=0) == [Hypothesis("a", "text")]


def test_a_fault_in_dasks_thread_ends_the_shard_and_names_its_kind(tmp_path: Path, cluster: _Cluster) -> None:
    """Whether a row or the answer met it: nobody would wait for ever."""

    def fail(_: object) -> None:
        raise ZeroDivisionError("of somebody")

    execution = _identified(tmp_path, cluster)
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), fail)
    cluster.tell(Hypothesis("a", "text"))
    with pytest.raises(IntegrityError, match=r"^variant\.q8_0: .*ZeroDivisionError: of somebody"):
        future.result(timeout=0)


def test_an_answer_nested_without_end_ends_its_shard(tmp_path: Path, cluster: _Cluster) -> None:
    """It is refused before anything follows it down."""
    execution = _identified(tmp_path, cluster)
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    nested: object = 1
    for _ in range(600):
        nested = [nested]
    cluster.end(Hypothesis("a", "text"), identity=Identity("print", {"engine": nested}))
    with pytest.raises(IntegrityError, match="no message"):
        future.result(timeout=0)


def test_a_fault_while_an_answer_is_read_ends_its_shard(
    tmp_path: Path, cluster: _Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it is."""

    def fail(*_: object) -> None:
        raise RecursionError("too deep")

    execution = _identified(tmp_path, cluster)
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    monkeypatch.setattr(dask, "answer_of", fail)
    cluster.end(Hypothesis("a", "text"))
    with pytest.raises(IntegrityError, match=r"RecursionError: too deep"):
        future.result(timeout=0)


def test_an_error_row_counts_only_in_the_result(tmp_path: Path, cluster: _Cluster) -> None:
    """A worker that dies may have said that an utterance failed, before another does its shard well."""
    execution, came = _identified(tmp_path, cluster), []
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), came.append)
    cluster.tell(Hypothesis("a", "", RowStatus.ERROR, "the engine died"))
    assert came == []
    cluster.tell(Hypothesis("a", "text"), attempt="second")
    cluster.end(Hypothesis("a", "text"))
    assert came == future.result(timeout=0) == [Hypothesis("a", "text")]


def test_audio_that_vanished_is_an_error_row_and_the_rest_is_decoded(tmp_path: Path, cluster: _Cluster) -> None:
    """As on this machine; where all of it vanished nobody is asked."""
    execution = _identified(tmp_path, cluster)
    shard = clips(tmp_path, "a", "b")
    shard[0].audio.unlink()
    future = execution.submit(variant_of(tmp_path), shard, lambda _: None)
    assert [item["id"] for item in cluster.orders[-1]["utterances"]] == ["b"]
    cluster.end(Hypothesis("b", "text"))
    lost = Hypothesis("a", "", RowStatus.ERROR, f"{tmp_path}/a.wav: no such audio file")
    assert future.result(timeout=0) == [lost, Hypothesis("b", "text")]
    asked = len(cluster.orders)
    assert execution.submit(variant_of(tmp_path), shard[:1], lambda _: None).result(timeout=0) == [lost]
    assert len(cluster.orders) == asked


def test_a_scheduler_that_is_silent_is_waited_for(tmp_path: Path, cluster: _Cluster) -> None:
    """Its workers may decode all the while; after `wait_s` it is taken to be away."""
    execution = _identified(tmp_path, cluster, wait_s=0.2)
    cluster.size = None
    execution.check()
    assert execution.workers == 2
    with pytest.raises(TranscriberError, match=r"nobody within 0\.2 s"):
        _until(execution.check)


def test_runs_of_one_state_folder_take_turns_on_a_cluster(tmp_path: Path, cluster: _Cluster) -> None:
    """Two that decode at once would have every worker load the other's model at each shard."""
    first, second = _identified(tmp_path, cluster), _identified(tmp_path, cluster)
    first.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    before = len(cluster.tasks)
    waiting = threading.Thread(
        target=second.submit, args=(variant_of(tmp_path), clips(tmp_path, "b"), lambda _: None)
    )
    waiting.start()
    waiting.join(0.3)
    assert len(cluster.tasks) == before
    # A shard of the same pass does not wait.
    first.submit(variant_of(tmp_path), clips(tmp_path, "c"), lambda _: None)
    first.interrupt()
    waiting.join(30)
    assert len(cluster.tasks) == before + 2
    second.release()
    # Who gives up its engines gives up its turn.
    first.submit(variant_of(tmp_path), clips(tmp_path, "d"), lambda _: None)
    assert len(cluster.tasks) == before + 3
    first.close()


def test_a_single_engine_gives_its_turn_back(tmp_path: Path, cluster: _Cluster) -> None:
    """Also where all went well."""
    first, second = _identified(tmp_path, cluster), _identified(tmp_path, cluster)
    before = len(cluster.tasks)
    answering = threading.Thread(
        target=lambda: (_until(lambda: len(cluster.tasks) > before), cluster.end(Hypothesis("a", "text")))
    )
    answering.start()
    rows = list(first.single(variant_of(tmp_path)).transcribe(clips(tmp_path, "a")))
    answering.join()
    assert rows == [Hypothesis("a", "text")]
    second.submit(variant_of(tmp_path), clips(tmp_path, "b"), lambda _: None)
    assert len(cluster.tasks) == before + 2


def test_a_client_that_takes_no_shard_is_one_sentence(tmp_path: Path, cluster: _Cluster) -> None:
    """And no shard is left that would be waited for."""
    execution = _identified(tmp_path, cluster)

    def fail(*_: object) -> None:
        raise RuntimeError("the client is closed")

    execution._executor = SimpleNamespace(submit=fail)  # as a client that closes in this moment
    with pytest.raises(TranscriberError, match=r"RuntimeError: the client is closed"):
        execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    assert execution._shards == {}


def test_an_interrupt_ends_every_shard_and_others_may_follow(tmp_path: Path, cluster: _Cluster) -> None:
    """Their futures fail, and their tasks are taken back."""
    execution = _identified(tmp_path, cluster)
    futures = [execution.submit(variant_of(tmp_path), clips(tmp_path, name), lambda _: None) for name in "ab"]
    execution.interrupt()
    for future in futures:
        with pytest.raises(TranscriberError, match="the run was interrupted"):
            future.result(timeout=0)
    _until(lambda: all(task.cancelled() for task in cluster.tasks[1:]))
    following = execution.submit(variant_of(tmp_path), clips(tmp_path, "c"), lambda _: None)
    cluster.end(Hypothesis("c", "text"))
    assert following.result(timeout=0) == [Hypothesis("c", "text")]


def test_a_task_that_the_cluster_gave_up_is_one_sentence(tmp_path: Path, cluster: _Cluster) -> None:
    """Where the scheduler is gone, the sentence says so."""
    execution = _identified(tmp_path, cluster)
    future = execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    cluster.gone = "the scheduler is gone"
    cluster.tasks[-1].cancel()
    with pytest.raises(TranscriberError, match="the scheduler is gone"):
        future.result(timeout=0)
    with pytest.raises(TranscriberError, match="the scheduler is gone"):
        execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)


def test_a_release_asks_workers_and_makes_the_next_engine_a_fresh_one(tmp_path: Path, cluster: _Cluster) -> None:
    """Also where the request came too late: the next order says which start it wants."""
    execution = _identified(tmp_path, cluster)
    execution.release(variant_of(tmp_path))
    _until(lambda: cluster.released)
    assert cluster.released == [({"q8_0": 1}, [WORKER])]
    execution.submit(variant_of(tmp_path), clips(tmp_path, "a"), lambda _: None)
    assert [order["generation"] for order in cluster.orders] == [0, 1]


def test_workers_that_do_not_come_are_waited_for_once(tmp_path: Path, cluster: _Cluster) -> None:
    """Every pair after the first fails at once, until somebody is there."""
    cluster.size = 0
    execution = _execution(tmp_path, wait_s=0.3)
    for _ in range(2):
        with pytest.raises(TranscriberError, match=r"nobody within 0\.3 s"):
            _ = execution.workers
    cluster.size = 3
    assert execution.workers == 6


def test_workers_that_are_lost_are_waited_for(tmp_path: Path, cluster: _Cluster) -> None:
    """`check` is content until `wait_s` is over."""
    execution = _identified(tmp_path, cluster, wait_s=0.2)
    cluster.size = 0
    execution.check()
    with pytest.raises(TranscriberError, match=r"nobody within 0\.2 s"):
        _until(execution.check)


def test_a_cluster_that_cannot_be_reached_is_not_tried_again(
    tmp_path: Path, cluster: _Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No second batch job is sent to a queue for the next pair."""
    tried: list[int] = []

    def connect(*_: object) -> None:
        tried.append(1)
        raise TranscriberError("no scheduler")

    monkeypatch.setattr(dask, "connect", connect)
    execution = _execution(tmp_path)
    for _ in range(2):
        with pytest.raises(TranscriberError, match="no scheduler"):
            _ = execution.workers
    assert tried == [1]


def test_a_client_that_can_do_nothing_is_closed_and_not_tried_again(
    tmp_path: Path, cluster: _Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that closed in the moment it was made."""
    tried: list[int] = []

    def fail(**_: object) -> None:
        tried.append(1)
        raise RuntimeError("this client is closed")

    cluster.client.get_executor = fail
    execution = _execution(tmp_path)
    for _ in range(2):
        with pytest.raises(TranscriberError, match="RuntimeError: this client is closed"):
            _ = execution.workers
    assert (tried, cluster.closed) == ([1], True)


def test_the_probe_beside_needs_the_same_engine_here(tmp_path: Path, cluster: _Cluster) -> None:
    """Figures of another engine would be stamped with the variant's name."""
    execution = _identified(tmp_path, cluster)
    engines = [StandIn(IDENTITY), StandIn(Identity("another", {}))]  # the second as another machine would have
    execution._opener = lambda _: engines.pop(0)
    here = execution.single(variant_of(tmp_path), beside=True)
    assert [row.text for row in here.transcribe(clips(tmp_path, "a"))] == ["a"]
    execution.release()
    with pytest.raises(TranscriberError, match="the latency probe runs on this machine, whose engine is another"):
        list(execution.single(variant_of(tmp_path), beside=True).transcribe(clips(tmp_path, "a")))


def test_a_probe_that_was_released_before_it_began_is_ended_after_it(tmp_path: Path, cluster: _Cluster) -> None:
    """What runs beside a probe is ended first, and the probe's own engine afterwards."""
    execution = _identified(tmp_path, cluster)
    engine = StandIn(IDENTITY)
    execution._opener = lambda _: engine  # the one that this machine has
    beside = execution.single(variant_of(tmp_path), beside=True)
    execution.release()
    assert [row.text for row in beside.transcribe(clips(tmp_path, "a"))] == ["a"]
    closed = engine.closed
    execution.release()
    assert (closed, engine.closed) == (False, True)


def test_the_probe_beside_needs_an_engine_here(tmp_path: Path, cluster: _Cluster) -> None:
    """The sentence says why the cluster's do not do."""

    class Absent(StandIn):
        def identity(self) -> Identity:
            raise EngineMissingError("the engine is not installed")

    execution = _identified(tmp_path, cluster)
    execution._opener = lambda _: Absent(IDENTITY)  # a controller without the engine
    with pytest.raises(EngineMissingError, match="not installed; the latency probe runs on this machine"):
        list(execution.single(variant_of(tmp_path), beside=True).transcribe(clips(tmp_path, "a")))


def test_close_leaves_the_cluster(tmp_path: Path, cluster: _Cluster) -> None:
    """Twice is fine."""
    execution = _identified(tmp_path, cluster)
    execution.close()
    execution.close()
    assert cluster.closed


def test_close_ends_engines_of_workers_that_are_threads_here(tmp_path: Path, cluster: _Cluster) -> None:
    """A cluster of this process that does not answer in time leaves no engine behind; those of other runs stay."""
    execution = _identified(tmp_path, cluster)
    name = variant_of(tmp_path).name
    kept, ended = StandIn(IDENTITY), StandIn(IDENTITY)
    pool = remote._ENGINES
    for run, engine in (("another run", kept), (cluster.orders[0]["run"], ended)):
        with pool.engine(EngineKey(run, name), 2, lambda engine=engine: engine, lambda: None):
            pass
    execution.close()
    assert ended.closed
    assert not kept.closed
    pool.release("another run", {name: 1})
