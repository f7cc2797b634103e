"""manifest.jsonl → utterances; every doubtful row is refused by file, line and id."""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.jsonlines import read_rows
from pytest_asrgate.records import Utterance
from pytest_asrgate.values import finite_number, id_problem, shown, tag_problem

__all__ = ["MANIFEST_KEYS", "ClimbError", "manifest_digest", "read_manifest"]

MANIFEST_KEYS = ("id", "audio", "ref_text", "language", "speaker", "tags", "context", "duration_s", "audio_sha256")

_SHA256 = re.compile("[0-9a-fA-F]{64}")


class ClimbError(DatasetError):
    """A relative path of a manifest leads out of the manifest's folder."""


def _text(row: Mapping[str, Any], key: str, where: str, *, empty: bool = False) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        found = "missing" if key not in row else shown(value)
        raise DatasetError(f"{where}: {key} must be a text; it is {found}")
    if not empty and not value.strip():
        raise DatasetError(f"{where}: {key} must not be empty")
    if "\0" in value:
        raise DatasetError(f"{where}: {key} must not hold a NUL character")
    return value


def _optional(row: Mapping[str, Any], key: str, where: str) -> str | None:
    return None if row.get(key) is None else _text(row, key, where)


def _duration(row: Mapping[str, Any], where: str) -> float | None:
    if row.get("duration_s") is None:
        return None
    value = finite_number(row["duration_s"])
    if value is None or value < 0:
        raise DatasetError(f"{where}: duration_s must be a number of seconds; it is {shown(row['duration_s'])}")
    return value


def _sha256(row: Mapping[str, Any], where: str) -> str | None:
    value = row.get("audio_sha256")
    if value is None:
        return None
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise DatasetError(f"{where}: audio_sha256 must be 64 hexadecimal digits; it is {shown(value)}")
    return value.lower()


def _tags(row: Mapping[str, Any], where: str) -> tuple[str, ...]:
    value = row.get("tags")
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise DatasetError(f"{where}: tags must be a list of texts; it is {shown(value)}")
    for tag in value:
        problem = tag_problem(tag)
        if problem:
            raise DatasetError(f"{where}: a tag {problem}; it is {shown(tag)}")
    # A tag given twice names one group.
    return tuple(dict.fromkeys(value))


def _audio(row: Mapping[str, Any], folder: Path, where: str, *, outside: bool) -> Path:
    """The path of the audio; ClimbError where it climbs out of `folder` by ".." and is not meant to."""
    written = _text(row, "audio", where)
    # As written, not as links lead: an absolute path and a link are somebody's word about this machine, while a
    # relative path comes with the manifest from wherever that is from.
    if (
        # Most paths have none, and two more paths a row are a quarter of the time that a manifest takes.
        ".." in written
        and not outside
        and not Path(written).is_absolute()
        and Path(os.path.normpath(written)).parts[:1] == ("..",)
    ):
        raise ClimbError(f"{where}: audio climbs out of the manifest's folder: {shown(written)}")
    return folder / written


def _speaker(row: Mapping[str, Any], field: str | None, where: str) -> str | None:
    value = row.get(field) if field else None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _optional(row, field, where) if field else None


def read_manifest(
    path: Path, *, language: str | None = None, speaker_field: str | None = "speaker", outside: bool = False
) -> list[Utterance]:
    """Read a manifest: `id`, `audio`, `ref_text`, and optionally the other MANIFEST_KEYS; others are ignored.

    `audio` is relative to the manifest; a row without `language` takes the dataset's `language`. Raises
    DatasetError for a file that cannot be read or has no rows, a key of a wrong kind, and an id given twice, and
    ClimbError for a relative path that leads out of the manifest's folder, unless `outside` allows that.
    """
    utterances: list[Utterance] = []
    lines: dict[str, int] = {}
    if not path.is_file():
        if path.exists() and not path.is_dir():
            raise DatasetError(f"{path}: the manifest is no regular file; check the dataset's manifest key")
        raise DatasetError(f"{path}: there is no such manifest; check the dataset's manifest key or make the file")
    for number, row in read_rows(path):
        where = f"{path}:{number}"
        identity = _text(row, "id", where)
        problem = id_problem(identity)
        if problem:
            raise DatasetError(f"{where}: id {problem}")
        where = f"{where} ({identity})"
        if identity in lines:
            raise DatasetError(f"{where}: the id stands already at line {lines[identity]}; ids must be unique")
        lines[identity] = number
        utterances.append(
            Utterance(
                id=identity,
                audio=_audio(row, path.parent, where, outside=outside),
                reference=_text(row, "ref_text", where, empty=True),
                language=_optional(row, "language", where) or language,
                speaker=_speaker(row, speaker_field, where),
                tags=_tags(row, where),
                context=_optional(row, "context", where),
                duration_s=_duration(row, where),
                audio_sha256=_sha256(row, where),
                line=number,
            )
        )
    if not utterances:
        raise DatasetError(f"{path}: holds no rows; give at least one utterance")
    return utterances


def manifest_digest(utterances: Sequence[Utterance]) -> str:
    """SHA-256 over ids and references in order, which two compared runs must share."""
    pairs = [[utterance.id, utterance.reference] for utterance in utterances]
    return hashlib.sha256(json.dumps(pairs, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
