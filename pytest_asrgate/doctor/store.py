"""The state folder and its store, looked at without writing a byte: no folder, no checkpoint, no migration."""

import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Set
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from pytest_asrgate.doctor.findings import Finding, fact, problem
from pytest_asrgate.store.tables import CACHES, RECORDS, SCHEMA
from pytest_asrgate.values import first_of, plural

__all__ = ["folder", "store"]

# An integrity check reads everything; of a huge store it would take minutes.
_CHECK_S = 30.0
# An interruption ends the statement that runs, and none that comes after it.
_AGAIN_S = 0.05
_ENGINES = 20
_LITTLE_MB = 500
# Folders that a run makes in the state folder.
_FOLDERS = ("audio", "locks", "progress", "reports", "reports/wer")


def _size_mb(path: Path) -> float:
    return path.stat().st_size / 1e6


def folder(state: Path) -> Iterator[Finding]:
    """Is the state folder there, can it be written to, and is there room?"""
    there = state
    while not os.path.lexists(there) and there != there.parent:
        there = there.parent
    if not there.exists():
        yield problem("state folder", f"{there} is a link that leads nowhere; mend it or remove it")
        return
    if not there.is_dir():
        yield problem("state folder", f"{there} is no folder; move it away, or give gate.state another name")
        return
    writable = os.access(there, os.W_OK | os.X_OK)
    if there == state:
        text = f"{state}, writable" if writable else f"{state} cannot be written to; allow it"
    else:
        text = f"{state} is not there yet" + ("" if writable else f", and {there} cannot be written to; allow it")
    yield fact("state folder", text) if writable else problem("state folder", text)
    for name in _FOLDERS:
        inside = state / name
        if os.path.lexists(inside) and not inside.is_dir():
            yield problem("state folder", f"{inside} is no folder; move it away")
        elif inside.is_dir() and not os.access(inside, os.W_OK | os.X_OK):
            yield problem("state folder", f"{inside} cannot be written to; allow it")
    free = shutil.disk_usage(there).free / 1e6
    room = f"{free:,.0f} MB free on its disk"
    yield problem("room", f"{room}; make more") if free < _LITTLE_MB else fact("room", room)


def _opened(path: Path) -> tuple[sqlite3.Connection, str]:
    """A connection that writes nothing at all, and what it cannot see, in a sentence.

    Opening a store of which a run left a log makes files beside it unless the log's index is there and is opened
    read-only; of one that was closed in order there is no log, and the file alone is all of it.
    """
    wal, index = (path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))
    logged = wal.is_file() and wal.stat().st_size > 0
    unseen = ""
    if logged and index.is_file():
        options = "mode=ro&readonly_shm=1"
    else:
        options = "mode=ro&immutable=1"
        unseen = f"what stands in {wal.name} alone is not counted, since its index is missing" if logged else ""
    # Nothing waits for another process: readers of a store with a log never have to.
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?{options}", uri=True, timeout=1.0)
    return connection, unseen


@contextmanager
def _bounded(connection: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Interrupt every statement that runs when so many seconds are over, and those that come after it.

    A progress handler would not do: SQLite counts the rows of a table in one step.
    """
    ended = threading.Event()

    def watch() -> None:
        over = ended.wait(seconds)
        while not over:
            connection.interrupt()
            over = ended.wait(_AGAIN_S)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        # Before the connection is closed, which must not be interrupted afterwards.
        thread.join()


def _interrupted(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT


def _tables(connection: sqlite3.Connection) -> dict[str, int | None]:
    """Rows by table; None where there was no time to count them."""
    names = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    counts: dict[str, int | None] = {}
    for name in sorted(name for name in names if not name.startswith("sqlite_")):
        quoted = name.replace('"', '""')
        query = f'SELECT COUNT(*) FROM "{quoted}"'  # noqa: S608 - names of its own schema, quoted
        try:
            counts[name] = int(connection.execute(query).fetchone()[0])
        except sqlite3.OperationalError as error:
            if not _interrupted(error):
                raise
            counts[name] = None
    return counts


def _engine_names(connection: sqlite3.Connection) -> dict[str, str]:
    """What engines said of themselves, by fingerprint."""
    found = {}
    for fingerprint, record in connection.execute("SELECT fingerprint, record FROM engines"):
        try:
            # A seal may follow the record.
            stamps = json.JSONDecoder().raw_decode(record)[0]["provenance"]
            words = [stamps.get(key) for key in ("engine", "engine_version", "model", "backend")]
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        found[str(fingerprint)] = " ".join(str(word) for word in words if word)
    return found


def _by_engine(connection: sqlite3.Connection) -> Iterator[Finding]:
    names = _engine_names(connection)
    query = "SELECT engine, COUNT(*) FROM hypotheses GROUP BY engine ORDER BY COUNT(*) DESC, engine"
    try:
        rows = connection.execute(query).fetchall()
    except sqlite3.OperationalError as error:
        if not _interrupted(error):
            raise
        yield fact("hypotheses", "of each engine: not counted in time")
        return
    for engine, count in rows[:_ENGINES]:
        short = str(engine)[:8]
        who = f"{names[engine]} ({short})" if names.get(engine) else f"engine {short}, which said nothing of itself"
        yield fact("hypotheses", f"{count:,} of {who}")
    if len(rows) > _ENGINES:
        yield fact("hypotheses", f"of {len(rows) - _ENGINES} more engines")


def _health(connection: sqlite3.Connection) -> Finding:
    try:
        lines = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    except sqlite3.OperationalError as error:
        if not _interrupted(error):
            raise
        return fact("health", f"not known: the check did not end within {_CHECK_S:g} s")
    if lines == ["ok"]:
        return fact("health", "ok (integrity check)")
    return problem("health", f"damaged: {'; '.join(lines)}; the next run keeps it aside and makes a new one")


def _schema(found: int) -> Finding:
    if found > SCHEMA:
        newer = f"{found}, made by a newer pytest-asrgate (this one knows {SCHEMA})"
        return problem("schema", f"{newer}; upgrade, or give gate.state another name")
    return fact("schema", f"{found}" if found == SCHEMA else f"{found}, which the next run brings to {SCHEMA}")


def _lacking(names: Set[str]) -> Iterator[Finding]:
    """Is this a store of ours? A run would make the tables that are absent, and say nothing."""
    if not names or "hypotheses" in names:
        return
    if names & (RECORDS.keys() | CACHES.keys()):
        text = "its table hypotheses is gone, with what was kept in it"
        yield problem("store", f"{text}; put back a copy of the store, or delete it")
    else:
        text = f"this is a database of something else, with {first_of(sorted(names))}"
        yield problem("store", f"{text}; move it away, or give gate.state another name")


def _contents(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Schema, tables, rows and health."""
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    yield _schema(int(schema))
    counts = _tables(connection)
    rows = ", ".join(f"{name} {'not counted in time' if n is None else f'{n:,}'}" for name, n in counts.items())
    yield fact("rows", rows or "no table")
    yield from _lacking(counts.keys())
    yield _health(connection)
    if counts.get("hypotheses") != 0 and "hypotheses" in counts:
        yield from _by_engine(connection)


def store(state: Path) -> Iterator[Finding]:
    """Size, contents and health of the store, and damaged ones that were kept aside."""
    path = state / "store.sqlite"
    for aside in sorted(state.glob("store.sqlite.damaged*")) if state.is_dir() else ():
        if not aside.name.endswith(("-wal", "-shm")):
            yield fact(
                "damaged store", f"{aside.name}, {_size_mb(aside):,.1f} MB, kept aside; delete it when you like"
            )
    if not os.path.lexists(path):
        yield fact("store", f"{path} is not there yet: nothing was transcribed under this state folder")
        return
    if not path.is_file():
        text = "is no file; move it away" if path.exists() else "is a link that leads nowhere; mend it or remove it"
        yield problem("store", f"{path} {text}")
        return
    log = path.with_name(f"{path.name}-wal")
    logged = f" and {_size_mb(log):,.1f} MB of log" if log.is_file() else ""
    yield fact("store", f"{path}, {_size_mb(path):,.1f} MB{logged}")
    if not os.access(path, os.W_OK):
        yield problem("store", f"{path} cannot be written to; allow it")
    try:
        connection, unseen = _opened(path)
        with closing(connection), _bounded(connection, _CHECK_S):
            if unseen:
                yield fact("store", unseen)
            yield from _contents(connection)
    except sqlite3.Error as error:
        if _interrupted(error):
            yield fact("store", f"not looked at in full: that took longer than {plural(int(_CHECK_S), 'second')}")
        else:
            yield problem(
                "store", f"{path} cannot be read ({error}); where it is damaged, the next run keeps it aside"
            )
