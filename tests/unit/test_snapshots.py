"""Which snapshots of progress are swept: those of our own runs whose controller was killed, and nothing else."""

import os
import time
import uuid
from pathlib import Path

import pytest

from pytest_asrgate.plugin.workers import remove_abandoned, view_to_json
from pytest_asrgate.reports.progress import View

OLD = (time.time() - 90_000,) * 2
SNAPSHOT = view_to_json(View({}))


def _run(progress: Path, files: dict[str, str], name: str = "") -> Path:
    """A folder of snapshots that is older than a day."""
    folder = progress / (name or uuid.uuid4().hex)
    folder.mkdir(parents=True)
    for file, text in files.items():
        (folder / file).write_text(text)
    os.utime(folder, OLD)
    return folder


def test_what_a_killed_controller_left_goes_after_a_day(tmp_path: Path) -> None:
    """Snapshots, one that was never finished, and none at all; those of a run of today stay."""
    progress = tmp_path / "progress"
    old = [
        _run(progress, {"gw0.json": SNAPSHOT, "gw1.json": SNAPSHOT, ".gw0.json.asrgate-abc_1234": "{"}),
        _run(progress, {}),
    ]
    new = _run(progress, {"gw0.json": SNAPSHOT})
    os.utime(new)
    remove_abandoned(tmp_path)
    assert [folder for folder in old if folder.exists()] == []
    assert (new / "gw0.json").exists()


@pytest.mark.parametrize(
    "files",
    [
        {"gw0.json": SNAPSHOT, "notes.txt": "mine"},
        {"epoch-1.json": '{"loss": 0.1}'},
        {"gw0.json": SNAPSHOT, ".gw0.json.asrgate-abc": "{"},
        {"gw0.json": SNAPSHOT, "letter.asrgate-abc_1234": "{"},
    ],
)
def test_a_folder_that_holds_anything_else_stays_whole(tmp_path: Path, files: dict[str, str]) -> None:
    """One file that is no snapshot, and nothing of its folder is removed."""
    folder = _run(tmp_path / "progress", files)
    remove_abandoned(tmp_path)
    assert {path.name for path in folder.iterdir()} == set(files)


def test_only_names_of_runs_are_swept(tmp_path: Path) -> None:
    """With `state = "."` a project may have a folder `progress` of its own; so may its folders hold folders."""
    progress = tmp_path / "progress"
    _run(progress, {"gw0.json": SNAPSHOT}, "week-1")
    _run(progress, {"gw0.json": SNAPSHOT}, uuid.uuid4().hex.upper() + "0")
    deep = _run(progress, {"gw0.json": SNAPSHOT})
    (deep / "folder").mkdir()
    os.utime(deep, OLD)
    (progress / uuid.uuid4().hex).write_text("a file")
    before = sorted(tmp_path.rglob("*"))
    remove_abandoned(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_no_link_is_followed(tmp_path: Path) -> None:
    """Neither a linked folder of snapshots, nor a linked run, nor a linked file is anything of ours."""
    elsewhere = _run(tmp_path / "elsewhere", {"gw0.json": SNAPSHOT})
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "progress").symlink_to(tmp_path / "elsewhere")
    holder = tmp_path / "state" / "progress"
    with_link = _run(holder, {})
    (with_link / "gw0.json").symlink_to(elsewhere / "gw0.json")
    os.utime(with_link, OLD)
    link = holder / uuid.uuid4().hex
    link.symlink_to(elsewhere)
    os.utime(link, OLD, follow_symlinks=False)
    for state in ("linked", "state"):
        remove_abandoned(tmp_path / state)
    assert (elsewhere / "gw0.json").read_text() == SNAPSHOT
    assert (with_link / "gw0.json").is_symlink()
    assert link.is_symlink()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives a folder to another user")
def test_nothing_of_another_user_is_removed(tmp_path: Path) -> None:
    """A run of somebody else in a shared state folder is left to him, also by root."""
    theirs = _run(tmp_path / "progress", {"gw0.json": SNAPSHOT})
    os.chown(theirs, 12_345, -1)
    remove_abandoned(tmp_path)
    assert (theirs / "gw0.json").exists()
