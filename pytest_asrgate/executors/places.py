"""So many model processes on a machine and no more, whoever starts them: each holds one of a set of locks."""

import hashlib
import platform
from pathlib import Path

from filelock import FileLock, Timeout

from pytest_asrgate.errors import StoreError

__all__ = ["Place", "Places"]


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
        self._files = [folder / f"{host}-model-{number}.lock" for number in range(count)]

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
                raise StoreError(
                    f"{file.parent}: cannot be used ({error.strerror}); "
                    "check that gate.state names a folder that can be written to"
                ) from error
            return Place(number, lock)
        return None
