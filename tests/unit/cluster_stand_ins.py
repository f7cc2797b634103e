"""A gate of one stand-in engine, and what a worker has at hand, without a cluster."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_asrgate.config import ExecutorSettings, Gate, Recipe, TranscriberSettings, Variant
from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.executors.orders import Orders
from pytest_asrgate.executors.remote import Desk
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.registry import Kind


class StandIn:
    """An engine that says the name of each audio file; `interrupted` ends it, `slow` is called for each row."""

    keeps_results = True
    keeps_process = True
    loads_to_identify = False

    def __init__(self, identity: Identity, slow: Callable[[], object] = lambda: None) -> None:
        self.known = identity
        self.slow = slow
        self.closed = False
        self.interrupted = False

    def identity(self) -> Identity:
        return self.known

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        for utterance in utterances:
            self.slow()
            if self.interrupted:
                raise TranscriberError("the engine was interrupted")
            yield Hypothesis(utterance.id, utterance.audio.stem, latency_ms=1.0)

    def findings(self) -> tuple[str, ...]:
        return ("[warn] stand-in",)

    def interrupt(self) -> None:
        self.interrupted = True

    def close(self) -> None:
        self.closed = True


def stand_in_kind(made: list[StandIn], slow: Callable[[], object] = lambda: None) -> Kind:
    """A kind of transcriber whose engines are all kept in `made`; the model's bytes are the fingerprint."""

    def start(gate: Gate, variant: Variant, dataset: str, files: FileHashes) -> StandIn:
        assert variant.model is not None
        print_ = files.sha256(variant.model)
        made.append(StandIn(Identity(print_, {"engine": "stand-in", "model_sha256": print_}), slow))
        return made[-1]

    return Kind(start)


def small_gate(folder: Path, executor: ExecutorSettings, secrets: Mapping[str, str] | None = None) -> Gate:
    """A gate of no pairs in a folder with a model."""
    (folder / "model.bin").write_bytes(b"model")
    return Gate(
        path=folder / "gate.toml",
        state=folder / "state",
        inconclusive_passes=False,
        recipe=Recipe(),
        variants={},
        datasets={},
        pairs=(),
        executor=executor,
        secrets=secrets or {},
    )


def variant_of(folder: Path, kind: str = "stand-in") -> Variant:
    """The variant `q8_0` of that gate."""
    settings = TranscriberSettings("engine", kind, "cpu", timeout_s=5, memory_mb=1000, options={})
    return Variant("q8_0", settings, folder / "model.bin", make=None, baseline=None)


def clips(folder: Path, *names: str) -> list[Utterance]:
    """An utterance for each name, with audio that is no audio, and a reference that nobody may see."""
    for name in names:
        (folder / f"{name}.wav").write_bytes(name.encode())
    return [Utterance(name, folder / f"{name}.wav", "a secret reference", "en") for name in names]


def order_of(
    folder: Path,
    *names: str,
    executor: ExecutorSettings | None = None,
    generation: int = 0,
    expected: str | None = None,
    kind: str = "stand-in",
) -> dict[str, Any]:
    """The order of a shard of these clips."""
    gate = small_gate(folder, executor or ExecutorSettings(kind="dask"))
    orders = Orders(gate, FileHashes(), "run", here=False)
    audio, _ = orders.audio(clips(folder, *names))
    return orders.order(
        variant_of(folder, kind),
        audio,
        number="shard",
        generation=generation,
        expected=expected,
    )


def desk_at(folder: Path, sent: list[dict[str, Any]], unwanted: Callable[[], bool] = lambda: False) -> Desk:
    """A desk whose messages go into `sent`."""
    return Desk("worker tcp://there", 1, folder / "desk", lambda text: sent.append(json.loads(text)), unwanted)
