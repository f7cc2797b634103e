"""Manifests as NeMo reads them: JSON lines with `audio_filepath`, `text` and, for a part of a file, `offset`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_asrgate.audio import audio_length
from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.ids import check_id, note_place, path_ids
from pytest_asrgate.corpora.trees import Listings, check_file, check_folder
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.jsonlines import read_rows
from pytest_asrgate.values import finite_number, named, plural, shown

__all__ = ["ADAPTER"]

# Stands in the names of tar files and of manifests by the hundred, of which NeMo is told the pattern.
_SHARDS = "_OP_"
_TARRED = "sounds in tar files are not read; unpack them and give a manifest that names the files"
# In seconds; how far a duration and the length of its whole file may lie apart, since manifests round.
_ROUNDED_S = 0.1


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that was checked; `identity` is None where the path is to give it, `cut` says that it has an offset."""

    place: str
    identity: str | None
    written: str
    sound: Sound
    text: str
    language: str | None
    speaker: str | None
    sharded: bool
    cut: bool


def _checked(value: object, key: str, where: str) -> str:
    """A text of a row that is no empty one."""
    if not isinstance(value, str):
        raise DatasetError(f"{where}: {key} must be a text; it is {shown(value)}")
    if not value.strip():
        raise DatasetError(f"{where}: {key} must not be empty")
    if "\0" in value:
        raise DatasetError(f"{where}: {key} must not hold a NUL character")
    return value


def _name(row: Mapping[str, Any], key: str, where: str) -> str | None:
    """A text, or a whole number as one; None where there is none."""
    value = row.get(key)
    if value is None and key != "id":
        return None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**30:
        return str(value)
    return _checked(value, key, where)


def _language(row: Mapping[str, Any], where: str) -> str | None:
    first, second = (
        None if row.get(key) is None else _checked(row[key], key, where) for key in ("lang", "language")
    )
    if first is not None and second is not None and first != second:
        raise DatasetError(f"{where}: lang is {shown(first)} and language is {shown(second)}; keep the right one")
    return first or second


def _part(row: Mapping[str, Any], where: str) -> tuple[float, float | None]:
    """Start and end of the sound in seconds: from 0 without an offset, to None for a row without a duration."""
    cut = row.get("offset") is not None
    offset = finite_number(row["offset"]) if cut else 0.0
    if offset is None or offset < 0:
        raise DatasetError(f"{where}: offset must be a number of seconds from 0; it is {shown(row['offset'])}")
    if row.get("duration") is None:
        if not cut:
            return 0.0, None
        raise DatasetError(f"{where}: offset is given without a duration; give both, or neither for a whole file")
    duration = finite_number(row["duration"])
    if duration is None or duration <= 0:
        raise DatasetError(f"{where}: duration must be a number of seconds above 0; it is {shown(row['duration'])}")
    return offset, offset + duration


def _row(row: Mapping[str, Any], where: str, folder: Path) -> _Row:
    identity = _name(row, "id", where) if "id" in row else None
    place = where
    if identity is not None:
        check_id(identity, where)
        where = f"{where} ({identity})"
    for key in ("audio_filepath", "text"):
        if key not in row:
            raise DatasetError(f"{where}: has no {key}; it has {named(sorted(row)) or 'no keys'}")
    written = _checked(row["audio_filepath"], "audio_filepath", where)
    if _SHARDS in written:
        raise DatasetError(f"{where}: audio_filepath is {shown(written)}; {_TARRED}")
    text = row["text"]
    if not isinstance(text, str) or text.strip():
        text = _checked(text, "text", where)
    start, end = _part(row, where)
    return _Row(
        place=place,
        identity=identity,
        written=written,
        sound=Sound(folder / written, start_s=start, end_s=end),
        text=text.strip(),
        language=_language(row, where),
        speaker=_name(row, "speaker", where),
        sharded=row.get("shard_id") is not None,
        cut=row.get("offset") is not None,
    )


def _rows(source: Path, settings: Settings) -> list[_Row]:
    if _SHARDS in source.name:
        raise DatasetError(f"{source}: {_SHARDS} stands for many manifests, and their {_TARRED}")
    check_file(source, "manifest", "give the manifest itself, a file of JSON lines")
    if settings.audio is not None:
        check_folder(settings.audio, "--audio is the folder that paths of the manifest begin in")
    folder = settings.audio or source.parent
    rows = [_row(row, f"{source}:{number}", folder) for number, row in read_rows(source)]
    if not rows:
        raise DatasetError(f"{source}: holds no rows; each is an object with audio_filepath and text")
    return rows


def _ids(rows: Sequence[_Row], folder: Path) -> list[str]:
    """Each row's own id, or the one that its path and offset give."""
    ids = []
    for row, name in zip(rows, path_ids([row.written for row in rows], folder), strict=True):
        identity = row.identity
        if identity is None:
            identity = f"{name}-{row.sound.start_s * 1000:.0f}ms" if row.cut else name
            check_id(identity, row.place)
        ids.append(identity)
    return ids


def _sound(row: _Row) -> tuple[Sound, bool]:
    """The sound of a row that is there, and whether its duration alone makes it a part of the file.

    As long as the file is the whole file. What is longer stays so, since it cannot be read.
    """
    end = row.sound.end_s
    length = None if row.cut or end is None else audio_length(row.sound.path)
    if length is None or end is None:
        return row.sound, False
    if abs(length - end) <= _ROUNDED_S:
        return replace(row.sound, end_s=None), False
    return row.sound, end < length


def _notes(source: Path, shorter: Sequence[str], absent: Sequence[str]) -> Iterator[str]:
    if shorter:
        rows = plural(len(shorter), "row")
        yield f"{rows} of {source} with a duration shorter than the file, read from its start: {named(shorter)}"
    if absent:
        yield f"{plural(len(absent), 'path')} of {source} with no file there: {named(absent)}"


def _read(source: Path, settings: Settings) -> Corpus:
    """Read a manifest; a row without `id` is named by its path.

    That name is the path without its ending, and where the row has an offset its whole milliseconds:
    `calls/17-2500ms`. A relative path is taken as written, whatever other rows there are; an absolute one from
    where relative ones begin, if it is below that, else from the last folder that all absolute ones are below.

    A row with a duration and no offset is, as in NeMo, so much from the file's start.
    """
    rows = _rows(source, settings)
    listings = Listings()
    places: dict[str, str] = {}
    clips, orphans, absent, shorter = [], [], [], []
    for identity, row in zip(_ids(rows, settings.audio or source.parent), rows, strict=True):
        note_place(places, identity, row.place, 'give each row an "id" of its own, or keep one of the two')
        if listings.has(row.sound.path):
            sound, part = _sound(row)
            if part:
                shorter.append(identity)
            clips.append(
                Clip(
                    id=identity,
                    sound=sound,
                    text=row.text,
                    place=row.place,
                    language=row.language,
                    speaker=row.speaker,
                )
            )
        elif row.sharded:
            raise DatasetError(
                f"{row.place} ({identity}): has a shard_id, and {shown(row.written)} is not there; {_TARRED}"
            )
        else:
            orphans.append(Orphan(identity, row.place, has_sound=False))
            absent.append(str(row.sound.path))
    return Corpus(tuple(clips), tuple(orphans), tuple(_notes(source, shorter, absent)))


ADAPTER = Adapter(
    read=_read,
    summary="a NeMo manifest: JSON lines with audio_filepath and text",
    settings=("audio",),
)
