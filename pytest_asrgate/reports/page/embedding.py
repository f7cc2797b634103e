"""Sounds that are in the page itself: made small by child processes, until their room is full."""

import base64
import hashlib
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.ingest.decoders import Decoders, Limits
from pytest_asrgate.ingest.sounds import Order

__all__ = ["ENCODER_PROGRAM", "Chunk", "Embedded", "Room", "embed"]

ENCODER_PROGRAM = (sys.executable, "-P", "-m", "pytest_asrgate.reports.page.encoder", "{requests}", "{answers}")
# The first of these that this libsndfile writes; every browser plays them all.
_TYPES = {"mp3": "audio/mpeg", "flac": "audio/flac", "wav": "audio/wav"}
# Bytes of base64 that a second of the smallest of them takes, at 40 kbit/s.
_BYTES_A_SECOND = 40_000 / 8 * 4 / 3
_MOST_PROCESSES = 4


@dataclass(frozen=True, slots=True)
class Room:
    """What embedded sounds may take: bytes of base64 in all and each, and seconds for making all of them."""

    total: int = 12_000_000
    each: int = 4_000_000
    seconds: float = 300.0
    processes: int = field(default_factory=lambda: min(os.cpu_count() or 1, _MOST_PROCESSES))
    limits: Limits = field(default_factory=lambda: Limits(timeout_s=60.0, memory_mb=4_000, program=ENCODER_PROGRAM))


@dataclass(frozen=True, slots=True)
class Chunk:
    """One sound in the page: the id of its element, its MIME type, and the sound in base64."""

    id: str
    type: str
    text: str


@dataclass(slots=True)
class Embedded:
    """The chunks by path, by path a sentence on what is no sound, and why others had no room."""

    chunks: dict[str, Chunk] = field(default_factory=dict)
    unheard: dict[str, str] = field(default_factory=dict)
    full: str = ""


def _format() -> str:
    import soundfile  # noqa: PLC0415 - heavy: only where sounds are really made

    written = soundfile.available_formats()
    return next(name for name in _TYPES if name.upper() in written)


def _size(data_bytes: int) -> int:
    """How long so many bytes are in base64."""
    return (data_bytes + 2) // 3 * 4


@dataclass(frozen=True, slots=True)
class _Workshop:
    """Makes sounds at a time as many as there are processes."""

    decoders: Decoders
    pool: ThreadPoolExecutor
    folder: Path
    format: str
    room: Room

    def _encoded(self, number: int, path: str) -> bytes | str | None:
        """The sound as bytes, None for one that is too large, or a sentence why there is none."""
        target = self.folder / str(number)
        found = self.decoders.write(Order(path, False, 0.0, None, None, str(target), self.format))
        if isinstance(found, str):
            return found
        try:
            if _size(target.stat().st_size) > self.room.each:
                return None
            data = target.read_bytes()
        except FileNotFoundError:
            data = b""
        finally:
            target.unlink(missing_ok=True)
        if hashlib.sha256(data).hexdigest() != found.sha256:
            # What a decoder that went wrong says of itself is worth nothing.
            return f"{path}: cannot be decoded: what the decoder wrote is not what it said"
        return data

    def made(self, sounds: Mapping[str, float | None]) -> Iterator[tuple[str, bytes | str | None]]:
        """Each path with what `_encoded` returns, in order; only a few are made before they are asked for."""
        waiting: deque[tuple[str, Future[bytes | str | None]]] = deque()
        for number, (path, duration_s) in enumerate(sounds.items()):
            if duration_s is not None and duration_s * _BYTES_A_SECOND > self.room.each:
                continue
            waiting.append((path, self.pool.submit(self._encoded, number, path)))
            if len(waiting) > 2 * self.room.processes:
                first, future = waiting.popleft()
                yield first, future.result()
        for path, future in waiting:
            yield path, future.result()


def _fill(found: Embedded, workshop: _Workshop, sounds: Mapping[str, float | None]) -> None:
    """Take sounds in their order until one has no room."""
    room, used, begun = workshop.room, 0, time.monotonic()
    for path, data in workshop.made(sounds):
        if isinstance(data, str):
            found.unheard[path] = data
        elif data is not None:
            used += _size(len(data))
            if used > room.total:
                found.full = f"a page holds at most {room.total / 1e6:g} MB of them"
                return
            text = base64.b64encode(data).decode("ascii")
            found.chunks[path] = Chunk(f"sound-{len(found.chunks)}", _TYPES[workshop.format], text)
        if time.monotonic() - begun > room.seconds:
            found.full = f"making them took over {room.seconds:g} s"
            return


def embed(sounds: Mapping[str, float | None], room: Room) -> Embedded:
    """Make chunks of audio files, given with their lengths in seconds where these are known.

    They are taken in this order until they fill the room; one that is too large for a page is left out. Whatever
    stops all of it, such as a full disk, is told as that for which the others have no room.
    """
    found = Embedded()
    if not sounds:
        return found
    decoders = Decoders(room.processes, room.limits)
    pool = ThreadPoolExecutor(room.processes)
    try:
        with tempfile.TemporaryDirectory(prefix="asrgate-page-", ignore_cleanup_errors=True) as folder:
            try:
                _fill(found, _Workshop(decoders, pool, Path(folder), _format(), room), sounds)
            finally:
                # Before the folder goes that they write to.
                decoders.kill()
                pool.shutdown(cancel_futures=True)
    except (OSError, TranscriberError) as error:
        # No sound is at fault, and the next one would fare no better.
        found.full = str(error)
    finally:
        decoders.close()
    return found
