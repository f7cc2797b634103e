"""Claims about `asrgate convert`: what is written reads back the same, and nothing is lost in silence."""

import json
from pathlib import Path

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.formats.hypotheses import read_hypotheses
from pytest_asrgate.formats.references import read_references

from .commands import refused, write

ROWS = [
    {"id": "u1", "ref_text": "The cat sat.", "hyp_text": "The hat\tsat."},
    {"id": "u2", "ref_text": "", "hyp_text": ""},
]


def _texts(path: Path) -> dict[str, str]:
    return {identity: row.text for identity, row in read_hypotheses(path).rows.items()}


def test_trn_pairs_hold_both_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hypotheses and references become two files for sclite, white space made plain."""
    path = write(tmp_path / "m.jsonl", ROWS)
    assert main(["convert", str(path), "--to", "trn"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"wrote {tmp_path}/m.hyp.trn", f"wrote {tmp_path}/m.ref.trn"]
    assert (tmp_path / "m.hyp.trn").read_text().splitlines()[0] == "The hat sat. (u1)"
    assert read_references(tmp_path / "m.ref.trn").texts == {"u1": "The cat sat.", "u2": ""}


def test_plain_json_and_back_to_rows(tmp_path: Path) -> None:
    """{id: text} and rows carry the same texts, with references where they are known."""
    path = write(tmp_path / "m.jsonl", ROWS)
    assert main(["convert", str(path), "--to", "json"]) == 0
    assert json.loads((tmp_path / "m.json").read_text()) == {"u1": "The hat\tsat.", "u2": ""}
    (tmp_path / "other.json").write_bytes((tmp_path / "m.json").read_bytes())
    assert main(["convert", str(tmp_path / "other.json"), "--to", "jsonl", "--references", str(path)]) == 0
    assert _texts(tmp_path / "other.jsonl") == _texts(path)
    assert read_hypotheses(tmp_path / "other.jsonl").references == read_hypotheses(path).references


def test_error_rows_are_not_written_as_silence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A crash has no place in these formats, so the conversion is refused by id and writes nothing."""
    path = write(
        tmp_path / "m.jsonl", [*ROWS, {"id": "u3", "ref_text": "a", "hyp_text": "", "error": "backend error"}]
    )
    assert "'u3'" in refused(capsys, "convert", str(path), "--to", "trn")
    assert [item.name for item in tmp_path.iterdir()] == ["m.jsonl"]


def test_flags_that_are_lost_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Truncated rows keep their text, and the note says that the flag is gone."""
    path = write(
        tmp_path / "m.jsonl", [{"id": "u1", "ref_text": "a b", "hyp_text": "a", "error": "output truncated: x"}]
    )
    assert main(["convert", str(path), "--to", "json"]) == 0
    assert (
        "note: truncated or stopped for repetition, which this format cannot say: 'u1'" in capsys.readouterr().out
    )


def test_what_was_read_is_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A conversion into the same name is refused."""
    path = write(tmp_path / "m.jsonl", ROWS)
    before = path.read_bytes()
    assert "would write over" in refused(capsys, "convert", str(path), "--to", "jsonl")
    assert path.read_bytes() == before


def test_ids_that_sclite_cannot_read_leave_no_half_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id with a blank is refused by name, and neither file of the pair is there."""
    path = write(tmp_path / "m.jsonl", [{"id": "a b", "ref_text": "x", "hyp_text": "y"}])
    assert "'a b'" in refused(capsys, "convert", str(path), "--to", "trn")
    assert [item.name for item in tmp_path.iterdir()] == ["m.jsonl"]


def test_only_texts_are_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A score file holds normalised texts, which would be normalised again."""
    path = write(tmp_path / "m.jsonl", ROWS)
    assert main(["score", str(path)]) == 0
    capsys.readouterr()
    assert "normalised texts" in refused(capsys, "convert", str(tmp_path / "m.score.json"), "--to", "json")


def test_references_are_never_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file that the references come from is no target either."""
    (tmp_path / "m.trn").write_text("The hat sat. (u1)\n")
    references = write(tmp_path / "m.jsonl", ROWS[:1])
    before = references.read_bytes()
    message = refused(capsys, "convert", str(tmp_path / "m.trn"), "--to", "jsonl", "--references", str(references))
    assert "would write over" in message
    assert references.read_bytes() == before


def test_lost_rows_are_not_converted_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """References without a hypothesis are refused by id, since the pair would hide that a row was lost."""
    path = write(tmp_path / "h.jsonl", ROWS[:1])
    references = write(tmp_path / "ref.jsonl", ROWS)
    assert "has no hypothesis for 'u2'" in refused(
        capsys, "convert", str(path), "--to", "trn", "--references", str(references)
    )
    write(tmp_path / "lost.jsonl", ROWS[:1], {"manifest_sha256": "0" * 64})
    assert "some were lost" in refused(capsys, "convert", str(tmp_path / "lost.jsonl"), "--to", "trn")


def test_a_target_that_is_no_file_leaves_no_half(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where one side of a pair cannot be written, the other is not."""
    path = write(tmp_path / "m.jsonl", ROWS)
    (tmp_path / "m.ref.trn").mkdir()
    assert "m.ref.trn: is no regular file" in refused(capsys, "convert", str(path), "--to", "trn")
    assert not (tmp_path / "m.hyp.trn").exists()


def test_references_under_another_spelling_are_never_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative and an absolute path of one file are one file."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "h.jsonl", ROWS)
    (tmp_path / "h.ref.trn").write_text(";; mine\nThe cat sat. (u1)\n(u2)\n")
    message = refused(capsys, "convert", "h.jsonl", "--to", "trn", "--references", str(tmp_path / "h.ref.trn"))
    assert "would write over" in message
    assert (tmp_path / "h.ref.trn").read_text().startswith(";; mine")
