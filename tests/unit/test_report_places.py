"""What a report may take the place of, of each kind."""

import os
import socket
from pathlib import Path

import pytest

from pytest_asrgate.reports.places import (
    JSON,
    MARKDOWN,
    PAGE,
    Kind,
    foreign,
    is_one_place,
    refuse_foreign,
    remove_report,
)

# How a report of each kind begins, of this version and of a later one.
BEGINNINGS = {
    JSON: ('{\n "schema": "asrgate.report/1",', '{"schema":"asrgate.report/7", "pairs": []}'),
    MARKDOWN: ("<!-- asrgate.markdown/1 -->\n## asrgate", "<!-- asrgate.markdown/2 -->"),
    PAGE: ("<!DOCTYPE html><!-- asrgate.page/1 -->\n<html>", "<!doctype html>\n<!-- asrgate.page/2 -->"),
}
KINDS = pytest.mark.parametrize("kind", BEGINNINGS, ids=lambda kind: kind.noun)


def _kept(path: Path, kind: Kind = JSON) -> None:
    """Neither removed nor written over."""
    before = path.read_bytes() if path.is_file() else None
    for refused in (remove_report, refuse_foreign):
        with pytest.raises(FileExistsError, match="name another file"):
            refused(path, kind)
    assert os.path.lexists(path)
    assert (path.read_bytes() if path.is_file() else None) == before


@KINDS
def test_a_report_takes_the_place_of_an_older_one(tmp_path: Path, kind: Kind) -> None:
    """A report of whatever version of ours, an empty file, and nothing at all are no obstacle."""
    absent, empty, older, newer = (tmp_path / name for name in ("absent", "empty", "older", "newer"))
    empty.touch()
    older.write_text(BEGINNINGS[kind][0])
    newer.write_text(BEGINNINGS[kind][1])
    for path in (absent, empty, older, newer, tmp_path / "no" / "such" / "folder"):
        assert foreign(path, kind) == ""
        refuse_foreign(path, kind)
        remove_report(path, kind)
        assert not path.exists()


@KINDS
def test_a_report_of_another_kind_is_kept(tmp_path: Path, kind: Kind) -> None:
    """Whoever mixes two options up loses neither report, and the sentence says which kind was looked for."""
    path = tmp_path / "report"
    for other in BEGINNINGS.keys() - {kind}:
        path.write_text(BEGINNINGS[other][0])
        assert foreign(path, kind) == f"{path} is no {kind.noun} of ours; name another file, or remove it"
        _kept(path, kind)


@KINDS
@pytest.mark.parametrize(
    "content",
    [
        "x",
        "[gate]",
        "{}",
        "<!DOCTYPE html><html>asrgate.page/1",
        "# asrgate\n<!-- asrgate.markdown/1 -->",
        '{"id": "u1", "ref_text": "asrgate.report/1"}',
        '{"schema": "asrgate.score/1", "about": "asrgate.report/1"}',
        ' about {"schema": "asrgate.report/1"}',
    ],
)
def test_any_other_file_is_kept(tmp_path: Path, kind: Kind, content: str) -> None:
    """What does not begin as a report of ours stays as it is, and the sentence names it and the way out."""
    path = tmp_path / "manifest.jsonl"
    path.write_text(content)
    assert foreign(path, kind) == f"{path} is no {kind.noun} of ours; name another file, or remove it"
    _kept(path, kind)


def test_a_link_is_followed(tmp_path: Path) -> None:
    """A link to a report stays a link; one to anything else is an obstacle."""
    report, link = tmp_path / "report.json", tmp_path / "link"
    report.write_text(BEGINNINGS[JSON][0])
    link.symlink_to("report.json")
    remove_report(link, JSON)
    assert link.is_symlink()
    assert not report.exists()
    assert foreign(link, JSON) == ""
    report.write_text("a letter")
    _kept(link)
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    _kept(loop)


def test_only_a_file_is_one(tmp_path: Path) -> None:
    """Folders, pipes, sockets and devices are refused, without waiting for somebody at their other end."""
    folder, pipe, place, device = (tmp_path / name for name in ("folder", "pipe", "socket", "device"))
    folder.mkdir()
    os.mkfifo(pipe)
    device.symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        for path in (folder, pipe, place, device, Path("/dev/null")):
            assert foreign(path, JSON) == f"{path} is no regular file; name another file"
            _kept(path)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_no_open_file_of_a_process_is_one(tmp_path: Path) -> None:
    """`/dev/stdout` is refused also where the shell sent it to a file, which would lose what stands there."""
    output, link = tmp_path / "output", tmp_path / "link"
    with output.open("wb") as file:
        place = f"/proc/self/fd/{file.fileno()}"
        link.symlink_to(place)
        for path in (Path(place), link, Path(f"/dev/fd/{file.fileno()}")):
            assert foreign(path, MARKDOWN) == f"{path} is no regular file; name another file"
            with pytest.raises(OSError, match="name another file"):
                refuse_foreign(path, MARKDOWN)
    assert output.exists()
    assert foreign(Path("/dev/stdout"), JSON)


def test_two_ways_to_one_file(tmp_path: Path) -> None:
    """Two paths name one place through links and dots, whether or not there is a file yet; two files are two."""
    (tmp_path / "link").symlink_to("report")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "report", tmp_path / "link", tmp_path / "folder" / ".." / "report"):
        assert is_one_place(path, tmp_path / "report")
    (tmp_path / "report").touch()
    os.link(tmp_path / "report", tmp_path / "twin")
    assert is_one_place(tmp_path / "twin", tmp_path / "link")
    assert not is_one_place(tmp_path / "other", tmp_path / "report")
