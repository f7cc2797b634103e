"""What runs on a worker of a cluster: decodes a shard with an engine that it keeps, and vouches for its files."""

import os
import platform
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrgate import __version__
from pytest_asrgate.config import Gate, Recipe, TranscriberSettings, Variant
from pytest_asrgate.errors import EngineMissingError, ModelError, ReplacedFileError, TranscriberError
from pytest_asrgate.executors.fetch import local_file
from pytest_asrgate.executors.folders import is_url
from pytest_asrgate.executors.messages import identity_fields, packed, row_fields
from pytest_asrgate.executors.places import Place, Places
from pytest_asrgate.executors.pool import EngineKey, Pool
from pytest_asrgate.executors.vouched import VouchedTranscriber
from pytest_asrgate.hashing import FileHashes, stamp_of
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Transcriber
from pytest_asrgate.transcribers.registry import KINDS, check_engine, open_transcriber
from pytest_asrgate.transcribers.rows import error_row
from pytest_asrgate.transcribers.watched import WatchedFiles

__all__ = ["Desk", "decode", "release", "slots_of", "work"]

_ENGINES = Pool()
# How often it is looked whether anybody still wants the shard, in seconds.
_LOOK_S = 0.1
_UNWANTED = "nobody waits for this shard any more"
# What Dask calls a worker that will tell nobody what it decodes.
_ENDING = {"closing", "closed", "failed"}
# Engines that are files of the gate's folder, which a URL cannot stand for.
_RUN_FROM_FOLDER = {"command", "path"}


class _Refusal(Exception):
    """Why this worker must not decode, which another try would not change.

    `kind` is the name of the error that the controller raises.
    """

    def __init__(self, sentence: str, kind: str = "TranscriberError") -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Desk:
    """What a worker has at hand: its name, its slots, a folder of its own, and a line to the controller.

    `unwanted` says whether nobody waits for the shard any more.
    """

    name: str
    slots: int
    folder: Path
    send: Callable[[str], object]
    unwanted: Callable[[], bool]


class _Nothing:
    """Remembers no hash beyond this process."""

    def find_hashes(
        self,
        paths: Sequence[bytes],  # noqa: ARG002 - it knows none
    ) -> Mapping[bytes, tuple[str, str]]:
        return {}

    def keep_hashes(self, rows: Sequence[tuple[bytes, str, str]]) -> None:
        pass


def slots_of(resources: Mapping[str, float], threads: int, need: Mapping[str, float]) -> int:
    """How many shards that each need `need` a worker with these resources and threads decodes at once."""
    # A third of three thirds is not always three.
    fitting = (int(resources.get(name, 0.0) / amount + 1e-9) for name, amount in need.items() if amount > 0)
    return min(threads, *fitting) if need else threads


def _model(order: Mapping[str, Any], desk: Desk, files: FileHashes) -> tuple[Any, Path | None]:
    """The model's file here, whose bytes are those of the controller, and the stamp that it had before."""
    model = order["model"]
    if model is None:
        return None, None
    stamps: list[Any] = []

    def read(path: Path) -> str:
        stamps[:] = [stamp_of(path)]
        return files.sha256(path)

    try:
        path = local_file(model["there"], model["name"], model["sha256"], read=read)
    except TranscriberError as error:
        raise _Refusal(
            f"variant.{order['variant']}.model: {desk.name}: {error}; put the model there, or lead to it with "
            "executor.folders",
            "ModelError",
        ) from error
    # One that was just fetched has another stamp than the one that was not there, and is read once more.
    return stamps[0], path


def _folder(order: Mapping[str, Any], desk: Desk) -> Path:
    """The gate's folder on this worker, where programs that it names are looked for."""
    if not is_url(order["folder"]):
        return Path(order["folder"]).absolute()
    if _RUN_FROM_FOLDER & {*KINDS[order["transcriber"]["kind"]].required}:
        raise _Refusal(
            f"variant.{order['variant']}: {desk.name}: the engine runs in the gate's folder, which cannot be "
            f"{order['folder']}; lead to a folder with executor.folders"
        )
    return desk.folder


def _open(order: Mapping[str, Any], desk: Desk) -> Transcriber:
    """The transcriber that the gate asks for, over this worker's files; nothing runs yet."""
    settings = TranscriberSettings(**{**order["transcriber"], "cores": tuple(order["transcriber"]["cores"])})
    if settings.kind not in KINDS:
        raise _Refusal(f"variant.{order['variant']}: {desk.name} has no transcriber of kind {settings.kind!r}")
    # What is read to check it need not be read again to say who this engine is.
    files = FileHashes(_Nothing)
    stamp, model = _model(order, desk, files)
    variant = Variant(order["variant"], settings, model, make=None, baseline=None)
    try:
        check_engine(variant)
    except EngineMissingError as error:
        raise _Refusal(f"{desk.name}: {error}", "EngineMissingError") from error
    gate = Gate(
        path=_folder(order, desk) / order["gate"],
        state=Path(order["state"]) if order["state"] else desk.folder,
        inconclusive_passes=False,
        recipe=Recipe.model_validate(order["recipe"]),
        variants={},
        datasets={},
        pairs=(),
    )
    transcriber = open_transcriber(gate, variant, "", files)
    if model is None:
        return transcriber
    # Also between this check and the engine's own, which is held against nothing when the first order comes.
    watched = WatchedFiles(files)
    watched.know(model, stamp, order["model"]["sha256"])
    return VouchedTranscriber(transcriber, watched)


def _place(order: Mapping[str, Any], check: Callable[[], None]) -> Place | None:
    """The right to run one more engine on this machine, where such rights are counted; `check` may end the wait."""
    if not order["places"]:
        return None
    places = Places(Path(order["places"]["folder"]), order["places"]["count"])
    pause = threading.Event()
    while (place := places.try_take()) is None:
        check()
        pause.wait(_LOOK_S)
    return place


@contextmanager
def _watched(unwanted: Callable[[], bool], transcriber: Transcriber) -> Iterator[None]:
    """Interrupt the transcriber once nobody wants what it does."""
    done, interrupted = threading.Event(), threading.Event()

    def look() -> None:
        while not done.wait(_LOOK_S):
            if unwanted():
                interrupted.set()
                transcriber.interrupt()
                return

    thread = threading.Thread(target=look, name="asrgate-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    if interrupted.is_set():
        # It had just ended by itself, but its engine is of no use any more.
        raise TranscriberError(_UNWANTED)


def _ready(order: Mapping[str, Any], desk: Desk) -> tuple[list[Utterance], list[Hypothesis]]:
    """The utterances whose audio is here, byte by byte, and error rows for the others."""
    here, lost = [], []
    for item in order["utterances"]:
        utterance = Utterance(item["id"], Path(item["name"]), "", item["language"])
        try:
            audio = local_file(item["there"], item["name"], item["sha256"])
        except TranscriberError as error:
            lost.append(error_row(utterance, f"{desk.name}: {error}"))
        else:
            here.append(Utterance(item["id"], audio, "", item["language"]))
    return here, lost


def _decoded(order: Mapping[str, Any], desk: Desk, transcriber: Transcriber) -> dict[str, object]:
    identity = transcriber.identity()
    if order["expected"] is not None and identity.fingerprint != order["expected"]:
        return {"other": identity_fields(identity)}
    rows: list[dict[str, object]] = []
    # A shard may be done again, also by the same worker.
    sender = {"shard": order["shard"], "worker": desk.name, "attempt": uuid.uuid4().hex}

    def finish(row: Hypothesis) -> None:
        rows.append(row_fields(row))
        # Of an engine that dies with its worker nobody should hear that it failed: the shard is done again. And
        # what is sent stays on the scheduler, also after the run, and is no place for a detail, which may name a
        # folder, a URL or a secret.
        if row.status is not RowStatus.ERROR and not row.detail:
            desk.send(packed({**sender, "row": rows[-1]}))

    if order["utterances"]:
        here, lost = _ready(order, desk)
        for row in lost:
            finish(row)
        for row in transcriber.transcribe(here) if here else ():
            finish(row)
            if desk.unwanted():
                raise TranscriberError(_UNWANTED)
        # An engine that ran says more of itself; a file that has gone by now is no reason to lose rows.
        with suppress(TranscriberError, OSError):
            identity = transcriber.identity()
    return {"rows": rows, "identity": identity_fields(identity), "findings": list(transcriber.findings())}


def work(order: Mapping[str, Any], desk: Desk, engines: Pool = _ENGINES) -> dict[str, object]:
    """Decode the utterances of an order, or only say who would: what `decode` returns, before it is packed.

    The answer has `rows`, `identity` and `findings`; or `other`, the identity of an engine that is not the expected
    one; or `refused` and `kind`; or `stopped`. Raises TranscriberError for what another try may mend.
    """
    if order["version"] != __version__:
        sentence = (
            f"{desk.name} has pytest-asrgate {__version__}, this machine has {order['version']}; "
            "install the same version on both"
        )
        return {"refused": sentence, "kind": "TranscriberError"}

    def check() -> None:
        if desk.unwanted():
            raise TranscriberError(_UNWANTED)

    key = EngineKey(order["run"], order["variant"], order["generation"])
    try:
        check()
        with (
            engines.engine(
                key, desk.slots, lambda: _open(order, desk), lambda: _place(order, check)
            ) as transcriber,
            _watched(desk.unwanted, transcriber),
        ):
            return _decoded(order, desk, transcriber)
    except _Refusal as error:
        return {"refused": str(error), "kind": error.kind}
    except (EngineMissingError, ModelError, ReplacedFileError) as error:
        return {"refused": f"{desk.name}: {error}", "kind": type(error).__name__}
    except TranscriberError as error:
        if desk.unwanted():
            return {"stopped": True}
        raise TranscriberError(f"{desk.name}: {error}") from error
    except OSError as error:
        raise TranscriberError(f"{desk.name}: {error.filename or 'a file'}: {error.strerror or error}") from error


def decode(order: Mapping[str, Any]) -> str:
    """The task of a shard, on a Dask worker: `work`, its answer packed, with the worker's address as `worker`."""
    from distributed import get_worker  # noqa: PLC0415 - only a worker needs it, and it is heavy

    worker: Any = get_worker()
    task = worker.get_current_task()

    def unwanted() -> bool:
        # A task that was cancelled, or whose client is gone, is one of these two; a worker that lost its scheduler
        # closes, and waits for its threads.
        state = worker.state.tasks.get(task)
        return state is None or state.state == "cancelled" or worker.status.name in _ENDING

    name = f"worker {worker.address} ({platform.node()})"
    desk = Desk(
        name=name,
        slots=max(1, slots_of(worker.state.total_resources, worker.state.nthreads, order["need"])),
        folder=Path(worker.local_directory) / f"asrgate-{os.getpid()}",
        send=lambda text: worker.log_event(order["topic"], text),
        unwanted=unwanted,
    )
    return packed({"worker": worker.address, **work(order, desk)})


def release(run: str, generations: Mapping[str, int]) -> None:
    """End the idle engines of a run here whose variant is named with a later generation."""
    _ENGINES.release(run, generations)
