"""What is finished stays finished: reruns, last failed, exit first, kills."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.conftest import LEAN, SENTENCES, SUPPORT, GateProject, left_over


def test_second_run_transcribes_nothing_and_says_so(project: GateProject) -> None:
    """A rerun reuses every hypothesis, loads no model, and says that it transcribed nothing."""
    project.standard()
    first = project.run("-m", "wer")
    first.stdout.fnmatch_lines(["transcribed 16 utterances now*"])
    loads = project.log("f32") + project.log("q8_0")
    second = project.run("-m", "wer")
    second.assert_outcomes(passed=2)
    second.stdout.fnmatch_lines(["transcribed nothing: all 16 hypotheses were there already (.asrgate)"])
    assert project.log("f32") + project.log("q8_0") == loads


def test_changed_model_recipe_or_audio_is_transcribed_anew(project: GateProject) -> None:
    """Another model, recipe or clip is other content; only what changed is transcribed."""
    project.standard()
    project.run("-m", "wer")
    project.model("q8_0", {1600: "something else"}, log=str(project.root / "q8_0.log"))
    project.run("-m", "wer", "-k", "q8_0").stdout.fnmatch_lines(["transcribed 8 utterances now*"])
    (project.root / "prompts" / "1.wav").write_bytes((project.root / "prompts" / "0.wav").read_bytes())
    # The clip is now the same audio as another one: nothing new to hear.
    project.run("-m", "wer").stdout.fnmatch_lines(["transcribed nothing*"])
    project.gate((project.root / "gate.toml").read_text() + "\n[recipe]\nseed = 2\n")
    project.run("-m", "wer").stdout.fnmatch_lines(["transcribed 14 utterances now*"])


def test_last_failed_runs_the_failed_pair_alone(project: GateProject) -> None:
    """`--lf` runs only the pair that failed."""
    project.standard(thresholds="wer_delta = 1.0")
    run = project.pytester.runpytest
    run("-p", "asrgate_fake", "-m", "wer").assert_outcomes(passed=1, failed=1)
    again = run("-p", "asrgate_fake", "-m", "wer", "--lf", "-v")
    again.assert_outcomes(failed=1)
    again.stdout.fnmatch_lines(["*gate.toml::q8_0::prompts FAILED*"])


def test_exit_first_stops_and_still_prints_the_table(project: GateProject) -> None:
    """`-x` ends at the first failure; what was judged is in the table."""
    project.standard(thresholds="wer = 1.0")
    project.gate(
        (project.root / "gate.toml")
        .read_text()
        .replace("[variant.f32]", "[variant.a]\nmodel='q8_0.json'\n[variant.f32]")
    )
    result = project.run("-m", "wer", "-x")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["a * prompts *FAIL"])


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for orphans in /proc")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_run_keeps_finished_utterances_and_leaves_no_process(
    project: GateProject, sent: signal.Signals
) -> None:
    """Whatever ends pytest in the middle of an item: no orphan, and a rerun does only what was not finished."""
    project.standard()
    right = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
    project.model("f32", {**right, 1604: {"do": "hang"}}, log=str(project.root / "f32.log"))
    project.gate((project.root / "gate.toml").read_text().replace("timeout_s = 5", "timeout_s = 120"))
    marker = f"ASRGATE_TEST_MARK={project.root}"
    environment = {**os.environ, "PYTHONPATH": str(SUPPORT), "ASRGATE_TEST_MARK": str(project.root)}
    command = [sys.executable, "-m", "pytest", *LEAN, "-p", "asrgate_fake", "gate.toml::f32::prompts"]
    # A shell that runs the tests in the background ignores SIGINT, and children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        running = subprocess.Popen(command, cwd=project.root, env=environment, stdout=subprocess.DEVNULL)
    finally:
        signal.signal(signal.SIGINT, before)
    deadline = time.monotonic() + 60
    while "f32 clip 1604" not in project.log("f32") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "f32 clip 1604" in project.log("f32"), "the run never came to the clip that hangs"
    running.send_signal(sent)
    running.wait(30)
    assert left_over(marker) == []
    asked = len(project.log("f32"))
    # The model file's bytes are the engine's identity, so the hang is taken away without touching them.
    (project.root / "prompts" / "4.wav").write_bytes((project.root / "prompts" / "3.wav").read_bytes())
    project.run("gate.toml::f32::prompts").stdout.fnmatch_lines(["transcribed 3 utterances now*"])
    assert project.log("f32")[asked:] == ["f32 load", "f32 clip 1605", "f32 clip 1606", "f32 clip 1607"]
