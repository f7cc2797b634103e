"""Claims about cut files: every container's own headers tell a cut, no whole file is suspected, no bytes raise."""

import struct
import sys
import time
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.io import wavfile

from pytest_asrgate.audio import SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.containers import truncation
from pytest_asrgate.errors import AudioError

FORMATS = [
    (form, subtype) for form in soundfile.available_formats() for subtype in soundfile.available_subtypes(form)
]
# Those whose headers are read, with a subtype of one byte a sample and one of more where they have them.
CHECKED = [
    ("WAV", "PCM_U8", "FILE"),
    ("WAV", "PCM_16", "FILE"),
    ("WAV", "PCM_16", "BIG"),
    ("WAV", "IMA_ADPCM", "FILE"),
    ("WAVEX", "PCM_24", "FILE"),
    ("RF64", "PCM_U8", "FILE"),
    ("RF64", "FLOAT", "FILE"),
    ("W64", "PCM_U8", "FILE"),
    ("W64", "PCM_24", "FILE"),
    ("AIFF", "PCM_S8", "FILE"),
    ("AIFF", "ULAW", "FILE"),
    ("AIFF", "PCM_24", "LITTLE"),
    ("AU", "PCM_S8", "FILE"),
    ("AU", "PCM_16", "LITTLE"),
    ("CAF", "PCM_S8", "FILE"),
    ("CAF", "ALAC_16", "FILE"),
    ("NIST", "ULAW", "FILE"),
    ("NIST", "PCM_24", "FILE"),
]
MAGIC = [b"RIFF", b"RIFX", b"RF64", b"BW64", b"FORM", b"caff\0\1", b".snd", b"dns.", b"NIST_1A\n   1024\n", b"OggS"]
W64 = bytes.fromhex("726966662e91cf11a5d628db04c1000000000000000000007761766" + "5f3acd3118cd100c04f8edb8a")
PARTS = st.one_of(
    st.binary(max_size=60),
    st.sampled_from([*MAGIC, W64, b"WAVE", b"AIFF", b"AIFC", b"data", b"SSND", b"ds64", b"fmt ", b"\0" * 8]),
    st.sampled_from([b"sample_count -i 9\n", b"channel_count -i 2\n", b"sample_n_bytes -i 2\n", b"end_head\n"]),
    st.sampled_from([b"\xff" * 4, b"\xff" * 8, b"\0\0\0\x7f", b"\x7f" + b"\xff" * 7, b"\0\x04", b"\0" * 22]),
)


def _noise(length: int, channels: int = 1) -> NDArray[np.float64]:
    return np.random.default_rng(length).uniform(-0.3, 0.3, (length, channels))


def _written(path: Path, samples: NDArray[np.float64], **options: str) -> bytes:
    soundfile.write(path, samples, SAMPLE_RATE_HZ, **options)
    return path.read_bytes()


def _missing(path: Path, data: bytes) -> int:
    """How many bytes a file with these bytes is said to lack; 0 where it seems whole."""
    path.write_bytes(data)
    sentence = truncation(path)
    if sentence is None:
        return 0
    assert sentence.startswith("the header announces ")
    assert sentence.endswith(" bytes more than the file has")
    return int(sentence.split()[3])


def _wav(samples: bytes, *, riff: int | None = None, data: int | None = None, more: bytes = b"") -> bytes:
    """A WAV of 16 bits by hand, with the two lengths it should claim; `more` stands behind the samples."""
    body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, SAMPLE_RATE_HZ, 2 * SAMPLE_RATE_HZ, 2, 16)
    body += b"data" + struct.pack("<I", len(samples) if data is None else data) + samples + more
    return b"RIFF" + struct.pack("<I", len(body) if riff is None else riff) + body


@pytest.mark.parametrize(("form", "subtype"), FORMATS)
def test_no_whole_file_is_suspected(tmp_path: Path, form: str, subtype: str) -> None:
    """Whatever soundfile writes, of any length and in any number of channels, passes."""
    path = tmp_path / f"whole.{form.lower()}"
    for length in (0, 1, 7, 1001, 33_333):
        for channels in (1, 2, 3):
            try:
                _written(path, _noise(length, channels), format=form, subtype=subtype)
            except (soundfile.LibsndfileError, AssertionError):
                # Some encodings are read only, or have one channel only.
                continue
            # Without a sample libsndfile leaves an Opus of headers alone, which it calls malformed itself.
            assert truncation(path) is None or (subtype, length) == ("OPUS", 0)


@pytest.mark.parametrize("endian", ["LITTLE", "BIG"])
@pytest.mark.parametrize("form", ["WAV", "AIFF", "AU", "CAF", "NIST"])
def test_no_whole_file_of_either_byte_order_is_suspected(tmp_path: Path, form: str, endian: str) -> None:
    """RIFX, AIFF-C, and AU of either order."""
    _written(tmp_path / "whole", _noise(1001), format=form, subtype="PCM_24", endian=endian)
    assert truncation(tmp_path / "whole") is None


@pytest.mark.parametrize("length", [0, 1, 1000, 1001])
@pytest.mark.parametrize("kind", ["uint8", "int16", "int32", "float32"])
def test_no_whole_file_of_another_writer_is_suspected(tmp_path: Path, kind: str, length: int) -> None:
    """Scipy, and the standard library, which leaves the padding of an odd number of bytes out."""
    samples = (np.arange(length) % 100).astype(kind)
    wavfile.write(tmp_path / "scipy.wav", SAMPLE_RATE_HZ, samples)
    with wave.open(str(tmp_path / "wave.wav"), "wb") as file:
        file.setparams((1, samples.itemsize, SAMPLE_RATE_HZ, 0, "NONE", ""))
        file.writeframes(samples.tobytes())
    assert [truncation(tmp_path / name) for name in ("scipy.wav", "wave.wav")] == [None, None]


@pytest.mark.parametrize("more", [b"LIST\x05\0\0\0INFO\xff\0", b"id3 \x06\0\0\0ID3\4\0\0", b"\0", b"junk behind"])
def test_what_stands_behind_the_samples_does_not_matter(tmp_path: Path, more: bytes) -> None:
    """Notes, tags and remains behind the samples are no samples, whether whole or cut off."""
    path = tmp_path / "a.wav"
    for kept in range(len(more) + 1):
        whole = _wav(b"\1\0" * 500, more=more)
        assert _missing(path, whole[: len(whole) - kept]) == 0
    assert len(read_audio(path)) == 500


@pytest.mark.parametrize(("form", "subtype", "endian"), CHECKED)
def test_a_cut_of_any_size_is_told_to_the_byte(tmp_path: Path, *, form: str, subtype: str, endian: str) -> None:
    """One byte less is one byte missing, and read_audio names it."""
    path = tmp_path / "cut"
    whole = _written(path, _noise(1000), format=form, subtype=subtype, endian=endian)
    # ALAC has its table of packets behind the samples.
    behind = 0
    while behind < len(whole) and not _missing(path, whole[: len(whole) - behind - 1]):
        behind += 1
    assert behind == 0 or subtype == "ALAC_16"
    for lost in (1, 2, 3, 100, 399):
        assert _missing(path, whole[: len(whole) - behind - lost]) == lost
    with pytest.raises(AudioError) as caught:
        read_audio(path)
    assert str(caught.value) == f"{path}: truncated: the header announces 399 bytes more than the file has"


def test_the_padding_of_an_odd_chunk_may_be_missing_and_no_sample(tmp_path: Path) -> None:
    """A file whose samples have an even number of bytes has no padding that could be left out."""
    path = tmp_path / "a.wav"
    assert _missing(path, _wav(b"\1\0" * 500)[:-1]) == 1
    assert _missing(path, _wav(b"\1" * 501, more=b"\0")[:-1]) == 0
    assert _missing(path, _wav(b"\1" * 501, more=b"\0")[:-2]) == 1


@pytest.mark.parametrize("data", [0, 0x7FFFF000, 0x7FFFEFFF, 0x80000000, 0xFFFFFFDB, 0xFFFFFFFF])
@pytest.mark.parametrize("riff", [0, 0x7FFFF024, 0x7FFFF023, 0xFFFFFFFF])
def test_lengths_that_streams_write_are_no_promise(tmp_path: Path, riff: int, data: int) -> None:
    """Zero, all ones, and SoX's numbers, also rounded down to whole blocks of three bytes."""
    assert _missing(tmp_path / "a.wav", _wav(b"\1\0" * 500, riff=riff, data=data)) == 0


@pytest.mark.parametrize("data", [0, 0xFFFFFFFF])
def test_the_length_of_the_whole_counts_where_that_of_the_samples_is_unknown(tmp_path: Path, data: int) -> None:
    """A header corrected in one place only still tells what is missing."""
    assert _missing(tmp_path / "a.wav", _wav(b"\1\0" * 500, data=data)[:-77]) == 77


def test_a_file_cut_before_its_samples_is_told(tmp_path: Path) -> None:
    """Where no data chunk is left, the length of the whole speaks."""
    whole = _wav(b"\1\0" * 500)
    for kept in range(12, 44):
        assert _missing(tmp_path / "a.wav", whole[:kept]) == len(whole) - kept


@pytest.mark.parametrize(
    ("form", "at", "unknown"),
    [
        ("AIFF", 42, struct.pack(">I", 0x7F000008)),
        ("AIFF", 42, b"\0" * 4),
        ("AU", 8, b"\xff" * 4),
        ("W64", 96, struct.pack("<Q", (1 << 63) - 1)),
        ("CAF", 4084, b"\xff" * 8),
        ("NIST", 0, b""),
    ],
    ids=["AIFF of SoX", "AIFF of ffmpeg", "AU", "W64 of ffmpeg", "CAF", "NIST"],
)
def test_other_containers_may_not_know_their_length_too(tmp_path: Path, form: str, at: int, unknown: bytes) -> None:
    """A stream of unknown length in each of them is whole."""
    whole = _written(tmp_path / "a", _noise(1000), format=form, subtype="PCM_16")
    if form == "NIST":
        changed = whole.replace(b"sample_count -i 1000\n", b"sample_count -i 0   \n")
    else:
        changed = whole[:at] + unknown + whole[at + len(unknown) :]
        if form == "AIFF":
            changed = changed[:4] + unknown + changed[8:]
    assert changed != whole
    assert _missing(tmp_path / "a", whole[:-100]) == 100
    assert _missing(tmp_path / "a", changed[:-100]) == 0


def test_a_compressed_sphere_has_fewer_bytes_than_samples(tmp_path: Path) -> None:
    """Shorten inside SPHERE makes the count of samples no count of bytes."""
    whole = _written(tmp_path / "a", _noise(1000), format="NIST", subtype="PCM_16")
    changed = whole.replace(b"sample_coding -s3 pcm\n", b"sample_coding -s26 pcm,embedded-shorten-v2.00\n")
    assert changed != whole
    assert _missing(tmp_path / "a", changed[:-1500]) == 0


@pytest.mark.parametrize("subtype", ["VORBIS", "OPUS"])
@pytest.mark.parametrize("length", [800, 40_000])
def test_an_ogg_without_its_last_page_is_told(tmp_path: Path, subtype: str, length: int) -> None:
    """Wherever an Ogg is cut, between two pages too, its last one is missing; what stands behind is no matter."""
    path = tmp_path / "cut.ogg"
    whole = _written(path, _noise(length), format="OGG", subtype=subtype)
    pages = [place for place in range(len(whole)) if whole.startswith(b"OggS", place)]
    for kept in {4, 5, 26, 27, 28, len(whole) // 2, len(whole) - 1, *pages[1:], *(page + 3 for page in pages[1:])}:
        path.write_bytes(whole[:kept])
        assert (truncation(path) or "").startswith("its last page is missing")
    with pytest.raises(AudioError, match=r"cut\.ogg: truncated: its last page is missing"):
        read_audio(path)
    for more in (b"\0" * 500, b"OggS", b"TAG" + b" " * 125):
        path.write_bytes(whole + more)
        expected = "its last page is missing" if more == b"OggS" else None
        assert truncation(path) == expected


@pytest.mark.parametrize(
    "head", [b"RIFF\0\0\0\0WAVE", b"FORM\0\0\0\0AIFF", b"caff\0\1\0\0", W64], ids=["RIFF", "AIFF", "CAF", "W64"]
)
def test_chunks_of_no_size_come_to_an_end(tmp_path: Path, head: bytes) -> None:
    """A gigabyte of zeros is a million chunks of nothing, and answers at once."""
    path = tmp_path / "zeros"
    path.write_bytes(head)
    with path.open("r+b") as file:
        file.truncate(1 << 30)
    start = time.monotonic()
    assert truncation(path) is None
    assert time.monotonic() - start < 2


@given(st.sampled_from([*MAGIC, W64]), st.lists(PARTS, max_size=12))
def test_no_bytes_raise(tmp_path_factory: pytest.TempPathFactory, magic: bytes, parts: list[bytes]) -> None:
    """Hostile headers give an answer or none."""
    path = tmp_path_factory.getbasetemp() / "hostile"
    path.write_bytes(magic + b"".join(parts))
    assert isinstance(truncation(path), str | None)


@given(st.data())
def test_no_damage_raises(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    """Real files with some bytes overwritten and an end cut off give an answer or none."""
    folder = tmp_path_factory.getbasetemp()
    form, subtype, endian = data.draw(st.sampled_from([*CHECKED, ("OGG", "OPUS", "FILE")]))
    source = folder / f"damaged-{form}-{subtype}-{endian}"
    if not source.exists():
        _written(source, _noise(300), format=form, subtype=subtype, endian=endian)
    whole = bytearray(source.read_bytes())
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, 120), st.integers(0, 255)), max_size=10)):
        whole[place] = value
    path = folder / "damaged"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    assert isinstance(truncation(path), str | None)


def test_a_file_that_cannot_be_read_is_an_error_of_the_system(tmp_path: Path) -> None:
    """An absent file is no whole file."""
    with pytest.raises(OSError, match=r"absent\.wav"):
        truncation(tmp_path / "absent.wav")


def test_only_headers_are_read() -> None:
    """The check works before anything heavy is imported."""
    assert sys.modules["pytest_asrgate.containers"].__dict__.keys().isdisjoint({"np", "numpy", "soundfile"})
