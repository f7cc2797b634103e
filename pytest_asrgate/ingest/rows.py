"""Clips of a corpus → rows of a manifest, every one of which `read_manifest` takes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_asrgate.corpora.corpus import Clip
from pytest_asrgate.corpora.ids import note_place
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.ingest.choice import Speech, speech_in
from pytest_asrgate.languages import canonical_language, language_problem
from pytest_asrgate.values import id_problem, named, plural, shown, tag_problem

__all__ = ["NON_SPEECH", "Job", "check_clips", "languages_of", "manifest_row", "overridden"]

# The tag of a row whose transcript says that nobody speaks.
NON_SPEECH = "non-speech"


@dataclass(frozen=True, slots=True)
class Job:
    """An utterance that goes into the manifest: its clip, the name of its file, and the code of its language."""

    clip: Clip
    file: str
    language: str


def _text_problem(text: str, what: str, *, empty: bool = False) -> str:
    if not empty and not text.strip():
        return f"{what} is empty"
    if "\0" in text:
        return f"{what} holds a NUL character"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return f"{what} holds half a character, or a byte that is not UTF-8: {shown(text)}"
    return ""


def _problem(clip: Clip) -> str:
    """What no manifest could hold of a clip, in a clause; empty where there is nothing."""
    fault = id_problem(clip.id)
    problem = f"the id {fault}" if fault else _text_problem(clip.id, "the id")
    problem = problem or _text_problem(clip.text, "the transcript", empty=True)
    if not problem and clip.speaker is not None:
        problem = _text_problem(clip.speaker, "the speaker")
    for tag in clip.tags:
        fault = tag_problem(tag)
        problem = problem or (f"the tag {shown(tag)} {fault}" if fault else "")
    return problem


def check_clips(clips: Iterable[Clip]) -> None:
    """DatasetError naming file and line for a clip that no manifest can hold, and for an id that stands twice."""
    places: dict[str, str] = {}
    for clip in clips:
        problem = _problem(clip)
        if problem:
            raise DatasetError(f"{clip.place}: {problem}")
        note_place(places, clip.id, clip.place)


def languages_of(clips: Sequence[Clip], forced: str | None, usual: str | None) -> Mapping[str, str]:
    """The code of each clip's language: `forced`, else its own, else the `usual` one of the corpus.

    DatasetError for a tag that means no language, naming its place, and where there is none.
    """
    problem = None if forced is None else language_problem(forced)
    if problem:
        raise DatasetError(f"--language: {problem}")
    tags = {clip.id: forced or clip.language or usual for clip in clips}
    lacking = [identity for identity, tag in tags.items() if tag is None]
    if lacking:
        some = "it is" if len(lacking) == 1 else "they are"
        raise DatasetError(
            f"{plural(len(lacking), 'utterance')} without a language ({named(lacking)}): say with --language what "
            f"{some} spoken in"
        )
    for clip in clips:
        problem = language_problem(tags[clip.id] or "")
        if problem:
            raise DatasetError(f"{clip.place}: {problem}; --language sets that of every utterance")
    return {identity: canonical_language(tag or "") for identity, tag in tags.items()}


def overridden(clips: Iterable[Clip], forced: str | None) -> Mapping[str, int]:
    """How many clips say another language than the `forced` one, by the code of what they say."""
    if forced is None:
        return {}
    told = Counter(canonical_language(clip.language) for clip in clips if clip.language)
    return {code: count for code, count in sorted(told.items()) if code != canonical_language(forced)}


def manifest_row(job: Job, audio: str, duration_s: float, sha256: str) -> dict[str, object]:
    """The row of an utterance; `audio` is its path from the manifest's folder, with forward slashes.

    Where nobody speaks, the reference is empty; what the transcript says of the sound stands under "annotation".
    """
    clip = job.clip
    kind = speech_in(clip.text)
    row: dict[str, object] = {
        "id": clip.id,
        "audio": audio,
        "ref_text": clip.text if kind is Speech.SPOKEN else "",
        "language": job.language,
    }
    if clip.speaker is not None:
        row["speaker"] = clip.speaker
    tags = [*clip.tags, *([NON_SPEECH] if kind is Speech.NONE else [])]
    if tags:
        row["tags"] = list(dict.fromkeys(tags))
    if kind is Speech.NONE:
        row["annotation"] = clip.text.strip()
    return {**row, "duration_s": duration_s, "audio_sha256": sha256}
