"""Claims about early runs, from gate.toml to what is left undecoded."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_asrgate.statistics import stratified_order

from .conftest import LEAN, SENTENCES, SUPPORT, GateProject

SIZE = 120
TEXTS = {2000 + number: SENTENCES[number % len(SENTENCES)] for number in range(SIZE)}
GATE = """
[gate]
baseline = "f32"
{gate}
[transcriber.fake]
kind = "fake"
timeout_s = 5
[variant.f32]
model = "f32.json"
[variant.{name}]
model = "{name}.json"
[dataset.prompts]
manifest = "prompts/manifest.jsonl"
speakers = "none"
[thresholds]
non_inferiority = {margin}
errors = 0
"""


def _project(
    project: GateProject, name: str, texts: dict[int, object], gate: str = "", margin: float = 8.0
) -> None:
    project.dataset("prompts", list(TEXTS.values()), first=2000)
    project.model("f32", TEXTS, log=str(project.root / "f32.log"))
    project.model(name, texts, log=str(project.root / f"{name}.log"))
    project.gate(GATE.format(gate=gate, name=name, margin=margin))


def _clips(project: GateProject, variant: str) -> int:
    return sum("clip" in line for line in project.log(variant))


def _pair(path: Path, variant: str) -> dict[str, object]:
    return next(pair for pair in json.loads(path.read_text())["pairs"] if pair["variant"] == variant)


@pytest.mark.parametrize("how", ["stop_early = true", "--asrgate-early"])
def test_a_clear_pass_leaves_most_undecoded(project: GateProject, how: str) -> None:
    """Asked for by key or option, equal outputs pass at the first look, of both sides nothing more is decoded."""
    option = how.startswith("--")
    _project(project, "q8_0", dict(TEXTS), "" if option else how)
    report = project.root / "report.json"
    extra = [how] if option else []
    result = project.run("gate.toml::q8_0::prompts", "--asrgate-json", str(report), *extra)
    result.assert_outcomes(passed=1)
    assert (_clips(project, "f32"), _clips(project, "q8_0")) == (60, 60)
    entry = _pair(report, "q8_0")
    assert (entry["verdict"], entry["n"]) == ("PASS", 60)
    early = entry["early"]
    assert isinstance(early, dict)
    assert (early["look"], early["utterances"], early["total"], early["seed"]) == (1, 60, 120, 1)
    result.stdout.fnmatch_lines(
        [
            "q8_0 *PASS (early)",
            "q8_0 prompts: early, look 1 of 6: 60 of 120 utterances decoded (50 %)*an output that none *4.9 %",
        ]
    )
    result.stdout.fnmatch_lines(["early verdicts make nothing shippable, a full run does; *"])


def test_a_clear_loss_fails_early(project: GateProject) -> None:
    """A variant that hears nothing right fails at the first look."""
    _project(project, "q2", dict.fromkeys(TEXTS, "quite another sentence here"), "stop_early = true")
    project.run("-m", "wer").assert_outcomes(passed=1, failed=1)
    assert _clips(project, "q2") == 60
    # The baseline has no margin to decide: it is an item of its own, and decoded in full.
    assert _clips(project, "f32") == 120


def test_a_full_run_decodes_the_rest(project: GateProject) -> None:
    """What the early run decoded is found again by the full one, which transcribes only what is missing."""
    _project(project, "q8_0", dict(TEXTS))
    project.run("gate.toml::q8_0::prompts", "--asrgate-early").assert_outcomes(passed=1)
    result = project.run("gate.toml::q8_0::prompts")
    result.assert_outcomes(passed=1)
    assert (_clips(project, "f32"), _clips(project, "q8_0")) == (120, 120)
    result.stdout.fnmatch_lines(["transcribed 120 utterances now*"])
    result.stdout.no_fnmatch_line("*early*")


def test_an_early_run_repeats_itself(project: GateProject) -> None:
    """Run again, also after a full run, it takes the same looks in the same order and decodes nothing."""
    _project(project, "q8_0", dict(TEXTS))
    for options in (["--asrgate-early"], [], ["--asrgate-early"]):
        result = project.run("gate.toml::q8_0::prompts", *options)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*look 1 of 6: 60 of 120*", "transcribed nothing*"])


def test_another_seed_after_the_first_is_refused(project: GateProject) -> None:
    """A new seed until it passes voids the error rate, so the one on record stays."""
    _project(project, "q8_0", dict(TEXTS), "stop_early = true")
    project.run("gate.toml::q8_0::prompts").assert_outcomes(passed=1)
    project.gate(GATE.format(gate="stop_early = true\nearly_seed = 2", name="q8_0", margin=8.0))
    result = project.run("gate.toml::q8_0::prompts")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*ERROR: gate.early_seed is 2, and an early run of q8_0 against f32 on prompts was*"]
    )


def test_an_undecided_pair_decodes_everything(project: GateProject) -> None:
    """A margin that no look decides ends with all utterances, undecided, at the last look's boundary."""
    texts: dict[int, object] = dict(TEXTS)
    for clip in list(TEXTS)[::12]:
        texts[clip] = "something else was heard"
    _project(project, "q5_1", texts, "stop_early = true", margin=8.0)
    result = project.run("gate.toml::q5_1::prompts")
    result.assert_outcomes(failed=1)
    assert _clips(project, "q5_1") == 120
    result.stdout.fnmatch_lines(["*INCONCLUSIVE (early)", "*at look 6 of 6 (boundary 1.79*undecided*"])


def test_a_clip_that_failed_is_not_tried_at_every_look(project: GateProject) -> None:
    """An error row of the first look stands for the session; within its limit the rest goes on."""
    texts: dict[int, object] = dict(TEXTS)
    for clip in list(TEXTS)[::12]:
        texts[clip] = "something else was heard"
    crashing = next(iter(TEXTS))
    texts[crashing] = {"do": "raise"}
    _project(project, "q5_1", texts, "stop_early = true", margin=8.0)
    gate = (project.root / "gate.toml").read_text()
    project.gate(gate.replace("errors = 0", "errors = 1"))
    project.run("gate.toml::q5_1::prompts").assert_outcomes(failed=1)
    assert project.log("q5_1").count(f"q5_1 clip {crashing}") == 1
    assert _clips(project, "q5_1") == 120


def test_under_xdist_the_verdict_is_the_same(project: GateProject) -> None:
    """Workers take the option too."""
    _project(project, "q8_0", dict(TEXTS))
    result = project.run_apart("-m", "wer", "--asrgate-early", "-n", "2")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["q8_0 *PASS (early)"])


def test_another_order_after_the_first_is_refused(project: GateProject) -> None:
    """Speakers fix the order too: another assignment of them is another draw, and is refused as a seed is."""
    _project(project, "q8_0", dict(TEXTS), "stop_early = true")
    project.run("gate.toml::q8_0::prompts").assert_outcomes(passed=1)
    gate = (project.root / "gate.toml").read_text()
    project.gate(gate.replace('speakers = "none"', 'speakers = { regex = "(.)$" }'))
    result = project.run("gate.toml::q8_0::prompts")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ERROR: dataset.prompts.speakers now gives another order, and an early run of*"])


def test_a_baseline_that_is_decoded_further_keeps_its_own_counts(project: GateProject) -> None:
    """A variant judged early after another one had it decoded in full counts what is in its own part."""
    _project(project, "q8_0", dict(TEXTS), "stop_early = true")
    texts: dict[int, object] = dict(TEXTS)
    for clip in list(TEXTS)[::12]:
        texts[clip] = "something else was heard"
    project.model("a4", texts)
    gate = (project.root / "gate.toml").read_text()
    # `a4` stands first, so that it has its baseline q8_0 decoded in full before q8_0 itself is judged early.
    project.gate(
        gate.replace("[variant.q8_0]", '[variant.a4]\nmodel = "a4.json"\nbaseline = "q8_0"\n[variant.q8_0]')
    )
    report = project.root / "report.json"
    project.run("-m", "wer", "--asrgate-json", str(report))
    entry = _pair(report, "q8_0")
    assert (entry["n"], entry["transcribed"], entry["reused"]) == (60, 60, 0)
    assert (_pair(report, "a4")["n"], _clips(project, "q8_0")) == (120, 120)


def test_a_rate_near_its_limit_waits_for_the_whole_set(project: GateProject) -> None:
    """Errors that all lie in the second half of the order are not missed by a pass at the first half."""
    _project(project, "q8_0", dict(TEXTS), "stop_early = true", margin=30.0)
    gate = (project.root / "gate.toml").read_text()
    project.gate(gate.replace("errors = 0", "errors = 0\nwer = 5.0"))
    report = project.root / "report.json"
    project.run("gate.toml::q8_0::prompts", "--asrgate-json", str(report)).assert_outcomes(passed=1)
    assert int(str(_pair(report, "q8_0")["n"])) > 60


def test_a_small_set_is_a_full_run(project: GateProject) -> None:
    """Where there is but one look, nothing is early."""
    project.standard()
    result = project.run("-m", "wer", "--asrgate-early")
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*early*")


def test_a_killed_early_run_goes_on_in_its_order(project: GateProject) -> None:
    """After a SIGKILL the rerun decodes what is missing, in the order that was begun with, and decides the same."""
    _project(project, "q8_0", dict(TEXTS), "stop_early = true")
    project.model("f32", TEXTS, log=str(project.root / "f32.log"), seconds=0.05)
    environment = {**os.environ, "PYTHONPATH": str(SUPPORT)}
    command = [sys.executable, "-m", "pytest", *LEAN, "-p", "asrgate_fake", "gate.toml::q8_0::prompts"]
    running = subprocess.Popen(command, cwd=project.root, env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while _clips(project, "f32") < 20 and time.monotonic() < deadline:
        time.sleep(0.02)
    running.kill()
    running.wait(30)
    assert 20 <= _clips(project, "f32") < 60
    result = project.run("gate.toml::q8_0::prompts")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*early, look 1 of 6: 60 of 120*"])
    clips = [int(line.split()[-1]) for line in project.log("f32") if "clip" in line]
    # Only the clip in hand when the run was killed may have been asked for twice.
    assert len(clips) - len(set(clips)) <= 1
    order = stratified_order([f"prompts-{place}" for place in range(SIZE)], None, 1)
    assert list(dict.fromkeys(clips)) == [2000 + place for place in order[:60]]
