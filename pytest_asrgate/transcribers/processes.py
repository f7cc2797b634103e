"""Child processes that die with us: start one under the supervisor, keep the tail of what it prints, end it."""

import collections
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

__all__ = ["SupervisedProcess", "describe_exit"]

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_KEPT_BYTES = 16_384
_WARNING_MARKS = (b"[warn]", b"[error]")
_MOST_FINDINGS = 20
# A message quotes so much of a line: a flood without line breaks is one line.
_LONGEST_QUOTE = 300


def describe_exit(code: int) -> str:
    """Say how a process ended, from its `Popen.returncode`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"signal {-code}"


def _family(pid: int) -> Iterator[int]:
    """A process and all below it, as far as the system tells (Linux)."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _resident_mb(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class _Tail:
    """Drains a pipe in a thread, so that the child never blocks; keeps the last bytes, and lines that warn."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pieces: collections.deque[bytes] = collections.deque()
        self._size = 0
        self._unfinished = b""
        self._findings: dict[str, None] = {}
        self._lock = threading.Lock()
        self._waiting = select.poll()
        self._waiting.register(pipe.fileno(), select.POLLIN)
        self._thread = threading.Thread(target=self._drain, args=(pipe,), daemon=True)
        self._thread.start()

    def _look_for_findings(self, piece: bytes) -> None:
        *lines, rest = (self._unfinished + piece).split(b"\n")
        self._unfinished = rest[-_KEPT_BYTES:]
        for line in lines:
            if line.lstrip().startswith(_WARNING_MARKS) and len(self._findings) < _MOST_FINDINGS:
                self._findings[line.decode("utf-8", "replace").strip()[:300]] = None

    def findings(self) -> tuple[str, ...]:
        """The different lines that begin with [warn] or [error], in order."""
        # What was printed by now is still to be read; a process that lives on and printed nothing costs no wait.
        deadline = time.monotonic() + 0.2
        while self._waiting.poll(0) and self._thread.is_alive() and time.monotonic() < deadline:
            self._thread.join(timeout=0.005)
        self._thread.join(timeout=0.005)
        with self._lock:
            return tuple(self._findings)

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            while piece := os.read(pipe.fileno(), 65_536):
                with self._lock:
                    self._look_for_findings(piece)
                    self._pieces.append(piece[-_KEPT_BYTES:])
                    self._size += len(self._pieces[-1])
                    while self._size - len(self._pieces[0]) >= _KEPT_BYTES:
                        self._size -= len(self._pieces.popleft())

    def text(self, lines: int) -> str:
        self._thread.join(timeout=0.2)
        with self._lock:
            kept = b"".join(self._pieces).decode("utf-8", "replace")
        rows = [row.strip()[-_LONGEST_QUOTE:] for row in kept.splitlines() if row.strip()]
        return " | ".join(rows[-lines:])


class SupervisedProcess:
    """A program in its own session; closing this, or our own death, ends its whole group."""

    def __init__(
        self,
        program: Sequence[str],
        *,
        descriptors: Sequence[int] = (),
        standard_input: int | None = None,
        standard_output: int | None = None,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        nice: int = 0,
        cores: Sequence[int] = (),
    ) -> None:
        """Start `program`; it inherits `descriptors`, and what it prints is drained.

        `environment` is added to ours; it runs at niceness `nice`, never below ours, and on `cores`, all where
        none are given. With `standard_output` only its standard error is drained. OSError where not
        even the supervisor can start.
        """
        spelt = [str(number) for number in descriptors]
        inherited = list(descriptors)
        for place, number in ((0, standard_input), (1, standard_output)):
            if number is not None:
                spelt.append(f"{place}={number}")
                inherited.append(number)
        reading, self._lifeline = os.pipe()
        try:
            command = [sys.executable, "-I", "-S", str(_SUPERVISOR), str(reading), ",".join(spelt)]
            command += [str(nice), ",".join(map(str, cores))]
            self._process = subprocess.Popen(
                [*command, "--", *program],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[reading, *inherited],
                start_new_session=True,
                cwd=folder,
                env={**os.environ, **environment} if environment else None,
            )
        except BaseException:
            os.close(self._lifeline)
            raise
        finally:
            os.close(reading)
        assert self._process.stdout is not None  # noqa: S101 - asked for two lines above; tells mypy
        self._tail = _Tail(self._process.stdout)
        self._closed = False
        self._lock = threading.Lock()

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

    def resident_mb(self) -> float:
        """Resident memory of the program and its children in MB; 0 where the system does not tell (not Linux)."""
        return sum(_resident_mb(pid) for pid in _family(self._process.pid) if pid != self._process.pid)

    def findings(self) -> tuple[str, ...]:
        """The different lines it printed that begin with [warn] or [error]."""
        return self._tail.findings()

    def kill(self) -> None:
        """Kill the group from any thread, so that whoever waits for its output comes to the end of it."""
        with self._lock:
            # Once it was reaped its number may be a stranger's.
            if not self._closed and self._process.returncode is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Kill the group, if anything of it is left, and reap it."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        # The group id stays ours until the supervisor is reaped, so this cannot hit a stranger.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._lifeline)
