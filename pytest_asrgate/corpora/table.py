"""Anybody's table with a column of audio files and one of transcripts: the corpus that is called csv."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.ids import check_id, note_place
from pytest_asrgate.corpora.tables import Row, Table, quoted_rows, read_table
from pytest_asrgate.corpora.trees import Listings, check_folder
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import shown, tag_problem

__all__ = ["ADAPTER"]

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
# How a tab is often written in a shell.
_TABS = ("\\t", "tab")


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
    """One row, its audio as an absolute path without `..`, by which rows are told apart."""

    place: str
    fields: Sequence[str]
    written: str
    absolute: str


def _delimiter(path: Path, told: str | None) -> str:
    if told is None:
        suffix = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
        if suffix.lower() not in _DELIMITERS:
            known = ", ".join(_DELIMITERS)
            raise DatasetError(
                f"{path}: what parts its columns is known by the name for {known}; give the delimiter"
            )
        return _DELIMITERS[suffix.lower()]
    if told in _TABS:
        return "\t"
    if len(told) != 1 or told in '"\r\n\0':
        raise DatasetError(
            f"{path}: the delimiter must be one character, such as ; or | or \\t; it is {shown(told)}"
        )
    return told


def _columns(table: Table, settings: Settings) -> _Columns:
    def needed(name: str | None, use: str) -> int:
        if name is None:
            known = ", ".join(table.names[:40])
            raise DatasetError(f"{table.place}: say which column is {use}; its columns are {known}")
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


def _lines(table: Table, columns: _Columns, folder: Path) -> Iterator[_Line]:
    for number, fields in table.rows:
        # Spreadsheets leave rows of delimiters alone behind; these are blank lines.
        if not any(field.strip() for field in fields):
            continue
        place = f"{table.path}:{number}"
        written = fields[columns.audio].strip()
        if not written:
            raise DatasetError(f"{place}: the audio column is empty; each row names its sound")
        yield _Line(place, fields, written, os.path.abspath(folder / written))  # noqa: PTH100 - links stay


def _ids(lines: Sequence[_Line], columns: _Columns) -> list[str]:
    """The id of each row: its column as written, else the path without its ending below the folder of all paths."""
    if columns.id is not None:
        return [line.fields[columns.id] for line in lines]
    # Of all rows, also of those without a sound, so that no id changes with what is there.
    common = os.path.commonpath({os.path.dirname(line.absolute) for line in lines})  # noqa: PTH120 - quick
    start = len(common.rstrip(os.sep)) + 1
    return [os.path.splitext(line.absolute[start:])[0].replace(os.sep, "/") for line in lines]  # noqa: PTH122 - quick


def _tags(line: _Line, columns: _Columns, identity: str) -> tuple[str, ...]:
    tags = [f"{group}{value}" for group, place in columns.tags if (value := line.fields[place].strip())]
    for tag in tags:
        if problem := tag_problem(tag):
            raise DatasetError(f"{line.place} ({identity}): a tag {problem}; it is {shown(tag)}")
    return tuple(dict.fromkeys(tags))


def _optional(line: _Line, place: int | None) -> str | None:
    return None if place is None else line.fields[place].strip() or None


def _read(source: Path, settings: Settings) -> Corpus:
    """Every row of the table; audio paths are relative to the folder of sounds, or else to the table's."""
    if source.is_dir():
        raise DatasetError(f"{source}: is a folder; give the table, a file such as {source / 'table.csv'}")
    if not source.exists():
        raise DatasetError(f"{source}: there is no such table")
    delimiter = _delimiter(source, settings.delimiter)

    def rows(path: Path) -> Iterator[Row]:
        return quoted_rows(path, delimiter)

    table = read_table(source, rows, header=settings.header)
    columns = _columns(table, settings)
    folder = source.parent if settings.audio is None else settings.audio
    check_folder(folder, "it is where the audio paths of the table begin")
    lines = list(_lines(table, columns, folder))
    if not lines:
        raise DatasetError(f"{source}: holds no rows below its header")
    clips: list[Clip] = []
    orphans: list[Orphan] = []
    places: dict[str, str] = {}
    mend = "ids must be unique" if columns.id is not None else "both paths give this id; name an id column"
    listings = Listings()
    for line, identity in zip(lines, _ids(lines, columns), strict=True):
        check_id(identity, line.place)
        note_place(places, identity, line.place, mend)
        path = folder / line.written
        if not listings.has(path):
            orphans.append(Orphan(identity, line.place, has_sound=False))
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
    return Corpus(tuple(clips), tuple(orphans))


ADAPTER = Adapter(
    read=_read,
    summary="any table (.csv, .tsv or another delimiter) with a column of audio files and one of transcripts",
    settings=(
        *("audio", "audio_column", "text_column", "id_column", "speaker_column", "language_column", "tag_columns"),
        *("delimiter", "header"),
    ),
)
