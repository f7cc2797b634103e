"""Claims about `asrgate report`: it makes of a JSON report what the run could have written, and decodes nothing."""

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.errors import ReportError
from pytest_asrgate.reports.json_report import session_report, write_json_report
from pytest_asrgate.reports.markdown import markdown_report
from pytest_asrgate.reports.notes import notes
from pytest_asrgate.reports.table import table

from .builders import entry
from .commands import refused, refused_untouched

PAIRS = [entry([("a", "the cat", "a cat")], [("a", "the cat", "the cat")], {"wer_delta": 1.0})]


@pytest.fixture(name="report")
def fixture_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report of a gate in another folder."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    path = tmp_path / "report.json"
    write_json_report(path, session_report(Path("/work/gates/gate.toml"), PAIRS, ["a note"], ["q4_0::prompts"]))
    return path


@pytest.fixture(name="pages")
def fixture_pages(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What a stand-in for the page is given."""
    given: list[dict[str, Any]] = []

    def write_page(path: Path, report: Any, **rest: Any) -> list[str]:
        given.append({"path": path, "report": report, **rest})
        path.write_text("<!DOCTYPE html><!-- asrgate.page/1 -->")
        return ["12 sounds are not there"]

    module = types.ModuleType("pytest_asrgate.reports.page")
    module.write_page = write_page  # type: ignore[attr-defined] # a stand-in
    monkeypatch.setitem(sys.modules, "pytest_asrgate.reports.page", module)
    return given


def test_without_options_it_prints_the_table(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table and the lines under it are those of the run, after a line that says whose they are."""
    before = sorted(report.parent.iterdir())
    assert main(["report", str(report)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{report}: the verdicts on /work/gates/gate.toml, by pytest-asrgate ")
    expected = [*table(PAIRS), "", *notes(PAIRS, "the state folder", ["a note"])]
    assert lines[1:] == ["", *expected]
    assert sorted(report.parent.iterdir()) == before


def test_markdown_is_that_of_the_run(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file holds what the run would have written, again over an older one, and the command says where it is."""
    target = report.with_name("report.md")
    for _ in range(2):
        assert main(["report", str(report), "--markdown", str(target)]) == 0
        assert capsys.readouterr().out == f"wrote {target}\n"
        expected = markdown_report(
            session_report(Path("/work/gates/gate.toml"), PAIRS, ["a note"], ["q4_0::prompts"])
        )
        assert target.read_text(encoding="utf-8") == expected


def test_the_summary_of_the_step_gets_it_too(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a run, the file that GITHUB_STEP_SUMMARY names is added to."""
    summary = report.with_name("summary")
    summary.write_text("others\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert main(["report", str(report), "--markdown", str(report.with_name("a.md"))]) == 0
    text = report.with_name("a.md").read_text(encoding="utf-8")
    assert summary.read_text(encoding="utf-8") == f"others\n\n\n{text}"


def test_the_page_is_told_of_the_sounds(
    report: Path, pages: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Sounds are looked for beside the gate file unless a folder is named, and what the page lacks is said."""
    target = report.with_name("page.html")
    for options in ([], ["--html-audio", "link", "--gate-folder", "/elsewhere"]):
        assert main(["report", str(report), "--html", str(target), *options]) == 0
        assert capsys.readouterr().out == f"12 sounds are not there\nwrote {target}\n"
    document = json.loads(report.read_text(encoding="utf-8"))
    assert pages == [
        {"path": target, "report": document, "folder": Path("/work/gates"), "audio": "embed"},
        {"path": target, "report": document, "folder": Path("/elsewhere"), "audio": "link"},
    ]


def test_no_other_file_is_written_over(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], pages: list[dict[str, Any]]
) -> None:
    """The report itself, a letter, a folder and one file for two reports are refused before anything is written."""
    (tmp_path / "letter").write_text("dear")
    for kind in ("markdown", "HTML"):
        for path in (report, tmp_path / "letter"):
            option = f"--{kind.lower()}"
            message = refused_untouched(capsys, tmp_path, "report", report, option, path)
            assert f"{option}: {path} is no {kind} report of ours; name another file" in message
    twice = ("--html", tmp_path / "new", "--markdown", tmp_path / "new")
    assert "is also named by --markdown" in refused_untouched(capsys, tmp_path, "report", report, *twice)
    assert "is no regular file" in refused(capsys, "report", str(report), "--markdown", str(tmp_path))
    assert pages == []


def test_a_page_that_cannot_be_made_leaves_the_markdown(
    report: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not installed for the page is said in one sentence, exit 2, and the other report is there."""

    def write_page(*_: Any, **__: Any) -> list[str]:
        raise ReportError("a page needs jinja2: pip install 'pytest-asrgate[report]'")

    module = types.ModuleType("pytest_asrgate.reports.page")
    module.write_page = write_page  # type: ignore[attr-defined] # a stand-in
    monkeypatch.setitem(sys.modules, "pytest_asrgate.reports.page", module)
    target = report.with_name("a.md")
    words = ["report", str(report), "--markdown", str(target), "--html", str(report.with_name("page.html"))]
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == f"wrote {target}\n"
    assert captured.err == "asrgate report: --html: a page needs jinja2: pip install 'pytest-asrgate[report]'\n"
    assert target.is_file()


def test_what_is_no_report_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, or none of ours, ends with 2 and one sentence, and nothing is written."""
    (tmp_path / "score.json").write_text('{"schema": "asrgate.score/1"}')
    for name, why in (("absent.json", "cannot be read"), ("score.json", "is no report of --asrgate-json")):
        message = refused_untouched(capsys, tmp_path, "report", tmp_path / name, "--markdown", tmp_path / "a.md")
        assert f"{tmp_path / name}: {why}" in message
