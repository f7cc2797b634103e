"""Claims about reading audio: what soundfile reads is read, anything else is one sentence."""

import os
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from pytest_asrgate.audio import SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.errors import AudioError
from pytest_asrgate.transcribers.waves import as_wave


def _tone(rate: int, seconds: float = 0.5, hertz: float = 440.0) -> NDArray[np.float64]:
    return np.asarray(0.5 * np.sin(2 * np.pi * hertz * np.arange(int(rate * seconds)) / rate))


def _wav(path: Path, samples: NDArray[np.float64], rate: int = SAMPLE_RATE_HZ, **options: str) -> Path:
    soundfile.write(path, samples, rate, **options)
    return path


def _refusal(path: Path) -> str:
    with pytest.raises(AudioError) as caught:
        read_audio(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("subtype", "form", "tolerance"),
    [
        ("PCM_16", "WAV", 1e-4),
        ("ULAW", "WAV", 0.02),
        ("FLOAT", "WAV", 1e-7),
        ("PCM_24", "WAV", 1e-6),
        ("PCM_24", "WAVEX", 1e-6),
        ("PCM_16", "FLAC", 1e-4),
    ],
)
def test_sample_formats_read_as_the_same_tone(tmp_path: Path, subtype: str, form: str, tolerance: float) -> None:
    """µ-law, float32, 24-bit, EXTENSIBLE and FLAC read as 16 kHz float32 within what the format can hold."""
    tone = _tone(SAMPLE_RATE_HZ)
    samples = read_audio(_wav(tmp_path / "a.wav", tone, subtype=subtype, format=form))
    assert samples.dtype == np.float32
    assert samples.shape == tone.shape
    assert np.abs(samples - tone).max() < tolerance


def test_channels_are_mixed_down_by_their_mean(tmp_path: Path) -> None:
    """Two channels become one that holds their mean."""
    tone = _tone(SAMPLE_RATE_HZ)
    stereo = np.stack([tone, np.zeros_like(tone)], axis=1)
    samples = read_audio(_wav(tmp_path / "stereo.wav", stereo, subtype="FLOAT"))
    assert samples.shape == tone.shape
    assert np.abs(samples - tone / 2).max() < 1e-6


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000])
def test_other_rates_are_resampled(tmp_path: Path, rate: int) -> None:
    """A 440 Hz tone of half a second stays one at 16 kHz, whatever rate it was kept at."""
    samples = read_audio(_wav(tmp_path / "a.wav", _tone(rate), rate, subtype="FLOAT"))
    assert len(samples) == SAMPLE_RATE_HZ // 2
    spectrum = np.abs(np.fft.rfft(samples))
    assert int(spectrum.argmax()) * 2 == 440
    middle = slice(1000, -1000)
    assert np.abs(samples[middle] - _tone(SAMPLE_RATE_HZ)[middle]).max() < 0.01


def test_a_wav_cut_short_is_refused(tmp_path: Path) -> None:
    """A WAV with fewer bytes than its header announces is named as truncated, not read as half an utterance."""
    path = _wav(tmp_path / "cut.wav", _tone(SAMPLE_RATE_HZ))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert _refusal(path) == (
        f"{path}: truncated: the header announces {len(whole) // 2} bytes more than the file has"
    )


@pytest.mark.parametrize("length", [b"\0\0\0\0", b"\xff\xff\xff\xff"], ids=["zero", "all ones"])
def test_a_streamed_wav_is_read_whole(tmp_path: Path, length: bytes) -> None:
    """A stream that did not know its length when it wrote the header is no truncated file."""
    path = _wav(tmp_path / "stream.wav", _tone(SAMPLE_RATE_HZ))
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + length + whole[8:])
    assert len(read_audio(path)) == SAMPLE_RATE_HZ // 2


def test_a_flac_cut_short_is_refused(tmp_path: Path) -> None:
    """A truncated FLAC is one sentence with its name."""
    path = _wav(tmp_path / "cut.flac", _tone(SAMPLE_RATE_HZ, seconds=2))
    path.write_bytes(path.read_bytes()[:-2000])
    assert _refusal(path).startswith(f"{path}: cannot be read as audio (")


def _mp3(path: Path, rate: int = SAMPLE_RATE_HZ, channels: int = 1, mode: str = "CONSTANT") -> bytes:
    """Three seconds of noise as an MP3, by soundfile's encoder, which counts its frames in the first one."""
    noise = np.random.default_rng(0).standard_normal((rate * 3 + 17, channels)) * 0.1
    soundfile.write(path, noise, rate, format="MP3", bitrate_mode=mode, compression_level=0.3)
    return path.read_bytes()


def _without_count(whole: bytes) -> bytes:
    """An MP3 of 16 or 44.1 kHz without its first frame, the one that counts the others."""
    return whole[whole.index(whole[:2], 4) :]


@pytest.mark.parametrize("mode", ["CONSTANT", "AVERAGE", "VARIABLE"])
@pytest.mark.parametrize(("rate", "channels"), [(8_000, 1), (16_000, 1), (22_050, 2), (44_100, 2), (48_000, 1)])
def test_an_mp3_cut_short_is_refused(tmp_path: Path, rate: int, channels: int, mode: str) -> None:
    """Half of an MP3 whose first frame counts the others is no shorter utterance; whole it is, with tags too."""
    path = tmp_path / "a.mp3"
    whole = _mp3(path, rate, channels, mode)
    tag = b"ID3\x04\0\0\0\0\x10\0" + b"\0" * 2048
    for sound in (whole, tag + whole + b"TAG" + b"x" * 125):
        path.write_bytes(sound)
        assert len(read_audio(path)) == -(-(rate * 3 + 17) * SAMPLE_RATE_HZ // rate)
        for kept in (len(sound) // 2, len(sound) * 9 // 10):
            path.write_bytes(sound[:kept])
            assert _refusal(path).startswith(f"{path}: truncated or damaged: the header announces {rate * 3 + 17} ")


def test_an_mp3_that_counts_its_own_header_is_read(tmp_path: Path) -> None:
    """One frame fewer than was counted is how some encoders count, and no cut."""
    path = tmp_path / "a.mp3"
    whole = _mp3(path)
    place = whole.index(b"Info") + 8
    frames = int.from_bytes(whole[place : place + 4], "big")
    path.write_bytes(whole[:place] + (frames + 1).to_bytes(4, "big") + whole[place + 4 :])
    assert soundfile.info(path).frames > SAMPLE_RATE_HZ * 3 + 17
    assert len(read_audio(path)) >= SAMPLE_RATE_HZ * 3 + 17
    path.write_bytes(whole[:place] + (frames + 3).to_bytes(4, "big") + whole[place + 4 :])
    assert "truncated or damaged" in _refusal(path)


@pytest.mark.parametrize("rate", [16_000, 44_100])
def test_an_mp3_that_counts_nothing_is_read_as_far_as_it_goes(tmp_path: Path, rate: int) -> None:
    """Its length is an estimate from its size, so that nothing shows a cut, and a sound one must not be refused."""
    path = tmp_path / "a.mp3"
    whole = _mp3(path, rate)
    sound = _without_count(whole)
    assert sound[:2] == whole[:2]
    assert b"Info" not in sound[:200]
    for data in (sound, sound + b"TAG" + b"x" * 125, b"ID3\x04\0\0\0\0\x10\0" + b"\0" * 2048 + sound):
        path.write_bytes(data)
        assert len(read_audio(path)) >= 3 * SAMPLE_RATE_HZ
    # The place of the count is there, but it is said to be empty.
    place = whole.index(b"Info") + 4
    path.write_bytes(whole[:place] + bytes(4) + whole[place + 4 :])
    assert len(read_audio(path)) >= 3 * SAMPLE_RATE_HZ


@pytest.mark.parametrize("mode", ["VARIABLE", "AVERAGE"])
@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100])
def test_an_mp3_that_counts_nothing_is_never_read_in_part(tmp_path: Path, rate: int, mode: str) -> None:
    """Where the estimate is too short, since it begins loud, a part would be taken for the whole."""
    path = tmp_path / "a.mp3"
    noise = np.random.default_rng(0).standard_normal(rate * 6) * 0.1
    half = np.arange(rate * 6) < rate * 3
    soundfile.write(path, noise * half, rate, format="MP3", bitrate_mode=mode, compression_level=0.3)
    path.write_bytes(_without_count(path.read_bytes()))
    assert soundfile.info(path).frames < rate * 5
    assert "samples can be decoded, since its header does not count them; write it to a file" in _refusal(path)
    soundfile.write(path, noise * ~half, rate, format="MP3", bitrate_mode=mode, compression_level=0.3)
    path.write_bytes(_without_count(path.read_bytes()))
    assert len(read_audio(path)) >= 6 * SAMPLE_RATE_HZ


def test_an_mp3_with_a_hole_is_refused(tmp_path: Path) -> None:
    """What the decoder skips, in silence or with a fault of its own, is missing."""
    path = tmp_path / "a.mp3"
    whole = _mp3(path)
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + whole[middle + 3_000 :])
    assert "truncated or damaged" in _refusal(path)
    path.write_bytes(whole[:middle] + bytes(3_000) + whole[middle + 3_000 :])
    assert _refusal(path).startswith(f"{path}: ")


def test_a_rate_that_no_recorder_has_is_refused(tmp_path: Path) -> None:
    """The filter that resamples is as long as the rate; 384 kHz is read."""
    path = _wav(tmp_path / "a.wav", np.zeros(384_000), 384_000)
    assert len(read_audio(path)) == SAMPLE_RATE_HZ
    _wav(path, np.zeros(10), 384_001)
    assert _refusal(path) == f"{path}: has 384001 samples a second, over 384000; resample it"


def test_a_file_without_samples_is_refused(tmp_path: Path) -> None:
    """Zero samples are no audio of 0 ms but a named fault."""
    path = _wav(tmp_path / "none.wav", np.zeros(0))
    assert _refusal(path) == f"{path}: holds no samples"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_samples_that_are_no_numbers_are_refused(tmp_path: Path, value: float) -> None:
    """One NaN or infinity among the samples is a named fault."""
    tone = _tone(SAMPLE_RATE_HZ)
    tone[100] = value
    path = _wav(tmp_path / "nan.wav", tone, subtype="FLOAT")
    assert _refusal(path) == f"{path}: holds samples that are not finite numbers (NaN or infinity)"


@pytest.mark.parametrize(
    "data", [b"these are words, not sound\n", b"", b"RIFF", b"\0" * 64], ids=["text", "empty", "a head", "zeros"]
)
def test_what_is_no_audio_is_refused(tmp_path: Path, data: bytes) -> None:
    """Bytes under the name of a WAV that are none give one sentence with the name."""
    path = tmp_path / "words.wav"
    path.write_bytes(data)
    message = _refusal(path)
    assert message.startswith(f"{path}: cannot be read as audio (")
    assert "\n" not in message


def test_headerless_samples_are_refused(tmp_path: Path) -> None:
    """A .raw file says nothing of its rate, so it cannot be read, and the sentence names it."""
    path = tmp_path / "samples.raw"
    path.write_bytes(b"\0" * 3200)
    assert _refusal(path).startswith(f"{path}: ")


def test_a_folder_is_no_audio(tmp_path: Path) -> None:
    """A folder is named as what it is."""
    assert _refusal(tmp_path) == f"{tmp_path}: not a regular file"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A named pipe, which would block for ever, is refused unread."""
    path = tmp_path / "pipe.wav"
    os.mkfifo(path)
    assert _refusal(path) == f"{path}: not a regular file"


@pytest.mark.parametrize("name", ["absent.wav", "x" * 300 + ".wav"], ids=["absent", "too long a name"])
def test_an_absent_file_is_named(tmp_path: Path, name: str) -> None:
    """A file that is not there, or cannot be for its long name, gives one sentence with the path."""
    assert _refusal(tmp_path / name).startswith(f"{tmp_path / name}: ")


def test_a_recording_of_many_hours_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """A file that would fill the memory is refused from its header: 5 hours at 1 Hz are 18,000 samples."""
    path = _wav(tmp_path / "long.wav", np.zeros(5 * 3600), rate=1)
    assert _refusal(path) == f"{path}: longer than 4 hours; split it"


@pytest.mark.parametrize("kind", ["RIFX", "stream"])
def test_a_wav_that_the_native_program_refuses_is_copied_for_it(tmp_path: Path, kind: str) -> None:
    """The other byte order and unknown lengths become a plain WAV; a plain one is handed over as it is."""
    path = _wav(tmp_path / "a.wav", _tone(SAMPLE_RATE_HZ), subtype="PCM_16")
    assert as_wave(path, tmp_path / "state") == (path, 0.5)
    if kind == "RIFX":
        _wav(path, _tone(SAMPLE_RATE_HZ), subtype="PCM_16", endian="BIG")
    else:
        whole = path.read_bytes()
        path.write_bytes(whole[:4] + b"\x24\xf0\xff\x7f" + whole[8:40] + b"\x00\xf0\xff\x7f" + whole[44:])
    copy, seconds = as_wave(path, tmp_path / "state")
    assert (copy.parent, seconds) == (tmp_path / "state", 0.5)
    assert copy.read_bytes()[:4] == b"RIFF"
    assert np.abs(read_audio(copy) - read_audio(path)).max() < 1e-4


def test_a_cut_wav_is_not_handed_to_the_native_program(tmp_path: Path) -> None:
    """A 16 kHz WAV that would be used as it is goes through the same check, to the last byte."""
    path = _wav(tmp_path / "cut.wav", _tone(SAMPLE_RATE_HZ), subtype="PCM_16")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(AudioError, match="truncated: the header announces 1 bytes more than the file has"):
        as_wave(path, tmp_path / "state")
