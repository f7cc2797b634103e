"""The gate under pytest-xdist."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.conftest import LEAN, SENTENCES, SUPPORT, GateProject, left_over

pytest.importorskip("xdist")


def test_same_result_as_without(project: GateProject) -> None:
    """`-n 2` gives the same table, JSON and exit code, and the baseline is transcribed once."""
    project.standard(thresholds="wer_delta = 1.0")
    result = project.run_apart("-m", "wer", "-n", "2", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["q8_0 on prompts against f32: FAIL", "f32 *baseline", "q8_0 *+2.04*FAIL", "transcribed 16 utterances now*"]
    )
    assert len([line for line in project.log("f32") if "clip" in line]) == len(SENTENCES)
    report = json.loads((project.root / "report.json").read_text())
    assert [(pair["variant"], pair["verdict"]) for pair in report["pairs"]] == [("f32", "PASS"), ("q8_0", "FAIL")]


def test_broken_gate_file_is_exit_2(project: GateProject) -> None:
    """Workers that cannot read the gate file end the run as without xdist."""
    project.standard()
    project.gate("this is no TOML")
    result = project.run_apart("-m", "wer", "-n", "2")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*TOML syntax*"])


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for orphans in /proc")
def test_killed_controller_leaves_no_worker(project: GateProject) -> None:
    """When the controller is killed outright, workers and engines end within moments, not with the item."""
    project.standard()
    project.model(
        "f32", {1600 + n: text for n, text in enumerate(SENTENCES)}, seconds=20, log=str(project.root / "f32.log")
    )
    marker = f"ASRGATE_TEST_MARK={project.root}"
    environment = {**os.environ, "PYTHONPATH": str(SUPPORT), "ASRGATE_TEST_MARK": str(project.root)}
    command = [sys.executable, "-m", "pytest", *LEAN, "-p", "asrgate_fake", "gate.toml", "-n", "2"]
    running = subprocess.Popen(command, cwd=project.root, env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not project.log("f32") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert project.log("f32"), "the engine never started"
    running.kill()
    running.wait(10)
    assert left_over(marker) == []
