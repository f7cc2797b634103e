"""Claims about plain `{id: text}` files: texts by id, or one sentence that says what is wrong."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.plain import read_plain, write_plain


def _refusal(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(DatasetError) as caught:
        read_plain(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    "data",
    [
        b'{"u2": "two", "u1": ""}',
        b'\xef\xbb\xbf{"u2": "two", "u1": ""}\n',
        b'{\r\n  "u2": "two",\r\n  "u1": ""\r\n}\r\n',
    ],
    ids=["one line", "BOM", "CRLF"],
)
def test_harmless_shapes_read_alike(tmp_path: Path, data: bytes) -> None:
    """A BOM, CRLF and more lines change nothing, and the order is the file's."""
    path = tmp_path / "h.json"
    path.write_bytes(data)
    assert list(read_plain(path).items()) == [("u2", "two"), ("u1", "")]


@pytest.mark.parametrize(
    ("value", "shown"),
    [("null", "None"), ("5", "5"), ("true", "True"), ('["x"]', "['x']"), ('{"a": "b"}', "{'a': 'b'}")],
)
def test_what_is_no_text_is_named_by_id(tmp_path: Path, value: str, shown: str) -> None:
    """Null, numbers and nested values are refused by their id."""
    path = tmp_path / "h.json"
    message = _refusal(path, f'{{"u1": "fine", "u2": {value}}}'.encode())
    assert message == f"{path} (u2): must be a text; it is {shown}"


@pytest.mark.parametrize(
    ("data", "fact"),
    [
        (b'{"u1": "a", "u1": "a"}', "the key 'u1' stands twice"),
        (b'{"u1": NaN}', "'u1' is NaN, which is no JSON value"),
        (b'{"u1": Infinity}', "'u1' is Infinity, which is no JSON value"),
        (b'["a"]', "must hold a JSON object; it holds list"),
        (b'"a"', "must hold a JSON object; it holds str"),
        (b"", ":1: no JSON object"),
        (b'{\n"u1": "a",\n"u2": "b', ":3: no JSON object"),
        (b'{"u1": "a"', "cut short"),
        (b'{\n"u1": "\xff"}', ":2: not UTF-8 at byte 7 of the line"),
        (b'{"u1": "\\ud83d"}', "half a character"),
        (b'{"\\ud83d": ""}', "half a character"),
        (b'{"u1": ' + b"[" * 200_000, "recursion"),
        (b'{"": "a"}', "empty id"),
        (b'{"schema": "asrgate.score/1", "per_utterance": []}', "ends with .score.json"),
    ],
)
def test_an_odd_file_is_refused(tmp_path: Path, data: bytes, fact: str) -> None:
    """Doubled keys, NaN, other roots, cut or broken bytes and deep nesting are each told in one sentence."""
    assert fact in _refusal(tmp_path / "h.json", data)


def test_what_no_file_can_hold_is_not_written(tmp_path: Path) -> None:
    """An empty id and half a character are refused, and the old file stays."""
    path = tmp_path / "h.json"
    path.write_text("old")
    for texts in ({"": "x"}, {"u1": "\ud83d"}, {"\ud83d": "x"}):
        with pytest.raises(DatasetError, match=r"h\.json"):
            write_plain(path, texts)
    assert path.read_text() == "old"


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=8), max_size=5))
@settings(max_examples=100, deadline=None)
def test_what_was_written_reads_back(tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]) -> None:
    """Every text survives a round trip as it is; only an empty id is refused."""
    path = tmp_path_factory.mktemp("plain") / "h.json"
    if any(not identity.strip() for identity in texts):
        with pytest.raises(DatasetError, match="empty id"):
            write_plain(path, texts)
        return
    write_plain(path, texts)
    assert list(read_plain(path).items()) == list(texts.items())
