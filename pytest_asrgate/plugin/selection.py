"""Whether this run asks for the gate, and which file that is; imports nothing but pytest."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

__all__ = ["GATE_FILE", "Selection", "is_same_file", "select"]

GATE_FILE = "gate.toml"
# The options whose values are paths of files that a run writes.
_REPORTS = ("--asrgate-json", "--asrgate-html", "--asrgate-markdown")


@dataclass(frozen=True, slots=True)
class Selection:
    """The gate file of this run.

    `named` says that a path or node id of the run names it, `wanted` that an option asks for all of it beside
    whatever else the run collects, `missing` what to do where it was asked for by `-m` alone and is not there.
    """

    path: Path
    named: bool = False
    wanted: bool = False
    missing: str = ""

    @property
    def asked(self) -> bool:
        """Whether this run has anything to do with the gate."""
        return self.named or self.wanted


def _names_wer(expression: str) -> bool:
    """Whether `-m` selects items because of their mark `wer`, whatever other marks they may have."""
    if "wer" not in expression:
        return False
    # The only evaluator of this little language is pytest's own, and it is not public.
    from _pytest.mark.expression import Expression  # noqa: PLC0415 - private, so only where it is needed

    def selects(*, wer: bool, others: bool) -> bool:
        def matches(name: str, /, **_: str | int | bool | None) -> bool:
            return wer if name == "wer" else others

        return compiled.evaluate(matches)

    try:
        compiled = Expression.compile(expression)
        return any(selects(wer=True, others=o) and not selects(wer=False, others=o) for o in (False, True))
    except Exception:  # noqa: BLE001 - pytest itself reports a broken expression, better than we could
        return False


def _names(argument: str, invocation: Path, gate: Path) -> bool:
    """Whether a command-line argument, a path or a node id, names the gate file, also by another way to it."""
    place = Path(os.path.abspath(invocation / argument.split("::", 1)[0]))  # noqa: PTH100 - links stay links
    return place == gate or is_same_file(place, gate)


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, through whatever links; False where either leads nowhere."""
    try:
        return one.name == other.name and one.samefile(other)
    except OSError:
        return False


def _misread_path(config: pytest.Config) -> str:
    """What to do where pytest took the path of a report for its root folder; empty where it did not.

    Pytest looks for its root before it knows the options of plugins, and takes each path that stands alone.
    """
    arguments = [str(argument) for argument in config.invocation_params.args]
    for option, value in itertools.pairwise(arguments):
        if option in _REPORTS and config.rootpath != config.invocation_params.dir:
            return f"pytest took {config.rootpath} for its root folder, because of {value}: write {option}={value}"
    return ""


def select(config: pytest.Config) -> Selection:
    """Decide from options, ini file and arguments; pytest.UsageError for a named gate file that is absent."""
    option = config.getoption("asrgate_config")
    ini = config.getini("asrgate_config")
    invocation = config.invocation_params.dir
    base = invocation / option if option else config.rootpath / (ini or GATE_FILE)
    path = Path(os.path.abspath(base))  # noqa: PTH100 - not resolve(): a linked gate file keeps its own folder
    named = any(_names(argument, invocation, path) for argument in config.args)
    wants = bool(config.getoption("asrgate")) or _names_wer(config.getoption("markexpr", "") or "")
    if path.is_file() or config.getoption("help", False):
        return Selection(path, named=named, wanted=wants and not named)
    if (wants or named) and (option or ini):
        source = "--asrgate-config" if option else "asrgate_config"
        raise pytest.UsageError(f"{source}: there is no gate file {path}")
    mend = _misread_path(config)
    if config.getoption("asrgate"):
        raise pytest.UsageError(
            f"--asrgate: there is no gate file {path}; {mend or 'name one with --asrgate-config'}"
        )
    return Selection(path, missing=(mend or "name one with --asrgate-config or asrgate_config") if wants else "")
