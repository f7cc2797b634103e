"""Runs of the project of torture.py: started with witnesses, waited for until nothing is left, compared."""

import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torture_checks import Violation, Witness, alive, pairs_of, read_store, read_witness
from torture_project import Project

__all__ = ["COMMANDS", "LOOK_S", "STALE", "Life", "Reference", "Run", "end_all", "measure", "run_undisturbed"]

# A hang must show as one, also on a loaded machine.
_PATIENCE_S = 180.0
LOOK_S = 0.002
STALE = '{"schema": "asrgate.report/1", "pairs": "of an earlier run"}'
# What the environment of every process that is started here has.
_OURS = f"asrgate-torture-{uuid.uuid4().hex}"

_PYTEST = ["-m", "pytest", "-p", "no:cacheprovider", "-m", "wer", "--asrgate-json", "report.json"]
_ON_DASK = [*_PYTEST, "--asrgate-config", "gate-dask.toml"]
_PARITY = ["-c", "from pytest_asrgate.cli import console_script; console_script()", "parity", "f32", "made"]
COMMANDS = {
    "pytest": _PYTEST,
    "pytest -n 2": [*_PYTEST, "-n", "2"],
    "pytest --asrgate-workers 2": [*_PYTEST, "--asrgate-workers", "2"],
    "pytest on Dask": _ON_DASK,
    "asrgate parity": [*_PARITY, "--clips", "all"],
}


def end_all() -> None:
    """Kill whatever is left of all runs, where a promise was broken or somebody has had enough."""
    for pid in alive(_OURS):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@dataclass
class Run:
    """One started command."""

    command: str
    process: subprocess.Popen[bytes]
    marker: str
    before: Witness
    output: Path

    def ended(self) -> bool:
        """Whether it is over."""
        return self.process.poll() is not None


@dataclass
class Reference:
    """What an undisturbed run gives; `seconds` is how long each command takes where nothing is left to decode."""

    makers: dict[tuple[str, str], str] = field(default_factory=dict)
    truth: dict[tuple[str, str, str], str] = field(default_factory=dict)
    pairs: dict[str, Any] = field(default_factory=dict)
    parity: str = ""
    codes: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    start_s: float = 0.0

    def keys(self, command: str) -> set[tuple[str, str, str]]:
        """The rows that a command needs."""
        gate = {maker for maker in self.makers.values() if maker.endswith("threads 1")}
        parity = {maker for maker in self.makers.values() if "F32" in maker or "f32" in maker}
        needed = parity if command == "asrgate parity" else gate
        return {key for key in self.truth if self.makers[key[1], key[2]] in needed}


class Life:
    """One state folder from empty to complete."""

    def __init__(self, project: Project, work: Path, reference: Reference) -> None:
        self.project = project
        self.reference = reference
        self.state = work / "state"
        self.witness_file = work / "witness.jsonl"
        self.report = project.root / "report.json"
        self.output = work / "output.txt"
        self.rows: dict[tuple[str, str, str], str] = {}
        shutil.rmtree(self.state, ignore_errors=True)
        self.witness_file.unlink(missing_ok=True)

    @property
    def store(self) -> Path:
        """The file of the store."""
        return self.state / "store.sqlite"

    def witness(self) -> Witness:
        """What the witnesses wrote so far."""
        return read_witness(self.witness_file, self.reference.makers)

    def in_flight(self, run: Run) -> int:
        """How many utterances a run had asked for without keeping their rows."""
        witness = self.witness()
        return len((witness.asked - run.before.asked).keys() - witness.finished)

    def missing(self, command: str) -> int:
        """How many rows a command has still to make."""
        return len(self.reference.keys(command) - self.rows.keys())

    def start(self, command: str, arguments: list[str] | None = None) -> Run:
        """Start a command in a process group of its own; a stale report lies in its way."""
        self.report.write_text(STALE)
        marker = f"{_OURS}-{uuid.uuid4().hex}"
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(self.project.root / "witness"), *_our_path()]),
            "TORTURE_STATE": str(self.state),
            "TORTURE_WITNESS": str(self.witness_file),
            "TORTURE_MARKER": marker,
            **({"TORTURE_REAL": "1"} if self.project.real else {}),
        }
        before = self.witness()
        with self.output.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *(COMMANDS[command] if arguments is None else arguments)],
                cwd=self.project.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return Run(command, process, marker, before, self.output)

    def wait(self, run: Run) -> float:
        """Wait until nothing of a run is left; returns the seconds until its main process had ended."""
        began = time.monotonic()
        try:
            run.process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Violation(f"{run.command} did not end within {_PATIENCE_S:g} s") from None
        took = time.monotonic() - began
        while left := alive(run.marker):
            if time.monotonic() - began > _PATIENCE_S:
                raise Violation(f"{run.command} left the processes {left}")
            time.sleep(0.02)
        return took

    def check_store(self) -> None:
        """The store is whole, has every row that it had or that was said to be kept, and no wrong one."""
        rows = read_store(self.store, self.reference.truth or None)
        witness = self.witness()
        for kept, text in [*self.rows.items(), *((key, text) for key, (_, text) in witness.kept.items())]:
            if rows.get(kept) != text:
                raise Violation(f"a finished utterance is lost: {witness.kept.get(kept, kept)}")
        self.rows = rows


def _our_path() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]


def run_undisturbed(life: Life, command: str) -> None:
    """Leave a run alone: it must decode what is missing, once, and end as the reference did."""
    left, before = life.missing(command), life.witness()
    run = life.start(command)
    life.wait(run)
    life.check_store()
    asked = sum(life.witness().asked.values()) - sum(before.asked.values())
    if asked != left:
        raise Violation(f"{left} utterances were missing, and {command} decoded {asked}")
    code = run.process.returncode
    if code != life.reference.codes[command]:
        raise Violation(f"{command} exits with {code}, an undisturbed run with {life.reference.codes[command]}")
    if command == "asrgate parity":
        if run.output.read_text() != life.reference.parity:
            raise Violation("asrgate parity prints something else than undisturbed")
    elif pairs_of(life.report) != life.reference.pairs:
        raise Violation(f"the report of {command} differs from that of an undisturbed run")


def measure(project: Project, work: Path) -> Reference:
    """Run every command undisturbed: first in an empty folder, step by step to learn who made which row."""
    reference = Reference()
    life = Life(project, work, reference)
    steps = {
        "f32": ["-m", "pytest", "-p", "no:cacheprovider", "gate.toml::f32::made"],
        "q8_0": ["-m", "pytest", "-p", "no:cacheprovider", "gate.toml::q8_0::made"],
        "parity": COMMANDS["asrgate parity"],
    }
    for name, arguments in steps.items():
        known, asked = life.rows, set(life.witness().asked)
        began = time.monotonic()
        run = life.start("pytest", arguments)
        while name == "f32" and not life.witness().events and not run.ended():
            time.sleep(LOOK_S)
        reference.start_s = reference.start_s or time.monotonic() - began
        life.wait(run)
        rows = read_store(life.store)
        makers = {by for _, by in set(life.witness().asked) - asked}
        sources = {(engine, recipe) for _, engine, recipe in rows.keys() - known.keys()}
        if len(makers) != 1 or len(sources) != 1:
            sys.exit(f"the undisturbed run of {name} failed:\n{run.output.read_text()}")
        reference.makers[sources.pop()] = makers.pop()
        life.rows = rows
    reference.truth = life.rows
    for command in COMMANDS:
        began = time.monotonic()
        run = life.start(command)
        life.wait(run)
        reference.seconds[command] = time.monotonic() - began
        reference.codes[command] = run.process.returncode
        if command == "asrgate parity":
            reference.parity = run.output.read_text()
            continue
        pairs = pairs_of(life.report)
        reference.pairs = reference.pairs or pairs or {}
        if pairs != reference.pairs or not pairs:
            sys.exit(f"undisturbed, {command} gives another report:\n{run.output.read_text()}")
    return reference
