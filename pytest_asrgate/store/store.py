"""Finished utterances, kept by content in SQLite, so that nothing is transcribed twice.

The key is (audio hash, engine fingerprint, recipe digest). Every row is committed as it comes; with WAL and
synchronous NORMAL a killed process loses none of them, and several processes may read and write at once.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.store.database import Database
from pytest_asrgate.store.rows import (
    COLUMNS,
    TAG_BYTES,
    EngineRecord,
    checked_hypothesis,
    engine_from_record,
    engine_to_record,
    finding_lines,
    findings_to_record,
    hypothesis_values,
    opened_order,
    opened_record,
    row_seal,
    sealed_order,
    sealed_record,
    text_key,
    text_seal,
    version_tag,
)
from pytest_asrgate.store.tables import KEEP_ROW

__all__ = ["Store"]

# So many versions of our code have their results of texts kept, for environments that take turns with one folder.
_VERSIONS = 3
_VALUES = ", ".join(COLUMNS)


class Store:
    """The store of one state folder; StoreError where it cannot be opened, read or written.

    A damaged one is kept aside and made anew from what can be read of it; one that was removed while it is open is
    written again. A row that does not fit its seal is never given out. One that nothing can be written to is opened
    all the same: it can be read, refuses a hypothesis that is to be kept, and forgets everything else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Versions whose results of texts this connection has made a place for.
        self._versions: set[str] = set()
        self._database = Database(path)

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._database.connection

    @property
    def read_only(self) -> str:
        """Why nothing can be written, empty where it can."""
        return self._database.read_only

    def take_notes(self) -> list[str]:
        """Sentences about what was found and mended since this was asked last."""
        return self._database.take_notes()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; finished work is already on disk."""
        self._database.close()

    def find(self, audio: str, engine: str, recipe: str, utterance: str) -> Hypothesis | None:
        """The stored hypothesis of this content, given the id `utterance`; None where there is none."""
        return self.find_all(engine, [(audio, recipe, utterance)]).get(utterance)

    def find_all(self, engine: str, wanted: Iterable[tuple[str, str, str]]) -> dict[str, Hypothesis]:
        """The stored hypotheses of one engine by utterance id; `wanted` are (audio, recipe, id).

        A damaged one is none. What another process wrote to a store that took the place of this one is found too.
        """
        self._database.look_after()
        names: dict[str, dict[str, list[str]]] = {}
        for audio, recipe, utterance in wanted:
            names.setdefault(recipe, {}).setdefault(audio, []).append(utterance)
        found = {}
        sealed = self._database.sealed
        seal_column = "seal" if sealed else "NULL"
        for recipe, by_audio in names.items():
            query = (
                f"SELECT audio, {_VALUES}, {seal_column} FROM hypotheses "  # noqa: S608 - constants
                "WHERE engine = ? AND recipe = ? AND audio IN ()"
            )
            for audio, *values, seal in self._database.select(query, by_audio, (engine, recipe)):
                for name in by_audio.get(audio, ()):
                    row = checked_hypothesis(name, (audio, engine, recipe), values, seal, sealed=sealed)
                    if row is not None:
                        found[name] = row
        return found

    def find_speed(self, engine: str) -> float | None:
        """Decoding time for a second of audio, as this engine needed it so far; None where it was not measured."""
        query = (
            "SELECT SUM(latency_ms) / 1000, SUM(audio_s) FROM (SELECT latency_ms, audio_s FROM hypotheses "
            "WHERE engine = ? AND latency_ms IS NOT NULL AND audio_s > 0 LIMIT 1000)"
        )
        decoding_s, audio_s = self._database.first(query, (engine,)) or (None, None)
        return decoding_s / audio_s if audio_s else None

    def keep(self, audio: str, engine: str, recipe: str, hypothesis: Hypothesis) -> None:
        """Commit one finished utterance; the first of two equal keys stays, unless it is damaged.

        Error rows must not be kept, nor times that are not finite: ValueError.
        """
        if hypothesis.status is RowStatus.ERROR:
            raise ValueError("an error row is not finished work")
        key, values = (audio, engine, recipe), hypothesis_values(hypothesis)
        row = (*key, *values, row_seal(key, values))
        if self._database.change(f"INSERT OR IGNORE {KEEP_ROW}", row):
            return
        if self.find(audio, engine, recipe, hypothesis.id) is None:
            self._database.change(f"INSERT OR REPLACE {KEEP_ROW}", row)

    def find_engine(self, fingerprint: str) -> EngineRecord | None:
        """What is known of an engine that ran before, so that a rerun need not load it."""
        row = self._database.first("SELECT record FROM engines WHERE fingerprint = ?", (fingerprint,))
        return None if row is None else engine_from_record(row[0])

    def keep_engine(self, fingerprint: str, record: EngineRecord) -> None:
        """Remember an engine's own stamps under its fingerprint."""
        statement = "INSERT OR REPLACE INTO engines (fingerprint, record) VALUES (?, ?)"
        self._remember(statement, (fingerprint, engine_to_record(record)))

    def _remember(self, statement: str, values: Sequence[object]) -> None:
        """Write what a verdict does without; where nothing can be written it is had again by the next run."""
        if not self.read_only:
            self._database.change(statement, values)

    def find_latency(self, key: str) -> str | None:
        """The record of an earlier latency probe of the same evidence; None where there is none that is whole."""
        return self._record("latency", key)

    def keep_latency(self, key: str, record: str) -> None:
        """Keep what a latency probe measured."""
        self._remember("INSERT OR REPLACE INTO latency (key, record) VALUES (?, ?)", (key, sealed_record(record)))

    def find_repeats(self, key: str) -> str | None:
        """The record of an earlier repeat check of the same evidence; None where there is none that is whole."""
        return self._record("repeats", key)

    def keep_repeats(self, key: str, record: str) -> None:
        """Keep what a repeat check found."""
        self._remember("INSERT OR REPLACE INTO repeats (key, record) VALUES (?, ?)", (key, sealed_record(record)))

    def _record(self, table: str, key: str) -> str | None:
        row = self._database.first(f"SELECT record FROM {table} WHERE key = ?", (key,))  # noqa: S608 - constants
        return None if row is None else opened_record(row[0])

    def fix_order(self, key: str, seed: str, digest: str) -> tuple[str, str]:
        """Seed and order digest that an early run of this evidence was begun with; these where it is the first.

        StoreError where what was kept is damaged. Where nothing can be written a note says that it was not kept.
        """
        query = "SELECT seed, digest FROM early_orders WHERE key = ?"
        found = self._database.first(query, (key,))
        if found is None and self.read_only:
            self._database.note(
                f"{self.path}: {self.read_only}: seed and order of this early run are not kept, so nothing keeps "
                "the next one from another order"
            )
            return seed, digest
        if found is None:
            statement = "INSERT OR IGNORE INTO early_orders (key, seed, digest) VALUES (?, ?, ?)"
            self._database.change(statement, (key, seed, sealed_order(key, seed, digest)))
            # Another process may have been first.
            found = self._database.first(query, (key,))
        if found is None:
            return seed, digest
        try:
            return opened_order(key, *found)
        except ValueError as error:
            raise StoreError(
                f"{self.path}: seed and order that an early run of this pair was begun with are damaged, so nobody "
                "knows whether this is the same order; run in full, without --asrgate-early"
            ) from error

    def find_findings(self, engine: str, dataset: str) -> tuple[str, ...]:
        """The warnings that an engine printed while it transcribed a dataset, known by its manifest's digest."""
        row = self._database.first(
            "SELECT record FROM findings WHERE engine = ? AND dataset = ?", (engine, dataset)
        )
        return () if row is None else finding_lines(row[0])

    def add_findings(self, engine: str, dataset: str, findings: Sequence[str]) -> tuple[str, ...]:
        """Keep warnings beside those of earlier runs, each once; returns all of them."""
        known = self.find_findings(engine, dataset)
        every = tuple(dict.fromkeys([*known, *findings]))
        if every != known:
            statement = "INSERT OR REPLACE INTO findings (engine, dataset, record) VALUES (?, ?, ?)"
            self._remember(statement, (engine, dataset, findings_to_record(every)))
        return every

    def find_hashes(self, paths: Sequence[bytes]) -> dict[bytes, tuple[str, str]]:
        """Stamp and SHA-256 of each of these files that was hashed before."""
        rows = self._database.select("SELECT path, stamp, sha256 FROM files WHERE path IN ()", paths)
        return {
            path: (stamp, digest)
            for path, stamp, digest in rows
            if isinstance(stamp, str) and isinstance(digest, str)
        }

    def keep_hashes(self, rows: Sequence[tuple[bytes, str, str]]) -> None:
        """Remember (path, stamp, SHA-256) of files, in place of what was known of them."""
        if rows and not self.read_only:
            self._database.insert("files", rows)

    def find_texts(self, function: str, texts: Iterable[str], version: str = "") -> dict[str, str]:
        """What a function made of these texts before, for those that are known.

        `function` names it with all that shapes its results: another name finds nothing, nor does another
        `version` of the code. A damaged row is none.
        """
        tag = version_tag(version)
        keys = {text_key(tag, function, text): text for text in texts}
        found = {}
        rows = self._database.select("SELECT key, result, seal FROM texts WHERE key IN ()", keys)
        for key, result, seal in rows:
            if isinstance(result, bytes) and seal == text_seal(key, result):
                found[keys[key]] = result.decode("utf-8", "surrogatepass")
        return found

    def keep_texts(self, function: str, results: Mapping[str, str], version: str = "") -> None:
        """Keep what a function made of texts; the first ones of a new version take the place of an old one's."""
        rows, tag = [], version_tag(version)
        for text, result in results.items():
            key, data = text_key(tag, function, text), result.encode("utf-8", "surrogatepass")
            rows.append((key, data, text_seal(key, data)))
        if rows and not self.read_only:
            if version and version not in self._versions:
                self._make_place(tag)
                self._versions.add(version)
            self._database.insert("texts", rows)

    def _make_place(self, tag: bytes) -> None:
        """Where a version is new, forget the results of all but the latest ones; what has no version goes too."""

        def forget(connection: sqlite3.Connection) -> None:
            if connection.execute("INSERT OR IGNORE INTO text_versions (tag) VALUES (?)", (tag,)).rowcount:
                latest = "(SELECT tag FROM text_versions ORDER BY place DESC LIMIT ?)"
                for table, part in (("text_versions", "tag"), ("texts", f"substr(key, 1, {TAG_BYTES})")):
                    connection.execute(f"DELETE FROM {table} WHERE {part} NOT IN {latest}", (_VERSIONS,))  # noqa: S608 - constants

        self._database.transact(forget)
