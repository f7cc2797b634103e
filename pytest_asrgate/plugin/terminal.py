"""The gate's part of what pytest prints at its end, through pytest's own writer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.gate_lines import gate_lines

__all__ = ["print_gate"]

# What pytest's own writer makes of an outcome; it leaves colours out where nobody wants them.
_MARKUP: Mapping[str, Mapping[str, bool]] = {
    "PASS": {"green": True},
    "FAIL": {"red": True},
    "EXPECTED": {"yellow": True},
    "INCONCLUSIVE": {"yellow": True},
    "ERROR": {"red": True, "bold": True},
}


def print_gate(
    reporter: Any, entries: Sequence[PairEntry], state: str, gate_notes: Sequence[str], beside: int
) -> None:
    """Print the table and the lines under it; with -v the checks and other tests, with -vv what changed."""
    writer = reporter.config.get_terminal_writer()
    # Where nobody looks through a window, such as in a log, lines may have any length.
    width = int(writer.fullwidth) if reporter.isatty else None
    verbosity = reporter.config.getoption("verbose")
    for line in gate_lines(entries, state, gate_notes, beside, verbosity=verbosity, width=width):
        for piece in line:
            writer.write(piece.text, **_MARKUP.get(piece.outcome, {}))
        writer.line()
