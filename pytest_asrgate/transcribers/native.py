"""A native engine in worker processes: a fault costs the utterance that caused it, never its neighbours."""

import json
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_asrgate.config import Recipe, TranscriberSettings
from pytest_asrgate.errors import (
    EngineMissingError,
    ModelError,
    ReplacedFileError,
    TranscriberError,
    WorkerError,
)
from pytest_asrgate.formats.rows import times_of
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.client import WorkerClient
from pytest_asrgate.transcribers.placement import placement_of
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.rows import error_row, not_tried
from pytest_asrgate.transcribers.watched import EngineFiles, WatchedFiles
from pytest_asrgate.values import finite_number, shown, without_surrogates

__all__ = ["WORKER_PROGRAM", "NativeTranscriber"]

WORKER_PROGRAM = (sys.executable, "-P", "-m", "pytest_asrgate.transcribers.worker", "{requests}", "{answers}")

# A model of many gigabytes on a slow disk takes minutes; a hung load must still end.
_LOAD_TIMEOUT_S = 600.0
# An engine that fails this often without one success between is broken, not unlucky.
_FAILURES_IN_A_ROW = 5
# In characters: what is printed of an engine's own words, and what is kept of what it says of itself.
_LONGEST_SENTENCE = 1_000
_LONGEST_STAMPS = 100_000
_SURPLUS = "the engine wrote more than one answer to a question; the first counts, and it was started again"


def _sentence(words: object) -> str:
    """What an engine says of a fault, as a message can hold it."""
    text = without_surrogates(str(words))
    return text if len(text) <= _LONGEST_SENTENCE else text[:_LONGEST_SENTENCE] + "..."


def _hypothesis(utterance: Utterance, answer: Mapping[str, Any]) -> Hypothesis:
    """Check an answer field by field: the engine's process is not trusted. WorkerError for anything odd."""
    if answer.get("id") != utterance.id:
        raise WorkerError(
            f"the engine answered for the id {str(answer.get('id'))[:80]!r}, asked was {utterance.id!r}"
        )
    text, raw_text, detail = answer.get("text"), answer.get("raw_text"), answer.get("detail", "")
    if not isinstance(text, str) or not isinstance(raw_text, str | None) or not isinstance(detail, str):
        raise WorkerError("the engine answered without a text")
    try:
        status = RowStatus(answer.get("status", "ok"))
    except ValueError:
        raise WorkerError(f"the engine answered with the unknown status {answer.get('status')!r}") from None
    try:
        times = times_of(answer)
    except ValueError as error:
        raise WorkerError(f"the engine answered with a row whose {error}") from None
    return Hypothesis(
        id=utterance.id,
        text=without_surrogates(text),
        status=status,
        detail=_sentence(detail),
        raw_text=None if raw_text is None else without_surrogates(raw_text),
        **times,
    )


def _ready(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an engine that is ready says of itself, as a report can hold it; WorkerError for anything else."""
    if answer.get("type") != "ready":
        raise WorkerError(f"the engine's process did not say that it is ready but {shown(dict(answer))}")
    if not isinstance(answer.get("provenance", {}), dict):
        raise WorkerError("the engine's process said ready with a provenance that is no object")
    names = answer.get("not_controllable", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise WorkerError("the engine's process said ready with a not_controllable that is no list of texts")
    try:
        text = json.dumps(dict(answer), ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise WorkerError("the engine's process said ready with a number that is not finite") from None
    if len(text) > _LONGEST_STAMPS:
        raise WorkerError(f"the engine's process said ready in over {_LONGEST_STAMPS} characters")
    clean: dict[str, Any] = json.loads(without_surrogates(text))
    return clean


class NativeTranscriber:
    """Drives one engine for one variant; its model is loaded once, at the first utterance that needs it."""

    keeps_results = True
    keeps_process = True

    def __init__(
        self,
        *,
        engine: str | None,
        model: Path | None,
        settings: TranscriberSettings,
        recipe: Recipe,
        identify: Callable[[WatchedFiles], Identity],
        files: FileHashes,
        backend_known: bool,
        program: Sequence[str] = WORKER_PROGRAM,
        folder: Path | None = None,
    ) -> None:
        """`engine` is `module:class` for our own worker, None for a `program` of somebody else's, run in `folder`.

        `identify` gives its identity from files alone, which it hashes through its argument and which must stay
        what they are; `files` knows those that were hashed before.

        Where `backend_known` is false (such as backend = "auto"), the identity is asked of the loaded engine, since
        another device is another engine.
        """
        self._engine = engine
        self._model = model
        self._settings = settings
        self._recipe = recipe
        self._files = EngineFiles(files, identify)
        self._backend_known = backend_known
        self._program = tuple(program)
        self._folder = folder
        self._findings: dict[str, None] = {}
        self._client: WorkerClient | None = None
        self._ready: Mapping[str, Any] | None = None
        self._starting: WorkerClient | None = None
        self._interrupted = False

    @property
    def loads_to_identify(self) -> bool:
        """Whether the device is known only from a loaded engine, and none was loaded yet."""
        return not self._backend_known and self._ready is None

    def _load(self) -> WorkerClient:
        """Start a worker and load the model; TranscriberError where that fails."""
        self._check_interrupt()
        if self._client is not None:
            return self._client
        self._files.check_start()
        device, placed = self._settings.device, placement_of(self._settings, self._recipe.threads)
        client = WorkerClient(
            self._program,
            memory_mb=self._settings.memory_mb,
            folder=self._folder,
            environment=placed.environment,
            nice=placed.nice,
            cores=placed.cores,
        )
        self._starting = client
        order = {
            "type": "load",
            **({} if self._engine is None else {"engine": self._engine}),
            "model": str(self._model) if self._model else None,
            "backend": self._settings.backend,
            "options": dict(self._settings.options),
            "recipe": self._recipe.model_dump(mode="json"),
            **({"device": device} if device else {}),
        }
        try:
            self._check_interrupt()
            answer: Mapping[str, Any] = client.ask(order, _LOAD_TIMEOUT_S)
            if answer.get("type") == "failed":
                kinds = {"EngineMissingError": EngineMissingError, "ModelError": ModelError}
                kind = kinds.get(str(answer.get("error")), TranscriberError)
                raise kind(_sentence(answer.get("detail")))
            answer = _ready(answer)
            self._files.check_loaded()
            self._check_same_device(answer)
        except BaseException:
            client.close()
            raise
        self._client, self._ready = client, answer
        return client

    def identity(self) -> Identity:
        """The identity from files where the backend is known, else from the loaded engine; with its own stamps
        once it was loaded."""
        static = self._files.identity()
        if not self._backend_known:
            self._load()
        if self._ready is None:
            return static
        placed = placement_of(self._settings, self._recipe.threads)
        stamps = {**self._ready.get("provenance", {}), **placed.stamp()}
        fingerprint = static.fingerprint
        if not self._backend_known:
            fingerprint += f"/{stamps.get('backend')}/{stamps.get('device')}"
        return Identity(
            fingerprint=fingerprint,
            provenance={**static.provenance, **stamps},
            # A program that says nothing about it is not taken to set everything.
            not_controllable=tuple(self._ready.get("not_controllable", ("not stated",))),
            # A load time says that the engine ran, so there is always one.
            load_ms=finite_number(self._ready.get("load_ms")) or 0.0,
            files=static.files,
        )

    def _check_same_device(self, answer: Mapping[str, Any]) -> None:
        """TranscriberError where an engine that chooses its device has chosen another than the time before."""
        if self._backend_known or self._ready is None:
            return
        before, now = (
            [found.get("provenance", {}).get(name) for name in ("backend", "device")]
            for found in (self._ready, answer)
        )
        if before != now:
            raise TranscriberError(f"it came back on {now[0]} {now[1]}, before it ran on {before[0]} {before[1]}")

    def _check_interrupt(self) -> None:
        if self._interrupted:
            raise TranscriberError("the engine was interrupted")

    def _restart(self) -> None:
        if self._client is not None:
            self._findings |= dict.fromkeys(self._client.findings())
            self._client.close()
            self._client = None

    def _drop_surplus(self) -> None:
        """Start anew where the engine wrote what nobody asked for: the next answer must not be taken for it."""
        if self._client is not None and self._client.has_more():
            self._findings[_SURPLUS] = None
            self._restart()

    def _asked(self, request: Mapping[str, object], answered: Collection[str]) -> tuple[dict[str, Any], float]:
        """The engine's answer and how long it took in ms; a second answer to an earlier question is passed over."""
        for again in (False, True):
            self._drop_surplus()
            client = self._load()
            begun = time.perf_counter()
            answer = client.ask(request, self._settings.timeout_s)
            waited_ms = (time.perf_counter() - begun) * 1000
            found = answer.get("id")
            late = isinstance(found, str) and found != request["id"] and found in answered
            if again or not late:
                break
            # Whose answer comes next in this process nobody knows.
            self._findings[_SURPLUS] = None
            self._restart()
        return answer, waited_ms

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield a hypothesis for each utterance, in order, as it finishes.

        A crash, a hang or a garbage answer becomes an error row of its utterance and the worker is started anew;
        after five failures in a row the rest become error rows too. Raises TranscriberError where the model cannot
        be loaded at the first utterance, and ReplacedFileError where engine or model are not those any more that
        its identity names: every row before it is theirs.
        """
        self._load()
        failures = 0
        answered: set[str] = set()
        for utterance in utterances:
            if failures >= _FAILURES_IN_A_ROW:
                yield not_tried(utterance, f"the engine failed {failures} times in a row before")
                continue
            request = {"id": utterance.id, "audio": str(utterance.audio), "language": utterance.language}
            try:
                answer, waited_ms = self._asked(request, answered)
                row = _hypothesis(utterance, answer)
                # After what is wrong with the answer itself, since what follows it may not have arrived yet.
                if self._client is not None and self._client.has_more():
                    raise WorkerError("the engine gave more than one answer")
                self._files.check()
                if row.latency_ms is None and row.status is not RowStatus.ERROR:
                    # A program that does not time itself is timed by us, reading the file included.
                    row = replace(row, latency_ms=waited_ms)
            except WorkerError as error:
                self._restart()
                self._check_interrupt()
                # A model that is written to under a running engine may well be what it died of.
                self._files.check()
                failures += 1
                yield error_row(utterance, str(error))
            except ReplacedFileError:
                raise
            except TranscriberError as error:
                self._check_interrupt()
                # The model was loaded before, so this is a fault of the restart.
                failures += 1
                yield error_row(utterance, f"the engine could not be started again: {error}")
            else:
                failures = 0
                answered.add(utterance.id)
                yield row

    def findings(self) -> tuple[str, ...]:
        """Warnings that the engine's process printed in this session, each once."""
        latest = self._client.findings() if self._client is not None else ()
        return tuple(dict.fromkeys([*self._findings, *latest]))

    def interrupt(self) -> None:
        """Kill the worker process, also one that loads its model; no other is started."""
        self._interrupted = True
        for client in (self._starting, self._client):
            if client is not None:
                client.kill()

    def close(self) -> None:
        """End the worker process."""
        self._restart()
