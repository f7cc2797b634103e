"""The child process that holds one engine: JSON lines in on one pipe, JSON lines out on another.

Lines in: one `load`, then one request an utterance `{"id", "audio", "language"}`. Lines out: `ready` (or `failed`),
then one answer an utterance `{"id", "text", "status", "detail", …}`. Private pipes, so that whatever native code
prints on stdout or stderr cannot break the protocol.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.audio import SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.transcribers.protocol import Engine

__all__ = ["main"]


def _engine(place: str) -> Engine:
    module, _, name = place.partition(":")
    engine: Engine = getattr(importlib.import_module(module), name)()
    return engine


def _sentence(error: Exception) -> str:
    if isinstance(error, AsrGateError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def _answer(engine: Engine, request: Mapping[str, Any]) -> dict[str, object]:
    try:
        samples = read_audio(Path(request["audio"]))
        started = time.perf_counter()
        output = engine.run(samples, request["language"])
        latency_ms = (time.perf_counter() - started) * 1000
    except Exception as error:  # noqa: BLE001 - whatever one utterance raises costs only that utterance
        return {"id": request["id"], "text": "", "status": "error", "detail": _sentence(error)}
    return {
        "id": request["id"],
        "text": output.text,
        "raw_text": output.raw_text,
        "status": output.status.value,
        "detail": output.detail,
        "latency_ms": latency_ms,
        "audio_s": len(samples) / SAMPLE_RATE_HZ,
        **output.timings,
    }


def main(requests: int, answers: int) -> None:
    """Serve until the pipe of requests closes; both arguments are file descriptors."""
    with (
        os.fdopen(requests, "r", encoding="utf-8") as incoming,
        os.fdopen(answers, "w", encoding="utf-8") as outgoing,
    ):

        def say(message: Mapping[str, object]) -> None:
            outgoing.write(json.dumps(message) + "\n")
            outgoing.flush()

        order = json.loads(incoming.readline())
        started = time.perf_counter()
        try:
            engine = _engine(order["engine"])
            model = Path(order["model"]) if order["model"] else None
            report = engine.load(model, order["backend"], order["options"], order["recipe"])
        except Exception as error:  # noqa: BLE001 - the controller turns any failure to load into one sentence
            say({"type": "failed", "error": type(error).__name__, "detail": _sentence(error)})
            return
        load_ms = (time.perf_counter() - started) * 1000
        say(
            {
                "type": "ready",
                "load_ms": load_ms,
                "provenance": dict(report.provenance),
                "not_controllable": list(report.not_controllable),
            }
        )
        for line in incoming:
            say(_answer(engine, json.loads(line)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
