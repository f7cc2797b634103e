"""Where progress is shown: one line rewritten in place on a terminal, a whole line now and then elsewhere."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import pytest

__all__ = ["Display"]

# On a terminal, in seconds.
_REDRAW = 0.5


def _in_place(reporter: Any) -> bool:
    """Whether control codes are welcome; some CI services log what they call a terminal."""
    on_ci = any(os.environ.get(name) for name in ("CI", "BUILD_NUMBER"))
    return bool(reporter.isatty) and os.environ.get("TERM", "dumb") != "dumb" and not on_ci


class Display:
    """Shows lines between pytest's own output, and takes its line away whenever pytest prints.

    `interval` is in seconds; 0 shows every line that tells of an utterance transcribed now. `in_place` says that
    a line is redrawn where it stands.
    """

    def __init__(self, config: pytest.Config, reporter: Any, interval: float) -> None:
        self._config = config
        self._reporter = reporter
        self.in_place = _in_place(reporter)
        self._interval = _REDRAW if self.in_place else interval
        self._since: float | None = None
        self._drawn = False
        self._column = 0
        # Under xdist a thread shows lines while the main thread prints results.
        self._lock = threading.RLock()

    @property
    def width(self) -> int | None:
        """What fits on the line, in characters; None where a line may have any length."""
        # A full line would leave the cursor on the edge, where terminals differ.
        return self._config.get_terminal_writer().fullwidth - 1 if self.in_place else None

    def due(self, now: float, *, fresh: bool) -> bool:
        """Whether it is time for another line; the first is due one interval after somebody first asked."""
        if self._since is None:
            self._since = now
        return now - self._since >= self._interval if self._interval else fresh

    def _uncaptured(self) -> Any:
        manager = self._config.pluginmanager.getplugin("capturemanager")
        return manager.global_and_fixture_disabled() if manager is not None else nullcontext()

    def show(self, line: str, now: float) -> None:
        """Show one line; a closed pipe is pytest's to report."""
        with self._lock, self._uncaptured(), suppress(OSError, ValueError):
            self._since = now
            if self.in_place:
                self._draw(line)
            else:
                self._print(line)

    def _print(self, line: str) -> None:
        writer = self._config.get_terminal_writer()
        self._reporter.ensure_newline()
        if writer.width_of_current_line:
            # Under xdist and -q the reporter does not count dots as a line that was begun.
            writer.line()
        writer.line(line)
        writer.flush()

    def _draw(self, line: str) -> None:
        writer = self._config.get_terminal_writer()
        begin = ""
        if not self._drawn:
            # Under the line that pytest has begun, which it goes on with afterwards.
            self._column = max(0, writer.width_of_current_line) % writer.fullwidth
            begin = "\n" if self._column else ""
            self._drawn = True
        writer.write_raw(f"{begin}\r{line}\x1b[K", flush=True)

    def clear(self) -> None:
        """Take the line away and put the cursor back where pytest left it."""
        with self._lock, suppress(OSError, ValueError):
            if self._drawn:
                back = f"\x1b[A\r\x1b[{self._column}C" if self._column else ""
                self._config.get_terminal_writer().write_raw(f"\r\x1b[K{back}", flush=True)
                self._drawn = False

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Let pytest print, with no line of ours in the way nor soon after."""
        with self._lock:
            self.clear()
            yield
            if self.in_place:
                self._since = time.monotonic()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logstart(self) -> Generator[None]:
        """Make way for the path of the next test."""
        with self.quiet():
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self) -> Generator[None]:
        """Make way for a result."""
        with self.quiet():
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logfinish(self) -> Generator[None]:
        """Make way for pytest's own percentage."""
        with self.quiet():
            return (yield)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """Leave nothing on the terminal, also after Ctrl-C."""
        try:
            return (yield)
        finally:
            self.clear()
