"""Collects the verdicts of a run, also from xdist workers, and prints and writes them at its end."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import GateFileError
from pytest_asrgate.plugin.nodes import DatasetItem
from pytest_asrgate.plugin.selection import Selection
from pytest_asrgate.plugin.sessions import session_of
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.json_report import write_json_report
from pytest_asrgate.reports.table import notes, table
from pytest_asrgate.session import open_gate

__all__ = ["Reporting"]

# The attribute that a report carries its verdict in; xdist takes plain JSON values across.
_ATTRIBUTE = "asrgate_entry"
# Likewise the number of utterances that were transcribed for a test with the fixture `asrgate`.
_BESIDE = "asrgate_transcribed_beside"


class Reporting:
    """Registered only in runs that ask for a gate."""

    def __init__(self, config: pytest.Config, selection: Selection) -> None:
        self._config = config
        self._selection = selection
        self._entries: dict[tuple[str, str], PairEntry] = {}
        self._counted = 0
        self._beside = 0
        self._failure = ""
        self._broken_file = False

    def _is_worker(self) -> bool:
        return hasattr(self._config, "workerinput")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the verdict to the report of the call."""
        report = yield
        if call.when == "call" and isinstance(item, DatasetItem) and item.entry is not None:
            # Through JSON: one value that xdist cannot serialise would end the whole run.
            setattr(report, _ATTRIBUTE, json.loads(json.dumps(item.entry)))
        running = session_of(self._config)
        done = running.transcribed if running is not None else 0
        if not isinstance(item, DatasetItem):
            setattr(report, _BESIDE, done - self._counted)
        self._counted = done
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember that the gate file itself could not be used."""
        self._broken_file |= report.failed and report.nodeid.endswith(self._selection.path.name)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the verdict from a report, made here or sent by a worker."""
        self._beside += getattr(report, _BESIDE, 0)
        entry: PairEntry | None = getattr(report, _ATTRIBUTE, None)
        if entry is not None:
            self._entries[entry["variant"], entry["dataset"]] = entry

    def _ordered(self) -> tuple[list[PairEntry], list[str], str]:
        """The verdicts in the order of the gate file, the notes on that file, and its state folder."""
        try:
            gate = open_gate(self._selection.path)
        except GateFileError:
            # Changed under our feet; what was judged still stands.
            return list(self._entries.values()), [], "the state folder"
        keys = [(pair.variant.name, pair.dataset.name) for pair in gate.pairs]
        known = [self._entries[key] for key in keys if key in self._entries]
        others = [entry for key, entry in self._entries.items() if key not in keys]
        return known + others, list(gate.notes), os.path.relpath(gate.state, self._config.invocation_params.dir)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End every engine, and write the JSON report where this is not an xdist worker."""
        running = session_of(self._config)
        if running is not None:
            running.close()
        if self._broken_file and session.exitstatus == pytest.ExitCode.TESTS_FAILED:
            # Under xdist pytest calls a collection error 1; it is 2 with and without.
            session.exitstatus = pytest.ExitCode.INTERRUPTED
        path = self._config.getoption("asrgate_json")
        if self._is_worker() or not path or not self._entries:
            return
        entries, gate_notes, _ = self._ordered()
        target = Path(self._config.invocation_params.dir) / path
        try:
            write_json_report(target, self._selection.path, entries, gate_notes)
        except OSError as error:
            self._failure = f"--asrgate-json: {target} cannot be written ({error.strerror})"
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table and the lines under it."""
        if self._failure:
            terminalreporter.write_line(self._failure, red=True)
        if not self._entries:
            return
        entries, gate_notes, state = self._ordered()
        terminalreporter.section("asrgate")
        for line in table(entries):
            terminalreporter.write_line(line)
        terminalreporter.write_line("")
        for line in notes(entries, state, gate_notes, self._beside):
            terminalreporter.write_line(line)
