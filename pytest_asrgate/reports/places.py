"""Where a report may be written: in the place of nothing, or of an older report of its kind."""

import errno
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

__all__ = ["JSON", "MARKDOWN", "PAGE", "Kind", "foreign", "is_one_place", "refuse_foreign", "remove_report"]

# In so many bytes is seen how a file begins.
_SEEN = 400
# As many links as any system follows.
_LINKS = 40


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of report: what it is called, and how its files begin, of whatever version."""

    noun: str
    beginning: re.Pattern[bytes]


JSON = Kind("JSON report", re.compile(rb'\{\s*"schema"\s*:\s*"asrgate\.report/'))
MARKDOWN = Kind("markdown report", re.compile(rb"<!-- asrgate\.markdown/"))
PAGE = Kind("HTML report", re.compile(rb"<!DOCTYPE html>\s*<!-- asrgate\.page/", re.IGNORECASE))


def _leads_to_open_file(path: Path) -> bool:
    """Whether a path, or a link on its way, names what a process has open, as `/dev/stdout` does.

    The file behind it may be one like any other, but what else is written there would be lost.
    """
    for _ in range(_LINKS):
        parent = os.path.realpath(path.parent)
        if f"{parent}/".startswith(("/proc/", "/dev/fd/")):
            return True
        path = Path(parent, path.name)
        if not path.is_symlink():
            break
        path = Path(parent, path.readlink())
    return False


def foreign(path: Path, kind: Kind) -> str:
    """Why no report may take the place of what is at `path`, links followed, as a sentence; empty where one may.

    Only nothing, an empty file and a report of ours of this kind may be written over; whatever else was named by
    mistake.
    """
    try:
        if _leads_to_open_file(path):
            return f"{path} is no regular file; name another file"
        place = Path(os.path.realpath(path))
        status = place.lstat()
    except OSError:
        # Nothing is there, or writing will say why nothing can be.
        return ""
    # Never opened otherwise: a pipe would wait for its other end. A loop of links is still a link.
    if not stat.S_ISREG(status.st_mode):
        return f"{path} is no regular file; name another file"
    try:
        with place.open("rb") as file:
            beginning = file.read(_SEEN)
    except OSError as error:
        return f"{path} cannot be read ({error.strerror}), so it may be no report of ours; name another file"
    if beginning and not kind.beginning.match(beginning):
        return f"{path} is no {kind.noun} of ours; name another file, or remove it"
    return ""


def refuse_foreign(path: Path, kind: Kind) -> None:
    """Raise FileExistsError, whose text is a clause, where no report may take the place of what is at `path`."""
    obstacle = foreign(path, kind)
    if obstacle:
        raise FileExistsError(errno.EEXIST, obstacle.removeprefix(f"{path} "), str(path))


def remove_report(path: Path, kind: Kind) -> None:
    """Remove an older report, if there is one; a link to it stays. OSError as it comes, and for what is none."""
    refuse_foreign(path, kind)
    Path(os.path.realpath(path)).unlink(missing_ok=True)


def is_one_place(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, through whatever links, also where there is none yet."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False
