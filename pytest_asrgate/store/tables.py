"""The tables of the store, how one of an older version becomes one of this, and how a row is put into it."""

import sqlite3

from pytest_asrgate.store.refusals import ForeignError, damage
from pytest_asrgate.store.rows import COLUMNS, KEY, row_seal

__all__ = ["KEEP_ROW", "RECORDS", "SCHEMA", "decoded", "make_tables", "missing_tables"]

# 2 brought the seals of hypotheses.
SCHEMA = 2
_HYPOTHESES = """
CREATE {kind} TABLE IF NOT EXISTS hypotheses (
    audio TEXT NOT NULL, engine TEXT NOT NULL, recipe TEXT NOT NULL,
    text TEXT NOT NULL, raw_text TEXT, status TEXT NOT NULL, detail TEXT NOT NULL,
    mel_ms REAL, encode_ms REAL, decode_ms REAL, latency_ms REAL, audio_s REAL,
    finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, seal INTEGER,
    PRIMARY KEY (audio, engine, recipe)
) WITHOUT ROWID
"""
# Records that later runs rest on.
RECORDS = {
    "findings": "(engine TEXT NOT NULL, dataset TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (engine, dataset))"
    " WITHOUT ROWID",
    "early_orders": "(key TEXT PRIMARY KEY, seed TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID",
    "repeats": "(key TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID",
    "latency": "(key TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID",
    "engines": "(fingerprint TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID",
    # What a run has still to be told of the store.
    "notes": "(record TEXT PRIMARY KEY) WITHOUT ROWID",
}
# What can be had again from the files and texts themselves.
CACHES = {
    "files": "(path BLOB PRIMARY KEY, stamp TEXT NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID",
    "texts": "(key BLOB PRIMARY KEY, result BLOB NOT NULL, seal INTEGER NOT NULL) WITHOUT ROWID",
    "text_versions": "(place INTEGER PRIMARY KEY, tag BLOB NOT NULL UNIQUE)",
}
_NAMES = [*KEY, *COLUMNS, "seal"]
_COLUMN_QUERIES = [
    "SELECT engine, dataset, record FROM findings",
    "SELECT key, seed, digest FROM early_orders",
    "SELECT key, record FROM repeats",
    "SELECT key, record FROM latency",
    "SELECT fingerprint, record FROM engines",
    "SELECT record FROM notes",
    "SELECT path, stamp, sha256 FROM files",
    "SELECT key, result, seal FROM texts",
    "SELECT place, tag FROM text_versions",
]
# A process of an older version that goes on while its store becomes one of this: its rows would be no rows here.
_REFUSE_NO_SEAL = """
CREATE TRIGGER IF NOT EXISTS no_row_without_seal BEFORE INSERT ON hypotheses WHEN NEW.seal IS NULL BEGIN
    SELECT RAISE(ABORT, 'a newer pytest-asrgate has taken this store over: end this run and upgrade');
END
"""
KEEP_ROW = f"INTO hypotheses ({', '.join(_NAMES)}) VALUES ({', '.join('?' * len(_NAMES))})"


def decoded(data: bytes) -> str | bytes:
    """A text of the database; bytes that are no UTF-8 stay bytes, and whoever reads them sees the damage."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _statements(kind: str) -> list[str]:
    others = [f"CREATE {kind} TABLE IF NOT EXISTS {name} {rest}" for name, rest in (RECORDS | CACHES).items()]
    return [_HYPOTHESES.format(kind=kind), *others]


def _columns(connection: sqlite3.Connection) -> set[str]:
    return {str(row[1]) for row in connection.execute("PRAGMA table_info(hypotheses)")}


def _seal_rows(connection: sqlite3.Connection) -> None:
    """Give every row of a store of before there were seals its own."""
    names = ", ".join([*KEY, *COLUMNS])
    seals = [
        (row_seal(row[:3], row[3:]), *row[:3])
        for row in connection.execute(f"SELECT {names} FROM hypotheses WHERE seal IS NULL")  # noqa: S608 - constants
    ]
    connection.executemany("UPDATE hypotheses SET seal = ? WHERE audio = ? AND engine = ? AND recipe = ?", seals)


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _check_ours(connection: sqlite3.Connection) -> None:
    """ForeignError where the file has tables, and none of them is ours."""
    found = _tables(connection) - {"sqlite_sequence"}
    if found and found.isdisjoint({"hypotheses", *RECORDS, *CACHES}):
        raise ForeignError(found)


def _check_columns(connection: sqlite3.Connection) -> None:
    """Raise what the database raises for damage, where a table has lost the name of a column."""
    queries = [f"SELECT {', '.join(_NAMES)} FROM hypotheses", *_COLUMN_QUERIES]  # noqa: S608 - constants
    for query in queries:
        try:
            connection.execute(f"{query} LIMIT 0")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            raise damage(str(error)) from error


def make_tables(connection: sqlite3.Connection) -> int:
    """Make the tables that are absent and give a store of before its seals; returns the schema number found.

    A newer store is left untouched, and one of this version is not written to: it can be opened on a full disk, and
    while another process writes. `REFUSALS` as they come.
    """
    found = _make_tables(connection)
    if found <= SCHEMA:
        _check_columns(connection)
    return found


def _make_tables(connection: sqlite3.Connection) -> int:
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found > SCHEMA:
        return int(found)
    if found == SCHEMA:
        _check_ours(connection)
        for statement in _statements(""):
            connection.execute(statement)
        return int(found)
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster.
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        if found <= SCHEMA:
            _check_ours(connection)
            for statement in _statements(""):
                connection.execute(statement)
            if "seal" not in _columns(connection):
                connection.execute("ALTER TABLE hypotheses ADD COLUMN seal INTEGER")
                connection.execute(_REFUSE_NO_SEAL)
            if found < SCHEMA:
                _seal_rows(connection)
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
    except BaseException:
        # A full disk has ended the transaction itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return int(found)


def missing_tables(connection: sqlite3.Connection) -> bool:
    """Stand in, in memory, for the tables that a store that can only be read lacks; whether its rows have seals."""
    _check_ours(connection)
    known = _tables(connection)
    for name, statement in zip(["hypotheses", *RECORDS, *CACHES], _statements("TEMP"), strict=True):
        if name not in known:
            connection.execute(statement)
    return "seal" in _columns(connection)
