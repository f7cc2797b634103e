"""How a run ends that is told to end: SIGTERM is taken as Ctrl-C is, and no xdist worker goes on decoding."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from types import FrameType
from typing import Any

import pytest

from pytest_asrgate.plugin.sessions import session_of
from pytest_asrgate.termination import Termination, in_main_thread, take_again

__all__ = ["ControllerEnd", "RunEnd", "WorkerEnd"]

_LOOK_S = 1.0


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    # Nobody is left to report to; finished utterances are stored, and the engines' own lifelines close with us.
    os._exit(1)


def _end_with_controller() -> None:
    """End this process, and with it its engines, when the process that started it is gone."""
    threading.Thread(target=_watch, args=(os.getppid(),), name="asrgate-orphan-watch", daemon=True).start()


def _passed_on() -> signal.Signals:
    """The signal by which a controller interrupts its workers.

    SIGINT as xdist does, but SIGTERM where SIGINT is ignored, as under `nohup` and in the background of a script:
    the workers inherit that.
    """
    return signal.SIGTERM if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else signal.SIGINT


def _too_late(number: int, frame: FrameType | None) -> None:
    """Do nothing."""


def _process_of(node: Any) -> subprocess.Popen[bytes] | None:
    """The process of a worker that xdist started on this machine; None for any other."""
    # No public name leads to it; without it the run ends as well, some seconds later.
    process = getattr(getattr(node.gateway, "_io", None), "popen", None)
    return process if node.gateway.spec.popen and isinstance(process, subprocess.Popen) else None


class RunEnd:
    """In every process of a gate run: whatever ended the session, its engines end with it."""

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """End the engines; where a second Ctrl-C cut the end of the session short they are still there.

        Python waits for the threads that drive them, and these wait for their answers.
        """
        running = session_of(config)
        if running is not None:
            running.close()


class ControllerEnd(RunEnd):
    """In the process that the user started: SIGTERM, as CI and `timeout` send it, ends the run as Ctrl-C does.

    So table and JSON report of what was judged are written, and the exit code is that of an interrupted run.
    A second SIGTERM, unless it comes with the first, one that follows a Ctrl-C and one that comes when the session
    ends anyway, ends at once. A handler that was there before stays.
    """

    def __init__(self) -> None:
        self._termination = Termination()
        self._workers: dict[str, subprocess.Popen[bytes]] = {}
        self._worker_interrupted = False
        self._termination.install()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Nobody would catch an interrupt from now on."""
        self._termination.hasten()

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Be brief from now on, and tell the workers of this machine, as Ctrl-C in a terminal does by itself.

        xdist does the same five seconds later; where it ended the run, as for `-x`, that is left to it.
        """
        self._termination.hasten()
        told = excinfo.type is KeyboardInterrupt or self._worker_interrupted
        for worker in self._workers.values() if told else ():
            worker.send_signal(_passed_on())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        """Remember the process of a worker."""
        process = _process_of(node)
        if process is not None:
            self._workers[node.gateway.id] = process

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Forget a worker that ended; one that was interrupted ends the run."""
        self._workers.pop(node.gateway.id, None)
        # xdist's own word for it.
        self._worker_interrupted |= error == "keyboard-interrupt"

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """As `RunEnd`; whoever runs pytest in a process of his own gets his SIGTERM back."""
        self._termination.give_back()
        super().pytest_unconfigure(config)


class WorkerEnd(RunEnd):
    """In a worker of xdist: one SIGINT ends its session; those that follow, of whomever, do not.

    They would interrupt what the first one began; whoever is in a hurry ends the controller, and with it this
    process. Where SIGINT is ignored the same holds for SIGTERM, which ends a worker at once everywhere else.
    """

    def __init__(self) -> None:
        _end_with_controller()
        self._process = os.getpid()
        number = _passed_on()
        self._before = signal.getsignal(number)
        if in_main_thread() and self._before in {signal.default_int_handler, signal.SIG_DFL}:
            signal.signal(number, self._interrupted)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as Python calls it
        if os.getpid() != self._process:
            # A forked child is none of ours.
            take_again(number, self._before)
            return
        # Not SIG_IGN, which a child process would inherit.
        signal.signal(number, _too_late)
        raise KeyboardInterrupt
