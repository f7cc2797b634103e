"""Claims about what the doctor says of a state folder, and about leaving it as it is."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pytest_asrgate.doctor import store as room
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.store import EngineRecord, Store

ENGINE = EngineRecord({"engine": "transcribe-cpp", "engine_version": "0.4.1", "model": "tiny.gguf"}, (), 1.0)


def lines(state: Path) -> list[str]:
    """Findings of both parts as they are printed."""
    found = [*room.folder(state), *room.store(state)]
    return [f"{'problem: ' * each.problem}{each.name}: {each.text}" for each in found]


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of everything in a folder."""
    return {path.name: (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.iterdir()}


def filled(state: Path) -> Path:
    """A store with two engines, of which one never said who it is."""
    with Store(state / "store.sqlite") as store:
        store.keep_engine("a" * 64, ENGINE)
        for number in range(3):
            store.keep(str(number), "a" * 64, "recipe", Hypothesis("u", "text"))
        store.keep("0", "b" * 64, "recipe", Hypothesis("u", "text"))
    return state / "store.sqlite"


def test_a_store_and_its_contents(tmp_path: Path) -> None:
    """Size, rows, engines and health, of a store that was closed in order; nothing is made beside it."""
    filled(tmp_path)
    before = tree(tmp_path)
    found = lines(tmp_path)
    assert tree(tmp_path) == before
    assert "health: ok (integrity check)" in found
    assert "hypotheses: 3 of transcribe-cpp 0.4.1 tiny.gguf (aaaaaaaa)" in found
    assert "hypotheses: 1 of engine bbbbbbbb, which said nothing of itself" in found
    assert any(line.startswith("rows: ") and "hypotheses 4" in line and "engines 1" in line for line in found)
    assert not [line for line in found if line.startswith("problem: ") and "room" not in line]


def test_a_store_that_a_killed_run_left(tmp_path: Path) -> None:
    """What stands in its log is counted, and the log is as long as before: only a run may put it into the store."""
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from tests.unit.test_doctor_store import Store, Hypothesis\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for number in range(5): store.keep(str(number), 'e', 'r', Hypothesis('u', 'text'))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "store.sqlite")], cwd=root, check=False)
    before = tree(tmp_path)
    assert before["store.sqlite-wal"][0] > 0
    found = lines(tmp_path)
    assert tree(tmp_path) == before
    assert any("hypotheses 5" in line for line in found if line.startswith("rows: "))
    assert "health: ok (integrity check)" in found
    (tmp_path / "store.sqlite-shm").unlink()
    before = tree(tmp_path)
    assert any("is not counted, since its index is missing" in line for line in lines(tmp_path))
    assert tree(tmp_path) == before


@pytest.mark.parametrize("how", ["text", "empty page", "cut"])
def test_a_damaged_store_is_a_problem(tmp_path: Path, how: str) -> None:
    """It is said in a sentence, and left for the next run, which keeps it aside."""
    path = filled(tmp_path)
    data = path.read_bytes()
    broken = {"text": b"no database at all" * 99, "cut": data[: len(data) // 2]}
    path.write_bytes(broken.get(how, data[:4096] + b"\xff" * 8192 + data[12288:]))
    before = tree(tmp_path)
    problems = [line for line in lines(tmp_path) if line.startswith("problem: ") and "room" not in line]
    assert problems
    assert all("the next run keeps it aside" in line for line in problems)
    assert tree(tmp_path) == before


def test_damaged_stores_that_were_kept_aside_are_named(tmp_path: Path) -> None:
    """Who reports a bug may want to send one, and who does not may delete it."""
    filled(tmp_path).rename(tmp_path / "store.sqlite.damaged-20261130T120000Z")
    (tmp_path / "store.sqlite.damaged-20261130T120000Z-wal").write_bytes(b"x")
    found = lines(tmp_path)
    assert sum(line.startswith("damaged") for line in found) == 1
    assert any(line.startswith("damaged store: store.sqlite.damaged-20261130T120000Z, 0.") for line in found)
    assert any("is not there yet: nothing was transcribed" in line for line in found)


ENDLESS = "WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers) SELECT COUNT(*) FROM numbers"


@pytest.mark.parametrize(
    ("slow", "facts"),
    [
        ('COUNT(*) FROM "hypotheses"', ["hypotheses not counted in time", "engines 1"]),
        ("GROUP BY engine", ["hypotheses: of each engine: not counted in time", "engines 1, "]),
        ("integrity_check", ["health: not known: the check did not end within 2 s", "hypotheses 4"]),
    ],
)
def test_every_statement_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: str, facts: list[str]
) -> None:
    """Whatever of a huge store takes too long is not known, which is no damage; what was known before is told."""
    asked = []

    class Slow(sqlite3.Connection):
        def execute(self, query: str, _: object = ()) -> sqlite3.Cursor:
            asked.append(query)
            return super().execute(ENDLESS if slow in query else query)

    def opened(path: Path) -> tuple[sqlite3.Connection, str]:
        return sqlite3.connect(path, factory=Slow), ""

    filled(tmp_path)
    monkeypatch.setattr(room, "_opened", opened)
    # One time for all, and those that come before the slow one end at once.
    monkeypatch.setattr(room, "_CHECK_S", 2.0)
    found = lines(tmp_path)
    assert any(slow in query for query in asked)
    assert [fact for fact in facts if not any(fact in line for line in found)] == []
    assert not [line for line in found if line.startswith("problem: ") and "room" not in line]


def test_what_is_no_store_of_ours_is_a_problem(tmp_path: Path) -> None:
    """Another program's database, and a store of which a table is gone, are sound SQLite and yet no store."""
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE hypotheses")
    assert (
        "problem: store: its table hypotheses is gone, with what was kept in it; put back a copy of the store, or "
        "delete it"
    ) in lines(tmp_path)
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (title)")
    assert (
        "problem: store: this is a database of something else, with songs; move it away, or give gate.state "
        "another name"
    ) in lines(tmp_path)


def test_links_that_lead_nowhere_and_files_in_the_place_of_folders(tmp_path: Path) -> None:
    """A run would fail on them, so none of them is "not there yet"."""
    (tmp_path / "dangling").symlink_to("/nonexistent/state")
    (tmp_path / "itself").symlink_to("itself")
    for name in ("dangling", "itself"):
        expected = f"problem: state folder: {tmp_path / name} is a link that leads nowhere; mend it or remove it"
        assert lines(tmp_path / name)[0] == expected
        assert lines(tmp_path / name / "below")[0] == expected
    state = tmp_path / "state"
    state.mkdir()
    (state / "store.sqlite").symlink_to("/nonexistent/x.sqlite")
    for name in ("locks", "audio"):
        (state / name).touch()
    (state / "reports").symlink_to("gone")
    found = lines(state)
    for name in ("locks", "audio", "reports"):
        assert f"problem: state folder: {state / name} is no folder; move it away" in found
    expected = f"problem: store: {state / 'store.sqlite'} is a link that leads nowhere; mend it or remove it"
    assert expected in found


def test_folders_that_cannot_hold_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder yet is none of them; a file in its place, or a folder that is not ours, is."""
    assert lines(tmp_path / "a" / "b")[0] == f"state folder: {tmp_path / 'a' / 'b'} is not there yet"
    assert not (tmp_path / "a").exists()
    (tmp_path / "file").write_text("x")
    assert lines(tmp_path / "file")[0].startswith(f"problem: state folder: {tmp_path / 'file'} is no folder")
    assert "is no folder" in lines(tmp_path / "file" / "below")[0]
    (tmp_path / "state" / "store.sqlite").mkdir(parents=True)
    assert any("store.sqlite is no file; move it away" in line for line in lines(tmp_path / "state"))
    # Root may write everywhere, so that the system is asked in vain here.
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert (
        lines(tmp_path / "state")[0]
        == f"problem: state folder: {tmp_path / 'state'} cannot be written to; allow it"
    )
    monkeypatch.setattr(room, "_LITTLE_MB", 1e12)
    assert any(line.startswith("problem: room: ") and line.endswith("; make more") for line in lines(tmp_path))


def test_stores_of_other_versions(tmp_path: Path) -> None:
    """An older one is brought along by the next run; a newer one would be refused."""
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as connection:
        connection.execute("CREATE TABLE hypotheses (engine)")
        connection.execute("PRAGMA user_version = 1")
        assert any(line.startswith("schema: 1, which the next run brings to ") for line in lines(tmp_path))
        connection.execute("PRAGMA user_version = 9999")
        (line,) = [line for line in lines(tmp_path) if "schema" in line]
    assert line.startswith("problem: schema: 9999, made by a newer pytest-asrgate (this one knows ")


def test_a_table_of_any_name_is_counted(tmp_path: Path) -> None:
    """A later version, or a stranger, may have put others there."""
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as connection:
        connection.execute('CREATE TABLE "a ""b; drop" (x)')
    assert any('a "b; drop 0' in line for line in lines(tmp_path))
