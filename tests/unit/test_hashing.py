"""Claims about hashes of files: unchanged files are not read again, and what changed is seen."""

import errno
import hashlib
import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from pytest_asrgate import hashing
from pytest_asrgate.errors import StoreError
from pytest_asrgate.hashing import FileHashes, combined_sha256, file_sha256
from pytest_asrgate.store import Store

# Well before the moment of hashing, so that a file of this time is remembered; in ns.
LONG_AGO = time.time_ns() - 3_600_000_000_000


def _written(path: Path, content: bytes, modified: int = LONG_AGO) -> Path:
    path.write_bytes(content)
    os.utime(path, ns=(modified, modified))
    return path


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _forged(path: Path, target: Path, digest: str = "f" * 64) -> None:
    """Put another hash into the store's memory of a file, as if its content had changed behind all its stamps."""
    connection = sqlite3.connect(path)
    changed = connection.execute(
        "UPDATE files SET sha256 = ? WHERE path = ?", (digest, os.fsencode(target))
    ).rowcount
    connection.commit()
    connection.close()
    assert changed == 1


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The path of a store in a folder of its own."""
    return tmp_path / "state" / "store.sqlite"


def _hash(store: Path, *paths: Path, rehash: bool = False) -> list[str | OSError]:
    """Hash files as one session does that opens the store anew."""
    with Store(store) as opened:
        return FileHashes(lambda: opened, rehash=rehash).each(paths)


def test_an_unchanged_file_is_not_read_again(tmp_path: Path, store: Path) -> None:
    """The second session takes the hash from the store, even a forged one, which only reading would correct."""
    clip = _written(tmp_path / "a.wav", b"one")
    assert _hash(store, clip) == [_sha(b"one")]
    _forged(store, clip)
    assert _hash(store, clip) == ["f" * 64]


def test_without_a_memory_every_file_is_read(tmp_path: Path) -> None:
    """What has no store reads a file each time, and so sees what no stamp shows."""
    clip = _written(tmp_path / "a.wav", b"one")
    hashes = FileHashes()
    assert hashes.sha256(clip) == _sha(b"one")
    _written(clip, b"two")
    assert hashes.sha256(clip) == _sha(b"two")


def test_changed_content_with_another_time_is_seen(tmp_path: Path, store: Path) -> None:
    """A file of the same size that was written later is read again."""
    clip = _written(tmp_path / "a.wav", b"one")
    _hash(store, clip)
    _written(clip, b"two", LONG_AGO + 1)
    assert _hash(store, clip) == [_sha(b"two")]


def test_another_size_is_seen(tmp_path: Path, store: Path) -> None:
    """A file of another size is read again, whatever its time says."""
    clip = _written(tmp_path / "a.wav", b"one")
    _hash(store, clip)
    _written(clip, b"three")
    assert _hash(store, clip) == [_sha(b"three")]


def test_another_file_in_its_place_is_seen(tmp_path: Path, store: Path) -> None:
    """A file that was moved over another one has the same name, size and time, and another inode."""
    clip = _written(tmp_path / "a.wav", b"one")
    _hash(store, clip)
    _written(tmp_path / "b.wav", b"two").replace(clip)
    assert clip.stat().st_mtime_ns == LONG_AGO
    assert _hash(store, clip) == [_sha(b"two")]


def test_a_time_that_was_set_back_is_seen(tmp_path: Path, store: Path) -> None:
    """Content changed in place, with size, inode and modification time as before: the inode's own time tells."""
    clip = _written(tmp_path / "a.wav", b"one")
    _hash(store, clip)
    time.sleep(0.02)  # longer than a tick of the file system's clock
    _written(clip, b"two")
    assert _hash(store, clip) == [_sha(b"two")]


def test_a_link_to_another_file_is_seen(tmp_path: Path, store: Path) -> None:
    """A link is known by what it leads to."""
    one, two = _written(tmp_path / "one", b"one"), _written(tmp_path / "two", b"two")
    link = tmp_path / "link"
    link.symlink_to(one)
    assert _hash(store, link) == [_sha(b"one")]
    link.unlink()
    link.symlink_to(two)
    assert _hash(store, link) == [_sha(b"two")]


def test_rehash_sees_what_the_memory_misses(tmp_path: Path, store: Path) -> None:
    """With rehash a wrong memory is not believed, and it is right afterwards."""
    clip = _written(tmp_path / "a.wav", b"one")
    _hash(store, clip)
    _forged(store, clip)
    assert _hash(store, clip, rehash=True) == [_sha(b"one")]
    assert _hash(store, clip) == [_sha(b"one")]


@pytest.mark.parametrize("age_ns", [0, 1_500_000_000, 8_000_000_000, -3_600_000_000_000])
def test_a_file_just_written_is_not_remembered(tmp_path: Path, store: Path, age_ns: int) -> None:
    """Whoever writes again within one tick leaves no trace, so a fresh file, or one of the future, is read."""
    clip = _written(tmp_path / "a.wav", b"one", time.time_ns() - age_ns)
    _hash(store, clip)
    with Store(store) as opened:
        assert opened.find_hashes([os.fsencode(clip)]) == {}
        hashes = FileHashes(lambda: opened)
        modified = clip.stat().st_mtime_ns
        assert hashes.sha256(clip) == _sha(b"one")
        _written(clip, b"two", modified)
        assert hashes.sha256(clip) == _sha(b"two")


def test_a_file_that_changes_while_it_is_read_is_not_remembered(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hash of a file that grew meanwhile is of no state that it ever had."""
    clip = _written(tmp_path / "a.wav", b"one")
    digest = hashlib.file_digest

    def slow(file: object, name: str) -> object:
        found = digest(file, name)  # type: ignore[type-var] # whatever file_digest takes
        _written(clip, b"another")
        return found

    monkeypatch.setattr("pytest_asrgate.hashing.hashlib.file_digest", slow)
    _hash(store, clip)
    with Store(store) as opened:
        assert opened.find_hashes([os.fsencode(clip)]) == {}


@pytest.mark.parametrize("digest", ["", "e" * 63, "E" * 64, "x" * 64])
def test_a_damaged_memory_is_not_used(tmp_path: Path, store: Path, digest: str) -> None:
    """What is no SHA-256 is not taken for one; the file is read."""
    clip = _written(tmp_path / "a.wav", b"one")
    _hash(store, clip)
    _forged(store, clip, digest)
    assert _hash(store, clip) == [_sha(b"one")]


def test_a_session_reads_a_file_once_also_with_rehash(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The libraries of an engine, which all variants share, are not read for each of them."""
    clip = _written(tmp_path / "a.wav", b"one")
    read: list[str] = []
    digest = hashlib.file_digest

    def counting(file: object, name: str) -> object:
        read.append(name)
        return digest(file, name)  # type: ignore[type-var] # whatever file_digest takes

    monkeypatch.setattr("pytest_asrgate.hashing.hashlib.file_digest", counting)
    with Store(store) as opened:
        hashes = FileHashes(lambda: opened, rehash=True)
        assert hashes.sha256(clip) == hashes.sha256(clip) == _sha(b"one")
    assert len(read) == 1


@pytest.mark.parametrize("rehash", [False, True])
def test_another_thread_hashes_without_the_store(tmp_path: Path, store: Path, *, rehash: bool) -> None:
    """A shard's thread, to which the store does not belong, has what is at hand and reads what is not."""
    old, new = _written(tmp_path / "old", b"one"), _written(tmp_path / "new", b"two", time.time_ns())
    with Store(store) as opened, ThreadPoolExecutor(1) as thread:
        hashes = FileHashes(lambda: opened, rehash=rehash)
        assert hashes.sha256(old) == _sha(b"one")
        _forged(store, old)
        other = _written(tmp_path / "other", b"three")
        found = thread.submit(hashes.each, [old, new, other]).result()
        assert found == [_sha(b"one"), _sha(b"two"), _sha(b"three")]
        assert opened.find_hashes([os.fsencode(other)]) == {}


def test_what_cannot_be_read_stands_in_its_place(tmp_path: Path, store: Path) -> None:
    """An absent file costs only itself, also where it was hashed before."""
    here, gone = _written(tmp_path / "here", b"one"), _written(tmp_path / "gone", b"two")
    _hash(store, here, gone)
    gone.unlink()
    found, lost = _hash(store, here, gone)
    assert found == _sha(b"one")
    assert isinstance(lost, OSError)
    assert lost.errno == errno.ENOENT
    with Store(store) as opened, pytest.raises(FileNotFoundError):
        FileHashes(lambda: opened).sha256(gone)


def test_more_files_than_are_looked_up_at_once(tmp_path: Path, store: Path) -> None:
    """2,001 files keep their order, are all remembered, and a second session finds them."""
    paths = [_written(tmp_path / f"{number}", f"{number}".encode()) for number in range(2001)]
    expected = [_sha(f"{number}".encode()) for number in range(2001)]
    assert _hash(store, *paths) == expected
    with Store(store) as opened:
        assert len(opened.find_hashes([os.fsencode(path) for path in paths])) == 2001
        assert FileHashes(lambda: opened).each(paths) == expected


def test_a_name_that_is_no_text_is_remembered(tmp_path: Path, store: Path) -> None:
    """A file whose name is not UTF-8 is a file like others."""
    clip = _written(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.wav")), b"one")
    assert _hash(store, clip) == [_sha(b"one")]
    _forged(store, clip)
    assert _hash(store, clip) == ["f" * 64]


def test_combined_hashes_are_those_without_a_memory(tmp_path: Path, store: Path) -> None:
    """A fingerprint does not depend on whether anything was remembered."""
    paths = [_written(tmp_path / name, name.encode()) for name in ("b.so", "a.so")]
    with Store(store) as opened:
        first = FileHashes(lambda: opened).combined(paths)
        again = FileHashes(lambda: opened).combined(iter(paths))
    assert first == again == combined_sha256(paths)
    assert file_sha256(paths[0]) == _sha(b"b.so")


class Failing:
    """A store's memory that counts how often it is asked, and fails where the store does."""

    def __init__(self, store: Store) -> None:
        self._store, self.asked = store, 0

    def find_hashes(self, paths: Sequence[bytes]) -> Mapping[bytes, tuple[str, str]]:
        """As the store's."""
        self.asked += 1
        return self._store.find_hashes(paths)

    def keep_hashes(self, rows: Sequence[tuple[bytes, str, str]]) -> None:
        """As the store's."""
        self.asked += 1
        self._store.keep_hashes(rows)


@pytest.mark.parametrize("readable", [False, True])
def test_a_memory_that_fails_is_left_alone(tmp_path: Path, store: Path, *, readable: bool) -> None:
    """A damaged or full store costs no hash: files are read, and the store is not asked again."""
    one, two = _written(tmp_path / "one", b"one"), _written(tmp_path / "two", b"two")
    with Store(store) as opened:
        opened._connection.execute("DROP TABLE files")
        if readable:
            opened._connection.execute("CREATE VIEW files AS SELECT x'' path, '' stamp, '' sha256")
        memory = Failing(opened)
        hashes = FileHashes(lambda: memory)
        assert hashes.each([one, two]) == [_sha(b"one"), _sha(b"two")]
        assert hashes.sha256(_written(tmp_path / "three", b"three")) == _sha(b"three")
        assert hashes.each([one, two]) == [_sha(b"one"), _sha(b"two")]
    assert memory.asked == (2 if readable else 1)


@pytest.mark.parametrize("rehash", [False, True])
def test_a_store_that_cannot_be_opened_says_so_before_anything_is_read(tmp_path: Path, *, rehash: bool) -> None:
    """Whoever hashes needs the store for what follows: its error comes first, not after hours of reading."""
    (tmp_path / "store.sqlite").mkdir()
    # Absent, so that to read it first would be another error.
    with pytest.raises(StoreError):
        FileHashes(lambda: Store(tmp_path / "store.sqlite"), rehash=rehash).sha256(tmp_path / "a.wav")


@pytest.mark.parametrize("part", ["st_size", "st_mtime_ns", "st_ctime_ns", "st_dev", "st_ino"])
def test_each_part_of_a_stamp_counts(tmp_path: Path, part: str) -> None:
    """Two files that differ in nothing else, as two that were written within one tick do, have two stamps."""
    found = _written(tmp_path / "a.wav", b"one").stat()
    same = {name: getattr(found, name) for name in dir(found) if name.startswith("st_")}
    other = SimpleNamespace(**same | {part: same[part] + 1})
    assert hashing._stamp(cast("os.stat_result", SimpleNamespace(**same))) == hashing._stamp(found)
    assert hashing._stamp(cast("os.stat_result", other)) != hashing._stamp(found)
