"""One language of FLEURS as downloaded from the hub: for each split a table without header and an archive."""

import gzip
import os
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO

from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.ids import check_id, note_place
from pytest_asrgate.corpora.tables import plain_rows
from pytest_asrgate.corpora.trees import check_folder, walk
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.languages import language_problem
from pytest_asrgate.values import first_of, named, plural, shown, without_surrogates

__all__ = ["ADAPTER"]

_GIVE = "give the folder of one language, such as data/hi_in"
_COLUMNS = 7
_GENDERS = {"MALE": "gender:male", "FEMALE": "gender:female", "OTHER": "gender:other"}
_SOUND = ".wav"
_ARCHIVES = ("audio/{}.tar.gz", "audio/{}.tar", "{}.tar.gz", "{}.tar")
# hi_in, es_419, cmn_hans_cn.
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[a-z]{4})?_([a-z]{2}|\d{3})")
_PIECE = 1 << 20
_DAMAGE = (tarfile.TarError, EOFError, zlib.error, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class _Sounds:
    """The sounds of a split by file name; `place` is the folder or archive that they are in."""

    place: Path
    by_name: Mapping[str, Sound]


def _language(source: Path) -> str | None:
    """The tag that the folder is named by, or that a link to it leads to; None for any other name."""
    for path in (Path(os.path.abspath(source)), source.resolve()):  # noqa: PTH100 - as written, then as links lead
        if _LANGUAGE.fullmatch(path.name) and language_problem(path.name) is None:
            return path.name
    return None


def _split(source: Path, files: Sequence[str], wanted: str | None) -> str:
    splits = [name.removesuffix(".tsv") for name in files if name.endswith(".tsv")]
    if not splits:
        folders = [
            path.name for path in sorted(source.iterdir()) if _LANGUAGE.fullmatch(path.name) and path.is_dir()
        ]
        inside = f"; it holds the languages {first_of(folders)}" if folders else ""
        raise DatasetError(f"{source}: has no test.tsv, dev.tsv or train.tsv{inside}; {_GIVE}")
    if wanted is None and len(splits) > 1:
        raise DatasetError(
            f"{source}: has the splits {named(splits)}, which are different tests; choose one by --split"
        )
    if wanted is not None and wanted not in splits:
        raise DatasetError(f"{source}: has no split {shown(wanted)}; it has {named(splits)}")
    return splits[0] if wanted is None else wanted


def _members(file: IO[bytes]) -> Iterator[tarfile.TarInfo]:
    """Every member in one pass to the very end, where the checksum is; EOFError for an archive that is cut."""
    with tarfile.open(fileobj=file, mode="r|") as archive:
        while (member := archive.next()) is not None:
            # It would hold every member that was ever read.
            archive.members.clear()  # type: ignore[attr-defined]  # typeshed lacks it
            yield member
        # tarfile says nothing where a header is cut or damaged, but takes it for the end.
        end = archive.offset
    while file.read(_PIECE):
        pass
    if file.tell() < end + tarfile.BLOCKSIZE:
        raise EOFError("it ends before the mark of its end")
    if not isinstance(file, gzip.GzipFile):
        file.seek(end)
        if any(file.read(tarfile.BLOCKSIZE)):
            raise EOFError(f"byte {end} begins no file")


def _refuse_pointer(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(40).startswith(b"version https://git-lfs"):
            raise DatasetError(f"{path}: is only a pointer of Git LFS; get the archive itself (git lfs pull)")


def _archived(path: Path) -> _Sounds:
    """The sounds that an archive lists; nothing of it is unpacked. DatasetError where it is damaged or cut."""
    found: dict[str, Sound] = {}
    count = 0
    try:
        _refuse_pointer(path)
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for member in _members(file):  # type: ignore[arg-type]  # a GzipFile reads as any file
                count += 1
                name = PurePosixPath(member.name).name
                if not member.isreg() or name.startswith(".") or not name.endswith(_SOUND):
                    continue
                if name in found:
                    raise DatasetError(
                        f"{path}: holds {name} as {found[name].member} and as {member.name}; keep one"
                    )
                found[name] = Sound(path, member=member.name)
    except _DAMAGE as error:
        raise DatasetError(
            f"{path}: cannot be read as an archive after {plural(count, 'file')} ({error}); download it again"
        ) from error
    return _Sounds(path, found)


def _sounds(source: Path, split: str) -> _Sounds:
    """Where the sounds of a split are: unpacked if they are so anywhere, else in the archive."""
    folders = [source / "audio" / split, source / split]
    for folder in folders:
        if folder.is_dir():
            _, files = next(walk(folder))
            return _Sounds(folder, {name: Sound(folder / name) for name in files if name.endswith(_SOUND)})
    archives = [source / form.format(split) for form in _ARCHIVES]
    for archive in archives:
        if archive.is_file():
            return _archived(archive)
    looked = ", ".join(str(path.relative_to(source)) for path in [*folders, *archives])
    raise DatasetError(f"{source}: has no sounds of the split {split!r}; looked for {looked}")


def _clip(fields: Sequence[str], place: str, language: str | None) -> Clip:
    """The clip of a row, its sound still only a name."""
    if len(fields) != _COLUMNS:
        raise DatasetError(
            f"{place}: has {plural(len(fields), 'field')}, while a row of FLEURS has {_COLUMNS}, parted by tabs: "
            "sentence id, file name, raw transcription, transcription, phonemes, samples, gender"
        )
    name, text, gender = fields[1].strip(), fields[2].strip(), fields[6].strip()
    identity = name.removesuffix(_SOUND)
    check_id(identity, place)
    if not name.endswith(_SOUND) or "/" in name:
        raise DatasetError(
            f"{place}: the second field must be the name of a file that ends with {_SOUND}; it is {shown(name)}"
        )
    if gender not in _GENDERS:
        known = ", ".join(_GENDERS)
        raise DatasetError(f"{place} ({identity}): the gender must be one of {known}; it is {shown(gender)}")
    return Clip(identity, Sound(Path(name)), text, place, language=language, tags=(_GENDERS[gender],))


def _read(source: Path, settings: Settings) -> Corpus:
    """One split. A clip's id is its file's stem, since several speakers read each sentence.

    The reference is the raw transcription, cased and punctuated: what of that counts is the normaliser's business.
    """
    check_folder(source, _GIVE)
    _, files = next(walk(source))
    split = _split(source, files, settings.split)
    table, language = source / f"{split}.tsv", _language(source)
    rows: dict[str, Clip] = {}
    places: dict[str, str] = {}
    for number, fields in plain_rows(table):
        clip = _clip(fields, f"{table}:{number}", language)
        note_place(places, clip.id, clip.place, "each file has one row")
        rows[clip.sound.path.name] = clip
    if not rows:
        raise DatasetError(f"{table}: holds no rows")
    sounds = _sounds(source, split)
    clips = [replace(rows[name], sound=sound) for name, sound in sounds.by_name.items() if name in rows]
    lost = [
        Orphan(clip.id, clip.place, has_sound=False) for name, clip in rows.items() if name not in sounds.by_name
    ]
    unsaid = [_unsaid(sound, source) for name, sound in sounds.by_name.items() if name not in rows]
    return Corpus(tuple(clips), (*lost, *unsaid))


def _unsaid(sound: Sound, source: Path) -> Orphan:
    name = sound.member or sound.path.relative_to(source).as_posix()
    return Orphan(without_surrogates(name), without_surrogates(sound.name), has_sound=True)


ADAPTER = Adapter(
    read=_read,
    summary="one language of FLEURS as downloaded: test.tsv with audio/test.tar.gz, or with that unpacked",
    settings=("split",),
)
