"""The JSON report of a session: `asrgate.report/1`."""

import errno
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from pytest_asrgate import __version__
from pytest_asrgate.jsonlines import json_text, write_atomically
from pytest_asrgate.reports.entries import PairEntry

__all__ = ["SCHEMA", "foreign", "remove_report", "write_json_report"]

SCHEMA = "asrgate.report/1"

# How a report of ours begins, of whatever version, and in how many bytes that is seen.
_BEGINNING = re.compile(rb'\{\s*"schema"\s*:\s*"asrgate\.report/')
_SEEN = 400
# As many links as any system follows.
_LINKS = 40


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


def foreign(path: Path) -> str:
    """Why no report may take the place of what is at `path`, links followed, as a sentence; empty where one may.

    Only nothing, an empty file and a report of ours may be written over; whatever else was named by mistake.
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
    if beginning and not _BEGINNING.match(beginning):
        return f"{path} is no report of ours; name another file, or remove it"
    return ""


def _refuse_foreign(path: Path) -> None:
    obstacle = foreign(path)
    if obstacle:
        raise FileExistsError(errno.EEXIST, obstacle.removeprefix(f"{path} "), str(path))


def remove_report(path: Path) -> None:
    """Remove an older report, if there is one; a link to it stays. OSError as it comes, and for what is none."""
    _refuse_foreign(path)
    Path(os.path.realpath(path)).unlink(missing_ok=True)


def write_json_report(
    path: Path,
    gate_file: Path,
    entries: Sequence[PairEntry],
    notes: Sequence[str] = (),
    not_judged: Sequence[str] = (),
) -> None:
    """Write all pairs of a session, in the order given, atomically; OSError as it comes, and for a foreign file.

    `not_judged` names the pairs of the gate file, as `variant::dataset`, that this session left out.
    """
    _refuse_foreign(path)
    report = {
        "schema": SCHEMA,
        "gate": {
            "path": str(gate_file),
            "plugin_version": __version__,
            "notes": list(notes),
            "not_judged": list(not_judged),
        },
        "pairs": list(entries),
    }
    write_atomically(path, json_text(report, indent=1) + "\n")
