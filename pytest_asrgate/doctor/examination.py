"""Looks at everything, each part guarded from the faults of the others, and from what they import."""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from pytest_asrgate.doctor.findings import Diagnosis, Finding, Part, Section, examined, fact, problem
from pytest_asrgate.doctor.public import public_text

__all__ = ["diagnose"]

_STATE = ".asrgate"


def _part(module: str, function: str, *arguments: object) -> tuple[str, Part]:
    """A part whose module is imported when it is its turn: a package that is broken costs its own part alone."""

    def look() -> Iterable[Finding]:
        found: Iterable[Finding] = getattr(import_module(f"pytest_asrgate.doctor.{module}"), function)(*arguments)
        return found

    return function.replace("_", " "), look


class _GateFile:
    """The gate file, read once, and all that is wrong with it."""

    def __init__(self, path: Path, *, named: bool) -> None:
        self.path = path
        self.gate: Any = None
        self.findings: list[Finding] = []
        try:
            self._read(named=named)
        except Exception as error:  # noqa: BLE001 - versions must be told also where nothing can be imported
            self.findings.append(
                problem("gate", f"{path}: could not be examined ({type(error).__name__}: {error})")
            )

    def _read(self, *, named: bool) -> None:
        if self.path.is_symlink() and not self.path.exists():
            # Somebody meant to have one, whether it was named or not.
            text = f"{self.path} is a link that leads to no file; mend it, or name a gate file with --config"
            self.findings.append(problem("gate", text))
            return
        if not self.path.exists():
            text = f"there is no gate file {self.path}; name one with --config"
            self.findings.append(problem("gate", text) if named else fact("gate", text))
            return
        if not self.path.is_file():
            # Reading what is no file may wait for ever.
            self.findings.append(problem("gate", f"{self.path} is no file; name a gate file with --config"))
            return
        from pytest_asrgate.errors import GateFileError  # noqa: PLC0415 - see above
        from pytest_asrgate.session import open_gate  # noqa: PLC0415 - see above

        try:
            self.gate = open_gate(self.path)
        except GateFileError as error:
            self.findings += [problem(each.key, f"{each.message} ({self.path})") for each in error.problems]

    def told(self) -> Iterator[Finding]:
        """What was found while it was read."""
        yield from self.findings

    @property
    def state(self) -> Path:
        """The state folder, or where it would be."""
        return Path(self.gate.state) if self.gate is not None else self.path.absolute().parent / _STATE


def _sections(file: _GateFile, public: Callable[[str], str]) -> Iterator[Section]:
    gate = file.gate
    versions = [_part("versions", name) for name in ("package_versions", "libsndfile", "plugins")]
    yield examined("versions", versions, public)
    yield examined("machine", [_part("machine", name) for name in ("system", "hardware", "gpus")], public)
    kinds = ("kinds_in_use", "transcribe_cpp", "native_command_lines", "command_lines")
    yield examined("engines", [_part("engines", name, gate) for name in kinds], public)
    yield examined("store", [_part("store", name, file.state) for name in ("folder", "store")], public)
    yield examined("judge", [_part("judge", "judge", file.path, gate)], public)
    parts: list[tuple[str, Part]] = [("gate", file.told)]
    if gate is not None:
        parts += [_part("gate", name, gate) for name in ("settings", "models", "datasets", "limits")]
    yield examined("gate", parts, public)


def diagnose(path: Path, *, named: bool = True) -> Diagnosis:
    """Look at machine, engines, store, judge and the gate file at `path`; never raises for what is broken.

    Nothing is written, no model is loaded, no network is used, and every other program is given a minute at most.
    A gate file that is absent is a problem where it was `named`. All texts may be shown in public: the home
    folder is `~`, host and user have no name, and secrets are their references.
    """
    file = _GateFile(path, named=named)
    redact = file.gate.redact if file.gate is not None else str
    return Diagnosis(tuple(_sections(file, public_text(path.absolute().parent, redact))))
