"""The child process that makes sounds for a page: it decodes strangers' audio, which may crash or hang it.

Its lines are those of `ingest.worker`, but that a sound is written as `mp3`, `flac` or `wav`.
"""

import hashlib
import io
import sys
from pathlib import Path

from pytest_asrgate.audio import SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.ingest.sounds import Order, Written
from pytest_asrgate.ingest.worker import main

__all__ = ["encode"]

# Of the steps of MP3 at 16 kHz this is 40 kbit/s, at which speech sounds as it was recorded.
_COMPRESSION = 0.79


def encode(order: Order) -> Written:
    """Write a whole sound as 16 kHz mono to its target; AudioError for the source, OSError for the target."""
    import numpy as np  # noqa: PLC0415 - heavy: only in the child process
    import soundfile  # noqa: PLC0415 - as numpy

    samples = np.clip(read_audio(Path(order.path)), -1.0, 1.0)
    # In memory first: of a full disk libsndfile says no more than "System error".
    sound = io.BytesIO()
    if order.format == "mp3":
        settings = {"subtype": "MPEG_LAYER_III", "bitrate_mode": "CONSTANT", "compression_level": _COMPRESSION}
    else:
        settings = {"subtype": "PCM_16"}
    soundfile.write(sound, samples, SAMPLE_RATE_HZ, format=order.format.upper(), **settings)
    data = sound.getvalue()
    Path(order.target).write_bytes(data)
    return Written(hashlib.sha256(data).hexdigest(), len(samples) / SAMPLE_RATE_HZ)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), encode)
