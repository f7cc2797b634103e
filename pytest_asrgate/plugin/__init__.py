"""The pytest plugin; this file is imported by every pytest run, so it imports nothing but pytest.

A run that asks for no gate stops here: no option of ours was used, `-m` does not name `wer`, and no path or node id
names the gate file. Everything else is imported where a gate is really collected.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_asrgate.plugin.selection import GATE_FILE, Selection, is_same_file, select

if TYPE_CHECKING:
    from pytest_asrgate.plugin.nodes import GateFileNode
    from pytest_asrgate.session import GateSession

__all__ = ["GATE_FILE"]

_SELECTION = pytest.StashKey[Selection]()


def _workers(text: str) -> int:
    from pytest_asrgate.config.fields import MOST_WORKERS  # noqa: PLC0415 - only where the option is used

    if not re.fullmatch("[0-9]{1,9}", text) or not 1 <= int(text) <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"must be a whole number of 1 to {MOST_WORKERS}, not {text!r}")
    return int(text)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options and the ini key."""
    group = parser.getgroup("asrgate", "speech recognition gate")
    group.addoption(
        "--asrgate",
        action="store_true",
        default=False,
        help="run the gate of the gate file, as `-m wer` does, beside other tests",
    )
    group.addoption(
        "--asrgate-config",
        metavar="FILE",
        default=None,
        help=f"the gate file (default: the ini key asrgate_config, else {GATE_FILE} in the rootdir)",
    )
    group.addoption(
        "--asrgate-early",
        action="store_true",
        default=False,
        help="as gate.stop_early: end each pair as soon as its margin is decided; never makes a preset shippable",
    )
    group.addoption(
        "--asrgate-json",
        metavar="PATH",
        default=None,
        help="write the verdicts of a gate run as JSON to PATH; `asrgate report` makes the others of it",
    )
    group.addoption(
        "--asrgate-html",
        metavar="PATH",
        default=None,
        help="write the verdicts, plots and changed utterances of a gate run as one page of HTML to PATH",
    )
    group.addoption(
        "--asrgate-html-audio",
        choices=("embed", "link", "none"),
        default="embed",
        help="whether the page has the sounds in it, links to them where they are, or has none (default: embed)",
    )
    group.addoption(
        "--asrgate-markdown",
        metavar="PATH",
        default=None,
        help="write the table and the failures of a gate run as markdown to PATH, short enough for a comment on a "
        "pull request, and add them to the file that GITHUB_STEP_SUMMARY names, where that is set",
    )
    group.addoption(
        "--asrgate-progress",
        metavar="SECONDS",
        type=float,
        default=30.0,
        help="how often a long gate says how far it is where there is no terminal to redraw a line on "
        "(default: 30; 0: after every utterance; negative: never, on no terminal either)",
    )
    group.addoption(
        "--asrgate-workers",
        metavar="N",
        type=_workers,
        default=None,
        help="as executor.workers: decode each pair with N model processes on this machine, and never more than N",
    )
    group.addoption(
        "--asrgate-judge",
        metavar="MODE",
        choices=("replay", "record", "live", "off"),
        default=None,
        help="as judge.mode: replay (only replies that the cassette has), record (ask for those that it lacks), "
        "live (ask for all, keep none) or off",
    )
    group.addoption(
        "--asrgate-rehash",
        action="store_true",
        default=False,
        help="read every audio and model file again, also those that look unchanged since they were hashed",
    )
    parser.addini("asrgate_config", help="the gate file, relative to the rootdir", default=None)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and decide whether a gate is asked for."""
    config.addinivalue_line("markers", "wer: a pair of the speech recognition gate (variant x dataset)")
    selection = select(config)
    config.stash[_SELECTION] = selection
    if not selection.asked:
        return
    from pytest_asrgate.plugin.orphans import ControllerEnd, WorkerEnd  # noqa: PLC0415 - only where a gate is asked for
    from pytest_asrgate.plugin.report_files import ReportFiles  # noqa: PLC0415 - as above
    from pytest_asrgate.plugin.reporting import Reporting  # noqa: PLC0415 - as above

    files = ReportFiles(config, selection)
    config.pluginmanager.register(files, "asrgate-report-files")
    config.pluginmanager.register(Reporting(config, selection, files), "asrgate-reporting")
    end = WorkerEnd() if hasattr(config, "workerinput") else ControllerEnd()
    config.pluginmanager.register(end, "asrgate-end")
    if config.pluginmanager.hasplugin("xdist"):
        from pytest_asrgate.plugin.distribution import distribute  # noqa: PLC0415 - only where a gate is asked for

        distribute(config, selection)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Show progress where a gate is asked for; only now is it known who prints, and no xdist worker runs yet."""
    selection = session.config.stash.get(_SELECTION, None)
    if selection is None or not selection.asked:
        return
    from pytest_asrgate.plugin.progress import watch  # noqa: PLC0415 - only where a gate is asked for

    watch(session.config, selection)


@pytest.fixture(scope="session")
def asrgate(request: pytest.FixtureRequest) -> Iterator[GateSession]:
    """The gate of the configured gate file, to assert something of your own about a pair.

    It is the session that the gate's items of this run use too, so nothing is transcribed twice.
    """
    from pytest_asrgate.plugin.sessions import session_for_tests  # noqa: PLC0415 - only where a test asks for it

    session = session_for_tests(request.config, request.config.stash[_SELECTION].path)
    yield session
    session.close()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
) -> None:
    """Say which file was looked for where `-m wer` selected nothing at all."""
    selection = config.stash.get(_SELECTION, None)
    if selection is not None and selection.missing and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        terminalreporter.write_line(f"asrgate: there is no gate file {selection.path}; {selection.missing}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> GateFileNode | None:
    """Collect the configured gate file where a path or node id names it, and no other file of that name."""
    selection = parent.config.stash.get(_SELECTION, None)
    if selection is None or not selection.named or file_path.name != selection.path.name:
        return None
    if file_path != selection.path and not is_same_file(file_path, selection.path):
        return None
    from pytest_asrgate.plugin.nodes import GateFileNode  # noqa: PLC0415 - only where a gate is collected

    return GateFileNode.from_parent(parent, path=file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the whole gate where an option asks for it, before anybody selects among the items.

    Not through the arguments: pytest drops one that lies below another, and then walks past ignored folders.
    """
    selection = config.stash.get(_SELECTION, None)
    if selection is None or not selection.wanted:
        return
    from pytest_asrgate.plugin.nodes import GateFileNode  # noqa: PLC0415 - only where a gate is collected

    items.extend(session.genitems(GateFileNode.from_parent(session, path=selection.path)))
