"""SIGTERM, as CI and `timeout` send it, taken as Ctrl-C is: once, and only in the process that asked for it."""

import os
import signal
import threading
import time
from types import FrameType
from typing import Any

__all__ = ["TWIN_S", "Termination", "in_main_thread", "take_again"]

# GNU `timeout` signals its child and then the whole process group, so one end is told twice. In seconds.
TWIN_S = 2.0


def _now() -> float:
    return time.monotonic()


def in_main_thread() -> bool:
    """Whether signals can be handled here; a run may have been started in a thread of somebody's program."""
    return threading.current_thread() is threading.main_thread()


def take_again(number: int, handler: Any) -> None:
    """Let this process take a signal as it would with another handler, such as SIG_DFL, which may end it."""
    signal.signal(number, handler)
    os.kill(os.getpid(), number)


class Termination:
    """The first SIGTERM raises KeyboardInterrupt("SIGTERM"); those of the next two seconds are the same one.

    One that comes later ends the process at once, and so does the first where `hasten` was called before it. A
    child that was forked takes it as if there were no handler. Nothing is done outside of the main thread, and
    where somebody handles SIGTERM already; Python does not see what `faulthandler.register(SIGTERM)` does, so that
    loses SIGTERM to us, for good.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._first: float | None = None
        self._in_a_hurry = False

    def install(self) -> None:
        """Handle SIGTERM from now on, if nobody does."""
        if in_main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._terminated)

    def hasten(self) -> None:
        """From now on nobody would catch an interrupt: the first SIGTERM ends the process, too."""
        self._in_a_hurry = True

    def give_back(self) -> None:
        """Leave SIGTERM as it was found; a handler that somebody else installed meanwhile stays."""
        # He may put back what he found, which is ours: nothing is left to be interrupted then.
        self.hasten()
        self._first = None
        if in_main_thread() and signal.getsignal(signal.SIGTERM) == self._terminated:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def _terminated(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as Python calls it
        twin = self._first is not None and _now() - self._first < TWIN_S
        if os.getpid() != self._process:
            take_again(number, signal.SIG_DFL)
        elif twin:
            return
        elif self._in_a_hurry or self._first is not None:
            take_again(number, signal.SIG_DFL)
        else:
            self._first = _now()
            raise KeyboardInterrupt("SIGTERM")
