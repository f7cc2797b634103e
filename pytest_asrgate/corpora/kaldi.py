"""Data folders as Kaldi's recipes make them: wav.scp, text, and segments, speakers, languages, genders where given.

Source: "Data preparation" in Kaldi's documentation; columns of segments as extract-segments reads them.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.kaldi_recordings import Recording, recordings
from pytest_asrgate.corpora.kaldi_sides import Piece, check_apart
from pytest_asrgate.corpora.kaldi_tables import Line, genders, pairs, table
from pytest_asrgate.corpora.trees import check_folder
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import first_of, named, plural, shown

__all__ = ["ADAPTER"]

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class _Part:
    """A line of segments: times in seconds, None for the recording's end; the channel from 0, None for all."""

    recording: str
    start_s: float
    end_s: float | None
    channel: int | None


@dataclass(frozen=True, slots=True)
class _Utterance:
    """What has a sound to be transcribed, or names one that is not there (None); `place` is where it is named."""

    place: str
    recording: str
    sound: Sound | None


@dataclass(frozen=True, slots=True)
class _People:
    """Who speaks, in which language: each by the id of the utterance, genders of speakers by theirs."""

    speakers: Mapping[str, str]
    known: bool
    languages: Mapping[str, str]
    genders: Mapping[str, str]
    speaker_genders: Mapping[str, str]

    def clip(self, identity: str, sound: Sound, text: str, place: str) -> Clip:
        speaker = self.speakers.get(identity)
        tag = self.genders.get(identity) or self.speaker_genders.get(speaker or "")
        return Clip(
            id=identity,
            sound=sound,
            text=text.strip(),
            place=place,
            language=self.languages.get(identity),
            speaker=speaker if self.known else None,
            tags=(tag,) if tag else (),
        )


def _segment(where: str, line: Line) -> _Part:
    words = line.words
    if len(words) not in {3, 4}:
        raise DatasetError(f"{where}: after the id stand recording, start and end; it is {shown(line.rest)}")
    start, end = (float(word) if _NUMBER.fullmatch(word) else math.nan for word in words[1:3])
    # -1 is the end of the recording.
    if not math.isfinite(start) or not math.isfinite(end) or start < 0 or (end < 0 and end != -1):
        raise DatasetError(
            f"{where}: start and end are numbers of seconds from 0, or -1 for the recording's end; "
            f"they are {shown(' '.join(words[1:3]))}"
        )
    if end != -1 and end <= start:
        raise DatasetError(f"{where}: ends at {end:g} s, not after its start at {start:g} s")
    if len(words) == 4 and not re.fullmatch("[0-9]{1,2}", words[3]):
        raise DatasetError(f"{where}: a channel is a whole number from 0; it is {shown(words[3])}")
    return _Part(words[0], start, None if end == -1 else end, int(words[3]) if len(words) == 4 else None)


def _cut(recording: Recording | None, where: str, part: _Part) -> Sound | None:
    if recording is None or recording.sound is None:
        return None
    sound = replace(recording.sound, start_s=part.start_s, end_s=part.end_s)
    if part.channel is None:
        return sound
    if not recording.single:
        return replace(sound, channel=part.channel)
    if part.channel:
        raise DatasetError(f"{where}: names channel {part.channel} of a recording that has one only; leave it out")
    return sound


def _segments(path: Path, known: Mapping[str, Recording]) -> tuple[dict[str, _Utterance], list[Orphan]]:
    """The utterances that segments cut, and recordings of which none is cut."""
    utterances: dict[str, _Utterance] = {}
    used: set[str] = set()
    for identity, line in table(path).items():
        where = line.where(identity)
        part = _segment(where, line)
        used.add(part.recording)
        utterances[identity] = _Utterance(line.place, part.recording, _cut(known.get(part.recording), where, part))
    whole = [
        Orphan(identity, recording.place, has_sound=True)
        for identity, recording in known.items()
        if identity not in used and recording.sound is not None
    ]
    return utterances, whole


def _unnamed(scp: Path, utterances: Mapping[str, _Utterance], known: Mapping[str, Recording]) -> list[str]:
    """A sentence on segments of recordings that wav.scp lacks."""
    lines = [
        f"{row.place} ({identity}) {row.recording!r}"
        for identity, row in utterances.items()
        if row.recording not in known
    ]
    if not lines:
        return []
    return [f"{plural(len(lines), 'segment')} of a recording that {scp} does not name: {first_of(lines)}"]


def _people(source: Path, ids: Sequence[str], notes: list[str]) -> _People:
    path = source / "utt2spk"
    speakers = pairs(path, "the id of a speaker")
    # Kaldi's way of saying that speakers are unknown.
    known = not all(identity == speaker for identity, speaker in speakers.items())
    absent = [identity for identity in ids if identity not in speakers]
    if speakers and not known:
        notes.append(f"{path} has each utterance as its own speaker, so speakers are unknown")
    elif speakers and absent:
        notes.append(f"{path} has no speaker for {plural(len(absent), 'utterance')}: {named(absent)}")
    return _People(
        speakers=speakers,
        known=known,
        languages=pairs(source / "utt2lang", "a language"),
        genders=genders(source / "utt2gender"),
        speaker_genders=genders(source / "spk2gender"),
    )


def _check(source: Path) -> None:
    check_folder(source, "give a Kaldi data folder, which holds wav.scp and text")
    for name in ("wav.scp", "text"):
        if not (source / name).exists():
            raise DatasetError(
                f"{source}: is no Kaldi data folder: it holds no {name}; give the folder of wav.scp and text"
            )


def _read(source: Path, settings: Settings) -> Corpus:
    _check(source)
    if settings.audio is not None:
        check_folder(settings.audio, "--audio is the folder that paths of wav.scp begin in")
    notes: list[str] = []
    texts = table(source / "text")
    if not texts:
        raise DatasetError(f"{source / 'text'}: holds no line; each is an id and what was said")
    known, sharing = recordings(source, settings.audio, notes)
    names, orphans = source / "segments", list[Orphan]()
    if names.exists():
        utterances, orphans = _segments(names, known)
        notes += _unnamed(source / "wav.scp", utterances, known)
    else:
        names = source / "wav.scp"
        utterances = {identity: _Utterance(line.place, identity, line.sound) for identity, line in known.items()}
    notes += check_apart(
        (
            Piece(identity, row.place, row.recording, row.sound)
            for identity, row in utterances.items()
            if row.sound is not None
        ),
        sharing,
    )
    sounds = {identity: row.sound for identity, row in utterances.items() if row.sound is not None}
    people = _people(source, [identity for identity in texts if identity in sounds], notes)
    clips = []
    for identity, line in texts.items():
        if identity in sounds:
            clips.append(people.clip(identity, sounds[identity], line.rest, line.place))
        else:
            orphans.append(Orphan(identity, line.place, has_sound=False))
    others = {identity: row for identity, row in utterances.items() if identity not in texts}
    orphans += [Orphan(identity, row.place, has_sound=True) for identity, row in others.items() if row.sound]
    nothing = [identity for identity, row in others.items() if row.sound is None]
    if nothing:
        notes.append(f"{names} names neither a sound that is there nor a text: {named(nothing)}")
    return Corpus(tuple(clips), tuple(orphans), tuple(notes))


ADAPTER = Adapter(
    read=_read,
    summary="a Kaldi data folder: wav.scp, text and, where there are, segments, utt2spk and their like",
    settings=("audio",),
)
