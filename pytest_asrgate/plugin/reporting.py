"""Collects the verdicts of a run, also from xdist workers, and prints and writes them at its end."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_asrgate.config import Gate
from pytest_asrgate.errors import GateFileError
from pytest_asrgate.plugin.nodeids import pairs_of
from pytest_asrgate.plugin.nodes import DatasetItem
from pytest_asrgate.plugin.report_files import ReportFiles
from pytest_asrgate.plugin.selection import Selection
from pytest_asrgate.plugin.sessions import session_of
from pytest_asrgate.plugin.terminal import print_gate
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.json_report import session_report
from pytest_asrgate.reports.told import told_once
from pytest_asrgate.session import GateSession, open_gate
from pytest_asrgate.values import plural

__all__ = ["Reporting", "attach", "is_final"]

# The attribute that a report carries its verdict in; xdist takes plain JSON values across.
_ATTRIBUTE = "asrgate_entry"
# Likewise that this verdict stands, whatever else is reported of the pair.
_FINAL = "asrgate_final"
# Likewise the number of utterances that were transcribed for a test with the fixture `asrgate`.
_BESIDE = "asrgate_transcribed_beside"


def attach(report: pytest.TestReport, entry: PairEntry, *, final: bool = False) -> None:
    """Let a report carry a verdict; no other takes the place of one that is final."""
    # Through JSON: one value that xdist cannot serialise would end the whole run.
    setattr(report, _ATTRIBUTE, json.loads(json.dumps(entry)))
    setattr(report, _FINAL, final)


def is_final(report: pytest.TestReport) -> bool:
    """Whether a report carries a verdict that stands, whatever else is reported of the pair."""
    return bool(getattr(report, _FINAL, False))


@dataclass(frozen=True, slots=True)
class _Found:
    """The verdicts of a run; `not_judged` names the pairs of the gate file that it left out."""

    entries: list[PairEntry]
    notes: list[str]
    state: str
    not_judged: list[str]


class Reporting:
    """Registered only in runs that ask for a gate."""

    def __init__(self, config: pytest.Config, selection: Selection, files: ReportFiles) -> None:
        self._config = config
        self._selection = selection
        self._files = files
        self._entries: dict[tuple[str, str], PairEntry] = {}
        self._final: set[tuple[str, str]] = set()
        self._counted = 0
        self._beside = 0
        self._broken_file = False
        self._warned = False

    def _is_worker(self) -> bool:
        return hasattr(self._config, "workerinput")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the verdict to the report of the call."""
        report = yield
        if call.when == "call" and isinstance(item, DatasetItem) and item.entry is not None:
            attach(report, item.entry)
        running = session_of(self._config)
        done = running.transcribed if running is not None else 0
        if not isinstance(item, DatasetItem):
            setattr(report, _BESIDE, done - self._counted)
        self._counted = done
        return report

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Warn of margins that no run can keep, before anything is decoded."""
        items = [item for item in session.items if isinstance(item, DatasetItem)]
        if items and not self._config.option.collectonly and not self._is_worker():
            self._warn_of_margins(items[0].gate, [(item.variant, item.name) for item in items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """The same under xdist, whose controller collects nothing itself; the first worker's items are all."""
        if self._warned:
            return
        try:
            gate = open_gate(self._selection.path)
        except GateFileError:
            return
        self._warn_of_margins(gate, list(pairs_of(ids, gate).values()))

    def _warn_of_margins(self, gate: Gate, names: Sequence[tuple[str, str]]) -> None:
        self._warned = True
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        # A session of its own: that of the items is opened by the first of them, when it is known who watches.
        with GateSession(gate) as session:
            for sentence in session.unreachable_margins(names):
                if terminal is not None:
                    terminal.write_line(f"asrgate: warning: {plain(sentence)}", yellow=True)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember that the gate file itself could not be used."""
        self._broken_file |= report.failed and report.nodeid.endswith(self._selection.path.name)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the verdict from a report, made here or sent by a worker."""
        self._beside += getattr(report, _BESIDE, 0)
        entry: PairEntry | None = getattr(report, _ATTRIBUTE, None)
        if entry is None:
            return
        key = entry["variant"], entry["dataset"]
        if key not in self._final:
            self._entries[key] = entry
        if is_final(report):
            self._final.add(key)

    def _ordered(self) -> _Found:
        """What was judged, in the order of the gate file, and what that file says beside."""
        try:
            gate = open_gate(self._selection.path)
        except GateFileError:
            # Changed under our feet; what was judged still stands.
            return _Found(list(self._entries.values()), [], "the state folder", [])
        keys = [(pair.variant.name, pair.dataset.name) for pair in gate.pairs]
        known = [self._entries[key] for key in keys if key in self._entries]
        others = [entry for key, entry in self._entries.items() if key not in keys]
        return _Found(
            entries=told_once(known + others, gate.state),
            notes=list(gate.notes),
            state=os.path.relpath(gate.state, self._config.invocation_params.dir),
            not_judged=["::".join(key) for key in keys if key not in self._entries],
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End every engine, and write the reports where this is not an xdist worker."""
        running = session_of(self._config)
        if running is not None:
            running.close()
        if self._broken_file and session.exitstatus == pytest.ExitCode.TESTS_FAILED:
            # Under xdist pytest calls a collection error 1; it is 2 with and without.
            session.exitstatus = pytest.ExitCode.INTERRUPTED
        if self._is_worker() or not self._files.targets or self._broken_file or self._config.option.collectonly:
            return
        found = self._ordered()
        report = session_report(self._selection.path, found.entries, found.notes, found.not_judged)
        if not self._files.write(report) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table and the lines under it."""
        running = session_of(self._config)
        found = self._ordered() if self._entries or running is not None else None
        if found is None:
            return
        terminalreporter.section("asrgate")
        if found.entries:
            print_gate(terminalreporter, found.entries, found.state, found.notes, self._beside)
        elif running is not None and running.transcribed:
            # Nothing was judged, as after Ctrl-C in the first pair, but no work is lost.
            kept = plural(running.transcribed, "finished utterance")
            terminalreporter.write_line(f"no pair was judged; {kept} of this run are kept in {plain(found.state)}")
