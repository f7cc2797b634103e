"""Locks by name, which one process of all that share a state folder holds at a time."""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from pytest_asrgate.errors import folder_refused

__all__ = ["alone", "lock_folder"]

# How often, and how long after, a lock is made again whose folder goes on disappearing.
_TRIES = 100
_PAUSE_S = 0.01
# How long who waits for a lock goes without a look at whether it is still the one at the place.
_LOOK_S = 1.0


def lock_folder(state: Path, *, read_only: bool) -> Path:
    """Where the locks of a state folder are: in it, else where this user's temporary files are."""
    if not read_only:
        return state / "locks"
    name = hashlib.sha256(os.fsencode(state.absolute())).hexdigest()[:32]
    return Path(tempfile.gettempdir()) / f"asrgate-{os.getuid() if hasattr(os, 'getuid') else 0}-{name}"


@contextmanager
def alone(folder: Path, name: str, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of this name; StoreError where the folder cannot be used.

    `waiting` is called once where another process holds it. A folder that is removed meanwhile is made again.
    """
    lock = FileLock(folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.lock")
    patience_s, tries_left = 0.0, _TRIES
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=patience_s)
            break
        except Timeout:
            if not patience_s:
                waiting()
            patience_s = _LOOK_S
        except OSError as error:
            tries_left -= 1
            if not (isinstance(error, FileNotFoundError) and tries_left):
                raise folder_refused(folder, error) from error
            time.sleep(_PAUSE_S)
    try:
        yield
    finally:
        lock.release()
