"""How far the gate is, while it runs: what this process reports, and where it goes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cached_property

import pytest

from pytest_asrgate.config import Gate
from pytest_asrgate.datasets.load import count_utterances
from pytest_asrgate.plugin.display import Display
from pytest_asrgate.plugin.nodes import DatasetItem
from pytest_asrgate.plugin.selection import Selection
from pytest_asrgate.plugin.sessions import OBSERVER
from pytest_asrgate.records import Progress
from pytest_asrgate.reports.progress import Key, Pace, View, advanced, progress_line

__all__ = ["Recorder", "Scope", "gate_items", "watch"]


def gate_items(session: pytest.Session) -> list[DatasetItem]:
    """The selected items of the gate."""
    return [item for item in session.items if isinstance(item, DatasetItem)]


class Scope:
    """What a run has to do: its selected pairs, and the baselines that these need and that are no items of it."""

    def __init__(self, gate: Gate, selected: Iterable[Key]) -> None:
        self._gate = gate
        self._selected = frozenset(selected)
        self.closed: set[Key] = set()

    def _baseline(self, key: Key) -> Key:
        variant, dataset = key
        return self._gate.pair(variant, dataset).variant.baseline or variant, dataset

    @cached_property
    def sizes(self) -> dict[Key, int]:
        """How many utterances each of these pairs has, from the manifests as they are when first asked."""
        counts = {name: count_utterances(dataset) for name, dataset in self._gate.datasets.items()}
        keys = self._selected | {self._baseline(key) for key in self._selected}
        return {key: counts[key[1]] for key in keys}

    def end(self, key: Key) -> None:
        """Note that the item of this pair has ended, whatever became of it."""
        baseline = self._baseline(key)
        # A baseline with an item of its own ends with that.
        self.closed |= {key} if baseline in self._selected else {key, baseline}


class Recorder:
    """The paces of the pairs of this process."""

    def __init__(self) -> None:
        self._paces: dict[Key, Pace] = {}
        self._running: Key | None = None
        self._item: Key | None = None

    def start(self, item: pytest.Item) -> None:
        """Note which item runs from now on; it may be no item of the gate."""
        self._running = None
        self._item = (item.variant, item.name) if isinstance(item, DatasetItem) else None

    def take(self, progress: Progress, now: float) -> None:
        """Note how far a pair is at `now`, in seconds."""
        self._running = progress.variant, progress.dataset
        self._paces[self._running] = advanced(self._paces.get(self._running), progress, now)

    @property
    def view(self) -> View:
        """What is known by now."""
        return View(self._paces, self._running, self._item)


class OwnProgress:
    """Shows what the items of this process do; under xdist there are none in the controller."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._recorder = Recorder()
        self._scope: Scope | None = None
        self._keys: dict[str, Key] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Observe the gate, if any of its items were selected."""
        items = gate_items(session)
        if items:
            self._keys = {item.nodeid: (item.variant, item.name) for item in items}
            self._scope = Scope(items[0].gate, self._keys.values())
            session.config.stash[OBSERVER] = self._observe

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note which item runs."""
        self._recorder.start(item)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that an item has ended."""
        if self._scope is not None and report.nodeid in self._keys and (report.when == "call" or not report.passed):
            self._scope.end(self._keys[report.nodeid])

    def _observe(self, progress: Progress) -> None:
        now = time.monotonic()
        self._recorder.take(progress, now)
        if self._scope is not None and self._display.due(now, fresh=progress.fresh > 0):
            scope = self._scope
            line = progress_line([self._recorder.view], scope.sizes, scope.closed, self._display.width)
            self._display.show(line, now)


def watch(config: pytest.Config, selection: Selection) -> None:
    """Register what shows progress in this process; nothing where it was turned off or nobody would see it."""
    from pytest_asrgate.plugin.workers import RUN, ControllerProgress, WorkerProgress  # noqa: PLC0415 - uses this file

    register = config.pluginmanager.register
    if hasattr(config, "workerinput"):
        if config.workerinput.get(RUN):
            register(WorkerProgress(config.workerinput), "asrgate-progress")
        return
    reporter = config.pluginmanager.getplugin("terminalreporter")
    seconds: float = config.getoption("asrgate_progress")
    if reporter is None or config.getoption("verbose") <= -2 or not seconds >= 0:
        return
    display = Display(config, reporter, seconds)
    register(display, "asrgate-display")
    register(OwnProgress(display), "asrgate-progress")
    register(ControllerProgress(selection, display), "asrgate-progress-of-workers")
