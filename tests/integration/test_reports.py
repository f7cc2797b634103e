"""The reports that people read of a run, as files: markdown and the page, beside the JSON report."""

import json
import re
from pathlib import Path

import pytest

from tests.integration.conftest import GateProject

MARKDOWN = "--asrgate-markdown=out.md"
BEGINNING = "<!-- asrgate.markdown/1 -->\n"
# Takes the place of the page, which has tests of its own.
STAND_IN = """
import json, sys, types
from pathlib import Path

def needs():
    {needs}

def write_page(path, report, *, folder, audio="embed"):
    {write}
    rows = [row for pair in report["pairs"] for row in pair["utterances"]]
    changed = [row["id"] for row in rows if row["changed"]]
    given = {{"folder": str(folder), "audio": audio, "changed": changed, "sound": rows[0]["audio"]}}
    Path(path).write_text("<!DOCTYPE html><!-- asrgate.page/1 -->\\n" + json.dumps(given))
    return ["2 sounds are not there"]

module = types.ModuleType("pytest_asrgate.reports.page")
module.needs, module.write_page = needs, write_page
sys.modules["pytest_asrgate.reports.page"] = module
"""


@pytest.fixture(autouse=True)
def fixture_no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests may themselves run in a step of GitHub Actions."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def _page(project: GateProject, *, needs: str = "pass", write: str = "pass") -> None:
    """Put a stand-in for the page into the plugin `stand_in` of the project."""
    (project.root / "stand_in.py").write_text(STAND_IN.format(needs=needs, write=write))


def _given(project: GateProject) -> dict[str, object]:
    """What the stand-in for the page was given."""
    given: dict[str, object] = json.loads((project.root / "out.html").read_text().splitlines()[1])
    return given


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_markdown_has_the_table_and_the_failure(project: GateProject, workers: list[str]) -> None:
    """The file has both pairs, the check that failed and the aligned words, with xdist and without; and so has
    what `asrgate report` makes of the JSON report, letter by letter."""
    if workers:
        pytest.importorskip("xdist")
    project.standard(thresholds="wer_delta = 1.0")
    project.run_apart("-m", "wer", MARKDOWN, "--asrgate-json=out.json", *workers).assert_outcomes(
        passed=1, failed=1
    )
    text = (project.root / "out.md").read_text(encoding="utf-8")
    assert text.startswith(f"{BEGINNING}## ✗ asrgate: 1 FAIL, 1 PASS\n")
    assert "| `f32` | `prompts` | 0.00 |" in text
    assert "- `wer_delta` fail: +2.04 pp, limit 1.00 pp; " in text
    assert "- REF: please turn on the KITCHEN light\n+ HYP: please turn on the CHICKEN light\n" in text
    result = project.pytester.run("asrgate", "report", "out.json", "--markdown", "again.md")
    result.stdout.fnmatch_lines(["wrote again.md"])
    assert (project.root / "again.md").read_text(encoding="utf-8") == text


def test_markdown_alone_has_the_utterances(project: GateProject) -> None:
    """Without `--asrgate-json` the report has all that it shows."""
    project.standard(thresholds="wer_delta = 1.0")
    project.run("-m", "wer", MARKDOWN).assert_outcomes(passed=1, failed=1)
    assert "CHICKEN" in (project.root / "out.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_the_page_has_what_changed_and_its_sound(project: GateProject, workers: list[str]) -> None:
    """The written page holds the verdicts, the changed words and the sound, with xdist and without; and so does
    what `asrgate report` makes of the JSON report, letter by letter."""
    project.standard(thresholds="wer_delta = 1.0")
    options = ["--asrgate-html=out.html", "--asrgate-json=out.json", *workers]
    result = project.run_apart("-m", "wer", *options)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["asrgate: wrote out.json, out.html"])
    text = (project.root / "out.html").read_text(encoding="utf-8")
    assert "<h1>1 preset fails</h1>" in text
    found = re.search(r'id="asrgate-data">(.*?)</script>', text)
    assert found
    data = json.loads(found[1])
    pair = data["pairs"][data["first"]]
    (row,) = pair["rows"]
    assert (pair["variant"], data["utterances"][row["u"]]["id"]) == ("q8_0", "prompts-0")
    assert ["S", "kitchen", "chicken"] in row["runs"]
    sound = data["sounds"][data["utterances"][row["u"]]["sound"]]
    assert f'<script type="text/plain" id="{sound["chunk"]}">' in text
    result = project.pytester.run("asrgate", "report", "out.json", "--html", "again.html")
    result.stdout.fnmatch_lines(["wrote again.html"])
    assert (project.root / "again.html").read_text(encoding="utf-8") == text


def test_the_page_is_given_the_run(project: GateProject) -> None:
    """The page gets all utterances, and sounds as asked for, and what it lacks is told in the terminal."""
    project.standard()
    _page(project)
    options = ["--asrgate-html=out.html", "--asrgate-html-audio=link"]
    result = project.run_apart("-p", "stand_in", "-m", "wer", *options)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["asrgate: warning: 2 sounds are not there"])
    assert _given(project) == {
        "folder": str(project.root),
        "audio": "link",
        "changed": ["prompts-0"],
        "sound": "prompts/0.wav",
    }


def test_a_missing_package_is_said_before_anything_is_decoded(project: GateProject) -> None:
    """What a page needs and is not installed ends the run with exit 4, not after an hour."""
    project.standard()
    _page(
        project, needs="from pytest_asrgate.errors import ReportError; raise ReportError('pip install it, please')"
    )
    result = project.run_apart("-p", "stand_in", "-m", "wer", "--asrgate-html=out.html")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --asrgate-html: pip install it, please"])
    assert project.log("f32") == []


def test_one_report_that_fails_keeps_no_other_from_being_written(project: GateProject) -> None:
    """A disk that is full for the page: exit 1 and one line; JSON and markdown are there."""
    project.standard()
    _page(project, write="raise OSError(28, 'No space left on device')")
    options = ["--asrgate-html=out.html", "--asrgate-json=out.json", MARKDOWN]
    result = project.run_apart("-p", "stand_in", "-m", "wer", *options)
    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    line = "--asrgate-html: *out.html cannot be written (No space left on device); make room on the disk"
    result.stdout.fnmatch_lines([line])
    assert (project.root / "out.md").exists()
    assert (project.root / "out.json").exists()


def test_after_ctrl_c_the_reports_have_what_was_judged(project: GateProject) -> None:
    """An interrupted run reports the pair that it finished, and names the other as not judged."""
    project.standard()
    project.pytester.makeconftest(
        """
        def pytest_runtest_call(item):
            if "q8_0" in item.nodeid:
                raise KeyboardInterrupt
        """
    )
    result = project.run_apart("-m", "wer", MARKDOWN)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    text = (project.root / "out.md").read_text(encoding="utf-8")
    assert text.startswith(f"{BEGINNING}## ? asrgate: 1 PASS, 1 not judged\n")
    assert "Not judged: `q8_0::prompts`." in text


def test_no_older_report_outlives_a_run(project: GateProject) -> None:
    """A run that ends before its reports leaves none of an earlier one, and no other file is missing."""
    project.standard()
    (project.root / "out.md").write_text(f"{BEGINNING}old")
    (project.root / "out.html").write_text("<!DOCTYPE html><!-- asrgate.page/1 -->\nold")
    _page(project)
    project.pytester.makeconftest(
        """
        import os

        def pytest_runtest_call(item):
            os._exit(9)
        """
    )
    assert project.run_apart("-p", "stand_in", "-m", "wer", MARKDOWN, "--asrgate-html=out.html").ret == 9
    assert not (project.root / "out.md").exists()
    assert not (project.root / "out.html").exists()
    assert (project.root / "gate.toml").exists()


@pytest.mark.parametrize("option", ["--asrgate-html=", "--asrgate-markdown="])
def test_a_report_needs_a_name(project: GateProject, option: str) -> None:
    """An empty path, as of a variable that is not set, is a usage error that names the option."""
    project.standard()
    result = project.run("-m", "wer", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {option.removesuffix('=')}: give the path of the file to write"])


def test_a_home_folder_is_meant(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~` at the beginning of a path is the home folder, where a shell did not say so already."""
    project.standard()
    (project.root / "home").mkdir()
    monkeypatch.setenv("HOME", str(project.root / "home"))
    project.run("-m", "wer", "--asrgate-markdown=~/out.md").assert_outcomes(passed=2)
    assert (project.root / "home" / "out.md").exists()
    assert not (project.root / "~").exists()
    result = project.run("-m", "wer", "--asrgate-markdown=~/out.md", "--junit-xml=~/out.md")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --asrgate-markdown: *out.md is also named by --junit-xml; *"])


@pytest.mark.parametrize("name", ["gate.toml/out.md", "x" * 300])
def test_a_place_that_cannot_be_is_said_before_anything_is_decoded(project: GateProject, name: str) -> None:
    """What no file can be made of is a usage error at once, not after an hour, and nothing is left of the trial."""
    project.standard()
    before = sorted(project.root.iterdir())
    result = project.run("-m", "wer", "--asrgate-markdown", name)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --asrgate-markdown: * cannot be written (*)"])
    assert project.log("f32") == []
    assert sorted(project.root.iterdir()) == before


def test_two_options_need_two_files(project: GateProject) -> None:
    """One file for two reports, JUnit's among them, is refused in one sentence before anything is decoded."""
    project.standard()
    for options in (
        [MARKDOWN, "--asrgate-json=./out.md"],
        [MARKDOWN, "--junit-xml=out.md"],
        [MARKDOWN, "--asrgate-html=out.md"],
    ):
        result = project.run("-m", "wer", *options)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["ERROR: --asrgate-*: *out.md is also named by --*; name another file"])
    assert project.log("f32") == []


def _summary(project: GateProject, monkeypatch: pytest.MonkeyPatch, before: str = "# others\n") -> Path:
    path = project.root / "summary.md"
    path.write_text(before)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_the_step_summary_is_added_to_once(
    project: GateProject, monkeypatch: pytest.MonkeyPatch, workers: list[str]
) -> None:
    """Others' text stays and ours comes after it, once, however many processes the run has."""
    if workers:
        pytest.importorskip("xdist")
    project.standard()
    summary = _summary(project, monkeypatch)
    project.run_apart("-m", "wer", MARKDOWN, *workers).assert_outcomes(passed=2)
    text = (project.root / "out.md").read_text(encoding="utf-8")
    assert summary.read_text(encoding="utf-8") == f"# others\n\n\n{text}"


@pytest.mark.parametrize("before", ["# others\n", f"{BEGINNING}of an earlier run\n"])
def test_the_step_summary_as_the_path(project: GateProject, monkeypatch: pytest.MonkeyPatch, before: str) -> None:
    """A run that is told to write to the summary itself adds to it, too, and removes nothing, not even its own."""
    project.standard()
    summary = _summary(project, monkeypatch, before)
    project.run("-m", "wer", "--asrgate-markdown", str(summary)).assert_outcomes(passed=2)
    text = summary.read_text(encoding="utf-8")
    assert text.startswith(f"{before}\n\n{BEGINNING}## ")
    assert text.count("## ✓ asrgate") == 1


def test_a_step_summary_that_cannot_be_written_fails_nothing(
    project: GateProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One warning, exit 0, and the report itself is there."""
    project.standard()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.root / "no" / "summary.md"))
    result = project.run("-m", "wer", MARKDOWN)
    assert result.ret == pytest.ExitCode.OK
    line = "asrgate: warning: GITHUB_STEP_SUMMARY: *summary.md cannot be written (No such file or directory)"
    result.stdout.fnmatch_lines([line])
    assert (project.root / "out.md").exists()
