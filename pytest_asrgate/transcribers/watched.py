"""The files that make an engine what it is: hashed once, and looked at again at every start and every row."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_asrgate.errors import ReplacedFileError
from pytest_asrgate.hashing import FileHashes, Stamp, combine, file_sha256, stamp_of
from pytest_asrgate.transcribers.protocol import Identity

__all__ = ["EngineFiles", "WatchedFiles", "difference"]

_MEND = "outputs of two engines are never mixed: run again, or put back what was there"


def _written(stamp: Stamp | None) -> tuple[int, ...] | None:
    """What of a stamp changes only where a file is written, or another one takes its place."""
    if stamp is None:
        return None
    size, modified, _, device, inode = stamp
    return size, modified, device, inode


class WatchedFiles:
    """Hashes files as `FileHashes` does, and knows of each the stamp that it had before it was read."""

    def __init__(self, files: FileHashes, before: "WatchedFiles | None" = None) -> None:
        """With `before`, what that one hashed is read again only where its stamp changed."""
        self._files = files
        self._before = before._known if before else {}
        self._known: dict[Path, tuple[Stamp | None, str]] = {}

    def _learn(self, paths: Sequence[Path]) -> None:
        new: list[tuple[Path, Stamp | None]] = []
        for path in paths:
            # Before it is read: what is written meanwhile then shows as a change, never as what was read.
            stamp = stamp_of(path)
            known = self._before.get(path)
            if known is not None and stamp is not None and known[0] == stamp:
                self._known[path] = known
            else:
                new.append((path, stamp))
        for (path, stamp), found in zip(new, self._files.each([path for path, _ in new]), strict=True):
            if isinstance(found, OSError):
                raise found
            self._known[path] = stamp, found

    def sha256(self, path: Path) -> str:
        """The SHA-256 of one file; OSError as it comes."""
        self._learn([path])
        return self._known[path][1]

    def know(self, path: Path, stamp: Stamp | None, sha256: str) -> None:
        """Watch a file that somebody else hashed; `stamp` is what it had before that."""
        self._known[path] = stamp, sha256

    def combined(self, paths: Iterable[Path]) -> str:
        """As `combined_sha256`."""
        every = list(paths)
        self._learn(every)
        return combine(every, lambda path: self._known[path][1])

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of every file that was asked for, by its path."""
        return {str(path): digest for path, (_, digest) in self._known.items()}

    def stamps(self) -> dict[Path, Stamp | None]:
        """The stamp of every file that was asked for."""
        return {path: stamp for path, (stamp, _) in self._known.items()}

    def check(self) -> None:
        """ReplacedFileError where one of the files has other bytes by now; costs a `stat` each.

        A file that is gone is no other one: whoever has it open has what was hashed.
        """
        for path, (stamp, digest) in self._known.items():
            now = stamp_of(path)
            if now is None or now == stamp:
                continue
            try:
                found = file_sha256(path)
            except OSError as error:
                raise ReplacedFileError(f"{path} cannot be read any more ({error.strerror})") from error
            if found != digest:
                raise ReplacedFileError(_replaced(str(path), digest, found))
            self._known[path] = now, found


def _replaced(path: str, before: str | None, now: str | None) -> str:
    if now is None:
        what = f"{path} has gone during the run"
    elif before is None:
        what = f"{path} has come during the run"
    else:
        what = f"{path} was replaced during the run: its SHA-256 was {before}, and now is {now}"
    return f"{what}; {_MEND}"


def difference(before: Identity, now: Identity) -> str:
    """The file, else the stamp, by which two identities differ, in one sentence; empty where neither tells.

    Both are of one engine as it was asked for, from the same place.
    """
    for path in sorted({*before.files, *now.files}):
        one, other = before.files.get(path), now.files.get(path)
        if one != other:
            return _replaced(path, one, other)
    for name in sorted(before.provenance.keys() & now.provenance.keys()):
        one_stamp, other_stamp = before.provenance[name], now.provenance[name]
        if one_stamp != other_stamp:
            what = f"its {name} was {one_stamp}, and now is {other_stamp}"
            return f"the engine was replaced during the run: {what}; {_MEND}"
    return ""


class EngineFiles:
    """Who an engine is by its files, and that it stays the same one, however often it is started."""

    def __init__(self, files: FileHashes, identify: Callable[[WatchedFiles], Identity]) -> None:
        """`identify` makes the identity of files that it hashes through its argument."""
        self._files = files
        self._identify = identify
        self._watched = WatchedFiles(files)
        self._identity: Identity | None = None
        self._stamps: dict[Path, Stamp | None] = {}

    def identity(self) -> Identity:
        """Who it is, since the first time that this was asked."""
        if self._identity is None:
            watched = WatchedFiles(self._files)
            found = self._identify(watched)
            self._watched, self._identity = watched, replace(found, files=watched.hashes())
        return self._identity

    def check_start(self) -> None:
        """ReplacedFileError where a process that starts now is another engine than the identity tells."""
        identity = self.identity()
        again = WatchedFiles(self._files, self._watched)
        try:
            found = replace(self._identify(again), files=again.hashes())
        except OSError as error:
            place = os.fspath(error.filename) if error.filename else "a file of the engine"
            raise ReplacedFileError(f"{place} cannot be read any more ({error.strerror}); {_MEND}") from error
        if found.fingerprint != identity.fingerprint:
            raise ReplacedFileError(difference(identity, found) or f"the engine became another one; {_MEND}")
        self._watched, self._stamps = again, again.stamps()

    def check_loaded(self) -> None:
        """ReplacedFileError where it is not certain that a process which is ready has loaded what was checked.

        Between `check_start` and now nothing may have been written, not even what has the same bytes by now. Where
        only the inode changed, as by `chmod` or another link to the file, its hash has been looked at again.
        """
        before = self._stamps
        self.check_start()
        for path, stamp in before.items():
            if _written(self._stamps.get(path)) != _written(stamp):
                raise ReplacedFileError(f"{path} was written to while the engine loaded it; run again")

    def check(self) -> None:
        """ReplacedFileError where one of the files has other bytes by now."""
        self._watched.check()
