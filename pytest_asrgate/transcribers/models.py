"""Makes a variant's model file where it is absent and the gate file says how."""

import sys
from pathlib import Path

from filelock import FileLock

from pytest_asrgate.config import Variant
from pytest_asrgate.errors import ModelError
from pytest_asrgate.transcribers.processes import SupervisedProcess, describe_exit

__all__ = ["ensure_model"]

_TIMEOUT_S = 3600.0


def _command(words: tuple[str, ...], model: Path) -> list[str]:
    """`{model}` becomes the wanted path; `python` is the interpreter that runs the gate."""
    filled = [word.replace("{model}", str(model)) for word in words]
    return [sys.executable if filled[0] in {"python", "python3"} else filled[0], *filled[1:]]


def ensure_model(variant: Variant, folder: Path) -> None:
    """Run the variant's `make` command in `folder`, once over all processes, if its model is absent.

    Raises ModelError where the model is absent and cannot be made.
    """
    model = variant.model
    if model is None or model.is_file():
        return
    key = f"variant.{variant.name}"
    if variant.make is None:
        raise ModelError(f"{key}.model: {model} does not exist; put the model there, or give {key}.make")
    model.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(model.parent / f".{model.name}.lock"):
        if model.is_file():
            return
        command = _command(variant.make, model)
        try:
            with SupervisedProcess(command, folder=folder) as process:
                code = process.wait(_TIMEOUT_S)
                output = process.last_lines()
        except OSError as error:
            raise ModelError(f"{key}.make: {command[0]} cannot be started ({error.strerror})") from error
        how = "did not end within an hour" if code is None else f"ended with {describe_exit(code)}"
        if code != 0:
            raise ModelError(f"{key}.make: {' '.join(variant.make)} {how}; last output: {output or 'none'}")
        if not model.is_file():
            raise ModelError(f"{key}.make: {' '.join(variant.make)} {how}, but there is no {model}")
