"""The sounds of a page: in it, as far as they fit, or beside it as links."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NotRequired, TypedDict
from urllib.parse import quote

from pytest_asrgate.audio import file_problem
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.page.embedding import Chunk, Embedded, Room, embed
from pytest_asrgate.reports.page.picked import wanted
from pytest_asrgate.values import named, plural, without_surrogates

__all__ = ["AUDIO", "Chunk", "Room", "Sound", "Sounds", "sounds"]

# How a page may hold its sounds.
AUDIO = ("embed", "link", "none")


class Sound(TypedDict):
    """Where a sound is: at `url`, relative to the page, or in it, as the text of element `chunk` of MIME `type`."""

    url: NotRequired[str]
    chunk: NotRequired[str]
    type: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Sounds:
    """All sounds of a page; `places` leads from data set and id to one of them, `notes` say what is missing."""

    sounds: tuple[Sound, ...] = ()
    places: Mapping[tuple[str, str], int] = field(default_factory=dict)
    chunks: tuple[Chunk, ...] = ()
    notes: tuple[str, ...] = ()


def _problem(path: str) -> str:
    """Why a path is no file to hear, empty where it may be one."""
    try:
        found = file_problem(Path(path))
    except (OSError, ValueError) as error:
        # ValueError is a path with a null character.
        found = getattr(error, "strerror", None) or str(error)
    return without_surrogates(f"{path}: {found}") if found else ""


def _url(path: str, page: Path) -> str:
    """A path as a link from the page's folder; nothing in a name can end the link or mean something else in it."""
    # By names alone, as the browser goes: it knows nothing of symbolic links.
    relative = os.path.relpath(path, Path(os.path.abspath(page)).parent)  # noqa: PTH100 - resolve() follows links
    return quote(relative, safe="/", errors="surrogateescape")


def _notes(lost: Sequence[tuple[str, str]], linked: int, embedded: Embedded, room: Room) -> list[str]:
    notes = []
    if lost:
        whom = f"{plural(len(lost), 'utterance')} of those shown ({named([identity for identity, _ in lost])})"
        notes.append(f"no sound for {whom}; the first: {lost[0][1]}")
    if linked:
        why = embedded.full or f"a page holds none over {room.each / 1e6:g} MB"
        what = plural(linked, "sound is", "sounds are")
        notes.append(f"{what} linked instead of embedded, to be heard where the files are: {why}")
    return notes


def sounds(pairs: Sequence[PairEntry], *, folder: Path, page: Path, audio: str, room: Room | None = None) -> Sounds:
    """The sounds of the utterances that a page shows, each file once; `audio` is one of AUDIO.

    `folder` is what the report names audio relative to, `page` the file that is to be written.
    """
    if audio == "none":
        return Sounds()
    room = room or Room()
    root = os.path.abspath(folder)  # noqa: PTH100 - resolve() follows links, and the report names audio by names alone
    asked = {one: os.path.normpath(os.path.join(root, one.audio)) for one in wanted(pairs)}  # noqa: PTH118 - as above
    lengths = {path: one.duration_s for one, path in asked.items()}
    problems = {path: problem for path in lengths if (problem := _problem(path))}
    files = {path: length for path, length in lengths.items() if path not in problems}
    embedded = embed(files, room) if audio == "embed" else Embedded()
    problems |= embedded.unheard
    made: dict[str, Sound] = {}
    for path in files:
        chunk = embedded.chunks.get(path)
        if chunk:
            made[path] = Sound(chunk=chunk.id, type=chunk.type)
        elif path not in problems:
            made[path] = Sound(url=_url(path, page))
    numbers = {path: number for number, path in enumerate(made)}
    linked = len(made) - len(embedded.chunks) if audio == "embed" else 0
    lost = [(one.id, problems[path]) for one, path in asked.items() if path in problems]
    return Sounds(
        sounds=tuple(made.values()),
        places={(one.dataset, one.id): numbers[path] for one, path in asked.items() if path in numbers},
        chunks=tuple(embedded.chunks.values()),
        notes=tuple(_notes(lost, linked, embedded, room)),
    )
