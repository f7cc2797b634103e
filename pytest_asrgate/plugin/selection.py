"""Whether this run asks for the gate, and which file that is; imports nothing but pytest."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

__all__ = ["GATE_FILE", "Selection", "select"]

GATE_FILE = "gate.toml"


@dataclass(frozen=True, slots=True)
class Selection:
    """The gate file of this run; `add_path` says that it must be added to what pytest collects.

    `missing` says that it was asked for by `-m` alone and is not there.
    """

    path: Path
    asked: bool
    add_path: bool
    missing: bool = False


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


def _covers(argument: str, invocation: Path, gate: Path) -> tuple[bool, bool]:
    """Whether a command-line argument (names the gate file, is a folder above it)."""
    place = Path(os.path.abspath(invocation / argument.split("::", 1)[0]))  # noqa: PTH100 - links stay links
    return place == gate, place in gate.parents


def select(config: pytest.Config) -> Selection:
    """Decide from options, ini file and arguments; pytest.UsageError for a named gate file that is absent."""
    option = config.getoption("asrgate_config")
    ini = config.getini("asrgate_config")
    if option:
        path = Path(os.path.abspath(config.invocation_params.dir / option))  # noqa: PTH100 - as above
    else:
        path = Path(os.path.abspath(config.rootpath / (ini or GATE_FILE)))  # noqa: PTH100 - as above
    invocation = config.invocation_params.dir
    named = above = False
    for argument in config.args:
        names, covers = _covers(argument, invocation, path)
        named, above = named or names, above or covers
    wants = bool(config.getoption("asrgate")) or _names_wer(config.getoption("markexpr", "") or "")
    if (wants or named) and (option or ini) and not path.is_file():
        source = "--asrgate-config" if option else "asrgate_config"
        raise pytest.UsageError(f"{source}: there is no gate file {path}")
    if config.getoption("asrgate") and not path.is_file():
        raise pytest.UsageError(f"--asrgate: there is no gate file {path}; name one with --asrgate-config")
    if not path.is_file():
        return Selection(path, asked=False, add_path=False, missing=wants)
    return Selection(path, asked=wants or named, add_path=wants and not named)
