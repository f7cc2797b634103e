"""The child process that decodes sounds: JSON lines in on one pipe, JSON lines out on another.

Lines in: the fields of an `Order`, or an empty object, which is a question whether it is ready. Lines out: of what
was written `{"sha256", "duration_s", "marks"}`, of a sound that cannot be decoded `{"unreadable": sentence}`, where
the target cannot be written `{"errno", "strerror"}`, and `{"ready": true}`. Private pipes, so that whatever a
decoder prints cannot break the protocol.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from pytest_asrgate.errors import AudioError
from pytest_asrgate.ingest.sounds import Order, Written, write_sound

__all__ = ["answer", "main"]


def answer(message: Mapping[str, Any], write: Callable[[Order], Written] | None = None) -> Mapping[str, object]:
    """What the process says to one line; `write` makes what is ordered, `write_sound` unless given."""
    if not message:
        # What takes long to import, and what fails where something is missing, is there after this.
        import soundfile  # noqa: F401, PLC0415 - heavy: the parent waits for it here, with a message of its own

        return {"ready": True}
    try:
        return asdict((write or write_sound)(Order(**message)))
    except AudioError as error:
        return {"unreadable": str(error)}
    except OSError as error:
        return {"errno": error.errno or 0, "strerror": error.strerror or str(error)}
    except Exception as error:  # noqa: BLE001 - whatever one sound raises costs only that sound
        return {"unreadable": f"{message['path']}: cannot be read as audio ({type(error).__name__}: {error})"}


def main(requests: int, answers: int, write: Callable[[Order], Written] | None = None) -> None:
    """Serve until the pipe of requests closes; `requests` and `answers` are file descriptors."""
    with (
        os.fdopen(requests, "r", encoding="utf-8") as incoming,
        os.fdopen(answers, "w", encoding="utf-8") as outgoing,
    ):
        for line in incoming:
            outgoing.write(json.dumps(answer(json.loads(line), write)) + "\n")
            outgoing.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
