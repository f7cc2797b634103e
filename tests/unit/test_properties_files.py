"""Properties of files: what was written is read back, and what was not is refused by its line."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.datasets.manifest import read_manifest
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.hypotheses import read_hypotheses
from pytest_asrgate.formats.plain import read_plain, write_plain
from pytest_asrgate.formats.score_file import read_score, write_score
from pytest_asrgate.formats.trn import read_trn, trn_text
from pytest_asrgate.jsonlines import json_text, read_object, read_rows, write_rows
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.hypotheses import write_hypotheses
from tests.unit.builders import scored, utterances
from tests.unit.properties import STEADY, texts

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(-1e300, 1e300), texts()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts(), inner, max_size=3)),
    max_leaves=10,
)
OBJECTS = st.dictionaries(texts(), JSON, max_size=4)
# Lines of a file: good rows, spoilt ones, and anything.
LINES = st.one_of(
    OBJECTS.map(lambda row: json.dumps(row).encode()),
    st.tuples(OBJECTS.map(lambda row: json.dumps(row).encode()), st.integers(0, 30)).map(
        lambda cut: cut[0][: cut[1]]
    ),
    st.binary(max_size=30),
    st.sampled_from(
        [
            b"",
            b" ",
            b"\xef\xbb\xbf{}",
            b"[1]",
            b"NaN",
            b'{"a": 1e999}',
            b'{"a": 1, "a": 1}',
            b'{"id": "u1"',
            b"\0",
            b"{}\r",
        ]
    ),
)
IDS = st.lists(st.text("abc-_.:123é東", min_size=1, max_size=8), min_size=1, max_size=5, unique=True)
SILENT = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose files are written again and again."""
    return tmp_path_factory.mktemp("files")


@STEADY
@given(st.lists(LINES, max_size=6), st.booleans())
def test_the_reader_of_rows_loses_none_in_silence(folder: Path, lines: list[bytes], ended: bool) -> None:
    """Each line gives its row or is blank, until one is refused by its number; nothing is skipped before it."""
    path = folder / "rows.jsonl"
    path.write_bytes(b"\n".join(lines) + (b"\n" if ended else b""))
    found, problem = [], ""
    try:
        for number, row in read_rows(path):
            found.append((number, row))
    except DatasetError as error:
        problem = str(error)
    assert "\n" not in problem
    refused = 0
    if problem:
        place = problem.removeprefix(f"{path}:")
        refused = int(place[: len(place) - len(place.lstrip("0123456789"))])
    given_lines = path.read_bytes().split(b"\n")
    read = dict(found)
    assert list(read) == sorted(read)
    for number, line in enumerate(given_lines[: refused - 1] if refused else given_lines, start=1):
        text = (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).decode("utf-8").strip()
        assert (number in read) == bool(text)
        if text:
            assert read[number] == json.loads(text)
    assert not refused or max(read, default=0) < refused


@STEADY
@given(st.binary(max_size=60))
def test_any_bytes_are_no_crash_of_any_reader(folder: Path, data: bytes) -> None:
    """Every reader of files gives what it read or its own error, naming the file."""
    for name in ("h.jsonl", "h.json", "h.trn", "h.score.json", "manifest.jsonl"):
        path = folder / name
        path.write_bytes(data)
        problem = str(path)
        try:
            (read_manifest if name.startswith("manifest") else read_hypotheses)(path)
        except DatasetError as error:
            problem = str(error)
        assert problem.startswith(str(path))


@STEADY
@given(st.lists(OBJECTS, max_size=4))
def test_rows_come_back_as_they_were_and_look_harmless(folder: Path, rows: list[dict[str, object]]) -> None:
    """What is written as JSON lines is read back exactly, and the file holds nothing that acts on a terminal."""
    path = folder / "back.jsonl"
    write_rows(path, rows)
    assert [row for _, row in read_rows(path)] == rows
    text = path.read_bytes().decode("utf-8")
    assert text.count("\n") == len(rows) == len(text.splitlines())
    acting = {letter for letter in text if unicodedata.category(letter) in {"Cc", "Zl", "Zp"}}
    assert acting <= {"\n"}
    assert not {
        letter for letter in text if unicodedata.bidirectional(letter) in {"LRE", "RLE", "LRO", "RLO", "PDF"}
    }
    assert not {letter for letter in text if unicodedata.bidirectional(letter) in {"LRI", "RLI", "FSI", "PDI"}}


@STEADY
@given(st.dictionaries(texts(surrogates=True), JSON, max_size=3))
def test_json_of_anything_is_utf_8_and_means_the_same(content: dict[str, object]) -> None:
    """Also halves of characters, as names of files may hold them, are written and read back."""
    text = json_text(content, indent=1)
    text.encode("utf-8")
    assert json.loads(text) == content


@STEADY
@given(st.dictionaries(texts().filter(str.strip), texts(), min_size=1, max_size=4))
def test_texts_come_back_from_a_plain_file(folder: Path, written: dict[str, str]) -> None:
    """`{id: text}` holds any ids and texts."""
    write_plain(folder / "plain.json", written)
    assert read_plain(folder / "plain.json") == written
    assert read_object(folder / "plain.json") == written


def _fits(path: Path, identity: str, text: str) -> bool:
    try:
        return bool(trn_text(path, {identity: text}))
    except DatasetError:
        return False


@STEADY
@given(IDS, st.data())
def test_texts_come_back_from_a_trn_file_or_are_not_written(
    folder: Path, ids: list[str], data: st.DataObject
) -> None:
    """A .trn file gives the same ids and words, or the text that it cannot hold is refused by its id."""
    written = {identity: data.draw(texts()) for identity in ids}
    path = folder / "h.trn"
    refused = [identity for identity, text in written.items() if not _fits(path, identity, text)]
    if refused:
        with pytest.raises(DatasetError, match=re.escape(f"({refused[0]}): ")):
            trn_text(path, written)
        return
    path.write_text(trn_text(path, written), encoding="utf-8", newline="\n")
    assert read_trn(path) == {identity: " ".join(text.split()) for identity, text in written.items()}


@STEADY
@given(IDS, st.data())
def test_a_score_comes_back_from_its_file(folder: Path, ids: list[str], data: st.DataObject) -> None:
    """Rows, counts, flags and error rows of a score file are those that were written."""
    rows = [(identity, data.draw(texts()), data.draw(st.one_of(texts(), st.none()))) for identity in ids]
    score = scored("q8_0", rows)
    path = folder / "q8_0.prompts.score.json"
    write_score(path, score, source="x.jsonl")
    found = read_score(path)
    assert found.counts == score.counts
    kept = (
        "id",
        "status",
        "reference",
        "hypothesis",
        "counts",
        "null_reference",
        "masked",
        "loop",
        "drift",
        "steps",
    )
    for one, other in zip(score.utterances, found.utterances, strict=True):
        assert {name: getattr(one, name) for name in kept} == {name: getattr(other, name) for name in kept}


@STEADY
@given(st.lists(st.tuples(texts(), st.one_of(texts(), st.none())), min_size=1, max_size=4))
def test_hypotheses_come_back_from_their_file(folder: Path, rows: list[tuple[str, str | None]]) -> None:
    """References, texts, states and reasons of a pair's file are those of the run."""
    spoken = utterances(*[reference for reference, _ in rows])
    made = scored("q8_0", [(row.id, row.reference, heard) for row, (_, heard) in zip(spoken, rows, strict=True)])
    stored = read_hypotheses(write_hypotheses(folder, made.hypotheses, spoken, "none"))
    assert dict(stored.references) == {row.id: row.reference for row in spoken}
    assert [(row.id, row.text, row.status, row.detail) for row in stored.rows.values()] == [
        (row.id, row.text, row.status, row.detail) for row in made.hypotheses.hypotheses
    ]


@STEADY
@given(texts(surrogates=True))
def test_what_is_shown_is_one_quiet_line(text: str) -> None:
    """No control, format or line-breaking character is left, showing twice is showing once, and letters stay."""
    shown = plain(text)
    assert not {unicodedata.category(letter) for letter in shown} & SILENT
    assert len(shown.splitlines()) <= 1
    assert plain(shown) == shown
    assert [letter for letter in text if letter.isalnum()] == [
        letter for letter in text if letter.isalnum() and letter in shown
    ]
    shown.encode("utf-8")
