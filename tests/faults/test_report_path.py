"""A report option with the name of what is no report: it is kept, and the run says so before it begins."""

import json
import os
from pathlib import Path

import pytest

from tests.integration.conftest import GateProject

# Each option, and what it calls the file that it looks for.
OPTIONS = {"--asrgate-json": "JSON", "--asrgate-html": "HTML", "--asrgate-markdown": "markdown"}


def _refused(project: GateProject, path: str, sentence: str, option: str = "--asrgate-json") -> None:
    result = project.run("-m", "wer", f"{option}={path}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {option}: *{sentence}"])
    assert "Traceback" not in result.stderr.str() + result.stdout.str()
    assert project.log("f32") == []


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("path", ["gate.toml", "prompts/manifest.jsonl", "f32.json", "prompts/0.wav", "linked"])
def test_a_file_of_the_gate_is_kept(project: GateProject, path: str, option: str) -> None:
    """Gate file, manifest, model and audio, by a link too: exit 4, one sentence, and every byte stays."""
    project.standard()
    (project.root / "linked").symlink_to("prompts/manifest.jsonl")
    before = (project.root / path).read_bytes()
    sentence = "is the gate file; name another file"
    if path != "gate.toml":
        sentence = f"is no {OPTIONS[option]} report of ours; name another file, or remove it"
    _refused(project, path, sentence, option)
    assert (project.root / path).read_bytes() == before
    project.run("-m", "wer").assert_outcomes(passed=2)


def test_what_is_no_file_is_kept(project: GateProject) -> None:
    """A folder, a pipe, to which nobody listens, and a device: exit 4, and each is still there."""
    project.standard()
    os.mkfifo(project.root / "pipe")
    (project.root / "null").symlink_to("/dev/null")
    for path in ("prompts", "pipe", "null", "/dev/null"):
        for option in OPTIONS:
            _refused(project, path, "is no regular file; name another file", option)
    assert (project.root / "pipe").is_fifo()
    assert (project.root / "null").is_symlink()
    assert Path("/dev/null").is_char_device()


def test_an_empty_gate_file_is_kept(project: GateProject) -> None:
    """An empty file may be written over, but not where it is the gate file."""
    project.standard()
    (project.root / "empty.toml").touch()
    for option in OPTIONS:
        result = project.run("-m", "wer", "--asrgate-config", "empty.toml", option, "empty.toml")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert (project.root / "empty.toml").exists()
    result = project.run("-m", "wer", "--asrgate-config", "empty.toml", "--asrgate-json", "report.json")
    assert result.ret == pytest.ExitCode.INTERRUPTED, "a gate file that cannot be used is another matter"


def test_standard_output_is_kept(project: GateProject) -> None:
    """`/dev/stdout` is no place for a report, and what leads there stays a link."""
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("needs /proc")
    project.standard()
    before = Path("/dev/stdout").readlink()
    result = project.run_apart("-m", "wer", "--asrgate-json=/dev/stdout")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --asrgate-json: /dev/stdout is no regular file; name another file"])
    assert Path("/dev/stdout").readlink() == before


@pytest.mark.parametrize("option", OPTIONS)
def test_a_file_that_comes_during_the_run_is_kept(project: GateProject, option: str) -> None:
    """What somebody else wrote to the place meanwhile stays: exit 1 and one sentence."""
    project.standard()
    project.pytester.makeconftest(
        """
        from pathlib import Path

        def pytest_runtest_call(item):
            Path("report").write_text("a letter")
        """
    )
    result = project.run("-m", "wer", option, "report")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [f"{option}: *report cannot be written (is no {OPTIONS[option]} report of ours; *)*"]
    )
    assert (project.root / "report").read_text() == "a letter"


def test_a_link_to_a_report_stays_a_link(project: GateProject) -> None:
    """A report is written through a link, over the older one and where there was none."""
    project.standard()
    (project.root / "out").mkdir()
    (project.root / "link.json").symlink_to("out/report.json")
    for _ in range(2):
        project.run("-m", "wer", "--asrgate-json", "link.json").assert_outcomes(passed=2)
        assert (project.root / "link.json").is_symlink()
        assert len(json.loads((project.root / "out" / "report.json").read_text())["pairs"]) == 2
