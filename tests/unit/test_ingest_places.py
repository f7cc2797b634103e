"""Claims about where sounds and manifest may go: not into what is read, and where a gate takes them."""

import os
from pathlib import Path

import pytest

from pytest_asrgate.corpora.corpus import Corpus
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.ingest.places import check_places, held, relative_audio

from .ingests import clip, wave


def _refusal(root: Path, folder: str, manifest: str, *read: str, source: str = "corpus") -> str:
    corpus = Corpus((clip("a", wave(root / "corpus" / "a.wav"), place=f"{root}/corpus/text:12"),))
    (root / "corpus" / "text").touch()
    with pytest.raises(DatasetError) as caught:
        check_places(root / source, [root / name for name in read], root / folder, root / manifest, corpus)
    return str(caught.value).replace(f"{root}/", "")


def test_a_manifest_names_its_sounds_from_its_own_folder(tmp_path: Path) -> None:
    """In it or below it, whether or not it is there yet, and by forward slashes."""
    assert relative_audio(tmp_path / "a", tmp_path / "a" / "m.jsonl") == ""
    assert relative_audio(tmp_path / "a" / "b" / "c", tmp_path / "a" / "m.jsonl") == "b/c/"
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert relative_audio(tmp_path / "link" / "b", tmp_path / "a" / "m.jsonl") == "b/"


def test_sounds_beside_the_manifest_are_refused_with_what_would_be_right(tmp_path: Path) -> None:
    """Its paths would climb."""
    assert _refusal(tmp_path, "sounds/wav", "lists/m.jsonl") == (
        "--out-dir sounds/wav: must be in the folder of the manifest or below it, which is lists, since a manifest "
        "names its sounds from there; a manifest sounds/m.jsonl would be right"
    )


def test_nothing_is_written_into_the_corpus(tmp_path: Path) -> None:
    """Its sounds would be found there the next time; also by a link, and in the other folders that are read."""
    sentence = "is in the corpus (corpus), where its sounds would be taken for a part of it"
    assert sentence in _refusal(tmp_path, "corpus", "m.jsonl")
    assert sentence in _refusal(tmp_path, "corpus/wav/x", "m.jsonl")
    (tmp_path / "link").symlink_to("corpus")
    assert sentence in _refusal(tmp_path, "link/x", "m.jsonl")
    (tmp_path / "clips").mkdir()
    assert "is in the corpus (clips)" in _refusal(tmp_path, "clips/x", "m.jsonl", "clips", source="corpus/text")


@pytest.mark.parametrize("manifest", ["corpus/text", "corpus/a.wav", "corpus/table", "list"])
def test_the_manifest_is_no_file_of_the_corpus(tmp_path: Path, manifest: str) -> None:
    """A transcript, a sound, the table itself, or another file that is read."""
    read = ("list",) if manifest == "list" else ()
    folder = "out" if manifest == "list" else "corpus/out"
    found = _refusal(tmp_path, folder, manifest, *read, source="corpus/table")
    assert found == f"--manifest {manifest}: is a file of the corpus; give it another name"


@pytest.mark.parametrize("name", [".asrgate-ingest.jsonl", ".asrgate-ingest.lock", ".u1.wav.asrgate-0123abcd"])
def test_the_manifest_has_no_name_of_ours(tmp_path: Path, name: str) -> None:
    """Neither journal nor lock nor what a sound is begun as may be written over."""
    assert "is a name that asrgate ingest keeps for itself" in _refusal(tmp_path, "out", f"out/{name}")


@pytest.mark.parametrize(
    ("paths", "option"),
    [
        (("out", "m.jsonl", "clips", "L\udcff"), "SOURCE"),
        (("L\udcff/out", "L\udcff/m.jsonl", "clips", "corpus"), "--out-dir"),
        (("out", "m\udcff.jsonl", "clips", "corpus"), "--manifest"),
        (("out", "m.jsonl", "clips\udcff", "corpus"), "the corpus"),
    ],
)
def test_a_place_whose_name_is_no_utf8_is_refused_as_a_whole(
    tmp_path: Path, paths: tuple[str, str, str, str], option: str
) -> None:
    """No manifest and no message could name its sounds."""
    folder, manifest, read, source = paths
    found = _refusal(tmp_path, folder, manifest, read, source=source)
    assert found.startswith(f"{option} ")
    assert found.endswith(": its path is not UTF-8; rename what is not, or give another")


def test_what_is_there_and_no_manifest_stays(tmp_path: Path) -> None:
    """A wrong name must not cost somebody a file."""
    for text in ("[gate]\n", "{}\n", '{"id": "a"}\n', "\n\n[1]\n", "\x00"):
        (tmp_path / "gate.toml").write_text(text)
        assert "gate.toml: is there and no manifest; remove it" in _refusal(tmp_path, "out", "gate.toml")
    (tmp_path / "folder").mkdir()
    assert "--manifest folder: is a folder" in _refusal(tmp_path, "out", "folder")
    os.mkfifo(tmp_path / "pipe")
    assert "--manifest pipe: is there and no manifest" in _refusal(tmp_path, "out", "pipe")
    (tmp_path / "file").touch()
    assert "--out-dir file: is no folder" in _refusal(tmp_path, "file", "m.jsonl")


@pytest.mark.parametrize("text", ["", '\ufeff{"id": "a", "audio": "b"}\n', '\n{"id": "a", "audio": "b"}\n{'])
def test_a_manifest_that_is_there_may_be_written_anew(tmp_path: Path, text: str) -> None:
    """Its first row tells."""
    (tmp_path / "m.jsonl").write_text(text, encoding="utf-8")
    check_places(tmp_path / "corpus", [], tmp_path / "out", tmp_path / "m.jsonl", Corpus(()))


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    """The second says so at once, and may begin when the first has ended."""
    with (
        held(tmp_path / "new" / "out"),
        pytest.raises(DatasetError, match="another asrgate ingest writes into it"),
        held(tmp_path / "new" / "out"),
    ):
        pass
    with held(tmp_path / "new" / "out"):
        pass


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    """With what the system says."""
    (tmp_path / "file").touch()
    with (
        pytest.raises(DatasetError, match=r"--out-dir .*file/out: cannot be used \("),
        held(tmp_path / "file" / "out"),
    ):
        pass
