"""The place of a store: its file, those that SQLite and a rebuild put beside it, and the lock for exchanging it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from pytest_asrgate.errors import StoreError

__all__ = ["BESIDE", "Place", "identity", "remove", "set_aside"]

# Files that SQLite keeps beside the database.
BESIDE = ("-wal", "-shm")
# And beside one that is being made.
_JOURNAL = "-journal"


def identity(path: Path) -> tuple[int, int] | None:
    """Which file this is, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class Place:
    """Where a store is; a link to a file is the place of that file."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve() if path.is_symlink() else path

    def named(self, end: str) -> Path:
        """A file beside the store."""
        return self.path.with_name(self.path.name + end)

    def beside(self) -> list[Path]:
        """The log and its index."""
        return [self.named(end) for end in BESIDE]

    def identities(self) -> dict[Path, tuple[int, int] | None]:
        """Which files lie there now."""
        return {path: identity(path) for path in (self.path, *self.beside())}

    def check_kind(self) -> None:
        """StoreError where a folder, a pipe or the like has the name of one of the files."""
        for path in (self.path, *self.beside()):
            if path.exists() and not path.is_file():
                what = "a folder" if path.is_dir() else "no regular file"
                raise StoreError(
                    f"{path}: cannot be used as a store (it is {what}); move it away, or give gate.state another "
                    "folder"
                )

    def has_lost_its_file(self) -> bool:
        """Whether the file is empty and its log is not: SQLite would remove that log in silence."""
        log = self.named("-wal")
        return self.path.is_file() and not self.path.stat().st_size and log.is_file() and log.stat().st_size > 0

    @contextmanager
    def alone(self, patience_s: float) -> Iterator[None]:
        """One process at a time opens or exchanges the file; StoreError where that takes long, else OSError."""
        from filelock import FileLock, Timeout  # noqa: PLC0415 - not needed to import the store

        lock = FileLock(self.named(".lock"))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=patience_s)
        except Timeout as error:
            raise StoreError(
                f"{self.path}: cannot be used: another process has held {self.named('.lock').name} for long: end "
                "that one, or try again later"
            ) from error
        try:
            yield
        finally:
            lock.release()

    def free_rebuilt(self) -> Path:
        """A name for a store that is being made, which no other has."""
        return self._free(f".rebuilt-{os.getpid()}")

    def rebuilt(self) -> list[Path]:
        """Stores that were made when a kill came. Whoever holds the lock knows that nobody works on them."""
        found = self.path.parent.glob(f"{self.path.name}.rebuilt-*")
        return sorted(path for path in found if not path.name.endswith((*BESIDE, _JOURNAL)))

    def copy(self) -> tuple[Path, int]:
        """Copy the file and the log that lie there now; gives the copy, and a descriptor to be closed later.

        Closing it takes away every lock that SQLite has on the file in this process
        (https://www.sqlite.org/howtocorrupt.html, section 2.2): only whoever is done with the file may.
        """
        target = self.free_rebuilt()
        descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        with target.open("wb") as file:
            while part := os.read(descriptor, 1 << 20):
                file.write(part)
        with suppress(FileNotFoundError):
            shutil.copyfile(self.named("-wal"), target.with_name(f"{target.name}-wal"))
        return target, descriptor

    def was_damaged(self) -> bool:
        """Whether a damaged store was kept aside here."""
        return any(self.path.parent.glob(f"{self.path.name}.damaged-*"))

    def free_aside(self) -> Path:
        """A name to keep a damaged store by; the one that it has already, where a kill came after that."""
        here = identity(self.path)
        for path in self.path.parent.glob(f"{self.path.name}.damaged-*"):
            if here is not None and identity(path) == here:
                return path
        return self._free(f".damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")

    def _free(self, stem: str) -> Path:
        names = (self.named(stem if number == 0 else f"{stem}-{number}") for number in count())
        return next(name for name in names if not name.exists())


def remove(path: Path) -> None:
    """Remove a store and what lies beside it."""
    for end in ("", _JOURNAL, *BESIDE):
        path.with_name(path.name + end).unlink(missing_ok=True)


def set_aside(place: Place, aside: Path, new: Path) -> None:
    """Give the store's files another name, and its own to the new one.

    Whatever moment a kill comes at, there is a store at the path, and until it is the new one that lies beside it.
    """
    if identity(aside) is None:
        _second_name(place.path, aside)
    for end in BESIDE:
        path, other = place.named(end), aside.with_name(aside.name + end)
        # One without rows must not take the place of one with rows, that a kill let get there before.
        if path.is_file() and path.stat().st_size == 0 and other.exists():
            path.unlink()
        with suppress(FileNotFoundError):
            path.replace(other)
    new.replace(place.path)
    _tidy(aside)


def _second_name(path: Path, other: Path) -> None:
    """Give a file another name beside its own; where the file system has no links, instead of its own."""
    try:
        os.link(path, other)
    except OSError:
        path.rename(other)


def _tidy(aside: Path) -> None:
    """Remove what a store that is kept aside does not need: the index of its log, and a log without rows."""
    with suppress(OSError):
        aside.with_name(f"{aside.name}-shm").unlink(missing_ok=True)
        log = aside.with_name(f"{aside.name}-wal")
        if log.is_file() and log.stat().st_size == 0:
            log.unlink()
