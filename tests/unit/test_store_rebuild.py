"""Claims about a store that is made anew: a kill at any step loses no row, and what happened is told once."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import Store

NAMES = [f"{number:08x}" for number in range(600)]
# Fills a store, moves half of its rows from the log into the file, and ends as by a kill.
FILL = """
import os, sys
from pathlib import Path
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import Store
store = Store(Path(sys.argv[1]))
for place, name in enumerate(sys.argv[2:]):
    store.keep(name, "engine", "recipe", Hypothesis("u", f"{name} " * 20))
    if place == len(sys.argv) // 2:
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
os._exit(0)
"""
# Opens a store and is killed before the step of this number: a link, a rename or a removal of one of its files.
KILLED = """
import os, pathlib, sys
from pytest_asrgate.store import Store
steps, path = int(sys.argv[2]), pathlib.Path(sys.argv[1])
def counted(call):
    def step(*arguments, **named):
        global steps
        if "store.sqlite." in " ".join(map(str, arguments)):
            steps -= 1
            if steps < 0:
                os._exit(9)
        return call(*arguments, **named)
    return step
os.link = counted(os.link)
for name in ("replace", "unlink"):
    setattr(pathlib.Path, name, counted(getattr(pathlib.Path, name)))
with Store(path) as store:
    store.find_all("engine", [(name, "recipe", name) for name in sys.argv[3:]])
"""


MEETS_DAMAGE = """
import os, pathlib, sys
from pytest_asrgate.store import Store
store = Store(pathlib.Path(sys.argv[1]))
store.find_all("engine", [(name, "recipe", name) for name in sys.argv[2:]])
"""


def _found(store: Store) -> int:
    found = store.find_all("engine", [(name, "recipe", name) for name in NAMES])
    assert all(row.text == f"{name} " * 20 for name, row in found.items())
    return len(found)


def _run(program: str, *arguments: object) -> int:
    return subprocess.run([sys.executable, "-c", program, *map(str, arguments)], check=False).returncode


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of which one page is damaged, and half of whose rows are in its log."""
    folder = tmp_path_factory.mktemp("damaged")
    path = folder / "store.sqlite"
    assert _run(FILL, path, *NAMES) == 0
    data = bytearray(path.read_bytes())
    page = data.find(f"{NAMES[90]} {NAMES[90]}".encode()) // 4096 * 4096
    assert page > 0
    data[page : page + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    assert (folder / "store.sqlite-wal").stat().st_size > 4096
    return folder


def test_a_kill_at_any_step_of_a_rebuild_loses_no_row(damaged: Path, tmp_path: Path) -> None:
    """The next opener has every row that a rebuild without a kill has, says what happened, and leaves nothing."""
    shutil.copytree(damaged, tmp_path / "whole")
    with Store(tmp_path / "whole" / "store.sqlite") as store:
        whole = _found(store)
        assert len(NAMES) * 0.8 < whole < len(NAMES)
    ends = []
    for step in range(30):
        folder = tmp_path / str(step)
        shutil.copytree(damaged, folder)
        path = folder / "store.sqlite"
        ends.append(_run(KILLED, path, step, *NAMES))
        with Store(path) as store:
            # The last ones were in the log only, and whoever looks them up need not meet the damage again.
            latest = [(name, "recipe", name) for name in NAMES[-20:]]
            assert len(store.find_all("engine", latest)) == len(latest), step
            assert _found(store) == whole, step
            notes = store.take_notes()
            assert len([note for note in notes if "was damaged" in note or "was killed" in note]) == 1, (
                step,
                notes,
            )
        assert list(folder.glob("*.rebuilt-*")) == []
        with Store(path) as store:
            assert (_found(store), store.take_notes()) == (whole, [])
        # A file that is whole but for its page, with the log that belongs to it.
        asides = [name for name in folder.glob("*.damaged-*") if not name.name.endswith("-wal")]
        assert len({os.stat(name).st_ino for name in asides}) == len(asides)  # noqa: PTH116 - shorter
        assert any(name.with_name(f"{name.name}-wal").is_file() for name in asides)
        if ends[-1] == 0:
            break
    assert ends[-1] == 0
    assert len(ends) > 4
    assert set(ends[:-1]) == {9}


def test_what_happened_is_told_by_the_next_run(damaged: Path, tmp_path: Path) -> None:
    """A rebuild by a process that did not come to say so, as by one that was killed after it: once, by one run."""
    shutil.copytree(damaged, tmp_path / "state")
    path = tmp_path / "state" / "store.sqlite"
    Store(path).close()
    assert _run(f"{MEETS_DAMAGE}\nos._exit(9)", path, *NAMES) == 9
    with Store(path) as first, Store(path) as second:
        (note,) = first.take_notes()
        assert note.startswith(f"{path}: was damaged (")
        assert second.take_notes() == []


def test_a_removal_that_is_seen_at_the_end_is_told_by_the_next_run(tmp_path: Path) -> None:
    """Whoever closes a store has nobody to tell any more."""
    path = tmp_path / "state" / "store.sqlite"
    with Store(path) as store:
        store.keep("1", "engine", "recipe", Hypothesis("u", "text"))
        shutil.rmtree(path.parent)
    with Store(path) as store:
        (note,) = store.take_notes()
        assert note.endswith("removed while it was in use: 1 finished utterance that it held was written again")


def test_whoever_follows_a_rebuild_says_so(damaged: Path, tmp_path: Path) -> None:
    """Two have the same damaged store open: the second does not speak of a file that took the place."""
    shutil.copytree(damaged, tmp_path / "state")
    path = tmp_path / "state" / "store.sqlite"
    with Store(path) as first, Store(path) as second:
        _found(first)
        _found(second)
        first_notes, second_notes = first.take_notes(), second.take_notes()
    every = [*first_notes, *second_notes]
    assert any("was damaged" in note for note in every)
    assert not any("another file" in note for note in every)


def test_an_empty_file_beside_its_log_is_damage(damaged: Path, tmp_path: Path) -> None:
    """SQLite would remove the log in silence; both are kept aside, byte for byte, and a note says so."""
    shutil.copytree(damaged, tmp_path / "state")
    path = tmp_path / "state" / "store.sqlite"
    log = path.with_name("store.sqlite-wal").read_bytes()
    path.write_bytes(b"")
    with Store(path) as store:
        (note,) = store.take_notes()
        assert "was damaged (it is empty, and its log is not): it is kept as store.sqlite.damaged-" in note
        store.keep("1", "engine", "recipe", Hypothesis("u", "text"))
        assert store.find("1", "engine", "recipe", "u") is not None
    (kept,) = path.parent.glob("*.damaged-*-wal")
    assert kept.read_bytes() == log
    assert kept.with_name(kept.name.removesuffix("-wal")).read_bytes() == b""


def test_a_link_to_a_store_stays_one(damaged: Path, tmp_path: Path) -> None:
    """The file that it leads to is made anew, where that is."""
    shutil.copytree(damaged, tmp_path / "real")
    path = tmp_path / "store.sqlite"
    path.symlink_to(tmp_path / "real" / "store.sqlite")
    with Store(path) as store:
        rows = _found(store)
        assert len(NAMES) * 0.8 < rows < len(NAMES)
    assert path.is_symlink()
    assert [name.name for name in tmp_path.iterdir() if "damaged" in name.name] == []
    with Store(tmp_path / "real" / "store.sqlite") as store:
        assert _found(store) == rows


@pytest.mark.parametrize("number", [0, 2])
def test_a_database_of_something_else_is_refused(tmp_path: Path, number: int) -> None:
    """Nothing of ours comes into it, and the sentence names what it holds."""
    path = tmp_path / "store.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE moz_places (id INTEGER PRIMARY KEY)")
        connection.execute(f"PRAGMA user_version = {number}")
    before = path.read_bytes()
    with pytest.raises(
        StoreError, match="a database of something else, with the tables 'moz_places'; move it away"
    ):
        Store(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("moz_places",)]
    assert path.read_bytes()[100:] == before[100:]


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
@pytest.mark.parametrize("what", ["a folder", "no regular file"])
def test_no_file_in_the_place_of_one(tmp_path: Path, end: str, what: str) -> None:
    """One sentence names it, and nothing waits for a pipe."""
    path = tmp_path / "store.sqlite"
    if end:
        Store(path).close()
    place = tmp_path / f"store.sqlite{end}"
    place.mkdir() if what == "a folder" else os.mkfifo(place)
    with pytest.raises(StoreError) as caught:
        Store(path)
    assert str(caught.value).startswith(f"{place}: cannot be used as a store (it is {what}); move it away, or")


def test_whoever_opens_waits_for_an_exchange_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process exchanges the file nobody opens it; what takes too long is a sentence."""
    path = tmp_path / "store.sqlite"
    Store(path).close()
    monkeypatch.setattr("pytest_asrgate.store.database._PATIENCE_S", 0)
    with FileLock(path.with_name("store.sqlite.lock")), pytest.raises(StoreError) as caught:
        Store(path)
    assert "another process has held store.sqlite.lock for long: end that one, or try again later" in str(
        caught.value
    )
    Store(path).close()


def test_an_older_process_that_goes_on_is_refused(tmp_path: Path) -> None:
    """Its rows would have no seal and be no rows: what it writes after the store was taken over is an error."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.keep("1", "engine", "recipe", Hypothesis("u", "text"))
    with closing(sqlite3.connect(path, isolation_level=None)) as older:
        older.execute("ALTER TABLE hypotheses DROP COLUMN seal")
        older.execute("PRAGMA user_version = 1")
        row = "INTO hypotheses (audio, engine, recipe, text, status, detail) VALUES (?, 'e', 'r', 'text', 'ok', '')"
        older.execute(f"INSERT OR IGNORE {row}", ("2",))
        with Store(path) as store:
            assert store.find("2", "e", "r", "u") is not None
            for how in ("IGNORE", "REPLACE"):
                with pytest.raises(
                    sqlite3.IntegrityError, match="a newer pytest-asrgate has taken this store over"
                ):
                    older.execute(f"INSERT OR {how} {row}", ("3",))
            store.keep("3", "e", "r", Hypothesis("u", "text"))
            assert store.find("3", "e", "r", "u") is not None
