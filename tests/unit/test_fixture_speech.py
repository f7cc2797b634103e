"""The speech maker: its signals, its two datasets, and the clips that are kept with the project."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import soundfile

from fixtures import make_speech
from fixtures.speech import signals
from fixtures.speech.datasets import PROMPT_SNR_DB, Clip, noise_clips, prompt_clips, read_sentences
from fixtures.speech.errors import SpeechMakerError
from fixtures.speech.files import manifest_line, write_dataset
from fixtures.speech.flite import VOICES, find_flite, speak
from fixtures.speech.signals import Signal

FIXTURES = Path(make_speech.__file__).parent

needs_flite = pytest.mark.skipif(shutil.which("flite") is None, reason="flite is not installed")


def tone(voice: str, sentence: str) -> Signal:
    """Stand in for speech: a second of a tone that depends on the voice and the sentence."""
    hertz = 200 + 50 * VOICES.index(voice) + len(sentence)
    return 0.3 * np.sin(2 * np.pi * hertz * np.arange(signals.SAMPLE_RATE) / signals.SAMPLE_RATE)


def manifest(dataset: str) -> list[dict[str, object]]:
    """Return the rows of a manifest that is kept with the project."""
    lines = (FIXTURES / dataset / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_white_noise_lies_at_the_asked_distance() -> None:
    """The noise that is added is weaker than the speech by the SNR, within a tenth of a decibel."""
    speech = tone("slt", "x")
    noise = signals.with_white_noise(speech, 26.0, np.random.default_rng(1)) - speech
    ratio = signals.root_mean_square(speech) / signals.root_mean_square(noise)
    assert 20 * np.log10(ratio) == pytest.approx(26.0, abs=0.1)


@pytest.mark.parametrize(("make", "slope"), [(signals.white, 0.0), (signals.pink, -3.0), (signals.brown, -6.0)])
def test_coloured_noise_falls_with_frequency(make: object, slope: float) -> None:
    """From one octave to the next the power density changes by 0, -3 and -6 decibels."""
    assert callable(make)
    power = np.abs(np.fft.rfft(make(signals.frames_of(30), np.random.default_rng(2)))) ** 2
    hertz = np.fft.rfftfreq(signals.frames_of(30), 1 / signals.SAMPLE_RATE)
    octaves = [power[(hertz >= low) & (hertz < 2 * low)].mean() for low in (100, 200, 400, 800, 1600)]
    steps = np.diff(10 * np.log10(octaves))
    assert steps == pytest.approx(slope, abs=0.5)


def test_samples_beyond_full_scale_are_clipped() -> None:
    """Rounding to 16 bits keeps signs, never wraps around, and silence is all zeros."""
    assert signals.to_pcm16(np.array([2.0, -2.0, 0.5])).tolist() == [32_767, -32_768, 16_384]
    assert not signals.to_pcm16(signals.silence(10)).any()


def test_prompts_take_the_voices_in_turn_and_are_the_same_each_time() -> None:
    """Ids count from 1, voices take turns, and the same sentences give the same samples."""
    first = list(prompt_clips(["one", "two", "three", "four"], tone))
    again = list(prompt_clips(["one", "two", "three", "four"], tone))
    assert [(clip.id, clip.speaker) for clip in first] == [
        ("prompts-001", "slt"),
        ("prompts-002", "rms"),
        ("prompts-003", "awb"),
        ("prompts-004", "slt"),
    ]
    assert [clip.samples.tobytes() for clip in first] == [clip.samples.tobytes() for clip in again]


def test_a_prompt_keeps_its_noise_when_others_are_added() -> None:
    """Each clip draws its noise from a seed of its own, so a clip does not depend on its neighbours."""
    alone = next(prompt_clips(["one"], tone))
    beside = next(prompt_clips(["one", "two"], tone))
    other = next(prompt_clips(["one"], tone, snr_db=PROMPT_SNR_DB - 6))
    assert np.array_equal(alone.samples, beside.samples)
    assert not np.array_equal(alone.samples, other.samples)


def test_noise_clips_are_the_same_each_time_and_hold_no_words() -> None:
    """The clips have no reference text, last 2 to 4 s, are told apart, and the silent ones are all zeros."""
    first, again = list(noise_clips()), list(noise_clips())
    assert [clip.samples.tobytes() for clip in first] == [clip.samples.tobytes() for clip in again]
    assert len({clip.samples.tobytes() for clip in first}) == len(first)
    for clip in first:
        assert clip.ref_text == ""
        assert 2.0 <= clip.samples.size / signals.SAMPLE_RATE <= 4.0
        assert ("silence" in clip.tags) == (not clip.samples.any())
        assert np.abs(clip.samples.astype(int)).max() < 32_000  # nothing is clipped


def test_a_dataset_is_written_bit_for_bit(tmp_path: Path) -> None:
    """FLAC gives back the very samples, a rerun gives the same bytes, and the manifest says where they are."""
    clips = list(prompt_clips(["Hello there."], tone))
    assert write_dataset(tmp_path / "a", clips) == 1
    assert write_dataset(tmp_path / "b", clips) == 1
    samples, rate = soundfile.read(tmp_path / "a" / "audio" / "prompts-001.flac", dtype="int16")
    assert rate == signals.SAMPLE_RATE
    assert np.array_equal(samples, clips[0].samples)
    for name in ("manifest.jsonl", "audio/prompts-001.flac"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert json.loads((tmp_path / "a" / "manifest.jsonl").read_text()) == {
        "id": "prompts-001",
        "audio": "audio/prompts-001.flac",
        "ref_text": "Hello there.",
        "language": "en",
        "speaker": "slt",
        "tags": ["voice:slt"],
        "duration_s": 1.0,
    }


def test_a_manifest_line_leaves_out_what_is_not_known() -> None:
    """A clip without a speaker has no such key, and tags are a list."""
    row = json.loads(manifest_line(Clip(id="n", samples=np.zeros(8_000, np.int16), ref_text="", tags=("hum",))))
    assert row == {
        "id": "n", "audio": "audio/n.flac", "ref_text": "", "language": "en", "tags": ["hum"], "duration_s": 0.5,
    }  # fmt: skip


def test_a_doubled_sentence_is_refused(tmp_path: Path) -> None:
    """The same sentence twice would count its errors twice, so the maker names it."""
    path = tmp_path / "sentences.txt"
    path.write_text("One.\nTwo.\nOne.\n")
    with pytest.raises(SpeechMakerError, match=r"twice: 'One\.'"):
        read_sentences(path)
    with pytest.raises(SpeechMakerError, match="cannot read"):
        read_sentences(tmp_path / "absent.txt")


def test_an_absent_flite_ends_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without flite the maker ends with exit code 1, one line, and no files."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert make_speech.main(["--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("make_speech.py: flite")
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@needs_flite
def test_an_unwritable_out_ends_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file where the folder should be ends with exit code 1 and one line."""
    (tmp_path / "file").write_text("")
    assert make_speech.main(["--out", str(tmp_path / "file")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("make_speech.py: cannot write ")
    assert said.count("\n") == 1


@needs_flite
def test_flite_speaks_the_same_each_time_and_unknown_voices_are_noticed() -> None:
    """Each voice speaks at 16 kHz, twice the same; a voice that flite replaces by another is an error."""
    flite = find_flite()
    spoken = {voice: speak(flite, voice, "Good morning.") for voice in VOICES}
    assert all(signal.size > signals.SAMPLE_RATE / 2 for signal in spoken.values())
    assert np.array_equal(spoken["slt"], speak(flite, "slt", "Good morning."))
    with pytest.raises(SpeechMakerError, match="8000 Hz"):
        speak(flite, "absent", "Good morning.")


def test_sentences_can_be_scored_as_they_are() -> None:
    """240 distinct sentences of 8 to 12 words, without digits or signs that a normaliser would have to guess."""
    sentences = read_sentences(FIXTURES / "prompts" / "sentences.txt")
    assert len({sentence.casefold() for sentence in sentences}) == 240
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z][A-Za-z,' ]+[.?]", sentence), sentence
        assert 8 <= len(sentence.split()) <= 12, sentence


@pytest.mark.parametrize(("dataset", "clips"), [("prompts", 240), ("noise", 17)])
def test_kept_clips_match_their_manifest(dataset: str, clips: int) -> None:
    """Each row of a manifest names a 16 kHz mono 16-bit FLAC file of that duration, and there are no others."""
    rows = manifest(dataset)
    assert [row["id"] for row in rows] == [f"{dataset}-{number:03d}" for number in range(1, clips + 1)]
    for row in rows:
        info = soundfile.info(FIXTURES / dataset / str(row["audio"]))
        assert (info.format, info.subtype, info.samplerate, info.channels) == ("FLAC", "PCM_16", 16_000, 1)
        assert round(info.duration, 3) == row["duration_s"]
    kept = {path.name for path in (FIXTURES / dataset / "audio").iterdir()}
    assert kept == {Path(str(row["audio"])).name for row in rows}


def test_kept_prompts_speak_the_sentences_with_each_voice() -> None:
    """The manifest holds the sentences in their order, 80 for each voice."""
    rows = manifest("prompts")
    assert [row["ref_text"] for row in rows] == read_sentences(FIXTURES / "prompts" / "sentences.txt")
    assert Counter(row["speaker"] for row in rows) == {"slt": 80, "rms": 80, "awb": 80}


def test_kept_noise_is_what_the_maker_makes() -> None:
    """The kept noise differs from a fresh one by at most the rounding of another processor's arithmetic."""
    for clip in noise_clips():
        kept, _ = soundfile.read(FIXTURES / "noise" / "audio" / f"{clip.id}.flac", dtype="int16")
        assert np.abs(kept.astype(int) - clip.samples.astype(int)).max() <= 1
