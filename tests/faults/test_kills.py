"""Kills of ourselves: what the user sees, what stays, and that the next run goes on as if nothing had been.

Others are elsewhere: an engine or an xdist worker killed outright (test_worker_processes.py, test_xdist_deaths.py),
a controller killed outright (test_xdist.py), no utterance decoded twice (test_reruns.py). At random moments, again
and again: benchmarks/torture.py.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.termination import TWIN_S
from tests.integration.conftest import LEAN, SENTENCES, SUPPORT, GateProject, left_over
from tests.integration.distributed import pairs

pytestmark = pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for orphans in /proc")

PATIENCE_S = 120
UNDISTURBED: list[Any] = []
PYTEST = ("-m", "pytest", *LEAN, "-p", "asrgate_fake", "-p", "no:cacheprovider", "-m", "wer")
REPORTED = (*PYTEST, "--asrgate-json", "report.json")
PARITY = (
    "-c",
    "import asrgate_fake; from pytest_asrgate.cli import console_script; console_script()",
    "parity",
    "q8_0",
    "prompts",
)


@pytest.fixture
def stuck(project: GateProject) -> GateProject:
    """A gate whose `q8_0` hangs in native code at its fifth clip, the first time only."""
    project.standard()
    right: dict[int, object] = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
    once = {"do": "hang first", "clip": "1604", "text": SENTENCES[4]}
    # Relative paths, since the model's bytes are the engine's identity.
    project.model("f32", right, log="f32.log")
    project.model("q8_0", {**right, 1604: once}, log="q8_0.log")
    project.gate((project.root / "gate.toml").read_text().replace("timeout_s = 5", "timeout_s = 3000"))
    return project


class Started:
    """A command in a process of its own, which is told to end when `q8_0` hangs."""

    def __init__(
        self, project: GateProject, *arguments: str, on_interrupt: Any = signal.default_int_handler
    ) -> None:
        self.project = project
        self._mark = f"asrgate-test-{os.getpid()}-{time.monotonic_ns()}"
        environment = {**os.environ, "PYTHONPATH": str(SUPPORT), "MARK": self._mark}
        self._output = project.root / "output.txt"
        # A shell that runs the tests in the background ignores SIGINT, and children inherit that.
        before = signal.signal(signal.SIGINT, on_interrupt)
        try:
            with self._output.open("wb") as output:
                self.process = subprocess.Popen(
                    [sys.executable, *arguments],
                    cwd=project.root,
                    env=environment,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        finally:
            signal.signal(signal.SIGINT, before)

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Wait for what must happen while the command runs."""
        deadline = time.monotonic() + PATIENCE_S
        while not happened():
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.02)

    def wait_for_hang(self) -> None:
        """Wait for the clip that hangs."""
        self.wait_for(lambda: "q8_0 clip 1604" in self.project.log("q8_0"))

    def end(self) -> int:
        """Wait until nothing is left of it, well before the engine would time out; returns the exit code."""
        try:
            code = self.process.wait(PATIENCE_S)
            assert left_over(self._mark) == []
        finally:
            self.process.kill()
        return code

    @property
    def output(self) -> str:
        """What it printed so far."""
        return self._output.read_text()


def _report(project: GateProject) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((project.root / "report.json").read_text())
    return found


def _rerun_is_as_undisturbed(project: GateProject) -> None:
    """Let it run to its end, then anew in an empty state folder, where nothing hangs any more: one report."""
    asked = len([line for line in project.log("q8_0") if "clip" in line])
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=2)
    again = [line for line in project.log("q8_0") if "clip" in line][asked:]
    assert again == [f"q8_0 clip {1600 + number}" for number in range(4, len(SENTENCES))]
    # The project is the same in every test, and so is that report.
    if not UNDISTURBED:
        gate = project.root / "gate.toml"
        gate.write_text(gate.read_text().replace("[gate]", '[gate]\nstate = "undisturbed"', 1))
        project.run("-m", "wer", "--asrgate-json", "undisturbed.json").assert_outcomes(passed=2)
        UNDISTURBED.append(pairs(project.root / "undisturbed.json"))
    assert pairs(project.root / "report.json") == UNDISTURBED[0]


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_told_to_end_it_reports_what_was_judged(stuck: GateProject, sent: signal.Signals) -> None:
    """SIGINT and SIGTERM end a run alike: exit 2, table and JSON report of what was judged, no traceback."""
    run = Started(stuck, *REPORTED)
    run.wait_for_hang()
    run.process.send_signal(sent)
    assert run.end() == pytest.ExitCode.INTERRUPTED
    assert "Traceback" not in run.output
    assert "f32      prompts" in run.output
    assert "KeyboardInterrupt" in run.output
    report = _report(stuck)
    assert [(pair["variant"], pair["verdict"]) for pair in report["pairs"]] == [("f32", "PASS")]
    assert report["gate"]["not_judged"] == ["q8_0::prompts"]
    _rerun_is_as_undisturbed(stuck)


def test_killed_outright_it_leaves_no_report_of_an_earlier_run(stuck: GateProject) -> None:
    """SIGKILL: no report at all, neither a part of one nor the last one, and no temporary file."""
    (stuck.root / "report.json").write_text('{"schema": "asrgate.report/1", "pairs": "of yesterday"}')
    run = Started(stuck, *REPORTED)
    run.wait_for_hang()
    run.process.kill()
    assert run.end() == -signal.SIGKILL
    assert not (stuck.root / "report.json").exists()
    assert [path for path in stuck.root.rglob(".*") if path.name != ".asrgate"] == []
    _rerun_is_as_undisturbed(stuck)


def _end_slowly(project: GateProject) -> Path:
    """Let the end of the session last for ever, before the engines are ended; the file that says it began."""
    project.pytester.makeconftest(
        """
        import time
        from pathlib import Path

        import pytest

        @pytest.hookimpl(tryfirst=True)
        def pytest_sessionfinish():
            Path("ending").touch()
            time.sleep(3000)
        """
    )
    return project.root / "ending"


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_a_sigterm_that_follows_ends_at_once(stuck: GateProject, first: signal.Signals) -> None:
    """A CI service that sends SIGTERM some time after a first signal gets a process that dies of it."""
    ending = _end_slowly(stuck)
    run = Started(stuck, *PYTEST)
    run.wait_for_hang()
    run.process.send_signal(first)
    run.wait_for(ending.exists)
    if first == signal.SIGTERM:
        # Until then it is the same one; the first was taken before the file was there.
        time.sleep(TWIN_S + 0.1)
    run.process.terminate()
    assert run.end() == -signal.SIGTERM


@pytest.mark.parametrize("command", [REPORTED, PARITY], ids=["pytest", "parity"])
def test_timeout_tells_it_twice(stuck: GateProject, command: tuple[str, ...]) -> None:
    """GNU `timeout` sends SIGTERM to the process and then to its group: it ends as after one, with its report."""
    # Another comes when the session ends, and counts as the same one, however slow this machine is.
    stuck.pytester.makeconftest(
        """
        import os
        import signal

        from pytest_asrgate import termination

        termination.TWIN_S = 3000.0

        def pytest_sessionfinish():
            os.killpg(os.getpid(), signal.SIGTERM)
        """
    )
    run = Started(stuck, *command)
    run.wait_for_hang()
    run.process.terminate()
    os.killpg(run.process.pid, signal.SIGTERM)
    if command is PARITY:
        assert run.end() == 128 + signal.SIGTERM
        assert run.output == "asrgate parity: ended by SIGTERM; what was finished by then is kept\n"
        return
    assert run.end() == pytest.ExitCode.INTERRUPTED, run.output
    assert _report(stuck)["gate"]["not_judged"] == ["q8_0::prompts"]


def test_ctrl_c_again_and_again_waits_for_nobody(stuck: GateProject) -> None:
    """Whoever is in a hurry is not kept by an engine that hangs, though a thread of ours waits for its answer.

    The second Ctrl-C cuts short what the first began, the end of the engine, and the third the end of the session,
    which would have ended it too.
    """
    ending = _end_slowly(stuck)
    with (stuck.root / "conftest.py").open("a") as conftest:
        conftest.write(
            """
from pytest_asrgate.executors.local import LocalExecution

interrupt, log = LocalExecution.interrupt, Path("q8_0.log")

def slowly(self):
    if log.exists() and "clip 1604" in log.read_text():
        LocalExecution.interrupt = interrupt
        Path("interrupting").touch()
        time.sleep(3000)
    interrupt(self)

LocalExecution.interrupt = slowly
"""
        )
    run = Started(stuck, *PYTEST, "--asrgate-workers", "2")
    run.wait_for_hang()
    for begun in (stuck.root / "interrupting", ending):
        run.process.send_signal(signal.SIGINT)
        run.wait_for(begun.exists)
    run.process.send_signal(signal.SIGINT)
    assert run.end() in {pytest.ExitCode.INTERRUPTED, -signal.SIGINT, 1}
    (stuck.root / "conftest.py").unlink()
    stuck.run("-m", "wer").assert_outcomes(passed=2)


@pytest.mark.parametrize("on_interrupt", [signal.default_int_handler, signal.SIG_IGN], ids=["", "nohup"])
def test_a_controller_told_to_end_takes_its_workers_along(stuck: GateProject, on_interrupt: Any) -> None:
    """The controller of xdist alone gets SIGTERM: exit 2, a report, no worker, and no snapshot of progress.

    The workers are told at once, before the session of the controller ends, also where SIGINT is ignored, and what
    is sent to them again does not interrupt their end.
    """
    pytest.importorskip("xdist")
    stuck.pytester.makeconftest(
        """
        import os
        import signal
        import time
        from pathlib import Path

        WORKER = os.environ.get("PYTEST_XDIST_WORKER")

        def pytest_keyboard_interrupt():
            if WORKER:
                Path(f"{WORKER}.interrupted").touch()
                ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
                os.kill(os.getpid(), signal.SIGTERM if ignored else signal.SIGINT)
                Path(f"{WORKER}.unhurt").touch()
                return
            deadline = time.monotonic() + 60
            while not list(Path().glob("*.unhurt")) and time.monotonic() < deadline:
                time.sleep(0.02)
            Path("controller.txt").write_text(" ".join({path.suffix for path in Path().glob("gw*")}))
        """
    )
    run = Started(stuck, *REPORTED, "-n", "2", on_interrupt=on_interrupt)
    run.wait_for_hang()
    run.process.terminate()
    assert run.end() == pytest.ExitCode.INTERRUPTED
    assert set((stuck.root / "controller.txt").read_text().split()) == {".interrupted", ".unhurt"}
    report = _report(stuck)
    assert "q8_0::prompts" in report["gate"]["not_judged"]
    assert not (stuck.root / ".asrgate" / "progress").exists()
    if on_interrupt is not signal.SIG_IGN:
        _rerun_is_as_undisturbed(stuck)


def test_a_worker_told_to_end_costs_its_pair(stuck: GateProject) -> None:
    """An xdist worker alone gets SIGTERM: its pair is an ERROR that says so, the others have their verdicts."""
    pytest.importorskip("xdist")
    stuck.pytester.makeconftest(
        """
        import os
        from pathlib import Path

        def pytest_runtest_call(item):
            Path(f"{item.parent.name}.pid").write_text(str(os.getpid()))
        """
    )
    run = Started(stuck, *REPORTED, "-n", "2")
    run.wait_for_hang()
    # Until then it may be this worker that decodes the baseline for both.
    run.wait_for(lambda: "f32 clip 1607" in stuck.log("f32"))
    os.kill(int((stuck.root / "q8_0.pid").read_text()), signal.SIGTERM)
    assert run.end() == pytest.ExitCode.TESTS_FAILED, run.output
    verdicts = {pair["variant"]: pair for pair in _report(stuck)["pairs"]}
    assert (verdicts["f32"]["verdict"], verdicts["q8_0"]["verdict"]) == ("PASS", "ERROR")
    assert "died in the middle of this pair" in verdicts["q8_0"]["reason"]
    _rerun_is_as_undisturbed(stuck)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_command_told_to_end(stuck: GateProject, sent: signal.Signals) -> None:
    """`asrgate parity`: one sentence and the exit code of the signal, no engine left, and the next one goes on."""
    run = Started(stuck, *PARITY)
    run.wait_for_hang()
    run.process.send_signal(sent)
    code = run.end()
    if sent == signal.SIGKILL:
        assert code == -sent
    else:
        assert code == 128 + sent
        assert run.output == f"asrgate parity: ended by {sent.name}; what was finished by then is kept\n"
    asked = stuck.log("q8_0")
    again = Started(stuck, *PARITY)
    assert again.end() == 0, again.output
    # What was asked before the kill is not asked again under the same recipe; all of it is under other threads.
    later = [line for line in stuck.log("q8_0")[len(asked) :] if "clip" in line]
    assert len(later) == 2 * len(SENTENCES) - sum("clip" in line for line in asked) + 1


def test_a_program_that_runs_pytest_keeps_its_sigterm(project: GateProject) -> None:
    """A handler of somebody else's stays, and the default is back when the run is over."""
    project.standard()
    project.pytester.makeconftest(
        """
        import signal
        def pytest_runtest_call(item):
            item.config.seen.append(signal.getsignal(signal.SIGTERM))
        def pytest_configure(config):
            config.seen = SEEN
        """
    )
    source = project.root / "conftest.py"
    source.write_text("import builtins\nSEEN = builtins.asrgate_seen\n" + source.read_text())
    seen: list[object] = []

    def mine(number: int, frame: object) -> None:
        raise AssertionError

    import builtins

    builtins.asrgate_seen = seen  # type: ignore[attr-defined]
    before = signal.getsignal(signal.SIGTERM)
    try:
        for handler in (signal.SIG_DFL, mine):
            signal.signal(signal.SIGTERM, handler)
            project.run("-m", "wer").assert_outcomes(passed=2)
            assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)
        del builtins.asrgate_seen  # type: ignore[attr-defined]
    assert signal.SIG_DFL not in seen[:2]
    assert seen[2:] == [mine, mine]


def test_a_handler_of_the_run_itself_stays(project: GateProject) -> None:
    """A plugin that handles SIGTERM from the start of the session has it still when the run is over."""
    project.standard()

    def mine(number: int, frame: object) -> None:
        raise AssertionError

    class Plugin:
        def pytest_sessionstart(self) -> None:
            signal.signal(signal.SIGTERM, mine)

    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        arguments = ("-p", "asrgate_fake", "-p", "no:cacheprovider", "-m", "wer", "-k", "f32")
        project.pytester.runpytest_inprocess(*arguments, plugins=[Plugin()]).assert_outcomes(passed=1)
        assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_process_that_a_test_beside_the_gate_starts_can_be_ended(project: GateProject) -> None:
    """A child that a test forks dies of SIGTERM, as without a gate."""
    project.standard()
    project.pytester.makepyfile(
        """
        import multiprocessing, time

        def wait(ready):
            ready.set()
            time.sleep(600)

        def test_terminate():
            fork = multiprocessing.get_context("fork")
            ready = fork.Event()
            child = fork.Process(target=wait, args=(ready,))
            child.start()
            ready.wait()
            child.terminate()
            child.join()
            assert child.exitcode == -15
        """
    )
    run = Started(project, *PYTEST[:-2], "--asrgate", "-k", "terminate")
    assert run.end() == pytest.ExitCode.OK, run.output
    assert "1 passed" in run.output
