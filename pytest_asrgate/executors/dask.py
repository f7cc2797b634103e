"""Shards on the workers of a Dask cluster: rows stream back as they finish, and are all in the result as well."""

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from pytest_asrgate import __version__
from pytest_asrgate.config import Gate, Variant
from pytest_asrgate.errors import (
    AsrGateError,
    EngineMissingError,
    IntegrityError,
    ModelError,
    TranscriberError,
)
from pytest_asrgate.executors import remote
from pytest_asrgate.executors.alone import BesideTranscriber, ClusterTranscriber
from pytest_asrgate.executors.cluster import Link, check_installed, connect
from pytest_asrgate.executors.folders import place_there
from pytest_asrgate.executors.local import Opener
from pytest_asrgate.executors.messages import identity_of, redacted_deeply, row_of, unpacked
from pytest_asrgate.executors.protocol import Deliver
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber

__all__ = ["DaskExecution"]

# How often the cluster is asked for its size, in seconds, and how often while workers are waited for.
_ASK_S = 2.0
_WAIT_S = 0.2
# Shards for each slot: one that runs and one that waits on the same worker, which is then never idle.
_SHARDS_A_SLOT = 2
_REFUSALS: Mapping[str, type[TranscriberError]] = {
    "EngineMissingError": EngineMissingError,
    "ModelError": ModelError,
}

_Rows = Future[list[Hypothesis]]


@dataclass(eq=False)
class _Shard:
    """A shard on the cluster: who takes its rows, and what came of it by worker and id."""

    variant: Variant
    ids: frozenset[str]
    deliver: Deliver
    future: _Rows
    task: "Future[str] | None" = None
    came: dict[tuple[str, str], str] = field(default_factory=dict)
    delivered: set[str] = field(default_factory=set)


@dataclass
class _Known:
    """What workers said of a variant's engine."""

    identity: Identity | None = None
    generation: int = 0
    findings: dict[str, None] = field(default_factory=dict)


class DaskExecution:
    """Submits shards to a Dask cluster; it connects, or starts a cluster of this machine, when one is needed."""

    def __init__(self, gate: Gate, opener: Opener, files: FileHashes) -> None:
        """EngineMissingError where Dask is not installed. `opener` makes a variant's transcriber on this machine."""
        check_installed()
        self._gate = gate
        self._settings = gate.executor
        self._opener = opener
        self._files = files
        self._run = uuid.uuid4().hex
        self._link: Link | None = None
        self._executor: Any = None
        self._shards: dict[str, _Shard] = {}
        self._known: dict[str, _Known] = {}
        self._beside: dict[str, Transcriber] = {}
        self._workers: set[str] = set()
        self._slots = 0
        self._asked = self._seen = 0.0
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

    def _topic(self) -> str:
        return f"asrgate-{self._run}"

    def _ask(self) -> int:
        """Ask the cluster for its size."""
        if self._link is None:
            return 0
        self._asked = time.monotonic()
        self._slots = self._link.slots(self._settings.resources)
        if self._slots:
            self._seen = self._asked
        return self._slots

    def _connected(self) -> Link:
        """The cluster, with at least one worker that offers what a shard needs."""
        if self._link is None:
            settings = self._settings
            self._link = connect(settings, self._gate.path.parent)
            self._link.client.subscribe_topic(self._topic(), self._arrived)
            self._executor = self._link.client.get_executor(
                pure=False, retries=settings.retries, resources=dict(settings.resources)
            )
            self._seen = time.monotonic()
            pause = threading.Event()
            while not self._ask():
                if time.monotonic() - self._seen > settings.wait_s:
                    raise TranscriberError(self._nobody())
                pause.wait(_WAIT_S)
                if lost := self._link.lost():
                    raise TranscriberError(lost)
        return self._link

    def _nobody(self) -> str:
        assert self._link is not None  # noqa: S101 - asked of a cluster only; tells mypy
        settings = self._settings
        need = " ".join(f"{name}={amount:g}" for name, amount in sorted(settings.resources.items()))
        count = len(self._link.workers())
        there = f"none of its {count} workers offers" if count else "it has no worker, so none offers"
        return (
            f"executor: the Dask cluster at {self._link.address} decodes nothing: {there} {need} (waited for "
            f'{settings.wait_s:g} s); start one with: dask worker {self._link.address} --resources "{need}"'
        )

    def _of(self, variant: Variant) -> _Known:
        return self._known.setdefault(variant.name, _Known())

    def _place(self, variant: Variant, utterance: Utterance) -> dict[str, object]:
        try:
            sha256 = self._files.sha256(utterance.audio)
        except OSError as error:
            raise TranscriberError(
                f"variant.{variant.name}: {utterance.audio} cannot be read any more ({error.strerror})"
            ) from error
        return {
            "id": utterance.id,
            "there": place_there(utterance.audio, self._settings.folders),
            "name": utterance.audio.name,
            "sha256": sha256,
            "language": utterance.language,
        }

    def _model(self, variant: Variant) -> dict[str, object] | None:
        model = variant.model
        if model is None:
            return None
        try:
            sha256 = self._files.sha256(model)
        except OSError as error:
            raise ModelError(f"variant.{variant.name}.model: {model} cannot be read ({error.strerror})") from error
        return {"there": place_there(model, self._settings.folders), "name": model.name, "sha256": sha256}

    def _order(self, variant: Variant, shard: Sequence[Utterance], number: str) -> dict[str, object]:
        """All that a worker needs, and no more: no data sets, no thresholds, no secrets."""
        gate, settings, known = self._gate, self._settings, self._of(variant)
        places = None
        if self.runs_here and settings.workers is not None:
            places = {"folder": str(gate.state / "locks"), "count": settings.workers}
        return {
            "version": __version__,
            "run": self._run,
            "topic": self._topic(),
            "shard": number,
            "variant": variant.name,
            "generation": known.generation,
            "transcriber": asdict(variant.transcriber),
            "recipe": gate.recipe.model_dump(mode="json"),
            "model": self._model(variant),
            "folder": place_there(gate.path.parent, settings.folders),
            "gate": gate.path.name,
            "state": str(gate.state) if self.runs_here else None,
            "places": places,
            "need": dict(settings.resources),
            "expected": None if known.identity is None else known.identity.fingerprint,
            "utterances": [self._place(variant, utterance) for utterance in shard],
        }

    def submit(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> _Rows:
        """Decode a shard on one worker of the cluster."""
        self.identity(variant)
        return self._submitted(variant, shard, deliver)

    def _submitted(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> _Rows:
        link, number = self._connected(), uuid.uuid4().hex
        if lost := link.lost():
            raise TranscriberError(lost)
        order = self._order(variant, shard, number)
        # Ours to end, since its task may be lost with the cluster.
        future: _Rows = Future()
        future.set_running_or_notify_cancel()
        waiting = _Shard(variant, frozenset(utterance.id for utterance in shard), deliver, future)
        with self._lock:
            self._shards[number] = waiting
        task = self._executor.submit(remote.decode, order)
        waiting.task = task
        task.add_done_callback(partial(self._finished, number))
        return future

    def _take(self, number: str) -> _Shard | None:
        with self._lock:
            return self._shards.pop(number, None)

    def _arrived(self, event: tuple[float, object]) -> None:
        """A row that a worker finished; in the thread of Dask's client."""
        number = ""
        try:
            message = unpacked(event[1])
            number = str(message.get("shard"))
            with self._lock:
                shard = self._shards.get(number)
                # Who is gone has no use for it, and what comes late was in the result.
                if shard is not None:
                    self._deliver(shard, str(message.get("worker")), message.get("row"))
        except IntegrityError as error:
            self._fail(number, error)

    def _row(self, shard: _Shard, fields: object) -> Hypothesis:
        row = row_of(redacted_deeply(fields, self._gate.redact) if fields is None else fields)
        if row.id not in shard.ids:
            raise IntegrityError(f"variant.{shard.variant.name}: a worker sent a row for {row.id!r} of another shard")
        return row

    def _deliver(self, shard: _Shard, worker: str, fields: object) -> None:
        row = self._row(shard, fields)
        before = shard.came.setdefault((worker, row.id), row.text)
        if before != row.text:
            raise IntegrityError(f"variant.{shard.variant.name}: {worker} sent two different rows for {row.id!r}")
        # A worker that was lost may have sent it already.
        if row.id not in shard.delivered:
            shard.delivered.add(row.id)
            shard.deliver(row)

    def _fail(self, number: str, error: AsrGateError) -> None:
        shard = self._take(number)
        if shard is not None:
            shard.future.set_exception(error)
            self._cancel([shard])

    def _finished(self, number: str, task: "Future[str]") -> None:
        """A task ended, in the thread of Dask's client."""
        with self._lock:
            shard = self._shards.get(number)
            if shard is None:
                return
            try:
                rows = self._result(shard, task)
            except AsrGateError as error:
                self._shards.pop(number)
                shard.future.set_exception(error)
            else:
                self._shards.pop(number)
                shard.future.set_result(rows)

    def _result(self, shard: _Shard, task: "Future[str]") -> list[Hypothesis]:
        try:
            answer = unpacked(task.result())
        except CancelledError:
            lost = self._link.lost() if self._link is not None else ""
            raise TranscriberError(lost or "the Dask cluster gave up this run's shards") from None
        except AsrGateError as error:
            raise type(error)(self._gate.redact(f"variant.{shard.variant.name}: {error}")) from error
        except Exception as error:
            # What a cluster can fail on has no end.
            raise TranscriberError(self._gate.redact(self._why(shard, error))) from error
        self._workers.add(str(answer.get("worker")))
        if "refused" in answer:
            kind = _REFUSALS.get(str(answer.get("kind")), TranscriberError)
            raise kind(self._gate.redact(str(answer["refused"])))
        if "stopped" in answer:
            raise TranscriberError("the run was interrupted")
        if "other" in answer:
            raise TranscriberError(self._other(shard.variant, str(answer.get("worker")), answer["other"]))
        self._note(shard.variant, answer)
        rows = answer.get("rows")
        if not isinstance(rows, list):
            raise IntegrityError(f"variant.{shard.variant.name}: a worker sent no rows")
        return [self._row(shard, fields) for fields in rows]

    def _why(self, shard: _Shard, error: Exception) -> str:
        """One sentence for what Dask raised."""
        where = f"variant.{shard.variant.name}: the Dask cluster at {self._link.address if self._link else ''}"
        if type(error).__name__ == "KilledWorker":
            tried = getattr(error, "allowed_failures", self._settings.retries) + 1
            return (
                f"{where} gave up a shard of {len(shard.ids)} utterances, since {tried} workers died over it, one "
                "after the other; their logs may say why (memory?)"
            )
        causes = [error, error.__cause__, error.__context__]
        if any(isinstance(each, ImportError) for each in causes) or "deserializ" in str(error):
            return (
                f"{where} cannot read our tasks ({type(error).__name__}: {' '.join(str(error).split())[:200]}); the "
                f"scheduler and every worker need pytest-asrgate {__version__}"
            )
        return f"{where} failed ({type(error).__name__}: {error})"

    def _other(self, variant: Variant, worker: str, fields: object) -> str:
        found, expected = self._identity_of(fields), self._of(variant).identity
        before = expected.provenance if expected is not None else {}
        differs = [
            f"{name} {found.provenance.get(name)!r}, not {before.get(name)!r}"
            for name in sorted({*before, *found.provenance})
            if found.provenance.get(name) != before.get(name)
        ]
        return (
            f"variant.{variant.name}: worker {worker} is another engine, whose outputs must not be mixed with the "
            f"others' in one pair: {'; '.join(differs) or 'its files, options or environment differ'}; make the "
            "cluster's workers alike"
        )

    def _identity_of(self, fields: object) -> Identity:
        return identity_of(redacted_deeply(fields, self._gate.redact))

    def _note(self, variant: Variant, answer: Mapping[str, Any]) -> None:
        found, known = self._identity_of(answer.get("identity")), self._of(variant)
        # An engine that ran says more of itself than its files do.
        if known.identity is None or (known.identity.load_ms is None and found.load_ms is not None):
            known.identity = found
        for finding in answer.get("findings") or ():
            known.findings[self._gate.redact(str(finding))] = None

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
            future = self._submitted(variant, (), lambda _: None)
            try:
                self._wait(future)
            except BaseException:
                self.interrupt()
                raise
            assert known.identity is not None  # noqa: S101 - noted with the result; tells mypy
        return known.identity

    def _wait(self, future: _Rows) -> None:
        while not future.done():
            with contextlib.suppress(TimeoutError):
                future.exception(timeout=_ASK_S)
            self.check()
        future.result()

    def findings(self, variant: Variant) -> tuple[str, ...]:
        """Warnings of all engines of the variant, each once."""
        return tuple(self._of(variant).findings)

    def check(self) -> None:
        """TranscriberError where the scheduler is gone, or all fitting workers for longer than `wait_s`."""
        if self._link is None:
            return
        if lost := self._link.lost():
            raise TranscriberError(lost)
        if not self._ask() and time.monotonic() - self._seen > self._settings.wait_s:
            raise TranscriberError(self._nobody())

    def _cancel(self, shards: Sequence[_Shard]) -> None:
        """Have the cluster forget these; workers see it before their next look. Not waited for: it may be gone."""
        tasks = [shard.task for shard in shards if shard.task is not None]
        self._aside(lambda: [task.cancel() for task in tasks])

    def _aside(self, call: Callable[[], object], wait_s: float = 0.5) -> None:
        """Call in a thread, since a cluster that is gone answers late."""

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
        if shards:
            self._cancel(shards)

    def release(self, variant: Variant | None = None) -> None:
        """Have workers end their idle engines of a variant, or all of ours; the next shard starts a fresh one."""
        for known in [self._of(variant)] if variant is not None else self._known.values():
            known.generation += 1
        for name in [*self._beside] if variant is None else [variant.name]:
            beside = self._beside.pop(name, None)
            if beside is not None:
                beside.close()
        link, workers = self._link, sorted(self._workers)
        if link is None or not workers:
            return
        name, generation = (None, 1 << 60) if variant is None else (variant.name, self._of(variant).generation)
        ask = partial(link.client.run, remote.release, self._run, name, generation, workers=workers, on_error="ignore")
        self._aside(ask)

    def close(self) -> None:
        """End everything, also the cluster if we opened it."""
        self.interrupt()
        self.release()
        link, self._link, self._executor, self._slots = self._link, None, None, 0
        self._workers.clear()
        if link is not None:
            link.close()
