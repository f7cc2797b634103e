"""Kaldi's recordings that share a file: their sides, and whether they are told apart at all."""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_asrgate.corpora.corpus import Sound
from pytest_asrgate.corpora.kaldi_tables import words_of
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import named, plural, shown

__all__ = ["Piece", "Sharing", "check_apart", "with_sides"]

_SIDES = ("A", "B")


@dataclass(frozen=True, slots=True)
class Piece:
    """What an utterance has of a recording; `place` is the line that says so."""

    id: str
    place: str
    recording: str
    sound: Sound

    @property
    def where(self) -> str:
        """The piece as a message names it."""
        return f"{self.place} ({self.id})"


@dataclass(frozen=True, slots=True)
class Sharing:
    """The recordings that share a file with another: by id the file, and those whose side is told.

    `table` is reco2file_and_channel.
    """

    table: Path
    files: Mapping[str, str]
    told: frozenset[str]


@dataclass(slots=True)
class _RealPaths:
    """Where links lead; a folder is asked once."""

    folders: dict[str, str] = field(default_factory=dict)

    def of(self, path: Path) -> str:
        folder, name = os.path.split(path)
        if os.path.islink(path):  # noqa: PTH114 - one call for each of many files
            return os.path.realpath(path)
        if folder not in self.folders:
            self.folders[folder] = os.path.realpath(folder)
        return os.path.join(self.folders[folder], name)  # noqa: PTH118 - as above


def with_sides(folder: Path, sounds: dict[str, Sound], notes: list[str]) -> Sharing:
    """Give recordings the channels that reco2file_and_channel tells; which of them share a file.

    B is the second channel. A is the first where another recording is of the same file or that table tells a B of
    it; otherwise it is what recipes write for want of anything to say, and nothing is told. A channel that a
    command takes goes before both. DatasetError by file, line and id for another side of a file that is shared.
    """
    path = folder / "reco2file_and_channel"
    table = words_of(path, "a file's name and its side, A or B", 2)
    second = {words[0] for _, words in table.values() if words[1].upper() == "B"}
    real = _RealPaths()
    groups: dict[str, list[str]] = defaultdict(list)
    for identity, named_sound in sounds.items():
        groups[real.of(named_sound.path)].append(identity)
    told, unknown = set(), []
    for identity, (place, (file, written)) in table.items():
        sound = sounds.get(identity)
        if sound is None or sound.channel is not None:
            continue
        shared = len(groups[real.of(sound.path)]) > 1
        side = written.upper()
        if side not in _SIDES:
            if shared:
                raise DatasetError(f"{place} ({identity}): a side is A or B; it is {shown(written)}")
            unknown.append(identity)
        elif side == "B" or shared or file in second:
            sounds[identity] = replace(sound, channel=_SIDES.index(side))
            told.add(identity)
    if unknown:
        notes.append(f"{path} has other sides than A and B, not used: {named(unknown)}")
    files = {identity: file for file, group in groups.items() if len(group) > 1 for identity in group}
    return Sharing(path, files, frozenset(told))


def check_apart(pieces: Iterable[Piece], sharing: Sharing) -> Sequence[str]:
    """Sentences on recordings of one file that only their times tell apart.

    Raises DatasetError where the same sound would stand under the ids of two recordings, and where one would hold
    all channels of a file of which another has a side.
    """
    told_of = {sharing.files[identity]: identity for identity in sharing.told if identity in sharing.files}
    first: dict[tuple[str, float, float | None, int | None], Piece] = {}
    mixed: dict[str, None] = {}
    for piece in pieces:
        file = sharing.files.get(piece.recording)
        if file is None:
            continue
        sound = piece.sound
        if sound.channel is None and file in told_of:
            raise DatasetError(
                f"{piece.where}: {piece.recording} is of the same file as {told_of[file]}, whose side "
                f"{sharing.table} tells, and has no side there, so that all channels would be mixed; add its line"
            )
        same = first.setdefault((file, sound.start_s, sound.end_s, sound.channel), piece)
        if same.recording != piece.recording:
            raise DatasetError(
                f"{piece.where}: is the same sound as {same.id} ({same.place}), {sound.name}; tell recordings of "
                f"one file apart by their sides, A and B, in {sharing.table}, or keep one"
            )
        if sound.channel is None:
            mixed[piece.recording] = None
    if not mixed:
        return []
    recordings = plural(len(mixed), "recording")
    return [
        f"{recordings} without a side in {sharing.table} of a file with others, read as mixed: {named(list(mixed))}"
    ]
