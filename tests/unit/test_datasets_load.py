"""Claims about a dataset that is ready to be transcribed."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.config import Recipe, Thresholds
from pytest_asrgate.datasets.load import hash_audio, load_dataset
from pytest_asrgate.datasets.manifest import manifest_digest
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import Utterance

from .builders import dataset, loaded, utterances, write_lines

ROW = {"id": "u1", "audio": "a.wav", "ref_text": "one cat"}


def test_a_loaded_dataset_has_all_its_parts(tmp_path: Path) -> None:
    """Rows, their languages sorted and once each, the digest, speakers and note are there."""
    rows = [ROW | {"speaker": "ann"}, ROW | {"id": "u2", "speaker": "bob", "language": "en-GB"}]
    path = write_lines(tmp_path / "m.jsonl", *rows, ROW | {"id": "u3", "speaker": "ann"})
    found = load_dataset(dataset(manifest=path), Recipe())
    assert [row.id for row in found.utterances] == ["u1", "u2", "u3"]
    assert found.languages == ("en",)
    assert found.digest == manifest_digest(found.utterances)
    assert found.speakers == ("ann", "bob", "ann")
    assert found.speakers_note.startswith("2 speakers")


def test_the_recipe_may_force_a_language(tmp_path: Path) -> None:
    """A language in the recipe stands above the dataset's."""
    path = write_lines(tmp_path / "m.jsonl", ROW)
    found = load_dataset(dataset(manifest=path, language="en"), Recipe(language="de"))
    assert found.languages == ("de",)


def test_a_row_without_language_is_refused(tmp_path: Path) -> None:
    """No language is guessed: the row and the key that would give one are named."""
    path = write_lines(tmp_path / "m.jsonl", ROW | {"id": "u0", "language": "en"}, ROW)
    with pytest.raises(DatasetError) as caught:
        load_dataset(dataset(manifest=path, language=None), Recipe())
    assert str(caught.value).startswith(f"{path}:2 (u1): has no language")
    assert "dataset.prompts.language" in str(caught.value)


def test_a_speaker_fault_names_the_key(tmp_path: Path) -> None:
    """What is wrong with the speakers is told under the dataset's key."""
    path = write_lines(tmp_path / "m.jsonl", ROW | {"speaker": "ann"}, ROW | {"id": "u2"})
    with pytest.raises(DatasetError) as caught:
        load_dataset(dataset(manifest=path), Recipe())
    assert str(caught.value).startswith("dataset.prompts.speakers: 1 of 2 utterances have no speaker, 'u2' first")


def test_a_named_field_that_no_row_has_is_refused(tmp_path: Path) -> None:
    """A field that the gate file names on purpose and no row has is a slip, not independence."""
    path = write_lines(tmp_path / "m.jsonl", ROW | {"speaker_id": "ann"}, ROW | {"id": "u2", "speaker_id": "bob"})
    with pytest.raises(DatasetError, match="speeker_id"):
        load_dataset(dataset(manifest=path, speakers="speeker_id"), Recipe())


def test_audio_is_hashed_by_content(tmp_path: Path) -> None:
    """Equal bytes have equal hashes whatever their name."""
    rows = [replace(row, audio=tmp_path / row.audio.name) for row in utterances("a", "b", "c")]
    for row, data in zip(rows, (b"same", b"same", b"other"), strict=True):
        row.audio.write_bytes(data)
    hashes, unreadable = hash_audio(loaded(rows))
    assert hashes["u1"] == hashes["u2"] == hashlib.sha256(b"same").hexdigest()
    assert hashes["u3"] == hashlib.sha256(b"other").hexdigest()
    assert unreadable == {}


def test_a_file_that_the_manifest_was_not_made_with_is_told(tmp_path: Path) -> None:
    """A sound that was replaced keeps neither its text nor its score; one that is what the row says has both."""
    rows = []
    for name in ("kept", "replaced"):
        (tmp_path / name).write_bytes(name.encode())
        digest = hashlib.sha256(name.encode()).hexdigest()
        rows.append(Utterance(name, tmp_path / name, "one cat", audio_sha256=digest))
    (tmp_path / "replaced").write_bytes(b"another sound")
    hashes, unreadable = hash_audio(loaded(rows))
    assert list(hashes) == ["kept"]
    assert list(unreadable) == ["replaced"]
    assert "replaced: is not the file that the manifest was made with: its SHA-256 is " in unreadable["replaced"]
    assert "make the manifest again" in unreadable["replaced"]


def test_unreadable_audio_is_told_for_each_file(tmp_path: Path) -> None:
    """Audio that is absent, a folder or impossible loses its own row only, each with one sentence."""
    names = ["fine.wav", "absent.wav", "folder", "x" * 300]
    rows = [replace(row, audio=tmp_path / name) for row, name in zip(utterances(*"abcd"), names, strict=True)]
    (tmp_path / "fine.wav").write_bytes(b"x")
    (tmp_path / "folder").mkdir()
    hashes, unreadable = hash_audio(loaded(rows))
    assert list(hashes) == ["u1"]
    assert unreadable["u2"] == f"{tmp_path / 'absent.wav'}: no such audio file"
    assert unreadable["u3"] == f"{tmp_path / 'folder'}: not a regular file"
    assert unreadable["u4"].startswith(f"{tmp_path / names[3]}: ")


def test_a_slice_that_no_row_carries_is_told_before_anything_is_decoded(tmp_path: Path) -> None:
    """The message has data set, tag, manifest, and the tags there are or the nearest of them."""
    rows = [ROW | {"id": f"u{number}", "tags": [f"voice {number}"]} for number in range(25)]
    path = write_lines(tmp_path / "m.jsonl", *rows, ROW | {"id": "in", "tags": ["accent:in", "quiet"]})
    cases = {"accent:ni": "; did you mean 'accent:in'?", "zz": "; known here: voice 0, voice 1, voice 2, voice 3"}
    for tag, hint in cases.items():
        with pytest.raises(DatasetError) as caught:
            load_dataset(dataset(manifest=path, slices={"quiet": Thresholds(), tag: Thresholds()}), Recipe())
        assert str(caught.value).startswith(f"dataset.prompts.slice.{tag}: no row of {path} has this tag{hint}")
    assert str(caught.value).endswith(" and 22 more")
    assert load_dataset(dataset(manifest=path, slices={"quiet": Thresholds()}), Recipe()).name == "prompts"
    untagged = write_lines(tmp_path / "n.jsonl", ROW)
    with pytest.raises(DatasetError, match=r"no row of .* has this tag; none has any$"):
        load_dataset(dataset(manifest=untagged, slices={"quiet": Thresholds()}), Recipe())
