"""Claims about Kaldi's data folders: tables joined by id, commands read for what they decode and never run."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_asrgate.corpora.corpus import Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.kaldi import ADAPTER
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import DatasetError

PLAIN = {"wav.scp": "u1 a.wav\nu2 b.wav\n", "text": "u1 one cat\nu2 Two,  cats!\n"}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder beside a current folder that holds a few empty sounds."""
    sounds = tmp_path / "here"
    sounds.mkdir()
    for name in ("a.wav", "b.wav", "c d.sph"):
        (sounds / name).touch()
    monkeypatch.chdir(sounds)
    folder = tmp_path / "data" / "test"
    folder.mkdir(parents=True)
    return folder


def _read(data: Path, files: Mapping[str, str], audio: Path | None = None) -> Corpus:
    for name, text in files.items():
        (data / name).write_text(text, encoding="utf-8")
    return ADAPTER.read(data, Settings(audio=audio))


def _sounds(corpus: Corpus) -> dict[str, Sound]:
    return {clip.id: clip.sound for clip in corpus.clips}


def _refusal(data: Path, files: Mapping[str, str]) -> str:
    with pytest.raises(DatasetError) as caught:
        _read(data, files)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_registry_has_it() -> None:
    """It is found under its name, and uses the setting `audio`."""
    assert CORPORA["kaldi"] is ADAPTER
    assert (ADAPTER.settings, ADAPTER.language) == (("audio",), None)


def test_tables_are_joined_by_id(data: Path) -> None:
    """Each utterance has its sound, text as written, speaker, language and gender."""
    files = {
        **PLAIN,
        "utt2spk": "u1 ann\nu2 bob\n",
        "utt2lang": "u1 en\nu2 de\n",
        "spk2gender": "ann f\nbob m\n",
        "utt2dur": "nobody reads this",
    }
    assert _read(data, files) == Corpus(
        (
            Clip("u1", Sound(Path("a.wav")), "one cat", f"{data / 'text'}:1", "en", "ann", ("female",)),
            Clip("u2", Sound(Path("b.wav")), "Two,  cats!", f"{data / 'text'}:2", "de", "bob", ("male",)),
        )
    )


def test_the_gender_of_an_utterance_goes_before_that_of_its_speaker(data: Path) -> None:
    """utt2gender is about this utterance."""
    files = {**PLAIN, "utt2spk": "u1 s\nu2 s\n", "spk2gender": "s F\n", "utt2gender": "u2 male\n"}
    assert [clip.tags for clip in _read(data, files).clips] == [("female",), ("male",)]


def test_each_utterance_as_its_own_speaker_is_no_speaker(data: Path) -> None:
    """That is how Kaldi says that speakers are unknown; one real speaker more, and all are meant."""
    corpus = _read(data, {**PLAIN, "utt2spk": "u1 u1\nu2 u2\n", "spk2gender": "u1 f\n"})
    assert [clip.speaker for clip in corpus.clips] == [None, None]
    assert [clip.tags for clip in corpus.clips] == [("female",), ()]
    assert "unknown" in corpus.notes[0]
    corpus = _read(data, {"utt2spk": "u1 u1\nu2 ann\n"})
    assert ([clip.speaker for clip in corpus.clips], corpus.notes) == (["u1", "ann"], ())


def test_an_utterance_without_speaker_is_told(data: Path) -> None:
    """Where utt2spk has only some, the others are counted."""
    corpus = _read(data, {**PLAIN, "utt2spk": "u2 ann\n"})
    assert [clip.speaker for clip in corpus.clips] == [None, "ann"]
    assert corpus.notes == (f"{data / 'utt2spk'} has no speaker for 1 utterance: 'u1'",)


def test_paths_are_taken_from_the_current_folder_then_from_the_source(data: Path) -> None:
    """Kaldi's way goes first; what is found from the data folder alone is told."""
    (data / "own.wav").touch()
    (data / "a.wav").touch()
    corpus = _read(
        data, {**PLAIN, "wav.scp": f"u1 a.wav\nu2 own.wav\nu3 {data / 'a.wav'}\n", "text": "u1\nu2\nu3\n"}
    )
    assert [sound.path for sound in _sounds(corpus).values()] == [Path("a.wav"), data / "own.wav", data / "a.wav"]
    (note,) = corpus.notes
    assert "1 sound" in note
    assert str(data) in note


def test_with_a_folder_of_sounds_only_that_is_looked_in(data: Path) -> None:
    """The setting `audio` says where relative paths begin; one that is no folder is refused."""
    corpus = _read(data, {**PLAIN, "wav.scp": "u1 here/a.wav\nu2 a.wav\n"}, audio=Path("..").absolute())
    assert [sound.path for sound in _sounds(corpus).values()] == [Path("..").absolute() / "here" / "a.wav"]
    # There is one where `../a.wav` leads from the data folder.
    (data.parent / "a.wav").touch()
    assert [orphan.name for orphan in _read(data, {}, audio=Path("..")).orphans] == ["u2"]
    assert [orphan.name for orphan in corpus.orphans] == ["u2"]
    assert corpus.notes == (
        f"1 path of {data / 'wav.scp'} with no file there: '{Path('..').absolute() / 'a.wav'}'",
    )
    with pytest.raises(DatasetError, match="no such folder"):
        _read(data, PLAIN, audio=data / "no")


def test_a_path_may_hold_blanks(data: Path) -> None:
    """The rest of a line is the path, as in Kaldi."""
    corpus = _read(data, {**PLAIN, "wav.scp": "u1\tc d.sph \nu2 b.wav\n"})
    assert _sounds(corpus)["u1"] == Sound(Path("c d.sph"))


def test_only_blanks_and_tabs_part_words(data: Path) -> None:
    """Any other white space is part of an id, in every table alike."""
    files = {
        "wav.scp": "r\u3000a a.wav\n",
        "segments": "u\xa01\tr\u3000a  0 1\n",
        "text": "u\xa01 one\u3000cat\n",
        "utt2spk": "u\xa01 ann\xa0b\n",
    }
    (clip,) = _read(data, files).clips
    assert (clip.id, clip.text, clip.speaker, clip.sound.path) == (
        "u\xa01",
        "one\u3000cat",
        "ann\xa0b",
        Path("a.wav"),
    )


def test_segments_cut_recordings(data: Path) -> None:
    """Begin and end are seconds, -1 is the end of the recording, a fifth column is a channel from 0."""
    files = {
        "wav.scp": "r a.wav\n",
        "segments": "u1 r 0.00 1.5\nu2 r 1.5 -1\nu3 r 2 3e0 1\n",
        "text": "u1 a\nu2 b\nu3 c\n",
    }
    assert _sounds(_read(data, files)) == {
        "u1": Sound(Path("a.wav"), end_s=1.5),
        "u2": Sound(Path("a.wav"), start_s=1.5),
        "u3": Sound(Path("a.wav"), start_s=2.0, end_s=3.0, channel=1),
    }


def test_a_segment_of_a_recording_that_is_not_named_is_told(data: Path) -> None:
    """A note has the line and the recording that wav.scp lacks, and how many more."""
    files = {
        "wav.scp": "r a.wav\n",
        "segments": "u1 r 0 1\nu2 other 0 1\nu3 more 1 2\n",
        "text": "u1 a\nu2 b\nu3 c\n",
    }
    corpus = _read(data, files)
    segments = data / "segments"
    assert corpus.notes == (
        f"2 segments of a recording that {data / 'wav.scp'} does not name: {segments}:2 (u2) 'other', "
        f"{segments}:3 (u3) 'more'",
    )
    assert [orphan.name for orphan in corpus.orphans] == ["u2", "u3"]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("u2 r 2 1", "ends at 1 s, not after its start at 2 s"),
        ("u2 r 1 1", "ends at 1 s, not after its start at 1 s"),
        ("u2 r -1 1", "start and end are numbers of seconds"),
        ("u2 r 0 -2", "start and end are numbers of seconds"),
        ("u2 r nan 1", "start and end are numbers of seconds"),
        ("u2 r 0 inf", "start and end are numbers of seconds"),
        ("u2 r 0 1e999", "start and end are numbers of seconds"),
        ("u2 r 0 1_0", "start and end are numbers of seconds"),
        ("u2 r 0", "recording, start and end"),
        ("u2 r 0 1 1 1", "recording, start and end"),
        ("u2 r 0 1 A", "a channel is a whole number from 0"),
        ("u2", "recording, start and end"),
    ],
)
def test_a_segment_that_is_none_is_refused(data: Path, line: str, fact: str) -> None:
    """Each is told by file, line and id."""
    message = _refusal(data, {"wav.scp": "r a.wav\n", "segments": f"u1 r 0 1\n{line}\n", "text": "u1 a\n"})
    assert message.startswith(f"{data / 'segments'}:2 (u2): ")
    assert fact in message


def test_what_lacks_its_other_half_is_listed(data: Path) -> None:
    """A text without sound, a sound without text, and a path that leads to nothing."""
    files = {"wav.scp": "u1 a.wav\nu2 no.wav\nu3 b.wav\nu5 no.wav\n", "text": "u1 a\nu2 b\nu4 d\n"}
    corpus = _read(data, files)
    assert [clip.id for clip in corpus.clips] == ["u1"]
    assert set(corpus.orphans) == {
        Orphan("u2", f"{data / 'text'}:2", has_sound=False),
        Orphan("u4", f"{data / 'text'}:3", has_sound=False),
        Orphan("u3", f"{data / 'wav.scp'}:3", has_sound=True),
    }
    assert corpus.notes == (
        f"2 paths of {data / 'wav.scp'} with no file there, neither from the current folder nor from {data} "
        "(--audio names another): "
        "'no.wav', 'no.wav'",
        f"{data / 'wav.scp'} names neither a sound that is there nor a text: 'u5'",
    )


def test_what_lacks_its_other_half_is_listed_of_segments(data: Path) -> None:
    """A segment of an unknown or absent recording, one without text, and a recording without segment."""
    files = {
        "wav.scp": "r a.wav\ngone no.wav\nwhole b.wav\n",
        "segments": "u1 r 0 1\nu2 other 0 1\nu3 gone 0 1\nu4 r 1 2\nu5 gone 1 2\n",
        "text": "u1 a\nu2 b\nu3 c\nr d\n",
    }
    corpus = _read(data, files)
    assert [clip.id for clip in corpus.clips] == ["u1"]
    assert set(corpus.orphans) == {
        Orphan("u2", f"{data / 'text'}:2", has_sound=False),
        Orphan("u3", f"{data / 'text'}:3", has_sound=False),
        Orphan("r", f"{data / 'text'}:4", has_sound=False),
        Orphan("u4", f"{data / 'segments'}:4", has_sound=True),
        Orphan("whole", f"{data / 'wav.scp'}:3", has_sound=True),
    }
    assert "(u2) 'other'" in corpus.notes[1]
    assert corpus.notes[2:] == (f"{data / 'segments'} names neither a sound that is there nor a text: 'u5'",)


def test_a_command_is_read_and_not_run(data: Path) -> None:
    """The file that a command decodes is the sound; its channel counts from 0 here; relative paths as ever."""
    files = {
        "wav.scp": "u1 /opt/kaldi/tools/sph2pipe_v2.5/sph2pipe -f wav -p -c 2 'c d.sph' |\nu2 cat b.wav|\n",
        "text": "u1 a\nu2 b\n",
    }
    assert _sounds(_read(data, files)) == {"u1": Sound(Path("c d.sph"), channel=1), "u2": Sound(Path("b.wav"))}


def test_a_command_with_an_effect_is_refused_with_what_would_be_right(data: Path) -> None:
    """Neither run nor half read: line, id, why, and how many more there are."""
    marker = data / "was-run"
    lines = ["u1 a.wav", "u2 sox b.wav -t wav - speed 1.1 |", f"u3 touch {marker} |"]
    message = _refusal(data, {"wav.scp": "\n".join(lines), "text": "u1 a\nu2 b\n"})
    assert message.startswith(f"{data / 'wav.scp'}:2 (u2): ")
    assert "'speed'" in message
    assert "decode it to a file" in message
    assert "1 more line" in message
    assert not marker.exists()


def test_a_rate_below_ours_is_told(data: Path) -> None:
    """A command that narrows the band is not followed in that, and a note says so."""
    files = {"wav.scp": "u1 sox a.wav -r 8000 -t wav - |\nu2 b.wav\n", "text": "u1 a\nu2 b\n"}
    corpus = _read(data, files)
    assert len(corpus.clips) == 2
    (note,) = corpus.notes
    assert note.startswith(f"{data / 'wav.scp'} ")
    assert "8000" in note


@pytest.mark.parametrize(
    ("path", "fact"),
    [("x.ark:123", "archive"), ("-", "standard input"), ("| cat", "is no sound"), ("", "the path of its sound")],
)
def test_a_path_that_is_no_file_is_refused(data: Path, path: str, fact: str) -> None:
    """Archives by offset, standard input, output pipes and nothing at all are each one sentence."""
    message = _refusal(data, {**PLAIN, "wav.scp": f"u1 a.wav\nu2 {path}\n"})
    assert message.startswith(f"{data / 'wav.scp'}:2 (u2): ")
    assert fact in message


def test_two_sides_of_one_file_have_their_channels(data: Path) -> None:
    """reco2file_and_channel tells recordings of one file apart, and B is the second side also of a file alone."""
    files = {
        "wav.scp": "r-A a.wav\nr-B a.wav\ns-B b.wav\n",
        "text": "r-A a\nr-B b\ns-B c\n",
        "reco2file_and_channel": "r-A a A\nr-B a B\ns-B b B\n",
    }
    assert _sounds(_read(data, files)) == {
        "r-A": Sound(Path("a.wav"), channel=0),
        "r-B": Sound(Path("a.wav"), channel=1),
        "s-B": Sound(Path("b.wav"), channel=1),
    }
    assert "(r-B)" in _refusal(data, {"reco2file_and_channel": "r-A a A\nr-B a A\n"})
    message = _refusal(data, {"reco2file_and_channel": "r-A a A\nr-B a left\n"})
    assert message.startswith(f"{data / 'reco2file_and_channel'}:2 (r-B): ")
    assert "'left'" in message
    message = _refusal(data, {"reco2file_and_channel": "r-A a\n"})
    assert message.startswith(f"{data / 'reco2file_and_channel'}:1 (r-A): ")


def test_the_first_side_of_a_file_alone_is_what_recipes_write_for_mono(data: Path) -> None:
    """A is channel 0 only where B of the same file is told; other words than A and B are noted and not used."""
    files = {"wav.scp": "r a.wav\ns b.wav\n", "text": "r a\ns b\n", "reco2file_and_channel": "r r A\ns s 1\n"}
    corpus = _read(data, files)
    assert [sound.channel for sound in _sounds(corpus).values()] == [None, None]
    assert corpus.notes == (f"{data / 'reco2file_and_channel'} has other sides than A and B, not used: 's'",)
    sounds = _sounds(_read(data, {"reco2file_and_channel": "r call A\nother call B\ns s b\n"}))
    assert (sounds["r"].channel, sounds["s"].channel) == (0, 1)


@pytest.mark.parametrize("second", ["a.wav", "../here/a.wav", "./a.wav", "link.wav", "folder/a.wav"])
def test_one_file_has_many_names(data: Path, second: str) -> None:
    """However a file is written, and whatever links lead to it, its recordings share it."""
    Path("link.wav").symlink_to("a.wav")
    Path("folder").symlink_to(".")
    files = {"wav.scp": f"r-A a.wav\nr-B {second}\n", "text": "r-A a\nr-B b\n"}
    message = _refusal(data, files)
    assert message.startswith(f"{data / 'wav.scp'}:2 (r-B): ")
    assert f"r-A ({data / 'wav.scp'}:1)" in message
    assert "reco2file_and_channel" in message
    sounds = _sounds(_read(data, {"reco2file_and_channel": "r-A x A\nr-B y B\n"}))
    assert [sound.channel for sound in sounds.values()] == [0, 1]


@pytest.mark.parametrize("segments", ["", "a1 r-A 0 1\nb1 r-B 2 3\n"])
def test_a_side_that_is_not_told_beside_one_that_is_is_refused(data: Path, segments: str) -> None:
    """It would hold both sides, also where segments cut it."""
    ids = ("a1", "b1") if segments else ("r-A", "r-B")
    files = {
        "wav.scp": "r-A a.wav\nr-B a.wav\n",
        "text": f"{ids[0]} a\n{ids[1]} b\n",
        "reco2file_and_channel": "r-B a B\n",
        **({"segments": segments} if segments else {}),
    }
    message = _refusal(data, files)
    place = data / ("segments" if segments else "wav.scp")
    assert message.startswith(f"{place}:1 ({ids[0]}): ")
    assert "r-B" in message
    assert "reco2file_and_channel" in message


def test_segments_may_tell_recordings_of_one_file_apart(data: Path) -> None:
    """Different parts or channels are different sounds, noted as mixed; the same part twice is refused."""
    files = {
        "wav.scp": "r-A a.wav\nr-B a.wav\n",
        "text": "a1 a\nb1 b\n",
        "segments": "a1 r-A 0 1\nb1 r-B 1 2\n",
    }
    corpus = _read(data, files)
    assert [sound.channel for sound in _sounds(corpus).values()] == [None, None]
    (note,) = corpus.notes
    table = data / "reco2file_and_channel"
    assert note == f"2 recordings without a side in {table} of a file with others, read as mixed: 'r-A', 'r-B'"
    corpus = _read(data, {"segments": "a1 r-A 0 1 0\nb1 r-B 0 1 1\n"})
    assert ([sound.channel for sound in _sounds(corpus).values()], corpus.notes) == ([0, 1], ())
    message = _refusal(data, {"segments": "a1 r-A 0 1\nb1 r-B 0 1\n"})
    assert message.startswith(f"{data / 'segments'}:2 (b1): ")
    assert f"a1 ({data / 'segments'}:1)" in message


def test_a_part_may_stand_twice_in_one_recording(data: Path) -> None:
    """Two utterances of the same times in one recording are the corpus's own affair."""
    files = {"wav.scp": "r a.wav\n", "segments": "u1 r 0 1\nu2 r 0 1\n", "text": "u1 a\nu2 b\n"}
    assert len(_read(data, files).clips) == 2


def test_the_channel_that_a_command_takes_goes_before_a_side(data: Path) -> None:
    """Two commands that take a channel each tell apart by themselves; a bad line of sides is refused."""
    swapped = "r-A a B\nr-B a A\n"
    files = {
        "wav.scp": "r-A sph2pipe -f wav -c 1 a.wav |\nr-B sph2pipe -f wav -c 2 a.wav |\n",
        "text": "r-A a\nr-B b\n",
        "reco2file_and_channel": swapped,
    }
    assert {identity: sound.channel for identity, sound in _sounds(_read(data, files)).items()} == {
        "r-A": 0,
        "r-B": 1,
    }
    assert ":1 (r-A): " in _refusal(data, {"wav.scp": "r-A a.wav\nr-B b.wav\n", "reco2file_and_channel": "r-A\n"})


def test_the_channel_of_a_command_is_the_only_one(data: Path) -> None:
    """What a command took one channel of has no other that a segment could name."""
    files = {
        "wav.scp": "r sph2pipe -f wav -c 2 a.wav |\n",
        "segments": "u1 r 0 1 0\n",
        "text": "u1 a\n",
    }
    assert _sounds(_read(data, files))["u1"].channel == 1
    message = _refusal(data, {"segments": "u1 r 0 1 1\n"})
    assert message.startswith(f"{data / 'segments'}:1 (u1): ")
    assert "channel 1" in message


@pytest.mark.parametrize("name", ["wav.scp", "text", "segments", "utt2spk", "utt2lang", "spk2gender", "utt2gender"])
def test_a_key_given_twice_is_refused_with_both_lines(data: Path, name: str) -> None:
    """In each table, also where both lines say the same."""
    rest = {"segments": "u1 0 1", "spk2gender": "f", "utt2gender": "f"}.get(name, "x")
    message = _refusal(data, {**PLAIN, name: f"u1 {rest}\nu9 {rest}\nu1 {rest}\n"})
    assert message == (f"{data / name}:3 (u1): the id stands already at {data / name}:1; ids must be unique")


@pytest.mark.parametrize("name", ["utt2spk", "utt2lang", "spk2gender", "utt2gender"])
@pytest.mark.parametrize("line", ["u1", "u1 f f"])
def test_a_table_of_pairs_has_pairs(data: Path, name: str, line: str) -> None:
    """An id and one word a line."""
    assert _refusal(data, {**PLAIN, name: f"{line}\n"}).startswith(f"{data / name}:1 (u1): ")


def test_a_gender_is_one_of_two_letters(data: Path) -> None:
    """Another word is refused by its place."""
    message = _refusal(data, {**PLAIN, "utt2gender": "u1 x\n"})
    assert message.startswith(f"{data / 'utt2gender'}:1 (u1): ")
    assert "'x'" in message


@pytest.mark.parametrize("identity", ["..", "/etc/passwd", "a\x1bb", "x" * 1000])
def test_ids_are_kept_as_written(data: Path, identity: str) -> None:
    """What a file is called is decided elsewhere."""
    corpus = _read(data, {"wav.scp": f"{identity} a.wav\n", "text": f"{identity} a\n"})
    assert [clip.id for clip in corpus.clips] == [identity]


def test_an_id_that_a_manifest_cannot_hold_is_refused(data: Path) -> None:
    """More than 1000 characters are told by file and line; an id of nothing that is seen, too."""
    message = _refusal(data, {**PLAIN, "text": "u1 a\n" + "x" * 1001 + " b\n"})
    assert message == f"{data / 'text'}:2: an id must have at most 1000 characters; it has 1001"
    assert _refusal(data, {"text": "u1 a\n\u3000 b\n"}) == f"{data / 'text'}:2: an id must not be empty"


@pytest.mark.parametrize(
    ("content", "fact"), [(b"u1 a\nu2 \xff\n", ":2: not UTF-8"), (b"u1 a\0\n", ":1: holds a NUL")]
)
def test_a_text_that_is_no_text_is_named(data: Path, content: bytes, fact: str) -> None:
    """Bytes that are not UTF-8 and NUL are refused by line."""
    (data / "wav.scp").write_text(PLAIN["wav.scp"], encoding="utf-8")
    (data / "text").write_bytes(content)
    assert f"{data / 'text'}{fact}" in _refusal(data, {})


def test_a_source_that_is_none_is_told_with_what_was_looked_for(data: Path) -> None:
    """An absent folder, a file, and a folder without wav.scp or text are each one sentence."""
    with pytest.raises(DatasetError, match="there is no such folder"):
        ADAPTER.read(data / "no", Settings())
    with pytest.raises(DatasetError, match="is no folder"):
        ADAPTER.read(Path("a.wav"), Settings())
    assert "wav.scp" in _refusal(data, {})
    assert _refusal(data, {"wav.scp": "u1 a.wav\n"}).startswith(
        f"{data}: is no Kaldi data folder: it holds no text"
    )
    assert _refusal(data, {"text": "\n"}) == f"{data / 'text'}: holds no line; each is an id and what was said"
