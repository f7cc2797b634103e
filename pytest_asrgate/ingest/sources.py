"""The files that sounds are read from: their hashes, and whether they are still what was hashed."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from pytest_asrgate.audio import file_problem
from pytest_asrgate.corpora.corpus import Sound
from pytest_asrgate.hashing import Stamp, file_sha256, stamp_of
from pytest_asrgate.ingest.sounds import DECODING
from pytest_asrgate.values import without_surrogates

__all__ = ["Sources", "source_name"]


def source_name(sound: Sound) -> str:
    """File, member, part and channel that a sound is, as the journal has it: no two sounds share it."""
    place = replace(sound, path=sound.path.resolve()).name
    return without_surrogates(place if sound.channel is None else f"{place}, channel {sound.channel + 1}")


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
