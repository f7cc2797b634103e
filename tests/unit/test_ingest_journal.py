"""Claims about the journal: what was finished is known again, and damage costs work and never a wrong answer."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.ingest.journal import JOURNAL, Entry, Journal, remove_abandoned

ONE = Entry("a.wav", "key", "/corpus/a.flac", "hash", 1.25)
TWO = Entry("b.wav", "key", "/corpus/é.flac", "hash", 0.0)


def _kept(folder: Path, *entries: Entry) -> None:
    with Journal(folder) as journal:
        for entry in entries:
            journal.add(entry)


def _read(folder: Path) -> dict[str, Entry]:
    with Journal(folder) as journal:
        return dict(journal.entries)


def test_entries_come_back_and_the_last_one_counts(tmp_path: Path) -> None:
    """Appending is all that happens, so a file written again has two."""
    again = Entry("a.wav", "other", "/corpus/a.flac", "hash", 2.0)
    _kept(tmp_path, ONE)
    _kept(tmp_path, TWO, again)
    assert _read(tmp_path) == {"a.wav": again, "b.wav": TWO}
    assert len((tmp_path / JOURNAL).read_bytes().splitlines()) == 3


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_truncated_last_line_is_ignored_and_does_not_spoil_the_next(tmp_path: Path, cut: int) -> None:
    """As a killed run or a full disk leaves it."""
    _kept(tmp_path, ONE, TWO)
    path = tmp_path / JOURNAL
    path.write_bytes(path.read_bytes()[:-cut])
    assert _read(tmp_path) == {"a.wav": ONE}
    _kept(tmp_path, TWO)
    assert _read(tmp_path) == {"a.wav": ONE, "b.wav": TWO}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b"\xff\xfe",
        b"{" * 100_000,
        b'{"file": "a.wav"}',
        b'{"file": "a.wav", "key": 1, "source": "s", "sha256": "h", "duration_s": 1}',
        b'{"file": "a.wav", "key": "k", "source": "s", "sha256": "h", "duration_s": NaN}',
        b'{"file": "a.wav", "key": "k", "source": "s", "sha256": "h", "duration_s": -1}',
        b'{"file": "a.wav", "key": "k", "source": "s", "sha256": "h", "duration_s": true}',
    ],
)
def test_a_damaged_line_is_no_entry(tmp_path: Path, line: bytes) -> None:
    """The others are read."""
    _kept(tmp_path, TWO)
    with (tmp_path / JOURNAL).open("ab") as file:
        file.write(line + b"\n")
    assert _read(tmp_path) == {"b.wav": TWO}


@given(st.binary(max_size=200))
def test_any_bytes_are_survived(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whatever stands there, the next entries are kept."""
    folder = tmp_path_factory.mktemp("journal")
    (folder / JOURNAL).write_bytes(data)
    _kept(folder, ONE)
    assert _read(folder)["a.wav"] == ONE


def test_what_cannot_be_a_journal_is_one_sentence(tmp_path: Path) -> None:
    """A folder or a link of that name is somebody else's."""
    (tmp_path / JOURNAL).mkdir()
    with pytest.raises(DatasetError, match="is no regular file; remove it"):
        Journal(tmp_path)
    (tmp_path / JOURNAL).rmdir()
    (tmp_path / "target").write_text("precious")
    (tmp_path / JOURNAL).symlink_to("target")
    with pytest.raises(DatasetError, match="is no regular file; remove it"):
        Journal(tmp_path)
    assert (tmp_path / "target").read_text() == "precious"


def test_leftovers_of_killed_runs_go_and_nothing_else_does(tmp_path: Path) -> None:
    """Only temporary files of sounds: no manifest that is being written, no link, no folder."""
    ours = [".a.wav.asrgate-0123abcd", ".ü b.flac.asrgate-ffffffff"]
    others = [".m.jsonl.asrgate-0123abcd", "a.wav", ".a.wav.asrgate-0123abc", "a.wav.asrgate-0123abcd"]
    for name in (*ours, *others):
        (tmp_path / name).touch()
    (tmp_path / ".b.wav.asrgate-0123abcd").mkdir()
    (tmp_path / ".c.wav.asrgate-0123abcd").symlink_to("a.wav")
    remove_abandoned(tmp_path)
    left = {*others, ".b.wav.asrgate-0123abcd", ".c.wav.asrgate-0123abcd"}
    assert {path.name for path in tmp_path.iterdir()} == left
    remove_abandoned(tmp_path / "none")
