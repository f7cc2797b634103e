"""What a corpus holds, before any sound is decoded: utterances, the place of their sound, and what lacks one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Adapter", "Clip", "Corpus", "Orphan", "Settings", "Sound"]


@dataclass(frozen=True, slots=True)
class Sound:
    """Where the sound of one utterance is: a whole file, a file in a tar archive, or a part of a recording.

    `path` is the file or, where `member` is a name in it, the archive. `start_s` and `end_s` are in seconds, None
    for the end of the recording. `channel` counts from 0; None mixes all channels down.
    """

    path: Path
    member: str = ""
    start_s: float = 0.0
    end_s: float | None = None
    channel: int | None = None

    @property
    def name(self) -> str:
        """The sound as a message names it."""
        place = f"{self.path}({self.member})" if self.member else str(self.path)
        if not self.start_s and self.end_s is None:
            return place
        return f"{place} from {self.start_s:g} s to {'its end' if self.end_s is None else f'{self.end_s:g} s'}"


@dataclass(frozen=True, slots=True)
class Clip:
    """One utterance of a corpus: its transcript as written there, and where its sound is.

    `place` is file and line of the transcript, for messages. `language` is a tag as the corpus has it, None where
    it names none; `tags` are groups that a gate may slice by.
    """

    id: str
    sound: Sound
    text: str
    place: str
    language: str | None = None
    speaker: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Orphan:
    """A transcript without sound, or a sound without transcript; `place` says where what is there is.

    `name` is the id, or the path of the sound within the corpus.
    """

    name: str
    place: str
    has_sound: bool


@dataclass(frozen=True, slots=True)
class Corpus:
    """Everything that a reader found, in any order; `notes` are sentences on what it passed over, and why."""

    clips: tuple[Clip, ...]
    orphans: tuple[Orphan, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """What the options of `asrgate ingest` say to a reader; each reader uses those that its `Adapter` names.

    `split` is the part of the corpus to read, `transcripts` a file of transcripts that lies elsewhere, `audio` a
    folder of sounds that lies elsewhere. The columns are of a table: a name of its header, or a number from 1 in a
    table without one. `delimiter` None is chosen by the file's name. `quoting` is "csv" or "none", None where
    nobody said whether quotation marks at the start of a field are about it or of it.
    """

    split: str | None = None
    transcripts: Path | None = None
    audio: Path | None = None
    audio_column: str | None = None
    text_column: str | None = None
    id_column: str | None = None
    speaker_column: str | None = None
    language_column: str | None = None
    tag_columns: tuple[str, ...] = ()
    delimiter: str | None = None
    quoting: str | None = None
    header: bool = True


@dataclass(frozen=True, slots=True)
class Adapter:
    """One shape of corpus: how it is read, what it is, and which of the `Settings` it uses.

    `read` takes the corpus's folder or file and raises DatasetError, naming file and line, for what is none.
    `language` is that of every corpus of this shape, None where each names its own or none.
    """

    read: Callable[[Path, Settings], Corpus]
    summary: str
    settings: tuple[str, ...] = ()
    language: str | None = None
