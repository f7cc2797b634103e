"""Progress while an item runs: in a pipe, in a CI log, on a terminal and under xdist."""

import json
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.integration.conftest import LEAN, SENTENCES, GateProject

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
EVERY = ("--asrgate-progress", "0")


@pytest.fixture(autouse=True)
def _not_on_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever these tests run, the runs they start are on no CI service unless they say so."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("BUILD_NUMBER", raising=False)


def slow(project: GateProject, seconds: float = 0.02) -> None:
    """The standard gate with an engine that takes its time over each clip."""
    project.standard()
    for name in ("f32", "q8_0"):
        path = project.root / f"{name}.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "seconds": seconds}))


def told(lines: Sequence[str]) -> list[str]:
    """The progress lines, with rates and times (which differ from run to run) as R and T."""
    found = [line for line in lines if line.startswith("asrgate ") and "utterances" in line]
    return [re.sub(r"\d+(\.\d)?/(s|min)", "R", re.sub(r"(\d+ h )?\d+ (s|min)\b", "T", line)) for line in found]


def full(pair: str, before: int, total: int = 16) -> list[str]:
    """Every line of a pair of eight utterances, after `before` others of the gate."""
    lines = [f"asrgate {pair} 1/8 utterances; gate {before + 1}/{total}"]
    if before:
        lines[0] += ", at most T left"
    for done in range(2, 9):
        left = ", T left" if done < 8 else ""
        bound = ", at most T left" if before + done < total else ""
        lines.append(f"asrgate {pair} {done}/8 utterances, R{left}; gate {before + done}/{total}{bound}")
    return lines


def on_a_terminal(project: GateProject, *arguments: str, **environment: str) -> str:
    """Run pytest on a pseudo-terminal of 100 columns; return every byte that it wrote there, as text."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pytest", *LEAN, "-p", "asrgate_fake", "-p", "no:cacheprovider", *arguments]
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "24", **environment}
    with subprocess.Popen(
        command, cwd=project.root, stdin=theirs, stdout=theirs, stderr=theirs, env=variables
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux says so where others say end of file.
                break
            if not piece:
                break
            written += piece
    os.close(ours)
    assert process.returncode == 0, written.decode()
    return written.decode()


def screen(written: str) -> list[str]:
    """What a terminal shows in the end of text with carriage returns, `cursor up`, `cursor right` and `erase`."""
    rows, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[\d*[A-Za-z]|\x1b\[[\d;]*m|.|\n", written.replace("\r\n", "\r\n")):
        code = re.fullmatch(r"\x1b\[(\d*)([ACK])", piece)
        if piece == "\n":
            row += 1
            rows += [""] * (row + 1 - len(rows))
        elif piece == "\r":
            column = 0
        elif code and code[2] == "A":
            row -= int(code[1] or 1)
        elif code and code[2] == "C":
            column += int(code[1] or 1)
        elif code:
            rows[row] = rows[row][:column]
        elif not piece.startswith("\x1b"):
            rows[row] = rows[row].ljust(column)[:column] + piece + rows[row][column + 1 :]
            column += 1
    return [line.rstrip() for line in rows]


def test_pipe_gets_whole_lines(project: GateProject) -> None:
    """In a pipe each line stands alone, with the right figures and without control codes."""
    slow(project)
    result = project.run_apart("-m", "wer", *EVERY)
    result.assert_outcomes(passed=2)
    assert told(result.outlines) == [*full("f32::prompts", 0), *full("q8_0::prompts", 8)]
    assert not CONTROL.search("\n".join(result.outlines))


def test_nothing_is_said_of_what_is_quick(project: GateProject) -> None:
    """By default a line comes every 30 s, so that a short run prints none."""
    project.standard()
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=2)
    assert told(result.outlines) == []


def test_reused_run_says_nothing(project: GateProject) -> None:
    """Where every utterance was found in the store there is nothing to watch."""
    project.standard()
    project.run("-m", "wer").assert_outcomes(passed=2)
    result = project.run("-m", "wer", *EVERY)
    result.assert_outcomes(passed=2)
    assert told(result.outlines) == []


def test_reused_utterances_count_as_done(project: GateProject) -> None:
    """A run that goes on where another stopped starts at what was finished, and times only what it does itself."""
    slow(project)
    project.model("f32", {1600 + number: text for number, text in enumerate(SENTENCES)}, seconds=0.02)
    (project.root / "all").write_text((project.root / "prompts/manifest.jsonl").read_text())
    lines = (project.root / "prompts/manifest.jsonl").read_text().splitlines(keepends=True)
    (project.root / "prompts/manifest.jsonl").write_text("".join(lines[:5]))
    project.run("-m", "wer", "-k", "f32").assert_outcomes(passed=1, deselected=1)
    (project.root / "prompts/manifest.jsonl").write_text("".join(lines))
    result = project.run("-m", "wer", "-k", "f32", *EVERY)
    assert told(result.outlines) == [
        "asrgate f32::prompts 6/8 utterances; gate 6/8",
        "asrgate f32::prompts 7/8 utterances, R, T left; gate 7/8, at most T left",
        "asrgate f32::prompts 8/8 utterances, R; gate 8/8",
    ]


def test_doubled_audio_counts_for_each_utterance(project: GateProject) -> None:
    """Two utterances with the same audio are transcribed once and are both done then."""
    slow(project)
    path = project.root / "prompts" / "manifest.jsonl"
    path.write_text(path.read_text() + path.read_text().splitlines()[0].replace("prompts-0", "again") + "\n")
    result = project.run("-m", "wer", "-k", "f32", *EVERY)
    numbers = [line.split()[2] for line in told(result.outlines)]
    assert numbers == [f"{done}/9" for done in range(2, 10)]


@pytest.mark.parametrize("option", ["-q", "-s", "-v", "-qs"])
def test_verbosity_and_capture_do_not_matter(project: GateProject, option: str) -> None:
    """`-q`, `-s` and `-v` show the same lines."""
    slow(project)
    run = project.run_apart if "s" in option else project.run
    result = run("-m", "wer", option, *EVERY)
    assert result.ret == 0
    assert told(result.outlines) == [*full("f32::prompts", 0), *full("q8_0::prompts", 8)]


@pytest.mark.parametrize(
    "arguments", [("-qq", *EVERY), ("--asrgate-progress", "-1"), ("--asrgate-progress", "nan")]
)
def test_it_can_be_turned_off(project: GateProject, arguments: tuple[str, ...]) -> None:
    """`-qq` and a number of seconds that is not 0 or more show nothing."""
    project.standard()
    result = project.run("-m", "wer", *arguments)
    assert result.ret == 0
    assert told(result.outlines) == []


def test_nonsense_for_seconds_is_a_usage_error(project: GateProject) -> None:
    """What is no number is refused before anything runs."""
    project.standard()
    assert project.run("-m", "wer", "--asrgate-progress", "often").ret == pytest.ExitCode.USAGE_ERROR


def test_run_without_a_terminal_plugin(project: GateProject) -> None:
    """`-p no:terminal` leaves nobody to print, and breaks nothing."""
    project.standard()
    result = project.run_apart("-m", "wer", "-p", "no:terminal", *EVERY)
    assert result.ret == 0
    assert told(result.outlines) == []


def test_run_without_capture_plugin(project: GateProject) -> None:
    """Without the capture plugin lines are printed all the same."""
    slow(project)
    result = project.run_apart("-m", "wer", "-k", "f32", "-p", "no:capture", *EVERY)
    assert told(result.outlines) == full("f32::prompts", 0, total=8)


def test_baseline_inside_another_item(project: GateProject) -> None:
    """A baseline that is no item of this run says for whom it runs, and is part of the gate's work."""
    slow(project)
    result = project.run("-m", "wer", "-k", "q8_0", *EVERY)
    result.assert_outcomes(passed=1, deselected=1)
    assert told(result.outlines) == [*full("q8_0::prompts", 0), *full("f32::prompts for q8_0", 8)]


def test_item_that_cannot_run_is_behind_us(project: GateProject) -> None:
    """A pair without a model ends at once: the gate's figures do not wait for it."""
    slow(project)
    (project.root / "f32.json").unlink()
    result = project.run("-m", "wer", *EVERY)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert told(result.outlines)[-1] == "asrgate q8_0::prompts 8/8 utterances, R; gate 16/16"


def test_unreadable_manifest_counts_as_nothing(project: GateProject) -> None:
    """A dataset that cannot be read adds no utterances to the gate, and its items say why."""
    slow(project)
    project.gate((project.root / "gate.toml").read_text() + '\n[dataset.gone]\nmanifest = "gone.jsonl"\n')
    result = project.run("-m", "wer", "-k", "f32", *EVERY)
    result.assert_outcomes(passed=1, failed=1, deselected=2)
    assert told(result.outlines) == full("f32::prompts", 0, total=8)


def test_terminal_gets_one_line_in_place(project: GateProject) -> None:
    """On a terminal one line is redrawn under pytest's own, and nothing of it is left in the end."""
    slow(project, 0.15)
    written = on_a_terminal(project, "-m", "wer")
    drawn = re.findall(r"\r(asrgate [^\r\n\x1b]*)\x1b\[K", written)
    assert len(drawn) >= 2
    assert drawn == [line for line in drawn if re.match(r"asrgate (f32|q8_0)::prompts \d/8 utterances", line)]
    assert all(len(line) < 100 for line in drawn)
    shown = screen(written)
    assert not [line for line in shown if "utterances, " in line]
    assert [line for line in shown if re.match(r"gate\.toml \.\. +\[100%\]$", line)]


@pytest.mark.parametrize("option", ["-v", "-q", "-s"])
def test_terminal_under_other_options(project: GateProject, option: str) -> None:
    """The screen ends as it would without progress, whatever pytest itself prints."""
    slow(project, 0.15)
    written = on_a_terminal(project, "-m", "wer", option)
    assert re.search(r"\rasrgate f32::prompts \d/8 utterances[^\r\n\x1b]*\x1b\[K", written)
    expected = {"-v": "gate.toml::f32::prompts PASSED", "-q": "..", "-s": "gate.toml .."}[option]
    assert [line for line in screen(written) if line.startswith(expected)]
    assert [line for line in screen(written) if re.match(r"asrgate \w+::", line)] == []


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"TERM": "dumb"}])
def test_terminal_that_is_a_log_gets_whole_lines(project: GateProject, environment: dict[str, str]) -> None:
    """A CI service's terminal and a dumb one get lines now and then, without our control codes."""
    slow(project)
    written = on_a_terminal(project, "-m", "wer", "--color=no", *EVERY, **environment)
    assert told(written.replace("\r\n", "\n").split("\n")) == [*full("f32::prompts", 0), *full("q8_0::prompts", 8)]
    # pytest's own `collecting ...` is redrawn even so.
    assert not CONTROL.search(written.replace("\r\n", "\n").split("collected", 1)[1])


def left_over(project: GateProject) -> list[Path]:
    """Snapshots that a run left in the state folder."""
    return sorted((project.root / ".asrgate").glob("progress*/**/*"))


def test_workers_are_shown_by_the_controller(project: GateProject) -> None:
    """Under `-n 2` the controller tells what both workers do, on lines of its own, and leaves no snapshot."""
    pytest.importorskip("xdist")
    slow(project, 0.4)
    result = project.run_apart("-m", "wer", "-n", "2", "-q", *EVERY)
    assert result.ret == 0
    lines = told(result.outlines)
    assert lines
    for line in lines:
        assert re.fullmatch(
            r"asrgate ((f32|q8_0)::prompts( for q8_0)? \d/8 utterances(, R)?(, T left)?; ){1,2}"
            r"gate \d+/16(, at most T left)?",
            line,
        )
    assert [line for line in lines if "f32::prompts" in line and "q8_0::prompts" in line]
    assert not CONTROL.search("\n".join(result.outlines))
    assert left_over(project) == []


def test_what_killed_controllers_left_is_removed_in_the_end(project: GateProject) -> None:
    """A controller that is killed leaves its snapshots: they go after a day, and those of another run stay."""
    pytest.importorskip("xdist")
    project.standard()
    old, other = (project.root / ".asrgate" / "progress" / (digit * 32) for digit in "0f")
    for folder in (old, other):
        folder.mkdir(parents=True)
        (folder / "gw0.json").write_text('{"pairs": [], "running": null, "item": null}')
    os.utime(old, (time.time() - 90_000,) * 2)
    project.run_apart("-m", "wer", "-n", "2").assert_outcomes(passed=2)
    assert left_over(project) == [other, other / "gw0.json"]


def test_workers_on_a_terminal(project: GateProject) -> None:
    """Under `-n 2` on a terminal the line is redrawn beside xdist's own output, and is gone in the end."""
    pytest.importorskip("xdist")
    slow(project, 0.4)
    written = on_a_terminal(project, "-m", "wer", "-n", "2")
    assert re.search(r"\rasrgate [^\r\n\x1b]*utterances[^\r\n\x1b]*gate \d+/16[^\r\n\x1b]*\x1b\[K", written)
    assert [line for line in screen(written) if re.match(r"asrgate \w+::", line)] == []
    assert [line for line in screen(written) if re.match(r"\.\. +\[100%\]$", line)]


def test_dead_worker_does_no_harm(project: GateProject) -> None:
    """A worker that dies leaves its snapshot behind: the run goes on, and so do the lines of the others."""
    pytest.importorskip("xdist")
    slow(project, 0.4)
    project.pytester.makepyfile(
        conftest="""
        import os, threading, pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(item):
            if item.nodeid.endswith("f32::prompts"):
                threading.Timer(1.5, lambda: os._exit(1)).start()
            return (yield)
        """
    )
    result = project.run_apart("-m", "wer", "-n", "2", *EVERY)
    result.assert_outcomes(passed=1, failed=1)
    lines = told(result.outlines)
    assert [line for line in lines if line.startswith("asrgate q8_0::prompts")]
    assert not re.search(r"f32::prompts \d", lines[-1])
    assert left_over(project) == []


def test_workers_without_gate_items_start_nothing(project: GateProject) -> None:
    """A run that selected no item of the gate has no thread, no snapshot and no line."""
    pytest.importorskip("xdist")
    project.standard()
    project.pytester.makepyfile(
        test_other="def test_other(): pass",
        conftest="""
        import threading

        def pytest_sessionfinish():
            assert not [thread for thread in threading.enumerate() if thread.name == "asrgate_progress"]
        """,
    )
    result = project.run_apart("--asrgate", "-k", "test_other", "-n", "2", ".", *EVERY)
    result.assert_outcomes(passed=1)
    assert result.ret == 0
    assert told(result.outlines) == []
    assert not (project.root / ".asrgate").exists()
