"""The files that sounds are read from: their hashes, and whether they are still what was hashed."""

import hashlib
import json
from pathlib import Path

from pytest_asrgate.audio import file_problem
from pytest_asrgate.corpora.corpus import Sound
from pytest_asrgate.hashing import Stamp, file_sha256, stamp_of
from pytest_asrgate.ingest.sounds import DECODING
from pytest_asrgate.values import without_surrogates

__all__ = ["Sources", "source_name"]


def _time(seconds: float) -> str:
    # Every digit: hours into a recording, six of them do not tell two parts apart.
    return f"{repr(float(seconds)).removesuffix('.0')} s"


def source_name(sound: Sound) -> str:
    """File, member, part and channel that a sound is, as the journal has it: no two sounds share it."""
    name = str(sound.path.resolve())
    if sound.member:
        name += f"({sound.member})"
    if sound.start_s or sound.end_s is not None:
        name += f" from {_time(sound.start_s)} to {'its end' if sound.end_s is None else _time(sound.end_s)}"
    if sound.channel is not None:
        name += f", channel {sound.channel + 1}"
    return without_surrogates(name)


class Sources:
    """Hashes each source once, however many sounds are in it."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Stamp | None, str]] = {}

    def problem(self, path: Path) -> str:
        """Hash a file if that was not done; one sentence where it cannot be read, else an empty text."""
        if path in self._known:
            return ""
        try:
            found = file_problem(path)
            if found is None:
                # Before it is read: what is written meanwhile then shows as a change.
                stamp = stamp_of(path)
                self._known[path] = stamp, file_sha256(path)
        except OSError as error:
            found = f"cannot be read ({error.strerror})"
        return f"{path}: {found}" if found else ""

    def changed(self, path: Path) -> bool:
        """Whether a file that was hashed may hold something else by now."""
        return stamp_of(path) != self._known[path][0]

    def key(self, sound: Sound, audio_format: str) -> str:
        """SHA-256 over all that decides which bytes become of a sound; its file has been hashed."""
        terms = [
            self._known[sound.path][1],
            sound.member,
            sound.start_s,
            sound.end_s,
            sound.channel,
            audio_format,
            DECODING,
        ]
        return hashlib.sha256(json.dumps(terms).encode()).hexdigest()
