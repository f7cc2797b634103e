"""One pair on several model processes of this machine."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from .conftest import LEAN, SENTENCES, GateProject, left_over

MANY = [f"{sentence} number {number}" for number in range(5) for sentence in SENTENCES]


def _project(project: GateProject, extra: str = "", **content: object) -> None:
    """Forty clips, a baseline and a variant that has one word wrong."""
    project.standard(extra=extra)
    project.dataset("prompts", MANY)
    right = {1600 + number: sentence for number, sentence in enumerate(MANY)}
    project.model("f32", right, log=str(project.root / "f32.log"), **content)
    project.model("q8_0", {**right, 1600: "please"}, log=str(project.root / "q8_0.log"), **content)


def _artifact(project: GateProject, variant: str) -> list[dict[str, object]]:
    path = project.root / ".asrgate" / "reports" / "wer" / f"{variant}.prompts-timestamps_none.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: value for key, value in row.items() if not key.endswith("_ms")} for row in rows]


def _report(project: GateProject) -> dict[str, object]:
    found = json.loads((project.root / "report.json").read_text())
    del found["gate"]["made"]
    for pair in found["pairs"]:
        for key in [key for key in pair if key.endswith("_ms")]:
            del pair[key]
        for utterance in pair["utterances"]:
            for key in [key for key in utterance if key.endswith("_ms")]:
                del utterance[key]
    return dict(found)


def _clear(project: GateProject) -> None:
    for name in ("store.sqlite", "store.sqlite-wal", "store.sqlite-shm"):
        (project.root / ".asrgate" / name).unlink(missing_ok=True)
    for variant in ("f32", "q8_0"):
        (project.root / f"{variant}.log").unlink(missing_ok=True)


def test_the_number_of_workers_changes_nothing(project: GateProject) -> None:
    """One, two and three workers give one report and the same bytes of hypotheses; each loads its model once."""
    _project(project, seconds=0.01)
    found = []
    for number in (1, 2, 3):
        _clear(project)
        result = project.run("-m", "wer", "--asrgate-workers", str(number), "--asrgate-json", "report.json")
        result.assert_outcomes(passed=2)
        found.append((_report(project), _artifact(project, "f32"), _artifact(project, "q8_0")))
        for variant in ("f32", "q8_0"):
            log = project.log(variant)
            assert log.count(f"{variant} load") == number
            assert len(log) == number + len(MANY)
    assert found[0] == found[1] == found[2]


def test_workers_of_the_gate_file_decode_side_by_side(project: GateProject) -> None:
    """`executor.workers = 2`: both processes are at work at once, and the summary counts all their utterances."""
    _project(project, extra="[executor]\nworkers = 2", seconds=0.02, log_process=True)
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["transcribed 80 utterances now; *"])
    workers = [line.split()[-1] for line in project.log("f32") if " clip " in line]
    assert len(set(workers)) == 2
    changes = sum(one != other for one, other in pairwise(workers))
    assert changes > 5


def test_devices_are_dealt_in_turn(project: GateProject) -> None:
    """Each worker sees one of the devices, through the variable of its kind."""
    extra = '[executor]\nworkers = 3\ndevices = ["cuda:0", "cuda:5"]'
    _project(project, extra=extra, seconds=0.02, log_variable="CUDA_VISIBLE_DEVICES")
    project.run("-m", "wer", "-k", "f32").assert_outcomes(passed=1)
    loads = [line.split()[-1] for line in project.log("f32") if " load " in line]
    assert sorted(loads) == ["0", "0", "5"]


def test_one_clip_that_kills_its_engine_costs_one_row(project: GateProject) -> None:
    """A crash in one of two workers is one error row; what both decoded stays and is not decoded again."""
    _project(project, seconds=0.01)
    right = {1600 + number: sentence for number, sentence in enumerate(MANY)}
    project.model("f32", {**right, 1610: {"do": "crash"}}, log=str(project.root / "f32.log"))
    result = project.run("-m", "wer", "-k", "f32", "--asrgate-workers", "2")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*prompts-10*SIGSEGV*"])
    (project.root / "f32.log").unlink()
    project.run("-m", "wer", "-k", "f32", "--asrgate-workers", "2").assert_outcomes(failed=1)
    clips = [line for line in project.log("f32") if "clip" in line]
    assert clips == ["f32 clip 1610"]


def test_a_model_that_does_not_load_ends_the_pair(project: GateProject) -> None:
    """One sentence, though several workers failed."""
    _project(project)
    project.model("q8_0", {}, load="fail")
    result = project.run("-m", "wer", "--asrgate-workers", "3")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*q8_0.json: the fake model refuses to load*"])


def test_bad_neighbours_give_one_verdict(project: GateProject) -> None:
    """Five crashes in a row cost five rows with one worker and with two: the same report, within the limit."""
    _project(project, extra="errors = 5")
    right = {1600 + number: sentence for number, sentence in enumerate(MANY)}
    crashes = {1600 + number: {"do": "exit"} for number in range(8, 13)}
    project.model("f32", {**right, **crashes}, log=str(project.root / "f32.log"))
    found = []
    for number in (1, 2):
        _clear(project)
        arguments = ("-m", "wer", "-k", "f32", "--asrgate-workers", str(number), "--asrgate-json", "report.json")
        project.run(*arguments).assert_outcomes(passed=1)
        found.append((_report(project), _artifact(project, "f32")))
        assert sum("clip" in line for line in project.log("f32")) == len(MANY)
    assert found[0] == found[1]


def test_who_waited_for_a_baseline_loads_no_model_for_it(project: GateProject) -> None:
    """Two xdist workers want the baseline: one decodes it, the other finds it stored and starts nothing."""
    pytest.importorskip("xdist")
    _project(project, seconds=0.05)
    project.run_apart("-m", "wer", "-n", "2").assert_outcomes(passed=2)
    assert project.log("f32").count("f32 load") == 1
    assert sum("clip" in line for line in project.log("f32")) == len(MANY)


def test_an_idle_engine_of_a_fixture_keeps_nobody_waiting(project: GateProject) -> None:
    """One place, two xdist workers: who used the fixture and has nothing more to do gives its model up."""
    pytest.importorskip("xdist")
    _project(project, extra="[executor]\nworkers = 1", seconds=0.02)
    test = "def test_beside(asrgate):\n    assert asrgate.hypotheses('f32', 'prompts')\n"
    (project.root / "test_beside.py").write_text(test)
    arguments = ("-n", "2", "--dist", "loadfile", "gate.toml::q8_0", "test_beside.py")
    result = project.run_apart(*arguments)
    result.assert_outcomes(passed=2)


def test_a_broken_engine_is_given_up(project: GateProject) -> None:
    """Where every clip fails, each worker tries five, and the rest are not tried at all."""
    _project(project)
    project.model("f32", {1600 + n: {"do": "exit"} for n in range(len(MANY))}, log=str(project.root / "f32.log"))
    result = project.run("-m", "wer", "-k", "f32", "--asrgate-workers", "2")
    result.assert_outcomes(failed=1)
    assert sum("clip" in line for line in project.log("f32")) <= 20


@pytest.mark.parametrize("number", ["0", "two", "1025"])
def test_a_wrong_number_of_workers_is_a_usage_error(project: GateProject, number: str) -> None:
    """The sentence names the option and what would be right."""
    _project(project)
    result = project.run_apart("-m", "wer", f"--asrgate-workers={number}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--asrgate-workers: must be a whole number of 1 to 1024, not '{number}'*"])


def test_ctrl_c_ends_all_workers_and_keeps_their_rows(project: GateProject) -> None:
    """SIGINT in the middle: the run ends at once, no process is left, and the rerun decodes what is missing."""
    pytest.importorskip("xdist")
    _project(project, seconds=0.1)
    command = [sys.executable, "-m", "pytest", *LEAN, "-p", "asrgate_fake", "-m", "wer", "--asrgate-workers", "2"]
    marker = f"asrgate-test-{os.getpid()}-{time.monotonic_ns()}"
    log = project.root / "f32.log"
    # A shell that runs the tests in the background ignores SIGINT, and children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            command, cwd=project.root, env={**os.environ, "MARKER": marker}, stdout=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        deadline = time.monotonic() + 60
        while not log.exists() or log.read_text().count("clip") < 10:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == pytest.ExitCode.INTERRUPTED, output
    assert left_over(marker) == []
    before = log.read_text().count("clip")
    assert before < len(MANY)
    result = project.run("-m", "wer", "-k", "f32", "--asrgate-workers", "2")
    result.assert_outcomes(passed=1)
    # Each of the two workers may have begun a clip that it could not finish.
    assert len(MANY) <= log.read_text().count("clip") <= len(MANY) + 2


def test_a_number_of_workers_holds_over_xdist_processes(project: GateProject) -> None:
    """`-n 2` with two workers configured: never more than two model processes at once on this machine."""
    pytest.importorskip("xdist")
    _project(project, seconds=0.02, count_alive=True)
    result = project.run_apart("-m", "wer", "-n", "2", "--asrgate-workers", "2", "--dist", "load")
    result.assert_outcomes(passed=2)
    alive_at_once = [int(line.split()[-1]) for v in ("f32", "q8_0") for line in project.log(v) if " load " in line]
    assert max(alive_at_once) <= 2
    assert sum(" clip " in line for v in ("f32", "q8_0") for line in project.log(v)) == 2 * len(MANY)


def test_keys_that_contradict_each_other(project: GateProject, tmp_path: Path) -> None:
    """[executor] names each key that would be read and ignored."""
    _project(project, extra='[executor]\naddress = "tcp://127.0.0.1:1"\nretries = 1')
    result = project.run("-m", "wer")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        ['*executor.address: means something with kind = "dask" only*', "*executor.retries: means something*"]
    )
