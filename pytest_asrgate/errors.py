"""Every exception that this package raises on purpose.

::

    AsrGateError                 one clear sentence for the user
    ├── GateFileError            gate.toml cannot be used: all its problems at once
    ├── UnknownNameError         the gate has no variant or dataset of this name
    ├── DatasetError             a manifest cannot be used
    │   └── AudioError           one utterance's audio cannot be used
    ├── ScoringError             no right way to score this language, metric or text
    ├── TranscriberError         an engine cannot be used at all
    │   ├── EngineMissingError   its package is not installed
    │   ├── ModelError           the model file is absent, cannot be made or is no model
    │   ├── ReplacedFileError    a file of the engine or its model became another one during the run
    │   └── WorkerError          the engine's process failed on one request
    ├── IntegrityError           not exactly one hypothesis for each manifest id
    ├── ContractError            two runs that must not be compared
    ├── JudgeError               a judge cannot be used at all
    │   ├── ReplyError           one reply of a judge is not what was asked for
    │   │   └── RefusedError     the model would not answer (in `judge`, as the next two)
    │   ├── CallError            one call to a model failed
    │   └── BudgetError          a call that could exceed the budget
    ├── ReportError              a report cannot be read or made
    └── StoreError               the state folder's store cannot be used
"""

import errno
from collections.abc import Sequence
from pathlib import Path

from pytest_asrgate.records import Problem

__all__ = [
    "AsrGateError",
    "AudioError",
    "ContractError",
    "DatasetError",
    "EngineMissingError",
    "GateFileError",
    "IntegrityError",
    "JudgeError",
    "ModelError",
    "ReplacedFileError",
    "ReplyError",
    "ReportError",
    "ScoringError",
    "StoreError",
    "TranscriberError",
    "UnknownNameError",
    "WorkerError",
    "folder_refused",
    "with_mend",
]


class AsrGateError(Exception):
    """Base of all; its text is one sentence that names the place and the mend."""


# So many problems are listed, each of so many characters: a generated file may have ten thousand of them.
_LISTED = 50
_LONGEST_LINE = 1000


class GateFileError(AsrGateError):
    """The gate file cannot be used; carries every problem found in it, of which the text lists the first 50."""

    def __init__(self, path: Path, problems: Sequence[Problem]) -> None:
        self.path = path
        self.problems = tuple(problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        lines = [f"  {problem.key}: {problem.message}" for problem in self.problems[:_LISTED]]
        lines = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines]
        more = len(self.problems) - len(lines)
        lines += [f"  and {more} more; mend these first"] if more else []
        super().__init__("\n".join([f"{path}: {count}", *lines]))


class UnknownNameError(AsrGateError):
    """The gate has no variant or dataset of this name; the text holds the nearest right one."""


class DatasetError(AsrGateError):
    """A manifest or its rows cannot be used."""


class AudioError(DatasetError):
    """The audio of one utterance cannot be used."""


class ScoringError(AsrGateError):
    """There is no right way yet to score what was asked for."""


class TranscriberError(AsrGateError):
    """An engine cannot be used at all."""


class EngineMissingError(TranscriberError):
    """The engine's package is not installed."""


class ModelError(TranscriberError):
    """A model file is absent, could not be made, or is no model."""


class ReplacedFileError(TranscriberError):
    """A file that makes the engine what it is, or its model, is not the one any more that the run began with."""


class WorkerError(TranscriberError):
    """The engine's process died, hung or answered nonsense on one request."""


class IntegrityError(AsrGateError):
    """Hypotheses and manifest do not match one to one."""


class ContractError(AsrGateError):
    """Two runs were made under different contracts."""


class JudgeError(AsrGateError):
    """A judge of meaning cannot be used at all."""


class ReplyError(JudgeError):
    """One reply of a judge is not what was asked for; the text says what is wrong with it."""


class ReportError(AsrGateError):
    """A report cannot be read, or cannot be made of what was read."""


class StoreError(AsrGateError):
    """The store in the state folder cannot be used."""


_MENDS = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room on the disk, or raise the quota",
    errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
    errno.EROFS: "allow writing there",
}


def with_mend(sentence: str, error: OSError) -> str:
    """The sentence, and what to do about a disk that is full or cannot be written to where that is the error."""
    known = _MENDS.get(error.errno or 0)
    return f"{sentence}; {known}" if known else sentence


def folder_refused(folder: Path, error: OSError) -> StoreError:
    """What to raise where a part of the state folder cannot be written to."""
    sentence = f"{folder}: cannot be used ({error.strerror})"
    if error.errno in _MENDS:
        return StoreError(with_mend(sentence, error))
    return StoreError(f"{sentence}; check that gate.state names a folder that can be written to")
