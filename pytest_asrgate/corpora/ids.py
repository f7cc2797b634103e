"""Ids of utterances as a corpus has them: what a manifest can hold, and each only once."""

import os
from collections.abc import Sequence
from pathlib import Path

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import id_problem

__all__ = ["check_id", "note_place", "path_ids"]


def check_id(identity: str, where: str) -> None:
    """Raise DatasetError for an id that no manifest can hold: an empty one, NUL, more than 1000 characters.

    Every other id is kept as written; what a file is called is not decided by it alone.
    """
    problem = id_problem(identity)
    if problem:
        raise DatasetError(f"{where}: an id {problem}")


def note_place(places: dict[str, str], identity: str, place: str, mend: str = "ids must be unique") -> None:
    """Keep where an id stands; DatasetError naming both places where it stands already, with the mend."""
    if identity in places:
        raise DatasetError(f"{place} ({identity}): the id stands already at {places[identity]}; {mend}")
    places[identity] = place


def _below(path: str, folder: str) -> str | None:
    """The rest of an absolute path below a folder, None where it is not."""
    start = folder if folder.endswith("/") else f"{folder}/"
    return path[len(start) :] if path.startswith(start) else None


def path_ids(written: Sequence[str], folder: Path) -> list[str]:
    """The id that each path gives, without its ending: rows that are added to a table change none of another row.

    A relative path is its own id as written, without `./` and with `..` followed in it. An absolute one is named
    from `folder`, where relative ones begin, if it is below that, else from the last folder that all absolute ones
    are below.
    """
    # As written, not as links lead. A path that begins with two strokes is one like others.
    paths = [os.path.normpath(path) for path in written]
    paths = [f"/{path.lstrip('/')}" if path.startswith("/") else path for path in paths]
    base = os.path.abspath(folder)  # noqa: PTH100 - resolve() would follow links
    absolute = {os.path.dirname(path) for path in paths if path.startswith("/")}  # noqa: PTH120 - many texts
    common = os.path.commonpath(absolute) if absolute else ""
    ids = []
    for path in paths:
        name = path
        if path.startswith("/"):
            below = _below(path, base)
            name = path[len(common.rstrip("/")) + 1 :] if below is None else below
        ids.append(os.path.splitext(name)[0])  # noqa: PTH122 - as above
    return ids
