"""The transcribe.cpp engine, which also writes down how much CPU its decode calls took; for overhead.py."""

import json
import os
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.transcribers.protocol import EngineOutput, EngineReport
from pytest_asrgate.transcribers.transcribe_cpp import TranscribeCppEngine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TimedEngine:
    """Wraps the real engine inside the worker process."""

    def __init__(self) -> None:
        self._engine = TranscribeCppEngine()
        self._decode = 0.0
        self._first = 0.0
        self._calls = 0

    def load(
        self, model: Path | None, backend: str, options: Mapping[str, object], recipe: Mapping[str, object]
    ) -> EngineReport:
        """Load the model."""
        return self._engine.load(model, backend, options, recipe)

    def run(self, samples: "NDArray[np.float32]", language: str) -> EngineOutput:
        """Transcribe, and write down CPU seconds: decode calls, and everything else since the first call."""
        before = time.process_time()
        output = self._engine.run(samples, language)
        after = time.process_time()
        self._calls += 1
        if self._calls == 1:
            # The first call pays for imports; the rest is counted from its end.
            self._first = after
        else:
            self._decode += after - before
            rest = time.process_time() - self._first - self._decode
            share = self._calls / (self._calls - 1)
            record = {"decode_s": self._decode * share, "rest_s": rest * share}
            Path(os.environ["ASRGATE_TIMED_ENGINE"]).write_text(json.dumps(record))
        return output


def register() -> None:
    """Make `kind = "timed"` known."""
    from pytest_asrgate.transcribers.native import NativeTranscriber
    from pytest_asrgate.transcribers.registry import KINDS

    def opened(*arguments: object) -> NativeTranscriber:
        transcriber = KINDS["transcribe-cpp"].open(*arguments)  # type: ignore[arg-type] # passed on as they came
        assert isinstance(transcriber, NativeTranscriber)
        transcriber._engine = "timed_engine:TimedEngine"
        os.environ["PYTHONPATH"] = str(Path(__file__).parent)
        return transcriber

    KINDS["timed"] = replace(KINDS["transcribe-cpp"], open=opened)
