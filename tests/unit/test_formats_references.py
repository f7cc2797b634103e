"""Claims about reference texts: read from a manifest, a transcript, plain JSON or a file of hypotheses alike."""

import json
from pathlib import Path

import pytest

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.references import read_references

EXPECTED = {"u2": "Two cats.", "u1": ""}


def _lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


MANIFEST = _lines({"id": "u2", "audio": "absent.wav", "ref_text": "Two cats."}, {"id": "u1", "ref_text": ""})
HYPOTHESES = _lines(
    {"type": "batch_header", "language": "en"},
    {"id": "u2", "ref_text": "Two cats.", "hyp_text": "two"},
    {"id": "u1", "ref_text": "", "hyp_text": "", "error": "crashed"},
)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("manifest.jsonl", MANIFEST),
        ("manifest.jsonl", b"\xef\xbb\xbf" + MANIFEST.replace(b"\n", b"\r\n").rstrip()),
        ("other.jsonl", HYPOTHESES),
        ("REF.TRN", b"Two cats. (u2)\n(u1)\n"),
        ("ref.json", json.dumps(EXPECTED).encode()),
    ],
    ids=["manifest", "BOM and CRLF", "hypotheses", "trn", "plain"],
)
def test_every_format_gives_the_same_texts(tmp_path: Path, name: str, data: bytes) -> None:
    """Raw texts by id in file order, no audio needed."""
    path = tmp_path / name
    path.write_bytes(data)
    assert list(read_references(path).texts.items()) == list(EXPECTED.items())


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        ({"id": "u1", "ref_text": "x"}, " (u1): the id stands already at line 1; ids must be unique"),
        ({"id": "u2"}, " (u2): ref_text must be a text; it is missing"),
        ({"id": "u2", "ref_text": None}, " (u2): ref_text must be a text; it is None"),
        ({"id": "u2", "ref_text": 5}, " (u2): ref_text must be a text; it is 5"),
        ({"id": "u2", "ref_text": "a\0"}, " (u2): ref_text must not hold a NUL character"),
        ({"ref_text": "x"}, ": id must be a text that is not empty; it is None"),
    ],
)
def test_an_odd_row_is_named_by_file_and_line(tmp_path: Path, row: dict[str, object], fact: str) -> None:
    """Doubled and missing ids, missing, null and other non-texts are each told with file and line."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(_lines({"id": "u1", "ref_text": "x"}, row))
    with pytest.raises(DatasetError) as caught:
        read_references(path)
    assert str(caught.value) == f"{path}:2{fact}"


def test_a_null_that_is_nan_is_refused(tmp_path: Path) -> None:
    """NaN, which upstream tools write for a missing text, is no text."""
    path = tmp_path / "m.jsonl"
    path.write_bytes(b'{"id": "u1", "ref_text": NaN}\n')
    with pytest.raises(DatasetError, match=r"m\.jsonl:1 \(u1\): .*NaN"):
        read_references(path)


def test_a_score_file_gives_no_references(tmp_path: Path) -> None:
    """Its references are normalised already, and would be so twice."""
    with pytest.raises(DatasetError, match="normalised references"):
        read_references(tmp_path / "x.score.json")


@pytest.mark.parametrize(("name", "data"), [("m.jsonl", b"\n"), ("m.trn", b";; none\n"), ("m.json", b"{}")])
def test_a_file_without_references_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    """No reference at all is never what was meant."""
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DatasetError) as caught:
        read_references(path)
    assert str(caught.value) == f"{path}: holds no references; give at least one utterance"
