"""Claims about a damaged store: it is kept aside, what can be read goes on in a new one, damage is never a row."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.store import EngineRecord, Store

ROW = Hypothesis(
    "u", "naïve 東京", RowStatus.TRUNCATED, "cut", " Naïve", mel_ms=1.5, decode_ms=3, latency_ms=7.5, audio_s=1.25
)
NAMES = [f"{number * 2654435761 % 2**32:08x}" for number in range(2000)]


def _fill(path: Path) -> None:
    with Store(path) as store:
        for name in NAMES:
            store.keep(name, "engine", "recipe", replace(ROW, text=f"{name} " * 20))
        store.keep_engine("engine", EngineRecord({"engine": "x"}, ("seed",), 12.5))
        store.keep_latency("key", "{}")
        store.keep_repeats("key", "[]")
        store.add_findings("engine", "dataset", ["a warning"])
        store.fix_order("key", "1", "digest")


def _found(store: Store) -> list[str]:
    """The names of the rows that are found; each must be as it was kept."""
    found = store.find_all("engine", [(name, "recipe", name) for name in NAMES])
    for name, row in found.items():
        assert row == replace(ROW, id=name, text=f"{name} " * 20)
    return list(found)


def _aside(path: Path) -> list[Path]:
    found = sorted(path.parent.glob(f"{path.name}.damaged-*"))
    return [name for name in found if not name.name.endswith("-wal")]


@contextmanager
def _raw(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@pytest.mark.parametrize(
    "content",
    [
        b"this was never a database, whatever its name says\n" * 100,
        b"SQLite format 3\0" + b"\xa5" * 4080,
        b"x" * 600,
    ],
    ids=["text", "garbage behind the name", "letters"],
)
def test_what_is_no_database_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    """The file keeps every byte under another name, one note says so, and an empty store takes its place."""
    path = tmp_path / "store.sqlite"
    path.write_bytes(content)
    with Store(path) as store:
        (note,) = store.take_notes()
        store.keep("audio", "engine", "recipe", ROW)
        assert store.take_notes() == []
    (kept,) = _aside(path)
    assert kept.read_bytes() == content
    assert note.startswith(f"{path}: was damaged (")
    assert f"kept as {kept.name}" in note
    assert "\n" not in note
    with Store(path) as store:
        assert store.find("audio", "engine", "recipe", "u") == ROW
        assert store.take_notes() == []
    assert _aside(path) == [kept]
    assert list(tmp_path.glob("*rebuilt*")) == []


@pytest.mark.parametrize("places", [[0.5], [0.2, 0.4, 0.6, 0.8]], ids=["one page", "four pages"])
def test_what_can_be_read_is_taken_over(tmp_path: Path, places: list[float]) -> None:
    """Pages overwritten in the middle cost their rows alone, whenever they are met; records of engines stay too."""
    path = tmp_path / "store.sqlite"
    _fill(path)
    data = bytearray(path.read_bytes())
    for place in places:
        page = int(len(data) * place) // 4096 * 4096
        data[page : page + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    with Store(path) as store:
        found = _found(store)
        assert len(NAMES) * 0.8 < len(found) < len(NAMES)
        (note,) = store.take_notes()
        assert f"{len(found)} finished utterances" in note
        engine = store.find_engine("engine")
        assert engine == EngineRecord({"engine": "x"}, ("seed",), 12.5) or engine is None
        # Nothing of it stands in the way of what is transcribed again.
        for name in set(NAMES) - set(found):
            store.keep(name, "engine", "recipe", replace(ROW, text=f"{name} " * 20))
        assert len(_found(store)) == len(NAMES)
    (kept,) = _aside(path)
    assert kept.read_bytes() == data
    with _raw(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("part", [0.05, 0.5, 0.9])
def test_a_file_that_was_cut_gives_what_is_left(tmp_path: Path, part: float) -> None:
    """A store of which the end is missing opens, says so once, and gives no row that is not as it was kept."""
    path = tmp_path / "store.sqlite"
    _fill(path)
    os.truncate(path, int(path.stat().st_size * part))
    with Store(path) as store:
        assert len(_found(store)) < len(NAMES)
        store.keep("audio", "engine", "recipe", ROW)
        assert store.find("audio", "engine", "recipe", "u") == ROW
        assert len(store.take_notes()) == 1
    assert len(_aside(path)) == 1


def test_whatever_byte_changes_no_wrong_row_comes(tmp_path: Path) -> None:
    """Of 120 stores with eight bytes changed anywhere each opens, and gives only rows as they were kept."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        for name in NAMES[:60]:
            store.keep(name, "engine", "recipe", replace(ROW, text=f"{name} " * 20))
    data = path.read_bytes()
    refused = []
    for number in range(120):
        broken = bytearray(data)
        for step in range(8):
            place = (number * 7919 + step * 104729 + (0 if number % 3 else 37)) % len(data)
            # Of some the head as well.
            broken[place % 100 if number % 10 == 0 else place] ^= 1 << (number + step) % 8
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "store.sqlite").write_bytes(broken)
        try:
            with Store(folder / "store.sqlite") as store:
                _found(store)
                store.keep("audio", "engine", "recipe", ROW)
                assert store.find("audio", "engine", "recipe", "u") == ROW
        except StoreError as error:
            refused.append(str(error))
    # A number in the head may say "newer".
    assert [sentence for sentence in refused if "newer" not in sentence] == []
    assert len(refused) <= 12


@pytest.mark.parametrize(
    "damage",
    [
        "text = 'another text'",
        "text = CAST(x'ff' AS TEXT)",
        "text = x'00'",
        "text = 7",
        "status = 'unknown'",
        "status = 'error'",
        "status = 'ok'",
        "detail = x'00'",
        "raw_text = 9e999",
        "mel_ms = 9e999",
        "mel_ms = 'nan'",
        "latency_ms = 7.25",
        "latency_ms = NULL",
        "seal = NULL",
        "seal = seal + 1",
        "seal = 'x'",
    ],
)
def test_a_damaged_row_is_no_row(tmp_path: Path, damage: str) -> None:
    """A row that does not fit its seal is missing, and the utterance that is transcribed again takes its place."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.keep("audio", "engine", "recipe", ROW)
        store.keep("other", "engine", "recipe", ROW)
    with _raw(path) as connection:
        assert connection.execute(f"UPDATE hypotheses SET {damage} WHERE audio = 'audio'").rowcount == 1  # noqa: S608 - from the list above
    with Store(path) as store:
        assert store.find("audio", "engine", "recipe", "u") is None
        assert store.find("other", "engine", "recipe", "u") == ROW
        store.keep("audio", "engine", "recipe", ROW)
        assert store.find("audio", "engine", "recipe", "u") == ROW


@pytest.mark.parametrize(
    "record",
    ["", "no JSON", "[]", "{}", "7", '{"provenance": 1, "not_controllable": [], "load_ms": null}', "[" * 9999],
)
def test_damaged_records_are_none(tmp_path: Path, record: str) -> None:
    """What an engine said of itself, and what it printed, is nothing where it cannot be read."""
    with Store(tmp_path / "store.sqlite") as store:
        store._connection.execute("INSERT INTO engines VALUES ('e', ?)", (record,))
        store._connection.execute("INSERT INTO findings VALUES ('e', 'd', ?)", (record,))
        assert store.find_engine("e") is None
        assert store.find_findings("e", "d") == ()
        assert store.add_findings("e", "d", ["a warning"]) == ("a warning",)


def test_a_sealed_record_that_changed_is_none(tmp_path: Path) -> None:
    """One digit of a latency probe or of repeats that changed, and they are measured anew."""
    with Store(tmp_path / "store.sqlite") as store:
        store.keep_latency("key", '{"p50_ms": 12.5}')
        store.keep_repeats("key", '{"p50_ms": 12.5}')
        assert store.find_latency("key") == store.find_repeats("key") == '{"p50_ms": 12.5}'
        for table in ("latency", "repeats"):
            store._connection.execute(f"UPDATE {table} SET record = replace(record, '12.5', '11.5')")  # noqa: S608 - constants
        assert store.find_latency("key") is None
        assert store.find_repeats("key") is None


@pytest.mark.parametrize("call", ["find_engine", "find_latency", "find_repeats", "find_speed"])
def test_one_row_that_cannot_be_read_is_one_sentence(tmp_path: Path, call: str) -> None:
    """What the database refuses for a single row is a StoreError, as for many."""
    tables = {
        "find_engine": "engines",
        "find_latency": "latency",
        "find_repeats": "repeats",
        "find_speed": "hypotheses",
    }
    with Store(tmp_path / "store.sqlite") as store:
        store._connection.execute(f"DROP TABLE {tables[call]}")
        with pytest.raises(StoreError, match="cannot be used"):
            getattr(store, call)("key")


def test_damage_met_by_a_writer_is_mended(tmp_path: Path) -> None:
    """A store whose pages go bad while it is open is made anew, and the write that met it is done."""
    path = tmp_path / "store.sqlite"
    _fill(path)
    with Store(path) as store, path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (path.stat().st_size - 4096))
        file.flush()
        # What the connection still has in its memory is no use here.
        store._connection.execute("PRAGMA shrink_memory")
        for number in range(50):
            store.keep(f"{number:02x}", "engine", "recipe", ROW)
        assert store.find("31", "engine", "recipe", "u") == ROW
        (note,) = store.take_notes()
        assert "was damaged" in note
    with Store(path) as store:
        assert store.find("00", "engine", "recipe", "u") == ROW


def test_many_openers_move_a_damaged_store_once(tmp_path: Path) -> None:
    """Six processes' worth of openers at once: one moves it, all have the new one, and no row of theirs is lost."""
    path = tmp_path / "store.sqlite"
    _fill(path)
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xa5" * 8192 + data[12288:])
    program = (
        "import sys; from pathlib import Path; from pytest_asrgate.store import Store\n"
        "from pytest_asrgate.records import Hypothesis\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    store.find_all('engine', [(f'{n:02x}', 'recipe', 'u') for n in range(256)])\n"
        "    for number in range(30):\n"
        "        store.keep(f'{sys.argv[2]} {number}', 'engine', 'recipe', Hypothesis('u', 'text'))\n"
    )
    openers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    for opener in openers:
        assert opener.stdout is not None
        assert opener.stdout.readline() == "ready\n"
    ends = []
    threads = [
        threading.Thread(target=lambda one=one: ends.append(one.communicate("go\n", 60)[1])) for one in openers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == [""] * 4
    assert [opener.returncode for opener in openers] == [0] * 4
    with Store(path) as store:
        kept = store.find_all("engine", [(f"{o} {n}", "recipe", f"{o} {n}") for o in range(4) for n in range(30)])
        assert len(kept) == 120
        _found(store)
        # None of the four asked for it, whichever made it.
        (note,) = [note for note in store.take_notes() if "was damaged" in note]
        assert _aside(path)[0].name in note
        assert store.take_notes() == []
    assert len(_aside(path)) == 1


def test_a_damaged_store_of_a_newer_schema_is_left_alone(tmp_path: Path) -> None:
    """A number of a later version in its head is believed: it is not moved, whatever else is wrong with it."""
    path = tmp_path / "store.sqlite"
    _fill(path)
    data = bytearray(path.read_bytes())
    data[60:64] = (9).to_bytes(4, "big")
    data[100:] = b"\xa5" * (len(data) - 100)
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"newer pytest-asrgate \(schema 9"):
        Store(path)
    assert path.read_bytes() == data
    assert _aside(path) == []


def test_a_busy_store_is_never_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process that holds the store for long is one sentence, and the file stays where it is."""
    path = tmp_path / "store.sqlite"
    Store(path).close()
    monkeypatch.setattr("pytest_asrgate.store.database._PATIENCE_S", 0)
    with Store(path) as store, _raw(path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process has held it"):
            store.keep("audio", "engine", "recipe", ROW)
    assert _aside(path) == []


def test_no_room_to_rebuild_leaves_the_damaged_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the new store cannot be written, the damaged one stays, and nothing half made lies beside it."""
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"no database" * 100)

    def full(*_: object) -> int:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("pytest_asrgate.store.database.salvage", full)
    with pytest.raises(StoreError, match="make room on the disk"):
        Store(path)
    assert {name.name for name in tmp_path.iterdir()} <= {"store.sqlite", "store.sqlite.lock"}
    assert path.read_bytes() == b"no database" * 100


def test_a_store_of_before_there_were_seals_is_opened(tmp_path: Path) -> None:
    """Schema 1, and the number 0 of the first stores: every row is found, and has its seal from then on."""
    for number in (0, 1):
        path = tmp_path / str(number) / "store.sqlite"
        _fill(path)
        with _raw(path) as connection:
            connection.execute("ALTER TABLE hypotheses DROP COLUMN seal")
            connection.execute("DROP TABLE texts")
            connection.execute("UPDATE engines SET record = substr(record, 1, instr(record, char(10)) - 1)")
            connection.execute(f"PRAGMA user_version = {number}")
        for _ in range(2):
            with Store(path) as store:
                assert len(_found(store)) == len(NAMES)
                assert store.find_engine("engine") == EngineRecord({"engine": "x"}, ("seed",), 12.5)
                assert store.take_notes() == []
        with _raw(path) as connection:
            assert connection.execute("SELECT count(*) FROM hypotheses WHERE seal IS NULL").fetchone() == (0,)


def test_a_damaged_log_costs_its_own_rows(tmp_path: Path) -> None:
    """After a kill the log beside the file has the last rows; where it is damaged they are missing, never wrong."""
    path = tmp_path / "store.sqlite"
    program = (
        "import os, sys; from pathlib import Path; from pytest_asrgate.store import Store\n"
        "from pytest_asrgate.records import Hypothesis\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for number in range(100):\n"
        "    store.keep(str(number), 'engine', 'recipe', Hypothesis('u', f'text {number}'))\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    log = path.with_name("store.sqlite-wal")
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 1
    log.write_bytes(data)
    with Store(path) as store:
        found = store.find_all("engine", [(str(number), "recipe", str(number)) for number in range(100)])
        assert 0 < len(found) < 100
        assert {name: row.text for name, row in found.items()} == {name: f"text {name}" for name in found}
        store.keep("99", "engine", "recipe", Hypothesis("u", "text 99"))
        assert store.find("99", "engine", "recipe", "u") is not None
