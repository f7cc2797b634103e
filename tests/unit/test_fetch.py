"""A worker's files: the same bytes as the controller's, or one sentence."""

import hashlib
from pathlib import Path

import pytest

from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.executors.fetch import local_file

fsspec = pytest.importorskip("fsspec")
RIGHT = hashlib.sha256(b"right").hexdigest()
WRONG = hashlib.sha256(b"wrong").hexdigest()


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_file_that_is_the_same_is_used_where_it_is(tmp_path: Path) -> None:
    """Nothing is copied."""
    path = tmp_path / "model.bin"
    path.write_bytes(b"right")
    assert local_file(str(path), "model.bin", RIGHT, lambda: tmp_path / "cache") == path
    assert _files(tmp_path) == [path]


def test_another_file_is_refused_with_both_hashes(tmp_path: Path) -> None:
    """The sentence names the place, what is there, and what the gate has."""
    path = tmp_path / "model.bin"
    path.write_bytes(b"wrong")
    with pytest.raises(TranscriberError) as refused:
        local_file(str(path), "model.bin", RIGHT)
    assert all(part in str(refused.value) for part in (str(path), RIGHT, WRONG))


def test_an_absent_file_is_one_sentence(tmp_path: Path) -> None:
    """It names the path and the reason."""
    with pytest.raises(TranscriberError, match=r"absent\.bin cannot be read \(No such file"):
        local_file(str(tmp_path / "absent.bin"), "absent.bin", RIGHT)


def test_a_url_is_fetched_once_into_a_file_of_its_own_name(tmp_path: Path) -> None:
    """The second time nothing is asked of the storage."""
    with fsspec.open("memory://once/model.bin", "wb") as file:
        file.write(b"right")
    cache = tmp_path / "cache"
    first = local_file("memory://once/model.bin", "tiny model.bin", RIGHT, lambda: cache)
    assert (first.name, first.read_bytes()) == ("tiny model.bin", b"right")
    fsspec.filesystem("memory").rm("once/model.bin")
    assert local_file("memory://once/model.bin", "tiny model.bin", RIGHT, lambda: cache) == first
    assert _files(cache) == [first]


def test_a_fetched_file_that_was_damaged_is_fetched_again(tmp_path: Path) -> None:
    """Its bytes are checked each time."""
    source = tmp_path / "source.bin"
    source.write_bytes(b"right")
    cache = tmp_path / "cache"
    found = local_file(source.as_uri(), "a.bin", RIGHT, lambda: cache)
    found.write_bytes(b"cut")
    assert local_file(source.as_uri(), "a.bin", RIGHT, lambda: cache).read_bytes() == b"right"


def test_a_url_that_gives_another_file_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    """Neither under the right name nor under a temporary one."""
    source = tmp_path / "source.bin"
    source.write_bytes(b"wrong")
    cache = tmp_path / "cache"
    with pytest.raises(TranscriberError) as refused:
        local_file(source.as_uri(), "a.bin", RIGHT, lambda: cache)
    assert all(part in str(refused.value) for part in (source.as_uri(), RIGHT, WRONG))
    assert _files(cache) == []


@pytest.mark.parametrize("name", ["a::b.wav", "a*[0]?.wav", "a#b%20.wav"])
def test_signs_in_a_name_are_part_of_it(tmp_path: Path, name: str) -> None:
    """None of them chains, or is a pattern."""
    (tmp_path / name).write_bytes(b"right")
    found = local_file(f"file://{tmp_path}/{name}", name, RIGHT, lambda: tmp_path / "cache")
    assert (found.name, found.read_bytes()) == (name, b"right")


@pytest.mark.parametrize("url", ["memory://nowhere/a.bin", "no-such-scheme://a.bin"])
def test_a_url_that_cannot_be_fetched_is_one_sentence(tmp_path: Path, url: str) -> None:
    """Whatever the storage raises."""
    with pytest.raises(TranscriberError, match=f"{url} cannot be fetched"):
        local_file(url, "a.bin", RIGHT, lambda: tmp_path / "cache")
    assert _files(tmp_path) == []
