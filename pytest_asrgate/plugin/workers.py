"""Progress under xdist: workers, who are not seen, leave snapshots; the controller shows them as one line."""

from __future__ import annotations

import json
import re
import shutil
import stat
import threading
import time
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import GateFileError
from pytest_asrgate.jsonlines import is_ours, is_temporary_of, write_atomically
from pytest_asrgate.plugin.display import Display
from pytest_asrgate.plugin.nodeids import pairs_of
from pytest_asrgate.plugin.progress import Recorder, Scope, gate_items
from pytest_asrgate.plugin.selection import Selection
from pytest_asrgate.plugin.sessions import OBSERVER
from pytest_asrgate.records import Progress
from pytest_asrgate.reports.progress import Key, Pace, View, progress_line
from pytest_asrgate.session import open_gate

__all__ = ["RUN", "ControllerProgress", "WorkerProgress", "remove_abandoned", "view_from_json", "view_to_json"]

# What the controller tells its workers: the name of the folder that this run's snapshots go to.
RUN = "asrgate_progress"

# In seconds: how often a worker writes at most, and how often the controller looks.
_WRITE = 1.0
_LOOK = 0.25
# When the controller that left a folder of snapshots behind was surely killed.
_ABANDONED = 86_400.0
# In bytes; no snapshot is nearly as large.
_LARGEST = 10_000_000


def _folder(state: Path, run: str) -> Path:
    return state / "progress" / run


def _is_snapshot(path: Path) -> bool:
    """Whether a file is a worker's snapshot, or the beginning of one that was never finished."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        return False
    if path.suffix == ".json":
        return view_from_json(path.read_text("utf-8", "replace")) is not None
    file = path.name.removeprefix(".").rpartition(".json.")[0]
    return is_temporary_of(path.name, f"{file}.json")


def _is_own_folder(path: Path) -> bool:
    """Whether this is a folder, no link to one, and belongs to us."""
    status = path.lstat()
    return stat.S_ISDIR(status.st_mode) and is_ours(status)


def remove_abandoned(state: Path) -> None:
    """Remove the snapshots of runs whose controller was killed long ago, so that they do not pile up.

    The state folder may be somebody's project: only folders that are named as a run is and hold nothing but
    snapshots are touched, and none behind a link.
    """
    place = state / "progress"
    with suppress(OSError):
        for folder in place.iterdir() if _is_own_folder(place) else ():
            # Another controller may do the same.
            with suppress(OSError):
                if not re.fullmatch("[0-9a-f]{32}", folder.name) or not _is_own_folder(folder):
                    continue
                files = list(folder.iterdir())
                old = time.time() - folder.lstat().st_mtime > _ABANDONED
                if old and all(map(_is_snapshot, files)):
                    for file in files:
                        file.unlink()
                    folder.rmdir()


def _key(found: Any) -> Key | None:
    if found is None:
        return None
    variant, dataset = found
    return str(variant), str(dataset)


def view_to_json(view: View) -> str:
    """A worker's view as text; clocks of two processes differ, so only differences of times go across."""
    pairs = [
        [*key, pace.progress.done, pace.progress.total, pace.progress.fresh, pace.timed[1]]
        for key, pace in view.paces.items()
    ]
    return json.dumps({"pairs": pairs, "running": view.running, "item": view.item})


def view_from_json(text: str) -> View | None:
    """The view that was written; None for anything else."""
    try:
        found = json.loads(text)
        paces = {
            (str(variant), str(dataset)): Pace(
                Progress(str(variant), str(dataset), int(done), int(total), int(fresh)), 0.0, float(seconds)
            )
            for variant, dataset, done, total, fresh, seconds in found["pairs"]
        }
        running, item = (_key(found[name]) for name in ("running", "item"))
    except (ValueError, TypeError, KeyError, OverflowError):
        return None
    return View(paces, running, item)


class WorkerProgress:
    """Writes what this worker's session reports, at most once a second."""

    def __init__(self, workerinput: Mapping[str, Any]) -> None:
        self._run, self._worker = str(workerinput[RUN]), str(workerinput["workerid"])
        self._recorder = Recorder()
        self._path: Path | None = None
        self._written: float | None = None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Observe the gate, if any of its items were selected."""
        items = gate_items(session)
        if items:
            self._path = _folder(items[0].gate.state, self._run) / f"{self._worker}.json"
            session.config.stash[OBSERVER] = self._observe

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note which item runs."""
        self._recorder.start(item)

    def _observe(self, progress: Progress) -> None:
        now = time.monotonic()
        self._recorder.take(progress, now)
        if self._path is not None and (self._written is None or now - self._written >= _WRITE):
            self._written = now
            # Nobody's verdict hangs on a progress line.
            with suppress(OSError):
                write_atomically(self._path, view_to_json(self._recorder.view))


class ControllerProgress:
    """Shows what the workers wrote, from a thread that lives while the tests run."""

    def __init__(self, selection: Selection, display: Display) -> None:
        self._selection = selection
        self._display = display
        self._run = uuid.uuid4().hex
        self._scope: Scope | None = None
        self._folder: Path | None = None
        self._keys: dict[str, Key] = {}
        self._views: dict[str, View] = {}
        self._gone: set[str] = set()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._shown = ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Ask the workers of this machine for snapshots."""
        if node.gateway.spec.popen:
            node.workerinput[RUN] = self._run

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Start to look once it is known that there are items of the gate."""
        if self._thread is not None:
            return
        try:
            gate = open_gate(self._selection.path)
        except GateFileError:
            return
        self._keys = {**pairs_of(ids, gate)}
        if self._keys:
            self._scope = Scope(gate, self._keys.values())
            remove_abandoned(gate.state)
            self._folder = _folder(gate.state, self._run)
            arguments = self._scope, self._folder
            self._thread = threading.Thread(target=self._look, args=arguments, name=RUN, daemon=True)
            self._thread.start()

    @pytest.hookimpl(optionalhook=True, wrapper=True)
    def pytest_testnodedown(self, node: Any) -> Generator[None]:
        """Forget what a worker was doing when it ended or died; what it had finished stays finished."""
        self._gone.add(f"{node.gateway.id}")
        with self._display.quiet():
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that an item has ended."""
        if self._scope is not None and report.nodeid in self._keys and (report.when == "call" or not report.passed):
            self._scope.end(self._keys[report.nodeid])

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """End the thread with the tests, however they ended."""
        try:
            return (yield)
        finally:
            self._stop.set()
            if self._thread is not None:
                self._thread.join()
            self._display.clear()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Remove the snapshots; by now xdist has ended the workers."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            with suppress(OSError):
                self._folder.parent.rmdir()

    def _read(self, folder: Path) -> list[View]:
        for path in folder.glob("*.json"):
            with suppress(OSError, UnicodeDecodeError):
                self._views[path.stem] = view_from_json(path.read_text("utf-8")) or View({})
        return [
            replace(view, running=None) if worker in self._gone else view for worker, view in self._views.items()
        ]

    def _look(self, scope: Scope, folder: Path) -> None:
        while not self._stop.wait(_LOOK):
            views = self._read(folder)
            line = progress_line(views, scope.sizes, scope.closed, self._display.width)
            # A snapshot may be older than the interval; a log need not say the same thing twice.
            news = line != self._shown or self._display.in_place
            fresh = any(view.pace and view.pace.progress.fresh for view in views)
            now = time.monotonic()
            if line and self._display.due(now, fresh=fresh) and news:
                self._display.show(line, now)
                self._shown = line
