"""Workers of pytest-xdist that are killed outright: what that costs, and what it does not."""

import json
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate import report_schema
from tests.integration.conftest import SENTENCES, GateProject
from tests.integration.distributed import LOGGED, MODES, PAIRS, clips, make, ran, workers_of

pytest.importorskip("xdist")

# q8_0::prompts kills its worker whenever it runs, and so does one of the other tests; f32::prompts is killed while
# its engine works; q4_0::digits, which is expected to fail, after its verdict.
DEADLY = (
    LOGGED
    + """
    die(item.nodeid)

import signal, threading, time

def kill(): os.kill(os.getpid(), signal.SIGKILL)

def wait_and_kill():
    while (ROOT / "f32.log").read_text().count("clip") < 2:
        time.sleep(0.01)
    kill()

def die(nodeid):
    if nodeid == "gate.toml::q8_0::prompts" or "TestTwo::test_it[1]" in nodeid:
        kill()
    if nodeid == "gate.toml::f32::prompts":
        (ROOT / "f32.log").touch()
        threading.Thread(target=wait_and_kill).start()

def pytest_runtest_teardown(item):
    if item.nodeid == "gate.toml::q4_0::digits":
        kill()
"""
)


@pytest.mark.parametrize("mode", MODES)
def test_a_death_costs_its_item_and_nothing_else(project: GateProject, mode: str) -> None:
    """In every mode each killed item is one ERROR, never run again, and all others pass.

    Finished utterances are kept, a dead worker's other datasets run elsewhere, and the ERROR overrules what was
    reported before and what was expected.
    """
    make(project, {"f32": 0.1})
    project.pytester.makeconftest(DEADLY)
    options = ("--dist", mode, "--asrgate-json", "report.json", "--junit-xml", "junit.xml")
    result = project.run_apart("--asrgate", "-n", "2", *options)
    # The other test; two pairs; the third had been reported already as an expected failure.
    result.assert_outcomes(passed=11, failed=3, xfailed=1, errors=1)
    names = [name for name, _ in ran(project)]
    assert len(names) == len(set(names)) == 15
    assert len(workers_of(project, "::q8_0::")) == 2

    report = json.loads((project.root / "report.json").read_text())
    Draft202012Validator(report_schema()).validate(report)
    verdicts = {(pair["variant"], pair["dataset"]): pair for pair in report["pairs"]}
    dead = [("q8_0", "prompts"), ("f32", "prompts"), ("q4_0", "digits")]
    assert list(verdicts) == PAIRS
    assert [key for key, pair in verdicts.items() if pair["verdict"] == "ERROR"] == dead
    assert {pair["verdict"] for key, pair in verdicts.items() if key not in dead} == {"PASS"}
    for key in dead:
        assert "died in the middle of this pair" in verdicts[key]["reason"]
    result.stdout.fnmatch_lines(["q8_0 on prompts: ERROR: the xdist worker gw* died in the middle of this pair; *"])
    result.stdout.fnmatch_lines(
        ["q4_0 * digits *ERROR (expected FAIL)", "q8_0 prompts: the xdist worker gw* died *"]
    )
    # Two clips had been decoded when f32's worker died, or one and a half.
    assert len(clips(project, "f32")) <= 9
    assert len(set(clips(project, "f32"))) == 8

    found = {}
    for case in ElementTree.parse(project.root / "junit.xml").getroot().iter("testcase"):  # noqa: S314 - our own file
        told = {each.get("name"): each.get("value") for each in case.iter("property")}
        if any("died in the middle" in (part.text or "") for part in case if part.tag in {"failure", "error"}):
            found[told["asrgate_variant"], told["asrgate_dataset"]] = told["asrgate_verdict"]
    assert found == dict.fromkeys(dead, "ERROR")


def test_enough_is_enough(project: GateProject) -> None:
    """At the cap of restarts the run ends, and a pair that nobody came to is an ERROR that says so."""
    make(project)
    project.pytester.makeconftest(LOGGED + "    os.kill(os.getpid(), 9)\n")
    options = (
        "--tx",
        "2*popen",
        "--dist",
        "loadscope",
        "--max-worker-restart",
        "1",
        "--asrgate-json",
        "report.json",
    )
    result = project.run_apart("gate.toml", *options)
    result.assert_outcomes(failed=6)
    result.stdout.fnmatch_lines(["*maximum crashed workers reached: 1*"])
    report = json.loads((project.root / "report.json").read_text())
    reasons = [pair["reason"] for pair in report["pairs"]]
    assert {pair["verdict"] for pair in report["pairs"]} == {"ERROR"}
    assert sum("died in the middle" in reason for reason in reasons) == len(ran(project)) >= 2
    assert sum("not run: xdist ended the run" in reason for reason in reasons) == 6 - len(ran(project)) >= 1


def test_many_variants(project: GateProject) -> None:
    """With more variants than workers, those whose every item kills its worker leave all others their verdicts."""
    project.dataset("prompts", SENTENCES[:2])
    names = [f"v{number}" for number in range(8)]
    for name in names:
        texts = {1600 + number: sentence for number, sentence in enumerate(SENTENCES[:2])}
        project.model(name, texts, log=str(project.root / f"{name}.log"))
    project.gate(
        "[gate]\nbaseline = 'v7'\n[transcriber.fake]\nkind = 'fake'\n"
        + "".join(f"[variant.{name}]\nmodel = '{name}.json'\n" for name in names)
        + "[dataset.prompts]\nmanifest = 'prompts/manifest.jsonl'\nspeakers = 'none'\n[thresholds]\nwer = 5.0\n"
    )
    project.pytester.makeconftest(
        LOGGED + "    if '::v2::' in item.nodeid or '::v5::' in item.nodeid: os.abort()\n"
    )
    result = project.run_apart("-m", "wer", "-n", "2", "--dist", "loadscope")
    result.assert_outcomes(passed=6, failed=2)
    assert sorted(name for name, _ in ran(project)) == [f"gate.toml::{name}::prompts" for name in names]
    assert [project.log(name).count(f"{name} load") for name in names] == [1, 1, 0, 1, 1, 0, 1, 1]
