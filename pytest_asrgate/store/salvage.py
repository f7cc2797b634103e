"""What can still be read of a store is put into another one, row by row, each checked against its seal."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from pytest_asrgate.store.refusals import REFUSALS
from pytest_asrgate.store.rows import COLUMNS, KEY, checked_hypothesis, opened_record
from pytest_asrgate.store.tables import KEEP_ROW, RECORDS

__all__ = ["salvage"]

_NAMES = ", ".join([*KEY, *COLUMNS, "seal"])
# Audio is named by a hexadecimal hash; a page that cannot be read spoils what lies beside it in one range only.
_BOUNDS = ["", *(f"{number:02x}" for number in range(256)), "g"]


def _until_damage(connection: sqlite3.Connection, query: str, *values: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a query, up to the first page that cannot be read."""
    try:
        yield from connection.execute(query, values)
    except REFUSALS:
        return


def _is_whole(connection: sqlite3.Connection) -> bool:
    """Whether every page of the hypotheses can be read."""
    try:
        connection.execute("SELECT count(audio || text || seal) FROM hypotheses").fetchone()
    except REFUSALS:
        return False
    return True


def _hypotheses(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    query = f"SELECT {_NAMES} FROM hypotheses"  # noqa: S608 - constants
    if _is_whole(connection):
        yield from _until_damage(connection, query)
        return
    for start, end in zip(_BOUNDS, [*_BOUNDS[1:], "\U0010ffff"], strict=True):
        # From both sides, up to the damage.
        for order in ("ASC", "DESC"):
            yield from _until_damage(
                connection, f"{query} WHERE audio >= ? AND audio < ? ORDER BY audio {order}", start, end
            )


def _whole_hypotheses(connection: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    width = len(KEY)
    for row in _hypotheses(connection):
        if checked_hypothesis("", row[:width], row[width:-1], row[-1]) is not None:
            yield row


def _whole_records(connection: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """Rows of one of the smaller tables; what could not be told from damage is left out."""
    for order in ("ASC", "DESC"):
        for row in _until_damage(connection, f"SELECT * FROM {table} ORDER BY 1 {order}"):  # noqa: S608 - constants
            # Of an order that is damaged the next early run must hear, and not begin with another one.
            whole = table == "early_orders" or opened_record(row[-1]) is not None
            if whole and all(isinstance(value, str) for value in row):
                yield row


def salvage(old: sqlite3.Connection, new: sqlite3.Connection) -> int:
    """Put what `old` still gives into `new`, where it does not have it, and return how many utterances that were.

    sqlite3.Error for what `new` refuses, which then has nothing of it.
    """
    new.execute("BEGIN IMMEDIATE")
    try:
        before = new.total_changes
        new.executemany(f"INSERT OR IGNORE {KEEP_ROW}", _whole_hypotheses(old))
        taken = new.total_changes - before
        for table in RECORDS:
            # Known from the new table: the old one may not even tell its columns.
            width = len(new.execute(f"PRAGMA table_info({table})").fetchall())
            marks = ", ".join("?" * width)
            rows = (row for row in _whole_records(old, table) if len(row) == width)
            new.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)  # noqa: S608 - constants
        new.execute("COMMIT")
    except BaseException:
        if new.in_transaction:
            new.execute("ROLLBACK")
        raise
    return taken
