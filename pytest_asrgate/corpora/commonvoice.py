"""One language of a Common Voice release: a table with a header for each split, and one folder of clips for all."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.ids import check_id, note_place
from pytest_asrgate.corpora.tables import Table, plain_rows, read_table
from pytest_asrgate.corpora.trees import check_folder, walk
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.languages import language_problem
from pytest_asrgate.values import first_of, named, plural, shown, tag_problem

__all__ = ["ADAPTER"]

_GIVE = "give the folder of one language, such as cv-corpus-17.0-2024-03-15/hi"
_CLIPS = "clips"
_SOUND = ".mp3"
_USUAL_SPLIT = "test"
# The tag's group, and what its column was called in releases from new to old.
_TAGS = {"gender": ("gender",), "age": ("age",), "accent": ("accents", "accent")}
# en, zh-CN, rm-sursilv.
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z]+)?")


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where in a row what is used of it stands; columns changed from release to release, so most may be absent."""

    path: int
    sentence: int
    speaker: int | None
    locale: int | None
    tags: Mapping[str, int]


def _columns(table: Table) -> _Columns:
    if "audio_file" in table.names and "transcription" in table.names:
        raise _spontaneous(table.path)
    places = {group: [table.optional(name) for name in names] for group, names in _TAGS.items()}
    return _Columns(
        table.column("path", "the file"),
        table.column("sentence", "the transcript"),
        table.optional("client_id"),
        table.optional("locale"),
        {group: place for group, found in places.items() for place in found if place is not None},
    )


def _spontaneous(path: Path) -> DatasetError:
    return DatasetError(
        f"{path}: is of a release of spontaneous speech, which has other columns; read this file as the corpus "
        "csv, with --audio-column audio_file --text-column transcription --quoting none "
        "--audio and the folder audios"
    )


def _table(source: Path, split: str) -> Path:
    _, files = next(walk(source))
    path = source / f"{split}.tsv"
    if path.name in files:
        return path
    spontaneous = [name for name in files if name.startswith("ss-corpus-") and name.endswith(".tsv")]
    if spontaneous:
        raise _spontaneous(source / spontaneous[0])
    splits = [name.removesuffix(".tsv") for name in files if name.endswith(".tsv")]
    if splits:
        raise DatasetError(f"{source}: has no split {shown(split)}; it has {named(splits)}")
    folders = [path.name for path in sorted(source.iterdir()) if (path / f"{_USUAL_SPLIT}.tsv").is_file()]
    inside = f"; it holds the languages {first_of(folders)}" if folders else ""
    raise DatasetError(f"{source}: has no {path.name}{inside}; {_GIVE}")


def _folder_language(source: Path) -> str | None:
    """The folder's name where it is a tag; None for any other name."""
    name = Path(os.path.abspath(source)).name  # noqa: PTH100 - resolve() would follow links to other names
    return name if _LANGUAGE.fullmatch(name) and language_problem(name) is None else None


def _tags(fields: Sequence[str], columns: _Columns) -> list[str]:
    """A tag for each group that the row tells, good ones or not: accents are texts that anybody may write."""
    values = ((group, fields[place].strip()) for group, place in columns.tags.items())
    return [f"{group}:{value}" for group, value in values if value]


def _read(source: Path, settings: Settings) -> Corpus:
    """One split, `test` unless another is chosen; clips that it does not name are those of other splits."""
    check_folder(source, _GIVE)
    path = _table(source, _USUAL_SPLIT if settings.split is None else settings.split)
    table = read_table(path, plain_rows)
    columns = _columns(table)
    folder = source / _CLIPS
    check_folder(folder, f"the sounds of {path.name} are looked for there")
    files = frozenset(next(walk(folder))[1])
    usual = _folder_language(source)
    clips: list[Clip] = []
    orphans: list[Orphan] = []
    places: dict[str, str] = {}
    dropped = 0
    for number, fields in table.rows:
        place, written = f"{path}:{number}", fields[columns.path].strip()
        # Releases differ in whether the names have their ending.
        name = written if written in files or written.endswith(_SOUND) else f"{written}{_SOUND}"
        identity = Path(name).stem if written else ""
        check_id(identity, place)
        if "/" in written:
            raise DatasetError(f"{place}: path must be the name of a file in {_CLIPS}; it is {shown(written)}")
        note_place(places, identity, place, "each clip has one row")
        if name not in files:
            orphans.append(Orphan(identity, place, has_sound=False))
            continue
        tags = _tags(fields, columns)
        good = tuple(tag for tag in tags if not tag_problem(tag))
        dropped += len(tags) - len(good)
        clips.append(
            Clip(
                id=identity,
                sound=Sound(folder / name),
                text=fields[columns.sentence].strip(),
                place=place,
                language=_field(fields, columns.locale) or usual,
                speaker=_field(fields, columns.speaker),
                tags=good,
            )
        )
    if not places:
        raise DatasetError(f"{path}: holds no rows below its header")
    note = f"{plural(dropped, 'value')} of gender, age or accent too long or odd for a tag: left out"
    return Corpus(tuple(clips), tuple(orphans), (note,) if dropped else ())


def _field(fields: Sequence[str], place: int | None) -> str | None:
    return None if place is None else fields[place].strip() or None


ADAPTER = Adapter(
    read=_read,
    summary="one language of Common Voice as downloaded: test.tsv and its like, beside clips/",
    settings=("split",),
)
