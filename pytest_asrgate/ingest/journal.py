"""What was written into a folder of sounds, and of what: a rerun leaves alone what still is that."""

import contextlib
import json
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pytest_asrgate.errors import DatasetError, with_mend
from pytest_asrgate.hashing import file_sha256
from pytest_asrgate.ingest.sounds import FORMATS
from pytest_asrgate.jsonlines import is_ours, strict_json
from pytest_asrgate.values import finite_number

__all__ = [
    "JOURNAL",
    "TEMPORARY",
    "Entry",
    "Journal",
    "journal_entries",
    "remove_abandoned",
    "sha256_of_regular",
]

JOURNAL = ".asrgate-ingest.jsonl"

# What `ingest` begins a file as.
TEMPORARY = re.compile(rf"\..+\.(?:{'|'.join(FORMATS)})\.asrgate-[0-9a-f]{{8}}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its name in the folder, what it was made of, and what it holds.

    `key` is a SHA-256 over everything that decides its bytes. `source` is where the sound was, for messages and to
    tell another corpus from a sound that changed. `sha256` is that of the file, `duration_s` its length in seconds,
    `marks` say what is odd about it.
    """

    file: str
    key: str
    source: str
    sha256: str
    duration_s: float
    marks: tuple[str, ...] = ()


def remove_abandoned(folder: Path) -> None:
    """Remove the temporary files of a run that was killed; for whoever holds the folder's lock."""
    # A folder that cannot be listed keeps nobody from writing.
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if TEMPORARY.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(status.st_mode) and is_ours(status):
                        Path(entry.path).unlink()


def sha256_of_regular(path: Path) -> str | None:
    """The hash of a file that is there itself, not behind a link; None for anything else."""
    try:
        return file_sha256(path) if stat.S_ISREG(path.lstat().st_mode) else None
    except OSError:
        return None


def _entry(row: Any) -> Entry | None:
    """An entry as it was written; None for anything else, which then costs work and nothing more."""
    names = ("file", "key", "source", "sha256")
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in names):
        return None
    duration_s = finite_number(row.get("duration_s"))
    if duration_s is None or duration_s < 0:
        return None
    marks = row.get("marks")
    told = tuple(mark for mark in marks if isinstance(mark, str)) if isinstance(marks, list) else ()
    return Entry(row["file"], row["key"], row["source"], row["sha256"], duration_s, told)


def _entries(path: Path) -> tuple[dict[str, Entry], int]:
    """The last entry of each file, and where the last whole line ends, in bytes."""
    entries: dict[str, Entry] = {}
    end = 0
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            end += len(line)
            with contextlib.suppress(ValueError, RecursionError):
                entry = _entry(strict_json(line.decode("utf-8")))
                if entry is not None:
                    entries[entry.file] = entry
    return entries, end


def journal_entries(folder: Path) -> Mapping[str, Entry]:
    """What the journal of a folder says of each file, by its name; OSError as it comes."""
    path = folder / JOURNAL
    return _entries(path)[0] if path.is_file() else {}


class Journal:
    """The journal of a folder, for whoever holds the folder's lock.

    An entry is written before the file has its name, so that every file of ours is in it, whatever is killed in
    between; that the file holds what the entry says is for the reader to check. DatasetError where it cannot be
    read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / JOURNAL
        try:
            if self._path.is_symlink() or (self._path.exists() and not self._path.is_file()):
                raise DatasetError(f"{self._path}: is no regular file; remove it")
            self._entries, end = _entries(self._path)
            # Without buffer: a line is in the file, or an error was raised.
            self._file = self._path.open("ab", buffering=0)
            if self._file.tell() > end:
                # What a killed run or a full disk left of its last line.
                self._file.truncate(end)
        except OSError as error:
            raise self._refused(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def entries(self) -> Mapping[str, Entry]:
        """What is known of each file, by its name."""
        return self._entries

    def _refused(self, error: OSError) -> DatasetError:
        return DatasetError(with_mend(f"{self._path}: cannot be used ({error.strerror})", error))

    def add(self, entry: Entry) -> None:
        """Append an entry."""
        data = json.dumps(asdict(entry), allow_nan=False).encode() + b"\n"
        try:
            written = self._file.write(data)
            if written < len(data):
                # The disk became full within the line; the next byte says so.
                self._file.write(data[written:])
        except OSError as error:
            raise self._refused(error) from error
        self._entries[entry.file] = entry
