"""Claims about a folder that was used before: nobody's file is lost, and what no longer fits is told."""

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.corpora.corpus import Corpus
from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.hashing import file_sha256
from pytest_asrgate.ingest import ingest as module
from pytest_asrgate.ingest.ingest import Plan

from .ingests import NOTHING, clip, corpus_of, noise, plan, refusal, rows_of, sounds_of, take, wave


def test_files_of_others_are_never_written_over(tmp_path: Path) -> None:
    """One that was there before, one behind a link, and that of another corpus with the same ids."""
    order = plan(tmp_path)
    order.folder.mkdir(parents=True)
    (order.folder / "u0.wav").write_bytes(b"mine")
    (tmp_path / "elsewhere").write_bytes(b"precious")
    (order.folder / "u1.wav").symlink_to(tmp_path / "elsewhere")
    corpus = corpus_of(tmp_path / "corpus")
    assert refusal(corpus, order).replace(f"{tmp_path}/", "") == (
        "2 files in out/sounds would be written over: out/sounds/u0.wav was not made by asrgate ingest, "
        "out/sounds/u1.wav was not made by asrgate ingest; remove what is not needed or give another --out-dir; "
        "nothing was written"
    )
    assert not order.manifest.exists()
    assert (order.folder / "u0.wav").read_bytes() == b"mine"
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert (order.folder / "u1.wav").is_symlink()
    (order.folder / "u0.wav").unlink()
    (order.folder / "u1.wav").unlink()
    assert (take(corpus, order).written, len(rows_of(order))) == (3, 3)
    before = sounds_of(order.folder)
    other = replace(corpus, clips=(clip("u0", wave(tmp_path / "other" / "0.wav", noise(0.1, 77)), language="en"),))
    assert f"u0.wav was made of {tmp_path}/corpus/0.wav; remove" in refusal(other, order)
    assert sounds_of(order.folder) == before


@pytest.mark.parametrize("kind", ["text", "link", "folder", "flac"])
def test_a_look_at_the_folder_refuses_before_anything_is_decoded(tmp_path: Path, kind: str) -> None:
    """What can be no sound of ours needs no comparing."""
    order = plan(tmp_path, limits=NOTHING)
    target = order.folder / "u1.wav"
    target.parent.mkdir(parents=True)
    if kind == "text":
        target.write_text("RIFFRAFF")
    elif kind == "link":
        target.symlink_to("nowhere")
    elif kind == "folder":
        target.mkdir()
    else:
        wave(tmp_path / "a.flac").rename(target)
    found = refusal(corpus_of(tmp_path / "corpus"), order)
    assert found.startswith(f"1 file in {order.folder} would be written over: {target} was not made by asrgate")
    assert found.endswith("; nothing was written")


def test_what_has_to_be_compared_is_compared_first(tmp_path: Path) -> None:
    """A sound of somebody else under the last name: nothing is written of those before it."""
    order = plan(tmp_path)
    mine = wave(order.folder / "u2.wav", noise(0.1, 99))
    same = wave(order.folder / "u1.wav", noise(0.1, 1))
    before = {path.name: path.read_bytes() for path in (mine, same)}
    found = refusal(corpus_of(tmp_path / "corpus"), order)
    assert found.startswith(f"1 file in {order.folder} would be written over: {mine} was not made by asrgate")
    assert found.endswith("; nothing was written")
    assert sounds_of(order.folder) == before
    mine.unlink()
    done = take(corpus_of(tmp_path / "corpus"), order)
    assert (done.written, done.there) == (2, 1)


UNFIT = "; the manifest that is there does not fit any more: 1 of its sounds was replaced"


def _replaced(root: Path, order: Plan) -> Corpus:
    """A corpus that was taken in and of which one sound is another now."""
    corpus = corpus_of(root / "corpus")
    take(corpus, order)
    wave(root / "corpus" / "0.wav", noise(0.1, 50))
    return corpus


def test_a_manifest_that_does_not_fit_any_more_is_told(tmp_path: Path) -> None:
    """Sounds were replaced, then something could not be read; it is true also when it is tried again."""
    order = plan(tmp_path)
    corpus = _replaced(tmp_path, order)
    old = rows_of(order)
    (tmp_path / "corpus" / "1.wav").write_bytes(b"")
    for _ in range(2):
        assert refusal(corpus, order).endswith(f"and there is no new manifest{UNFIT}")
    assert rows_of(order) == old
    assert old[0]["audio_sha256"] != file_sha256(order.folder / "u0.wav")
    wave(tmp_path / "corpus" / "2.wav", noise(0.1, 51))
    with pytest.raises(TranscriberError) as caught:
        take(corpus, replace(order, limits=NOTHING))
    assert str(caught.value).endswith(UNFIT)


def test_a_manifest_that_cannot_be_written_may_not_fit_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All sounds are there, and the disk is full for the last file."""
    order = plan(tmp_path)
    corpus = _replaced(tmp_path, order)

    def full(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "write_atomically", full)
    found = refusal(corpus, order)
    assert "m.jsonl: the manifest cannot be written (No space left on device)" in found
    assert found.endswith(UNFIT)


def test_a_sound_that_is_as_it_was_again_leaves_the_manifest_right(tmp_path: Path) -> None:
    """A damaged one was written again; so it is with one that is gone and cannot be made."""
    order = plan(tmp_path)
    corpus = corpus_of(tmp_path / "corpus")
    take(corpus, order)
    (order.folder / "u0.wav").write_bytes(b"damaged")
    (order.folder / "u1.wav").unlink()
    (tmp_path / "corpus" / "1.wav").write_bytes(b"")
    assert refusal(corpus, order).endswith("and there is no new manifest")


def test_sounds_of_other_runs_are_counted(tmp_path: Path) -> None:
    """Those of an earlier sample or format stay, and nobody has to wonder."""
    corpus = corpus_of(tmp_path / "corpus", 5)
    assert take(corpus, plan(tmp_path)).others == 0
    assert take(corpus, plan(tmp_path, sample=2)).others == 3
    assert take(corpus, plan(tmp_path, format="flac")).others == 5
    (tmp_path / "corpus" / "0.wav").write_bytes(b"")
    assert take(corpus, plan(tmp_path, format="flac", unreadable="skip")).others == 6
