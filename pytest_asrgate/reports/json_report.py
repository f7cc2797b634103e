"""The JSON report of a session: `asrgate.report/1`."""

from collections.abc import Sequence
from pathlib import Path

from pytest_asrgate import __version__
from pytest_asrgate.jsonlines import json_text, write_atomically
from pytest_asrgate.reports.entries import PairEntry

__all__ = ["SCHEMA", "write_json_report"]

SCHEMA = "asrgate.report/1"


def write_json_report(
    path: Path,
    gate_file: Path,
    entries: Sequence[PairEntry],
    notes: Sequence[str] = (),
    not_judged: Sequence[str] = (),
) -> None:
    """Write all pairs of a session, in the order given, atomically; OSError as it comes.

    `not_judged` names the pairs of the gate file, as `variant::dataset`, that this session left out.
    """
    report = {
        "schema": SCHEMA,
        "gate": {
            "path": str(gate_file),
            "plugin_version": __version__,
            "notes": list(notes),
            "not_judged": list(not_judged),
        },
        "pairs": list(entries),
    }
    write_atomically(path, json_text(report, indent=1) + "\n")
