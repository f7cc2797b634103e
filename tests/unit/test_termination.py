"""SIGTERM taken as Ctrl-C: once, whoever sends it twice, and in no other process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from pytest_asrgate import termination
from pytest_asrgate.termination import TWIN_S, Termination


class Died(BaseException):
    """In place of the death that SIGTERM means."""


class Clock:
    """A clock that stands until it is told otherwise."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """SIGTERM as nobody handles it, a clock of our own, and no death."""

    def died(number: int, before: object) -> None:
        assert (number, before) == (signal.SIGTERM, signal.SIG_DFL)
        raise Died

    clock = Clock()
    monkeypatch.setattr(termination, "_now", clock)
    monkeypatch.setattr(termination, "take_again", died)
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        yield clock
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate() -> None:
    # Handled before this returns.
    signal.raise_signal(signal.SIGTERM)


def test_the_twin_of_a_sigterm_is_ignored_and_a_later_one_ends_at_once(clock: Clock) -> None:
    """`timeout` signals the process and then its group; somebody in a hurry comes later than that."""
    Termination().install()
    with pytest.raises(KeyboardInterrupt, match="SIGTERM"):
        _terminate()
    clock.now += 0.9 * TWIN_S
    _terminate()
    _terminate()
    clock.now += 0.2 * TWIN_S
    with pytest.raises(Died):
        _terminate()


def test_while_it_ends_the_first_ends_at_once_and_a_twin_is_still_ignored(clock: Clock) -> None:
    """Nobody would catch an interrupt then: a first SIGTERM kills, the twin of an earlier one does nothing."""
    ending = Termination()
    ending.install()
    ending.hasten()
    with pytest.raises(Died):
        _terminate()
    ending.give_back()
    told = Termination()
    told.install()
    with pytest.raises(KeyboardInterrupt):
        _terminate()
    told.hasten()
    _terminate()
    clock.now += 1.1 * TWIN_S
    with pytest.raises(Died):
        _terminate()


def test_only_its_own_handler_is_given_back(clock: Clock) -> None:
    """A handler that was there stays; one that came later stays; where ours comes back afterwards, it kills."""

    def theirs(number: int, frame: object) -> None:
        raise AssertionError

    for before in (signal.SIG_IGN, theirs):
        signal.signal(signal.SIGTERM, before)
        ours = Termination()
        ours.install()
        assert signal.getsignal(signal.SIGTERM) is before
        ours.give_back()
        assert signal.getsignal(signal.SIGTERM) is before
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ours = Termination()
    ours.install()
    handler = signal.signal(signal.SIGTERM, theirs)
    ours.give_back()
    assert signal.getsignal(signal.SIGTERM) is theirs
    signal.signal(signal.SIGTERM, handler)
    with pytest.raises(Died):
        _terminate()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    ours = Termination()
    ours.install()
    ours.give_back()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


FORKED = """
import os, signal, time
from pytest_asrgate.termination import Termination

termination = Termination()
termination.install()
reader, writer = os.pipe()
child = os.fork()
if not child:
    try:
        os.write(writer, b"x")
        time.sleep(600)
    except BaseException:
        os._exit(7)
os.read(reader, 1)
os.kill(child, signal.SIGTERM)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_dies_of_sigterm_as_any_process() -> None:
    """The handler is inherited, and is none of the child's business."""
    before = time.monotonic()
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), time.monotonic() - before
