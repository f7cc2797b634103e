"""A corpus → a folder of sounds and a manifest: first what is taken of it, then the writing."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_asrgate.corpora.corpus import Clip, Corpus
from pytest_asrgate.errors import DatasetError, TranscriberError, with_mend
from pytest_asrgate.ingest.choice import Choice, Policies, choose
from pytest_asrgate.ingest.decoders import Limits
from pytest_asrgate.ingest.g722 import G722_MISSING, has_g722, is_g722
from pytest_asrgate.ingest.journal import journal_entries
from pytest_asrgate.ingest.names import file_stems
from pytest_asrgate.ingest.outdated import outdated_rows
from pytest_asrgate.ingest.places import check_places, held, read_files, relative_audio
from pytest_asrgate.ingest.rows import Job, check_clips, languages_of, manifest_row, overridden
from pytest_asrgate.ingest.sample import sample_clips
from pytest_asrgate.ingest.sounds import CLIPPED, MIXED, SILENT
from pytest_asrgate.ingest.writing import Sounds, write_sounds
from pytest_asrgate.jsonlines import json_text, write_atomically
from pytest_asrgate.values import first_of, named, plural

__all__ = ["Ingested", "Intake", "Plan", "ingest", "speakers_of", "take_in"]


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a corpus goes, and what is done with what is odd in it.

    `source` is what it was read from, `read` other folders and files that were. `format` is "wav" or "flac",
    `language` that of every utterance whatever the corpus says, `channel`, from 0, the one to take where the corpus
    names none. `sample` is how many utterances are taken at most, drawn by `seed`. `unreadable` is "refuse" or
    "skip".
    """

    source: Path
    folder: Path
    manifest: Path
    read: tuple[Path, ...] = ()
    format: str = "wav"
    language: str | None = None
    channel: int | None = None
    sample: int | None = None
    seed: int = 0
    policies: Policies = field(default_factory=Policies)
    unreadable: str = "refuse"
    workers: int = 1
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Intake:
    """What is taken of a corpus, before anything is decoded: the work, and what was chosen and why.

    `total` are the utterances that a sample was drawn of. `speakers` counts those of the work, and is 0 where none
    is named. `overridden` has how many utterances the corpus says to be in another language than the one that was
    asked for, by what it says.
    """

    jobs: tuple[Job, ...]
    choice: Choice
    total: int
    speakers: int
    overridden: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ingested:
    """What is in the folder and the manifest now; `seconds` of sound, codes of languages, speakers by name.

    `written` sounds were written now, `there` were there already, `others` are of ours and in no row. `unreadable`
    are sentences of those skipped. `marked` has the ids of sounds by what is odd about them. `changed` says whether
    the manifest had to be written.
    """

    utterances: int
    written: int
    there: int
    seconds: float
    speakers: int
    languages: tuple[str, ...]
    unreadable: tuple[str, ...]
    marked: Mapping[str, tuple[str, ...]]
    others: int
    changed: bool


def speakers_of(clips: Iterable[Clip]) -> int:
    """How many different speakers are named."""
    return len({clip.speaker for clip in clips if clip.speaker is not None})


def take_in(corpus: Corpus, plan: Plan, usual_language: str | None = None) -> Intake:
    """Choose what is taken of a corpus, and name its files; nothing is decoded or written.

    `usual_language` is that of corpora of this shape. DatasetError for places that cannot be, for clips that no
    manifest can hold, and for what the policies, the language or a missing decoder leave open.
    """
    check_places(plan.source, plan.read, plan.folder, plan.manifest, corpus)
    check_clips(corpus.clips)
    # Over the whole corpus, so that a sample has the same names.
    stems = file_stems(clip.id for clip in corpus.clips)
    choice = choose(corpus, plan.policies)
    languages = languages_of(choice.clips, plan.language, usual_language)
    taken = choice.clips if plan.sample is None else sample_clips(choice.clips, plan.sample, plan.seed)
    jobs = tuple(
        Job(_of_channel(clip, plan.channel), f"{stems[clip.id]}.{plan.format}", languages[clip.id])
        for clip in taken
    )
    targets = {plan.folder.resolve() / job.file for job in jobs}
    if plan.manifest.resolve() in targets:
        raise DatasetError(f"--manifest {plan.manifest}: is the name of a sound; give it another one")
    own = targets & read_files(corpus)
    if own:
        raise DatasetError(f"--out-dir {plan.folder}: {min(own)} is a file of the corpus; give another folder")
    coded = [job.clip.id for job in jobs if is_g722(job.clip.sound.member or job.clip.sound.path.name)]
    if coded and not has_g722():
        raise DatasetError(f"{plural(len(coded), 'sound')} in G.722 ({named(coded)}): {G722_MISSING}")
    return Intake(jobs, choice, len(choice.clips), speakers_of(taken), overridden(choice.clips, plan.language))


def _of_channel(clip: Clip, channel: int | None) -> Clip:
    """The clip with this channel of its sound, unless the corpus names one."""
    if channel is None or clip.sound.channel is not None:
        return clip
    return replace(clip, sound=replace(clip.sound, channel=channel))


def _rest(sounds: Sounds) -> str:
    """What became of everything else where there must be no manifest yet."""
    if not sounds.written and (sounds.stopped or not sounds.entries):
        return "nothing was written"
    return "everything else is written and will not be decoded again, and there is no new manifest"


def _outdated(plan: Plan) -> str:
    """A clause where the manifest that is there does not fit any more, now or since an earlier run; else empty."""
    try:
        count = outdated_rows(plan.manifest, plan.folder, journal_entries(plan.folder))
    except OSError:
        # None is there, or the refusal itself says what is broken.
        return ""
    if not count:
        return ""
    were = "was" if count == 1 else "were"
    return f"; the manifest that is there does not fit any more: {count} of its sounds {were} replaced"


def _check_sounds(plan: Plan, sounds: Sounds) -> None:
    """DatasetError where there must be no manifest yet."""
    unreadable, foreign, readable = sounds.unreadable, sounds.foreign, len(sounds.entries)
    rest = _rest(sounds)
    if foreign:
        raise DatasetError(
            f"{plural(len(foreign), 'file')} in {plan.folder} would be written over: "
            f"{first_of([foreign[key] for key in sorted(foreign)])}; remove what is not needed or give another "
            f"--out-dir; {rest}"
        )
    if unreadable and (plan.unreadable != "skip" or not readable):
        them = "it" if len(unreadable) == 1 else "them"
        mend = f"mend {them}" if not readable else f"mend {them}, or say --unreadable skip"
        raise DatasetError(
            f"{plural(len(unreadable), 'sound')} cannot be read: "
            f"{first_of([unreadable[key] for key in sorted(unreadable)])}; {mend}, and run again; {rest}"
        )


def _write_manifest(path: Path, text: str) -> bool:
    """Write a manifest unless it holds this text already; whether it was written."""
    try:
        if path.is_file() and path.read_bytes() == text.encode("utf-8"):
            return False
        write_atomically(path, text)
    except OSError as error:
        raise DatasetError(
            with_mend(f"{path}: the manifest cannot be written ({error.strerror})", error)
        ) from error
    return True


def ingest(intake: Intake, plan: Plan, advance: Callable[[int], None] = lambda _: None) -> Ingested:
    """Write the sounds that are not there yet, then the manifest, sorted by id.

    `advance` takes how many sounds are done more. DatasetError where the folder is held by another run or cannot
    be written to, where sounds cannot be read unless they are skipped, and where files of others are in the way;
    the manifest is then as it was.
    """
    with held(plan.folder):
        try:
            sounds = write_sounds(
                intake.jobs, plan.folder, plan.format, workers=plan.workers, limits=plan.limits, advance=advance
            )
            _check_sounds(plan, sounds)
            jobs = [job for job in intake.jobs if job.clip.id in sounds.entries]
            prefix = relative_audio(plan.folder, plan.manifest)
            entries = [sounds.entries[job.clip.id] for job in jobs]
            rows = [
                manifest_row(job, f"{prefix}{job.file}", entry.duration_s, entry.sha256)
                for job, entry in zip(jobs, entries, strict=True)
            ]
            changed = _write_manifest(plan.manifest, "".join(f"{json_text(row)}\n" for row in rows))
        except (DatasetError, TranscriberError) as error:
            outdated = _outdated(plan)
            if not outdated:
                raise
            raise type(error)(f"{error}{outdated}") from error
    languages = Counter(job.language for job in jobs)
    return Ingested(
        utterances=len(jobs),
        written=sounds.written,
        there=len(jobs) - sounds.written,
        seconds=sum(entry.duration_s for entry in entries),
        speakers=speakers_of(job.clip for job in jobs),
        languages=tuple(sorted(languages)),
        unreadable=tuple(sounds.unreadable[key] for key in sorted(sounds.unreadable)),
        marked={
            mark: tuple(job.clip.id for job, entry in zip(jobs, entries, strict=True) if mark in entry.marks)
            for mark in (MIXED, CLIPPED, SILENT)
        },
        others=sounds.others,
        changed=changed,
    )
