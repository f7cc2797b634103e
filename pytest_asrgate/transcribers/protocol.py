"""What a transcriber is to the gate, and what an engine is to the worker process that runs it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pytest_asrgate.records import Hypothesis, RowStatus, Utterance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Engine", "EngineOutput", "EngineReport", "Identity", "Transcriber"]


@dataclass(frozen=True, slots=True)
class Identity:
    """Who transcribes: a fingerprint over all that shapes the output but the recipe, and printable stamps.

    `recorded_contract` is set by stored hypotheses that were made elsewhere, under a recipe of their own; `load_ms`
    is None until the engine ran; `files` has the SHA-256 of each file that the fingerprint is made of, by path.
    """

    fingerprint: str
    provenance: Mapping[str, object]
    not_controllable: tuple[str, ...] = ()
    recorded_contract: Mapping[str, object] | None = None
    load_ms: float | None = None
    files: Mapping[str, str] = field(default_factory=dict)


class Transcriber(Protocol):
    """Turns utterances into hypotheses; one for each variant of a session."""

    keeps_results: bool
    """Whether finished rows go into the store; stored hypotheses of another machine do not."""

    keeps_process: bool
    """Whether one process serves many calls of `transcribe`, so that a call of one utterance costs no start."""

    @property
    def loads_to_identify(self) -> bool:
        """Whether `identity` starts the engine, since files alone do not say on what device it runs."""
        ...

    def identity(self) -> Identity:
        """Return who transcribes, without loading a model where that can be avoided."""
        ...

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield one hypothesis for each utterance as it finishes; error rows for those that failed."""
        ...

    def findings(self) -> tuple[str, ...]:
        """Warnings that the engine printed in this session, each once."""
        ...

    def interrupt(self) -> None:
        """End a `transcribe` of another thread, which raises TranscriberError soon; so does each one after it."""
        ...

    def close(self) -> None:
        """End every process and free everything; calling it twice is fine."""
        ...


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What a loaded engine says of itself."""

    provenance: Mapping[str, object]
    not_controllable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineOutput:
    """One utterance's result inside the worker; times in ms."""

    text: str
    status: RowStatus = RowStatus.OK
    detail: str = ""
    raw_text: str | None = None
    timings: Mapping[str, float] = field(default_factory=dict)


class Engine(Protocol):
    """A native engine inside the worker process; its exceptions become error rows."""

    def load(
        self, model: Path | None, backend: str, options: Mapping[str, object], recipe: Mapping[str, object]
    ) -> EngineReport:
        """Load the model once; any exception ends the worker with its message."""
        ...

    def run(self, samples: "NDArray[np.float32]", language: str) -> EngineOutput:
        """Transcribe 16 kHz mono samples."""
        ...
