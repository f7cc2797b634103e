"""The database file of a store: opened, kept an eye on, and made anew where it was damaged or taken away."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from pytest_asrgate.errors import StoreError
from pytest_asrgate.store.place import Place, identity, remove, set_aside
from pytest_asrgate.store.refusals import (
    REFUSALS,
    ForeignError,
    code_of,
    damage,
    foreign,
    is_damage,
    newer_found,
    refused,
    unusable,
    words_of,
)
from pytest_asrgate.store.rows import opened_record, sealed_record
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

_T = TypeVar("_T")


class _NewerError(Exception):
    """The store has a schema of a later version; its number is the argument."""


class Database:
    """A connection to the store at `path`; StoreError where it cannot be opened, read or written.

    `read_only` says why nothing can be written, else empty;
    `sealed` is false for a store of before there were seals, which can only be read.
    """

    def __init__(self, path: Path) -> None:
        self._place = Place(path)
        self.path = self._place.path
        self._notes: dict[str, None] = {}
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
                raise unusable(self.path, error) from error
            self._rebuild(error)

    def _open(self) -> None:
        """Open what is at the path; sqlite3.Error of damage as it comes, StoreError for the rest."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._place.check_kind()
            if not self.path.exists():
                # Left of a file that was removed: SQLite would take them for the new one's.
                for path in self._place.beside():
                    path.unlink(missing_ok=True)
            elif self._place.has_lost_its_file():
                raise damage("it is empty, and its log is not")
            elif self._place.rebuilt() and os.access(self.path.parent, os.W_OK):
                raise damage("a run was killed while it made it anew")
        except OSError as error:
            raise unusable(self.path, error) from error
        try:
            self._open_to_write()
        except REFUSALS as error:
            if is_damage(error):
                raise
            cannot_write = code_of(error) in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
            if not (cannot_write and self.path.is_file()):
                raise unusable(self.path, error) from error
            self._open_to_read(error)
        except ForeignError as error:
            raise foreign(self.path, error) from error
        self._files = self._place.identities()

    def _open_to_write(self) -> None:
        newer = self._newer_by_header()
        if newer:
            # Not even its mode is changed.
            raise newer_found(self.path, SCHEMA, newer)
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
            raise newer_found(self.path, SCHEMA, found)
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
        log = self._place.named("-wal")
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
                raise newer_found(self.path, SCHEMA, error.args[0]) from why
            except ForeignError:
                connection.close()
                raise
            except REFUSALS as error:
                connection.close()
                failed = error
            else:
                self.connection = connection
                folder_too = not os.access(self.path.parent, os.W_OK)
                self._note_read_only(f"{'its folder' if folder_too else 'the file'} cannot be written to")
                return
        raise self._refused_to_read(failed, rows_in_log=rows_in_log) from failed

    def _refused_to_read(self, error: Exception, *, rows_in_log: bool) -> StoreError:
        if not rows_in_log:
            return unusable(self.path, error)
        return StoreError(
            f"{self.path}: cannot be used as a store ({words_of(error)}): its last run was cut short, and its "
            "folder cannot be written to; allow writing to the folder"
        )

    def _note_read_only(self, why: str) -> None:
        self.read_only = why
        self.note(f"{self.path}: {why}: what it holds is used, and nothing is added to it")

    @contextmanager
    def _while_none_exchanges(self) -> Iterator[None]:
        """Open a file and its log as they belong together, and not half before and half after an exchange.

        Where no lock can be made nothing can be exchanged either.
        """
        lock = self._place.alone(_PATIENCE_S)
        held = False
        with suppress(OSError, NotImplementedError):
            lock.__enter__()
            held = True
        try:
            yield
        finally:
            if held:
                lock.__exit__(None, None, None)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One process at a time exchanges the file at the path."""
        try:
            with self._place.alone(_PATIENCE_S):
                yield
        except OSError as error:
            raise refused(self.path, error) from error

    @property
    def _is_elsewhere(self) -> bool:
        """Whether the open file is no longer the one at the path."""
        found = identity(self.path)
        return found is None or found != self._files.get(self.path)

    @property
    def _has_lost_its_log(self) -> bool:
        """Whether the log or its index is another one than was opened, which SQLite does to nobody who has it open.

        Whoever opens the store then shares neither rows nor locks with this connection.
        """
        beside = {path: self._files.get(path) for path in self._place.beside()}
        return any(known is not None and identity(path) != known for path, known in beside.items())

    def _rebuild(self, error: Exception) -> None:
        """Keep a damaged store aside and put what can be read of it into a new one."""
        try:
            with self._alone():
                newer = self._newer_by_header()
                if newer:
                    raise newer_found(self.path, SCHEMA, newer) from error
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
            raise refused(self.path, failed) from failed

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

    def _exchange(self, old: sqlite3.Connection | None, error: Exception, *, copy: bool = False) -> None:
        """Put what `old` has into a new file; with `copy` also what whoever opens the store now would see."""
        if old is None:
            old = self._readable()
        # What a rebuild had when it was killed, be it all that the log held by then.
        before = self._place.rebuilt()
        descriptor = None
        if copy:
            copied, descriptor = self._place.copy()
            before.append(copied)
        aside, rebuilt = self._place.free_aside(), self._place.free_rebuilt()
        try:
            with closing(sqlite3.connect(rebuilt, isolation_level=None)) as new:
                make_tables(new)
                taken = salvage(old, new)
                for path in before:
                    with closing(sqlite3.connect(path, isolation_level=None)) as other:
                        other.text_factory = decoded
                        # What it was to say is no longer so.
                        with suppress(*REFUSALS):
                            other.execute("DELETE FROM notes")
                        taken += salvage(other, new)
                sentence = (
                    f"{self.path}: was damaged ({words_of(error)}): it is kept as {aside.name}, and a new store "
                    f"has the {plural(taken, 'finished utterance')} that could be read; the rest is transcribed "
                    "again"
                )
                self._keep_note(new, sentence)
            set_aside(self._place, aside, rebuilt)
        finally:
            remove(rebuilt)
        # Not before: while it was still at its place, SQLite would have removed its log.
        old.close()
        if descriptor is not None:
            os.close(descriptor)
        for path in before:
            remove(path)
        self._open()

    def _readable(self) -> sqlite3.Connection:
        """What cannot be opened as ours may still be read."""
        if self._place.has_lost_its_file():
            return sqlite3.connect(":memory:")
        old = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        old.text_factory = decoded
        return old

    def note(self, sentence: str) -> None:
        """Have a sentence told with the next ones, once."""
        self._notes[sentence] = None

    def _keep_note(self, connection: sqlite3.Connection, sentence: str) -> None:
        """Let a store tell a sentence to the next run that asks, should this one not come to it."""
        connection.execute("INSERT OR IGNORE INTO notes (record) VALUES (?)", (sealed_record(sentence),))

    def take_notes(self) -> list[str]:
        """Sentences about what was found and mended since this was asked last, by whatever process."""
        found, self._notes = self._notes, {}
        with suppress(StoreError):
            kept = self.run(lambda connection: connection.execute("SELECT record FROM notes").fetchall())
            if kept and not self.read_only:
                # Whoever removes one tells it.
                query, one = "DELETE FROM notes WHERE record = ?", list(kept)
                kept = [row for row in one if self.change(query, row)]
            found |= dict.fromkeys(text for (record,) in kept if (text := opened_record(record)) is not None)
        return [*found]

    def _follow(self) -> int:
        """Open what is at the path now, or make it, and put what the open file has into it."""
        old = self.connection
        for path in self._place.beside():
            # Left of the file that was removed: SQLite would take it for the new one's.
            if self._files.get(path) is not None and identity(path) == self._files[path]:
                with suppress(FileNotFoundError):
                    path.unlink()
        try:
            self._open()
        except BaseException:
            # It still has what has not come to another place yet.
            self.connection = old
            raise
        taken = salvage(old, self.connection) if not self.read_only else 0
        # SQLite removes no log by name where the file has another one.
        old.close()
        return taken

    def _renew_log(self) -> None:
        """Make the store anew where its log was removed, from this connection's rows and from those of the others.

        These see another file at the path, and put there what they have.
        """
        if self._is_elsewhere or not self._has_lost_its_log:
            return
        try:
            with self._alone():
                # Another process may be making it anew.
                if not self._is_elsewhere and self._has_lost_its_log:
                    self._exchange(self.connection, damage("its log was removed while it was in use"), copy=True)
        except (OSError, *REFUSALS) as error:
            raise refused(self.path, error) from error

    def look_after(self) -> None:
        """Notice that the file was removed or exchanged: SQLite would go on writing into one that nobody finds."""
        if self.read_only or not self._files:
            return
        self._renew_log()
        if not self._is_elsewhere:
            return
        was_there, was_damaged = self.path.exists(), self._place.was_damaged()
        taken = 0
        for tries_left in reversed(range(_TRIES)):
            try:
                with self._alone():
                    # Whoever removes a folder may not have done with it.
                    while self._is_elsewhere:
                        taken = self._follow()
                break
            except (StoreError, *REFUSALS) as error:
                # Half removed, it fails in any way, and by now another process may have made it again.
                if tries_left:
                    time.sleep(0.01 * (_TRIES - tries_left))
                    continue
                raise (error if isinstance(error, StoreError) else refused(self.path, error)) from error
        if was_there:
            what = "another file took the place of this store while it was in use"
            if was_damaged:
                what = "another process made this store anew, since it was damaged, while it was in use"
        else:
            what = "this store was removed while it was in use"
        sentence = (
            f"{self.path}: {what}: {plural(taken, 'finished utterance')} that it held "
            f"{'was' if taken == 1 else 'were'} written again"
        )
        try:
            self._keep_note(self.connection, sentence)
        except REFUSALS:
            self.note(sentence)

    def run(self, work: Callable[[sqlite3.Connection], _T], *, writes: bool = False) -> _T:
        """What `work` makes of the connection; it may be called twice, the second time on a rebuilt store."""
        if writes and self.read_only:
            raise StoreError(
                f"{self.path}: {self.read_only}; allow writing to it and its folder, or give gate.state "
                "another folder"
            )
        if writes:
            # Without its log it would write over the rows of others.
            self._renew_log()
        try:
            try:
                done = work(self.connection)
            except REFUSALS as error:
                if self.read_only or not self._mended(error):
                    raise
                done = work(self.connection)
        except REFUSALS as error:
            raise refused(self.path, error) from error
        if writes:
            self._wrote = True
            self.look_after()
        return done

    def _mended(self, error: Exception) -> bool:
        """Whether it is worth another try."""
        if is_damage(error):
            self._rebuild(error)
            return True
        if self._files and self._is_elsewhere:
            # Some systems refuse to write to a file that was removed.
            self.look_after()
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
        # What only read has nothing to put back.
        if self._files and (self._wrote or not self._is_elsewhere):
            with suppress(StoreError):
                self.look_after()
        self._files = {}
        self.connection.close()
