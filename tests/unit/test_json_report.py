"""Claims about the JSON report of a session."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pytest_asrgate import __version__
from pytest_asrgate.reports.json_report import session_report, write_json_report
from pytest_asrgate.reports.places import JSON, foreign

from .builders import entry


def test_a_session_is_reported_with_its_gate(tmp_path: Path) -> None:
    """The file holds the pairs as given, which gate they are of, its notes, and what was left out."""
    pair = entry([("a", "the cat", "a cat")])
    report = session_report(tmp_path / "gate.toml", [pair], ["a note"], ["q8_0::other"])
    write_json_report(tmp_path / "report.json", report)
    made = report["gate"]["made"]
    assert datetime.fromisoformat(made).utcoffset() == timedelta(0)
    assert json.loads((tmp_path / "report.json").read_text()) == {
        "schema": "asrgate.report/1",
        "gate": {
            "path": str(tmp_path / "gate.toml"),
            "made": made,
            "plugin_version": __version__,
            "notes": ["a note"],
            "not_judged": ["q8_0::other"],
        },
        "pairs": [pair],
    }


def test_it_may_be_written_over_by_the_next_one(tmp_path: Path) -> None:
    """A report is known as one of ours, and no other file is written over."""
    path = tmp_path / "report.json"
    report = session_report(tmp_path / "gate.toml", [])
    write_json_report(path, report)
    assert foreign(path, JSON) == ""
    write_json_report(path, report)
    path.write_text("a letter")
    with pytest.raises(FileExistsError, match="is no JSON report of ours"):
        write_json_report(path, report)
    assert path.read_text() == "a letter"
