"""The JSON report of a session: `asrgate.report/1`."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from pytest_asrgate import __version__
from pytest_asrgate.jsonlines import json_text, write_atomically
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.places import JSON, refuse_foreign

__all__ = ["SCHEMA", "GateEntry", "Report", "session_report", "write_json_report"]

SCHEMA = "asrgate.report/1"


class GateEntry(TypedDict):
    """Where the verdicts come from; `not_judged` names the pairs, as `variant::dataset`, that were left out.

    `made` is when, as ISO 8601 in UTC.
    """

    path: str
    made: str
    plugin_version: str
    notes: list[str]
    not_judged: list[str]


class Report(TypedDict):
    """All that is reported of a session."""

    schema: str
    gate: GateEntry
    pairs: list[PairEntry]


def session_report(
    gate_file: Path, entries: Sequence[PairEntry], notes: Sequence[str] = (), not_judged: Sequence[str] = ()
) -> Report:
    """The report of a session: its pairs in the order given, and those of the gate file that it left out."""
    gate = GateEntry(
        path=str(gate_file),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        plugin_version=__version__,
        notes=list(notes),
        not_judged=list(not_judged),
    )
    return Report(schema=SCHEMA, gate=gate, pairs=list(entries))


def write_json_report(path: Path, report: Report) -> None:
    """Write a report atomically; OSError as it comes, and for a file that is no such report."""
    refuse_foreign(path, JSON)
    write_atomically(path, json_text(report, indent=1) + "\n")
