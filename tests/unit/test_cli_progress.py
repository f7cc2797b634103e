"""Claims about how far a command says that it is: a bar on a terminal only, else a line a minute on stderr."""

import io
import subprocess
import sys

import pytest

from pytest_asrgate.cli import progress as module
from pytest_asrgate.cli.progress import progress


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_at_most_once_a_minute(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal nothing is said in the first minute, then one line a minute, and none at the end."""
    clock = iter([0.0, 59.0, 60.0, 61.0, 119.0, 121.0, 500.0])
    monkeypatch.setattr(module, "_now", lambda: next(clock))
    with progress("sounds", 12) as advance:
        for _ in range(6):
            advance(2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == ["asrgate: 4 of 12 sounds", "asrgate: 10 of 12 sounds"]


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal there is a bar with the count, on stderr, and nothing on stdout."""
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress("sounds", 3) as advance:
        advance(1)
        advance(2)
    assert "sounds" in terminal.getvalue()
    assert "3/3" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_nobody_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without standard error goes on in silence."""
    clock = iter([0.0, 100.0])
    monkeypatch.setattr(module, "_now", lambda: next(clock))
    monkeypatch.setattr(sys, "stderr", None)
    told = []
    with progress("sounds", 2) as advance:
        advance(1)
        told.append(1)
    assert told == [1]


def test_rich_is_imported_for_a_terminal_only() -> None:
    """A command in a log pays nothing for the bar."""
    script = (
        "import sys\nfrom pytest_asrgate.cli.progress import progress\n"
        "with progress('sounds', 1) as advance: advance(1)\n"
        "sys.exit('rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, stderr=subprocess.PIPE).returncode == 0
