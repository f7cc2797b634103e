"""Any program that speaks our JSON lines: how it is named in gate.toml, and who it is."""

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_asrgate.config import Recipe, TranscriberSettings
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.transcribers.native import NativeTranscriber
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.watched import WatchedFiles

__all__ = ["command_problem", "command_transcriber"]


def command_problem(value: object) -> str | None:
    """What is wrong with the `command` option, None where it is right."""
    if isinstance(value, list) and value and all(isinstance(word, str) and word for word in value):
        return None
    return f'must be a list of words such as ["python", "engine.py"] (no shell); got {value!r}'


def _files(words: Sequence[str], folder: Path, files: WatchedFiles) -> dict[str, str]:
    """The words that are files, the program itself found as a shell would find it, with their hashes."""
    found: dict[str, str] = {}
    program = shutil.which(words[0], path=None)
    places = {Path(program): program} if program else {}
    places |= {folder / word: word for word in words}
    for place, word in places.items():
        try:
            if place.is_file():
                # Two files of one name are told apart by the words that name them.
                found[word if place.name in found else place.name] = files.sha256(place)
        except OSError:
            continue
    return found


def _identify(
    words: Sequence[str],
    folder: Path,
    model: Path | None,
    settings: TranscriberSettings,
    *,
    redact: Callable[[str], str],
    files: WatchedFiles,
) -> Identity:
    model_hash = files.sha256(model) if model is not None and model.is_file() else None
    options = {key: value for key, value in settings.options.items() if key != "command"}
    shaping = {
        "kind": "command",
        "words": list(words),
        "files": _files(words, folder, files),
        "model_sha256": model_hash,
        "backend": settings.backend,
        "options": options,
    }
    provenance: dict[str, object] = {
        "engine": "command",
        "command": redact(" ".join(words)),
        "files": shaping["files"],
    }
    if model is not None:
        provenance |= {"model": model.name, "model_sha256": model_hash}
    return Identity(hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest(), provenance)


def command_transcriber(
    settings: TranscriberSettings,
    recipe: Recipe,
    model: Path | None,
    folder: Path,
    redact: Callable[[str], str],
    *,
    files: FileHashes | None = None,
) -> NativeTranscriber:
    """A transcriber that runs the words of `options.command` in `folder`; `python` is the running interpreter.

    The program is known by its words and by the bytes of every file that they name, so a changed script is
    another engine; `files` knows those that were hashed before. `redact` takes secrets out of what is stamped.
    """
    option = settings.options["command"]
    words = [str(word) for word in option] if isinstance(option, list) else []
    if words[0] in {"python", "python3"}:
        words[0] = sys.executable
    passed: Mapping[str, object] = {key: value for key, value in settings.options.items() if key != "command"}
    return NativeTranscriber(
        engine=None,
        model=model,
        settings=replace(settings, options=passed),
        recipe=recipe,
        identify=lambda watched: _identify(words, folder, model, settings, redact=redact, files=watched),
        files=files or FileHashes(),
        # What the program makes of "auto" is its own affair; it is known by what it was asked for.
        backend_known=True,
        program=words,
        folder=folder,
    )
