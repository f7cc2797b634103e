"""Claims about sclite transcripts: what is read is what was written, and every odd line is named."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.trn import read_trn, trn_text
from pytest_asrgate.jsonlines import write_atomically


def _read(path: Path, data: bytes) -> dict[str, str]:
    path.write_bytes(data)
    return read_trn(path)


def _refusal(path: Path, data: bytes) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(path, data)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    "data",
    [
        b"one cat (u1)\ntwo (u2)\n",
        b"\xef\xbb\xbfone cat (u1)\ntwo (u2)\n",
        b"one cat (u1)\r\ntwo (u2)\r\n",
        b"one cat (u1)\ntwo (u2)",
        b";; made by hand\none cat (u1)\n\n  \n;; (u9)\ntwo (u2)\n",
        b"  one \t  cat   (u1)  \ntwo(u2)\n",
    ],
    ids=["plain", "BOM", "CRLF", "no last newline", "comments and blanks", "white space"],
)
def test_harmless_shapes_read_alike(tmp_path: Path, data: bytes) -> None:
    """A BOM, CRLF, a missing last newline, comments, blank lines and more white space change nothing."""
    assert _read(tmp_path / "h.trn", data) == {"u1": "one cat", "u2": "two"}


@pytest.mark.parametrize("line", [b"(u1)\n", b" (u1)\n", b"@ (u1)\n"])
def test_nothing_said_is_an_empty_text(tmp_path: Path, line: bytes) -> None:
    """An id alone, and sclite's null word, are a text without words."""
    assert _read(tmp_path / "h.trn", line) == {"u1": ""}


def test_words_in_parentheses_are_words(tmp_path: Path) -> None:
    """Only the last parentheses are the id; what stands in others belongs to the text."""
    assert _read(tmp_path / "h.trn", b"(uh) me @ home (laughs) (u1)\n") == {"u1": "(uh) me @ home (laughs)"}


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (b"two cats\n", "ends with its id in parentheses"),
        (b"two cats (u2\n", "ends with its id in parentheses"),
        (b"(u2) two cats\n", "ends with its id in parentheses"),
        (b"two cats ()\n", "id in parentheses is empty"),
        (b"two cats ( )\n", "id in parentheses is empty"),
        (b"two cats (he laughs)\n", "'he laughs' is no id"),
        (b"two cats (u(2))\n", "is no id"),
        (b"two c\0ats (u2)\n", "NUL"),
        (b"two cats (u\xff2)\n", "not UTF-8 at byte 11 of the line"),
        (b"two (u2)\rthree (u3)\n", "carriage return"),
    ],
)
def test_a_line_without_usable_id_is_named_by_file_and_line(tmp_path: Path, line: bytes, fact: str) -> None:
    """What cannot be read as words and id is told with file and line."""
    path = tmp_path / "h.trn"
    message = _refusal(path, b"one (u1)\n" + line)
    assert message.startswith(f"{path}:2: ")
    assert fact in message
    assert "cut short" not in message


def test_a_last_line_cut_short_is_called_that(tmp_path: Path) -> None:
    """A last line without its end asks whether the file was cut short."""
    path = tmp_path / "h.trn"
    assert _refusal(path, b"one (u1)\ntwo ca").endswith("(the last line: was the file cut short?)")


def test_a_doubled_id_names_both_lines(tmp_path: Path) -> None:
    """An id that stands twice is refused by both its lines, also where the texts are equal."""
    path = tmp_path / "h.trn"
    message = _refusal(path, b"one (u1)\n;; so\none (u1)\n")
    assert message == f"{path}:3 (u1): the id stands already at line 1; ids must be unique"


@pytest.mark.parametrize("text", ["the { cat / hat } sat", "{ uh / @ }", "a }"])
def test_alternations_are_refused(tmp_path: Path, text: str) -> None:
    """Which branch was spoken is never guessed: file, line and id are named."""
    path = tmp_path / "h.trn"
    message = _refusal(path, f"{text} (u1)\n".encode())
    assert message.startswith(f"{path}:1 (u1): holds an alternation")
    assert "write the spoken one alone" in message


@pytest.mark.parametrize("name", ["absent.trn", "."])
def test_what_is_no_file_is_refused_by_name(tmp_path: Path, name: str) -> None:
    """A path that is absent or a folder gives one sentence with the path."""
    with pytest.raises(DatasetError, match="cannot be read"):
        read_trn(tmp_path / name)


def test_lines_are_written_as_sclite_reads_them(tmp_path: Path) -> None:
    """Words, a blank and the id in parentheses; of an empty text the id alone."""
    path = tmp_path / "new" / "h.trn"
    write_atomically(path, trn_text(path, {"u1": "one\n  cat", "u2": "", "naïve-東": "東京 (x)"}))
    assert path.read_text(encoding="utf-8") == "one cat (u1)\n(u2)\n東京 (x) (naïve-東)\n"


@pytest.mark.parametrize(
    ("identity", "text", "fact"),
    [
        ("u 1", "x", "is no id"),
        ("u(1", "x", "is no id"),
        ("u1)", "x", "is no id"),
        ("", "x", "is empty"),
        ("u1", "{ a / b }", "alternation"),
        ("u1", "@", "stands for nothing"),
        ("u1", " ;; so", "a reader of this format drops"),
        ("u1", "\ufeffso", "a reader of this format drops"),
        ("u1", "a\0b", "NUL"),
        ("u1", "a\ud83d", "half a character"),
        ("\ud83d", "a", "half a character"),
    ],
)
def test_what_would_read_back_otherwise_is_not_written(tmp_path: Path, identity: str, text: str, fact: str) -> None:
    """An id or text that the format cannot hold is refused by its id, and the old file stays."""
    path = tmp_path / "h.trn"
    path.write_text("old")
    with pytest.raises(DatasetError) as caught:
        write_atomically(path, trn_text(path, {"fine": "yes", identity: text}))
    assert fact in str(caught.value)
    assert str(path) in str(caught.value)
    assert path.read_text() == "old"


WORDS = st.text(st.one_of(st.sampled_from(" ();@{}\r\n\t\0\ufeff\u2028\x85\x1c"), st.characters()), max_size=8)


@given(st.dictionaries(st.one_of(st.sampled_from(["u1", "u2"]), WORDS), WORDS, max_size=4))
@settings(max_examples=300, deadline=None)
def test_what_was_written_reads_back(tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]) -> None:
    """Whatever is written reads back the same but for white space; all else is refused in a sentence of ours."""
    path = tmp_path_factory.mktemp("trn") / "h.trn"
    try:
        write_atomically(path, trn_text(path, texts))
    except DatasetError:
        return
    assert read_trn(path) == {identity: " ".join(text.split()) for identity, text in texts.items()}


@given(st.binary(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whatever a stranger's file holds, it is texts or one sentence of ours."""
    path = tmp_path_factory.mktemp("trn") / "h.trn"
    told = str(path)
    try:
        texts = _read(path, data)
    except DatasetError as error:
        texts, told = {}, str(error)
    assert told.startswith(str(path))
    assert all(isinstance(text, str) for text in texts.values())
