"""Claims about reading and writing JSON lines."""

import os
import stat
import time
from pathlib import Path

import pytest

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.jsonlines import read_object, read_rows, write_atomically, write_rows


def _read(path: Path, data: bytes) -> list[tuple[int, dict[str, object]]]:
    path.write_bytes(data)
    return list(read_rows(path))


def _refusal(path: Path, data: bytes) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(path, data)
    return str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b'{"id": "a"}\n{"id": "b"}\n',
        b'\xef\xbb\xbf{"id": "a"}\n{"id": "b"}\n',
        b'{"id": "a"}\r\n{"id": "b"}\r\n',
        b'{"id": "a"}\n{"id": "b"}',
        b'\xef\xbb\xbf{"id": "a"}\r\n{"id": "b"}',
    ],
    ids=["plain", "BOM", "CRLF", "no last newline", "all three"],
)
def test_harmless_shapes_read_alike(tmp_path: Path, data: bytes) -> None:
    """A BOM, CRLF and a last line without newline change nothing."""
    assert _read(tmp_path / "rows.jsonl", data) == [(1, {"id": "a"}), (2, {"id": "b"})]


def test_blank_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    """Blank lines give no row, and the numbers stay those of the file."""
    assert _read(tmp_path / "rows.jsonl", b'\n{"id": "a"}\n  \r\n{"id": "b"}\n') == [
        (2, {"id": "a"}),
        (4, {"id": "b"}),
    ]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (b'{"id": "a\xff"}\n', "not UTF-8"),
        (b'{"id": }\n', "no JSON object"),
        (b'{"id": NaN}\n', "NaN"),
        (b'{"id": -Infinity}\n', "-Infinity"),
        (b'{"id": 1e999}\n', ""),
        (b'{"id": "\\ud83d"}\n', ""),
        (b'{"id": "a", "id": "b"}\n', "'id' stands twice"),
        (b'{"x": {"id": 1, "id": 2}}\n', "'id' stands twice"),
        (b'["a"]\n', "list"),
        (b"17\n", "int"),
        (b"null\n", "NoneType"),
        (b'{"id": ' + b"9" * 5000 + b"}\n", ""),
        (b'{"id": ' + b"[" * 200_000 + b"}\n", ""),
    ],
    ids=[
        "UTF-8",
        "syntax",
        "NaN",
        "-Infinity",
        "1e999",
        "half a character",
        "twice",
        "nested twice",
        "list",
        "int",
        "null",
        "huge",
        "deep",
    ],
)
def test_an_odd_line_is_named_by_file_and_line(tmp_path: Path, line: bytes, fact: str) -> None:
    """Whatever is wrong with the second line, the sentence names the file, line 2 (and its id, if any) and why."""
    path = tmp_path / "rows.jsonl"
    message = _refusal(path, b'{"id": "fine"}\n' + line)
    assert message.startswith((f"{path}:2: ", f"{path}:2 (a): "))
    assert fact in message
    assert "\n" not in message


def test_a_line_cut_short_is_called_that(tmp_path: Path) -> None:
    """A last line without its end asks whether the file was cut short; a broken line inside does not."""
    path = tmp_path / "rows.jsonl"
    assert "cut short" in _refusal(path, b'{"id": "a"}\n{"id": "b", "hyp_te')
    assert "cut short" not in _refusal(path, b'{"id": "b", "hyp_te\n{"id": "a"}\n')


def test_rows_before_the_odd_line_are_given(tmp_path: Path) -> None:
    """Reading is lazy: rows are given until the odd one."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"id": "a"}\nnonsense\n')
    rows = read_rows(path)
    assert next(rows) == (1, {"id": "a"})
    with pytest.raises(DatasetError):
        next(rows)


@pytest.mark.parametrize("name", ["absent.jsonl", "."], ids=["absent", "folder"])
def test_what_is_no_file_is_refused_by_name(tmp_path: Path, name: str) -> None:
    """A path that is absent or a folder gives one sentence with the path."""
    path = tmp_path / name
    with pytest.raises(DatasetError) as caught:
        list(read_rows(path))
    assert str(caught.value).startswith(f"{path}: cannot be read (")


def test_written_rows_read_back(tmp_path: Path) -> None:
    """Rows survive a round trip, letters of any script as themselves."""
    path = tmp_path / "new" / "rows.jsonl"
    rows: list[dict[str, object]] = [{"id": "a", "text": "naïve 東京"}, {"id": "b", "text": "two\nlines", "n": 1.5}]
    write_rows(path, rows)
    assert [row for _, row in read_rows(path)] == rows
    assert "東京" in path.read_text(encoding="utf-8")
    assert path.read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_json_is_not_written(tmp_path: Path, value: float) -> None:
    """NaN and infinities raise, and the old file stays."""
    path = tmp_path / "rows.jsonl"
    path.write_text("old")
    with pytest.raises(ValueError, match="JSON compliant"):
        write_rows(path, [{"x": value}])
    assert path.read_text() == "old"


def test_a_failed_write_leaves_no_temporary_file(tmp_path: Path) -> None:
    """Where the rename fails, the temporary file goes too."""
    target = tmp_path / "folder"
    target.mkdir()
    (target / "full").touch()
    with pytest.raises(OSError, match="folder"):
        write_atomically(target, "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_what_killed_writers_left_is_removed_in_the_end(tmp_path: Path) -> None:
    """A writer that is killed leaves its temporary file: it goes after a day, and nobody else's file ever does."""
    names = {
        ".report.json.asrgate-0ld_file": 90_000,
        ".report.json.asrgate-new_file": 60,
        # None of these is what a writer of report.json leaves.
        ".report.json.original": 90_000,
        ".report.json.asrgate-old": 90_000,
        ".report.json.asrgate-Old_file": 90_000,
        ".report.json.asrgate-0ld_file.txt": 90_000,
        ".notes.asrgate-old_file": 90_000,
        ".reportxjson.asrgate-old_file": 90_000,
        ".old.report.json.asrgate-old_file": 90_000,
    }
    for name, age in names.items():
        (tmp_path / name).write_text("{")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    write_atomically(tmp_path / "report.json", "{}")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*names, "report.json"} - {".report.json.asrgate-0ld_file"}


def test_no_link_or_folder_of_such_a_name_is_touched(tmp_path: Path) -> None:
    """What bears the name of a temporary file and is none stays, and so does what it leads to."""
    old = (time.time() - 90_000,) * 2
    (tmp_path / "letter").write_text("mine")
    os.utime(tmp_path / "letter", old)
    link, folder = (tmp_path / f".report.json.asrgate-{name}" for name in ("the_link", "a_folder"))
    link.symlink_to("letter")
    os.utime(link, old, follow_symlinks=False)
    folder.mkdir()
    os.utime(folder, old)
    write_atomically(tmp_path / "report.json", "{}")
    assert link.is_symlink()
    assert link.read_text() == "mine"
    assert folder.is_dir()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives a file to another user")
def test_no_file_of_another_user_is_removed(tmp_path: Path) -> None:
    """A temporary file that belongs to somebody else is left to him, also by root."""
    theirs = tmp_path / ".report.json.asrgate-old_file"
    theirs.write_text("{")
    os.chown(theirs, 12_345, -1)
    os.utime(theirs, (time.time() - 90_000,) * 2)
    write_atomically(tmp_path / "report.json", "{}")
    assert theirs.exists()


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    """Reports are readable by whoever may read files that were made in the ordinary way."""
    (tmp_path / "ordinary").write_text("x")
    write_atomically(tmp_path / "report", "x")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("ordinary", "report")]
    assert modes[0] == modes[1]


@pytest.mark.parametrize(
    "data",
    [
        b'{"b": 1, "a": {"c": []}}',
        b'\xef\xbb\xbf{"b": 1, "a": {"c": []}}\n',
        b'{\r\n "b": 1,\r\n "a": {"c": []}\r\n}\r\n',
    ],
    ids=["one line", "BOM", "CRLF"],
)
def test_a_whole_object_is_read_in_order(tmp_path: Path, data: bytes) -> None:
    """A BOM and CRLF change nothing, and keys keep their order."""
    path = tmp_path / "whole.json"
    path.write_bytes(data)
    assert list(read_object(path).items()) == [("b", 1), ("a", {"c": []})]


@pytest.mark.parametrize(
    ("data", "fact"),
    [
        (b'{"a": "\xff"}', ":1: not UTF-8 at byte 7 of the line"),
        (b'{\n"a": 1,\n"b": "\xc3', ":3: not UTF-8 at byte 6 of the line"),
        (b'{\n"a": }', ":2: no JSON object: Expecting value"),
        (b'{\n"a": [1,\n', ":3: no JSON object: Expecting value (was the file cut short?)"),
        (b"", ":1: no JSON object: Expecting value (was the file cut short?)"),
        (b'{"a": NaN}', ": no usable JSON object: 'a' is NaN, which is no JSON value"),
        (b'{"a": 1e999}', ": no usable JSON object: 1e999 is too large a number"),
        (b'{"a": {"b": 1, "b": 1}}', ": no usable JSON object: the key 'b' stands twice"),
        (b'{"a": "\\ud83d"}', ": holds half a character (a lone surrogate)"),
        (b'{"a": ' + b"9" * 5000 + b"}", ": no usable JSON object"),
        (b'{"a": ' + b"[" * 200_000 + b"}", ": no usable JSON object"),
        (b"[]", ": must hold a JSON object; it holds list"),
        (b"null", ": must hold a JSON object; it holds NoneType"),
        (b'{"a": 1}\n{"a": 2}\n', ":2: no JSON object: Extra data"),
    ],
)
def test_an_odd_object_is_named_by_file_and_line(tmp_path: Path, data: bytes, fact: str) -> None:
    """What is refused in a line is refused in a whole file, with the line where there is one."""
    path = tmp_path / "whole.json"
    path.write_bytes(data)
    with pytest.raises(DatasetError) as caught:
        read_object(path)
    assert str(caught.value).startswith(f"{path}{fact}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["absent.json", "."], ids=["absent", "folder"])
def test_what_is_no_file_is_no_object(tmp_path: Path, name: str) -> None:
    """A path that is absent or a folder gives one sentence with the path."""
    with pytest.raises(DatasetError, match="cannot be read"):
        read_object(tmp_path / name)
