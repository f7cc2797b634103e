"""Asks another program something, for a few seconds at most."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_asrgate.transcribers.processes import SupervisedProcess, describe_exit

__all__ = ["PYTHON", "ask", "find_program"]

PYTHON = (sys.executable, "-P", "-c")


def ask(program: Sequence[str], timeout_s: float, lines: int = 1) -> tuple[str, str]:
    """What a program printed at last, its lines joined by bars, and how it failed, empty where it did not.

    It is ended after `timeout_s` seconds, with all that it started. OSError where nothing can be started here.
    """
    with SupervisedProcess(program) as process:
        code = process.wait(timeout_s)
        said = process.last_lines(lines)
    failure = f"did not end within {timeout_s:g} s" if code is None else describe_exit(code) if code else ""
    return said, failure


def find_program(word: str) -> Path | None:
    """The executable of this name on the PATH, or of this path."""
    found = shutil.which(word)
    return None if found is None else Path(found)
