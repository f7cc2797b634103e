"""Who runs what under the modes of pytest-xdist."""

import shutil
from typing import Any

import pytest

from tests.integration.conftest import GateProject
from tests.integration.distributed import (
    DATASETS,
    MODES,
    PAIRS,
    VARIANTS,
    clips,
    make,
    pairs,
    ran,
    summary,
    workers_of,
)

pytest.importorskip("xdist")


# Table and pairs of a run without xdist, made once for all modes.
_PLAIN: dict[str, Any] = {}


def _plain(project: GateProject) -> tuple[list[str], list[dict[str, Any]]]:
    if not _PLAIN:
        result = project.run("--asrgate", "--asrgate-json", "plain.json")
        result.assert_outcomes(passed=14, xfailed=1)
        _PLAIN.update(table=summary(result), pairs=pairs(project.root / "plain.json"))
        shutil.rmtree(project.root / ".asrgate")
        for log in project.root.glob("*.log"):
            log.unlink()
    return _PLAIN["table"], _PLAIN["pairs"]


@pytest.mark.parametrize("mode", MODES)
def test_a_mixed_run(project: GateProject, mode: str) -> None:
    """In every mode each item runs once, a variant on one worker, and table and JSON are those of a plain run.

    Other people's classes and files stay together where the mode says so.
    """
    make(project)
    table, judged = _plain(project)
    result = project.run_apart("--asrgate", "-n", "2", "--dist", mode, "--asrgate-json", "report.json")
    result.assert_outcomes(passed=14, xfailed=1)
    result.stdout.fnmatch_lines(["2 workers [[]15 items]*"])
    assert summary(result) == table
    assert pairs(project.root / "report.json") == judged
    names = [name for name, _ in ran(project)]
    assert len(names) == len(set(names)) == 15
    for variant in VARIANTS:
        assert len(workers_of(project, f"::{variant}::")) == 1
        assert len(clips(project, variant)) == len(set(clips(project, variant))) == 4 * len(DATASETS)
    for variant in ("q8_0", "q4_0"):
        # A worker that waits for the baseline, which another one makes, gives its idle model up meanwhile.
        assert 1 <= project.log(variant).count(f"{variant} load") <= len(DATASETS)
    # Not loadgroup: with pytest 9.2.0, xdist 3.8.0 itself leaves its groups unmarked; unit tests have groups.
    together = {"loadscope": ["TestOne", "TestTwo", "test_alone"], "loadfile": ["test_others"]}
    for part in together.get(mode, []):
        assert len(workers_of(project, part)) == 1


@pytest.mark.parametrize("mode", ["load", "worksteal"])
def test_a_variant_loads_once(project: GateProject, mode: str) -> None:
    """Where no worker must wait for another's baseline, a variant's model is loaded once for all its items."""
    make(project)
    project.run("--asrgate", "-k", "f32").assert_outcomes(passed=2, deselected=13)
    result = project.run_apart("--asrgate", "-n", "2", "--dist", mode)
    result.assert_outcomes(passed=14, xfailed=1)
    for variant in VARIANTS:
        assert project.log(variant).count(f"{variant} load") == 1


def test_restarts_are_capped_without_n(project: GateProject) -> None:
    """With `--tx` alone xdist would start a dying worker again for ever; a run with a gate has the cap of `-n`."""
    make(project)
    options = ("--tx", "2*popen", "--tx", "popen", "--dist", "load")
    assert project.pytester.parseconfigure("--asrgate", *options).option.maxworkerrestart == "12"
    own = project.pytester.parseconfigure("--asrgate", *options, "--max-worker-restart", "2")
    assert own.option.maxworkerrestart == "2"
    assert project.pytester.parseconfigure(*options).option.maxworkerrestart is None


def test_each_is_refused(project: GateProject) -> None:
    """`--dist each` with a gate is one sentence and exit 4, before any worker starts."""
    make(project)
    result = project.run("--asrgate", "-n", "2", "--dist", "each")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --dist each runs every item on every worker, * choose another mode, *"])
    result.stdout.no_fnmatch_line("*worker*")


def test_each_is_left_alone_without_a_gate(project: GateProject) -> None:
    """Beside a gate file that the run does not ask for, `--dist each` does what it always did."""
    make(project)
    result = project.run_apart("-n", "2", "--dist", "each", "test_others.py")
    result.assert_outcomes(passed=18)


def test_no_item_of_the_gate_is_left(project: GateProject) -> None:
    """Where the gate was asked for and nothing of it was selected, the other tests run as ever."""
    make(project)
    result = project.run_apart("--asrgate", "-n", "2", "--dist", "loadscope", "-k", "test_others", "-v")
    result.assert_outcomes(passed=9)
    assert len(ran(project)) == 9


def test_what_a_fixture_leaves_behind_is_reported(project: GateProject) -> None:
    """A session fixture that fails at the very end is an error of the run, and the worker ends in order."""
    make(project)
    project.pytester.makepyfile(
        test_others="""
        import pytest

        @pytest.fixture(scope="session")
        def broken():
            yield
            raise ValueError("left the tap open")

        def test_it(broken): pass
        """
    )
    result = project.run_apart("--asrgate", "-n", "1", "-k", "test_it or f32")
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["*ValueError: left the tap open"])
    result.stdout.no_fnmatch_line("*crashed*")


def test_the_first_failure_can_end_the_run(project: GateProject) -> None:
    """With `-x` what was not run stays unreported, as in any run that was told to stop."""
    make(project)
    project.model("f32", {}, load="fail")
    result = project.run_apart("gate.toml", "-n", "2", "-x", "--asrgate-json", "report.json")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    judged = pairs(project.root / "report.json")
    assert 0 < len(judged) < len(PAIRS)
    assert all("not run" not in pair["reason"] for pair in judged)
