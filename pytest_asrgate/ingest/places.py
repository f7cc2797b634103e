"""Where sounds and manifest may go: nowhere that a corpus is read from, and where a gate takes them."""

import contextlib
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from filelock import FileLock, Timeout

from pytest_asrgate.corpora.corpus import Corpus
from pytest_asrgate.errors import DatasetError, with_mend
from pytest_asrgate.ingest.journal import JOURNAL, TEMPORARY
from pytest_asrgate.jsonlines import strict_json
from pytest_asrgate.values import without_surrogates

__all__ = ["check_names", "check_places", "held", "read_files", "relative_audio"]

LOCK = ".asrgate-ingest.lock"


def read_files(corpus: Corpus) -> set[Path]:
    """Every file that the clips of a corpus name, as a source of sound or of a transcript, without links."""
    named = {clip.sound.path for clip in corpus.clips}
    named |= {Path(re.sub(r":\d+$", "", clip.place)) for clip in corpus.clips}
    return {path.resolve() for path in named}


def relative_audio(folder: Path, manifest: Path) -> str:
    """The folder of sounds as the manifest names it, with `/` at its end, empty where both are in one folder.

    DatasetError where that would climb out of the manifest's folder, which every reader of manifests refuses.
    """
    home, place = manifest.parent.resolve(), folder.resolve()
    if not place.is_relative_to(home):
        raise DatasetError(
            f"--out-dir {folder}: must be in the folder of the manifest or below it, which is {home}, since a "
            f"manifest names its sounds from there; a manifest {place.parent / manifest.name} would be right"
        )
    relative = place.relative_to(home).as_posix()
    try:
        relative.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DatasetError(f"--out-dir {folder}: its name is not UTF-8, so no manifest can hold it") from error
    return "" if relative == "." else f"{relative}/"


def _is_no_manifest(path: Path) -> bool:
    """Whether a file that is there holds something else than rows with an id and audio."""
    with path.open("rb") as file:
        line = next((line for line in islice(file, 100) if line.strip()), None)
    if line is None:
        return False
    try:
        row = strict_json(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return True
    return not (isinstance(row, dict) and {"id", "audio"} <= row.keys())


def check_names(places: Iterable[tuple[str, Path]]) -> None:
    """DatasetError naming the option of the first path that is not UTF-8: no manifest could name what is there."""
    for option, path in places:
        if without_surrogates(str(path.absolute())) != str(path.absolute()):
            raise DatasetError(f"{option} {path}: its path is not UTF-8; rename what is not, or give another")


def check_places(source: Path, read: Iterable[Path], folder: Path, manifest: Path, corpus: Corpus) -> None:
    """DatasetError where something that is read would be written over, or taken for a part of the corpus.

    `read` are folders and files beside the source that the corpus was read from. A manifest that is there is only
    written over where it is one.
    """
    read = tuple(read)
    check_names([("SOURCE", source), ("--out-dir", folder), ("--manifest", manifest)])
    check_names(("the corpus", path) for path in read)
    relative_audio(folder, manifest)
    if manifest.name in {JOURNAL, LOCK} or TEMPORARY.fullmatch(manifest.name):
        raise DatasetError(
            f"--manifest {manifest}: is a name that asrgate ingest keeps for itself; give another one"
        )
    place, target = folder.resolve(), manifest.resolve()
    if place.exists() and not place.is_dir():
        raise DatasetError(f"--out-dir {folder}: is no folder; give the name of one, or of one to be made")
    if target.is_dir():
        raise DatasetError(f"--manifest {manifest}: is a folder; give the name of a file")
    for path in (source, *read):
        if path.is_dir() and place.is_relative_to(path.resolve()):
            raise DatasetError(
                f"--out-dir {folder}: is in the corpus ({path}), where its sounds would be taken for a part of it; "
                "give a folder outside of it"
            )
    if target in read_files(corpus) | {path.resolve() for path in (source, *read)}:
        raise DatasetError(f"--manifest {manifest}: is a file of the corpus; give it another name")
    try:
        if target.exists() and (not target.is_file() or _is_no_manifest(target)):
            raise DatasetError(f"--manifest {manifest}: is there and no manifest; remove it or give another name")
    except OSError as error:
        raise DatasetError(f"--manifest {manifest}: cannot be read ({error.strerror})") from error


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make the folder and hold its lock; DatasetError where another process holds it, or it cannot be used."""
    lock = FileLock(folder / LOCK)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except Timeout:
        raise DatasetError(
            f"--out-dir {folder}: another asrgate ingest writes into it; wait for its end or give another folder"
        ) from None
    except OSError as error:
        raise DatasetError(with_mend(f"--out-dir {folder}: cannot be used ({error.strerror})", error)) from error
    except NotImplementedError as error:
        raise DatasetError(f"--out-dir {folder}: its file system has no locks; give a folder on another") from error
    try:
        yield
    finally:
        lock.release()
