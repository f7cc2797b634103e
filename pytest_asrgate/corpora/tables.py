"""Tables of corpora, row by row with line numbers: fields parted by one character, plain or quoted as csv is."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.corpora.lines import text_lines
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import plural, shown

__all__ = ["Row", "Table", "doubtful_rows", "plain_rows", "quoted_rows", "read_table", "unquoted_rows"]

# The line at which the row begins, from 1, and its fields.
Row = tuple[int, Sequence[str]]

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def plain_rows(path: Path, delimiter: str = "\t") -> Iterator[Row]:
    """The rows of a table without quoting, one a line, without blank lines; DatasetError as `text_lines`."""
    for number, line in text_lines(path):
        yield number, line.split(delimiter)


class _WholeLines:
    """Every line of a file with its end; those passed over by `text_lines` are empty, so that the count stays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Without its end, so that a CR in it ends no line.
        self.line = ""

    def __iter__(self) -> Iterator[str]:
        last = 0
        for number, line in text_lines(self.path):
            self.line = line
            yield from ["\n"] * (number - last - 1)
            yield f"{line}\n"
            last = number


def _old_ends(place: str) -> DatasetError:
    return DatasetError(f"{place}: lines end in CR alone, as on old Macs; save it with ordinary line ends")


def _refuse_utf16(path: Path) -> None:
    try:
        # Opening a pipe may wait for ever.
        if not path.is_file():
            return
        with path.open("rb") as file:
            mark = file.read(2)
    except OSError:
        # Said where the lines are read.
        return
    if mark in _UTF16_MARKS:
        raise DatasetError(
            f"{path}: is UTF-16, which spreadsheets call Unicode text; save it as UTF-8 (in Excel: CSV UTF-8)"
        )


def quoted_rows(path: Path, delimiter: str) -> Iterator[Row]:
    """The rows of a table as csv has it: a field in quotation marks may hold anything, also line breaks (as LF).

    Raises DatasetError as `text_lines`, and by file and line for a file in UTF-16, line ends of old Macs, quotation
    marks that are not doubled or not closed, and a field of more than 131072 characters.
    """
    _refuse_utf16(path)
    lines = _WholeLines(path)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    first = 1
    try:
        for fields in reader:
            if fields:
                yield first, fields
            first = reader.line_num + 1
    except csv.Error as error:
        if "\r" in lines.line:
            raise _old_ends(f"{path}:{first}") from error
        raise DatasetError(
            f"{path}:{first}: cannot be read as a row ({error}); a field that holds quotation marks, line breaks "
            "or the delimiter stands in quotation marks, and those within it are doubled"
        ) from error


def unquoted_rows(path: Path, delimiter: str) -> Iterator[Row]:
    """The rows of a table in which a quotation mark is a character as any other, one row a line.

    Raises DatasetError as `text_lines`, for a file in UTF-16, and by file and line for line ends of old Macs.
    """
    _refuse_utf16(path)
    for number, fields in plain_rows(path, delimiter):
        if any("\r" in field for field in fields):
            raise _old_ends(f"{path}:{number}")
        yield number, fields


def doubtful_rows(path: Path, delimiter: str) -> Iterator[Row]:
    """The rows of a table of which nobody said whether it is quoted, which only matters where a field begins so.

    Raises DatasetError as `unquoted_rows`, and by file and line for a field that begins with a quotation mark: read
    as csv an open one would take the rows below it into its field.
    """
    for number, fields in unquoted_rows(path, delimiter):
        for field in fields:
            if field.startswith('"'):
                raise DatasetError(
                    f"{path}:{number}: a field begins with a quotation mark ({shown(field)}); say --quoting none "
                    "where such marks are part of the text, or --quoting csv where they stand around a field"
                )
        yield number, fields


@dataclass(frozen=True, slots=True)
class Table:
    """The names of a table's columns, and its rows, each of which has a field for each name.

    Without a header the names are the numbers from 1. `line` is that of the header, 0 where there is none.
    """

    path: Path
    names: tuple[str, ...]
    rows: Iterator[Row]
    line: int = 1

    @property
    def place(self) -> str:
        """Where the names stand, for messages."""
        return f"{self.path}:{self.line}" if self.line else str(self.path)

    def column(self, name: str, use: str) -> int:
        """The place of a column, from 0; `use` says in a message what it is wanted for.

        Raises DatasetError with the nearest right name for one that is not there, and for one that stands twice.
        """
        wanted = name.strip()
        count = self.names.count(wanted)
        if count == 1:
            return self.names.index(wanted)
        if count:
            raise DatasetError(f"{self.place}: the column {shown(wanted)} stands {count} times; rename one of them")
        if not self.line:
            raise DatasetError(
                f"{self.path}: has no column {shown(wanted)} ({use}); without a header a column is a number "
                f"from 1 to {len(self.names)}"
            )
        from pytest_asrgate.config.problems import nearest  # noqa: PLC0415 - pydantic: only a message needs it

        raise DatasetError(f"{self.place}: has no column {shown(wanted)} ({use}){nearest(wanted, self.names)}")

    def optional(self, name: str) -> int | None:
        """The place of a column that need not be there, None where it is not; DatasetError where it is twice."""
        return self.column(name, "") if name in self.names else None


def _even(path: Path, rows: Iterable[Row], size: int, rule: str) -> Iterator[Row]:
    for number, fields in rows:
        if len(fields) != size:
            raise DatasetError(f"{path}:{number}: has {plural(len(fields), 'field')}, while {rule} {size}")
        yield number, fields


def read_table(path: Path, rows: Callable[[Path], Iterator[Row]], *, header: bool = True) -> Table:
    """A table whose rows are read by `rows` when they are asked for, so that it can be gone through once.

    Raises DatasetError for an empty table, and then by file and line for a row with too many or too few fields.
    """
    found = rows(path)
    number, fields = next(found, (0, ()))
    if not number:
        raise DatasetError(f"{path}: holds no rows")
    if header:
        names = tuple(name.strip() for name in fields)
        return Table(path, names, _even(path, found, len(names), "the header has"), number)

    def all_rows() -> Iterator[Row]:
        yield number, fields
        yield from found

    names = tuple(str(place) for place in range(1, len(fields) + 1))
    return Table(path, names, _even(path, all_rows(), len(names), f"line {number} has"), 0)
