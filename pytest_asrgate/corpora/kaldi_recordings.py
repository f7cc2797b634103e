"""The recordings of a Kaldi data folder: what each line of wav.scp names, of which nothing is ever run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrgate.corpora.corpus import Sound
from pytest_asrgate.corpora.kaldi_sides import Sharing, with_sides
from pytest_asrgate.corpora.kaldi_tables import Line, table
from pytest_asrgate.corpora.pipes import Decoded, decoded_file
from pytest_asrgate.corpora.trees import Listings
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import named, plural, shown

__all__ = ["Recording", "recordings"]

# A place in an archive of many sounds, as Kaldi knows it.
_IN_ARCHIVE = re.compile(r".*:[0-9]+")
# What every sound is resampled to; a command that asks for less would narrow the band of what is heard.
_RATE_HZ = 16_000


@dataclass(frozen=True, slots=True)
class Recording:
    """A line of wav.scp: its place, and the sound, None where that is not there.

    `single` says that what Kaldi gets of it is the one channel that a command took.
    """

    place: str
    sound: Sound | None
    single: bool = False


@dataclass(slots=True)
class _Unread:
    """Commands that are not understood: the first one's sentence and how many there are."""

    first: str = ""
    count: int = 0

    def check(self) -> None:
        if self.count:
            more = f" (so with {plural(self.count - 1, 'more line')})" if self.count > 1 else ""
            raise DatasetError(f"{self.first}; decode it to a file and name that here{more}")


@dataclass(slots=True)
class _Places:
    """Where the paths of wav.scp lead, and from where."""

    source: Path
    audio: Path | None
    listings: Listings = field(default_factory=Listings)
    from_source: int = 0
    absent: list[str] = field(default_factory=list)

    def find(self, written: str) -> Path | None:
        """The file, if there is one: from `audio` where given, else as Kaldi, else from the data folder."""
        path = Path(written) if self.audio is None else self.audio / written
        if self.listings.has(path):
            return path
        if self.audio is None and not path.is_absolute() and self.listings.has(self.source / path):
            self.from_source += 1
            return self.source / path
        self.absent.append(str(path))
        return None

    def notes(self, path: Path) -> Iterator[str]:
        """Sentences on where the paths of `path` led."""
        if self.from_source:
            count = plural(self.from_source, "sound")
            yield f"{count} of {path} found from {self.source}, not from the current folder as Kaldi would"
        if self.absent:
            absent = f"{plural(len(self.absent), 'path')} of {path} with no file there"
            if self.audio is None:
                absent += f", neither from the current folder nor from {self.source} (--audio names another)"
            yield f"{absent}: {named(self.absent)}"


def _written(identity: str, line: Line, unread: _Unread) -> Decoded | None:
    """What a line of wav.scp names; None where that is a command which is not understood."""
    where, path = line.where(identity), line.rest
    if not path:
        raise DatasetError(f"{where}: after the id stands the path of its sound; it is missing")
    if path.endswith("|") and not path.startswith("|"):
        try:
            return decoded_file(path[:-1])
        except ValueError as error:
            unread.first = unread.first or f"{where}: commands are read, never run, and this one {error}"
            unread.count += 1
            return None
    if path.startswith("|"):
        raise DatasetError(f"{where}: {shown(path)} writes to a command and is no sound; give the path of a file")
    if path == "-":
        raise DatasetError(f"{where}: '-' is the standard input; give the path of a file")
    if _IN_ARCHIVE.fullmatch(path):
        raise DatasetError(
            f"{where}: {shown(path)} is a place in an archive of Kaldi's, which is not read here; "
            "write each sound to a file of its own and name that"
        )
    return Decoded(path)


def recordings(source: Path, audio: Path | None, notes: list[str]) -> tuple[dict[str, Recording], Sharing]:
    """What each line of wav.scp names, and which share a file; sentences on what was decided are added to `notes`.

    Paths begin in `audio` where given, else in the current folder, else in `source`. DatasetError by file, line
    and id for a command that does more than decode one file, an archive, and what is no path.
    """
    path = source / "wav.scp"
    unread, places = _Unread(), _Places(source, audio)
    lines = table(path)
    sounds: dict[str, Sound] = {}
    single: set[str] = set()
    narrowed: dict[str, int] = {}
    for identity, line in lines.items():
        decoded = _written(identity, line, unread)
        found = None if decoded is None else places.find(decoded.file)
        if decoded is None or found is None:
            continue
        sounds[identity] = Sound(found, channel=decoded.channel)
        if decoded.channel is not None:
            single.add(identity)
        if decoded.rate_hz is not None and decoded.rate_hz < _RATE_HZ:
            narrowed[identity] = decoded.rate_hz
    unread.check()
    sharing = with_sides(source, sounds, notes)
    if narrowed:
        rates = ", ".join(str(rate) for rate in sorted(set(narrowed.values())))
        notes.append(
            f"{path} asks for {rates} Hz; what files have above that is kept here: {named(list(narrowed))}"
        )
    notes.extend(places.notes(path))
    known = {
        identity: Recording(line.place, sounds.get(identity), identity in single)
        for identity, line in lines.items()
    }
    return known, sharing
