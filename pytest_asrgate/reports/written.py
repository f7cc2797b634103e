"""Writes the reports that were asked for, each whatever became of the others."""

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrgate.errors import ReportError, with_mend
from pytest_asrgate.jsonlines import write_atomically
from pytest_asrgate.reports.json_report import Report, write_json_report
from pytest_asrgate.reports.markdown import markdown_report
from pytest_asrgate.reports.places import JSON, MARKDOWN, PAGE, Kind, foreign, is_one_place, refuse_foreign
from pytest_asrgate.reports.step_summary import VARIABLE, append_summary, summary_file

__all__ = ["Target", "Written", "is_shared", "obstacles", "trial", "write_reports"]

# In so many bytes is seen how a file begins.
_SEEN = 400


@dataclass(frozen=True, slots=True)
class Target:
    """One report that was asked for: by which option, where, and what kind."""

    option: str
    path: Path
    kind: Kind


@dataclass(slots=True)
class Written:
    """What became of the reports: where they are, what they lack, and which could not be written and why."""

    paths: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def is_shared(target: Target) -> bool:
    """Whether a markdown report goes to the file that others write their summaries to, and is added to it."""
    summary = summary_file(os.environ)
    return target.kind is MARKDOWN and summary is not None and is_one_place(target.path, summary)


def _spoilt(path: Path) -> str:
    """What of ours markdown added to a file would spoil, in a clause; empty for any other file, and for none."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            beginning = file.read(_SEEN)
    except OSError:
        # Writing will say so.
        return ""
    noun = next((kind.noun for kind in (JSON, PAGE) if kind.beginning.match(beginning)), "")
    return f"is {'an' if noun.startswith('H') else 'a'} {noun} of ours" if noun else ""


def obstacles(targets: Sequence[Target]) -> list[str]:
    """Why these reports cannot be written there, in a sentence each that names the option; empty where they can."""
    found = []
    for number, target in enumerate(targets):
        twin = next((each for each in targets[:number] if is_one_place(each.path, target.path)), None)
        if twin is not None:
            found.append(f"{target.option}: {target.path} is also named by {twin.option}; name another file")
            continue
        if is_shared(target):
            if target.path.exists() and not target.path.is_file():
                found.append(f"{target.option}: {target.path} is no regular file; name another file")
            elif spoilt := _spoilt(target.path):
                found.append(f"{target.option}: {target.path} {spoilt}; name another file")
            continue
        obstacle = foreign(target.path, target.kind)
        if obstacle:
            found.append(f"{target.option}: {obstacle}")
    return found


def _nearest_folder(path: Path) -> Path:
    """The folder of a file, or the nearest one above it that there is; OSError where the others cannot be made."""
    folder, missing = path.parent, []
    while folder != folder.parent:
        try:
            folder.stat()
        except FileNotFoundError:
            missing.append(folder.name)
            folder = folder.parent
        else:
            break
    for name in missing:
        # A name that is too long is only seen where the folder around it is there.
        with suppress(FileNotFoundError):
            (folder / name).stat()
    return folder


def trial(target: Target) -> str:
    """Why no file can be made at the place of a report, found by making one, in a sentence; empty if it can."""
    path = Path(os.path.realpath(target.path))
    try:
        # As the report will be written; nothing is left of it.
        handle, name = tempfile.mkstemp(dir=_nearest_folder(path), prefix=f".{path.name}.asrgate-")
        os.close(handle)
        Path(name).unlink()
    except OSError as error:
        return with_mend(f"{target.option}: {target.path} cannot be written ({error.strerror})", error)
    return ""


def _unfit(summary: Path, report: Report, others: Sequence[Target]) -> str:
    """Why markdown must not be added to the summary's file, in a clause; empty where it may."""
    twin = next((each for each in others if is_one_place(each.path, summary)), None)
    if twin is not None:
        return f"is also named by {twin.option}"
    if is_one_place(summary, Path(report["gate"]["path"])):
        return "is the gate file"
    return _spoilt(summary)


def _markdown(target: Target, report: Report, written: Written, targets: Sequence[Target]) -> None:
    text = markdown_report(report)
    summary = summary_file(os.environ)
    others = [each for each in targets if each.kind is not MARKDOWN]
    unfit = _unfit(summary, report, others) if summary else ""
    if is_shared(target):
        if unfit:
            raise ReportError(f"{target.path} {unfit}; name another file")
        append_summary(target.path, text)
        return
    refuse_foreign(target.path, MARKDOWN)
    write_atomically(target.path, text)
    if summary is None:
        return
    if unfit:
        written.notes.append(f"{VARIABLE}: {summary} {unfit}, so nothing is added to it")
        return
    try:
        append_summary(summary, text)
    except OSError as error:
        # Nobody asked for this file by name, so the run is none the worse.
        written.notes.append(f"{VARIABLE}: {summary} cannot be written ({error.strerror})")


def _page(target: Target, report: Report, written: Written, folder: Path, audio: str) -> None:
    from pytest_asrgate.reports.page import write_page  # noqa: PLC0415 - only where a page is asked for

    refuse_foreign(target.path, PAGE)
    written.notes += write_page(target.path, report, folder=folder, audio=audio)


def write_reports(report: Report, targets: Sequence[Target], *, folder: Path, audio: str = "embed") -> Written:
    """Write each of them; what cannot be is told as a problem and keeps no other from being written.

    `folder` is the gate file's, against which the audio of utterances is named; `audio` is embed, link or none.
    """
    written = Written()
    for target in targets:
        try:
            if target.kind is JSON:
                write_json_report(target.path, report)
            elif target.kind is MARKDOWN:
                _markdown(target, report, written, targets)
            else:
                _page(target, report, written, folder, audio)
        except OSError as error:
            problem = f"{target.option}: {target.path} cannot be written ({error.strerror or error})"
            written.problems.append(with_mend(problem, error))
        except ReportError as error:
            written.problems.append(f"{target.option}: {error}")
        else:
            written.paths.append(str(target.path))
    return written
