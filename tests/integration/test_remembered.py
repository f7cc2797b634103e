"""What the store remembers beside hypotheses: it saves work, changes no report, and can be overruled."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from tests.integration.conftest import SENTENCES, GateProject


def _report(project: GateProject, name: str, *arguments: str) -> str:
    """The pairs of a JSON report, without what only says who transcribed."""
    project.run("-m", "wer", "--asrgate-json", name, *arguments).assert_outcomes(passed=2)
    pairs = json.loads((project.root / name).read_text())["pairs"]
    for entry in pairs:
        for key in ("transcribed", "reused", "transcribed_now"):
            del entry[key]
    return json.dumps(pairs)


def test_a_rescore_with_and_without_memory_is_the_same(project: GateProject) -> None:
    """The reports of a first run, of one that remembers all, and of one that forgot all texts are equal."""
    project.standard()
    first = _report(project, "first.json")
    again = _report(project, "again.json")
    with sqlite3.connect(project.root / ".asrgate" / "store.sqlite") as connection:
        assert connection.execute("DELETE FROM texts").rowcount > 0
    assert first == again == _report(project, "forgotten.json")


def test_rehash_sees_what_the_memory_misses(project: GateProject) -> None:
    """A clip whose hash is remembered wrongly is taken for another one, until everything is hashed anew."""
    project.standard()
    clip = project.root / "prompts" / "1.wav"
    for path in (*clip.parent.glob("*.wav"), *project.root.glob("*.json")):
        os.utime(path, (0, 0))
    project.run("-m", "wer").assert_outcomes(passed=2)
    with sqlite3.connect(project.root / ".asrgate" / "store.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM files").fetchone()[0] >= len(SENTENCES) + 2
        statement = "UPDATE files SET sha256 = ? WHERE path = ?"
        assert connection.execute(statement, ("f" * 64, os.fsencode(clip))).rowcount == 1
    project.run("-m", "wer").stdout.fnmatch_lines(["transcribed 2 utterances now*"])
    project.run("-m", "wer", "--asrgate-rehash").stdout.fnmatch_lines(["transcribed nothing*"])
    # What was found is remembered.
    project.run("-m", "wer").stdout.fnmatch_lines(["transcribed nothing*"])
    with sqlite3.connect(project.root / ".asrgate" / "store.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM files WHERE sha256 = ?", ("f" * 64,)).fetchone()[0] == 0


def test_a_changed_clip_is_transcribed_again(project: GateProject) -> None:
    """A clip with other samples, written a moment after the first run, is not taken for the one before."""
    project.standard()
    project.run("-m", "wer")
    clip = project.root / "prompts" / "1.wav"
    data = bytearray(clip.read_bytes())
    data[-2] ^= 1
    clip.write_bytes(data)
    project.run("-m", "wer").stdout.fnmatch_lines(["transcribed 2 utterances now*"])


def test_a_store_that_takes_nothing_more_changes_no_report(project: GateProject) -> None:
    """Where everything is transcribed, a store that can only be read gives the same verdicts."""
    project.standard()
    first = _report(project, "first.json")
    with sqlite3.connect(project.root / ".asrgate" / "store.sqlite") as connection:
        for table in ("texts", "files"):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
            connection.execute(
                f"CREATE TRIGGER no_{table} BEFORE INSERT ON {table} "
                "BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
            )
    assert first == _report(project, "again.json")


def test_a_damaged_store_costs_no_verdict(project: GateProject) -> None:
    """A file that is no store is kept aside, a new one takes its place, and a line says so."""
    project.standard()
    (project.root / ".asrgate").mkdir(exist_ok=True)
    (project.root / ".asrgate" / "store.sqlite").write_bytes(b"this was never a database\n" * 100)
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["warning: f32 prompts: *store.sqlite: was damaged (*): it is kept as *"])


def test_the_header_of_a_file_is_read_for_the_first_variant_only(
    project: GateProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a clip is does not depend on who decodes it."""
    asked: list[str] = []

    def counted(path: Path) -> float:
        asked.append(path.name)
        return 1.0

    monkeypatch.setattr("pytest_asrgate.datasets.load.audio_length", counted)
    project.standard()
    project.run("-m", "wer").assert_outcomes(passed=2)
    assert sorted(asked) == [f"{number}.wav" for number in range(8)]
