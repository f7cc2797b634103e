"""Processes that decode: a sound that kills or hangs one costs only itself."""

import os
import queue
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pytest_asrgate.errors import TranscriberError, WorkerError
from pytest_asrgate.ingest.sounds import Order, Written
from pytest_asrgate.transcribers.client import WorkerClient
from pytest_asrgate.values import finite_number, without_surrogates

__all__ = ["DECODER_PROGRAM", "Decoders", "Limits"]

DECODER_PROGRAM = (sys.executable, "-P", "-m", "pytest_asrgate.ingest.worker", "{requests}", "{answers}")

# An import from a slow disk may take a minute.
_START_TIMEOUT_S = 300.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one sound may take, and the program that decodes it.

    The longest sound that is read, four hours at 48 kHz, is 2.8 GB of samples, which are there about twice.
    """

    timeout_s: float = 600.0
    memory_mb: int = 8_000
    program: Sequence[str] = DECODER_PROGRAM


def _of_decoder(error: WorkerError) -> str:
    # The client speaks of engines.
    return str(error).replace("the engine", "the decoder")


def _written(answer: Mapping[str, Any]) -> Written:
    sha256, duration_s = answer.get("sha256"), finite_number(answer.get("duration_s"))
    marks = answer.get("marks", [])
    if not isinstance(sha256, str) or duration_s is None or not isinstance(marks, list):
        raise WorkerError("the engine answered with something else than was asked")
    return Written(sha256, duration_s, tuple(map(str, marks)))


class Decoders:
    """Several child processes, each started when it is first needed; every method may be called in any thread."""

    def __init__(self, count: int, limits: Limits) -> None:
        self._limits = limits
        self._free: queue.SimpleQueue[WorkerClient | None] = queue.SimpleQueue()
        for _ in range(count):
            self._free.put(None)
        self._lock = threading.Lock()
        self._clients: set[WorkerClient] = set()
        self._closed = False

    def _started(self) -> WorkerClient:
        """A process that said that it is ready; TranscriberError where none can be had."""
        try:
            with self._lock:
                if self._closed:
                    raise WorkerError("it was ended")
                client = WorkerClient(self._limits.program, memory_mb=self._limits.memory_mb)
                self._clients.add(client)
            try:
                client.ask({}, _START_TIMEOUT_S)
            except BaseException:
                self._end(client)
                raise
        except WorkerError as error:
            raise TranscriberError(f"the process that decodes cannot be started: {_of_decoder(error)}") from error
        return client

    def _end(self, client: WorkerClient) -> None:
        with self._lock:
            self._clients.discard(client)
        client.close()

    def write(self, order: Order) -> Written | str:
        """Decode a sound into its target; a sentence where it cannot be decoded.

        OSError naming the target where that cannot be written, TranscriberError where no process can be started.
        """
        client = self._free.get()
        try:
            client = client or self._started()
            answer = client.ask(asdict(order), self._limits.timeout_s)
            if isinstance(answer.get("unreadable"), str):
                return without_surrogates(answer["unreadable"])
            if isinstance(answer.get("errno"), int):
                number = answer["errno"]
                raise OSError(number, str(answer.get("strerror") or os.strerror(number)), order.target)
            return _written(answer)
        except WorkerError as error:
            if client is not None:
                self._end(client)
                client = None
            return f"{order.path}: cannot be decoded: {_of_decoder(error)}"
        finally:
            self._free.put(client)

    def kill(self) -> None:
        """Kill every process and start none any more: whoever waits for one gets a sentence at once."""
        with self._lock:
            self._closed = True
            for client in self._clients:
                client.kill()

    def close(self) -> None:
        """End every process; for when no thread is in `write` any more. Calling it twice is fine."""
        self.kill()
        for client in list(self._clients):
            self._end(client)
