"""A run that collects no gate costs nothing."""

import json

import pytest

from tests.integration.conftest import GateProject

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
    result = watched.pytester.runpytest_subprocess(*arguments, "-p", "no:cacheprovider")
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
    watched.pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_disabled_plugin_leaves_the_project_usable(watched: GateProject) -> None:
    """`-p no:asrgate` works, since nothing in the project's own settings names us."""
    watched.pytester.runpytest_subprocess("-p", "no:asrgate", "-p", "no:cacheprovider").assert_outcomes(passed=1)
