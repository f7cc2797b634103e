"""What a JSON report may take the place of."""

import os
import socket
from pathlib import Path

import pytest

from pytest_asrgate.reports.json_report import foreign, remove_report, write_json_report


def _report(path: Path) -> Path:
    write_json_report(path, path.with_name("gate.toml"), [])
    return path


def _kept(path: Path) -> None:
    """Neither removed nor written over."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(OSError, match="name another file"):
        remove_report(path)
    with pytest.raises(OSError, match="name another file"):
        _report(path)
    assert os.path.lexists(path)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_report_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    """A report of whatever version of ours, an empty file, and nothing at all are no obstacle."""
    absent, empty, newer = (tmp_path / name for name in ("absent", "empty", "newer"))
    empty.touch()
    newer.write_text('{"schema":"asrgate.report/7", "pairs": []}')
    for path in (absent, empty, newer, _report(tmp_path / "report.json"), tmp_path / "no" / "such" / "folder"):
        assert foreign(path) == ""
        remove_report(path)
        assert not path.exists()
        assert foreign(_report(path)) == ""


@pytest.mark.parametrize(
    "content",
    [
        "x",
        "[gate]",
        "{}",
        '{"id": "u1", "ref_text": "asrgate.report/1"}',
        '{"schema": "asrgate.score/1", "about": "asrgate.report/1"}',
        ' about {"schema": "asrgate.report/1"}',
    ],
)
def test_any_other_file_is_kept(tmp_path: Path, content: str) -> None:
    """What does not begin as a report of ours stays as it is, and the sentence names it and the way out."""
    path = tmp_path / "manifest.jsonl"
    path.write_text(content)
    assert foreign(path) == f"{path} is no report of ours; name another file, or remove it"
    _kept(path)


def test_a_link_is_followed(tmp_path: Path) -> None:
    """A link to a report stays a link; one to anything else is an obstacle; one to nothing is filled."""
    report, link = _report(tmp_path / "report.json"), tmp_path / "link"
    link.symlink_to("report.json")
    remove_report(link)
    assert link.is_symlink()
    assert not report.exists()
    _report(link)
    assert link.is_symlink()
    assert report.is_file()
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
            assert foreign(path) == f"{path} is no regular file; name another file"
            _kept(path)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_no_open_file_of_a_process_is_one(tmp_path: Path) -> None:
    """`/dev/stdout` is refused also where the shell sent it to a file, which would lose what stands there."""
    output, link = tmp_path / "output", tmp_path / "link"
    with output.open("wb") as file:
        place = f"/proc/self/fd/{file.fileno()}"
        link.symlink_to(place)
        for path in (Path(place), link, Path(f"/dev/fd/{file.fileno()}")):
            assert foreign(path) == f"{path} is no regular file; name another file"
            with pytest.raises(OSError, match="name another file"):
                _report(path)
    assert output.exists()
    assert foreign(Path("/dev/stdout"))
