"""Sounds of a corpus into a folder: those that are there already are left alone, the others are decoded."""

import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrgate.errors import DatasetError, with_mend
from pytest_asrgate.ingest.archives import copied_members
from pytest_asrgate.ingest.decoders import Decoders, Limits
from pytest_asrgate.ingest.g722 import is_g722
from pytest_asrgate.ingest.journal import Entry, Journal, remove_abandoned, sha256_of_regular
from pytest_asrgate.ingest.rows import Job
from pytest_asrgate.ingest.sounds import Order, Written
from pytest_asrgate.ingest.sources import Sources, source_name

__all__ = ["Sounds", "write_sounds"]


@dataclass(slots=True)
class Sounds:
    """What became of the sounds, by the ids of their utterances.

    `entries` has what the journal says of each that is in the folder, of which `written` were written now.
    `unreadable` has a sentence for each that could not be decoded, `foreign` one for each whose name another file
    has. `others` are sounds of ours that are none of the entries. `stopped` says that most were not tried, since
    files of others were in the way.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    written: int = 0
    unreadable: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)
    others: int = 0
    stopped: bool = False


def _begins_as(path: Path, audio_format: str) -> bool:
    """Whether a file is there itself, not behind a link, and begins as every sound of this format does."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as file:
            head = file.read(12)
    except OSError:
        return False
    return head[:4] == b"fLaC" if audio_format == "flac" else (head[:4], head[8:]) == (b"RIFF", b"WAVE")


# A job, and the temporary file that its sound was written to with what it holds, or a sentence.
_Outcome = tuple[Job, Path, Written | str]


class _Folder:
    """The folder of sounds, used by one thread; `decode` by any."""

    def __init__(self, folder: Path, audio_format: str, journal: Journal, decoders: Decoders) -> None:
        self.path = folder
        self.sounds = Sounds()
        self._format = audio_format
        self._journal = journal
        self._decoders = decoders
        self._sources = Sources()

    def temporary(self, name: str) -> Path:
        """A new name beside the file of this name."""
        return self.path / f".{name}.asrgate-{secrets.token_hex(4)}"

    def is_settled(self, job: Job) -> bool:
        """Whether nothing is to be decoded: the sound is there, or cannot be read."""
        sound = job.clip.sound
        problem = self._sources.problem(sound.path)
        if problem:
            self.sounds.unreadable[job.clip.id] = problem
            return True
        entry = self._journal.entries.get(job.file)
        if entry is None or entry.key != self._sources.key(sound, self._format):
            return False
        if sha256_of_regular(self.path / job.file) != entry.sha256:
            return False
        self.sounds.entries[job.clip.id] = entry
        return True

    def look_for_others(self, jobs: Sequence[Job]) -> list[Job]:
        """Find the files under these names that are not ours; gives the jobs whose file has to be compared first.

        Not ours is what the journal has as made of something else, and what it does not have and is no such sound.
        """
        unknown = []
        for job in jobs:
            sound, target = job.clip.sound, self.path / job.file
            entry = self._journal.entries.get(job.file)
            if not os.path.lexists(target) or (entry is not None and entry.source == source_name(sound)):
                continue
            if entry is None and _begins_as(target, self._format):
                unknown.append(job)
            elif entry is None:
                self.sounds.foreign[job.clip.id] = f"{target} was not made by asrgate ingest"
            # A corpus that was moved is known by what it holds.
            elif not self._sources.problem(sound.path) and entry.key != self._sources.key(sound, self._format):
                self.sounds.foreign[job.clip.id] = f"{target} was made of {entry.source}"
        return unknown

    def count_others(self) -> None:
        """Count the sounds that were written here for some other manifest, or an earlier one."""
        names = {entry.file for entry in self.sounds.entries.values()}
        self.sounds.others = sum(
            (self.path / name).is_file() for name in self._journal.entries if name not in names
        )

    def decode(self, jobs: Sequence[Job], copy: Path | None) -> list[_Outcome]:
        """Decode jobs of one file, or of one member of an archive from its copy, which is removed."""
        outcomes: list[_Outcome] = []
        for job in jobs:
            sound, target = job.clip.sound, self.temporary(job.file)
            order = Order(
                path=str(copy or sound.path),
                g722=is_g722(sound.member or sound.path.name),
                start_s=sound.start_s,
                end_s=sound.end_s,
                channel=sound.channel,
                target=str(target),
                format=self._format,
            )
            try:
                found = self._decoders.write(order)
            except OSError as error:
                raise _unwritten(self.path / job.file, error) from error
            if isinstance(found, str):
                target.unlink(missing_ok=True)
                found = found.replace(str(copy), f"{sound.path}({sound.member})") if copy else found
            outcomes.append((job, target, found))
        if copy is not None:
            copy.unlink(missing_ok=True)
        return outcomes

    def _other_file(self, job: Job, written: Written) -> str:
        """A sentence where a file of this name is there that is not ours to write over; empty for none."""
        target = self.path / job.file
        entry = self._journal.entries.get(job.file)
        ours = entry is not None and entry.source == source_name(job.clip.sound)
        if ours or not os.path.lexists(target) or sha256_of_regular(target) == written.sha256:
            return ""
        origin = f"was made of {entry.source}" if entry else "was not made by asrgate ingest"
        return f"{target} {origin}"

    def take(self, outcomes: Iterable[_Outcome]) -> None:
        """Give what was written its name, after the journal has it; DatasetError where that cannot be done."""
        for job, temporary, found in outcomes:
            path = job.clip.sound.path
            if isinstance(found, str):
                self.sounds.unreadable[job.clip.id] = found
            elif self._sources.changed(path):
                self.sounds.unreadable[job.clip.id] = f"{path}: was written to while it was read; run again"
            elif other := self._other_file(job, found):
                self.sounds.foreign[job.clip.id] = other
            else:
                self._keep(job, temporary, found)
            temporary.unlink(missing_ok=True)

    def _keep(self, job: Job, temporary: Path, written: Written) -> None:
        sound, target = job.clip.sound, self.path / job.file
        key = self._sources.key(sound, self._format)
        entry = Entry(job.file, key, source_name(sound), written.sha256, written.duration_s, written.marks)
        self._journal.add(entry)
        self.sounds.entries[job.clip.id] = entry
        if sha256_of_regular(target) == written.sha256:
            return
        try:
            temporary.replace(target)
        except OSError as error:
            raise _unwritten(target, error) from error
        self.sounds.written += 1


def _unwritten(target: Path, error: OSError) -> DatasetError:
    return DatasetError(with_mend(f"{target}: cannot be written ({error.strerror})", error))


# Jobs of one file or member, and the copy of a member.
_Batch = tuple[Sequence[Job], Path | None]


def _batches(jobs: Sequence[Job], folder: _Folder, advance: Callable[[int], None]) -> Iterator[_Batch]:
    """What is to be decoded, archives last, each read once; what is settled advances here."""
    archives: dict[Path, dict[str, list[Job]]] = {}
    for job in jobs:
        sound = job.clip.sound
        if folder.is_settled(job):
            advance(1)
        elif sound.member:
            archives.setdefault(sound.path, {}).setdefault(sound.member, []).append(job)
        else:
            yield [job], None
    for path, members in archives.items():
        yield from _members(path, members, folder, advance)


def _members(
    path: Path, members: Mapping[str, list[Job]], folder: _Folder, advance: Callable[[int], None]
) -> Iterator[_Batch]:
    copying = ""

    def copy_of(member: str) -> Path:
        nonlocal copying
        copying = members[member][0].file
        return folder.temporary(copying)

    found = copied_members(path, members, copy_of)
    while True:
        try:
            member, copy = next(found)
        except StopIteration:
            return
        except OSError as error:
            raise _unwritten(folder.path / copying, error) from error
        if isinstance(copy, Path):
            yield members[member], copy
        else:
            for job in members[member]:
                folder.sounds.unreadable[job.clip.id] = copy
            advance(len(members[member]))


def write_sounds(
    jobs: Sequence[Job],
    target: Path,
    audio_format: str,
    *,
    workers: int,
    limits: Limits,
    advance: Callable[[int], None],
) -> Sounds:
    """Write the sound of every job into the folder `target`, whose lock the caller holds.

    Decodes in `workers` processes. `advance` takes how many sounds are done more. What is there by the journal,
    with the hash of source and sound, is left alone; a file that is not ours is never written over unless it
    holds what would be written. DatasetError where the folder cannot be written to, TranscriberError where no
    process can be started: what was finished before is kept then, and nothing half-written is left.
    """
    remove_abandoned(target)
    decoders = Decoders(workers, limits)
    pending: dict[Future[list[_Outcome]], int] = {}
    with Journal(target) as journal:
        folder = _Folder(target, audio_format, journal, decoders)
        unknown = folder.look_for_others(jobs)
        if folder.sounds.foreign:
            # Before anything is decoded into a folder of somebody else.
            folder.sounds.stopped = True
            return folder.sounds

        def finish(most: int) -> None:
            """Take finished work until no more than this many batches are waited for."""
            while len(pending) > most:
                for future in wait(pending, return_when=FIRST_COMPLETED).done:
                    count = pending.pop(future)
                    folder.take(future.result())
                    advance(count)

        def decode(some: Sequence[Job]) -> None:
            for batch, copy in _batches(some, folder, advance):
                # No more than these are copied out of an archive and wait.
                finish(2 * workers - 1)
                pending[pool.submit(folder.decode, batch, copy)] = len(batch)
            finish(0)

        pool = ThreadPoolExecutor(workers)
        try:
            # First what may be somebody else's: nothing is written beside that.
            decode(unknown)
            folder.sounds.stopped = bool(folder.sounds.foreign)
            if not folder.sounds.stopped:
                known = {job.clip.id for job in unknown}
                decode([job for job in jobs if job.clip.id not in known])
        finally:
            # Nothing is decoded any more, or nobody waits for it.
            decoders.kill()
            pool.shutdown(cancel_futures=True)
            decoders.close()
            remove_abandoned(target)
        folder.count_others()
    return folder.sounds
