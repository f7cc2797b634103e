"""Claims about rows of the form index, hypothesis, ground_truth, context: as lines, as an array, as one object."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import DatasetError, IntegrityError
from pytest_asrgate.formats.hypotheses import read_hypotheses
from pytest_asrgate.formats.stored import StoredHypotheses
from pytest_asrgate.records import Hypothesis

ROWS: list[dict[str, object]] = [
    {"index": 0, "hypothesis": "call ravi", "ground_truth": "Call Ravi?", "context": "a call"},
    {"index": 7, "hypothesis": "", "ground_truth": "", "context": "", "language": "hi"},
]


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _claim(stored: StoredHypotheses) -> None:
    assert list(stored.rows.values()) == [Hypothesis("0", "call ravi"), Hypothesis("7", "")]
    assert stored.references == {"0": "Call Ravi?", "7": ""}
    assert stored.languages == {"7": "hi"}
    assert [stored.fields[key]["index"] for key in stored.rows] == [0, 7]
    assert stored.fields["0"]["context"] == "a call"


def test_lines_and_an_array_hold_the_same(tmp_path: Path) -> None:
    """The index names the utterance, also 0; texts may be empty, and a row may name its language."""
    lines = "".join(f"{json.dumps(row)}\n" for row in ROWS)
    _claim(read_hypotheses(_write(tmp_path / "h.jsonl", lines)))
    _claim(read_hypotheses(_write(tmp_path / "h.json", json.dumps(ROWS, indent=2))))


@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_is_one_row(tmp_path: Path, indent: int | None) -> None:
    """Also over several lines, in a .json file, where a context may be missing."""
    row = {key: value for key, value in ROWS[0].items() if key != "context"}
    for each in (row, ROWS[0]):
        stored = read_hypotheses(_write(tmp_path / "one.json", json.dumps(each, indent=indent)))
        assert stored.rows == {"0": Hypothesis("0", "call ravi")}
        assert stored.references == {"0": "Call Ravi?"}


def test_texts_by_id_stay_what_they_were(tmp_path: Path) -> None:
    """`{id: text}` is read as before, also where an utterance is called as a key of a row is."""
    texts = {"index": "one", "hypothesis": "two", "u3": "three"}
    stored = read_hypotheses(_write(tmp_path / "t.json", json.dumps(texts)))
    assert {key: row.text for key, row in stored.rows.items()} == texts
    assert stored.references == {}


def test_rows_of_both_forms_may_stand_in_one_file(tmp_path: Path) -> None:
    """A header and rows with an id beside them; an id that an index repeats is refused with both lines."""
    other = {"id": "u1", "hyp_text": "x", "ref_text": "y", "index": True}
    lines = [{"type": "batch_header"}, other, *ROWS]
    stored = read_hypotheses(_write(tmp_path / "h.jsonl", "\n".join(map(json.dumps, lines))))
    assert list(stored.rows) == ["u1", "0", "7"]
    lines.append({**other, "id": "7"})
    with pytest.raises(IntegrityError, match=r"'7' \(lines 4 and 5\)"):
        read_hypotheses(_write(tmp_path / "h.jsonl", "\n".join(map(json.dumps, lines))))


BAD: list[tuple[dict[str, object], str]] = [
    ({"index": True}, "index must be a whole number from 0 to 10**15; it is True"),
    ({"index": 1.0}, "index must be a whole number from 0 to 10**15; it is 1.0"),
    ({"index": "1"}, "index must be a whole number from 0 to 10**15; it is '1'"),
    ({"index": None}, "index must be a whole number from 0 to 10**15; it is None"),
    ({"hypothesis": None}, "hypothesis must be a text; it is None"),
    ({"ground_truth": 5}, "ground_truth must be a text; it is 5"),
    ({"index": -1}, "index must be a whole number from 0 to 10**15; it is -1"),
    ({"index": 10**15 + 1}, "index must be a whole number from 0 to 10**15; it is 1000000000000001"),
    ({"index": 10**4000}, "index must be a whole number from 0 to 10**15; it is a huge number"),
    ({"language": 5}, "language must be a text"),
]


@pytest.mark.parametrize(("change", "words"), BAD)
def test_wrong_kinds_are_one_sentence_with_place_and_key(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    """By line, by row of the array, and by file for one object."""
    row = {**ROWS[0], **change}
    path = _write(tmp_path / "h.jsonl", f"{json.dumps(ROWS[1])}\n{json.dumps(row)}\n")
    _refused(path, f"{path}:2", words)
    path = _write(tmp_path / "h.json", json.dumps([ROWS[1], row]))
    _refused(path, f"{path}, row 2", words)
    path = _write(tmp_path / "one.json", json.dumps(row))
    _refused(path, f"{path}", words)


@pytest.mark.parametrize("key", ["index", "hypothesis", "ground_truth"])
def test_a_missing_key_is_one_sentence(tmp_path: Path, key: str) -> None:
    """The key that is missing is named, not one that another form of rows would have."""
    row = {name: value for name, value in ROWS[0].items() if name != key}
    path = _write(tmp_path / "h.jsonl", json.dumps(row))
    _refused(path, f"{path}:1", f"{key} must be a")
    _refused(path, "it is missing", key)
    path = _write(tmp_path / "h.json", json.dumps([row]))
    _refused(path, f"{path}, row 1", f"{key} must be a")


def _refused(path: Path, place: str, words: str) -> None:
    with pytest.raises(DatasetError) as caught:
        read_hypotheses(path)
    message = str(caught.value)
    assert place in message
    assert words in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([ROWS[0], 5], "row 2: a row is a JSON object; got int"),
        ([[ROWS[0]]], "row 1: a row is a JSON object; got list"),
        (["a"], "row 1: a row is a JSON object; got str"),
        ("text", "must hold a JSON object or an array of rows; it holds str"),
        (None, "must hold a JSON object or an array of rows; it holds NoneType"),
    ],
)
def test_what_is_no_row_is_refused(tmp_path: Path, rows: Any, words: str) -> None:
    """By its place in the array."""
    _refused(_write(tmp_path / "h.json", json.dumps(rows)), "h.json", words)


def test_an_index_that_stands_twice_is_refused(tmp_path: Path) -> None:
    """By line, and by row of an array."""
    twice = [ROWS[0], ROWS[1], ROWS[0]]
    with pytest.raises(IntegrityError, match=r"h\.json: .*more than once: '0' \(rows 1 and 3\)"):
        read_hypotheses(_write(tmp_path / "h.json", json.dumps(twice)))
    with pytest.raises(IntegrityError, match=r"h\.jsonl: .*more than once: '0' \(lines 1 and 3\)"):
        read_hypotheses(_write(tmp_path / "h.jsonl", "\n".join(map(json.dumps, twice))))


def test_an_id_may_stand_for_the_index(tmp_path: Path) -> None:
    """As a text or a whole number, with or without an index beside it; also in an array, and as one object."""
    rows = [
        {"id": "u1", "hypothesis": "a", "ground_truth": "b"},
        {"id": 7, "hypothesis": "c", "ground_truth": "d"},
        {"id": "u3", "index": 3, "hypothesis": "e", "ground_truth": "f"},
    ]
    for name, text in (("h.jsonl", "\n".join(map(json.dumps, rows))), ("h.json", json.dumps(rows))):
        stored = read_hypotheses(_write(tmp_path / name, text))
        assert list(stored.rows.values()) == [Hypothesis("u1", "a"), Hypothesis("7", "c"), Hypothesis("u3", "e")]
        assert stored.references == {"u1": "b", "7": "d", "u3": "f"}
    stored = read_hypotheses(_write(tmp_path / "one.json", json.dumps(rows[0])))
    assert (list(stored.rows), stored.references) == (["u1"], {"u1": "b"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": ""}, "id must be a text that is not empty; it is ''"),
        ({"id": None}, "id must be a text that is not empty; it is None"),
        ({"id": True}, "id must be a text that is not empty; it is True"),
        ({"id": -1}, "id must be a whole number from 0 to 10**15; it is -1"),
        ({"id": "u1", "index": "3"}, "index must be a whole number from 0 to 10**15; it is '3'"),
    ],
)
def test_a_wrong_id_is_one_sentence(tmp_path: Path, change: dict[str, object], words: str) -> None:
    """What it must be, and what it is."""
    row = {"hypothesis": "a", "ground_truth": "b", **change}
    path = _write(tmp_path / "h.jsonl", json.dumps(row))
    _refused(path, f"{path}:1", words)


def test_a_context_of_any_kind_is_left_alone(tmp_path: Path) -> None:
    """Who asks for it checks it; another key may be the one that is asked for."""
    stored = read_hypotheses(_write(tmp_path / "h.jsonl", json.dumps({**ROWS[0], "context": ["a"]})))
    assert stored.fields["0"]["context"] == ["a"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (json.dumps(ROWS), "array"),
        (json.dumps(ROWS, indent=2), "array"),
        (json.dumps(ROWS[0], indent=2), "object over several lines"),
        ("\ufeff" + json.dumps(ROWS[0], indent=2), "object over several lines"),
    ],
)
def test_one_json_value_in_a_file_of_lines_is_told(tmp_path: Path, text: str, kind: str) -> None:
    """What it is, and both ways out."""
    path = _write(tmp_path / "h.jsonl", text)
    with pytest.raises(DatasetError) as caught:
        read_hypotheses(path)
    assert str(caught.value) == f"{path}: this is one JSON {kind}; name the file .json, or write one object a line"


@pytest.mark.parametrize(
    "text", ['{\n "index": 0,\n', f"{json.dumps(ROWS[0])}\n[\n1\n]\n", "[1]\n[2]\n", "[1]", "[]", "5\n"]
)
def test_what_is_no_one_json_value_keeps_its_line(tmp_path: Path, text: str) -> None:
    """A file that was cut short, or whose later lines are wrong, is told by its line."""
    _refused(_write(tmp_path / "h.jsonl", text), "h.jsonl:", "JSON object")


def test_a_number_that_python_does_not_read_is_one_sentence(tmp_path: Path) -> None:
    """Thousands of digits: what an index may be, and nothing on settings of Python's."""
    text = json.dumps({**ROWS[0], "index": 1}).replace(" 1,", f" {'9' * 5000},")
    for name, place in (("h.jsonl", "h.jsonl:1"), ("h.json", "h.json")):
        path = _write(tmp_path / name, text)
        _refused(path, place, "thousands of digits; an index is a whole number from 0 to 10**15")
        with pytest.raises(DatasetError) as caught:
            read_hypotheses(path)
        assert "set_int_max_str_digits" not in str(caught.value)


def test_what_json_forbids_is_refused_in_an_array_too(tmp_path: Path) -> None:
    """NaN, doubled keys and a file that was cut short, with the line where there is one."""
    path = tmp_path / "h.json"
    for text, words in [
        ('[{"index": NaN}]', "is NaN"),
        ('[{"index": 1, "index": 2}]', "stands twice"),
        ('[{"index": 1,\n', "h.json:2: no JSON"),
    ]:
        _refused(_write(path, text), "h.json", words)
