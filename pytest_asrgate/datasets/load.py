"""A dataset ready to be transcribed: utterances, the hash of each one's audio, and its speakers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_asrgate.audio import audio_length, file_problem
from pytest_asrgate.config import Dataset, Recipe
from pytest_asrgate.config.problems import nearest
from pytest_asrgate.datasets.manifest import ClimbError, manifest_digest, read_manifest
from pytest_asrgate.datasets.speakers import BY_IDS, named_blocks, speaker_blocks, speaker_field
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.jsonlines import read_rows
from pytest_asrgate.languages import canonical_language, language_problem
from pytest_asrgate.records import Utterance
from pytest_asrgate.values import LONGEST_AUDIO_S, first_of

__all__ = ["LoadedDataset", "count_utterances", "hash_audio", "length_problem", "load_dataset"]


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """The rows of one manifest; `speakers` is parallel to them, None where utterances count as independent."""

    name: str
    utterances: tuple[Utterance, ...]
    languages: tuple[str, ...]
    digest: str
    speakers: tuple[str, ...] | None
    speakers_note: str

    def part(self, places: Sequence[int]) -> "LoadedDataset":
        """The utterances at these places, in this order, as a data set of the same name and digest."""
        part = replace(self, utterances=tuple(self.utterances[place] for place in places))
        if self.speakers is None:
            return part
        source = BY_IDS if BY_IDS in self.speakers_note else ""
        speakers, note = named_blocks([self.speakers[place] for place in places], source)
        return replace(part, speakers=speakers, speakers_note=note)

    def in_language(self, language: str, name: str) -> "LoadedDataset":
        """The utterances in one of its languages, as a data set of its own: another name, another digest."""
        part = self.part([place for place, row in enumerate(self.utterances) if row.language == language])
        return replace(part, name=name, languages=(language,), digest=manifest_digest(part.utterances))


def count_utterances(dataset: Dataset) -> int:
    """How many rows the manifest has, without a look at any audio; 0 where it cannot be read."""
    try:
        # Opening a pipe may wait for ever.
        return sum(1 for _ in read_rows(dataset.manifest)) if dataset.manifest.is_file() else 0
    except (DatasetError, OSError):
        return 0


def load_dataset(dataset: Dataset, recipe: Recipe) -> LoadedDataset:
    """Read a dataset's manifest, every utterance with its language; DatasetError where that cannot be done."""
    try:
        rows = read_manifest(
            dataset.manifest,
            language=dataset.language,
            speaker_field=speaker_field(dataset.speakers) or "speaker",
            outside=dataset.audio_outside,
        )
    except ClimbError as error:
        raise DatasetError(
            f"{error}; keep the audio there, or set dataset.{dataset.name}.audio_outside = true"
        ) from None
    forced = None if recipe.language == "dataset" else recipe.language
    tags = [forced or row.language for row in rows]
    utterances = [
        replace(row, language=canonical_language(tag) if tag else None) for row, tag in zip(rows, tags, strict=True)
    ]
    for utterance in utterances:
        if utterance.language is None:
            raise DatasetError(
                f"{dataset.manifest}:{utterance.line} ({utterance.id}): has no language; "
                f'give the row one, or set dataset.{dataset.name}.language = "en"'
            )
    for utterance, tag in zip(utterances, tags, strict=True):
        problem = language_problem(tag or "")
        if problem:
            raise DatasetError(f"{dataset.manifest}:{utterance.line} ({utterance.id}): language: {problem}")
    _check_slices(dataset, utterances)
    try:
        speakers, note = speaker_blocks(utterances, dataset.speakers)
    except DatasetError as error:
        raise DatasetError(f"dataset.{dataset.name}.{error}") from error
    return LoadedDataset(
        name=dataset.name,
        utterances=tuple(utterances),
        languages=tuple(sorted({utterance.language for utterance in utterances if utterance.language})),
        digest=manifest_digest(utterances),
        speakers=speakers,
        speakers_note=note,
    )


# A message may name that many tags.
_LISTED = 20


def _check_slices(dataset: Dataset, utterances: Sequence[Utterance]) -> None:
    """DatasetError for a slice of the gate file that no utterance carries, before anything is decoded."""
    known = dict.fromkeys(tag for utterance in utterances for tag in utterance.tags)
    for tag in dataset.slices:
        if tag not in known:
            hint = nearest(tag, known) or "; none has any"
            if len(known) > _LISTED and "did you mean" not in hint:
                hint = f"; known here: {first_of([*known])}"
            raise DatasetError(
                f"dataset.{dataset.name}.slice.{tag}: no row of {dataset.manifest} has this tag{hint}"
            )


def length_problem(dataset: Dataset, utterance: Utterance, audio_s: float | None = None) -> str | None:
    """One sentence about audio that is longer than the dataset allows; None where it is not, or nothing says so.

    `audio_s` is its length in seconds where that is known; else the file's header is asked.
    """
    found = audio_length(utterance.audio) if audio_s is None else audio_s
    if found is None or found <= dataset.max_audio_s:
        return None
    mend = "split it" if dataset.max_audio_s >= LONGEST_AUDIO_S else "split it or raise that"
    limit = f"dataset.{dataset.name}.max_audio_s is {dataset.max_audio_s:g}"
    return f"{utterance.audio}: lasts {found:.1f} s, {limit}; {mend}"


def hash_audio(
    dataset: LoadedDataset, files: FileHashes | None = None
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return SHA-256 by utterance id, and by id one sentence for each audio file that cannot be used.

    That is one that cannot be read, and one that is not what its row's `audio_sha256` says.

    `files` knows files that were hashed before; without it every file is read.
    """
    hashes: dict[str, str] = {}
    unreadable: dict[str, str] = {}
    regular: list[Utterance] = []
    for utterance in dataset.utterances:
        try:
            problem = file_problem(utterance.audio)
            if problem is None:
                regular.append(utterance)
            else:
                unreadable[utterance.id] = f"{utterance.audio}: {problem}"
        except OSError as error:
            unreadable[utterance.id] = f"{utterance.audio}: cannot be read ({error.strerror})"
    every = (files or FileHashes()).each([utterance.audio for utterance in regular])
    for utterance, found in zip(regular, every, strict=True):
        if isinstance(found, OSError):
            unreadable[utterance.id] = f"{utterance.audio}: cannot be read ({found.strerror})"
        elif utterance.audio_sha256 not in {None, found}:
            # Its text may well be that of another sound.
            unreadable[utterance.id] = (
                f"{utterance.audio}: is not the file that the manifest was made with: its SHA-256 is {found}, "
                f"audio_sha256 says {utterance.audio_sha256}; put that file back, or make the manifest again"
            )
        else:
            hashes[utterance.id] = found
    return hashes, unreadable
