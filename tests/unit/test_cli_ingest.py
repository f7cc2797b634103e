"""Claims about `asrgate ingest`: what it says of a corpus, and one sentence for everything it refuses."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pytest_asrgate.cli import ingest as command
from pytest_asrgate.cli import main
from pytest_asrgate.corpora.corpus import Adapter, Clip, Corpus, Orphan, Settings, Sound
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import DatasetError
from tests.integration.corpora import SHAPES

from .commands import refused
from .ingests import clip, corpus_of, noise, wave

Read = Callable[[Path, Settings], Corpus]


@pytest.fixture
def adapt(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make `fake` the only shape of corpus, read by a function of the test."""

    def use(read: Read, settings: tuple[str, ...] = (), language: str | None = None) -> None:
        adapter = Adapter(read, "a corpus made up", settings, language)
        monkeypatch.setattr(command, "CORPORA", {"fake": adapter})

    return use


def _words(root: Path, *options: str) -> list[str]:
    places = ["--out-dir", str(root / "out" / "s"), "--manifest", str(root / "out" / "m.jsonl")]
    return ["ingest", "fake", str(root / "corpus"), *places, *options]


def _lines(capsys: pytest.CaptureFixture[str], root: Path, *options: str) -> list[str]:
    assert main(_words(root, *options)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.replace(f"{root}/", "").splitlines()


def _odd(root: Path) -> Corpus:
    """Three good ones, two empty, one of no speech, orphans of both kinds, and a note."""
    good = corpus_of(root / "corpus", 6)
    texts = ["a", "", "b", "...", "[beep]", "c"]
    clips = [
        Clip(each.id, each.sound, text, each.place, "en", each.speaker)
        for each, text in zip(good.clips, texts, strict=True)
    ]
    orphans = (Orphan("lone", "text:9", has_sound=False), Orphan("x.wav", "x.wav", has_sound=True))
    return Corpus(tuple(clips), orphans, ("passed over 3 files of another kind",))


def test_what_was_found_dropped_and_written_is_said(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every utterance is accounted for; the second time everything is there already."""
    adapt(lambda *_: _odd(tmp_path))
    options = ("--empty", "drop", "--non-speech", "keep", "--unpaired", "skip")
    lines = _lines(capsys, tmp_path, *options)
    assert lines == [
        "found 7 transcripts and 7 sounds, 2 speakers",
        "passed over 3 files of another kind",
        "dropped 2 utterances with an empty transcript: 'u1', 'u3'",
        "kept 1 utterance without speech: 'u4'",
        "skipped 1 transcript without sound: 'lone'",
        "skipped 1 sound without transcript: 'x.wav'",
        "wrote 4 sounds (0 were there already), 0.00 h, into out/s",
        "wrote out/m.jsonl: 4 utterances, 2 speakers, en",
    ]
    assert _lines(capsys, tmp_path, *options)[-2:] == [
        "wrote 0 sounds (4 were there already), 0.00 h, into out/s",
        "left as it was: out/m.jsonl: 4 utterances, 2 speakers, en",
    ]


def test_what_nobody_decided_is_one_sentence(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """With every option that is missing, and nothing is written."""
    adapt(lambda *_: _odd(tmp_path))
    assert main(_words(tmp_path)) == 2
    told = capsys.readouterr()
    # Notes of the reader may say why something is lacking.
    assert told.out.splitlines()[1:] == ["passed over 3 files of another kind"]
    message = told.err
    assert message.count("\n") == 1
    for part in ("--empty keep or --empty drop", "--non-speech keep", "--unpaired skip", "2 utterances", "'u4'"):
        assert part in message
    assert not (tmp_path / "out").exists()


def test_a_sample_says_of_how_many(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """And that a larger one than the corpus is all of it."""
    adapt(lambda *_: corpus_of(tmp_path / "corpus", 6))
    lines = _lines(capsys, tmp_path, "--sample", "4", "--seed", "7")
    assert lines[1] == "took 4 of 6 utterances of 2 speakers (--seed 7)"
    assert lines[-1] == "wrote out/m.jsonl: 4 utterances, 2 speakers, en"
    assert _lines(capsys, tmp_path, "--sample", "6")[1] == "took all 6 utterances, since --sample 6 is not fewer"


def test_unreadable_sounds_end_it_unless_they_are_skipped(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest is written either way; skipped ones are counted and listed."""
    corpus = corpus_of(tmp_path / "corpus")
    (tmp_path / "corpus" / "1.wav").write_bytes(b"")
    adapt(lambda *_: corpus, language="de")
    assert main(_words(tmp_path)) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines() == ["found 3 transcripts and 3 sounds, 2 speakers"]
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(
        f"asrgate ingest: 1 sound cannot be read: {tmp_path}/corpus/1.wav: cannot be read"
    )
    assert "say --unreadable skip, and run again" in captured.err
    assert not (tmp_path / "out" / "m.jsonl").exists()
    lines = _lines(capsys, tmp_path, "--unreadable", "skip", "--format", "wav")
    reason = "corpus/1.wav: cannot be read as audio (the file is empty)"
    assert lines[1:] == [
        f"skipped 1 sound that cannot be read: {reason}",
        "wrote 0 sounds (2 were there already), 0.00 h, into out/s",
        "wrote out/m.jsonl: 2 utterances, 1 speaker, en",
    ]


def test_options_of_a_corpus_reach_its_reader(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that it names, as values of the right kind; the others do not exist for it."""
    seen: list[Settings] = []

    def read(source: Path, settings: Settings) -> Corpus:
        seen.append(settings)
        return corpus_of(tmp_path / "corpus", 1)

    names = tuple(Settings.__dataclass_fields__)
    adapt(read, names)
    _lines(capsys, tmp_path)
    assert seen.pop() == Settings()
    words = ["--split", "test", "--transcripts", "t", "--audio", "a", "--audio-column", "1", "--text-column", "2"]
    words += ["--id-column", "3", "--speaker-column", "4", "--language-column", "5", "--tag-column", "x"]
    words += ["--tag-column", "y", "--delimiter", r"\t", "--no-header"]
    _lines(capsys, tmp_path, *words)
    assert seen == [
        Settings("test", Path("t"), Path("a"), "1", "2", "3", "4", "5", ("x", "y"), delimiter="\t", header=False)
    ]
    adapt(read, ("split",))
    with pytest.raises(SystemExit) as caught:
        main(_words(tmp_path, "--no-header"))
    assert caught.value.code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("--sample", "0"),
        ("--sample", "x"),
        ("--sample", "-3"),
        ("--channel", "0"),
        ("--workers", "0"),
        ("--workers", "1000"),
        ("--seed", "1.5"),
        ("--format", "mp3"),
        ("--empty", "maybe"),
        ("--delimiter", "ab"),
        ("--delimiter", ""),
    ],
)
def test_values_of_options_are_checked(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str], words: tuple[str, str]
) -> None:
    """Before anything is read."""
    adapt(lambda *_: pytest.fail("read"), ("delimiter",))
    with pytest.raises(SystemExit) as caught:
        main(_words(tmp_path, *words))
    assert caught.value.code == 2
    assert f"argument {words[0]}: " in capsys.readouterr().err


@pytest.mark.parametrize("option", ["SOURCE", "--out-dir", "--transcripts", "--audio"])
def test_a_path_that_is_no_utf8_is_refused_before_anything_is_read(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str], option: str
) -> None:
    """In one sentence, not in one for each sound."""
    adapt(lambda *_: pytest.fail("read"), ("transcripts", "audio"))
    words = _words(tmp_path)
    if option == "SOURCE":
        words[2] = f"{tmp_path}/\udcff"
    else:
        words += [option, f"{tmp_path}/\udcff"]
    found = refused(capsys, *words)
    assert found.startswith(f"asrgate ingest: {option} {tmp_path}/")
    assert found.endswith(": its path is not UTF-8; rename what is not, or give another\n")


def test_a_language_that_is_none_is_refused_before_anything_is_read(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Reading may take long."""
    adapt(lambda *_: pytest.fail("read"))
    assert "--language: there is no language 'englich'" in refused(
        capsys, *_words(tmp_path, "--language", "englich")
    )


def test_what_a_reader_refuses_is_the_sentence(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """And so are places that cannot be, and transcripts that no manifest can hold."""

    def read(source: Path, settings: Settings) -> Corpus:
        raise DatasetError(f"{source}: is no such corpus")

    adapt(read)
    assert refused(capsys, *_words(tmp_path)) == f"asrgate ingest: {tmp_path}/corpus: is no such corpus\n"
    adapt(lambda *_: Corpus((clip("a"), clip("a", place="text:2"))))
    assert main(_words(tmp_path)) == 2
    assert "text:2 (a): the id stands already at text:1" in capsys.readouterr().err
    adapt(lambda *_: corpus_of(tmp_path / "corpus"))
    words = ["--out-dir", str(tmp_path / "corpus" / "out"), "--manifest", str(tmp_path / "m.jsonl")]
    assert main(["ingest", "fake", str(tmp_path / "corpus"), *words]) == 2
    assert "is in the corpus" in capsys.readouterr().err


def test_what_is_odd_is_told_with_names(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Mixed sounds, a language that the corpus contradicts, and sounds that were here before."""
    folder = tmp_path / "corpus"
    two = wave(folder / "two.wav", np.column_stack([noise(), noise()]))
    corpus = Corpus((clip("one", wave(folder / "one.wav"), language="de"), clip("two", two, language="en")))
    adapt(lambda *_: corpus)
    lines = _lines(capsys, tmp_path, "--language", "en")
    assert lines[1] == "--language en: of every utterance, though the corpus says of some de (1)"
    assert lines[2] == "1 sound with several channels, mixed down (--channel takes one): 'two'"
    other = Corpus((clip("three", wave(folder / "three.wav"), language="en"),))
    adapt(lambda *_: other)
    assert "2 sounds of other runs are in out/s, too" in _lines(capsys, tmp_path)


def test_a_channel_is_counted_from_1(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """In the option and in what is said of sounds that do not have it."""
    samples = np.column_stack([noise(0.1, 1), noise(0.1, 2)])
    two = clip("two", wave(tmp_path / "corpus" / "two.wav", samples), language="en")
    adapt(lambda *_: Corpus((two, clip("one", wave(tmp_path / "corpus" / "one.wav"), language="en"))))
    lines = _lines(capsys, tmp_path, "--channel", "2", "--unreadable", "skip")
    assert lines[1:3] == [
        "skipped 1 sound that cannot be read: corpus/one.wav: has no channel 2, counted from 1; it has 1",
        "wrote 1 sound (0 were there already), 0.00 h, into out/s",
    ]
    written = soundfile.read(tmp_path / "out" / "s" / "two.wav", dtype="int16")[0]
    assert written.tolist() == samples[:, 1].tolist()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("audio_format", ["wav", "flac"])
def test_every_shape_of_corpus_is_taken_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str, audio_format: str
) -> None:
    """The real readers: eight sounds of every shape, 16 kHz mono in 16 bits, and a rerun that writes nothing."""
    if shape not in CORPORA:
        pytest.skip("this reader is not there yet")
    source, options = SHAPES[shape](tmp_path / "corpus")
    places = ["--out-dir", str(tmp_path / "out" / "s"), "--manifest", str(tmp_path / "out" / "m.jsonl")]
    words = ["ingest", shape, str(source), *places, "--format", audio_format, *options]
    assert main(words) == 0
    assert "wrote 8 sounds (0 were there already)" in capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "out" / "m.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 8
    for row in rows:
        found = soundfile.info(tmp_path / "out" / row["audio"])
        assert (found.samplerate, found.channels, found.subtype) == (16_000, 1, "PCM_16")
        assert (found.format, row["language"]) == (audio_format.upper(), "en")
        assert row["duration_s"] == found.frames / 16_000
    before = (tmp_path / "out" / "m.jsonl").stat().st_mtime_ns
    assert main([*words, "--workers", "2"]) == 0
    assert "wrote 0 sounds (8 were there already)" in capsys.readouterr().out
    assert (tmp_path / "out" / "m.jsonl").stat().st_mtime_ns == before


@pytest.mark.skipif(find_spec("av") is None, reason="needs the g722 extra")
def test_g722_that_is_none_is_unreadable(
    tmp_path: Path, adapt: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty file; whatever bytes there are would be some sound."""
    wave(tmp_path / "corpus" / "a.wav")
    (tmp_path / "corpus" / "a.g722").touch()
    corpus = Corpus((clip("a", Sound(tmp_path / "corpus" / "a.g722"), language="en"),))
    adapt(lambda *_: corpus)
    assert main(_words(tmp_path)) == 2
    assert "a.g722: cannot be read as audio (the file is empty)" in capsys.readouterr().err
