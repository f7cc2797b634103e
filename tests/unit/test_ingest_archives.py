"""Claims about tar archives: members are copied under names of ours in one pass, and nothing else is made."""

import io
import os
import tarfile
from pathlib import Path

import pytest

from pytest_asrgate.ingest.archives import Member, copied_members


def _archive(path: Path, *members: tuple[str, bytes | str], mode: str = "w") -> Path:
    """A text as content makes a link to there."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]  # any mode that there is
        for name, content in members:
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return path


def _copied(path: Path, folder: Path, *wanted: str) -> list[Member]:
    folder.mkdir(exist_ok=True)
    return list(copied_members(path, wanted, lambda member: folder / f"copy{wanted.index(member)}"))


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_wanted_members_are_copied_in_the_order_of_the_archive(tmp_path: Path, mode: str) -> None:
    """Packed in any way; a member that nobody wants is passed over."""
    path = _archive(tmp_path / "a.tar", ("x/1", b"one" * 9000), ("x/2", b"two"), ("x/3", b""), mode=mode)
    copies = tmp_path / "copies"
    found = _copied(path, copies, "x/3", "x/1")
    assert found == [("x/1", copies / "copy1"), ("x/3", copies / "copy0")]
    assert (copies / "copy1").read_bytes() == b"one" * 9000
    assert sorted(path.name for path in copies.iterdir()) == ["copy0", "copy1"]


def test_no_member_leads_out_of_the_folder(tmp_path: Path) -> None:
    """A path that climbs is only a name, and a link or a device is refused."""
    path = _archive(tmp_path / "a.tar", ("../evil", b"x"), ("/abs", b"y"), ("link", "/etc/passwd"))
    with tarfile.open(path, "a") as archive:
        device = tarfile.TarInfo("device")
        device.type = tarfile.CHRTYPE
        archive.addfile(device)
    copies = tmp_path / "copies"
    found = dict(_copied(path, copies, "../evil", "/abs", "link", "device"))
    assert found["../evil"] == copies / "copy0"
    assert found["/abs"] == copies / "copy1"
    for name in ("link", "device"):
        assert found[name] == f"{path}({name}): is no regular file in the archive but a link or device"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.tar", "copies"]


def test_what_is_not_there_is_said_of_each(tmp_path: Path) -> None:
    """Every wanted name gets an answer."""
    path = _archive(tmp_path / "a.tar", ("x", b"1"))
    assert _copied(path, tmp_path, "z", "y", "x")[1:] == [
        ("y", f"{path}(y): it holds no such file"),
        ("z", f"{path}(z): it holds no such file"),
    ]


def test_a_cut_archive_gives_what_is_before_the_cut(tmp_path: Path) -> None:
    """The others say that it has to be got again."""
    members = [(name, os.urandom(60_000)) for name in "abc"]
    path = _archive(tmp_path / "a.tar.gz", *members, mode="w:gz")
    path.write_bytes(path.read_bytes()[:100_000])
    found = _copied(path, tmp_path / "copies", "a", "b", "c")
    assert found[0] == ("a", tmp_path / "copies" / "copy0")
    assert (tmp_path / "copies" / "copy0").read_bytes() == members[0][1]
    for name, sentence in found[1:]:
        assert str(sentence).startswith(f"{path}({name}): the archive cannot be unpacked as far as this (")


@pytest.mark.parametrize("data", [b"", b"no archive", b"\x1f\x8b nonsense"])
def test_what_is_no_archive_is_said_of_each(tmp_path: Path, data: bytes) -> None:
    """Also of an empty file."""
    (tmp_path / "a.tar").write_bytes(data)
    ((name, sentence),) = _copied(tmp_path / "a.tar", tmp_path, "x")
    assert name == "x"
    assert str(sentence).startswith(f"{tmp_path}/a.tar(x): ")


def test_a_copy_that_cannot_be_written_is_no_fault_of_the_archive(tmp_path: Path) -> None:
    """The system's error comes as it is."""
    path = _archive(tmp_path / "a.tar", ("x", b"1"))
    with pytest.raises(FileNotFoundError):
        list(copied_members(path, ["x"], lambda member: tmp_path / "none" / member))
