"""Files that must stay what they were when they were hashed."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pytest_asrgate.errors import AudioError, ReplacedFileError
from pytest_asrgate.hashing import FileHashes, combined_sha256, file_sha256
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers import waves
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.sounds import WatchedAudio
from pytest_asrgate.transcribers.watched import EngineFiles, WatchedFiles, difference
from pytest_asrgate.transcribers.waves import as_wave


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A file."""
    path = tmp_path / "model.gguf"
    path.write_bytes(b"one")
    return path


def _in_place(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _by_name(path: Path, content: bytes) -> None:
    path.with_name("fresh").write_bytes(content)
    path.with_name("fresh").replace(path)


def _with_old_times(path: Path, content: bytes) -> None:
    before = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("change", [_in_place, _by_name, _with_old_times])
def test_other_bytes_are_seen(model: Path, change: Callable[[Path, bytes], None]) -> None:
    """However they come, also of the same size and with the old modification time; the sentence has both hashes."""
    watched = WatchedFiles(FileHashes())
    before = watched.sha256(model)
    watched.check()
    change(model, b"two")
    with pytest.raises(ReplacedFileError) as caught:
        watched.check()
    assert str(caught.value).startswith(
        f"{model} was replaced during the run: its SHA-256 was {before}, and now is {file_sha256(model)}; "
    )


@pytest.mark.parametrize("change", [_in_place, _by_name])
def test_the_same_bytes_are_no_change(model: Path, change: Callable[[Path, bytes], None]) -> None:
    """Nor is a file that has gone: who has it open has it."""
    watched = WatchedFiles(FileHashes())
    watched.sha256(model)
    change(model, b"one")
    watched.check()
    model.unlink()
    watched.check()


def test_what_is_written_while_it_is_read_is_seen(model: Path) -> None:
    """The stamp is of the time before the hash, so whatever of the two was hashed, no later one passes for it."""

    class Slow(FileHashes):
        def each(self, paths: list[Path]) -> list[str | OSError]:  # type: ignore[override] # takes what it gets
            found = super().each(paths)
            model.write_bytes(b"two")
            return found

    watched = WatchedFiles(Slow())
    watched.sha256(model)
    with pytest.raises(ReplacedFileError):
        watched.check()


def test_hashes_are_those_of_the_store(model: Path, tmp_path: Path) -> None:
    """So fingerprints of earlier runs stay what they are."""
    other = tmp_path / "lib.so"
    other.write_bytes(b"code")
    watched = WatchedFiles(FileHashes())
    assert watched.combined([model, other]) == combined_sha256([model, other])
    assert watched.hashes() == {str(path): file_sha256(path) for path in (model, other)}


def _engine(model: Path, provenance: dict[str, object] | None = None) -> EngineFiles:
    stamps = provenance if provenance is not None else {}
    return EngineFiles(
        FileHashes(), lambda files: Identity(f"{files.sha256(model)} {stamps.get('version')}", {**stamps})
    )


def test_start_and_load_are_checked(model: Path) -> None:
    """A process that starts as another engine is refused, and so is a load during which anything was written."""
    engine = _engine(model)
    identity = engine.identity()
    assert dict(identity.files) == {str(model): file_sha256(model)}
    engine.check_start()
    engine.check_loaded()
    # The same bytes: whoever loaded between may have seen others.
    _by_name(model, b"one")
    with pytest.raises(ReplacedFileError, match="was written to while the engine loaded it"):
        engine.check_loaded()
    engine.check_start()
    engine.check_loaded()
    _by_name(model, b"two")
    with pytest.raises(ReplacedFileError, match="was replaced during the run"):
        engine.check_start()
    assert engine.identity() is identity


def test_a_changed_inode_is_no_written_file(model: Path) -> None:
    """While it loads: `chmod` and another link leave the bytes; old times over other bytes do not pass for that."""
    engine = _engine(model)
    engine.check_start()
    model.chmod(0o600)
    os.link(model, model.with_name("link"))
    engine.check_loaded()
    _with_old_times(model, b"two")
    with pytest.raises(ReplacedFileError, match="was replaced during the run"):
        engine.check_loaded()


def test_a_file_that_is_gone_cannot_be_started(model: Path) -> None:
    """One sentence names it."""
    engine = _engine(model)
    engine.identity()
    model.unlink()
    engine.check()
    with pytest.raises(ReplacedFileError, match=r"model\.gguf cannot be read any more \(No such file"):
        engine.check_start()


def test_another_version_is_another_engine(model: Path) -> None:
    """A package of another version, over the same files."""
    stamps: dict[str, object] = {"version": "1.0"}
    engine = _engine(model, stamps)
    engine.identity()
    stamps["version"] = "2.0"
    with pytest.raises(ReplacedFileError, match=r"replaced during the run: its version was 1\.0, and now is 2\.0"):
        engine.check_start()


def test_files_that_come_and_go_are_a_difference() -> None:
    """Each is named; identities that differ in nothing told give no sentence."""
    both = Identity("a", {}, files={"/lib.so": "1"})
    assert difference(both, replace(both, fingerprint="b")) == ""
    assert difference(both, replace(both, files={})).startswith("/lib.so has gone during the run; ")
    assert difference(replace(both, files={}), both).startswith("/lib.so has come during the run; ")


ROW = Hypothesis("u1", "text")


def test_a_row_of_changed_audio_is_an_error_row(tmp_path: Path) -> None:
    """Also where it was another file already when its decoding began, and where it went away; others pass."""
    clips = [Utterance(f"u{n}", tmp_path / f"{n}.wav", "") for n in range(4)]
    for clip in clips:
        clip.audio.write_bytes(clip.id.encode())
    hashes = {clip.audio: file_sha256(clip.audio) for clip in clips}
    clips[0].audio.write_bytes(b"other")
    watched = WatchedAudio(FileHashes(), hashes)
    _by_name(clips[1].audio, b"u1")
    clips[2].audio.unlink()
    rows = [watched.checked(clip, ROW) for clip in clips]
    assert [row.status for row in rows] == [RowStatus.ERROR, RowStatus.OK, RowStatus.ERROR, RowStatus.OK]
    assert "was replaced during the run" in rows[0].detail
    assert "went away while it was decoded (No such file or directory)" in rows[2].detail
    # What it was once is not what it is: nobody knows when it was read.
    clips[0].audio.write_bytes(b"u0")
    assert watched.checked(clips[0], ROW).status is RowStatus.ERROR


def test_converted_audio_has_the_name_of_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clip that becomes another one between its reading and its hash leaves no copy under the wrong name."""
    clip, other = tmp_path / "clip.flac", tmp_path / "other.flac"
    for path, level in ((clip, 0.1), (other, 0.2)):
        soundfile.write(path, np.full(1600, level), 16_000)
    read = waves.read_audio

    def read_and_replace(path: Path) -> object:
        samples = read(path)
        shutil.copy(other, path)
        return samples

    monkeypatch.setattr(waves, "read_audio", read_and_replace)
    with pytest.raises(AudioError, match="was written to while it was read"):
        as_wave(clip, tmp_path / "state")
    assert not (tmp_path / "state").exists()
