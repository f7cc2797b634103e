"""Whether an audio file is cut short, from its headers alone: libsndfile reads what is left and says nothing."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

__all__ = ["counted_mp3_frame", "mp3_samples", "truncation"]

# A stream that could not know its length wrote 0, all ones or, as SoX does into a pipe, 0x7FFFF000 (WAV) or
# 0x7F000000 (AIFF) rounded down to whole blocks. From a block below these on, no length of 32 bits is a promise.
_BOUNDLESS_32 = 0x7EFF_0000
# ffmpeg writes the largest signed number into a W64; nothing that a disk holds comes near.
_BOUNDLESS_64 = 1 << 62
# No recording has so many chunks; a file that is all zeros would have one every eight bytes.
_MOST_CHUNKS = 10_000
_MOST_NIST_HEADER_BYTES = 1 << 16
# 27 bytes, a table of 255 segments, and 255 bytes in each (RFC 3533, section 6).
_LONGEST_OGG_PAGE_BYTES = 27 + 255 + 255 * 255
# The head of a frame, its checksum, the longest side information, a name, flags and the count.
_MP3_HEAD_BYTES = 64
# Four hours have 600,000 at 48 kHz.
_MOST_MP3_FRAMES = 2_000_000
# In kbit/s, of layer III by the four bits of a frame's head; ISO 11172-3 and 13818-3, section 2.4.2.3.
_KILOBITS_1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_KILOBITS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_MP3_RATES_HZ = (44_100, 48_000, 32_000)
_W64_RIFF = b"riff" + bytes.fromhex("2e91cf11a5d628db04c10000")
_W64_WAVE = b"wave" + bytes.fromhex("f3acd3118cd100c04f8edb8a")
_W64_DATA = b"data" + bytes.fromhex("f3acd3118cd100c04f8edb8a")


@dataclass(frozen=True)
class _Layout:
    """How a container writes the head of a chunk; sizes in bytes."""

    order: Literal["little", "big"]
    name: int = 4
    length: int = 4
    alignment: int = 2
    # W64 alone counts the head of a chunk in its length.
    head_counted: int = 0


def _chunks(file: BinaryIO, start: int, layout: _Layout) -> Iterator[tuple[bytes, int, int]]:
    """Give name, place of the content and announced length of each chunk; places and lengths in bytes."""
    head_size = layout.name + layout.length
    size = file.seek(0, 2)
    for _ in range(_MOST_CHUNKS):
        # No system seeks to every number that 64 bits can hold.
        if start + head_size > size:
            return
        file.seek(start)
        head = file.read(head_size)
        length = max(0, int.from_bytes(head[layout.name :], layout.order) - layout.head_counted)
        yield head[: layout.name], start + head_size, length
        start += head_size + length + -length % layout.alignment


def _end(start: int, length: int, boundless: int = _BOUNDLESS_32) -> int | None:
    """Where something of this length ends, in bytes; None for the lengths that mean "until the end"."""
    return start + length if 0 < length < boundless else None


def _riff_end(file: BinaryIO, head: bytes) -> int | None:
    """RIFF, its twin RIFX of the other byte order, and RF64 or BW64 (EBU Tech 3306, ITU-R BS.2088)."""
    layout = _Layout("big" if head[:4] == b"RIFX" else "little")
    if head[8:12] != b"WAVE":
        return None
    whole = _end(8, int.from_bytes(head[4:8], layout.order))
    long_length = 0
    for name, start, length in _chunks(file, 12, layout):
        if name == b"ds64" and head[:4] in {b"RF64", b"BW64"}:
            file.seek(start)
            lengths = file.read(16)
            whole = whole or _end(8, int.from_bytes(lengths[:8], "little"), _BOUNDLESS_64)
            long_length = int.from_bytes(lengths[8:], "little")
        elif name == b"data":
            if length == 0xFFFF_FFFF and long_length:
                return _end(start, long_length, _BOUNDLESS_64) or whole
            # The samples decide: a length of the whole that is wrong, or notes cut off behind them, do no harm.
            return _end(start, length) or whole
    return whole


def _w64_end(file: BinaryIO, head: bytes) -> int | None:
    """Sony Wave64: names are GUIDs, lengths have 64 bits and count their own head, chunks start at eights."""
    if head[:16] != _W64_RIFF or head[24:40] != _W64_WAVE:
        return None
    for name, start, length in _chunks(file, 40, _Layout("little", 16, 8, 8, 24)):
        if name == _W64_DATA:
            return _end(start, length, _BOUNDLESS_64)
    return _end(0, int.from_bytes(head[16:24], "little"), _BOUNDLESS_64)


def _aiff_end(file: BinaryIO, head: bytes) -> int | None:
    """AIFF and AIFF-C (Apple, 1989 and 1991): the samples are in SSND."""
    if head[8:12] not in {b"AIFF", b"AIFC"}:
        return None
    whole = _end(8, int.from_bytes(head[4:8], "big"))
    for name, start, length in _chunks(file, 12, _Layout("big")):
        if name == b"SSND":
            return _end(start, length) or whole
    return whole


def _caf_end(file: BinaryIO, head: bytes) -> int | None:
    """Apple Core Audio Format 1.0: lengths of 64 bits, no padding, -1 for a data chunk that goes on to the end."""
    if head[4:6] != b"\0\1":
        return None
    for name, start, length in _chunks(file, 8, _Layout("big", length=8, alignment=1)):
        if name == b"data":
            return _end(start, length, _BOUNDLESS_64)
    return None


def _au_end(_: BinaryIO, head: bytes) -> int | None:
    """Sun AU: where the samples start, how many bytes they have; libsndfile knows `dns.`, low byte first, too."""
    order: Literal["little", "big"] = "big" if head[:4] == b".snd" else "little"
    return _end(int.from_bytes(head[4:8], order), int.from_bytes(head[8:12], order))


def _nist_end(file: BinaryIO, head: bytes) -> int | None:
    """NIST SPHERE: a text header of the size that its second line says, samples counted by channel."""
    size = re.match(rb"NIST_1A\n *([0-9]{1,8})\n", head)
    if size is None:
        return None
    start = int(size[1])
    file.seek(0)
    header = file.read(min(start, _MOST_NIST_HEADER_BYTES)).partition(b"\nend_head")[0]
    coding = re.search(rb"\nsample_coding -s[0-9]+ ([^\n]*)", header)
    # "pcm,embedded-shorten-v2.00" and its like are compressed: the count does not tell the bytes.
    if coding is not None and coding[1].strip() not in {b"pcm", b"ulaw", b"mu-law", b"alaw"}:
        return None
    length = 1
    for field in (b"sample_count", b"channel_count", b"sample_n_bytes"):
        # libsndfile writes the bytes of a µ-law sample as the text "1", of type s1 and not i.
        number = re.search(rb"\n" + field + rb" -(?:i|s[0-9]+) ([0-9]{1,12})(?!\S)", header)
        if number is None:
            return None
        length *= int(number[1])
    return _end(start, length, _BOUNDLESS_64)


_ENDS: dict[bytes, Callable[[BinaryIO, bytes], int | None]] = {
    b"RIFF": _riff_end,
    b"RIFX": _riff_end,
    b"RF64": _riff_end,
    b"BW64": _riff_end,
    b"riff": _w64_end,
    b"FORM": _aiff_end,
    b"caff": _caf_end,
    b".snd": _au_end,
    b"dns.": _au_end,
    b"NIST": _nist_end,
}


def _ogg_fault(file: BinaryIO, size: int) -> str | None:
    """Say whether the last page lacks bytes or its mark 0x04, "end of stream" (RFC 3533, section 6)."""
    file.seek(max(0, size - _LONGEST_OGG_PAGE_BYTES))
    tail = file.read()
    place = len(tail)
    while (place := tail.rfind(b"OggS", 0, place)) >= 0:
        head = tail[place : place + 27]
        # The four letters may stand in the sound by chance, but hardly before version 0 and three flags.
        if not any(head[4:5]) and all(flags < 8 for flags in head[5:6]):
            table = tail[place + 27 : place + 27 + head[26]] if len(head) == 27 else b""
            if len(head) < 27 or len(table) < head[26] or place + 27 + len(table) + sum(table) > len(tail):
                return "its last page is missing"
            # RFC 7845 calls this a truncated stream too, and some recorders write it on purpose.
            return None if head[5] & 4 else "its last page is missing, or was never marked as the last"
    return None


def truncation(path: Path) -> str | None:
    """Say in a few words how a file ends before its own headers say it does; None where nothing shows that.

    Only headers and, of an Ogg, the last 64 KiB are read. OSError for a file that cannot be read; whatever the
    bytes are, nothing else.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(0)
        head = file.read(40)
        if head[:4] == b"OggS":
            return _ogg_fault(file, size)
        find_end = _ENDS.get(head[:4])
        end = None if find_end is None else find_end(file, head)
        if end is None or end <= size:
            return None
        return f"the header announces {end - size} bytes more than the file has"


def _after_tags(file: BinaryIO) -> tuple[int, bytes]:
    """Where the ID3v2 tags of a file end (id3.org, ID3v2.4.0, section 3.1), and the first bytes behind them."""
    start = 0
    for _ in range(_MOST_CHUNKS):
        file.seek(start)
        head = file.read(_MP3_HEAD_BYTES)
        if head[:3] != b"ID3" or len(head) < 10:
            return start, head
        # Four times seven bits, then ten bytes more where the tag has a foot.
        length = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(reversed(head[6:10])))
        start += 10 + length + (10 if head[5] & 0x10 else 0)
    return start, b""


def _mp3_frame(head: bytes) -> tuple[int, int] | None:
    """Bytes and samples of the frame that has this head of four bytes; None for what is none of layer III."""
    # Eleven bits of sync, two of the version, two of the layer.
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return None
    version, kilobits, rate = head[1] >> 3 & 3, head[2] >> 4, head[2] >> 2 & 3
    # The free format, whose frames do not tell their length, is among these.
    if version == 1 or kilobits in {0, 15} or rate == 3:
        return None
    # Version 2 halves the rates of version 1, and 2.5 does so again.
    hertz = _MP3_RATES_HZ[rate] // {3: 1, 2: 2, 0: 4}[version]
    padding = head[2] >> 1 & 1
    if version == 3:
        return 144_000 * _KILOBITS_1[kilobits] // hertz + padding, 1152
    return 72_000 * _KILOBITS_2[kilobits] // hertz + padding, 576


def mp3_samples(path: Path) -> tuple[int, int]:
    """Samples a channel in all frames of an MP3, by their heads, up to the first gap, and in the last of them.

    Of an hour that takes about 0.1 s. OSError for a file that cannot be read.
    """
    samples = last = 0
    with path.open("rb") as file:
        place, _ = _after_tags(file)
        for _ in range(_MOST_MP3_FRAMES):
            file.seek(place)
            frame = _mp3_frame(file.read(4))
            if frame is None:
                break
            place += frame[0]
            last = frame[1]
            samples += last
    return samples, last


def counted_mp3_frame(path: Path) -> int | None:
    """Samples in a frame of an MP3 whose first frame counts the others ("Xing" or "Info"); None for any other file.

    Only then its announced length is no estimate. The count of Fraunhofer's encoders ("VBRI") is not looked for.
    OSError for a file that cannot be read.
    """
    with path.open("rb") as file:
        _, head = _after_tags(file)
    frame = _mp3_frame(head[:4])
    if frame is None:
        return None
    first_version, one_channel = head[1] & 0x18 == 0x18, head[3] & 0xC0 == 0xC0
    side = (17 if one_channel else 32) if first_version else (9 if one_channel else 17)
    # A checksum of two bytes comes first where the last bit is not set, but not every encoder leaves room for it.
    for place in (4 + side, 4 + side + (0 if head[1] & 1 else 2)):
        counted = head[place : place + 12]
        flags, frames = int.from_bytes(counted[4:8], "big"), int.from_bytes(counted[8:12], "big")
        if counted[:4] in {b"Xing", b"Info"} and flags & 1 and frames:
            return frame[1]
    return None
