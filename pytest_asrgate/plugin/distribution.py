"""The gate under pytest-xdist: which of its options are allowed, who schedules, and what a dead worker costs."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import pytest

from pytest_asrgate.config import Gate
from pytest_asrgate.errors import AsrGateError, GateFileError
from pytest_asrgate.plugin.nodeids import gate_units, pairs_of
from pytest_asrgate.plugin.nodes import DatasetItem
from pytest_asrgate.plugin.reporting import attach, is_final
from pytest_asrgate.plugin.scheduling import GateScheduling
from pytest_asrgate.plugin.selection import Selection
from pytest_asrgate.reports.entries import pair_entry
from pytest_asrgate.reports.failure import failure_message
from pytest_asrgate.reports.junit import junit_properties
from pytest_asrgate.session import open_gate
from pytest_asrgate.verdict import failed_to_run

__all__ = ["Distribution", "IdleItem", "WorkerDistribution", "distribute"]

# What the controller tells its workers: that it counts on the idle item behind all others.
_SCHEDULED = "asrgate_scheduled"

# As xdist has it for -n; with --tx alone it would start a dying worker again for ever.
_RESTARTS_A_WORKER = 4


def _workers(config: pytest.Config) -> int:
    """How many workers this run starts with; 0 where it is no controller of xdist."""
    if config.getoption("dist", "no") == "no" or hasattr(config, "workerinput") or config.option.collectonly:
        return 0
    specs = [spec.partition("*") for spec in config.getoption("tx", None) or ()]
    return sum(int(count) if star and count.isdigit() else 1 for count, star, _ in specs)


def distribute(config: pytest.Config, selection: Selection) -> None:
    """Register what a controller or a worker of xdist needs; pytest.UsageError for a mode that is no use."""
    if hasattr(config, "workerinput"):
        if config.workerinput.get(_SCHEDULED):
            config.pluginmanager.register(WorkerDistribution(), "asrgate-distribution")
        return
    workers = _workers(config)
    if not workers:
        return
    if config.getoption("dist") == "each":
        raise pytest.UsageError(
            "--dist each runs every item on every worker, which gives a pair of the gate as many verdicts; "
            "choose another mode, as --dist load"
        )
    if config.option.maxworkerrestart is None and not config.option.numprocesses:
        config.option.maxworkerrestart = str(_RESTARTS_A_WORKER * workers)
    config.pluginmanager.register(Distribution(config, selection), "asrgate-distribution")


class Distribution:
    """On the controller."""

    def __init__(self, config: pytest.Config, selection: Selection) -> None:
        self._config = config
        self._selection = selection
        self._scheduling: GateScheduling | None = None
        # As it was when the first worker had read it too.
        self._gate: Gate | None = None
        self._judged: dict[str, pytest.TestReport] = {}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Ask a worker for the idle item."""
        node.workerinput[_SCHEDULED] = True

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Take the idle item off the list, so that nobody counts it among the tests."""
        if ids and ids[-1] == IdleItem.ID:
            ids.pop()

    def _units(self, ids: Sequence[str]) -> list[list[int]]:
        if self._gate is None:
            try:
                self._gate = open_gate(self._selection.path)
            except GateFileError:
                return []
        baselines = {variant.baseline for variant in self._gate.variants.values() if variant.baseline}
        return gate_units(ids, pairs_of(ids, self._gate), baselines)

    def _warn(self, sentence: str) -> None:
        report = pytest.CollectReport(nodeid="asrgate", outcome="failed", longrepr=sentence, result=[])
        self._config.hook.pytest_collectreport(report=report)

    @pytest.hookimpl(optionalhook=True, wrapper=True)
    def pytest_xdist_make_scheduler(self) -> Generator[None, Any, GateScheduling]:
        """Schedule the gate around whatever scheduler the run would have had."""
        self._scheduling = GateScheduling((yield), self._units, self._warn)
        return self._scheduling

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note that an item has begun, since only such a one can have killed its worker."""
        if self._scheduling is not None:
            self._scheduling.start(nodeid)

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> bool | None:
        """Make an ERROR of a pair whose worker died, and let nobody run it again."""
        worker = report.node.gateway.id
        why = (
            f"the xdist worker {worker} died in the middle of this pair; what it had transcribed is kept, and the "
            "next run goes on from there"
        )
        return True if self._make_error(report, crashitem, why) else None

    def _key(self, nodeid: str) -> tuple[str, str] | None:
        return pairs_of([nodeid], self._gate).get(nodeid) if self._gate is not None else None

    def _make_error(self, report: pytest.TestReport, nodeid: str, why: str) -> bool:
        """Turn a report into that of an ERROR verdict; False where it is none of a pair."""
        key = self._key(nodeid)
        if self._gate is None or key is None:
            return False
        pair = self._gate.pair(*key)
        verdict = failed_to_run(pair, AsrGateError(why), is_baseline=pair.variant.baseline == pair.variant.name)
        entry = pair_entry(verdict)
        judged = self._judged.get(nodeid)
        # As pytest says it of an item whose end went wrong after it had been reported: an error beside the result.
        report.when = "teardown" if judged else "call"
        for name in ("item_index", "worker_id"):
            if hasattr(judged, name):
                setattr(report, name, getattr(judged, name))
        report.outcome = "failed"
        report.longrepr = failure_message(verdict)
        report.location = (report.location[0], None, "::".join(key))
        report.user_properties = list(junit_properties(entry))
        attach(report, entry, final=True)
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note which pairs have had their verdict, and end those whose worker cannot say that they ended."""
        if report.when != "call" or self._key(report.nodeid) is None:
            return
        self._judged[report.nodeid] = report
        if is_final(report):
            # A JUnit file takes an item's properties from its teardown.
            end = pytest.TestReport(report.nodeid, report.location, {}, "passed", None, "teardown")
            end.user_properties = report.user_properties
            if hasattr(report, "node"):
                vars(end)["node"] = report.node
            self._config.hook.pytest_runtest_logreport(report=end)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """Report what was left when xdist gave up; a pair that was asked for is never passed over in silence."""
        result = yield
        for nodeid in self._scheduling.left if self._scheduling is not None else ():
            file = nodeid.split("::", maxsplit=1)[0]
            why = "not run: xdist ended the run before a worker came to this pair, and says above why"
            report = pytest.TestReport(nodeid, (file, None, file), {}, "failed", f"{nodeid}: {why}", "call")
            self._make_error(report, nodeid, why)
            self._config.hook.pytest_runtest_logreport(report=report)
        return result


class IdleItem(pytest.Item):
    """Does nothing, and so lets a worker begin its last item, which it does only when it knows the next."""

    ID = "asrgate::idle"

    def runtest(self) -> None:
        """Do nothing."""


class WorkerDistribution:
    """On a worker."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Put the idle item behind all others where there are items of the gate."""
        if any(isinstance(item, DatasetItem) for item in session.items):
            session.items.append(IdleItem.from_parent(session, name="idle", nodeid=IdleItem.ID))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Pass over the idle item without a word; if it is the last one, end what the session holds."""
        if not isinstance(item, IdleItem):
            return None
        if nextitem is None:
            # As pytest does it with the last item; left to the session's end, an error in it would end the worker.
            # None of the hooks around a teardown is called, since no set-up came before it.
            state: Any = vars(item.session)["_setupstate"]
            stops = KeyboardInterrupt, pytest.exit.Exception
            call = pytest.CallInfo.from_call(lambda: state.teardown_exact(None), when="teardown", reraise=stops)
            if call.excinfo is not None:
                report = pytest.TestReport.from_item_and_call(item, call)
                item.ihook.pytest_runtest_logreport(report=report)
        return True
