"""Claims about how the command starts: help and version import none of the rooms that the commands need."""

import subprocess
import sys

import pytest

from pytest_asrgate.cli import _COMMANDS, main

WATCHED = """
import sys
from pytest_asrgate.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code
print(*sorted(name for name in sys.modules if name.startswith("pytest_asrgate") or name == "numpy"), sep="\\n")
"""


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_and_version_import_no_command(arguments: list[str]) -> None:
    """What is asked for most often must not load what only scoring needs."""
    command = [sys.executable, "-c", WATCHED, *arguments]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert [line for line in lines if line.startswith(("pytest_asrgate", "numpy"))] == [
        "pytest_asrgate",
        "pytest_asrgate.cli",
        "pytest_asrgate.termination",
    ]


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_has_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command of the list has a module with a description and options."""
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: asrgate {name} ")
    assert "options:" in shown
    assert len(shown.split("\n\n")[1]) > len(_COMMANDS[name])


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`asrgate --help` says in a line what each of them does."""
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert all(f"{name} {summary}" in shown for name, summary in _COMMANDS.items())
