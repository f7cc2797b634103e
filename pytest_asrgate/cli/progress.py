"""How far a command is: a bar on a terminal, elsewhere a line on stderr now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress"]

# In seconds; a log of hours should not be a log of bars.
_EVERY_S = 60.0


def _now() -> float:
    return time.monotonic()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class _Lines:
    """Writes `asrgate: 120 of 2620 sounds` at most once a minute, and nothing in the first."""

    def __init__(self, noun: str, total: int) -> None:
        self._noun, self._total = noun, total
        self._done = 0
        self._told = _now()

    def advance(self, steps: int) -> None:
        self._done += steps
        now = _now()
        if sys.stderr is not None and now - self._told >= _EVERY_S and self._done < self._total:
            self._told = now
            sys.stderr.write(f"asrgate: {self._done} of {self._total} {self._noun}\n")
            sys.stderr.flush()


@contextmanager
def progress(noun: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total` things are done; yields a function that takes how many more were done now.

    `noun` is their plural, such as `sounds`. On a terminal it is a bar that is removed at the end, elsewhere a line
    on stderr at most once a minute. Standard output stays untouched. Call it in the thread that entered.
    """
    if not _is_terminal():
        yield _Lines(noun, total).advance
        return
    from rich.console import Console  # noqa: PLC0415 - takes longer than all else, and only a terminal needs it
    from rich.progress import (  # noqa: PLC0415 - as above
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Left alone, so that what the command prints does not wait for the bar, nor pass through its console.
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task(noun, total=total)
        yield lambda steps: bar.advance(task, steps)
