"""When the gate is collected, and when a run is left entirely alone."""

from pathlib import Path

import pytest

from tests.integration.conftest import GateProject


@pytest.fixture
def ready(project: GateProject) -> GateProject:
    """The standard gate beside one ordinary test, in a project whose testpaths do not name the gate."""
    project.standard()
    project.pytester.makepyfile(test_other="def test_other(): pass")
    project.pytester.makeini("[pytest]\ntestpaths = .\n")
    return project


def test_bare_run_leaves_the_gate_alone(ready: GateProject) -> None:
    """A bare `pytest` collects no gate and prints nothing of ours."""
    result = ready.run("-v")
    result.assert_outcomes(passed=1)
    assert "gate" not in result.stdout.str().replace("asrgate-", "").split("collected", 1)[1]


def test_marker_expression_runs_the_gate(ready: GateProject) -> None:
    """`-m wer` runs every pair, and only the pairs."""
    result = ready.run("-m", "wer", "-v")
    result.assert_outcomes(passed=2, deselected=1)
    result.stdout.fnmatch_lines(["*gate.toml::f32::prompts PASSED*", "*gate.toml::q8_0::prompts PASSED*"])


def test_testpaths_elsewhere_do_not_matter(ready: GateProject) -> None:
    """`-m wer` runs the gate also where testpaths names another folder."""
    ready.pytester.mkdir("elsewhere")
    ready.pytester.makeini("[pytest]\ntestpaths = elsewhere\n")
    ready.run("-m", "wer").assert_outcomes(passed=2)


@pytest.mark.parametrize("expression", ["not wer", "slow", "not slow"])
def test_other_expressions_do_not(ready: GateProject, expression: str) -> None:
    """An expression that does not select by `wer` collects no gate."""
    result = ready.run("-m", expression, "--collect-only", "-q")
    assert "gate.toml" not in result.stdout.str()


def test_node_id_beats_a_negative_expression(ready: GateProject) -> None:
    """A node id of the gate collects just its item, whatever `-m` then deselects."""
    ready.run("gate.toml::q8_0::prompts").assert_outcomes(passed=1)
    result = ready.run("gate.toml::q8_0::prompts", "-m", "not wer")
    result.assert_outcomes(deselected=1)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_node_id_with_the_marker_runs_that_item_alone(ready: GateProject) -> None:
    """A node id beside `-m wer` does not bring in the rest of the gate."""
    ready.run("gate.toml::q8_0::prompts", "-m", "wer").assert_outcomes(passed=1)


def test_path_runs_the_gate(ready: GateProject) -> None:
    """The gate file's path runs all pairs."""
    ready.run("gate.toml").assert_outcomes(passed=2)


def test_path_and_folder_together_run_each_pair_once(ready: GateProject) -> None:
    """A folder above the gate file and `-m wer` do not run a pair twice."""
    ready.run(".", "-m", "wer").assert_outcomes(passed=2, deselected=1)


def test_option_runs_the_gate_beside_other_tests(ready: GateProject) -> None:
    """`--asrgate` adds the gate to what would run anyway."""
    ready.run("--asrgate").assert_outcomes(passed=3)


def test_keyword_selects_a_pair(ready: GateProject) -> None:
    """`-k` works on the names of variants and datasets."""
    ready.run("-m", "wer", "-k", "q8_0 and prompts").assert_outcomes(passed=1, deselected=2)


def test_collect_only_touches_nothing(ready: GateProject) -> None:
    """`--collect-only` lists the tree without a state folder coming to be."""
    result = ready.run("-m", "wer", "--collect-only")
    result.stdout.fnmatch_lines(["*<GateFileNode gate.toml>", "*<VariantNode f32>", "*<DatasetItem prompts>"])
    assert not (ready.root / ".asrgate").exists()


def test_subfolder_finds_the_gate_of_the_rootdir(ready: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-m wer` from a subfolder runs the gate of the rootdir."""
    monkeypatch.chdir(ready.pytester.mkdir("deep"))
    ready.run("-m", "wer").assert_outcomes(passed=2)


def test_another_file_by_option_and_by_ini(ready: GateProject) -> None:
    """`--asrgate-config` and the ini key name another gate file; a stray gate.toml is then no gate."""
    (ready.root / "other").mkdir()
    (ready.root / "gate.toml").rename(ready.root / "special.toml")
    (ready.root / "other" / "gate.toml").write_text("this is no TOML")
    result = ready.run("-m", "wer", "--asrgate-config", "special.toml", "-v")
    result.assert_outcomes(passed=2, deselected=1)
    result.stdout.fnmatch_lines(["*special.toml::f32::prompts PASSED*"])
    ready.pytester.makeini("[pytest]\nasrgate_config = special.toml\n")
    ready.run("-m", "wer").assert_outcomes(passed=2, deselected=1)


@pytest.mark.parametrize("arguments", [["--asrgate"], ["-m", "wer", "--asrgate-config", "absent.toml"]])
def test_named_but_absent_gate_file_is_a_usage_error(project: GateProject, arguments: list[str]) -> None:
    """A gate file that was asked for by name and is not there ends the run with one sentence and exit 4."""
    result = project.run(*arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*there is no gate file*"])


def test_marker_without_a_gate_file_says_where_it_looked(project: GateProject) -> None:
    """`-m wer` where there is no gate file selects nothing, and says which file it looked for."""
    result = project.run("-m", "wer")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["*asrgate: there is no gate file *gate.toml*--asrgate-config*"])


def test_strict_markers_know_wer(ready: GateProject) -> None:
    """The marker is registered, so `--strict-markers` is content."""
    ready.run("-m", "wer", "--strict-markers").assert_outcomes(passed=2, deselected=1)


@pytest.mark.parametrize("folder", [".ci", "build", "node_modules"])
def test_gate_in_a_folder_that_pytest_does_not_walk(ready: GateProject, folder: str) -> None:
    """A configured gate file is collected wherever it lies, also in a folder that pytest passes over."""
    (ready.root / folder).mkdir()
    text = (ready.root / "gate.toml").read_text()
    for name in ("f32.json", "q8_0.json", "prompts/"):
        text = text.replace(f'"{name}', f'"../{name}')
    (ready.root / folder / "gate.toml").write_text(text)
    (ready.root / "gate.toml").unlink()
    ready.run("--asrgate", "--asrgate-config", f"{folder}/gate.toml").assert_outcomes(passed=3)
    ready.pytester.makeini(f"[pytest]\nasrgate_config = {folder}/gate.toml\n")
    ready.run("-m", "wer").assert_outcomes(passed=2, deselected=1)


def test_ignored_gate_file_is_run_all_the_same_when_asked_for(ready: GateProject) -> None:
    """Neither `--ignore-glob` nor `collect_ignore` keeps back a gate that an option asks for."""
    ready.pytester.makeconftest('collect_ignore = ["gate.toml"]')
    ready.run("--asrgate", "--ignore-glob=*.toml").assert_outcomes(passed=3)


def test_keep_duplicates_runs_each_pair_once(ready: GateProject) -> None:
    """`--keep-duplicates` doubles nothing of ours."""
    ready.run(".", "-m", "wer", "--keep-duplicates").assert_outcomes(passed=2, deselected=1)


def test_help_needs_no_gate_file(project: GateProject) -> None:
    """`--asrgate --help` shows the help also where there is no gate file."""
    result = project.run("--asrgate", "--help")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*--asrgate-config*"])


def test_path_through_a_link_names_the_gate(ready: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project folder reached through a link, and the gate file's absolute path through it, are the gate."""
    link = ready.root.parent / f"{ready.root.name}-link"
    link.symlink_to(ready.root)
    ready.run(str(link / "gate.toml")).assert_outcomes(passed=2)


@pytest.mark.parametrize(
    "arguments", [["--ff"], ["--sw"], ["--nf"], ["-p", "no:terminal"], ["--import-mode=importlib"]]
)
def test_other_options_of_pytest(ready: GateProject, arguments: list[str]) -> None:
    """Options that order, step or hide leave the gate as it is."""
    result = ready.pytester.runpytest("-p", "asrgate_fake", "-m", "wer", *arguments)
    assert result.ret == pytest.ExitCode.OK


@pytest.mark.parametrize("way", [("--asrgate",), ("-m", "wer")])
def test_a_report_that_stands_alone_is_told(project: GateProject, tmp_path: Path, way: tuple[str, ...]) -> None:
    """Pytest takes an existing path without `=` for its root; the run says so instead of blaming the gate file."""
    project.standard()
    report = tmp_path / "elsewhere" / "report.json"
    report.parent.mkdir()
    report.write_text("")
    result = project.run_apart(*way, "--asrgate-json", str(report))
    said = "\n".join([*result.outlines, *result.errlines])
    assert f"for its root folder, because of {report}: write --asrgate-json={report}" in said
    project.run_apart(*way, f"--asrgate-json={report}").assert_outcomes(passed=2)
