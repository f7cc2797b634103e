"""The database file of a store: opened, kept an eye on, and made anew where it was damaged or taken away."""

import ctypes
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeVar

from pytest_asrgate.errors import StoreError, folder_refused
from pytest_asrgate.store.refusals import REFUSALS, code_of, damage, is_damage, mend_of, words_of
from pytest_asrgate.store.salvage import salvage
from pytest_asrgate.store.tables import SCHEMA, decoded, make_tables, missing_tables
from pytest_asrgate.values import plural

__all__ = ["Database"]

# How long another process's write is waited for.
_PATIENCE_S = 60.0
# Values that one statement may have, in every build of SQLite.
_VALUES = 900
# How often a store is made again whose folder goes on disappearing.
_TRIES = 10
# Files that SQLite keeps beside the database.
_BESIDE = ("-wal", "-shm")

_T = TypeVar("_T")


class _NewerError(Exception):
    """The store has a schema of a later version; its number is the argument."""


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file this is, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _leave_open(connection: sqlite3.Connection) -> None:
    """Let a connection to a file that is no longer at its place stay open until the process ends.

    Closing it, SQLite would remove the log of whatever store has taken that place, by name.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))


class Database:
    """A connection to the store at `path`; StoreError where it cannot be opened, read or written.

    `notes` are sentences about what was found and mended; `read_only` says why nothing can be written, else empty;
    `sealed` is false for a store of before there were seals, which can only be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self.read_only = ""
        self.sealed = True
        self._wrote = False
        self.connection: sqlite3.Connection
        self._files: dict[Path, tuple[int, int] | None] = {}
        try:
            with self._while_none_exchanges():
                self._open()
        except REFUSALS as error:
            if not is_damage(error):
                raise self._unusable(error) from error
            self._rebuild(error)

    def _unusable(self, error: Exception) -> StoreError:
        """As `_refused`, where it could not even be opened."""
        return StoreError(f"{self.path}: cannot be used as a store ({words_of(error)}); {mend_of(error)}")

    def _refused(self, error: Exception) -> StoreError:
        if isinstance(error, OSError):
            return folder_refused(Path(error.filename or self.path), error)
        return StoreError(f"{self.path}: cannot be used ({words_of(error)}); {mend_of(error)}")

    def _newer(self, found: int) -> StoreError:
        return StoreError(
            f"{self.path}: written by a newer pytest-asrgate (schema {found}, this one knows {SCHEMA}); "
            "upgrade, or give gate.state another folder"
        )

    def _open(self) -> None:
        """Open what is at the path; sqlite3.Error of damage as it comes, StoreError for the rest."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                # Left of a file that was removed: SQLite would take them for the new one's.
                for end in _BESIDE:
                    self._named(end).unlink(missing_ok=True)
        except OSError as error:
            raise self._unusable(error) from error
        try:
            self._open_to_write()
        except REFUSALS as error:
            if is_damage(error):
                raise
            cannot_write = code_of(error) in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
            if not (cannot_write and self.path.is_file()):
                raise self._unusable(error) from error
            self._open_to_read(error)
        self._files = {self._named(end): _identity(self._named(end)) for end in ("", *_BESIDE)}

    def _named(self, end: str) -> Path:
        return self.path.with_name(self.path.name + end)

    def _open_to_write(self) -> None:
        newer = self._newer_by_header()
        if newer:
            # Not even its mode is changed.
            raise self._newer(newer)
        connection = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        self.connection = connection
        try:
            connection.text_factory = decoded
            self._switch_to_wal()
            connection.execute("PRAGMA synchronous = NORMAL")
            found = make_tables(connection)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                # Our statements are right, so it is the file: a format of no version, tables that are none.
                raise damage(str(error)) from error
            raise
        if found > SCHEMA:
            connection.close()
            raise self._newer(found)
        self.sealed, self.read_only = True, ""
        if not os.access(self.path, os.W_OK):
            self._note_read_only("the file cannot be written to")

    def _switch_to_wal(self) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            # Unlike every other statement, the switch to WAL does not wait for the others that open the file.
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                busy = code_of(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return

    def _open_to_read(self, why: Exception) -> None:
        """Open a store that nothing can be written to, or beside."""
        log = self._named("-wal")
        rows_in_log = log.is_file() and log.stat().st_size > 0
        # Where not even the index of the log can be made, only a store that was closed in good order is whole.
        modes = ["mode=ro"] if rows_in_log else ["mode=ro", "immutable=1"]
        failed: Exception = why
        for mode in modes:
            connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)
            try:
                connection.text_factory = decoded
                (found,) = connection.execute("PRAGMA user_version").fetchone()
                if found > SCHEMA:
                    raise _NewerError(found)
                self.sealed = missing_tables(connection)
            except _NewerError as error:
                connection.close()
                raise self._newer(error.args[0]) from why
            except REFUSALS as error:
                connection.close()
                failed = error
            else:
                self.connection = connection
                self._note_read_only("its folder cannot be written to")
                return
        raise self._refused_to_read(failed, rows_in_log=rows_in_log) from failed

    def _refused_to_read(self, error: Exception, *, rows_in_log: bool) -> StoreError:
        if not rows_in_log:
            return self._unusable(error)
        return StoreError(
            f"{self.path}: cannot be used as a store ({words_of(error)}): its last run was cut short, and its "
            "folder cannot be written to; allow writing to the folder"
        )

    def _note_read_only(self, why: str) -> None:
        self.read_only = why
        self.notes.append(f"{self.path}: {why}: pairs are judged from what it holds, and nothing is added to it")

    @contextmanager
    def _while_none_exchanges(self) -> Iterator[None]:
        """Open a file and its log as they belong together, and not half before and half after an exchange.

        Where no lock can be made nothing can be exchanged either.
        """
        from filelock import FileLock  # noqa: PLC0415 - not needed to import the store

        lock = FileLock(self._named(".lock"))
        with suppress(OSError, NotImplementedError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One process at a time exchanges the file at the path."""
        from filelock import FileLock  # noqa: PLC0415 - as above

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self._named(".lock")):
                yield
        except OSError as error:
            raise self._refused(error) from error

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the open file is no longer the one at the path."""
        found = _identity(self.path)
        return found is None or found != self._files.get(self.path)

    def _rebuild(self, error: Exception) -> None:
        """Keep a damaged store aside and put what can be read of it into a new one."""
        try:
            with self._alone():
                newer = self._newer_by_header()
                if newer:
                    raise self._newer(newer) from error
                known = self._files.get(self.path)
                old = self.connection if known is not None else None
                if known is not None and self._is_elsewhere:
                    # Another process was faster; what this one added after that is not in the new store yet.
                    self._follow()
                    return
                if known is None and self._opens():
                    return
                self._exchange(old, error)
        except REFUSALS as failed:
            raise self._refused(failed) from failed

    def _opens(self) -> bool:
        """Whether another process has mended it meanwhile."""
        try:
            self._open()
        except REFUSALS as error:
            if is_damage(error):
                return False
            raise
        return True

    def _newer_by_header(self) -> int:
        """The schema number of a later version, as the head of the file says it, else 0; nothing is changed."""
        if not self.path.is_file():
            return 0
        # Never by reading the file ourselves: closing it would take away the locks that SQLite has on it in this
        # process (https://www.sqlite.org/howtocorrupt.html, section 2.2), and another process then removes its log.
        try:
            with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
                (found,) = connection.execute("PRAGMA user_version").fetchone()
        except REFUSALS:
            return 0
        # In a damaged file any number may stand there; versions are small.
        return int(found) if SCHEMA < found < 1000 else 0

    def _exchange(self, old: sqlite3.Connection | None, error: Exception) -> None:
        if old is None:
            # What cannot be opened as ours may still be read.
            old = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
            old.text_factory = decoded
        aside = self._free_name()
        rebuilt = self._named(f".rebuilt-{os.getpid()}")
        try:
            rebuilt.unlink(missing_ok=True)
            new = sqlite3.connect(rebuilt, isolation_level=None)
            try:
                make_tables(new)
                taken = salvage(old, new)
            finally:
                new.close()
            _leave_open(old)
            # Whatever moment a kill comes at, there is a store at the path, damaged or new.
            _second_name(self.path, aside)
            for end in _BESIDE:
                with suppress(FileNotFoundError):
                    self._named(end).replace(aside.with_name(aside.name + end))
            rebuilt.replace(self.path)
            _tidy(aside)
        finally:
            rebuilt.unlink(missing_ok=True)
        self.notes.append(
            f"{self.path}: was damaged ({words_of(error)}): it is kept as {aside.name}, and a new store has the "
            f"{plural(taken, 'finished utterance')} that could be read; the rest is transcribed again"
        )
        self._open()

    def _free_name(self) -> Path:
        stem = f".damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        names = (self._named(stem if number == 0 else f"{stem}-{number}") for number in count())
        return next(name for name in names if not name.exists())

    def _follow(self) -> int:
        """Open what is at the path now, or make it, and put what the open file has into it."""
        old = self.connection
        _leave_open(old)
        for end in _BESIDE:
            # Left of the file that was removed: SQLite would take it for the new one's.
            path = self._named(end)
            if self._files.get(path) is not None and _identity(path) == self._files[path]:
                with suppress(FileNotFoundError):
                    path.unlink()
        try:
            self._open()
        except BaseException:
            # It still has what has not come to another place yet.
            self.connection = old
            raise
        return salvage(old, self.connection) if not self.read_only else 0

    def _look_after(self) -> None:
        """Notice that the file was removed or exchanged: SQLite would go on writing into one that nobody finds."""
        if not self._is_elsewhere:
            return
        was_there = self.path.exists()
        taken = 0
        for tries_left in reversed(range(_TRIES)):
            try:
                with self._alone():
                    # Whoever removes a folder may not have done with it.
                    while self._is_elsewhere:
                        taken = self._follow()
                break
            except (StoreError, *REFUSALS) as error:
                if tries_left and not self.path.exists():
                    time.sleep(0.01)
                    continue
                raise (error if isinstance(error, StoreError) else self._refused(error)) from error
        what = "another file took the place of this store" if was_there else "this store was removed"
        self.notes.append(
            f"{self.path}: {what} while it was in use: {plural(taken, 'finished utterance')} that it held were "
            "written again"
        )

    def run(self, work: Callable[[sqlite3.Connection], _T], *, writes: bool = False) -> _T:
        """What `work` makes of the connection; it may be called twice, the second time on a rebuilt store."""
        if writes and self.read_only:
            raise StoreError(
                f"{self.path}: {self.read_only}; allow writing to it and its folder, or give gate.state "
                "another folder"
            )
        try:
            try:
                done = work(self.connection)
            except REFUSALS as error:
                if self.read_only or not self._mended(error):
                    raise
                done = work(self.connection)
        except REFUSALS as error:
            raise self._refused(error) from error
        if writes:
            self._wrote = True
            self._look_after()
        return done

    def _mended(self, error: Exception) -> bool:
        """Whether it is worth another try."""
        if is_damage(error):
            self._rebuild(error)
            return True
        if self._files and self._is_elsewhere:
            # Some systems refuse to write to a file that was removed.
            self._look_after()
            return True
        if code_of(error) == sqlite3.SQLITE_READONLY and all(
            os.access(place, os.W_OK) for place in (self.path, self.path.parent)
        ):
            # Nothing forbids it but the file's own head, which names a format that SQLite must not write to.
            self._rebuild(error)
            return True
        return False

    def change(self, statement: str, values: Sequence[object]) -> int:
        """Execute one statement that writes; returns how many rows it changed."""
        return self.run(lambda connection: connection.execute(statement, values).rowcount, writes=True)

    def first(self, query: str, values: Sequence[object]) -> tuple[Any, ...] | None:
        """The first row of a query, None where there is none."""
        found: tuple[Any, ...] | None = self.run(lambda connection: connection.execute(query, values).fetchone())
        return found

    def select(
        self, query: str, values: Iterable[object], also: tuple[object, ...] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of a query whose `IN ()` takes values, however many these are; `also` takes its other marks."""
        waiting = iter(values)
        while part := list(islice(waiting, _VALUES)):
            marks = ", ".join("?" * len(part))
            filled = query.replace("IN ()", f"IN ({marks})")
            yield from self._all(filled, (*also, *part))

    def _all(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        return self.run(lambda connection: connection.execute(query, values).fetchall())

    def insert(self, table: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Put rows into a table in one transaction, in place of those with the same keys."""
        marks = ", ".join("?" * len(rows[0]))
        statement = f"INSERT OR REPLACE INTO {table} VALUES ({marks})"  # noqa: S608 - constants
        self.transact(lambda connection: connection.executemany(statement, rows))

    def transact(self, work: Callable[[sqlite3.Connection], object]) -> None:
        """All or nothing of what `work` executes."""

        def whole(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            try:
                work(connection)
                connection.execute("COMMIT")
            except BaseException:
                # A full disk has ended the transaction itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

        self.run(whole, writes=True)

    def close(self) -> None:
        """Close the connection; finished work is already on disk, and is put back where it was just removed."""
        if self._files and self._is_elsewhere:
            old = self.connection
            # What only read has nothing to put back.
            if self._wrote:
                with suppress(StoreError):
                    self._look_after()
            if self.connection is old:
                _leave_open(old)
        self._files = {}
        self.connection.close()


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
