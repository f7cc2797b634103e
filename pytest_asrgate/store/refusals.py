"""What the database refuses: whether it is damage, in words, and what to do about it."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from pytest_asrgate.errors import StoreError, folder_refused
from pytest_asrgate.values import named

__all__ = [
    "REFUSALS",
    "ForeignError",
    "code_of",
    "damage",
    "foreign",
    "is_damage",
    "newer_found",
    "refused",
    "unusable",
    "words_of",
]

# What the database raises; the second where its own message quotes a name that is no text any more.
REFUSALS = (sqlite3.Error, UnicodeDecodeError)


class ForeignError(Exception):
    """The file is a database of something else; `tables` names what it holds, in words."""

    def __init__(self, tables: Iterable[str]) -> None:
        super().__init__(tables)
        self.tables = named(sorted(tables))


def damage(what: str) -> sqlite3.DatabaseError:
    """What the database itself would raise for damage that it does not see."""
    error = sqlite3.DatabaseError(what)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def code_of(error: Exception) -> int:
    """The primary result code of SQLite, 0 where the error has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: Exception) -> bool:
    """Whether the file is no whole database, as opposed to one that is busy, newer or out of room."""
    return isinstance(error, UnicodeDecodeError) or code_of(error) in {
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CORRUPT,
    }


# What to do about an error; to move a store away loses finished work, so only a damaged one is to be moved.
_MENDS = {
    sqlite3.SQLITE_NOTADB: "it is damaged: allow writing to its folder, so that it can be rebuilt, or move it away",
    sqlite3.SQLITE_FULL: "make room on the disk",
    sqlite3.SQLITE_READONLY: "allow writing to it and its folder",
    sqlite3.SQLITE_IOERR: "check the disk, the room on it and its limits (quota, ulimit -f)",
    sqlite3.SQLITE_BUSY: "another process has held it for long: end that one, or try again later",
}
_MENDS[sqlite3.SQLITE_CORRUPT] = _MENDS[sqlite3.SQLITE_NOTADB]


def words_of(error: Exception) -> str:
    """What the database says, for a sentence of ours."""
    return "its tables have no names" if isinstance(error, UnicodeDecodeError) else str(error)


def _mend_of(error: Exception) -> str:
    """What the user can do about it, in half a sentence."""
    code = sqlite3.SQLITE_CORRUPT if is_damage(error) else code_of(error)
    return _MENDS.get(code, "check that gate.state names a folder that can be written to")


def unusable(path: Path, error: Exception) -> StoreError:
    """What to raise where a store cannot even be opened."""
    return StoreError(f"{path}: cannot be used as a store ({words_of(error)}); {_mend_of(error)}")


def refused(path: Path, error: Exception) -> StoreError:
    """What to raise where an open store refuses something."""
    if isinstance(error, OSError):
        return folder_refused(Path(error.filename or path), error)
    return StoreError(f"{path}: cannot be used ({words_of(error)}); {_mend_of(error)}")


def foreign(path: Path, error: ForeignError) -> StoreError:
    """What to raise where the file is no store of ours."""
    return StoreError(
        f"{path}: is a database of something else, with the tables {error.tables}; move it away, or give "
        "gate.state another folder"
    )


def newer_found(path: Path, known: int, found: int) -> StoreError:
    """What to raise where the file has a schema of a later version; nothing is changed in it."""
    return StoreError(
        f"{path}: written by a newer pytest-asrgate (schema {found}, this one knows {known}); upgrade, or give "
        "gate.state another folder"
    )
