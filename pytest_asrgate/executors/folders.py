"""Where a worker finds the files of the controller: folders that are mounted elsewhere, or URLs."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

__all__ = ["is_url", "place_there"]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def is_url(place: str) -> bool:
    """Whether a place must be fetched, not opened."""
    return _URL.match(place) is not None


def place_there(path: Path, folders: Mapping[Path, str]) -> str:
    """The path or URL of `path` on a worker: the longest folder of `folders` that holds it leads there.

    A path that none holds is the same there. Links are not followed, since they may lead elsewhere there.
    """
    # By text, as the keys of `folders`: "." and ".." must not decide.
    here = Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): see above
    holding = [folder for folder in folders if here.is_relative_to(folder)]
    if not holding:
        return str(here)
    longest = max(holding, key=lambda folder: len(folder.parts))
    rest = here.relative_to(longest).as_posix()
    if rest == ".":
        return folders[longest]
    # The slashes of a root, as of "file:///", are part of it.
    there = folders[longest]
    return there + rest if there.endswith("/") else f"{there}/{rest}"
