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
    │   └── WorkerError          the engine's process failed on one request
    ├── IntegrityError           not exactly one hypothesis for each manifest id
    ├── ContractError            two runs that must not be compared
    └── StoreError               the state folder's store cannot be used
"""

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
    "ModelError",
    "ScoringError",
    "StoreError",
    "TranscriberError",
    "UnknownNameError",
    "WorkerError",
]


class AsrGateError(Exception):
    """Base of all; its text is one sentence that names the place and the mend."""


class GateFileError(AsrGateError):
    """The gate file cannot be used; carries every problem found in it."""

    def __init__(self, path: Path, problems: Sequence[Problem]) -> None:
        self.path = path
        self.problems = tuple(problems)
        lines = [f"  {problem.key}: {problem.message}" for problem in self.problems]
        count = "1 problem" if len(lines) == 1 else f"{len(lines)} problems"
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


class WorkerError(TranscriberError):
    """The engine's process died, hung or answered nonsense on one request."""


class IntegrityError(AsrGateError):
    """Hypotheses and manifest do not match one to one."""


class ContractError(AsrGateError):
    """Two runs were made under different contracts."""


class StoreError(AsrGateError):
    """The store in the state folder cannot be used."""
