"""Claims about manifests: every doubtful row is refused by file, line and id."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.datasets.manifest import manifest_digest, read_manifest
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import Utterance

from .builders import utterances, write_lines

ROW: dict[str, object] = {"id": "u1", "audio": "a.wav", "ref_text": "one cat"}


def _refusal(path: Path, *rows: dict[str, object]) -> str:
    with pytest.raises(DatasetError) as caught:
        read_manifest(write_lines(path, *rows))
    return str(caught.value)


def test_a_full_row_becomes_an_utterance(tmp_path: Path) -> None:
    """Every key of a row is taken, and other tools' keys are ignored."""
    row = {
        **ROW,
        "audio": "clips/a.wav",
        "language": "en",
        "speaker": "ann",
        "tags": ["noisy", "short"],
        "context": "a greeting",
        "duration_s": 2,
        "audio_sha256": "AB" * 32,
        "chapter": 7,
    }
    assert read_manifest(write_lines(tmp_path / "m.jsonl", row)) == [
        Utterance(
            id="u1",
            audio=tmp_path / "clips" / "a.wav",
            reference="one cat",
            language="en",
            speaker="ann",
            tags=("noisy", "short"),
            context="a greeting",
            duration_s=2.0,
            audio_sha256="ab" * 32,
            line=1,
        )
    ]


def test_rows_keep_their_order_and_lines(tmp_path: Path) -> None:
    """Utterances come as they stand, each with its line of the file, blank lines counted."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(
        b'\xef\xbb\xbf{"id": "z", "audio": "z.wav", "ref_text": "z"}\r\n\r\n'
        b'{"id": "a/b", "audio": "a.wav", "ref_text": "a"}'
    )
    assert [(row.id, row.line) for row in read_manifest(path)] == [("z", 1), ("a/b", 3)]


def test_an_absolute_audio_path_stays(tmp_path: Path) -> None:
    """Only relative audio is taken from the manifest's folder."""
    (row,) = read_manifest(write_lines(tmp_path / "m.jsonl", ROW | {"audio": "/speech/a.wav"}))
    assert row.audio == Path("/speech/a.wav")


def test_a_row_without_language_takes_the_datasets(tmp_path: Path) -> None:
    """The dataset's language fills rows that have none, null included."""
    path = write_lines(
        tmp_path / "m.jsonl", ROW, ROW | {"id": "u2", "language": None}, ROW | {"id": "u3", "language": "de"}
    )
    assert [row.language for row in read_manifest(path, language="en")] == ["en", "en", "de"]
    assert read_manifest(path)[0].language is None


def test_an_empty_reference_is_a_reference(tmp_path: Path) -> None:
    """Silence has the empty text as its reference: the row is kept, so that words on it are seen."""
    (row,) = read_manifest(write_lines(tmp_path / "m.jsonl", ROW | {"ref_text": ""}))
    assert row.reference == ""


@pytest.mark.parametrize(
    ("field", "value", "speaker"),
    [("speaker", "ann", "ann"), ("speaker", 12, "12"), ("spk", "bob", "bob"), ("speaker", None, None)],
)
def test_the_speaker_is_read_from_its_field(tmp_path: Path, field: str, value: object, speaker: str | None) -> None:
    """A speaker is a text or a number in the field that the gate file names."""
    path = write_lines(tmp_path / "m.jsonl", ROW | {field: value})
    assert read_manifest(path, speaker_field=field)[0].speaker == speaker


def test_a_doubled_id_names_both_lines(tmp_path: Path) -> None:
    """An id given twice is refused with both its lines."""
    path = tmp_path / "m.jsonl"
    message = _refusal(path, ROW, ROW | {"id": "u2"}, ROW)
    assert message == f"{path}:3 (u1): the id stands already at line 1; ids must be unique"


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"audio": None}, "audio must be a text; it is None"),
        ({"audio": ""}, "audio must not be empty"),
        ({"audio": "a\0.wav"}, "audio must not hold a NUL"),
        ({"ref_text": None}, "ref_text must be a text; it is None"),
        ({"ref_text": 5}, "ref_text must be a text; it is 5"),
        ({"language": 5}, "language must be a text; it is 5"),
        ({"language": " "}, "language must not be empty"),
        ({"speaker": True}, "speaker must be a text; it is True"),
        ({"speaker": ""}, "speaker must not be empty"),
        ({"tags": "noisy"}, "tags must be a list of texts; it is 'noisy'"),
        ({"tags": [1]}, "tags must be a list of texts; it is [1]"),
        ({"tags": ["in", ""]}, "a tag must not be empty, nor begin or end with a space; it is ''"),
        ({"tags": [" in"]}, "a tag must not be empty, nor begin or end with a space; it is ' in'"),
        ({"tags": ["a\tb"]}, "a tag must not hold control characters; it is 'a\\tb'"),
        ({"tags": ["a" * 101]}, "a tag must have at most 100 characters; it is 'aaa"),
        ({"context": []}, "context must be a text"),
        ({"duration_s": "2"}, "duration_s must be a number of seconds; it is '2'"),
        ({"audio_sha256": "ab"}, "audio_sha256 must be 64 hexadecimal digits; it is 'ab'"),
        ({"audio_sha256": 1}, "audio_sha256 must be 64 hexadecimal digits; it is 1"),
        ({"duration_s": -1}, "duration_s must be a number of seconds; it is -1"),
        ({"duration_s": True}, "duration_s must be a number of seconds; it is True"),
        ({"duration_s": 10**400}, "duration_s must be a number of seconds"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_a_value_of_a_wrong_kind_is_named(tmp_path: Path, change: dict[str, object], fact: str) -> None:
    """A wrong value is told with file, line, id, key and what it is."""
    path = tmp_path / "m.jsonl"
    message = _refusal(path, ROW | {"id": "u0"}, ROW | change)
    assert message.startswith(f"{path}:2 (u1): ")
    assert fact in message


@pytest.mark.parametrize("key", ["audio", "ref_text"])
def test_a_missing_key_is_named(tmp_path: Path, key: str) -> None:
    """A key that a row must have is called missing."""
    path = tmp_path / "m.jsonl"
    message = _refusal(path, {name: value for name, value in ROW.items() if name != key})
    assert message == f"{path}:1 (u1): {key} must be a text; it is missing"


@pytest.mark.parametrize("identity", [None, 5, "", "  "])
def test_an_unusable_id_is_named_by_line(tmp_path: Path, identity: object) -> None:
    """Without an id to name, file and line are told."""
    path = tmp_path / "m.jsonl"
    assert _refusal(path, ROW | {"id": identity}).startswith(f"{path}:1: id must ")


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xef\xbb\xbf"], ids=["empty", "blank", "BOM alone"])
def test_a_manifest_without_rows_is_refused(tmp_path: Path, data: bytes) -> None:
    """Nothing to transcribe is no success."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(data)
    with pytest.raises(DatasetError) as caught:
        read_manifest(path)
    assert str(caught.value) == f"{path}: holds no rows; give at least one utterance"


@pytest.mark.parametrize("name", ["absent.jsonl", "."], ids=["absent", "folder"])
def test_an_absent_manifest_is_named_with_the_mend(tmp_path: Path, name: str) -> None:
    """A manifest that is not there is told with the key that names it."""
    with pytest.raises(DatasetError) as caught:
        read_manifest(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: there is no such manifest")
    assert "manifest key" in str(caught.value)


def test_the_digest_covers_ids_references_and_order() -> None:
    """Two manifests are one set exactly when ids and references are equal in order; audio paths do not count."""
    first, second = utterances("one cat", "two cats")
    digest = manifest_digest([first, second])
    assert manifest_digest([replace(first, audio=Path("/else/x.wav"), speaker="ann"), second]) == digest
    others = [
        [second, first],
        [first],
        [replace(first, id="x"), second],
        [replace(first, reference="one cats"), second],
        [replace(first, id="u1one", reference=" cat"), second],
    ]
    assert len({manifest_digest(rows) for rows in others} | {digest}) == 6


def test_a_tag_given_twice_names_one_group(tmp_path: Path) -> None:
    """A row belongs to a group or it does not; a tag of 100 characters is a tag."""
    row = ROW | {"tags": ["in", "a" * 100, "in"]}
    (read,) = read_manifest(write_lines(tmp_path / "m.jsonl", row))
    assert read.tags == ("in", "a" * 100)
