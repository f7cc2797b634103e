"""Whether a manifest that is there still says what its sounds hold, for when it could not be written anew."""

from collections.abc import Mapping
from pathlib import Path

from pytest_asrgate.ingest.journal import Entry, sha256_of_regular
from pytest_asrgate.jsonlines import strict_json

__all__ = ["outdated_rows"]


def _told(line: bytes) -> tuple[str, str] | None:
    """The sound that a row names, and the hash that it says; None for a row without, and for what is none."""
    try:
        row = strict_json(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    audio, sha256 = row.get("audio"), row.get("audio_sha256")
    return (audio, sha256) if isinstance(audio, str) and isinstance(sha256, str) else None


def outdated_rows(manifest: Path, folder: Path, entries: Mapping[str, Entry]) -> int:
    """How many rows name a sound in `folder` that we replaced; `entries` is the journal of the folder.

    A file that is damaged or gone was not replaced. OSError where the manifest cannot be read.
    """
    home, place, count = manifest.parent.resolve(), folder.resolve(), 0
    with manifest.open("rb") as file:
        for told in map(_told, file):
            if told is None:
                continue
            path, sha256 = home / told[0], told[1]
            entry = entries.get(path.name)
            if entry is None or entry.sha256 == sha256 or path.parent != place:
                continue
            # The journal has a sound before the folder has it.
            count += sha256_of_regular(path) == entry.sha256
    return count
