"""Shards on the workers of a Dask cluster: rows stream back as they finish, and are all in the result as well."""

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pytest_asrgate.config import Gate, Variant
from pytest_asrgate.errors import AsrGateError, IntegrityError, TranscriberError
from pytest_asrgate.executors import remote
from pytest_asrgate.executors.alone import BesideTranscriber, ClusterTranscriber
from pytest_asrgate.executors.answers import Answer, answer_of, checked_row
from pytest_asrgate.executors.cluster import Link, check_installed, connect
from pytest_asrgate.executors.local import Opener
from pytest_asrgate.executors.messages import unpacked
from pytest_asrgate.executors.orders import Orders, topic_of
from pytest_asrgate.executors.protocol import Deliver
from pytest_asrgate.executors.turns import Turn
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber

__all__ = ["DaskExecution"]

# How often the cluster is asked for its size, in seconds, and how often while workers are waited for.
_ASK_S = 2.0
_WAIT_S = 0.2
# Shards for each slot: one that runs and one that waits on the same worker, which is then never idle.
_SHARDS_A_SLOT = 2

_Rows = Future[list[Hypothesis]]


@dataclass(eq=False)
class _Shard:
    """A shard on the cluster: who takes its rows, and the texts that came of it by attempt and id.

    `lost` are rows of utterances that were not even sent.
    """

    variant: Variant
    ids: frozenset[str]
    deliver: Deliver
    future: _Rows
    lost: tuple[Hypothesis, ...] = ()
    task: "Future[str] | None" = None
    came: dict[tuple[str, str], str] = field(default_factory=dict)
    delivered: set[str] = field(default_factory=set)


@dataclass
class _Known:
    """What workers said of a variant's engine; `generation` counts the fresh starts that were asked for."""

    identity: Identity | None = None
    generation: int = 0
    findings: dict[str, None] = field(default_factory=dict)


def _unforeseen(what: str, error: Exception) -> IntegrityError:
    said = " ".join(str(error).split())[:300]
    return IntegrityError(f"{what} of the Dask cluster cannot be used ({type(error).__name__}: {said})")


def _failed(link: Link, error: Exception) -> str:
    return link.lost() or f"the Dask cluster takes no work ({type(error).__name__}: {' '.join(str(error).split())})"


class DaskExecution:
    """Submits shards to a Dask cluster; it connects, or starts a cluster of this machine, when one is needed."""

    def __init__(self, gate: Gate, opener: Opener, files: FileHashes) -> None:
        """`opener` makes a variant's transcriber on this machine. EngineMissingError where Dask is absent."""
        check_installed()
        self._gate = gate
        self._settings = gate.executor
        self._opener = opener
        self._run = uuid.uuid4().hex
        self._orders = Orders(gate, files, self._run, here=self.runs_here)
        self._link: Link | None = None
        self._executor: Any = None
        self._turn: Turn | None = None
        self._shards: dict[str, _Shard] = {}
        self._known: dict[str, _Known] = {}
        self._beside: dict[str, BesideTranscriber] = {}
        self._workers: set[str] = set()
        self._slots = 0
        self._asked = self._seen = 0.0
        # What is not there is waited for once, and not again for every pair.
        self._patience_s = gate.executor.wait_s
        self._no_cluster: TranscriberError | None = None
        # Shards come and go in the thread of Dask's client as well.
        self._lock = threading.RLock()

    @property
    def serial(self) -> bool:
        """Never: there is always a message between."""
        return False

    @property
    def runs_here(self) -> bool:
        """Whether the cluster is one of our own, on this machine."""
        return self._settings.address is None and self._settings.cluster is None

    @property
    def workers(self) -> int:
        """How many shards are on the cluster at once; TranscriberError where it has no fitting worker in time."""
        self._connected()
        if time.monotonic() - self._asked > _ASK_S:
            self._ask()
        return max(1, self._slots) * _SHARDS_A_SLOT

    def _ask(self) -> int:
        """Ask the cluster how many slots it has; 0 as well where it does not answer now."""
        if self._link is None:
            return 0
        self._asked = time.monotonic()
        slots = self._link.slots(self._settings.resources)
        if slots is None:
            # It may be busy, and its workers decode; `_seen` ends this in time.
            return 0
        self._slots = slots
        if self._slots:
            self._seen = self._asked
        return self._slots

    def _connected(self) -> Link:
        """The cluster, once it has a worker that offers what a shard needs."""
        settings = self._settings
        if self._no_cluster is not None:
            raise TranscriberError(str(self._no_cluster))
        if self._link is None:
            try:
                self._link = self._opened()
            except TranscriberError as error:
                self._no_cluster = error
                raise
        if not self._slots:
            self._seen = time.monotonic()
            pause = threading.Event()
            while not self._ask():
                self._check_workers(self._link)
                pause.wait(_WAIT_S)
            self._patience_s = settings.wait_s
        return self._link

    def _opened(self) -> Link:
        """A link to the cluster whose events come here; TranscriberError where there is none."""
        settings = self._settings
        link = connect(settings, self._gate.path.parent, self._gate.redact)
        try:
            link.client.subscribe_topic(topic_of(self._run), self._arrived)
            self._executor = link.client.get_executor(
                pure=False, retries=settings.retries, resources=dict(settings.resources)
            )
        except BaseException as error:
            link.close()
            if isinstance(error, Exception):
                raise TranscriberError(self._gate.redact(_failed(link, error))) from error
            raise
        # A cluster that was made for this run is nobody else's.
        if not self.runs_here and getattr(link.client, "cluster", None) is None:
            self._turn = Turn(self._gate.state / "locks", link.address)
        return link

    def _check_workers(self, link: Link) -> None:
        if lost := link.lost():
            raise TranscriberError(lost)
        if time.monotonic() - self._seen > self._patience_s:
            self._patience_s = 0.0
            raise TranscriberError(link.nobody(self._settings.resources, self._settings.wait_s))

    def _of(self, variant: Variant) -> _Known:
        return self._known.setdefault(variant.name, _Known())

    def submit(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> _Rows:
        """Decode a shard on one worker of the cluster.

        On a cluster that is not our own, runs of one state folder take turns: whoever submits waits for the others
        to `interrupt` their pass, and has the cluster until it interrupts its own.
        """
        self.identity(variant)
        self._connected()
        if self._turn is not None:
            self._turn.take(self.check)
        return self._submitted(variant, shard, deliver)

    def _submitted(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> _Rows:
        link, known, number = self._connected(), self._of(variant), uuid.uuid4().hex
        if lost := link.lost():
            raise TranscriberError(lost)
        future: _Rows = Future()
        # It is ours to end, never the caller's to cancel.
        future.set_running_or_notify_cancel()
        audio, lost_rows = self._orders.audio(shard)
        if shard and not audio:
            future.set_result(lost_rows)
            return future
        order = self._orders.order(
            variant,
            audio,
            number=number,
            generation=known.generation,
            expected=None if known.identity is None else known.identity.fingerprint,
        )
        ids = frozenset(str(each["id"]) for each in audio)
        waiting = _Shard(variant, ids, deliver, future, lost=tuple(lost_rows))
        with self._lock:
            self._shards[number] = waiting
        try:
            waiting.task = self._executor.submit(remote.decode, order)
        except BaseException as error:
            with self._lock:
                self._shards.pop(number, None)
            if isinstance(error, Exception):
                raise TranscriberError(
                    self._gate.redact(f"variant.{variant.name}: {_failed(link, error)}")
                ) from error
            raise
        waiting.task.add_done_callback(partial(self._finished, number))
        return future

    def _arrived(self, event: tuple[float, object]) -> None:
        """A row that a worker finished; in the thread of Dask's client."""
        number = ""
        try:
            message = unpacked(event[1])
            number = str(message.get("shard"))
            with self._lock:
                shard = self._shards.get(number)
                # What comes after its shard has ended was in the result as well.
                if shard is not None:
                    self._deliver(shard, message)
        except IntegrityError as error:
            self._end(number, error)
        except Exception as error:  # noqa: BLE001 - nobody would hear of it in this thread, and wait for ever
            self._end(number, _unforeseen("a row", error))

    def _deliver(self, shard: _Shard, message: Mapping[str, object]) -> None:
        row = checked_row(message.get("row"), shard.ids, self._gate.redact)
        attempt = str(message.get("attempt"))
        if shard.came.setdefault((attempt, row.id), row.text) != row.text:
            raise IntegrityError(f"{message.get('worker')} sent two different rows for {row.id!r}")
        # Another attempt may do better, and the result of the one that finished has it.
        if row.status is RowStatus.ERROR:
            return
        # A worker that was lost may have sent it already.
        if row.id not in shard.delivered:
            shard.delivered.add(row.id)
            shard.deliver(row)

    def _finished(self, number: str, task: "Future[str]") -> None:
        """A task ended; in the thread of Dask's client."""
        shard = self._shards.get(number)
        if shard is None:
            return
        known = self._of(shard.variant)
        try:
            answer = answer_of(task.result, shard.ids, known.identity, self._gate.redact)
            self._note(known, answer)
        except CancelledError:
            lost = self._link.lost() if self._link is not None else ""
            self._end(number, TranscriberError(lost or "the Dask cluster gave up this run's shards"))
        except AsrGateError as error:
            self._end(number, error)
        except Exception as error:  # noqa: BLE001 - as where a row arrives
            self._end(number, _unforeseen("an answer", error))
        else:
            self._end(number, [*shard.lost, *answer.rows])

    def _end(self, number: str, result: list[Hypothesis] | AsrGateError) -> None:
        """Give a shard's future its result, once; nothing for one that has ended."""
        with self._lock:
            shard = self._shards.pop(number, None)
        if shard is None:
            return
        if isinstance(result, list):
            shard.future.set_result(result)
            return
        name = f"variant.{shard.variant.name}"
        # What was not foreseen was not redacted either.
        text = self._gate.redact(str(result))
        shard.future.set_exception(type(result)(text if text.startswith(name) else f"{name}: {text}"))
        self._cancel([shard])

    def _note(self, known: _Known, answer: Answer) -> None:
        with self._lock:
            self._workers.add(answer.worker)
            # An engine that ran says more of itself than its files do.
            if known.identity is None or (known.identity.load_ms is None and answer.identity.load_ms is not None):
                known.identity = answer.identity
            known.findings |= dict.fromkeys(answer.findings)

    def single(self, variant: Variant, *, beside: bool = False) -> Transcriber:
        """One engine of the cluster, for what must be decoded in order; `beside` an engine of this machine."""
        if not beside:
            return ClusterTranscriber(self, variant)
        if variant.name not in self._beside:
            self._beside[variant.name] = BesideTranscriber(self, variant, self._opener)
        return self._beside[variant.name]

    def identity(self, variant: Variant) -> Identity:
        """From files where the cluster is our own and these tell, else from one worker, which may have to load."""
        known = self._of(variant)
        if known.identity is None and self.runs_here:
            here = self._opener(variant)
            if not here.loads_to_identify:
                known.identity = here.identity()
        if known.identity is None:
            self._wait(self._submitted(variant, (), lambda _: None))
            assert known.identity is not None  # noqa: S101 - noted before its future ended; tells mypy
        return known.identity

    def _wait(self, future: _Rows) -> None:
        """Wait for a result that is not needed."""
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    future.result(timeout=_ASK_S)
                    return
                self.check()
        except BaseException:
            if not future.done():
                self.interrupt()
            raise

    def findings(self, variant: Variant) -> tuple[str, ...]:
        """Warnings of all engines of the variant, each once."""
        with self._lock:
            return tuple(self._of(variant).findings)

    def check(self) -> None:
        """TranscriberError where the scheduler is gone, or all fitting workers for longer than `wait_s`."""
        if self._link is not None and not self._ask():
            self._check_workers(self._link)

    def _cancel(self, shards: Sequence[_Shard]) -> None:
        """Have the cluster forget these; a worker that decodes one sees it soon, and stops."""
        tasks = [shard.task for shard in shards if shard.task is not None and not shard.task.done()]
        if tasks:
            self._aside(lambda: [task.cancel() for task in tasks])

    def _aside(self, call: Callable[[], object], wait_s: float = 0.5) -> None:
        """Call in a thread, since a cluster that is gone answers late; wait for it this long at most."""

        def quietly() -> None:
            with contextlib.suppress(Exception):
                call()

        thread = threading.Thread(target=quietly, name="asrgate-dask", daemon=True)
        thread.start()
        # The thread of Dask's client must not wait for itself.
        if threading.current_thread() is threading.main_thread():
            thread.join(wait_s)

    def interrupt(self) -> None:
        """Take every shard back: those that wait are forgotten, those that run are stopped by their workers."""
        with self._lock:
            shards, self._shards = [*self._shards.values()], {}
        for shard in shards:
            shard.future.set_exception(TranscriberError("the run was interrupted"))
        self._cancel(shards)
        self._yield_turn()

    def _yield_turn(self) -> None:
        if self._turn is not None:
            self._turn.give_back()

    def release(self, variant: Variant | None = None) -> None:
        """Have workers end their idle engines of a variant, or all of ours; the next shard starts a fresh one."""
        if variant is None:
            # Who waits for another process must not keep it from the cluster.
            self._yield_turn()
        names = [*self._known] if variant is None else [variant.name]
        with self._lock:
            for name in names:
                self._known.setdefault(name, _Known()).generation += 1
            generations = {name: self._known[name].generation for name in names}
            link, workers = self._link, frozenset(self._workers)
        for name in names:
            # Whoever asked for one before it was released may still use it, and start it again.
            if name in self._beside:
                self._beside[name].close()
        if link is not None and workers and generations:

            def ask() -> None:
                there = sorted(workers & (link.workers() or {}).keys())
                if there:
                    link.client.run(remote.release, self._run, generations, workers=there, on_error="ignore")

            self._aside(ask)

    def close(self) -> None:
        """End everything, also the cluster where it was opened for us."""
        self.interrupt()
        self.release()
        link, self._link, self._executor, self._slots = self._link, None, None, 0
        self._workers.clear()
        if link is not None:
            link.close()
        # A factory's workers may be threads of this process, and nobody asks them any more.
        remote.release(self._run, {name: known.generation for name, known in self._known.items()})
