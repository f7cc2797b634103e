"""A folder of a few hundred kilobytes that can be filled: a file system of its own, in a name space of its own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from fnmatch import fnmatch

import pytest

from tests.integration.conftest import LEAN, SUPPORT, GateProject

__all__ = ["gate_command", "has", "in_own_mounts", "needs_mounts", "run_lines"]


def _mounts_are_allowed() -> bool:
    if shutil.which("unshare") is None:
        return False
    words = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt"]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def needs_mounts() -> None:
    """Skip the test where this user may not mount."""
    if not _mounts_are_allowed():
        pytest.skip("a full or read-only disk needs a mount of our own, which is not allowed here")


def gate_command(*arguments: str) -> str:
    """A line of shell that runs the gate and prints its exit code."""
    words = [
        sys.executable,
        "-m",
        "pytest",
        *LEAN,
        "-p",
        "asrgate_fake",
        "-p",
        "no:cacheprovider",
        "-m",
        "wer",
        *arguments,
    ]
    return f"{' '.join(words)}; echo exit $?"


def in_own_mounts(project: GateProject, script: str, **environment: str) -> list[str]:
    """The output of a shell script in the project's folder, in which mounting changes nothing for others."""
    known: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(SUPPORT), **environment}
    done = subprocess.run(
        ["unshare", "-m", "sh", "-uc", script],  # noqa: S607 - where it is differs between systems
        cwd=project.root,
        env=known,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout.splitlines()


def run_lines(lines: list[str], number: int) -> list[str]:
    """The lines of the run of this number, from 0, with `exit N` at their end."""
    ends = [place for place, line in enumerate(lines) if line.startswith("exit ")]
    start = ends[number - 1] + 1 if number else 0
    return lines[start : ends[number] + 1]


def has(lines: list[str], *patterns: str) -> None:
    """Each pattern is one of the lines."""
    for pattern in patterns:
        assert any(fnmatch(line, pattern) for line in lines), "\n".join([pattern, *lines])
