"""Anybody's table with a column of audio files and one of transcripts: the corpus that is called csv."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.ids import check_id, note_place, path_ids
from pytest_asrgate.corpora.tables import Row, Table, doubtful_rows, quoted_rows, read_table, unquoted_rows
from pytest_asrgate.corpora.trees import Listings, check_folder
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import first_of, named, plural, shown, tag_problem

__all__ = ["ADAPTER"]

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
# How a tab is often written in a shell.
_TABS = ("\\t", "tab")
# Those of tables that are mostly written as csv; a quotation mark in other tables may be anything.
_QUOTED = ",;"
_USUAL = ",;\t|"
# What spreadsheets write and read above a header.
_SPREADSHEET = re.compile("sep=(.)")


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where in a row what is used of it stands; each tag column with what its tags begin with."""

    audio: int
    text: int
    id: int | None
    speaker: int | None
    language: int | None
    tags: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """One row, its audio as written."""

    place: str
    fields: Sequence[str]
    written: str


def _delimiter(path: Path, told: str | None) -> str:
    if told is None:
        suffix = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
        if suffix.lower() not in _DELIMITERS:
            known = ", ".join(_DELIMITERS)
            raise DatasetError(
                f"{path}: what parts its columns is known by the name for {known}; say it by --delimiter"
            )
        return _DELIMITERS[suffix.lower()]
    if told in _TABS:
        return "\t"
    if len(told) != 1 or told in '"\r\n\0':
        raise DatasetError(f"{path}: --delimiter must be one character, such as ; or | or \\t; it is {shown(told)}")
    return told


def _say(delimiter: str) -> str:
    return f"say --delimiter {delimiter!r}"


def _checked(rows: Iterator[Row], path: Path, delimiter: str) -> Iterator[Row]:
    """The rows, the first of which is looked at: whether it is parted by something else than it was read by."""
    number, fields = next(rows, (0, ()))
    if not number:
        return
    told = _SPREADSHEET.fullmatch(delimiter.join(fields))
    if told:
        raise DatasetError(
            f"{path}:{number}: names the delimiter for a spreadsheet and is no row; take it away "
            f"and {_say(told[1])}"
        )
    other = [sign for sign in _USUAL if len(fields) == 1 and sign in fields[0] and sign != delimiter]
    if other:
        raise DatasetError(
            f"{path}:{number}: its first line is one field, with {other[0]!r} in it; {_say(other[0])}"
        )
    yield number, fields
    yield from rows


def _rows(path: Path, delimiter: str, quoting: str | None) -> Iterator[Row]:
    if quoting not in {None, "csv", "none"}:
        raise DatasetError(f"{path}: --quoting is csv or none; it is {shown(quoting)}")
    if quoting == "csv" or (quoting is None and delimiter in _QUOTED):
        return _checked(quoted_rows(path, delimiter), path, delimiter)
    rows = doubtful_rows if quoting is None else unquoted_rows
    return _checked(rows(path, delimiter), path, delimiter)


def _columns(table: Table, settings: Settings) -> _Columns:
    def needed(name: str | None, use: str) -> int:
        if name is None:
            known = ", ".join(table.names[:40])
            raise DatasetError(
                f"{table.place}: say which column is {use} by --{use.removeprefix('the ').replace(' ', '-')}; "
                f"its columns are {known}"
            )
        return table.column(name, use)

    def optional(name: str | None, use: str) -> int | None:
        return None if name is None else table.column(name, use)

    return _Columns(
        needed(settings.audio_column, "the audio column"),
        needed(settings.text_column, "the text column"),
        optional(settings.id_column, "the id column"),
        optional(settings.speaker_column, "the speaker column"),
        optional(settings.language_column, "the language column"),
        # A number says nothing to who reads a tag.
        tuple(
            (f"{name.strip()}:" if settings.header else "", table.column(name, "a tag column"))
            for name in settings.tag_columns
        ),
    )


def _lines(table: Table, columns: _Columns) -> Iterator[_Line]:
    for number, fields in table.rows:
        # Spreadsheets leave rows of delimiters alone behind; these are blank lines.
        if not any(field.strip() for field in fields):
            continue
        place = f"{table.path}:{number}"
        written = fields[columns.audio].strip()
        if not written:
            raise DatasetError(f"{place}: the audio column is empty; each row names its sound")
        yield _Line(place, fields, written)


def _ids(lines: Sequence[_Line], columns: _Columns, folder: Path) -> list[str]:
    """The id of each row: its column as written, else what its path gives, whether the sound is there or not."""
    if columns.id is not None:
        return [line.fields[columns.id] for line in lines]
    return path_ids([line.written for line in lines], folder)


def _tags(line: _Line, columns: _Columns, identity: str) -> tuple[str, ...]:
    tags = [f"{group}{value}" for group, place in columns.tags if (value := line.fields[place].strip())]
    for tag in tags:
        if problem := tag_problem(tag):
            raise DatasetError(f"{line.place} ({identity}): a tag {problem}; it is {shown(tag)}")
    return tuple(dict.fromkeys(tags))


def _optional(line: _Line, place: int | None) -> str | None:
    return None if place is None else line.fields[place].strip() or None


def _notes(source: Path, folder: Path, absent: Sequence[_Line]) -> Iterator[str]:
    """Sentences on the paths that lead to no file."""
    if absent:
        paths = named([str(folder / line.written) for line in absent])
        yield f"{plural(len(absent), 'path')} of {source} with no file there: {paths}"
    backslashes = [f"{line.written!r} ({line.place})" for line in absent if "\\" in line.written]
    if backslashes:
        verb = "holds" if len(backslashes) == 1 else "hold"
        yield (
            f"{len(backslashes)} of these paths {verb} a backslash, which parts no folders here: "
            f"{first_of(backslashes)}; write / instead, and paths that begin in {folder} or in --audio DIR"
        )


def _read(source: Path, settings: Settings) -> Corpus:
    """Every row of the table; audio paths are relative to the folder of sounds, or else to the table's.

    Without an id column a row is named by its path without the ending: as written where it is relative, and so
    whatever other rows there are; an absolute one from where relative ones begin, if it is below that, else from
    the last folder that all absolute ones are below.
    """
    if source.is_dir():
        raise DatasetError(f"{source}: is a folder; give the table, a file such as {source / 'table.csv'}")
    if not source.exists():
        raise DatasetError(f"{source}: there is no such table")
    delimiter = _delimiter(source, settings.delimiter)

    def rows(path: Path) -> Iterator[Row]:
        return _rows(path, delimiter, settings.quoting)

    table = read_table(source, rows, header=settings.header)
    columns = _columns(table, settings)
    folder = source.parent if settings.audio is None else settings.audio
    check_folder(folder, "--audio is where the paths of the table begin")
    lines = list(_lines(table, columns))
    if not lines:
        raise DatasetError(f"{source}: holds no rows below its header")
    clips: list[Clip] = []
    orphans: list[Orphan] = []
    places: dict[str, str] = {}
    by_path = "both paths give this id; name an id column by --id-column"
    mend = by_path if columns.id is None else "ids must be unique"
    listings, absent = Listings(), list[_Line]()
    for line, identity in zip(lines, _ids(lines, columns, folder), strict=True):
        check_id(identity, line.place)
        note_place(places, identity, line.place, mend)
        path = folder / line.written
        if not listings.has(path):
            orphans.append(Orphan(identity, line.place, has_sound=False))
            absent.append(line)
            continue
        clips.append(
            Clip(
                id=identity,
                sound=Sound(path),
                text=line.fields[columns.text].strip(),
                place=line.place,
                language=_optional(line, columns.language),
                speaker=_optional(line, columns.speaker),
                tags=_tags(line, columns, identity),
            )
        )
    return Corpus(tuple(clips), tuple(orphans), tuple(_notes(source, folder, absent)))


ADAPTER = Adapter(
    read=_read,
    summary="any table (.csv, .tsv or another delimiter) with a column of audio files and one of transcripts",
    settings=(
        *("audio", "audio_column", "text_column", "id_column", "speaker_column", "language_column", "tag_columns"),
        *("delimiter", "quoting", "header"),
    ),
)
