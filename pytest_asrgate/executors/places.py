"""So many model processes on a machine and no more, whoever starts them: each holds one of a set of locks."""

import hashlib
import platform
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from pytest_asrgate.errors import folder_refused

__all__ = ["Place", "Places"]

# Whoever waits says so this often, and is believed a little longer, in seconds.
_SAY_S = 0.5
_BELIEVE_S = 3.0


class Place:
    """The right to run one model process, until it is given back or this process dies; `number` counts from 0."""

    def __init__(self, number: int, lock: FileLock) -> None:
        self.number = number
        self._lock = lock

    def give_back(self) -> None:
        """Let another process have it; calling it twice is fine."""
        self._lock.release()


class Places:
    """`count` rights, shared by all processes of this machine that use one state folder."""

    def __init__(self, folder: Path, count: int) -> None:
        # A state folder may be shared by machines, which count by themselves.
        host = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
        self.count = count
        self._files = [folder / f"{host}-model-{number}.lock" for number in range(count)]
        self._wanted = folder / f"{host}-model-wanted"
        self._said = 0.0

    def say_wanted(self) -> None:
        """Ask the others to end what they do not use."""
        if time.monotonic() - self._said >= _SAY_S:
            self._said = time.monotonic()
            # Who cannot ask waits all the same.
            with suppress(OSError):
                self._wanted.touch()

    @property
    def wanted(self) -> bool:
        """Whether somebody waits, perhaps in this process."""
        try:
            return abs(time.time() - self._wanted.stat().st_mtime) < _BELIEVE_S
        except OSError:
            return False

    def try_take(self) -> Place | None:
        """A right that nobody has now, None where all are taken.

        Raises StoreError where the folder of the locks cannot be written to.
        """
        for number, file in enumerate(self._files):
            # The thread that ends an engine is not always the one that started it.
            lock = FileLock(file, thread_local=False)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                lock.acquire(timeout=0)
            except Timeout:
                continue
            except OSError as error:
                raise folder_refused(file.parent, error) from error
            return Place(number, lock)
        return None
