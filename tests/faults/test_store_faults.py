"""A store that is damaged, of another version, or that finds the clock turned back."""

import os
import sqlite3
import time
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.store import Store
from tests.faults.full_disk import has
from tests.integration.conftest import SENTENCES, GateProject


def _store(project: GateProject) -> Path:
    return project.root / ".asrgate" / "store.sqlite"


def _warnings(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if line.startswith("warning: ")]


def test_a_damaged_store_is_made_anew(project: GateProject) -> None:
    """It is kept aside and named in one line, the rows that are whole go on, and only the others are decoded."""
    project.standard()
    project.run("-m", "wer").assert_outcomes(passed=2)
    with closing(sqlite3.connect(_store(project))) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'texts'").fetchone()
        # One row is changed, as by a bit that fell over, and a page of a table is no page any more.
        query = "SELECT audio, engine FROM hypotheses ORDER BY 1, 2 LIMIT 1"
        audio, engine = connection.execute(query).fetchone()
        statement = "UPDATE hypotheses SET text = 'wrong' WHERE audio = ? AND engine = ?"
        assert connection.execute(statement, (audio, engine)).rowcount == 1
        connection.commit()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(_store(project).read_bytes())
    data[(root - 1) * size : root * size] = b"\xa5" * size
    _store(project).write_bytes(data)
    result = project.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["transcribed 1 utterance now*"])
    (kept,) = project.root.glob(".asrgate/store.sqlite.damaged-*Z")
    assert kept.read_bytes()[(root - 1) * size : root * size] == b"\xa5" * size
    has(
        _warnings(result),
        f"warning: f32 prompts: *store.sqlite: was damaged (*): it is kept as {kept.name}, and a new store has the "
        "* finished utterances that could be read; the rest is transcribed again",
    )
    assert kept.name in (project.root / "report.json").read_text()
    again = project.run("-m", "wer")
    again.assert_outcomes(passed=2)
    again.stdout.fnmatch_lines(["transcribed nothing: all 16*"])
    assert _warnings(again) == []


def test_a_store_that_is_damaged_in_the_middle(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Overwritten while it decodes: the run goes on to its verdicts, and a rerun decodes what could not be read."""
    project.standard()
    keep = Store.keep
    kept: list[object] = []

    def damaging(store: Store, *row: object) -> None:
        if len(kept) == 10:
            store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            size = _store(project).stat().st_size
            with _store(project).open("r+b") as file:
                file.seek(100)
                file.write(b"\xa5" * (size - 100))
            store._connection.execute("PRAGMA shrink_memory")
        kept.append(row)
        keep(store, *row)  # type: ignore[arg-type] # as they came

    monkeypatch.setattr(Store, "keep", damaging)
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*Traceback*")
    has(_warnings(result), "warning: q8_0 prompts: *store.sqlite: was damaged (*): it is kept as *")
    again = project.run("-m", "wer")
    again.assert_outcomes(passed=2)
    again.stdout.fnmatch_lines(["transcribed [1-9]* utterance* now*"])


def test_a_newer_store_is_refused_and_left_alone(project: GateProject) -> None:
    """Every pair is ERROR with the way out, nothing is decoded, and the file keeps its bytes."""
    project.standard()
    _store(project).parent.mkdir()
    with closing(sqlite3.connect(_store(project))) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = _store(project).read_bytes()
    result = project.run("-m", "wer", "-k", "f32")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["f32 on prompts: ERROR: *written by a newer pytest-asrgate (schema 99*upgrade*"])
    assert _store(project).read_bytes() == before
    assert project.log("f32") == []


def test_an_older_store_goes_on(project: GateProject) -> None:
    """A store of before there were seals and most tables: everything it holds is used, nothing is decoded again."""
    project.standard()
    project.run("-m", "wer", "-k", "f32").assert_outcomes(passed=1, deselected=1)
    with closing(sqlite3.connect(_store(project))) as connection:
        connection.execute("ALTER TABLE hypotheses DROP COLUMN seal")
        for table in ("findings", "early_orders", "repeats", "files", "texts", "text_versions"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("PRAGMA user_version = 0")
    again = project.run("-m", "wer", "-k", "f32")
    again.assert_outcomes(passed=1, deselected=1)
    again.stdout.fnmatch_lines(["transcribed nothing: all 8*"])
    assert _warnings(again) == []


def test_a_clock_that_runs_backwards(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour back at every look: the same verdicts, and no time below zero; a rerun decodes nothing."""
    project.standard()
    for clip in (project.root / "prompts").glob("*.wav"):
        os.utime(clip, (2e9, 2e9))
    clock = count(int(time.time()), -3600)
    monkeypatch.setattr(time, "time", lambda: float(next(clock)))
    monkeypatch.setattr(time, "time_ns", lambda: next(clock) * 10**9)
    project.run("-m", "wer", "-k", "f32").assert_outcomes(passed=1, deselected=1)
    again = project.run("-m", "wer", "-k", "f32")
    again.assert_outcomes(passed=1, deselected=1)
    again.stdout.fnmatch_lines(["transcribed nothing: all 8*"])
    with closing(sqlite3.connect(_store(project))) as connection:
        (least,) = connection.execute("SELECT min(latency_ms) FROM hypotheses").fetchone()
        assert least >= 0
        (rows,) = connection.execute("SELECT count(*) FROM hypotheses").fetchone()
    assert rows == len(SENTENCES)


@pytest.mark.parametrize("ahead_s", [3600, -5, 2e9])
def test_a_file_of_the_future_is_hashed_again(tmp_path: Path, ahead_s: float) -> None:
    """Written "later" than now, or seconds ago, a file may be written again with its stamp: none is remembered."""
    clip = tmp_path / "clip.wav"
    with Store(tmp_path / "store.sqlite") as store:
        for content in (b"one", b"two"):
            clip.write_bytes(content)
            os.utime(clip, (time.time() + ahead_s,) * 2)
            stamp = clip.stat()
            assert FileHashes(lambda: store).sha256(clip) == FileHashes().sha256(clip)
            assert store.find_hashes([os.fsencode(clip)]) == {}, stamp
