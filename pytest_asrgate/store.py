"""Finished utterances, kept by content in SQLite, so that nothing is transcribed twice.

The key is (audio hash, engine fingerprint, recipe digest). Every row is committed as it comes; with WAL and
synchronous NORMAL a killed process loses none of them, and several processes may read and write at once.
"""

import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis, RowStatus

__all__ = ["EngineRecord", "Store"]

_SCHEMA = 1
# How long another process's write is waited for.
_PATIENCE_S = 60.0
_TABLES = """
CREATE TABLE IF NOT EXISTS hypotheses (
    audio TEXT NOT NULL, engine TEXT NOT NULL, recipe TEXT NOT NULL,
    text TEXT NOT NULL, raw_text TEXT, status TEXT NOT NULL, detail TEXT NOT NULL,
    mel_ms REAL, encode_ms REAL, decode_ms REAL, latency_ms REAL, audio_s REAL,
    finished TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (audio, engine, recipe)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS findings (
    engine TEXT NOT NULL, dataset TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (engine, dataset)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS early_orders (
    key TEXT PRIMARY KEY, seed TEXT NOT NULL, digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS repeats (key TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS latency (key TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engines (fingerprint TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
    path BLOB PRIMARY KEY, stamp TEXT NOT NULL, sha256 TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS texts (
    key BLOB PRIMARY KEY, result BLOB NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS text_versions (place INTEGER PRIMARY KEY, tag BLOB NOT NULL UNIQUE);
"""
# So many versions of our code have their results of texts kept, for environments that take turns with one folder.
_VERSIONS = 3
# Bytes that a version begins its keys with.
_TAG = 4
# Values that one statement may have, in every build of SQLite.
_VALUES = 900
_COLUMNS = "text, raw_text, status, detail, mel_ms, encode_ms, decode_ms, latency_ms, audio_s"


def _mend(error: Exception) -> str:
    """What to do about it; to move a store away loses finished work, so only a damaged one is to be moved."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return "it is damaged: move it away to start anew"
    if code == sqlite3.SQLITE_FULL:
        return "make room on the disk"
    if code == sqlite3.SQLITE_READONLY:
        return "allow writing to it and its folder"
    return "check that gate.state names a folder that can be written to"


@dataclass(frozen=True, slots=True)
class EngineRecord:
    """What an engine said of itself when it was loaded: stamps, what it cannot set, and its load time in ms."""

    provenance: Mapping[str, object]
    not_controllable: tuple[str, ...]
    load_ms: float | None = None


def _hypothesis(utterance: str, row: Sequence[Any]) -> Hypothesis:
    """A row of `_COLUMNS`, for the utterance of this id."""
    text, raw_text, status, detail, mel, encode, decode, latency, seconds = row
    return Hypothesis(
        id=utterance,
        text=text,
        raw_text=raw_text,
        status=RowStatus(status),
        detail=detail,
        mel_ms=mel,
        encode_ms=encode,
        decode_ms=decode,
        latency_ms=latency,
        audio_s=seconds,
    )


def _version_tag(version: str) -> bytes:
    return hashlib.blake2b(version.encode(), digest_size=_TAG).digest()


def _text_key(tag: bytes, function: str, text: str) -> bytes:
    """What the result of a function is found by; short, since there is one for each text."""
    whole = f"{function}\0{text}".encode("utf-8", "surrogatepass")
    return tag + hashlib.blake2b(whole, digest_size=16).digest()


def _seal(key: bytes, result: bytes) -> int:
    """A checksum: a page of a database that went bad may still be read."""
    return zlib.crc32(result, zlib.crc32(key))


class Store:
    """The store of one state folder; StoreError where it cannot be opened, read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Versions whose results of texts this connection has made a place for.
        self._versions: set[str] = set()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{path}: cannot be used as a store ({error}); {_mend(error)}") from error
        try:
            found = self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise StoreError(f"{path}: cannot be used as a store ({error}); {_mend(error)}") from error
        if found > _SCHEMA:
            self._connection.close()
            raise StoreError(
                f"{path}: written by a newer pytest-asrgate (schema {found}, this one knows {_SCHEMA}); "
                "upgrade, or give gate.state another folder"
            )

    def _prepare(self) -> int:
        """Switch to WAL and make the tables; returns the schema number found, untouched where it is newer."""
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            # Unlike every other statement, the switch to WAL does not wait for the others that open the file.
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        self._connection.execute("PRAGMA synchronous = NORMAL")
        (found,) = self._connection.execute("PRAGMA user_version").fetchone()
        if found <= _SCHEMA:
            self._connection.executescript(_TABLES)
        # A complete store can be opened and read on a full disk, and while another process writes.
        if found < _SCHEMA:
            self._connection.execute(f"PRAGMA user_version = {_SCHEMA}")
        return int(found)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; finished work is already on disk."""
        self._connection.close()

    def _execute(self, statement: str, values: tuple[object, ...]) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as error:
            raise self._refused(error) from error

    def _refused(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"{self.path}: cannot be used ({error}); {_mend(error)}")

    def _select(
        self, query: str, values: Iterable[object], also: tuple[str, ...] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of a query whose `IN ()` takes values, however many these are; `also` takes its other marks."""
        waiting = iter(values)
        while part := list(islice(waiting, _VALUES)):
            marks = ", ".join("?" * len(part))
            rows = self._execute(query.replace("IN ()", f"IN ({marks})"), (*also, *part))
            try:
                yield from rows
            except sqlite3.Error as error:
                # A later page may be the damaged one.
                raise self._refused(error) from error

    def _insert(self, table: str, rows: Sequence[tuple[object, ...]]) -> None:
        """Put rows into a table in one transaction, in place of those with the same keys."""
        marks = ", ".join("?" * len(rows[0]))
        with self._transaction():
            self._connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows)  # noqa: S608 - constants

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing of what is executed meanwhile; StoreError for what the database refuses."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                # A full disk has ended the transaction itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._refused(error) from error

    def find(self, audio: str, engine: str, recipe: str, utterance: str) -> Hypothesis | None:
        """The stored hypothesis of this content, given the id `utterance`; None where there is none."""
        return self.find_all(engine, [(audio, recipe, utterance)]).get(utterance)

    def find_all(self, engine: str, wanted: Iterable[tuple[str, str, str]]) -> dict[str, Hypothesis]:
        """The stored hypotheses of one engine by utterance id; `wanted` are (audio, recipe, id)."""
        names: dict[str, dict[str, list[str]]] = {}
        for audio, recipe, utterance in wanted:
            names.setdefault(recipe, {}).setdefault(audio, []).append(utterance)
        found = {}
        for recipe, by_audio in names.items():
            query = f"SELECT audio, {_COLUMNS} FROM hypotheses WHERE engine = ? AND recipe = ? AND audio IN ()"  # noqa: S608 - constants
            for audio, *row in self._select(query, by_audio, (engine, recipe)):
                for name in by_audio[audio]:
                    found[name] = _hypothesis(name, row)
        return found

    def find_speed(self, engine: str) -> float | None:
        """Decoding time for a second of audio, as this engine needed it so far; None where it was not measured."""
        query = (
            "SELECT SUM(latency_ms) / 1000, SUM(audio_s) FROM (SELECT latency_ms, audio_s FROM hypotheses "
            "WHERE engine = ? AND latency_ms IS NOT NULL AND audio_s > 0 LIMIT 1000)"
        )
        decoding_s, audio_s = self._execute(query, (engine,)).fetchone()
        return decoding_s / audio_s if audio_s else None

    def keep(self, audio: str, engine: str, recipe: str, hypothesis: Hypothesis) -> None:
        """Commit one finished utterance; the first of two equal keys stays. Error rows must not be kept."""
        if hypothesis.status is RowStatus.ERROR:
            raise ValueError("an error row is not finished work")
        self._execute(
            f"INSERT OR IGNORE INTO hypotheses (audio, engine, recipe, {_COLUMNS}) "  # noqa: S608 - constants
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                audio,
                engine,
                recipe,
                hypothesis.text,
                hypothesis.raw_text,
                hypothesis.status.value,
                hypothesis.detail,
                hypothesis.mel_ms,
                hypothesis.encode_ms,
                hypothesis.decode_ms,
                hypothesis.latency_ms,
                hypothesis.audio_s,
            ),
        )

    def find_engine(self, fingerprint: str) -> EngineRecord | None:
        """What is known of an engine that ran before, so that a rerun need not load it."""
        row = self._execute("SELECT record FROM engines WHERE fingerprint = ?", (fingerprint,)).fetchone()
        if row is None:
            return None
        record = json.loads(row[0])
        return EngineRecord(
            provenance=record["provenance"],
            not_controllable=tuple(record["not_controllable"]),
            load_ms=record["load_ms"],
        )

    def keep_engine(self, fingerprint: str, record: EngineRecord) -> None:
        """Remember an engine's own stamps under its fingerprint."""
        text = json.dumps(
            {
                "provenance": dict(record.provenance),
                "not_controllable": list(record.not_controllable),
                "load_ms": record.load_ms,
            }
        )
        self._execute("INSERT OR REPLACE INTO engines (fingerprint, record) VALUES (?, ?)", (fingerprint, text))

    def find_latency(self, key: str) -> str | None:
        """The record of an earlier latency probe of the same evidence; None where there is none."""
        row = self._execute("SELECT record FROM latency WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep_latency(self, key: str, record: str) -> None:
        """Keep what a latency probe measured."""
        self._execute("INSERT OR REPLACE INTO latency (key, record) VALUES (?, ?)", (key, record))

    def find_repeats(self, key: str) -> str | None:
        """The record of an earlier repeat check of the same evidence; None where there is none."""
        row = self._execute("SELECT record FROM repeats WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def keep_repeats(self, key: str, record: str) -> None:
        """Keep what a repeat check found."""
        self._execute("INSERT OR REPLACE INTO repeats (key, record) VALUES (?, ?)", (key, record))

    def fix_order(self, key: str, seed: str, digest: str) -> tuple[str, str]:
        """Seed and order digest that an early run of this evidence was begun with; these where it is the first."""
        statement = "INSERT OR IGNORE INTO early_orders (key, seed, digest) VALUES (?, ?, ?)"
        self._execute(statement, (key, seed, digest))
        found = self._execute("SELECT seed, digest FROM early_orders WHERE key = ?", (key,)).fetchone()
        return str(found[0]), str(found[1])

    def find_findings(self, engine: str, dataset: str) -> tuple[str, ...]:
        """The warnings that an engine printed while it transcribed a dataset, known by its manifest's digest."""
        query = "SELECT record FROM findings WHERE engine = ? AND dataset = ?"
        row = self._execute(query, (engine, dataset)).fetchone()
        return () if row is None else tuple(json.loads(row[0]))

    def add_findings(self, engine: str, dataset: str, findings: Sequence[str]) -> tuple[str, ...]:
        """Keep warnings beside those of earlier runs, each once; returns all of them."""
        known = self.find_findings(engine, dataset)
        every = tuple(dict.fromkeys([*known, *findings]))
        if every != known:
            statement = "INSERT OR REPLACE INTO findings (engine, dataset, record) VALUES (?, ?, ?)"
            self._execute(statement, (engine, dataset, json.dumps(every)))
        return every

    def find_hashes(self, paths: Sequence[bytes]) -> dict[bytes, tuple[str, str]]:
        """Stamp and SHA-256 of each of these files that was hashed before."""
        rows = self._select("SELECT path, stamp, sha256 FROM files WHERE path IN ()", paths)
        return {path: (str(stamp), str(digest)) for path, stamp, digest in rows}

    def keep_hashes(self, rows: Sequence[tuple[bytes, str, str]]) -> None:
        """Remember (path, stamp, SHA-256) of files, in place of what was known of them."""
        if rows:
            self._insert("files", rows)

    def find_texts(self, function: str, texts: Iterable[str], version: str = "") -> dict[str, str]:
        """What a function made of these texts before, for those that are known.

        `function` names it with all that shapes its results: another name finds nothing, nor does another
        `version` of the code. A damaged row is none.
        """
        tag = _version_tag(version)
        keys = {_text_key(tag, function, text): text for text in texts}
        found = {}
        for key, result, seal in self._select("SELECT key, result, seal FROM texts WHERE key IN ()", keys):
            if isinstance(result, bytes) and seal == _seal(key, result):
                found[keys[key]] = result.decode("utf-8", "surrogatepass")
        return found

    def keep_texts(self, function: str, results: Mapping[str, str], version: str = "") -> None:
        """Keep what a function made of texts; the first ones of a new version take the place of an old one's."""
        rows, tag = [], _version_tag(version)
        for text, result in results.items():
            key, data = _text_key(tag, function, text), result.encode("utf-8", "surrogatepass")
            rows.append((key, data, _seal(key, data)))
        if rows:
            if version and version not in self._versions:
                self._make_place(tag)
                self._versions.add(version)
            self._insert("texts", rows)

    def _make_place(self, tag: bytes) -> None:
        """Where a version is new, forget the results of all but the latest ones; what has no version goes too."""
        with self._transaction():
            if self._execute("INSERT OR IGNORE INTO text_versions (tag) VALUES (?)", (tag,)).rowcount:
                latest = "(SELECT tag FROM text_versions ORDER BY place DESC LIMIT ?)"
                for table, part in (("text_versions", "tag"), ("texts", f"substr(key, 1, {_TAG})")):
                    self._execute(f"DELETE FROM {table} WHERE {part} NOT IN {latest}", (_VERSIONS,))  # noqa: S608 - constants
