"""The one gate session of a process, shared by the gate's items and by tests with the fixture `asrgate`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.config import Gate
from pytest_asrgate.errors import GateFileError
from pytest_asrgate.records import Problem
from pytest_asrgate.runs import Observer
from pytest_asrgate.session import GateSession, open_gate

__all__ = ["OBSERVER", "gate_of", "session_for_tests", "session_of", "shared_session"]

_SESSION = pytest.StashKey[GateSession]()
# Who is told how far a pair is, where somebody wants to know.
OBSERVER = pytest.StashKey[Observer]()


def session_of(config: pytest.Config) -> GateSession | None:
    """The running gate session of this process, None before the first item needed one."""
    return config.stash.get(_SESSION, None)


def gate_of(config: pytest.Config, path: Path) -> Gate:
    """The gate of a file, as this run asks for it; GateFileError for a file that cannot be used."""
    gate = open_gate(path)
    if config.getoption("asrgate_early"):
        gate = replace(gate, stop_early=True)
    if config.getoption("asrgate_rehash"):
        gate = replace(gate, rehash=True)
    mode: str | None = config.getoption("asrgate_judge")
    if mode is not None:
        gate = replace(gate, judge=replace(gate.judge, mode=mode))
    workers: int | None = config.getoption("asrgate_workers")
    if workers is None:
        return gate
    if gate.executor.address or gate.executor.cluster:
        message = "--asrgate-workers cannot change the cluster that is given here; leave the option out"
        raise GateFileError(path, [Problem("executor", message)])
    return replace(gate, executor=replace(gate.executor, workers=workers))


def shared_session(config: pytest.Config, gate: Gate) -> GateSession:
    """The gate session of this process, opened for the first who asks."""
    return config.stash.setdefault(_SESSION, GateSession(gate, config.stash.get(OBSERVER, None)))


def session_for_tests(config: pytest.Config, path: Path) -> GateSession:
    """The gate session over the gate file at `path`; fails the test that asks where that file cannot be used."""
    running = session_of(config)
    if running is not None:
        return running
    if not path.is_file():
        pytest.fail(
            f"asrgate: there is no gate file {path}; name one with --asrgate-config or asrgate_config",
            pytrace=False,
        )
    try:
        return shared_session(config, gate_of(config, path))
    except GateFileError as error:
        pytest.fail(f"asrgate: {error}", pytrace=False)
