"""Trees as LibriSpeech is unpacked: SPEAKER/CHAPTER/SPEAKER-CHAPTER.trans.txt, a sound beside it for each line."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.ids import check_id, note_place
from pytest_asrgate.corpora.lines import text_lines
from pytest_asrgate.corpora.trees import check_folder, is_file, walk
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import named, plural, without_surrogates

__all__ = ["ADAPTER"]

_TRANSCRIPT = ".trans.txt"
# The first is taken where both are.
_SOUNDS = ("flac", "wav")
_SPEAKERS = "SPEAKERS.TXT"
# What `split` says to read all of them.
_ALL = "all"
_TAGS = {"F": "female", "M": "male"}
_BLANK = re.compile("[ \t]+")


@dataclass(frozen=True, slots=True)
class _Chapter:
    """A folder's transcripts, and its sounds by id; `both` counts ids that have one of each kind."""

    folder: Path
    split: Path
    transcripts: Sequence[str]
    sounds: Mapping[str, str]
    both: int


@dataclass(slots=True)
class _Found:
    """What was read so far; `places` is where each id stands, over all chapters."""

    clips: list[Clip] = field(default_factory=list)
    orphans: list[Orphan] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)


def _split_of(folder: Path, stem: str) -> Path:
    """The folder of the split: above SPEAKER/CHAPTER, as far as folders have the names that a file begins with."""
    # A source such as `.` has no names of folders.
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - resolve() would follow links to other names
    speaker, _, rest = stem.partition("-")
    if rest and folder.name == rest.partition("-")[0]:
        folder = folder.parent
    return folder.parent if rest and folder.name == speaker else folder


def _chapter(folder: Path, names: Iterable[str]) -> _Chapter | None:
    transcripts: list[str] = []
    sounds: dict[str, str] = {}
    both = 0
    for name in names:
        stem, _, suffix = name.rpartition(".")
        if name.endswith(_TRANSCRIPT):
            transcripts.append(name)
        elif suffix.lower() in _SOUNDS:
            both += stem in sounds
            if stem not in sounds or suffix.lower() == _SOUNDS[0]:
                sounds[stem] = name
    if not transcripts and not sounds:
        return None
    first = transcripts[0].removesuffix(_TRANSCRIPT) if transcripts else next(iter(sounds))
    return _Chapter(folder, _split_of(folder, first), transcripts, sounds, both)


def _chosen(source: Path, chapters: Sequence[_Chapter], split: str | None) -> list[_Chapter]:
    """The chapters of the split that is asked for, or of the only one."""
    splits = {chapter.split for chapter in chapters if chapter.transcripts}
    if not splits:
        raise DatasetError(
            f"{source}: holds no SPEAKER-CHAPTER{_TRANSCRIPT} anywhere below it; "
            "give the folder of an unpacked LibriSpeech, or of a part of it"
        )
    names = sorted({folder.name for folder in splits})
    if split == _ALL or (split is None and len(splits) == 1):
        return list(chapters)
    if split is None:
        places = names if len(names) == len(splits) else sorted(map(str, splits))
        raise DatasetError(
            f"{source}: holds several splits ({named(places)}), which are different tests; "
            f"choose one by --split, or all of them by --split {_ALL}"
        )
    if split not in names:
        raise DatasetError(f"{source}: has no split {split!r}; it has {named(names)}")
    return [chapter for chapter in chapters if chapter.split.name == split]


def _speakers_file(source: Path, splits: Iterable[Path]) -> Path | None:
    """SPEAKERS.TXT in the source or up to three folders above it, or beside a split that lies below the source."""
    start = Path(os.path.abspath(source))  # noqa: PTH100 - as in _split_of
    folders = [start, *list(start.parents)[:3], *sorted({split.parent for split in splits})]
    return next((folder / _SPEAKERS for folder in folders if is_file(folder / _SPEAKERS)), None)


def _tags(path: Path) -> dict[str, str]:
    """The tag of each speaker whose sex the file tells, a line each: `id | sex | subset | minutes | name`."""
    tags: dict[str, str] = {}
    places: dict[str, str] = {}
    for number, line in text_lines(path):
        if line.lstrip().startswith(";"):
            continue
        # A name, the last column, may hold the sign that parts them.
        columns = [column.strip() for column in line.split("|")[:3]]
        if len(columns) < 3 or not columns[0]:
            raise DatasetError(
                f"{path}:{number}: a line is id | sex | subset | minutes | name; it has no such columns"
            )
        note_place(places, columns[0], f"{path}:{number}")
        if columns[1].upper() in _TAGS:
            tags[columns[0]] = _TAGS[columns[1].upper()]
    return tags


def _speaker(identity: str, folder: Path) -> str | None:
    speaker, sign, _ = identity.partition("-")
    if sign and speaker.strip():
        return speaker
    return Path(os.path.abspath(folder)).parent.name or None  # noqa: PTH100 - as in _split_of


def _read_chapter(source: Path, chapter: _Chapter, tags: Mapping[str, str], found: _Found) -> None:
    lonely = dict(chapter.sounds)
    for name in chapter.transcripts:
        path = chapter.folder / name
        for number, line in text_lines(path):
            place = f"{path}:{number}"
            identity, *words = _BLANK.split(line.strip(" \t"), maxsplit=1)
            check_id(identity, place)
            note_place(found.places, identity, place)
            file = lonely.pop(identity, None)
            if file is None:
                found.orphans.append(Orphan(identity, place, has_sound=False))
                continue
            speaker = _speaker(identity, chapter.folder)
            tag = tags.get(speaker or "")
            found.clips.append(
                Clip(
                    id=identity,
                    sound=Sound(chapter.folder / file),
                    text=words[0].strip() if words else "",
                    place=place,
                    speaker=speaker,
                    tags=(tag,) if tag else (),
                )
            )
    for file in lonely.values():
        path = chapter.folder / file
        name = without_surrogates(path.relative_to(source).as_posix())
        found.orphans.append(Orphan(name, without_surrogates(str(path)), has_sound=True))


def _read(source: Path, settings: Settings) -> Corpus:
    check_folder(source, "give the folder of an unpacked LibriSpeech, or of a part of it")
    walked = (_chapter(folder, names) for folder, names in walk(source))
    chapters = _chosen(source, [chapter for chapter in walked if chapter is not None], settings.split)
    speakers = _speakers_file(source, {chapter.split for chapter in chapters if chapter.transcripts})
    tags = {} if speakers is None else _tags(speakers)
    found = _Found()
    for chapter in chapters:
        _read_chapter(source, chapter, tags, found)
    if not found.places:
        raise DatasetError(f"{source}: its transcripts hold no line; each is an id and what was said")
    notes = []
    both = sum(chapter.both for chapter in chapters)
    if both:
        notes.append(f"{plural(both, 'utterance')} in both .flac and .wav: the .flac is read")
    unknown = sorted({clip.speaker or "" for clip in found.clips if not clip.tags})
    if speakers is not None and unknown:
        notes.append(f"{speakers} does not say F or M of {named(unknown)}")
    return Corpus(tuple(found.clips), tuple(found.orphans), tuple(notes))


ADAPTER = Adapter(
    read=_read,
    summary=f"a LibriSpeech-shaped tree: SPEAKER/CHAPTER folders of .flac or .wav with a {_TRANSCRIPT}",
    settings=("split",),
    language="en",
)
