"""Claims about the place of a store: removed, exchanged or read only, nothing finished is lost in silence."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import EngineRecord, Store
from pytest_asrgate.store.database import Database
from pytest_asrgate.store.refusals import unusable

ROW = Hypothesis("u", "a text", latency_ms=7.5, audio_s=1.25)


def _count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(connection.execute("SELECT count(*) FROM hypotheses").fetchone()[0])


@pytest.mark.parametrize("what", ["folder", "file", "file and log"])
def test_a_store_that_was_removed_is_written_again(tmp_path: Path, what: str) -> None:
    """Whoever keeps a row next notices, and all rows, also earlier ones, are at the path again; a note says so."""
    path = tmp_path / "state" / "store.sqlite"
    with Store(path) as store:
        store.keep("0", "engine", "recipe", ROW)
    with Store(path) as store:
        store.keep("1", "engine", "recipe", ROW)
        store.keep_engine("engine", EngineRecord({"engine": "x"}, ()))
        if what == "folder":
            shutil.rmtree(path.parent)
        else:
            path.unlink()
        if what == "file and log":
            for end in ("-wal", "-shm"):
                path.with_name(path.name + end).unlink()
        store.keep("2", "engine", "recipe", ROW)
        assert _count(path) == 3
        (note,) = store.take_notes()
        assert note.startswith(f"{path}: this store was removed while it was in use: 3 finished utterances")
        store.keep("3", "engine", "recipe", ROW)
        assert store.take_notes() == []
        assert store.find_engine("engine") == EngineRecord({"engine": "x"}, ())
    assert _count(path) == 4


def test_a_store_that_was_removed_last_is_written_at_the_end(tmp_path: Path) -> None:
    """A folder that goes after the last row is there again when the store is closed; one only read stays gone."""
    path = tmp_path / "state" / "store.sqlite"
    store = Store(path)
    store.keep("1", "engine", "recipe", ROW)
    shutil.rmtree(path.parent)
    store.close()
    assert _count(path) == 1
    store = Store(path)
    assert store.find("1", "engine", "recipe", "u") == ROW
    shutil.rmtree(path.parent)
    store.close()
    store.close()
    assert not path.parent.exists()


def test_another_store_in_the_place_has_both_rows(tmp_path: Path) -> None:
    """A store that another process put there keeps its rows, and has ours beside them."""
    path, other = tmp_path / "store.sqlite", tmp_path / "other.sqlite"
    with Store(other) as store:
        store.keep("theirs", "engine", "recipe", ROW)
        store.keep("1", "engine", "recipe", replace(ROW, text="another text"))
    with Store(path) as store:
        store.keep("1", "engine", "recipe", ROW)
        other.replace(path)
        store.keep("2", "engine", "recipe", ROW)
        (note,) = store.take_notes()
        assert "another file took the place" in note
        assert store.find("theirs", "engine", "recipe", "u") == ROW
    assert _count(path) == 3


def test_whoever_notices_last_takes_nothing_from_the_others(tmp_path: Path) -> None:
    """Of three users of a removed store each comes to the same new one, and closing one harms none."""
    path = tmp_path / "state" / "store.sqlite"
    stores = [Store(path) for _ in range(3)]
    for number, store in enumerate(stores):
        store.keep(f"before {number}", "engine", "recipe", ROW)
    shutil.rmtree(path.parent)
    for number, store in enumerate(stores[:2]):
        store.keep(f"after {number}", "engine", "recipe", ROW)
    # The third wrote nothing since, and its end must not take away the log of the new store.
    stores[2].close()
    for number in range(20):
        stores[number % 2].keep(f"later {number}", "engine", "recipe", ROW)
    for store in stores[:2]:
        assert store.find("later 19", "engine", "recipe", "u") == ROW
        store.close()
    assert _count(path) == 3 + 2 + 20


def test_processes_of_a_removed_store_lose_nothing(tmp_path: Path) -> None:
    """Three processes that write while the folder is removed, five times: every row that was kept is there."""
    path = tmp_path / "state" / "store.sqlite"
    program = (
        "import sys; from pathlib import Path; from pytest_asrgate.store import Store\n"
        "from pytest_asrgate.records import Hypothesis\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    for line in sys.stdin:\n"
        "        for number in range(20):\n"
        "            store.keep(f'{sys.argv[2]} {line} {number}', 'engine', 'recipe', Hypothesis('u', 'text'))\n"
        "        print('done', flush=True)\n"
    )
    with ExitStack() as ends:
        writers = [
            ends.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", program, str(path), str(number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(3)
        ]
        for step in range(5):
            for writer in writers:
                assert writer.stdin is not None
                writer.stdin.write(f"{step}\n")
                writer.stdin.flush()
            if step % 2:
                # While they write.
                shutil.rmtree(path.parent, ignore_errors=True)
            for writer in writers:
                assert writer.stdout is not None
                assert writer.stdout.readline() == "done\n"
            if not step % 2:
                shutil.rmtree(path.parent)
        for writer in writers:
            writer.communicate(timeout=60)
            assert writer.returncode == 0
    assert _count(path) == 3 * 5 * 20


def test_a_place_that_fails_while_others_make_it_again_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An I/O error of a store that is half removed loses no row, also where another process has made it by then."""
    path = tmp_path / "state" / "store.sqlite"
    opened, failures = Database._open, iter([True, True])

    def fails_twice(database: Database) -> None:
        known = database._files
        opened(database)
        if next(failures, False):
            assert path.exists()
            database.connection.close()
            database._files = known
            raise unusable(path, sqlite3.OperationalError("disk I/O error"))

    with Store(path) as store:
        store.keep("1", "engine", "recipe", ROW)
        shutil.rmtree(path.parent)
        monkeypatch.setattr(Database, "_open", fails_twice)
        store.keep("2", "engine", "recipe", ROW)
        assert store.find("1", "engine", "recipe", "u") == store.find("2", "engine", "recipe", "u") == ROW
    assert next(failures, None) is None


def test_a_place_that_cannot_be_made_again_is_one_sentence(tmp_path: Path) -> None:
    """Where the folder's place is taken by a file, the row is not silently lost."""
    path = tmp_path / "state" / "store.sqlite"
    with Store(path) as store:
        store.keep("1", "engine", "recipe", ROW)
        shutil.rmtree(path.parent)
        path.parent.write_text("")
        with pytest.raises(StoreError) as caught:
            store.keep("2", "engine", "recipe", ROW)
        assert str(path.parent) in str(caught.value)
        assert "\n" not in str(caught.value)
    path.parent.unlink()


READER = """
import sys
from pathlib import Path
from pytest_asrgate.errors import StoreError
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import Store
path = Path(sys.argv[1])
try:
    with Store(path) as store:
        print("read only:", store.read_only)
        print(len(store.find_all("engine", [(str(n), "recipe", str(n)) for n in range(100)])))
        print(store.find_engine("e"), store.find_findings("e", "d"), store.find_hashes([b"x"]), end=" ")
        print(store.fix_order("k", "2", ""))
        store.keep_texts("f", {"a": "b"}); store.keep_hashes([(b"x", "s", "h")])
        print(store.take_notes())
        store.keep("new", "engine", "recipe", Hypothesis("u", "text"))
except StoreError as error:
    print("StoreError:", error)
"""


def _mounts_are_allowed() -> bool:
    if shutil.which("unshare") is None:
        return False
    words = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def _read_only(path: Path) -> list[str]:
    """What READER prints where the folder of the store is mounted so that nothing can be written."""
    if not _mounts_are_allowed():
        pytest.skip("a folder that root cannot write to needs a mount of our own, which is not allowed here")
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" -c "$3" "$4"'
    words = ["unshare", "-m", "sh", "-c", script, "sh", str(path.parent), sys.executable, READER, str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.splitlines()


def _closed(path: Path) -> None:
    with Store(path) as store:
        for number in range(50):
            store.keep(str(number), "engine", "recipe", ROW)
        store.fix_order("k", "1", "")


def test_a_store_that_cannot_be_written_to_is_read(tmp_path: Path) -> None:
    """All rows are found, caches forget quietly, one note says so, and only a new row is refused, with the mend."""
    path = tmp_path / "state" / "store.sqlite"
    _closed(path)
    read_only, found, records, notes, refused = _read_only(path)
    assert read_only == "read only: its folder cannot be written to"
    assert found == "50"
    assert records == "None () {} ('1', '')"
    assert notes.startswith(f"['{path}: its folder cannot be written to: what it holds is used")
    assert refused.startswith(f"StoreError: {path}: its folder cannot be written to; allow writing")


def test_an_older_store_that_cannot_be_written_to_is_read(tmp_path: Path) -> None:
    """One of before there were seals, or some of the tables, gives its rows too."""
    path = tmp_path / "state" / "store.sqlite"
    _closed(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE hypotheses DROP COLUMN seal")
        for table in ("texts", "findings", "files"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version = 1")
    assert _read_only(path)[1:3] == ["50", "None () {} ('1', '')"]


def _end_without_closing(path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from pytest_asrgate.store import Store\n"
        "from pytest_asrgate.records import Hypothesis\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for number in range(60): store.keep(str(number), 'engine', 'recipe', Hypothesis('u', 'text'))\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    assert path.with_name("store.sqlite-wal").stat().st_size > 0


def test_rows_in_the_log_are_read_too(tmp_path: Path) -> None:
    """After a kill the last rows are in the log, and a folder that cannot be written to has them all the same."""
    path = tmp_path / "state" / "store.sqlite"
    _end_without_closing(path)
    assert _read_only(path)[:2] == ["read only: the file cannot be written to", "60"]


def test_a_log_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    """Where only the log came along, its rows are not passed over in silence."""
    path = tmp_path / "state" / "store.sqlite"
    _end_without_closing(path)
    path.with_name("store.sqlite-shm").unlink()
    (refused,) = _read_only(path)
    assert refused.startswith(f"StoreError: {path}: cannot be used as a store (")
    assert refused.endswith(
        "its last run was cut short, and its folder cannot be written to; allow writing to the folder"
    )


def test_a_damaged_store_that_cannot_be_moved_is_one_sentence(tmp_path: Path) -> None:
    """It stays where it is, and the sentence says what to allow."""
    path = tmp_path / "state" / "store.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"no database" * 100)
    (refused,) = _read_only(path)
    assert refused.startswith(f"StoreError: {path}")
    assert "allow writing" in refused
    assert list(path.parent.iterdir()) == [path]


def test_a_newer_store_that_cannot_be_written_to_is_refused(tmp_path: Path) -> None:
    """As everywhere, and not taken for one of ours."""
    path = tmp_path / "state" / "store.sqlite"
    _closed(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    (refused,) = _read_only(path)
    assert "written by a newer pytest-asrgate (schema 99" in refused


def test_a_look_at_the_file_takes_no_lock_away(tmp_path: Path) -> None:
    """While a store is open here, the end of another process's must not remove the log that both write to."""
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        store.keep("1", "engine", "recipe", ROW)
        # Whoever opens and closes the file by hand takes away all locks that this process has on it.
        Store(path).close()
        program = "import sys; from pathlib import Path; from pytest_asrgate.store import Store; "
        subprocess.run([sys.executable, "-c", program + "Store(Path(sys.argv[1])).close()", str(path)], check=True)
        store.keep("2", "engine", "recipe", ROW)
        assert path.with_name("store.sqlite-wal").is_file()
        assert _count(path) == 2


OTHER = """
import sys
from pathlib import Path
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import Store
store = Store(Path(sys.argv[1]))
for number in range(5):
    store.keep(f"other {number}", "engine", "recipe", Hypothesis("u", "a text"))
if sys.argv[2] == "closes":
    store.close()
print("done", flush=True)
sys.stdin.readline()
if sys.argv[2] == "goes on":
    store.keep("other 5", "engine", "recipe", Hypothesis("u", "a text"))
    store.close()
"""


@pytest.mark.parametrize("other", ["closes", "goes on"])
@pytest.mark.parametrize("reads", [False, True], ids=["writer", "reader"])
@pytest.mark.parametrize("ends", [("-shm",), ("-wal", "-shm")], ids=" ".join)
def test_a_log_that_was_removed_costs_no_row(
    tmp_path: Path, ends: tuple[str, ...], reads: bool, other: str
) -> None:
    """Two processes then have a log each: neither writes over the rows of the other, or removes them at its end."""
    path = tmp_path / "store.sqlite"
    store = Store(path)
    store.keep("1", "engine", "recipe", ROW)
    for end in ends:
        path.with_name(path.name + end).unlink()
    words = [sys.executable, "-c", OTHER, str(path), other]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "done\n"
        if not reads:
            store.keep("2", "engine", "recipe", ROW)
        store.close()
        process.communicate("go on\n", timeout=60)
    assert process.returncode == 0
    assert _count(path) == 6 + (not reads) + (other == "goes on")
    with Store(path) as again:
        assert again.find("1", "engine", "recipe", "u") == ROW
        assert any("its log was removed while it was in use" in note for note in again.take_notes())
