"""The controller's end of one worker process: one question, one answer, one clock."""

import contextlib
import json
import os
import select
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import WorkerError
from pytest_asrgate.transcribers.lines import LineReader, LineTooLongError, wait_until
from pytest_asrgate.transcribers.processes import SupervisedProcess, describe_exit

__all__ = ["WorkerClient"]


class WorkerClient:
    """Speaks JSON lines with one program; every failure is a WorkerError that names its cause."""

    def __init__(
        self,
        program: Sequence[str],
        *,
        memory_mb: int,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        nice: int = 0,
        cores: Sequence[int] = (),
    ) -> None:
        """Start `program`, with `environment` added to ours, at this niceness and on these cores.

        `{requests}` and `{answers}` in its words become the numbers of two private descriptors; a program that
        names neither is spoken with over its standard input and output.
        """
        child_in, self._requests = os.pipe()
        self._answers, child_out = os.pipe()
        private = any("{requests}" in word or "{answers}" in word for word in program)
        words = [word.replace("{requests}", str(child_in)).replace("{answers}", str(child_out)) for word in program]
        try:
            self._process = SupervisedProcess(
                words,
                descriptors=(child_in, child_out) if private else (),
                standard_input=None if private else child_in,
                standard_output=None if private else child_out,
                folder=folder,
                environment=environment,
                nice=nice,
                cores=cores,
            )
        except OSError as error:
            os.close(self._requests)
            os.close(self._answers)
            raise WorkerError(f"{program[0]} cannot be started: {error.strerror}") from error
        finally:
            os.close(child_in)
            os.close(child_out)
        os.set_blocking(self._requests, False)
        self._memory_mb = memory_mb
        self._reader = LineReader(self._answers, self._check_memory)
        self._open = True

    def _with_output(self, sentence: str) -> str:
        lines = self._process.last_lines()
        return f"{sentence}; last output: {lines}" if lines else sentence

    def _died(self) -> WorkerError:
        code = self._process.wait(5.0)
        how = "closed its pipe without ending" if code is None else f"ended with {describe_exit(code)}"
        return WorkerError(self._with_output(f"the engine's process {how}"))

    def _check_memory(self) -> None:
        used = self._process.resident_mb()
        if used > self._memory_mb:
            raise WorkerError(f"the engine's process grew to {used:.0f} MB, over memory_mb = {self._memory_mb}")

    def _send(self, message: Mapping[str, object], deadline: float) -> None:
        data = memoryview(json.dumps(message).encode() + b"\n")
        while data:
            wait_until(self._requests, select.POLLOUT, deadline, self._check_memory)
            try:
                data = data[os.write(self._requests, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._died() from None

    def _exchange(self, message: Mapping[str, object], timeout_s: float) -> bytes:
        deadline = time.monotonic() + timeout_s
        try:
            self._send(message, deadline)
            line = self._reader.read(deadline)
        except TimeoutError:
            raise WorkerError(self._with_output(f"no answer within {timeout_s:g} s")) from None
        except LineTooLongError as error:
            raise WorkerError(f"the engine answered with {error}") from None
        if line is None:
            raise self._died()
        return line

    def ask(self, message: Mapping[str, object], timeout_s: float) -> dict[str, Any]:
        """Send one message and return the next answer.

        Raises WorkerError when the process dies, hangs for `timeout_s` seconds, grows over its memory limit or
        answers with anything but one JSON object; afterwards the client must be closed.
        """
        line = self._exchange(message, timeout_s)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            shown = line[:80].decode("utf-8", "replace")
            raise WorkerError(self._with_output(f"the engine answered with no JSON object: {shown!r}"))
        self._check_memory()
        return answer

    def has_more(self) -> bool:
        """Whether it wrote more than the answers to what it was asked, as far as that has arrived."""
        return self._reader.has_more()

    def findings(self) -> tuple[str, ...]:
        """The different warnings that it printed so far."""
        return self._process.findings()

    def kill(self) -> None:
        """Kill the process from any thread; whoever asks it something gets a WorkerError."""
        self._process.kill()

    def close(self) -> None:
        """End the process and its group; calling it twice is fine."""
        if not self._open:
            return
        self._open = False
        self._process.close()
        for descriptor in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                os.close(descriptor)
