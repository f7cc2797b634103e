"""Claims about tables: fields, line numbers, headers, and one sentence for each that cannot be read."""

import csv
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.corpora.tables import doubtful_rows, plain_rows, quoted_rows, read_table, unquoted_rows
from pytest_asrgate.errors import DatasetError
from tests.unit.properties import STEADY

commas = partial(quoted_rows, delimiter=",")
FIELDS = st.text('ab",;é\n', max_size=6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose table is written again and again."""
    return tmp_path_factory.mktemp("tables")


def _file(folder: Path, text: str | bytes) -> Path:
    path = folder / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    return [(number, list(fields)) for number, fields in commas(path)]


def test_lines_are_counted_through_quoted_breaks_and_blank_lines(tmp_path: Path) -> None:
    """A row has the number of the line at which it begins, whatever stands before it."""
    path = _file(tmp_path, '\ufeffa,b\r\n\r\n"one\r\n\r\ntwo",2\r\n\n\n"x ""y""",3\n')
    assert _rows(path) == [(1, ["a", "b"]), (3, ["one\n\ntwo", "2"]), (8, ['x "y"', "3"])]


def test_plain_rows_know_no_quoting(tmp_path: Path) -> None:
    """A quotation mark is a character as any other, and empty fields at the end stay."""
    path = _file(tmp_path, 'a\t"b\tc"\n\n"\t\t\n')
    assert list(plain_rows(path)) == [(1, ["a", '"b', 'c"']), (3, ['"', "", ""])]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('a,b\n"x" y,2\n', ":2: "),
        ('a,b\n1,2\n"open,2\n3,4\n', ":3: "),
        ('a,b\n"1\n2",2\n"x"y"\n', ":4: "),
        ("a,b\n1," + "x" * 140_000 + "\n", ":2: "),
    ],
    ids=["text after a quoted field", "never closed", "after a row of two lines", "endless"],
)
def test_bad_quoting_is_named_by_its_line(tmp_path: Path, text: str, place: str) -> None:
    """A row that is no csv is refused by the line at which it begins."""
    path = _file(tmp_path, text)
    with pytest.raises(DatasetError, match="cannot be read as a row") as caught:
        _rows(path)
    assert str(caught.value).startswith(f"{path}{place}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["a,b\rc,d\r", 'a,b\n"c"\r"d"\r'])
def test_line_ends_of_old_macs_are_named(tmp_path: Path, text: str) -> None:
    """What is wrong is said in words of files, by the line at which it begins, quoted or not."""
    path = _file(tmp_path, text)
    line = 1 + text.count("\n")
    for rows in (_rows, lambda path: list(unquoted_rows(path, ","))):
        with pytest.raises(DatasetError) as caught:
            rows(path)
        ends = "lines end in CR alone, as on old Macs; save it with ordinary line ends"
        assert str(caught.value) == f"{path}:{line}: {ends}"


def test_doubtful_quotation_marks_are_refused_by_line(tmp_path: Path) -> None:
    """Only one at the start of a field is read in two ways."""
    path = _file(tmp_path, 'a\tb"c"\n\nd\t"e"\n')
    rows = doubtful_rows(path, "\t")
    assert next(rows) == (1, ["a", 'b"c"'])
    with pytest.raises(DatasetError, match=f"{path}:3: "):
        next(rows)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf16_is_refused_with_the_mend(tmp_path: Path, encoding: str) -> None:
    """What Excel saves as Unicode text is named, with what to save instead."""
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    path = _file(tmp_path, f"{mark}a,b\n".encode(encoding))
    with pytest.raises(DatasetError, match=r"UTF-16.* UTF-8"):
        _rows(path)


def test_columns_are_found_by_name_or_number(tmp_path: Path) -> None:
    """Names are those of the header without spaces around them, or numbers from 1."""
    path = _file(tmp_path, "file, said\na,b\n")
    table = read_table(path, commas)
    assert (table.names, table.column("said", "the text")) == (("file", "said"), 1)
    assert list(table.rows) == [(2, ["a", "b"])]
    table = read_table(path, commas, header=False)
    assert (table.column("2", "the text"), len(list(table.rows))) == (1, 2)
    assert table.optional("said") is None


@pytest.mark.parametrize(
    ("header", "name", "words"),
    [
        (True, "sentense", ":1: has no column 'sentense' (the text); did you mean 'sentence'?"),
        (True, "zzz", ":1: has no column 'zzz' (the text); known here: path, sentence, twice, twice"),
        (True, "twice", ":1: the column 'twice' stands 2 times"),
        (False, "sentence", ": has no column 'sentence' (the text); without a header a column is a number"),
        (False, "0", "a number from 1 to 4"),
        (False, "5", "a number from 1 to 4"),
    ],
)
def test_an_unknown_column_is_refused_with_the_nearest(tmp_path: Path, header: bool, name: str, words: str) -> None:
    """One sentence says where the names stand, and which would be right."""
    path = _file(tmp_path, "path,sentence,twice,twice\na,b,c,d\n")
    with pytest.raises(DatasetError) as caught:
        read_table(path, commas, header=header).column(name, "the text")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "header", "words"),
    [
        ("a,b\n1,2\n3\n", True, ":3: has 1 field, while the header has 2"),
        ("a,b\n1,2,3\n", True, ":2: has 3 fields, while the header has 2"),
        ("a,b\n1,2\n\n3\n", False, ":4: has 1 field, while line 1 has 2"),
        ("", True, ": holds no rows"),
        ("\n \n", False, ": holds no rows"),
    ],
)
def test_an_uneven_table_is_refused_by_line(tmp_path: Path, text: str, header: bool, words: str) -> None:
    """Too many or too few fields are named by file and line, and so is an empty table."""
    path = _file(tmp_path, text)
    with pytest.raises(DatasetError) as caught:
        list(read_table(path, commas, header=header).rows)
    assert str(caught.value) == f"{path}{words}"


@STEADY
@given(rows=st.lists(st.lists(FIELDS, min_size=2, max_size=3), max_size=5))
def test_what_csv_writes_is_read_back_with_its_lines(folder: Path, rows: list[list[str]]) -> None:
    """Whatever the fields hold, they are read as they were, and a row begins behind those before it."""
    path = folder / "written.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    starts = [1 + sum(1 + "".join(row).count("\n") for row in rows[:number]) for number in range(len(rows))]
    assert _rows(path) == list(zip(starts, rows, strict=True))


@STEADY
@given(
    data=st.lists(
        st.sampled_from([b"a", b",", b'"', b"\n", b"\r", b"\t", b" ", b"\0", b"\xff", b"\xfe"]), max_size=12
    )
)
def test_any_bytes_are_rows_or_refused(folder: Path, data: list[bytes]) -> None:
    """No table ends in anything but rows or one sentence that begins with its name."""
    path = _file(folder, b"".join(data))
    for header in (True, False):
        try:
            table = read_table(path, commas, header=header)
            assert all(len(fields) == len(table.names) for _, fields in table.rows)
        except DatasetError as error:
            assert str(error).startswith(f"{path}:")  # noqa: PT017 - most data are fine
            assert "\n" not in str(error)  # noqa: PT017 - as above
