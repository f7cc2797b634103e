"""Claims about writing the reports that were asked for: each stands alone, and the summary of a step is shared."""

import errno
import os
import resource
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import ReportError
from pytest_asrgate.reports.json_report import session_report
from pytest_asrgate.reports.markdown import BEGINNING, markdown_report
from pytest_asrgate.reports.places import JSON, MARKDOWN, PAGE
from pytest_asrgate.reports.written import Target, Written, is_shared, obstacles, trial, write_reports

from .builders import entry

REPORT = session_report(Path("/work/gate.toml"), [entry([("a", "the cat", "a cat")])])
TEXT = markdown_report(REPORT)


@pytest.fixture(autouse=True)
def fixture_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the summary of this step would go, if the test asks for it."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path / "summary.md"


def _markdown(path: Path) -> Target:
    return Target("--markdown", path, MARKDOWN)


def _write(*targets: Target) -> Written:
    return write_reports(REPORT, targets, folder=Path("/work"))


def _stand_in(monkeypatch: pytest.MonkeyPatch, result: Any) -> list[Any]:
    """A page module that keeps what it was given, and returns or raises."""
    given: list[Any] = []

    def write_page(path: Path, report: Any, *, folder: Path, audio: str = "embed") -> list[str]:
        given.append((path, report, folder, audio))
        if isinstance(result, Exception):
            raise result
        return list(result)

    module = types.ModuleType("pytest_asrgate.reports.page")
    module.write_page = write_page  # type: ignore[attr-defined] # a stand-in
    monkeypatch.setitem(sys.modules, "pytest_asrgate.reports.page", module)
    return given


def test_each_kind_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every target has its file, in the order asked for, and the page is told where the sounds are."""
    given = _stand_in(monkeypatch, ["12 sounds are not there"])
    paths = [tmp_path / name for name in ("new/report.json", "report.md", "page.html")]
    targets = [Target("--json", paths[0], JSON), _markdown(paths[1]), Target("--html", paths[2], PAGE)]
    written = write_reports(REPORT, targets, folder=Path("/work"), audio="link")
    assert written == Written(paths=list(map(str, paths)), notes=["12 sounds are not there"])
    assert paths[0].is_file()
    assert paths[1].read_text(encoding="utf-8") == TEXT
    assert given == [(paths[2], REPORT, Path("/work"), "link")]


@pytest.mark.parametrize("error", [ReportError("a page needs jinja2"), PermissionError(13, "Permission denied")])
def test_what_cannot_be_written_keeps_no_other_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """One report fails in a sentence that names its option; those before and after it are written."""
    _stand_in(monkeypatch, error)
    page = tmp_path / "page.html"
    targets = [_markdown(tmp_path / "a.md"), Target("--html", page, PAGE), Target("--json", tmp_path / "b", JSON)]
    written = write_reports(REPORT, targets, folder=tmp_path)
    assert written.paths == [str(tmp_path / "a.md"), str(tmp_path / "b")]
    why = (
        "a page needs jinja2" if isinstance(error, ReportError) else f"{page} cannot be written (Permission denied)"
    )
    assert written.problems == [f"--html: {why}"]


@pytest.mark.parametrize("kind", [JSON, MARKDOWN, PAGE])
def test_what_came_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
    """A file of somebody else's at the place of a report stays, whatever the report."""
    given = _stand_in(monkeypatch, [])
    path = tmp_path / "report"
    path.write_text("a letter")
    [problem] = _write(Target("--option", path, kind)).problems
    assert problem.startswith(f"--option: {path} cannot be written (is no {kind.noun} of ours")
    assert path.read_text() == "a letter"
    assert given == []


def test_the_summary_is_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fixture_summary: Path) -> None:
    """The same text goes to the file of the step's summary, after what stands there, each time again."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(fixture_summary))
    assert _write(_markdown(tmp_path / "a.md")) == Written(paths=[str(tmp_path / "a.md")])
    assert fixture_summary.read_text(encoding="utf-8") == TEXT
    fixture_summary.write_text("# of another step, no end of line")
    for _ in range(2):
        _write(_markdown(tmp_path / "a.md"))
    assert fixture_summary.read_text(encoding="utf-8") == f"# of another step, no end of line\n\n{TEXT}\n\n{TEXT}"
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == TEXT


def test_without_the_option_there_is_no_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fixture_summary: Path
) -> None:
    """Only whoever asks for markdown has it added; an empty variable names nothing."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(fixture_summary))
    _write(Target("--json", tmp_path / "report.json", JSON))
    assert not fixture_summary.exists()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    assert _write(_markdown(tmp_path / "a.md")).notes == []


@pytest.mark.parametrize("linked", [False, True])
def test_the_summary_itself_as_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fixture_summary: Path, *, linked: bool
) -> None:
    """A path that leads to the summary is added to once and never written over; others' text is no obstacle."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(fixture_summary))
    path = fixture_summary
    if linked:
        path = tmp_path / "link.md"
        path.symlink_to(fixture_summary)
    for before in (None, "# others\n"):
        if before is not None:
            fixture_summary.write_text(before)
        assert is_shared(_markdown(path))
        assert obstacles([_markdown(path)]) == []
        assert _write(_markdown(path)) == Written(paths=[str(path)])
        expected = TEXT if before is None else f"{before}\n\n{TEXT}"
        assert fixture_summary.read_text(encoding="utf-8") == expected
    assert not is_shared(Target("--json", fixture_summary, JSON))


def _no_folder(path: Path) -> None:
    path.parent.rmdir()


def _a_folder(path: Path) -> None:
    path.mkdir()


def _a_pipe(path: Path) -> None:
    os.mkfifo(path)


def _nearly_full(path: Path) -> None:
    path.write_bytes(b"x" * (1024 * 1024 - 10))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (_no_folder, "No such file or directory"),
        (_a_folder, "Is a directory"),
        (_a_pipe, "is no regular file)"),
        (_nearly_full, "would be longer than the 1 MiB that GitHub shows of a step)"),
    ],
)
def test_a_summary_that_cannot_be_written_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Any, why: str
) -> None:
    """One line and no failure; a pipe without a reader is not waited for, and 1 MiB is not exceeded."""
    place = tmp_path / "folder" / "summary"
    place.parent.mkdir()
    make(place)
    size = place.stat().st_size if place.is_file() else 0
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place))
    written = _write(_markdown(tmp_path / "a.md"))
    assert written.problems == []
    [note] = written.notes
    assert note.startswith(f"GITHUB_STEP_SUMMARY: {place} cannot be written ({why}")
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == TEXT
    assert size == (place.stat().st_size if place.is_file() else 0)


def test_a_device_is_no_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no regular file is not written to, and as the place of the report it is refused before."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/dev/null")
    assert _write(_markdown(tmp_path / "a.md")).notes == [
        "GITHUB_STEP_SUMMARY: /dev/null cannot be written (is no regular file)"
    ]
    assert obstacles([_markdown(Path("/dev/null"))]) == [
        "--markdown: /dev/null is no regular file; name another file"
    ]


def test_a_full_disk_says_what_to_do(tmp_path: Path) -> None:
    """The sentence of a file that grew too large for its limit names the mend, and no half of it stays."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        written = _write(_markdown(tmp_path / "a.md"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    [problem] = written.problems
    assert problem.endswith("(File too large); raise the limit of file sizes (ulimit -f)")
    assert list(tmp_path.iterdir()) == []


def test_two_reports_need_two_files(tmp_path: Path) -> None:
    """The same place twice, also by a link, is refused with both options named."""
    (tmp_path / "link").symlink_to("report")
    found = obstacles([Target("--json", tmp_path / "report", JSON), _markdown(tmp_path / "link")])
    assert found == [f"--markdown: {tmp_path / 'link'} is also named by --json; name another file"]
    assert obstacles([Target("--json", tmp_path / "report", JSON), _markdown(tmp_path / "other")]) == []


def test_a_summary_that_is_full_has_no_wrong_mend(monkeypatch: pytest.MonkeyPatch, fixture_summary: Path) -> None:
    """The summary as the report's own place: the sentence ends with GitHub's limit, no limit of this machine."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(fixture_summary))
    _nearly_full(fixture_summary)
    [problem] = _write(_markdown(fixture_summary)).problems
    assert problem.endswith("(would be longer than the 1 MiB that GitHub shows of a step)")


def _gate(tmp_path: Path) -> Any:
    return session_report(tmp_path / "gate.toml", REPORT["pairs"])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("report.json", "is also named by --json"),
        ("gate.toml", "is the gate file"),
        ("old.json", "is a JSON report of ours"),
        ("old.html", "is an HTML report of ours"),
    ],
)
def test_a_summary_that_is_another_file_is_not_added_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    """Markdown behind a JSON report, a page or the gate file would spoil it: a note, and nothing is added."""
    (tmp_path / "gate.toml").write_text("[gate]\n")
    (tmp_path / "old.json").write_text('{"schema": "asrgate.report/1"}')
    (tmp_path / "old.html").write_text("<!DOCTYPE html><!-- asrgate.page/1 -->")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / name))
    targets = [_markdown(tmp_path / "a.md"), Target("--json", tmp_path / "report.json", JSON)]
    written = write_reports(_gate(tmp_path), targets, folder=tmp_path)
    assert written.notes == [f"GITHUB_STEP_SUMMARY: {tmp_path / name} {why}, so nothing is added to it"]
    assert written.problems == []
    assert BEGINNING not in (tmp_path / name).read_text(encoding="utf-8")
    assert (tmp_path / "a.md").is_file()
    if name != "report.json":
        [problem] = write_reports(_gate(tmp_path), [_markdown(tmp_path / name)], folder=tmp_path).problems
        assert problem == f"--markdown: {tmp_path / name} {why}; name another file"
        assert BEGINNING not in (tmp_path / name).read_text(encoding="utf-8")


def test_a_shared_summary_that_is_a_report_is_an_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told before anything is decoded."""
    path = tmp_path / "old.json"
    path.write_text('{"schema": "asrgate.report/1"}')
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    assert obstacles([_markdown(path)]) == [f"--markdown: {path} is a JSON report of ours; name another file"]


def test_a_place_is_tried(tmp_path: Path) -> None:
    """Where a file can be made there is nothing to say, and nothing is left of the trial, no folder either."""
    for path in (tmp_path / "a.md", tmp_path / "new" / "folder" / "a.md"):
        assert trial(_markdown(path)) == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x" * 300, "File name too long"),
        (f"{'x' * 300}/a.md", "File name too long"),
        ("x" * 240, "File name too long"),
        (f"new/{'x' * 300}/a.md", "File name too long"),
        ("file/a.md", "Not a directory"),
    ],
)
def test_a_place_where_no_file_can_be_made_is_named(tmp_path: Path, name: str, why: str) -> None:
    """A name that is too long, also for what the temporary one adds, or a folder that is a file."""
    (tmp_path / "file").write_text("")
    found = trial(_markdown(tmp_path / name))
    assert found == f"--markdown: {tmp_path / name} cannot be written ({why})"


def test_a_read_only_place_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence has the mend that the end of the run would have told."""

    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert trial(_markdown(tmp_path / "a.md")).endswith("(Read-only file system); allow writing there")
