"""A run that collects no gate costs nothing."""

import json

import pytest

from tests.integration.conftest import LEAN, GateProject

HEAVY = [
    "numpy",
    "scipy",
    "jiwer",
    "pydantic",
    "litellm",
    "soundfile",
    "whisper_normalizer",
    "filelock",
    "dask",
    "jinja2",
]


@pytest.fixture
def watched(project: GateProject) -> GateProject:
    """A project whose only test writes down which modules were imported by then."""
    project.standard()
    project.pytester.makepyfile(
        test_imports="import sys, json, pathlib\n\ndef test_imports():\n"
        "    pathlib.Path('modules.json').write_text(json.dumps(sorted(sys.modules)))\n"
    )
    return project


def _modules(project: GateProject) -> set[str]:
    return set(json.loads((project.root / "modules.json").read_text()))


@pytest.mark.parametrize("arguments", [[], ["-m", "not wer"], ["test_imports.py"], ["-k", "imports"]])
def test_run_without_a_gate_imports_and_prints_nothing(watched: GateProject, arguments: list[str]) -> None:
    """Without a gate asked for, none of the heavy libraries nor our own rooms are imported, and nothing is said."""
    result = watched.pytester.runpytest_subprocess(*LEAN, *arguments, "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    modules = _modules(watched)
    assert not modules & set(HEAVY)
    ours = {name for name in modules if name.startswith("pytest_asrgate")}
    assert ours == {"pytest_asrgate", "pytest_asrgate.plugin", "pytest_asrgate.plugin.selection"}
    spoken = [
        line for line in result.stdout.lines if "asrgate" in line and not line.startswith(("rootdir", "plugins"))
    ]
    assert spoken == []


def test_broken_gate_file_stops_nobody_else(watched: GateProject) -> None:
    """A gate file that is no TOML is not even read by a run that does not ask for it."""
    watched.gate("this is no TOML")
    watched.pytester.runpytest_subprocess(*LEAN, "-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_disabled_plugin_leaves_the_project_usable(watched: GateProject) -> None:
    """`-p no:asrgate` works, since nothing in the project's own settings names us."""
    result = watched.pytester.runpytest_subprocess(*LEAN, "-p", "no:asrgate", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)


_WATCH = """
import json, pathlib, sys

def pytest_unconfigure():
    rooms = ("pytest_asrgate.semantic", "pytest_asrgate.intent", "pytest_asrgate.judge", "litellm")
    found = sorted(name for name in sys.modules if f"{name}.".startswith(tuple(f"{room}." for room in rooms)))
    pathlib.Path("rooms.json").write_text(json.dumps(found))
"""


@pytest.mark.parametrize("judge", ["", '[judge]\nmodel = "openai/some-model"\n'])
def test_gate_without_judged_scores_imports_no_judge(project: GateProject, judge: str) -> None:
    """Where no data set buys a judged score, a run of the gate loads neither the rules of meaning nor a judge."""
    project.standard(extra=judge)
    project.pytester.makeconftest(_WATCH)
    project.run_apart("-m", "wer", "-v", "--asrgate-json", "report.json").assert_outcomes(passed=2)
    assert json.loads((project.root / "rooms.json").read_text()) == []


@pytest.mark.parametrize("score", ["semantic", "intent"])
def test_gate_judged_by_rules_imports_no_judge(project: GateProject, score: str) -> None:
    """Rules alone need neither the judge with its cassette, nor litellm."""
    project.standard()
    gate = (project.root / "gate.toml").read_text()
    project.gate(gate.replace('speakers = "none"', f'speakers = "none"\n            judged = ["{score}"]'))
    project.pytester.makeconftest(_WATCH)
    project.run_apart("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=2)
    found = set(json.loads((project.root / "rooms.json").read_text()))
    assert f"pytest_asrgate.{score}.score" in found
    assert {name for name in found if name.startswith(("pytest_asrgate.judge", "litellm"))} == {
        "pytest_asrgate.judge",
        "pytest_asrgate.judge.answers",
        "pytest_asrgate.judge.judging",
        "pytest_asrgate.judge.task",
    }
    assert score == "intent" or not any(name.startswith("pytest_asrgate.intent") for name in found)
