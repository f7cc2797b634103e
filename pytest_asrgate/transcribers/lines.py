"""Reads lines from a pipe against a clock, since native code hangs, and against a size, since it runs away."""

import os
import select
import time
from collections.abc import Callable

__all__ = ["LineReader", "LineTooLongError", "wait_until"]

# No transcript is this long; a longer line is a runaway, and must not fill our memory.
_LONGEST_LINE = 8 * 1024 * 1024
_LOOK_S = 0.25
_PIECE = 1 << 20


class LineTooLongError(Exception):
    """A line without end."""

    def __init__(self) -> None:
        super().__init__(f"a line of over {_LONGEST_LINE} bytes")


def _nothing() -> None:
    """What is done between looks when nobody asks for more."""


def wait_until(descriptor: int, event: int, deadline: float, look: Callable[[], None] = _nothing) -> None:
    """Wait until `descriptor` is ready for `event` (a `select.poll` mask), calling `look` four times a second.

    Raises TimeoutError when `deadline` (of `time.monotonic`) passes, and whatever `look` raises.
    """
    poll = select.poll()
    poll.register(descriptor, event)
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if poll.poll(max(1, int(min(left, _LOOK_S) * 1000))):
            return
        look()


class LineReader:
    """The lines that arrive on a descriptor, without their line break."""

    def __init__(self, descriptor: int, look: Callable[[], None] = _nothing) -> None:
        self._descriptor = descriptor
        self._look = look
        self._buffer = bytearray()

    def has_more(self) -> bool:
        """Whether anything has arrived that no line had yet; never waits, and the end is nothing."""
        if not self._buffer:
            poll = select.poll()
            poll.register(self._descriptor, select.POLLIN)
            if poll.poll(0):
                self._buffer += os.read(self._descriptor, _PIECE)
        return bool(self._buffer)

    def read(self, deadline: float) -> bytes | None:
        """The next whole line; None at the end, where a last line without a break was cut off and is dropped.

        Raises TimeoutError when the deadline passes, and LineTooLongError.
        """
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > _LONGEST_LINE:
                raise LineTooLongError
            wait_until(self._descriptor, select.POLLIN, deadline, self._look)
            piece = os.read(self._descriptor, _PIECE)
            if not piece:
                return None
            self._buffer += piece
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line
