"""Folders of a corpus: walked once, and asked for files by one listing a folder, not by a look at each file."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from pytest_asrgate.errors import DatasetError

__all__ = ["Listings", "check_file", "check_folder", "is_file", "walk"]


def _mode(path: Path) -> int | None:
    """What kind of file a path leads to, links followed; None for none. DatasetError where nobody may look."""
    try:
        return os.stat(path).st_mode  # noqa: PTH116 - as scandir
    except (PermissionError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DatasetError(f"{path}: cannot be looked at ({reason})") from error
    except OSError:
        # Nothing there, a link to itself, or a name that is too long for a file.
        return None


def is_file(path: Path) -> bool:
    """Whether a path is that of a regular file, links followed; DatasetError where nobody may look."""
    return stat.S_ISREG(_mode(path) or 0)


def check_folder(path: Path, mend: str) -> None:
    """Raise DatasetError where a path is no folder; `mend` says in a clause what to give."""
    mode = _mode(path)
    if mode is None or not stat.S_ISDIR(mode):
        problem = "there is no such folder" if mode is None else "is no folder"
        raise DatasetError(f"{path}: {problem}; {mend}")


def check_file(path: Path, noun: str, mend: str) -> None:
    """Raise DatasetError where a path is no regular file; `noun` says what it should be, `mend` what to give."""
    mode = _mode(path)
    if mode is None:
        raise DatasetError(f"{path}: there is no such {noun}; {mend}")
    if not stat.S_ISREG(mode):
        raise DatasetError(f"{path}: is {'a folder' if stat.S_ISDIR(mode) else 'no regular file'}; {mend}")


def _listed(folder: Path) -> tuple[list[str], list[str], list[str]]:
    """Names of the regular files, the folders and the links to folders of a folder, without hidden ones."""
    files, folders, links = [], [], []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if _is_file(entry):
                files.append(entry.name)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            elif Path(entry.path).is_dir():
                links.append(entry.name)
    return sorted(files), sorted(folders), sorted(links)


def walk(root: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield each folder at and below `root` with the sorted names of its regular files.

    Links are followed, those to folders after all else: a folder with two names is read once, under its own where
    it has one below `root`. Hidden files and folders are passed over. DatasetError for what cannot be listed.
    """
    seen: set[tuple[int, int]] = set()
    waiting, later = [root], list[Path]()
    while waiting or later:
        # From the end, so that folders come in the order of their names.
        folder = waiting.pop() if waiting else later.pop(0)
        try:
            found = os.stat(folder)  # noqa: PTH116 - as scandir
            if (found.st_dev, found.st_ino) in seen:
                continue
            seen.add((found.st_dev, found.st_ino))
            files, folders, links = _listed(folder)
        except OSError as error:
            raise DatasetError(f"{folder}: cannot be read ({error.strerror})") from error
        waiting.extend(folder / name for name in reversed(folders))
        later.extend(folder / name for name in links)
        yield folder, files


class Listings:
    """Which regular files there are, by one listing of each folder that is asked about."""

    def __init__(self) -> None:
        # None for a folder that may be entered and not listed.
        self._names: dict[str, frozenset[str] | None] = {}

    def has(self, path: Path) -> bool:
        """Whether the path is that of a regular file, links followed; DatasetError where nobody may look."""
        folder, name = os.path.split(path)
        if folder not in self._names:
            self._names[folder] = self._list(folder)
        names = self._names[folder]
        if names is not None:
            return name in names
        return is_file(path)

    @staticmethod
    def _list(folder: str) -> frozenset[str] | None:
        try:
            with os.scandir(folder or ".") as entries:
                return frozenset(entry.name for entry in entries if _is_file(entry))
        except PermissionError:
            return None
        except OSError:
            # No folder, or a name that is too long for one.
            return frozenset()


def _is_file(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_file()
    except OSError:
        # A link to itself.
        return False
