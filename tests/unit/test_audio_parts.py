"""Claims about parts and channels of recordings: the samples of the whole, without the rest being decoded."""

import math
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pytest_asrgate.audio import read_audio
from pytest_asrgate.errors import AudioError

from .ingests import noise, wave


def _refusal(path: Path, **part: float | None) -> str:
    with pytest.raises(AudioError) as caught:
        read_audio(path, **part)  # type: ignore[arg-type]  # the part of one call
    return str(caught.value)


@pytest.mark.parametrize("ending", ["wav", "flac", "ogg"])
def test_a_part_has_the_samples_of_the_whole(tmp_path: Path, ending: str) -> None:
    """From one time to another, from one to the end, from the beginning, and the whole by its times."""
    path = wave(tmp_path / f"a.{ending}", noise(2.0))
    whole = read_audio(path)
    exact = ending != "ogg"

    def same(part: dict[str, float], expected: np.ndarray) -> bool:
        found = read_audio(path, **part)  # type: ignore[arg-type]  # the part of one call
        close = np.array_equal(found, expected) if exact else np.abs(found - expected).max() < 1e-3
        return len(found) == len(expected) and bool(close)

    assert same({"start_s": 0.25, "end_s": 0.75}, whole[4000:12000])
    assert same({"start_s": 1.5}, whole[24000:])
    assert same({"end_s": 0.5}, whole[:8000])
    assert same({"end_s": 2.0}, whole)


@pytest.mark.parametrize("start_s", [0.3337, 0.7, 1.0123])
def test_a_part_of_an_mp3_begins_whole(tmp_path: Path, start_s: float) -> None:
    """Where its frames lean on bytes of earlier ones, as with a variable bit rate, these are decoded, too."""
    path = tmp_path / "a.mp3"
    sound = noise(2.0) / 32768 * np.linspace(0.1, 1, 32_000)
    options = {"compression_level": 0.9, "bitrate_mode": "VARIABLE"}
    with soundfile.SoundFile(path, "w", 16_000, 1, format="MP3", **options) as file:
        file.write(sound)
    found = read_audio(path, start_s=start_s, end_s=start_s + 0.5)
    first = round(start_s * 16_000)
    assert np.abs(found - read_audio(path)[first : first + 8000]).max() < 0.01


def test_a_part_at_another_rate_is_resampled(tmp_path: Path) -> None:
    """Times are seconds of the recording, whatever its rate."""
    path = wave(tmp_path / "a.wav", noise(2.0, rate=8000), 8000)
    assert len(read_audio(path, start_s=0.5, end_s=1.25)) == 12_000


def test_a_part_of_a_long_recording_is_read(tmp_path: Path) -> None:
    """What is refused whole can be cut: five hours, of which a second is asked for."""
    path = tmp_path / "long.flac"
    with soundfile.SoundFile(path, "w", 100, 1) as file:
        file.write(np.zeros(5 * 3600 * 100, dtype=np.int16))
    assert _refusal(path) == f"{path}: longer than 4 hours; split it"
    assert len(read_audio(path, start_s=17_000.0, end_s=17_001.0)) == 16_000
    assert _refusal(path, start_s=1.0) == f"{path}: longer than 4 hours; split it"


def test_an_end_up_to_a_tenth_behind_the_recording_means_its_end(tmp_path: Path) -> None:
    """Corpora round their times; more than that is another recording."""
    path = wave(tmp_path / "a.wav", noise(2.0))
    assert len(read_audio(path, start_s=1.0, end_s=2.09)) == 16_000
    assert _refusal(path, start_s=1.0, end_s=2.2) == (
        f"{path}: the part from 1 s to 2.2 s goes beyond the recording's end at 2 s"
    )
    assert "goes beyond the recording's end at 2 s" in _refusal(path, start_s=2.0, end_s=2.05)


@pytest.mark.parametrize(
    ("start_s", "end_s"), [(-1.0, 1.0), (1.0, 1.0), (1.5, 0.5), (math.nan, 1.0), (0.0, math.inf), (0.5, math.nan)]
)
def test_a_part_that_is_none_is_refused(tmp_path: Path, start_s: float, end_s: float) -> None:
    """Backwards, empty, before the beginning, and what is no number."""
    path = wave(tmp_path / "a.wav", noise(2.0))
    assert "s is none; a part begins at 0 s or later" in _refusal(path, start_s=start_s, end_s=end_s)


def test_a_channel_is_taken_alone(tmp_path: Path) -> None:
    """Counted from 0, also in a part; one that is not there is named."""
    left, right = noise(1.0, 1), noise(1.0, 2)
    path = wave(tmp_path / "two.wav", np.stack([left, right], axis=1))
    assert np.array_equal(read_audio(path, channel=1), right / np.float32(32768))
    assert np.array_equal(read_audio(path, start_s=0.5, channel=0), left[8000:] / np.float32(32768))
    assert _refusal(path, channel=2) == f"{path}: has no channel 3, counted from 1; it has 2"
    assert "has no channel 0, counted from 1" in _refusal(path, channel=-1)


def test_a_part_of_a_cut_recording_is_refused(tmp_path: Path) -> None:
    """Also where the part itself would be there: nobody knows what else is wrong with it."""
    path = wave(tmp_path / "a.wav", noise(2.0))
    path.write_bytes(path.read_bytes()[:-1000])
    assert "truncated" in _refusal(path, start_s=0.1, end_s=0.2)
