"""One run at a time on a cluster that many use: two would have its workers load the other's model at each shard."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from pytest_asrgate.errors import folder_refused

__all__ = ["Turn"]

# How often whoever waits looks whether there is still something to wait for, in seconds.
_LOOK_S = 2.0


class Turn:
    """The right to have shards on a cluster, among the processes that use one state folder.

    It is held while shards are decoded and never while nothing is; a process that dies gives it up.
    """

    def __init__(self, folder: Path, address: str) -> None:
        """`folder` holds the locks; `address` is the scheduler's."""
        self._file = folder / f"cluster-{hashlib.sha256(address.encode()).hexdigest()[:32]}.lock"
        # The thread that ends a pass is not always the one that began it.
        self._lock = FileLock(self._file, thread_local=False)

    def take(self, check: Callable[[], None]) -> None:
        """Wait until nobody else has it, calling `check`, which may end the wait; nothing for one that is held.

        Raises StoreError where the folder of the locks cannot be written to.
        """
        while not self._lock.is_locked:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._lock.acquire(timeout=_LOOK_S)
            except Timeout:
                check()
            except OSError as error:
                raise folder_refused(self._file.parent, error) from error

    def give_back(self) -> None:
        """Let another process have it; calling it twice is fine."""
        self._lock.release(force=True)
