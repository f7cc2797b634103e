"""The reports of a run as files: older ones are removed when it begins, new ones written when it ends."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import ReportError
from pytest_asrgate.plugin.selection import Selection
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.json_report import Report
from pytest_asrgate.reports.places import JSON, MARKDOWN, PAGE, Kind, is_one_place, remove_report
from pytest_asrgate.reports.written import Target, is_shared, obstacles, trial, write_reports

__all__ = ["REPORT_OPTIONS", "ReportFiles"]

_KINDS: Mapping[str, Kind] = {"asrgate_json": JSON, "asrgate_html": PAGE, "asrgate_markdown": MARKDOWN}

# The names under which pytest knows the options that ask for a report.
REPORT_OPTIONS = tuple(_KINDS)


class ReportFiles:
    """The reports that this run writes; UsageError, before anything is decoded, where one of them cannot be."""

    def __init__(self, config: pytest.Config, selection: Selection) -> None:
        self._config = config
        self._selection = selection
        self._notes: list[str] = []
        self._problems: list[str] = []
        self._written: list[str] = []
        self.targets: Sequence[Target] = self._asked()
        if not hasattr(config, "workerinput") and not config.option.collectonly:
            self._make_room()

    def _asked(self) -> list[Target]:
        found = []
        for name, kind in _KINDS.items():
            value, option = self._config.getoption(name), f"--{name.replace('_', '-')}"
            if value == "":
                raise pytest.UsageError(f"{option}: give the path of the file to write")
            if value is not None:
                # As pytest does with the path of its own report.
                place = self._config.invocation_params.dir / os.path.expanduser(value)  # noqa: PTH111 - never raises
                found.append(Target(option, place, kind))
        return found

    def _obstacle(self) -> str:
        """Why one of the reports cannot be written where it shall be, in a sentence; empty for none."""
        xml = getattr(self._config.option, "xmlpath", None)
        for target in self.targets:
            # Also where it is empty; there may be neither.
            if is_one_place(target.path, self._selection.path):
                return f"{target.option}: {target.path} is the gate file; name another file"
            if xml and is_one_place(target.path, Path(os.path.expanduser(os.path.expandvars(xml)))):  # noqa: PTH111 - as pytest
                return f"{target.option}: {target.path} is also named by --junit-xml; name another file"
        found = obstacles(self.targets)
        # What is added to was made by others.
        found += [sentence for target in self.targets if not is_shared(target) and (sentence := trial(target))]
        return next(iter(found), "")

    def _make_room(self) -> None:
        """Whoever reads a report after this run must not find an older one; UsageError for any other file."""
        obstacle = self._obstacle()
        if obstacle:
            raise pytest.UsageError(plain(obstacle))
        for target in self.targets:
            if target.kind is PAGE:
                from pytest_asrgate.reports.page import needs  # noqa: PLC0415 - only where a page is asked for

                try:
                    needs()
                except ReportError as error:
                    raise pytest.UsageError(f"{target.option}: {error}") from error
        for target in self.targets:
            if not is_shared(target):
                with suppress(OSError):
                    remove_report(target.path, target.kind)

    def write(self, report: Report) -> bool:
        """Write every report that was asked for; False where one of them could not be."""
        audio = self._config.getoption("asrgate_html_audio")
        written = write_reports(report, self.targets, folder=self._selection.path.parent, audio=audio)
        self._notes += written.notes
        self._problems += written.problems
        self._written += written.paths
        return not written.problems

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was written, what could not be, and what a report lacks."""
        for problem in self._problems:
            terminalreporter.write_line(plain(problem), red=True)
        for note in self._notes:
            terminalreporter.write_line(f"asrgate: warning: {plain(note)}", yellow=True)
        if self._written:
            here = self._config.invocation_params.dir
            names = [
                os.path.relpath(path, here) if Path(path).is_relative_to(here) else path for path in self._written
            ]
            terminalreporter.write_line(f"asrgate: wrote {plain(', '.join(names))}")
