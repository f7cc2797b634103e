"""Row 15 of the trap table, audio: each odd encoding is read as the tone it holds, or refused by name and reason.

Plain µ-law, float32, 24-bit, FLAC, a rate alone and NaN in a mono file are claimed in test_audio.py.
"""

import math
import re
import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from pytest_asrgate.audio import SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.errors import AudioError

Samples = NDArray[np.float64]

HERTZ = 1000.0
AMPLITUDE = 0.5
SECONDS = 0.8
LENGTH = round(SECONDS * SAMPLE_RATE_HZ)
PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
# The last fourteen bytes of every sub-format's identifier; the first two are its plain tag.
GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")
LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 81964\n"


def _tone(rate: int = SAMPLE_RATE_HZ, hertz: float = HERTZ, amplitude: float = AMPLITUDE) -> Samples:
    return np.asarray(amplitude * np.sin(2 * np.pi * hertz * np.arange(round(rate * SECONDS)) / rate))


def _written(path: Path, samples: Samples, rate: int = SAMPLE_RATE_HZ, **options: str) -> Path:
    soundfile.write(path, samples, rate, **options)
    return path


def _peaks(samples: NDArray[np.float32]) -> dict[float, float]:
    """Amplitude by frequency in Hz, of every partial that is not small; exact where whole waves fill the array."""
    spectrum = np.abs(np.fft.rfft(samples)) * 2 / len(samples)
    places = np.flatnonzero(spectrum > 0.1)
    return {float(place) * SAMPLE_RATE_HZ / len(samples): float(spectrum[place]) for place in places}


def _check_tone(path: Path, *, length: int = LENGTH, tolerance: float = 0.01) -> None:
    samples = read_audio(path)
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert abs(len(samples) - length) <= 1
    assert abs(float(np.sqrt(np.mean(np.square(samples)))) - AMPLITUDE / math.sqrt(2)) < tolerance
    spectrum = np.abs(np.fft.rfft(samples))
    assert float(spectrum.argmax()) * SAMPLE_RATE_HZ / len(samples) == pytest.approx(HERTZ, abs=2.0)


def _refusal(path: Path) -> str:
    """Why a file is refused, after its name, in one line."""
    with pytest.raises(AudioError) as caught:
        read_audio(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _format(tag: int, bits: int, channels: int = 1, rate: int = SAMPLE_RATE_HZ, more: bytes = b"") -> bytes:
    frame = channels * bits // 8
    return _chunk(b"fmt ", struct.pack("<HHIIHH", tag, channels, rate, rate * frame, frame, bits) + more)


def _extensible(tag: int, bits: int, valid: int, channels: int = 1, rate: int = SAMPLE_RATE_HZ) -> bytes:
    identifier = struct.pack("<H", tag) + GUID_TAIL
    mask = (1 << channels) - 1
    return _format(EXTENSIBLE, bits, channels, rate, struct.pack("<HHI", 22, valid, mask) + identifier)


def _riff(path: Path, *chunks: bytes) -> Path:
    body = b"WAVE" + b"".join(chunks)
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    return path


def _integers(samples: Samples, bits: int) -> bytes:
    """Little-endian signed samples of this many bits; those of 8 are unsigned, as in a WAV."""
    whole = np.round(samples * (2 ** (bits - 1) - 1)).astype(np.int64)
    if bits == 8:
        return bytes((whole + 128).astype(np.uint8))
    return b"".join(int(sample).to_bytes(bits // 8, "little", signed=True) for sample in whole)


def _mu_law(samples: Samples) -> bytes:
    """The bytes of ITU-T G.711's µ-law."""
    whole = np.round(samples * 32767).astype(np.int64)
    magnitude = np.minimum(np.abs(whole), 32635) + 132
    exponent = np.floor(np.log2(magnitude)).astype(np.int64) - 7
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    code = ~((whole < 0) * 0x80 | exponent << 4 | mantissa) & 0xFF
    return bytes(code.astype(np.uint8))


def _a_law(samples: Samples) -> bytes:
    """The bytes of ITU-T G.711's A-law."""
    whole = np.round(samples * 32767).astype(np.int64)
    magnitude = np.minimum(np.where(whole < 0, -whole - 1, whole), 32767)
    exponent = np.maximum(np.floor(np.log2(np.maximum(magnitude, 1))).astype(np.int64) - 7, 0)
    mantissa = (magnitude >> np.where(exponent == 0, 4, exponent + 3)) & 0x0F
    code = ((whole >= 0) * 0x80 | exponent << 4 | mantissa) ^ 0x55
    return bytes(code.astype(np.uint8))


@pytest.mark.parametrize(
    ("form", "subtype", "name"),
    [
        ("WAV", "ALAW", "a.wav"),
        ("WAV", "PCM_U8", "a.wav"),
        ("WAV", "PCM_32", "a.wav"),
        ("WAV", "DOUBLE", "a.wav"),
        ("WAVEX", "FLOAT", "a.wav"),
        ("WAVEX", "PCM_16", "a.wav"),
        ("WAVEX", "ULAW", "a.wav"),
        ("RF64", "PCM_16", "a.wav"),
        ("W64", "PCM_16", "a.w64"),
        ("AIFF", "PCM_16", "a.aiff"),
        ("AU", "ULAW", "a.au"),
        ("CAF", "PCM_24", "a.caf"),
        ("NIST", "PCM_16", "a.sph"),
        ("FLAC", "PCM_24", "a.flac"),
        ("FLAC", "PCM_S8", "a.flac"),
        ("OGG", "VORBIS", "a.ogg"),
        ("OGG", "OPUS", "a.opus"),
        ("MP3", "MPEG_LAYER_III", "a.mp3"),
    ],
)
def test_what_soundfile_writes_is_read_back(tmp_path: Path, form: str, subtype: str, name: str) -> None:
    """Length, loudness and pitch survive every container and encoding, lossy ones within a few percent."""
    lossy = form in {"OGG", "MP3"}
    path = _written(tmp_path / name, _tone(), format=form, subtype=subtype)
    _check_tone(path, tolerance=0.03 if lossy else 0.01)


def test_a_wrong_ending_does_not_matter(tmp_path: Path) -> None:
    """A FLAC that somebody called .wav is read as what it is."""
    _check_tone(_written(tmp_path / "a.wav", _tone(), format="FLAC"))


def test_the_other_end_first(tmp_path: Path) -> None:
    """A RIFX file, whose bytes stand the other way round, is no noise."""
    path = _written(tmp_path / "a.wav", _tone(), subtype="PCM_16", endian="BIG")
    assert path.read_bytes()[:4] == b"RIFX"
    _check_tone(path)


@pytest.mark.parametrize("bits", [8, 16, 24, 32])
@pytest.mark.parametrize("extensible", [False, True], ids=["plain", "EXTENSIBLE"])
def test_integers_by_hand(tmp_path: Path, bits: int, extensible: bool) -> None:
    """Integer samples of each width, with the plain header and the EXTENSIBLE one."""
    header = _extensible(PCM, bits, bits) if extensible else _format(PCM, bits)
    _check_tone(_riff(tmp_path / "a.wav", header, _chunk(b"data", _integers(_tone(), bits))))


@pytest.mark.parametrize("width", [4, 8], ids=["float32", "float64"])
@pytest.mark.parametrize("extensible", [False, True], ids=["plain", "EXTENSIBLE"])
def test_floats_by_hand(tmp_path: Path, width: int, extensible: bool) -> None:
    """Floating-point samples of both widths keep their values."""
    header = _extensible(FLOAT, width * 8, width * 8) if extensible else _format(FLOAT, width * 8)
    data = _tone().astype(f"<f{width}").tobytes()
    path = _riff(tmp_path / "a.wav", header, _chunk(b"data", data))
    _check_tone(path)
    assert np.abs(read_audio(path) - _tone()).max() < 1e-6


def test_24_bits_in_a_container_of_32(tmp_path: Path) -> None:
    """An EXTENSIBLE file that fills 24 of its 32 bits, the high ones, has its right loudness."""
    data = b"".join(b"\0" + part for part in re.findall(b"(?s)...", _integers(_tone(), 24)))
    _check_tone(_riff(tmp_path / "a.wav", _extensible(PCM, 32, 24), _chunk(b"data", data)))


@pytest.mark.parametrize("extra", [b"", b"\0\0"], ids=["16 bytes", "18 bytes"])
@pytest.mark.parametrize("tag", [MU_LAW, A_LAW], ids=["mu-law", "A-law"])
@pytest.mark.parametrize("rate", [8_000, 16_000])
def test_telephone_laws_by_hand(tmp_path: Path, rate: int, tag: int, extra: bytes) -> None:
    """Bytes of both laws of G.711 at both rates, with either length of header and without a fact chunk."""
    data = (_mu_law if tag == MU_LAW else _a_law)(_tone(rate))
    _check_tone(_riff(tmp_path / "a.wav", _format(tag, 8, rate=rate, more=extra), _chunk(b"data", data)))


def test_other_chunks_are_skipped(tmp_path: Path) -> None:
    """Notes before and after the samples, one of odd length, are no samples."""
    note, late = _chunk(b"LIST", b"INFOISFT\x05\0\0\0odd.\0"), _chunk(b"note", b"\xff" * 4001)
    _check_tone(_riff(tmp_path / "a.wav", note, _format(PCM, 16), _chunk(b"data", _integers(_tone(), 16)), late))


@pytest.mark.parametrize(
    ("form", "subtype", "rate"),
    [
        ("WAV", "ULAW", 8_000),
        ("WAVEX", "PCM_24", 44_100),
        ("WAV", "DOUBLE", 48_000),
        ("FLAC", "PCM_16", 44_100),
        ("OGG", "VORBIS", 44_100),
        ("OGG", "OPUS", 48_000),
        ("WAV", "PCM_16", 11_025),
        ("WAV", "PCM_16", 96_000),
    ],
)
@pytest.mark.parametrize("channels", [1, 2])
def test_odd_in_several_ways_at_once(tmp_path: Path, form: str, subtype: str, rate: int, channels: int) -> None:
    """Encoding, rate and channels together give the tone at 16 kHz and in one channel."""
    samples = np.repeat(_tone(rate)[:, None], channels, axis=1)
    path = _written(tmp_path / "a.audio", samples, rate, format=form, subtype=subtype)
    _check_tone(path, tolerance=0.03 if form == "OGG" else 0.01)


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100, 48_000])
def test_two_channels_with_different_tones_are_both_heard(tmp_path: Path, rate: int) -> None:
    """Each channel has its half in the mix: neither is dropped, and none follows the other in time."""
    stereo = np.stack([_tone(rate, 500.0), _tone(rate, 1500.0)], axis=1)
    samples = read_audio(_written(tmp_path / "a.wav", stereo, rate, subtype="PCM_16"))
    assert abs(len(samples) - LENGTH) <= 1
    assert _peaks(samples) == pytest.approx({500.0: AMPLITUDE / 2, 1500.0: AMPLITUDE / 2}, abs=0.005)


def test_two_channels_by_hand(tmp_path: Path) -> None:
    """An EXTENSIBLE stereo file of 24 bits, written byte by byte, mixes to the mean of its channels."""
    stereo = np.stack([_tone(hertz=500.0), _tone(hertz=1500.0)], axis=1)
    path = _riff(
        tmp_path / "a.wav", _extensible(PCM, 24, 24, channels=2), _chunk(b"data", _integers(stereo.ravel(), 24))
    )
    samples = read_audio(path)
    assert len(samples) == LENGTH
    assert np.abs(samples - stereo.mean(axis=1)).max() < 1e-6


@pytest.mark.parametrize("subtype", ["PCM_16", "ULAW", "FLOAT"])
def test_six_channels_are_one(tmp_path: Path, subtype: str) -> None:
    """The mean is over all channels, however many there are: a tone in one of six is a sixth as loud."""
    samples = np.stack([_tone(), *([0 * _tone()] * 5)], axis=1)
    mono = read_audio(_written(tmp_path / "a.wav", samples, format="WAVEX", subtype=subtype))
    assert len(mono) == LENGTH
    assert float(np.abs(mono).max()) == pytest.approx(AMPLITUDE / 6, rel=0.03)


@pytest.mark.parametrize("rate", [32_000, 44_100, 48_000])
def test_what_16_khz_cannot_hold_is_gone(tmp_path: Path, rate: int) -> None:
    """A tone of 12 kHz folds to no false tone below 8 kHz."""
    samples = read_audio(_written(tmp_path / "a.wav", _tone(rate, 12_000.0), rate, subtype="FLOAT"))
    assert float(np.abs(samples[200:-200]).max()) < 0.005


def test_silence_is_audio(tmp_path: Path) -> None:
    """Zeros are what was recorded, and no fault of the file."""
    samples = read_audio(_written(tmp_path / "a.wav", np.zeros(44_100), 44_100))
    assert (len(samples), float(np.abs(samples).max())) == (SAMPLE_RATE_HZ, 0.0)


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100])
def test_one_sample_is_audio(tmp_path: Path, rate: int) -> None:
    """The shortest file there is gives the shortest array there is, within one sample."""
    assert len(read_audio(_written(tmp_path / "a.wav", np.full(1, 0.5), rate))) in {1, 2}


def test_a_link_is_followed(tmp_path: Path) -> None:
    """Prompts that are links to others are read."""
    _written(tmp_path / "a.wav", _tone())
    (tmp_path / "b.wav").symlink_to("a.wav")
    _check_tone(tmp_path / "b.wav")


def test_a_name_with_odd_characters_is_read(tmp_path: Path) -> None:
    """Blanks, colons and letters of any script in a name are no matter."""
    _check_tone(_written(tmp_path / "été: नमस्ते (1).wav", _tone()))


@pytest.mark.parametrize(("riff", "data"), [(0xFFFFFFFF, 0xFFFFFFFF), (0, 0xFFFFFFFF), (0x7FFFF024, 0x7FFFF000)])
def test_a_stream_of_unknown_length_is_whole(tmp_path: Path, riff: int, data: int) -> None:
    """ffmpeg and SoX write these lengths into a pipe, where they cannot come back to correct them."""
    path = _riff(tmp_path / "a.wav", _format(PCM, 16), _chunk(b"data", _integers(_tone(), 16)))
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + struct.pack("<I", riff) + whole[8:40] + struct.pack("<I", data) + whole[44:])
    _check_tone(path)


@pytest.mark.parametrize("kept", [0.02, 0.5, 0.9])
@pytest.mark.parametrize(
    ("form", "subtype", "channels"),
    [
        ("WAV", "ULAW", 1),
        ("WAV", "FLOAT", 1),
        ("WAV", "DOUBLE", 2),
        ("WAVEX", "PCM_24", 2),
        ("WAV", "PCM_16", 1),
        ("FLAC", "PCM_16", 1),
        ("FLAC", "PCM_24", 2),
    ],
)
def test_a_truncated_file_is_refused(
    tmp_path: Path, *, form: str, subtype: str, channels: int, kept: float
) -> None:
    """Whatever the encoding and wherever the cut, half an utterance is never read in silence."""
    samples = np.repeat(_tone()[:, None], channels, axis=1)
    path = _written(tmp_path / "cut.wav", samples, format=form, subtype=subtype)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    assert re.search("truncated: the header announces|lost sync", _refusal(path))


@pytest.mark.parametrize("riff", ["right", "zero", "all ones"])
def test_samples_that_the_data_chunk_announces_and_lacks_are_missed(tmp_path: Path, riff: str) -> None:
    """Where the length of the whole is right or unknown, that of the samples still tells that half are gone."""
    path = _riff(tmp_path / "cut.wav", _format(PCM, 16), _chunk(b"data", _integers(_tone(), 16)))
    half = path.read_bytes()[: LENGTH + 44]
    length = {"right": len(half) - 8, "zero": 0, "all ones": 0xFFFFFFFF}[riff]
    path.write_bytes(half[:4] + struct.pack("<I", length) + half[8:])
    assert "truncated" in _refusal(path)


@pytest.mark.parametrize("kept", [0.5, 0.9])
@pytest.mark.parametrize(
    ("form", "subtype", "endian"),
    [
        ("WAV", "PCM_16", "BIG"),
        ("RF64", "PCM_16", "FILE"),
        ("W64", "PCM_16", "FILE"),
        ("AIFF", "PCM_16", "FILE"),
        ("AU", "PCM_16", "FILE"),
        ("NIST", "PCM_16", "FILE"),
        ("CAF", "PCM_16", "FILE"),
        ("OGG", "VORBIS", "FILE"),
        ("OGG", "OPUS", "FILE"),
    ],
    ids=["RIFX", "RF64", "W64", "AIFF", "AU", "NIST", "CAF", "Vorbis", "Opus"],
)
def test_a_truncated_file_of_another_container_is_refused(
    tmp_path: Path, *, form: str, subtype: str, endian: str, kept: float
) -> None:
    """Each of these announces its length or marks its last page, so that a cut can be seen."""
    noise = np.random.default_rng(7).uniform(-0.3, 0.3, 20 * SAMPLE_RATE_HZ)
    path = _written(tmp_path / "cut.wav", noise, format=form, subtype=subtype, endian=endian)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    assert re.search("truncated|malformed", _refusal(path))


def test_a_short_vorbis_cut_short_is_not_called_empty(tmp_path: Path) -> None:
    """The sentence says that the file is broken, and not that nobody recorded anything."""
    path = _written(tmp_path / "cut.ogg", _tone(), format="OGG", subtype="VORBIS")
    path.write_bytes(path.read_bytes()[:-20])
    assert re.search("truncated|malformed", _refusal(path))


@pytest.mark.parametrize(
    ("form", "subtype"),
    [
        ("WAV", "PCM_16"),
        ("WAV", "ULAW"),
        ("WAVEX", "PCM_24"),
        ("WAV", "FLOAT"),
        ("FLAC", "PCM_16"),
        ("OGG", "VORBIS"),
    ],
)
@pytest.mark.parametrize("rate", [16_000, 44_100])
def test_zero_samples_are_refused(tmp_path: Path, form: str, subtype: str, rate: int) -> None:
    """A file of 0 ms is a fault in every encoding and at every rate."""
    message = _refusal(_written(tmp_path / "none.wav", np.zeros(0), rate, format=form, subtype=subtype))
    assert message == "holds no samples" or message.startswith("cannot be read as audio (")


def test_zero_samples_in_two_channels_are_refused(tmp_path: Path) -> None:
    """The mean over no frames is no NaN and no warning."""
    path = _written(tmp_path / "none.wav", np.zeros((0, 2)))
    assert _refusal(path) == "holds no samples"


@pytest.mark.parametrize(
    ("chunks", "reason"),
    [
        ([_format(PCM, 16), _chunk(b"data", b"")], "holds no samples"),
        ([_format(PCM, 16)], "No 'data' chunk"),
        ([], "cannot be read as audio"),
        ([_chunk(b"data", b"\0" * 3200)], "cannot be read as audio"),
        ([_format(PCM, 16, channels=0), _chunk(b"data", b"\0" * 3200)], "cannot be read as audio"),
        ([_format(PCM, 16, rate=0), _chunk(b"data", b"\0" * 3200)], "cannot be read as audio"),
        ([_format(0x1234, 16), _chunk(b"data", b"\0" * 3200)], "cannot be read as audio"),
        ([_extensible(0x1234, 16, 16), _chunk(b"data", b"\0" * 3200)], "cannot be read as audio"),
    ],
    ids=["data empty", "no data", "no chunk", "no format", "no channel", "no rate", "no such tag", "no such guid"],
)
def test_a_header_without_samples_or_sense_is_refused(tmp_path: Path, chunks: list[bytes], reason: str) -> None:
    """Headers that are whole and consistent but lead to no samples give one sentence, and nothing crashes."""
    assert reason in _refusal(_riff(tmp_path / "head.wav", *chunks))


def test_a_header_whose_samples_never_came_is_truncated(tmp_path: Path) -> None:
    """The first 44 bytes of a recording are no recording of 0 ms."""
    path = _riff(tmp_path / "head.wav", _format(PCM, 16), _chunk(b"data", _integers(_tone(), 16)))
    path.write_bytes(path.read_bytes()[:44])
    assert "truncated" in _refusal(path)


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("channel", [0, 1])
@pytest.mark.parametrize(("subtype", "rate"), [("FLOAT", 16_000), ("DOUBLE", 44_100)])
def test_one_bad_sample_in_one_channel_is_refused(
    tmp_path: Path, *, value: float, channel: int, subtype: str, rate: int
) -> None:
    """Mixing and resampling hide no NaN and no infinity."""
    stereo = np.stack([_tone(rate), _tone(rate)], axis=1)
    stereo[-1, channel] = value
    path = _written(tmp_path / "bad.wav", stereo, rate, subtype=subtype)
    assert _refusal(path) == "holds samples that are not finite numbers (NaN or infinity)"


@pytest.mark.parametrize("name", ["a.wav", "a.flac", "a.ogg", "a.mp3", "a.aiff", "a"])
@pytest.mark.parametrize(
    "data",
    [
        b"these are words\n",
        LFS_POINTER,
        b"<!DOCTYPE html><title>404</title>",
        b'{"id": "u1"}\n',
        b"",
        b"RIFF\0\0\0\0WAVE",
    ],
    ids=["words", "LFS pointer", "page", "JSON", "empty", "bare RIFF"],
)
def test_what_is_no_audio_is_refused_under_any_name(tmp_path: Path, name: str, data: bytes) -> None:
    """A text, a pointer of Git LFS, a page of a web server and nothing at all are no audio."""
    path = tmp_path / name
    path.write_bytes(data)
    assert "cannot be read as audio (" in _refusal(path)


def test_a_folder_named_as_audio_is_refused(tmp_path: Path) -> None:
    """A folder called x.wav is named as what it is."""
    path = tmp_path / "x.wav"
    path.mkdir()
    assert _refusal(path) == "not a regular file"


@pytest.mark.parametrize("target", ["gone.wav", "x.wav", "gone/x.wav"], ids=["broken", "itself", "no folder"])
def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path, target: str) -> None:
    """A broken link and one to itself are absent files with the link's own name."""
    path = tmp_path / "x.wav"
    path.symlink_to(target)
    assert "no such audio file" in _refusal(path)


@pytest.mark.parametrize("name", ["gone.wav", "gone/x.wav", "file/x.wav"])
def test_a_missing_file_is_refused(tmp_path: Path, name: str) -> None:
    """A file that is not there, in a folder that is not there, or under a file."""
    (tmp_path / "file").write_bytes(b"")
    assert "no such audio file" in _refusal(tmp_path / name)
