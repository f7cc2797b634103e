"""Child processes that die with us: start one under the supervisor, keep the tail of what it prints, end it."""

import collections
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

__all__ = ["SupervisedProcess", "describe_exit"]

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_KEPT_BYTES = 16_384


def describe_exit(code: int) -> str:
    """Say how a process ended, from its `Popen.returncode`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"


class _Tail:
    """Drains a pipe in a thread, so that the child never blocks, and keeps only the last bytes."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pieces: collections.deque[bytes] = collections.deque()
        self._size = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._drain, args=(pipe,), daemon=True)
        self._thread.start()

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            while piece := os.read(pipe.fileno(), 65_536):
                with self._lock:
                    self._pieces.append(piece[-_KEPT_BYTES:])
                    self._size += len(self._pieces[-1])
                    while self._size - len(self._pieces[0]) >= _KEPT_BYTES:
                        self._size -= len(self._pieces.popleft())

    def text(self, lines: int) -> str:
        self._thread.join(timeout=0.2)
        with self._lock:
            kept = b"".join(self._pieces).decode("utf-8", "replace")
        rows = [row.strip() for row in kept.splitlines() if row.strip()]
        return " | ".join(rows[-lines:])


class SupervisedProcess:
    """A program in its own session; closing this, or our own death, ends its whole group."""

    def __init__(
        self,
        program: Sequence[str],
        *,
        descriptors: Sequence[int] = (),
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start `program`; it inherits `descriptors`, and its output is drained. OSError where it cannot start."""
        reading, self._lifeline = os.pipe()
        try:
            command = [sys.executable, "-I", "-S", str(_SUPERVISOR), str(reading), ",".join(map(str, descriptors))]
            self._process = subprocess.Popen(
                [*command, "--", *program],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[reading, *descriptors],
                start_new_session=True,
                cwd=folder,
                env=None if environment is None else {**os.environ, **environment},
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(reading)
        assert self._process.stdout is not None  # noqa: S101 - asked for two lines above; tells mypy
        self._tail = _Tail(self._process.stdout)
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait(self, timeout_s: float) -> int | None:
        """Return the exit code (negative for a signal), or None when it still runs after `timeout_s` seconds."""
        try:
            return self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None

    def last_lines(self, lines: int = 3) -> str:
        """The last non-empty lines of what it printed, joined by bars."""
        return self._tail.text(lines)

    def close(self) -> None:
        """Kill the group, if anything of it is left, and reap it."""
        if self._closed:
            return
        self._closed = True
        # The group id stays ours until the supervisor is reaped, so this cannot hit a stranger.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._lifeline)
