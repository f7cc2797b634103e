"""Audio files that must stay what they were when they were hashed, since rows are stored under those hashes."""

from collections.abc import Mapping
from pathlib import Path

from pytest_asrgate.hashing import FileHashes, file_sha256, stamp_of
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.rows import error_row

__all__ = ["WatchedAudio"]


class WatchedAudio:
    """Knows the audio that is about to be decoded, and tells what became another file meanwhile.

    An engine reads a file long after it was hashed. A row counts only where the file has not changed between the
    hash and the row.
    """

    def __init__(self, files: FileHashes, sha256: Mapping[Path, str]) -> None:
        """`sha256` has the hash of each file by which its row will be found again; `files` knows it too."""
        self._sha256 = sha256
        # One number each instead of a tuple, since there may be very many.
        self._stamps = {path: hash(stamp_of(path)) for path in sha256}
        found = dict(zip(sha256, files.each([*sha256]), strict=True))
        self._replaced = {
            path: _sentence(path, sha256[path], now) for path, now in found.items() if now != sha256[path]
        }

    def problem(self, path: Path) -> str:
        """One sentence about a file that is not what was hashed; empty for one that is. Costs a `stat`."""
        now = hash(stamp_of(path))
        if path not in self._replaced and now != self._stamps[path]:
            try:
                found: str | OSError = file_sha256(path)
            except OSError as error:
                found = error
            if found == self._sha256[path]:
                self._stamps[path] = now
            else:
                self._replaced[path] = _sentence(path, self._sha256[path], found)
        return self._replaced.get(path, "")

    def checked(self, utterance: Utterance, row: Hypothesis) -> Hypothesis:
        """The row, or an error row where nobody knows of which file it is."""
        problem = "" if row.status is RowStatus.ERROR else self.problem(utterance.audio)
        return error_row(utterance, problem) if problem else row


def _sentence(path: Path, before: str, now: str | OSError) -> str:
    if isinstance(now, OSError):
        return f"{path}: went away while it was decoded ({now.strerror}); run again"
    return f"{path}: was replaced during the run: its SHA-256 was {before}, and now is {now}; run again"
