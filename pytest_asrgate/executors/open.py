"""The execution that a gate file asks for."""

from pytest_asrgate.config import Gate
from pytest_asrgate.executors.local import LocalExecution, Opener
from pytest_asrgate.executors.places import Places
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.hashing import FileHashes

__all__ = ["open_execution"]


def open_execution(gate: Gate, opener: Opener, files: FileHashes) -> Execution:
    """Where the gate's shards are decoded; nothing runs yet. `opener` makes a variant's transcriber here."""
    settings = gate.executor
    if settings.kind == "dask":
        from pytest_asrgate.executors.dask import DaskExecution  # noqa: PLC0415 - heavy, and a package of its own

        return DaskExecution(gate, opener, files)
    # Who gives no number wants no count over processes either: `-n 2` is then two model processes.
    places = None if settings.workers is None else Places(gate.state / "locks", settings.workers)
    return LocalExecution(settings, opener, places)
