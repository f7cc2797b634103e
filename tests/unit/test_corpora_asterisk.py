"""Claims about Asterisk's prompts: one voice's folder, the list of what it says, links, and what is not read."""

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_asrgate.corpora.asterisk import ADAPTER
from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import DatasetError

LINES = "; Somebody's prompts\n\nhello: Hello: you.\ndigits/1: one\nbeep: [ascending tones]\nletters/a:\n"


def voice(root: Path, *sounds: str, name: str = "en_US_f_Somebody") -> Path:
    """The folder of a voice as it is installed, with empty sounds."""
    folder = root / "share" / "asterisk" / "sounds" / name
    folder.mkdir(parents=True, exist_ok=True)
    for sound in sounds:
        (folder / sound).parent.mkdir(exist_ok=True)
        (folder / sound).touch()
    return folder


def installed(root: Path, text: str = LINES, code: str = "en") -> Path:
    """The list where a package has it."""
    folder = root / "share" / "doc" / f"asterisk-core-sounds-{code}"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"core-sounds-{code}.txt.gz"
    path.write_bytes(gzip.compress(text.encode("utf-8")))
    return path


def four(root: Path, name: str = "en_US_f_Somebody") -> Path:
    """A folder with the sounds of all lines."""
    return voice(root, "hello.wav", "beep.wav", "digits/1.wav", "letters/a.wav", name=name)


def _read(source: Path, transcripts: Path | None = None) -> Corpus:
    return ADAPTER.read(source, Settings(transcripts=transcripts))


def _refusal(source: Path, transcripts: Path | None = None) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(source, transcripts)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def _texts(corpus: Corpus) -> Mapping[str, str]:
    return {clip.id: clip.text for clip in corpus.clips}


def test_a_line_and_its_sound_are_a_clip(tmp_path: Path) -> None:
    """The text is what follows the first colon, or nothing; a folder is a tag, the voice the speaker."""
    source, path = four(tmp_path), installed(tmp_path)
    corpus = _read(source)
    assert corpus == Corpus(
        tuple(
            Clip(
                identity,
                Sound(source / f"{identity}.wav"),
                text,
                f"{path}:{line}",
                "en_US",
                "en_US_f_Somebody",
                tags,
            )
            for identity, text, line, tags in (
                ("beep", "[ascending tones]", 5, ()),
                ("digits/1", "one", 4, ("folder:digits",)),
                ("hello", "Hello: you.", 3, ()),
                ("letters/a", "", 6, ("folder:letters",)),
            )
        )
    )
    assert CORPORA["asterisk"] is ADAPTER


def test_the_list_is_told_or_inside_or_installed(tmp_path: Path) -> None:
    """In this order; an unpacked folder has the list in it, perhaps packed, and other files of text beside it."""
    source = voice(tmp_path, "hello.wav")
    installed(tmp_path, "hello: installed\n")
    assert _texts(_read(source)) == {"hello": "installed"}
    (source / "CHANGES-en.txt").touch()
    (source / "core-sounds-en.txt").write_text("hello: inside\n")
    assert _texts(_read(source)) == {"hello": "inside"}
    (tmp_path / "mine.txt").write_text("\ufeff; mine\nhello: told\n", encoding="utf-8")
    assert _texts(_read(source, tmp_path / "mine.txt")) == {"hello": "told"}


def test_an_alternative_leads_to_the_voice(tmp_path: Path) -> None:
    """A link such as en has the list, the language and the name of the folder that it leads to."""
    source = four(tmp_path)
    installed(tmp_path)
    link = tmp_path / "en"
    link.symlink_to(source)
    (clip, *_) = _read(link).clips
    assert (clip.sound.path, clip.speaker, clip.language) == (link / "beep.wav", "en_US_f_Somebody", "en_US")


@pytest.mark.parametrize(
    ("name", "language"), [("my_sounds", "en"), ("tmp", "en"), ("en", "en"), ("en_AU", "en_AU")]
)
def test_the_list_names_the_language_where_the_folder_does_not(tmp_path: Path, name: str, language: str) -> None:
    """Only names as voices have them tell a language; otherwise the list's does."""
    source = voice(tmp_path, "hello.wav", name=name)
    (source / "core-sounds-en.txt").write_text("hello: Hello.\n")
    assert [clip.language for clip in _read(source).clips] == [language]
    (source / "core-sounds-en.txt").rename(source / "said.txt")
    (clip,) = _read(source, source / "said.txt").clips
    assert clip.language == (name if name.startswith("en") else None)


def test_wav_is_preferred_and_g722_counted(tmp_path: Path) -> None:
    """An id in both formats is read from the .wav; how many are there in .g722 alone is told."""
    source = voice(
        tmp_path, "hello.wav", "hello.g722", "digits/1.g722", "beep.g722", "letters/a.wav", "letters/a.gsm"
    )
    installed(tmp_path)
    corpus = _read(source)
    assert [clip.sound.path.name for clip in corpus.clips] == ["beep.g722", "1.g722", "hello.wav", "a.wav"]
    assert corpus.notes == ("2 sounds only in .g722",)


def test_other_formats_are_not_read(tmp_path: Path) -> None:
    """A prompt in another format alone is one without a sound, told with the ending; a folder of these fails."""
    source = voice(tmp_path, "hello.gsm", "digits/1.gsm", "digits/1.sln16")
    installed(tmp_path)
    assert "holds no sounds in .wav or .g722 but in .gsm, .sln16; " in _refusal(source)
    corpus = _read(voice(tmp_path, "beep.wav", "letters/a.wav", "digits/1.wav"))
    assert [orphan.name for orphan in corpus.orphans] == ["hello"]
    assert corpus.notes == ("1 sound only in formats that are not read (.gsm): 'hello'",)


def test_links_to_one_file_are_one_clip(tmp_path: Path) -> None:
    """Of ids that lead to the same file the first stays, the others are counted, in files and in whole folders."""
    source = voice(tmp_path, "b.wav", "digits/1.wav")
    (source / "a.wav").symlink_to("b.wav")
    (source / "c.wav").symlink_to("b.wav")
    (source / "unsaid.wav").symlink_to("b.wav")
    (source / "numbers").symlink_to("digits")
    (source / "loop").symlink_to(".")
    installed(tmp_path, "a: A\nb: B\nc: C\nnumbers/1: uno\ndigits/1: one\n")
    corpus = _read(source)
    assert _texts(corpus) == {"a": "A", "digits/1": "one"}
    assert corpus.orphans == ()
    assert corpus.notes == (
        "4 ids left out that lead by links to the sound of another: 'b', 'c', 'numbers/1', 'unsaid'",
    )


def test_lines_and_sounds_without_the_other_are_told(tmp_path: Path) -> None:
    """A line without a sound, also where a link leads nowhere, and a sound without a line are orphans."""
    source = voice(tmp_path, "hello.wav", "digits/2.g722", "digits/1.txt")
    (source / "beep.wav").symlink_to("nowhere.wav")
    path = installed(tmp_path)
    assert _read(source).orphans == (
        Orphan("beep", f"{path}:5", has_sound=False),
        Orphan("digits/1", f"{path}:4", has_sound=False),
        Orphan("letters/a", f"{path}:6", has_sound=False),
        Orphan("digits/2.g722", str(source / "digits/2.g722"), has_sound=True),
    )


def test_lines_that_contradict_each_other_give_no_clip(tmp_path: Path) -> None:
    """Which of two texts a prompt says is not guessed: its sound has none. The same text twice is fine."""
    source = four(tmp_path)
    path = installed(tmp_path, f"{LINES}digits/1: two\nbeep:  [ascending tones] \nend: a\nend: b\n")
    corpus = _read(source)
    assert set(_texts(corpus)) == {"hello", "beep", "letters/a"}
    assert corpus.orphans == (
        Orphan("digits/1", f"{path}:4", has_sound=True),
        Orphan("end", f"{path}:9", has_sound=False),
    )
    assert corpus.notes == (
        f"2 ids of which the list says two different things: 'digits/1' ({path}:4), 'end' ({path}:9)",
    )


def test_a_folder_of_several_voices_is_refused(tmp_path: Path) -> None:
    """The message names the folders, each once, however many links lead to them."""
    source = four(tmp_path)
    four(tmp_path, "fr_CA_f_Someone")
    (source.parent / "en").symlink_to(source)
    message = _refusal(source.parent)
    assert (
        "holds several voices or languages (en_US_f_Somebody, fr_CA_f_Someone); give the folder of one" in message
    )


def test_no_list_says_where_was_looked(tmp_path: Path) -> None:
    """Both places are named, and so is a list that was told and is not there."""
    source = four(tmp_path)
    looked = tmp_path / "share/doc/asterisk-core-sounds-en"
    message = _refusal(source)
    assert f"looked for core-sounds-XX.txt in {source}, and core-sounds-en.txt.gz in {looked}" in message
    assert "there is no such list" in _refusal(source, tmp_path / "absent.txt")


def test_a_list_of_another_language_is_refused(tmp_path: Path) -> None:
    """Nothing else would show it: the ids are the same in all languages."""
    source = four(tmp_path)
    assert "is the list of the language es, while" in _refusal(source, installed(tmp_path, LINES, "es"))
    for code in ("es", "fr"):
        (source / f"core-sounds-{code}.txt").write_text(LINES)
    several = "has several lists ('core-sounds-es.txt', 'core-sounds-fr.txt'); name one by --transcripts"
    assert several in _refusal(source)
    (source / "core-sounds-en.txt").write_text(LINES)
    assert len(_read(source).clips) == 4


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("what is this", ":7: a line is an id, a colon and what is said; it is 'what is this'"),
        (": text", ":7: an id must not be empty"),
        ("../hello: Out.", ":7: the id '../hello' leads out of the folder"),
        ("/etc/hello: Out.", ":7: the id '/etc/hello' leads out of the folder"),
        ("x" * 1001 + ": Long.", ":7: an id must have at most 1000 characters"),
    ],
)
def test_a_doubtful_line_is_refused(tmp_path: Path, line: str, words: str) -> None:
    """One sentence names the list and the line."""
    source, path = four(tmp_path), installed(tmp_path, f"{LINES}{line}\n")
    assert _refusal(source).startswith(f"{path}{words}")


def test_what_is_no_voice_is_refused(tmp_path: Path) -> None:
    """Nothing, a file, a folder without sounds and an empty list each have their sentence."""
    assert "there is no such folder" in _refusal(tmp_path / "absent")
    source = four(tmp_path)
    assert "is no folder" in _refusal(source / "hello.wav")
    assert "holds no prompts" in _refusal(source, installed(tmp_path, "; nothing\n"))
    (tmp_path / "empty").mkdir()
    assert "holds no sounds in .wav or .g722; give" in _refusal(tmp_path / "empty")
