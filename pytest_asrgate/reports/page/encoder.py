"""The child process that makes sounds for a page: it decodes strangers' audio, which may crash or hang it.

Its lines are those of `ingest.worker`, but that a sound is written as `mp3`, `flac` or `wav`.
"""

import hashlib
import io
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_asrgate.audio import SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.errors import AudioError
from pytest_asrgate.ingest.sounds import Order, Written

__all__ = ["answer", "encode", "main"]

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


def answer(message: Mapping[str, Any]) -> Mapping[str, object]:
    """What the process says to one line."""
    if not message:
        # What takes long to import, and what fails where something is missing, is there after this.
        import soundfile  # noqa: F401, PLC0415 - heavy: the parent waits for it here, with a message of its own

        return {"ready": True}
    try:
        return asdict(encode(Order(**message)))
    except AudioError as error:
        return {"unreadable": str(error)}
    except OSError as error:
        return {"errno": error.errno or 0, "strerror": error.strerror or str(error)}
    except Exception as error:  # noqa: BLE001 - whatever one sound raises costs only that sound
        return {"unreadable": f"{message['path']}: cannot be read as audio ({type(error).__name__}: {error})"}


def main(requests: int, answers: int) -> None:
    """Serve until the pipe of requests closes; both arguments are file descriptors."""
    with (
        os.fdopen(requests, "r", encoding="utf-8") as incoming,
        os.fdopen(answers, "w", encoding="utf-8") as outgoing,
    ):
        for line in incoming:
            outgoing.write(json.dumps(answer(json.loads(line))) + "\n")
            outgoing.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
