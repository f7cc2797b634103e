"""SHA-256 of files: read in pieces, so that a model of any size needs no memory, and again only once changed."""

import hashlib
import os
import re
import stat
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from pytest_asrgate.errors import StoreError

__all__ = ["FileHashes", "HashMemory", "Stamp", "combine", "combined_sha256", "file_sha256", "stamp_of"]

# Size, modification time, time of the inode's last change, device and inode of a file.
Stamp = tuple[int, int, int, int, int]

# A file that was written this shortly before it was hashed may be written again without a new modification time:
# clocks of file systems are coarse (FAT counts in steps of two seconds), and whoever writes goes on writing.
_RACY_NS = 10_000_000_000
# So many files are looked up and kept at once; whoever is interrupted loses no more than these.
_AT_ONCE = 1_000
_SHA256 = re.compile("[0-9a-f]{64}")


class HashMemory(Protocol):
    """Where hashes are remembered, by a file's path and the stamp it had."""

    def find_hashes(self, paths: Sequence[bytes]) -> Mapping[bytes, tuple[str, str]]:
        """Stamp and SHA-256 of each path that is known."""
        ...

    def keep_hashes(self, rows: Sequence[tuple[bytes, str, str]]) -> None:
        """Remember (path, stamp, SHA-256), in place of what was known of the paths."""
        ...


def file_sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes; OSError as it comes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def combine(paths: Iterable[Path], sha256: Callable[[Path], str]) -> str:
    """One SHA-256 over names and contents of several files, whose hashes `sha256` gives."""
    total = hashlib.sha256()
    for path in sorted(paths, key=lambda path: path.name):
        total.update(f"{path.name}\0{sha256(path)}\n".encode())
    return total.hexdigest()


def combined_sha256(paths: Iterable[Path]) -> str:
    """One SHA-256 over names and contents of several files, in the order of their names."""
    return combine(paths, file_sha256)


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_dev, found.st_ino


def stamp_of(path: Path) -> Stamp | None:
    """What tells that a file was written or exchanged; None for one that is not there.

    No program can set the time of the inode's last change back, as it can the modification time. A file that is
    written through a memory map shows it only once the kernel has written it back, and some network file systems
    show it late: such files are what `--asrgate-rehash` is for.
    """
    try:
        return _stamp(path.stat())
    except OSError:
        return None


def _spelt(found: os.stat_result) -> str:
    """A stamp as the memory keeps it."""
    return " ".join(map(str, _stamp(found)))


def _place(path: Path) -> bytes:
    return os.fsencode(os.path.abspath(path))  # noqa: PTH100 - not resolve(): a link to another file has its stamp


class FileHashes:
    """Hashes of files that are read again only where they changed, as far as their stamps tell.

    Without a memory every file is read. With `rehash` what is remembered is not believed: every file is read once,
    and the memory has what was found. `memory` is asked for only when the first file is, and only in the thread
    that made this object, since a database connection belongs to one; other threads read what is not known yet.
    A memory that cannot look up or keep is asked no more. One that cannot be opened raises its own error, before
    anything is read: whoever hashes files needs the store for what was made of them.
    """

    def __init__(self, memory: Callable[[], HashMemory] | None = None, *, rehash: bool = False) -> None:
        self._memory = memory
        self._rehash = rehash
        self._failed = False
        self._known: dict[bytes, tuple[str, str]] = {}
        self._thread = threading.get_ident()

    def sha256(self, path: Path) -> str:
        """The SHA-256 of one file; OSError as it comes."""
        (found,) = self.each([path])
        if isinstance(found, OSError):
            raise found
        return found

    def combined(self, paths: Iterable[Path]) -> str:
        """As `combined_sha256`."""
        every = list(paths)
        # In one look-up; what cannot be read is raised below.
        self.each(every)
        return combine(every, self.sha256)

    def each(self, paths: Sequence[Path]) -> list[str | OSError]:
        """The SHA-256 of each path, in order, or what keeps it from being read."""
        found: list[str | OSError] = []
        at_home = threading.get_ident() == self._thread
        for start in range(0, len(paths), _AT_ONCE):
            part = paths[start : start + _AT_ONCE]
            if at_home:
                self._recall([_place(path) for path in part])
            fresh: list[tuple[bytes, str, str]] = []
            for path in part:
                try:
                    found.append(self._hash(path, fresh))
                except OSError as error:
                    found.append(error)
            if fresh and at_home:
                self._keep(fresh)
        return found

    def _recall(self, places: Sequence[bytes]) -> None:
        """Take what the memory has of files that this object has not seen."""
        unseen = [place for place in places if place not in self._known]
        if self._memory is None or self._failed or not unseen:
            return
        memory = self._memory()
        if self._rehash:
            return
        try:
            found = memory.find_hashes(unseen)
        except (StoreError, OSError):
            self._failed = True
            return
        for place, (stamp, digest) in found.items():
            # Anything but a hash is damage, and the file is read.
            if _SHA256.fullmatch(digest):
                self._known[place] = stamp, digest

    def _keep(self, fresh: Sequence[tuple[bytes, str, str]]) -> None:
        """Give the memory what was read now."""
        if self._memory is None or self._failed:
            return
        memory = self._memory()
        try:
            memory.keep_hashes(fresh)
        except (StoreError, OSError):
            self._failed = True

    def _hash(self, path: Path, fresh: list[tuple[bytes, str, str]]) -> str:
        place = _place(path)
        known = self._known.get(place)
        if known is not None and known[0] == _spelt(path.stat()):
            return known[1]
        begun = time.time_ns()
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            after = os.fstat(file.fileno())
        self._known.pop(place, None)
        settled = stat.S_ISREG(before.st_mode) and begun - before.st_mtime_ns >= _RACY_NS
        if self._memory is not None and settled and _stamp(before) == _stamp(after):
            stamp = _spelt(before)
            self._known[place] = stamp, digest
            fresh.append((place, stamp, digest))
        return digest
