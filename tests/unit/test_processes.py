"""Child processes end as they end, keep their last words, and die with us."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_asrgate.transcribers.processes import SupervisedProcess, describe_exit


def _python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def _gone(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process ends (or is a zombie nobody waits for) within a time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("pass", 0),
        ("raise SystemExit(3)", 3),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        ("import os; os.abort()", -signal.SIGABRT),
    ],
)
def test_ends_as_its_program_ends(code: str, expected: int) -> None:
    """The supervisor passes on exit codes and deaths by signal."""
    with SupervisedProcess(_python(code)) as process:
        assert process.wait(20) == expected


def test_program_that_is_not_there() -> None:
    """A program that cannot be started ends with 127 and says its name."""
    with SupervisedProcess(["no-such-program-anywhere"]) as process:
        assert process.wait(20) == 127
        assert "no-such-program-anywhere" in process.last_lines()


def test_keeps_only_the_tail_of_a_flood() -> None:
    """A program that prints without end is never blocked, and its last lines are kept."""
    code = "import sys\nfor n in range(300_000): print('line', n)\nprint('the end', file=sys.stderr)"
    with SupervisedProcess(_python(code)) as process:
        assert process.wait(60) == 0
        assert process.last_lines(1) == "the end"


def test_close_kills_the_whole_group() -> None:
    """Closing ends grandchildren too, also such as ignore every polite signal."""
    code = (
        "import subprocess, sys, time, signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid, flush=True)\ntime.sleep(600)\n"
    )
    process = SupervisedProcess(_python(code))
    deadline = time.monotonic() + 20
    while not process.last_lines() and time.monotonic() < deadline:
        time.sleep(0.02)
    grandchild = int(process.last_lines())
    process.close()
    process.close()
    assert _gone(grandchild)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for orphans in /proc")
def test_dies_with_a_killed_parent(tmp_path: Path) -> None:
    """When the parent is killed outright, a child that hangs in native code goes with it."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import sys, time\n"
        "from pytest_asrgate.transcribers.processes import SupervisedProcess\n"
        "code = 'import os, ctypes; print(os.getpid(), flush=True); ctypes.CDLL(None).pause()'\n"
        "process = SupervisedProcess([sys.executable, '-c', code])\n"
        "while not process.last_lines(): time.sleep(0.02)\n"
        "print(process.last_lines(), flush=True)\ntime.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert not _gone(child, 0.1)
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait(10)
    parent.stdout.close()
    assert _gone(child)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_dies_with_its_supervisor() -> None:
    """Whoever kills the supervisor alone ends the program too: nobody would end it when we die after that."""
    code = "import os, ctypes; print(os.getpid(), os.getppid(), flush=True); ctypes.CDLL(None).pause()"
    with SupervisedProcess(_python(code)) as process:
        deadline = time.monotonic() + 20
        while not process.last_lines() and time.monotonic() < deadline:
            time.sleep(0.02)
        child, supervisor = map(int, process.last_lines().split())
        os.kill(supervisor, signal.SIGKILL)
        # Its init reaps it, not we.
        assert _gone(child)
        assert process.wait(20) == -signal.SIGKILL


def test_no_shell_reads_the_arguments(tmp_path: Path) -> None:
    """Arguments reach the program as they are."""
    tricky = "$(touch pwned); `id` && * \"'"
    with SupervisedProcess([*_python("import sys; print(sys.argv[1])"), tricky], folder=tmp_path) as process:
        assert process.wait(20) == 0
        assert process.last_lines() == tricky
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("code", "text"), [(0, "exit code 0"), (-11, "signal 11 (SIGSEGV)"), (-99, "signal 99")])
def test_describe_exit(code: int, text: str) -> None:
    """Exit codes and signals are told in words."""
    assert describe_exit(code) == text
