"""One sound of a corpus → a 16-bit mono file at 16 kHz under a temporary name."""

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.audio import AUDIO_DECODING, SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.errors import AudioError
from pytest_asrgate.ingest.g722 import read_g722

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CLIPPED", "DECODING", "FORMATS", "MIXED", "SILENT", "Order", "Written", "decode", "write_sound"]

FORMATS = ("wav", "flac")

# What may be said of a sound that was written: several channels became one, samples beyond full scale were cut off,
# nothing at all is heard.
MIXED, CLIPPED, SILENT = "mixed", "clipped", "silent"
# A filter that resamples may add a little to samples at full scale; this much of it nobody hears.
_CLIPPED_ABOVE = 1.01
# Samples that far beyond full scale are on another scale, such as whole numbers written as floats.
_LOUDEST = 2.0

# Raise the second number when the same source gives other bytes: what was written before is then written again.
DECODING = f"{AUDIO_DECODING}.2"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be decoded: a file, or a part of it in seconds, one channel (from 0) or all.

    `path` may be a copy of the source under a name of ours. `target` is written, as `format`, one of FORMATS.
    """

    path: str
    g722: bool
    start_s: float
    end_s: float | None
    channel: int | None
    target: str
    format: str


@dataclass(frozen=True, slots=True)
class Written:
    """The SHA-256 of the bytes that were written, how long the sound is in seconds, and what is odd about it."""

    sha256: str
    duration_s: float
    marks: tuple[str, ...] = ()


def _sixteen_bit(samples: "NDArray[np.float32]") -> "NDArray[np.int16]":
    """Float samples in 16 bits, those that came from 16 bits exactly: libsndfile's own way loses a bit of some."""
    import numpy as np  # noqa: PLC0415 - heavy: only where audio is really read

    # Times a power of two, so that nothing is rounded but what has more than 16 bits.
    rounded: NDArray[np.float32] = np.rint(samples * np.float32(32768))
    return np.clip(rounded, -32768, 32767).astype(np.int16)


def decode(order: Order) -> tuple["NDArray[np.int16]", tuple[str, ...]]:
    """The samples of a sound, 16 kHz mono, and what is odd about them.

    AudioError, which names `order.path`, where there are none to have, or some are far beyond full scale.
    """
    path = Path(order.path)
    marks = []
    if order.g722:
        samples = _whole_g722(order, path)
    else:
        import soundfile  # noqa: PLC0415 - heavy: only where audio is really read

        found = read_audio(path, start_s=order.start_s, end_s=order.end_s, channel=order.channel)
        peak = float(abs(found).max())
        if peak > _LOUDEST:
            raise AudioError(
                f"{path}: has samples up to {peak:g}, and full scale is 1.0; write it with samples in that range"
            )
        marks += [MIXED] if order.channel is None and soundfile.info(str(path)).channels > 1 else []
        marks += [CLIPPED] if peak > _CLIPPED_ABOVE else []
        samples = _sixteen_bit(found)
    return samples, (*marks, *([] if samples.any() else [SILENT]))


def _whole_g722(order: Order, path: Path) -> "NDArray[np.int16]":
    if order.start_s or order.end_s is not None or order.channel:
        raise AudioError(f"{path}: parts and other channels of G.722 cannot be read; write it to a WAV file first")
    return read_g722(path)


def write_sound(order: Order) -> Written:
    """Decode a sound and write it to its target; AudioError for the source, OSError for the target."""
    import soundfile  # noqa: PLC0415 - as numpy above

    samples, marks = decode(order)
    # In memory first: of a full disk libsndfile says no more than "System error".
    sound = io.BytesIO()
    soundfile.write(sound, samples, SAMPLE_RATE_HZ, format=order.format.upper(), subtype="PCM_16")
    data = sound.getbuffer()
    with Path(order.target).open("wb") as file:
        file.write(data)
    return Written(hashlib.sha256(data).hexdigest(), len(samples) / SAMPLE_RATE_HZ, marks)
