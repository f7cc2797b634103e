"""Claims about decoded sounds: 16 kHz mono in 16 bits, exactly what was there where it was that already."""

import hashlib
import io
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from pytest_asrgate.errors import AudioError
from pytest_asrgate.ingest import g722, sounds
from pytest_asrgate.ingest.sounds import Order, write_sound

from .ingests import noise, wave


def _order(source: Path, target: Path, audio_format: str = "wav", **fields: object) -> Order:
    known = {"g722": False, "start_s": 0.0, "end_s": None, "channel": None, **fields}
    return Order(path=str(source), target=str(target), format=audio_format, **known)  # type: ignore[arg-type]


EVERY = np.arange(-32768, 32768).astype(np.int16)


@pytest.mark.parametrize("source", ["wav", "flac"])
@pytest.mark.parametrize("target", ["wav", "flac"])
def test_16_bit_samples_at_16_khz_come_out_bit_exact(tmp_path: Path, source: str, target: str) -> None:
    """Every value there is, through both formats; hash and length are those of the file."""
    written = write_sound(_order(wave(tmp_path / f"a.{source}", EVERY), tmp_path / "out", target))
    data = (tmp_path / "out").read_bytes()
    assert written.sha256 == hashlib.sha256(data).hexdigest()
    assert written.duration_s == 65_536 / 16_000
    samples, rate = soundfile.read(io.BytesIO(data), dtype="int16")
    assert rate == 16_000
    assert np.array_equal(samples, EVERY)
    found = soundfile.info(io.BytesIO(data))
    assert (found.channels, found.subtype, found.format) == (1, "PCM_16", target.upper())


@given(arrays(np.float32, 8, elements=st.floats(-4, 4, width=32)))
def test_what_is_too_loud_is_clipped(samples: NDArray[np.float32]) -> None:
    """Float samples beyond full scale become full scale and never turn over."""
    found = sounds._sixteen_bit(samples)
    assert (np.sign(found) * np.sign(samples) >= 0).all()
    assert (np.abs(found / 32768 - np.clip(samples, -1, 1)) <= 1 / 32768).all()


@pytest.mark.parametrize(("peak", "marks"), [(1.0, ()), (1.009, ()), (1.02, ("clipped",)), (2.0, ("clipped",))])
def test_what_was_clipped_is_marked(tmp_path: Path, peak: float, marks: tuple[str, ...]) -> None:
    """Below full scale too; a hundredth above it is what resampling may add."""
    samples = np.array([0.5, -peak, 0.25], dtype=np.float32)
    path = wave(tmp_path / "a.wav", samples, subtype="FLOAT")
    assert write_sound(_order(path, tmp_path / "out")).marks == marks
    assert soundfile.read(tmp_path / "out", dtype="int16")[0].tolist() == [16384, -32768, 8192]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda path: wave(path, noise().astype(np.float32), subtype="FLOAT"),
            "has samples up to 19988, and full scale is 1.0; write it with samples in that range",
        ),
        (lambda path: path.write_bytes(b""), "cannot be read as audio (the file is empty)"),
        (
            lambda path: path.write_bytes(b"no sound at all"),
            "cannot be read as audio (Format not recognised; if it is audio, write it as WAV or FLAC)",
        ),
        (lambda path: wave(path, noise()[:0]), "holds no samples"),
        (
            lambda path: wave(path, np.array([0.0, np.nan], dtype=np.float32), subtype="FLOAT"),
            "holds samples that are not finite numbers (NaN or infinity)",
        ),
        (lambda path: path.write_bytes(wave(path).read_bytes()[:1000]), "truncated: the header announces"),
        (lambda path: path.exists(), "no such audio file"),
    ],
)
def test_what_cannot_be_decoded_is_one_sentence_and_no_file(tmp_path: Path, make: object, sentence: str) -> None:
    """The target is not even begun."""
    make(tmp_path / "a.wav")  # type: ignore[operator]
    with pytest.raises(AudioError) as caught:
        write_sound(_order(tmp_path / "a.wav", tmp_path / "out"))
    assert str(caught.value).startswith(f"{tmp_path}/a.wav: {sentence}")
    assert not (tmp_path / "out").exists()


def test_a_part_and_a_channel(tmp_path: Path) -> None:
    """What is asked of a recording is what is written."""
    left, right = noise(1.0, 1), noise(1.0, 2)
    path = wave(tmp_path / "two.wav", np.stack([left, right], axis=1))
    write_sound(_order(path, tmp_path / "out", start_s=0.25, end_s=0.5, channel=1))
    assert np.array_equal(soundfile.read(tmp_path / "out", dtype="int16")[0], right[4000:8000])


def _g722(path: Path) -> Path:
    """A second of a 440 Hz tone in G.722."""
    import av

    tone = (10_000 * np.sin(np.arange(16_000) * 2 * np.pi * 440 / 16_000)).astype(np.int16)
    with av.open(str(path), "w", format="g722") as container:
        stream = container.add_stream("g722", rate=16_000)
        stream.layout = "mono"
        for start in range(0, 16_000, 320):
            frame = av.AudioFrame.from_ndarray(tone[None, start : start + 320], format="s16", layout="mono")
            frame.sample_rate = 16_000
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.mark.skipif(find_spec("av") is None, reason="needs the g722 extra")
def test_g722_is_decoded(tmp_path: Path) -> None:
    """A tone comes out as that tone, a second of it, at 16 kHz."""
    written = write_sound(_order(_g722(tmp_path / "a.g722"), tmp_path / "out", g722=True))
    assert written.duration_s == pytest.approx(1.0, abs=0.05)
    samples, rate = soundfile.read(tmp_path / "out", dtype="int16")
    assert rate == 16_000
    spectrum = np.abs(np.fft.rfft(samples[:16_000].astype(float), 16_000))
    assert abs(int(spectrum.argmax()) - 440) <= 1
    assert 8_000 < np.abs(samples).max() < 12_000


@pytest.mark.skipif(find_spec("av") is None, reason="needs the g722 extra")
@pytest.mark.parametrize("fields", [{"start_s": 0.1}, {"end_s": 0.1}, {"channel": 1}])
def test_parts_of_g722_are_refused(tmp_path: Path, fields: dict[str, Any]) -> None:
    """Rather than the whole being taken for a part of it."""
    with pytest.raises(AudioError, match=r"parts and other channels of G\.722 cannot be read"):
        write_sound(_order(_g722(tmp_path / "a.g722"), tmp_path / "out", g722=True, **fields))


def test_g722_of_nothing_is_refused(tmp_path: Path) -> None:
    """An empty file, and none at all, are named before any decoder is asked."""
    (tmp_path / "a.g722").touch()
    for name, sentence in (("a.g722", "the file is empty"), ("b.g722", "no such audio file")):
        with pytest.raises(AudioError, match=sentence):
            g722.read_g722(tmp_path / name)


def test_g722_by_name() -> None:
    """Its samples have no header, so the name tells."""
    assert g722.is_g722("digits/1.G722")
    assert not g722.is_g722("digits/1.wav")
