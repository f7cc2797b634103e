"""Prompts of Asterisk as they are installed or unpacked: a folder of one voice, and the list of what it says."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.ids import check_id
from pytest_asrgate.corpora.lines import text_lines
from pytest_asrgate.corpora.trees import Listings, check_folder, walk
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.languages import canonical_language, language_problem
from pytest_asrgate.values import first_of, named, plural, shown, tag_problem, without_surrogates

__all__ = ["ADAPTER"]

_GIVE = "give the folder of one voice, such as /usr/share/asterisk/sounds/en_US_f_Allison"
# The first is taken where both are.
_READ = (".wav", ".g722")
_UNREAD = frozenset((".gsm", ".sln", ".sln16", ".sln48", ".ulaw", ".alaw", ".g729", ".siren7", ".siren14"))
# en_US_f_Allison, en_AU, fr. Two letters alone may begin any name, so nothing follows them.
_VOICE = re.compile(r"([a-z]{2,3}_[A-Z]{2})(?:_.*)?|[a-z]{2}")
_LIST = re.compile(r"core-sounds-(.+?)\.txt(?:\.gz)?")


@dataclass(frozen=True, slots=True)
class _Prompt:
    """One line of the list."""

    id: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class _Voice:
    """The folder of a voice: its name as links lead, and the language that it is named by."""

    source: Path
    real: Path
    language: str | None


def _tag(name: str) -> str | None:
    """The language that a folder of a voice is named by, such as en_US; None for any other name."""
    found = _VOICE.fullmatch(name)
    tag = (found[1] or name) if found else ""
    return tag if found and language_problem(tag) is None else None


def _voice(source: Path) -> _Voice:
    check_folder(source, _GIVE)
    _, names = next(walk(source))
    real = Path(os.path.realpath(source))
    if not any(os.path.splitext(name)[1] in _UNREAD.union(_READ) for name in names):  # noqa: PTH122 - names only
        # Links such as en lead to folders that are there by their own names.
        inside = sorted({path.resolve().name for path in source.iterdir() if path.is_dir() and _tag(path.name)})
        if inside:
            raise DatasetError(f"{source}: holds several voices or languages ({first_of(inside)}); {_GIVE}")
    return _Voice(source, real, _tag(real.name) or _tag(Path(os.path.abspath(source)).name))  # noqa: PTH100 - as named


def _list_language(path: Path) -> str | None:
    """The language that a list is named by: XX of core-sounds-XX.txt."""
    found = _LIST.fullmatch(path.name)
    return found[1] if found and language_problem(found[1]) is None else None


def _inside(voice: _Voice) -> Path | None:
    names = [name for name in next(walk(voice.source))[1] if _LIST.fullmatch(name)]
    if len(names) > 1 and voice.language is not None:
        code = canonical_language(voice.language)
        names = [name for name in names if canonical_language(_list_language(Path(name)) or "") == code] or names
    if len(names) > 1:
        raise DatasetError(f"{voice.source}: has several lists ({named(names)}); name one by --transcripts")
    return voice.source / names[0] if names else None


def _list(voice: _Voice, told: Path | None) -> Path:
    """The list of what the voice says: the one that is told, in the folder, or where Debian's packages have it."""
    path = told if told is not None else _inside(voice)
    if path is None:
        looked = f"looked for core-sounds-XX.txt in {voice.source}"
        if voice.language is not None:
            code = voice.language.split("_")[0]
            documents = Path(os.path.normpath(voice.real / "../../../doc")) / f"asterisk-core-sounds-{code}"
            name = f"core-sounds-{code}.txt"
            path = next((found for end in (".gz", "") if (found := documents / f"{name}{end}").is_file()), None)
            looked = f"{looked}, and {name}.gz in {documents}"
        if path is None:
            raise DatasetError(f"{voice.source}: has no list of what is said; {looked}; name one by --transcripts")
    if not path.exists():
        raise DatasetError(f"{path}: there is no such list of transcripts")
    language = _list_language(path)
    if language and voice.language and canonical_language(language) != canonical_language(voice.language):
        raise DatasetError(
            f"{path}: is the list of the language {language}, while the folder {voice.real.name} is named by "
            f"{voice.language}; most ids of all languages are the same, so that this would not be noticed"
        )
    return path


def _prompts(path: Path) -> tuple[list[_Prompt], list[_Prompt]]:
    """The prompts of a list by id, and those whose lines contradict each other, as in Debian's Spanish one."""
    prompts: dict[str, _Prompt] = {}
    doubtful: dict[str, _Prompt] = {}
    for number, line in text_lines(path):
        place = f"{path}:{number}"
        if line.lstrip().startswith(";"):
            continue
        # Some prompts have no text, and then nothing follows the colon.
        identity, sign, text = line.partition(":")
        identity = identity.strip()
        if not sign:
            raise DatasetError(f"{place}: a line is an id, a colon and what is said; it is {shown(line.strip())}")
        check_id(identity, place)
        if identity.startswith("/") or ".." in identity.split("/"):
            raise DatasetError(f"{place}: the id {shown(identity)} leads out of the folder")
        prompt = prompts.setdefault(identity, _Prompt(identity, text.strip(), place))
        if prompt.text != text.strip():
            doubtful[identity] = prompt
    if not prompts:
        raise DatasetError(f"{path}: holds no prompts")
    clear = [prompts[identity] for identity in sorted(prompts.keys() - doubtful.keys())]
    return clear, [doubtful[identity] for identity in sorted(doubtful)]


def _sounds(source: Path) -> tuple[dict[str, Path], dict[str, str]]:
    """By id the paths of the sounds, and the endings of those that are there in formats alone that are not read."""
    read: dict[str, Path] = {}
    unread: dict[str, str] = {}
    for folder, names in walk(source):
        below = folder.relative_to(source)
        for name in names:
            stem, ending = os.path.splitext(name)  # noqa: PTH122 - as above
            identity = (below / stem).as_posix()
            if ending in _UNREAD:
                unread[identity] = ending
            elif ending == _READ[0] or (ending == _READ[1] and identity not in read):
                read[identity] = folder / name
    return read, {identity: ending for identity, ending in unread.items() if identity not in read}


def _through_links(source: Path, prompts: Sequence[_Prompt], read: Mapping[str, Path]) -> dict[str, Path]:
    """Sounds of prompts in a folder that has two names, of which it was listed by the other."""
    listings = Listings()
    lacking = (prompt.id for prompt in prompts if prompt.id not in read)
    # From the worse to the better format, which stays.
    paths = ((identity, source / f"{identity}{ending}") for identity in lacking for ending in reversed(_READ))
    return {identity: path for identity, path in paths if listings.has(path)}


def _notes(
    clips: Sequence[Clip], linked: Sequence[str], unread: Mapping[str, str], doubtful: Sequence[_Prompt]
) -> tuple[str, ...]:
    packed = sum(clip.sound.path.suffix == _READ[1] for clip in clips)
    notes = []
    if doubtful:
        places = first_of([f"{prompt.id!r} ({prompt.place})" for prompt in doubtful])
        notes.append(f"{plural(len(doubtful), 'id')} of which the list says two different things: {places}")
    if packed:
        notes.append(f"{plural(packed, 'sound')} only in .g722")
    if linked:
        notes.append(
            f"{plural(len(linked), 'id')} left out that lead by links to the sound of another: {named(linked)}"
        )
    if unread:
        endings = ", ".join(sorted(set(unread.values())))
        notes.append(
            f"{plural(len(unread), 'sound')} only in formats that are not read ({endings}): {named(sorted(unread))}"
        )
    return tuple(notes)


def _tags(identity: str) -> tuple[str, ...]:
    folder = identity.rpartition("/")[0]
    tag = f"folder:{folder}"
    return (tag,) if folder and not tag_problem(tag) else ()


def _read(source: Path, settings: Settings) -> Corpus:
    """The prompts of one voice, which is the speaker; of several ids for one file the first is taken.

    Where the list says two things of one id, its sound counts as one without a transcript.
    """
    voice = _voice(source)
    read, unread = _sounds(source)
    if not read:
        only = f" but in {', '.join(sorted(set(unread.values())))}" if unread else ""
        raise DatasetError(
            f"{source}: holds no sounds in {' or '.join(_READ)}{only}; {_GIVE}, with the sounds in .wav"
        )
    path = _list(voice, settings.transcripts)
    prompts, doubtful = _prompts(path)
    found = {**read, **_through_links(source, prompts, read)}
    language = voice.language or _list_language(path)
    clips: list[Clip] = []
    orphans: list[Orphan] = []
    linked: list[str] = []
    taken: set[str] = set()
    for prompt in prompts:
        if prompt.id not in found:
            orphans.append(Orphan(prompt.id, prompt.place, has_sound=False))
            continue
        sound = found[prompt.id]
        real = os.path.realpath(sound)
        if real in taken:
            linked.append(prompt.id)
            continue
        taken.add(real)
        speaker = without_surrogates(voice.real.name) or None
        clips.append(Clip(prompt.id, Sound(sound), prompt.text, prompt.place, language, speaker, _tags(prompt.id)))
    orphans += [Orphan(prompt.id, prompt.place, has_sound=prompt.id in read) for prompt in doubtful]
    listed = {prompt.id for prompt in (*prompts, *doubtful)}
    for identity in sorted(read.keys() - listed):
        if os.path.realpath(read[identity]) in taken:
            linked.append(without_surrogates(identity))
            continue
        name = read[identity].relative_to(source).as_posix()
        orphans.append(Orphan(without_surrogates(name), without_surrogates(str(read[identity])), has_sound=True))
    return Corpus(tuple(clips), tuple(orphans), _notes(clips, linked, unread, doubtful))


ADAPTER = Adapter(
    read=_read,
    summary="Asterisk's prompts of one voice: a folder of .wav or .g722, and its core-sounds-XX.txt",
    settings=("transcripts",),
)
