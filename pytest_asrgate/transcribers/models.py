"""Makes a variant's model file where it is absent and the gate file says how."""

import sys
from pathlib import Path

from filelock import FileLock

from pytest_asrgate.config import Variant
from pytest_asrgate.errors import ModelError
from pytest_asrgate.transcribers.processes import SupervisedProcess, describe_exit

__all__ = ["ensure_model"]

_TIMEOUT_S = 3600.0


def _command(words: tuple[str, ...], target: Path) -> list[str]:
    """`{model}` becomes the file to write; `python` is the interpreter that runs the gate."""
    filled = [word.replace("{model}", str(target)) for word in words]
    return [sys.executable if filled[0] in {"python", "python3"} else filled[0], *filled[1:]]


def ensure_model(variant: Variant, folder: Path) -> None:
    """Run the variant's `make` command in `folder`, once over all processes, if its model is absent.

    The command writes to a temporary name, which becomes the model's only when it ended well: nobody vouches for
    what a failed command left. Raises ModelError where the model is absent and cannot be made.
    """
    model = variant.model
    if model is None or model.is_file():
        return
    key = f"variant.{variant.name}"
    if model.exists():
        raise ModelError(f"{key}.model: {model} is no file; give the path of a model file")
    if variant.make is None:
        raise ModelError(f"{key}.model: {model} does not exist; put the model there, or give {key}.make")
    model.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(model.parent / f".{model.name}.lock"):
        if not model.is_file():
            _make(variant.make, model, folder, shown=f"{key}.make: {variant.make_shown}")


def _make(words: tuple[str, ...], model: Path, folder: Path, *, shown: str) -> None:
    # The name ends as the model's does, since makers choose the format by it.
    unfinished = model.with_name(f".unfinished-{model.name}")
    unfinished.unlink(missing_ok=True)
    try:
        with SupervisedProcess(_command(words, unfinished), folder=folder) as process:
            code = process.wait(_TIMEOUT_S)
            output = process.last_lines()
        how = "did not end within an hour" if code is None else f"ended with {describe_exit(code)}"
        if code != 0:
            if not any("{model}" in word for word in words):
                model.unlink(missing_ok=True)
            raise ModelError(f"{shown} {how}; last output: {output or 'none'}")
        if unfinished.is_file():
            unfinished.replace(model)
        if not model.is_file():
            raise ModelError(f"{shown} {how}, but there is no {model}")
    finally:
        unfinished.unlink(missing_ok=True)
