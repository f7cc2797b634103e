"""Where a run writes its hypotheses, and where it must not."""

import errno
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pytest_asrgate.config import Gate, Variant
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.records import Utterance

__all__ = ["LANGUAGE", "check_out", "check_targets"]

# What stands for a language's code in the name of a file.
LANGUAGE = "{language}"


def check_out(out: str | None, *, split_languages: bool) -> None:
    """AsrGateError where the option can name no file, or not the files that are to be written."""
    if out is None:
        return
    if not out.strip() or "\0" in out:
        raise AsrGateError("--out: must be the path of a file")
    if out.endswith(("/", os.sep)):
        raise AsrGateError(f"--out: must be the path of a file; {out} is that of a folder")
    if split_languages and LANGUAGE not in out:
        raise AsrGateError(f"--out: must hold {LANGUAGE} where each language has a file of its own")
    if not split_languages and LANGUAGE in out:
        raise AsrGateError(f"--out: holds {LANGUAGE}, which only --split-languages fills in")


def _read_files(gate: Gate, variant: Variant, utterances: Iterable[Utterance]) -> Iterator[Path]:
    """The files that a run reads beside its store; some may not exist."""
    yield from (dataset.manifest for dataset in gate.datasets.values())
    if variant.model is not None:
        yield variant.model
    for value in variant.transcriber.options.values():
        words = value if isinstance(value, list) else [value]
        yield from (gate.path.parent / word for word in words if isinstance(word, str))
    yield from (utterance.audio for utterance in utterances)


def _is_of_store(target: Path, state: Path) -> bool:
    """Whether a path is the store's own, with its log and its locks."""
    home = Path(os.path.realpath(state))
    if not target.is_relative_to(home):
        return False
    first = target.relative_to(home).parts[:1]
    return first in {(), ("locks",)} or first[0].startswith("store.sqlite")


def _refusal(target: Path, state: Path) -> str:
    """Why no file can be at a place, in a clause; empty where one can."""
    real = Path(os.path.realpath(target))
    # A rename would exchange what a shell has redirected, or fail.
    if real.is_relative_to("/proc") or os.path.abspath(target).startswith("/dev/"):  # noqa: PTH100 - not resolved
        return "is no place for files"
    if _is_of_store(real, state):
        return "is a file of the store"
    parent = next(folder for folder in real.parents if folder.exists())
    if not parent.is_dir():
        return f"cannot be written, since {parent} is no folder"
    try:
        # As the file itself will be begun; rights alone do not tell.
        handle, temporary = tempfile.mkstemp(dir=parent, prefix=f".{real.name}.asrgate-")
    except OSError as error:
        # A disk that is full may have room once it has been decoded for hours.
        return "" if error.errno == errno.ENOSPC else f"cannot be written in {parent} ({error.strerror})"
    os.close(handle)
    with suppress(OSError):
        Path(temporary).unlink()
    return "is there and is no file" if target.exists() and not target.is_file() else ""


def check_targets(targets: Sequence[Path], gate: Gate, variant: Variant, utterances: Sequence[Utterance]) -> None:
    """AsrGateError where no file can be at one of the places, or there is one that the run reads.

    `utterances` are all that the run reads, whatever file they go into.
    """
    for target in targets:
        refusal = _refusal(target, gate.state)
        if refusal:
            raise AsrGateError(f"{target}: {refusal}; give --out another name")
        if not target.exists():
            continue
        for path in _read_files(gate, variant, utterances):
            # What is not there is told where it is read.
            with suppress(OSError, ValueError):
                if target.samefile(path):
                    raise AsrGateError(
                        f"{target}: is read by this run, and would be written over; give --out another name"
                    )
