"""Which utterances of a corpus are kept: what is to be done with those without speech, text or sound."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import named, plural

__all__ = ["Choice", "Policies", "Speech", "choose", "speech_in"]


class Speech(Enum):
    """What a transcript says of its sound."""

    SPOKEN = "spoken"
    EMPTY = "empty"
    NONE = "non-speech"


@dataclass(frozen=True, slots=True)
class Policies:
    """What is done with utterances that lack something; None where nobody said it, which is then refused.

    `empty` and `non_speech` are "keep" or "drop", `unpaired` is "refuse" or "skip".
    """

    empty: str | None = None
    non_speech: str | None = None
    unpaired: str = "refuse"


@dataclass(frozen=True, slots=True)
class Choice:
    """The clips that are kept, and the names of those that were looked at twice, in the order of their names.

    `empty` and `non_speech` are in `clips` only where the policies keep them. Orphans never are.
    """

    clips: tuple[Clip, ...]
    empty: tuple[str, ...]
    non_speech: tuple[str, ...]
    without_sound: tuple[str, ...]
    without_transcript: tuple[str, ...]


# Innermost first, so that nested ones go as well.
_ANNOTATION = re.compile(r"\[[^][]*\]|<[^<>]*>|\([^()]*\)|\{[^{}]*\}")
# What stands for no speech without brackets: Kaldi's lexicons, NIST's scoring, CMU Sphinx.
_MARKS = re.compile(
    r"(?<!\S)(?:!?SIL|SPN|NSN|IGNORE_TIME_SEGMENT_IN_SCORING|ignore_time_segment_in_scoring|\+\+\S+\+\+)(?!\S)"
)

# In small letters these may be words, but hardly a transcript of nothing else.
_LONE_MARKS = frozenset({"sil", "spn", "nsn"})


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)


def speech_in(text: str) -> Speech:
    """Whether a transcript holds speech: empty is what has no letter and no digit at all.

    Non-speech is what has none beside annotations in brackets, `[..]`, `<..>`, `(..)`, `{..}`, and the marks SIL,
    SPN, NSN (alone also in small letters), ignore_time_segment_in_scoring and `++..++`. A word beside an annotation
    is speech.
    """
    if not _says_something(text):
        return Speech.EMPTY
    left, before = text, ""
    while left != before:
        left, before = _ANNOTATION.sub(" ", left), left
    if left.strip().lower() in _LONE_MARKS:
        return Speech.NONE
    return Speech.SPOKEN if _says_something(_MARKS.sub(" ", left)) else Speech.NONE


def _undecided(ids: Sequence[str], what: str, policy: str | None, option: str) -> list[str]:
    if not ids or policy is not None:
        return []
    verb = "has" if len(ids) == 1 else "have"
    return [f"{plural(len(ids), 'utterance')} {verb} {what} ({named(ids)}): say {option} keep or {option} drop"]


def _unpaired(orphans: Sequence[Orphan], singular: str, lack: str, policy: str) -> list[str]:
    if not orphans or policy == "skip":
        return []
    names, first = [orphan.name for orphan in orphans], orphans[0].place
    which = f"{named(names)}, at {first}" if len(names) == 1 else f"{named(names)}, the first at {first}"
    return [f"{plural(len(names), singular)} without {lack} ({which}): mend the corpus or say --unpaired skip"]


def choose(corpus: Corpus, policies: Policies) -> Choice:
    """The clips to keep, in order of their ids.

    Raises DatasetError, with counts, first names and options, for empty and non-speech transcripts that nobody
    said what to do with, for orphans unless they are skipped, and where nothing is left.
    """
    clips = sorted(corpus.clips, key=lambda clip: clip.id)
    kinds = {clip.id: speech_in(clip.text) for clip in clips}
    empty = tuple(clip.id for clip in clips if kinds[clip.id] is Speech.EMPTY)
    non_speech = tuple(clip.id for clip in clips if kinds[clip.id] is Speech.NONE)
    orphans = sorted(corpus.orphans, key=lambda orphan: orphan.name)
    without_sound = [orphan for orphan in orphans if not orphan.has_sound]
    without_transcript = [orphan for orphan in orphans if orphan.has_sound]
    problems = [
        *_undecided(empty, "an empty transcript", policies.empty, "--empty"),
        *_undecided(non_speech, "a transcript of no speech", policies.non_speech, "--non-speech"),
        *_unpaired(without_sound, "transcript", "sound", policies.unpaired),
        *_unpaired(without_transcript, "sound", "transcript", policies.unpaired),
    ]
    if problems:
        raise DatasetError("; ".join(problems))
    dropped = {Speech.EMPTY: policies.empty == "drop", Speech.NONE: policies.non_speech == "drop"}
    kept = tuple(clip for clip in clips if not dropped.get(kinds[clip.id], False))
    if not kept:
        raise DatasetError(
            "no utterance is left, so there is nothing to ingest; check what the options drop and skip"
        )
    soundless, wordless = (
        tuple(orphan.name for orphan in lacking) for lacking in (without_sound, without_transcript)
    )
    return Choice(kept, empty, non_speech, soundless, wordless)
