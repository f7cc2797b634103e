"""The gate's part of what pytest prints at its end: the table, and under it as much as `-v` asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_asrgate.reports.changed_lines import changed_lines
from pytest_asrgate.reports.check_lines import check_lines
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.evidence import evidence
from pytest_asrgate.reports.layout import wrapped
from pytest_asrgate.reports.notes import deciding, other_notes
from pytest_asrgate.reports.table import outcome, table_lines

__all__ = ["print_gate", "table_width"]

# What pytest's own writer makes of an outcome; it leaves colours out where nobody wants them.
_MARKUP: Mapping[str, Mapping[str, bool]] = {
    "PASS": {"green": True},
    "FAIL": {"red": True},
    "EXPECTED": {"yellow": True},
    "INCONCLUSIVE": {"yellow": True},
    "ERROR": {"red": True, "bold": True},
}


def table_width(reporter: Any) -> int | None:
    """How many cells a line may have; None where nobody looks through a window, such as in a log."""
    return int(reporter.config.get_terminal_writer().fullwidth) if reporter.isatty else None


class _Lines:
    """Writes lines that fit the window."""

    def __init__(self, reporter: Any) -> None:
        self._writer = reporter.config.get_terminal_writer()
        self.width = table_width(reporter)

    def pieces(self, line: Sequence[tuple[str, str]]) -> None:
        """One line of a table, every piece with the colour of its outcome."""
        for text, result in line:
            self._writer.write(text, **_MARKUP.get(result, {}))
        self._writer.line()

    def text(self, line: str, result: str = "") -> None:
        """A line of text, wrapped at blanks."""
        for part in wrapped(line, self.width):
            self._writer.line(part, **_MARKUP.get(result, {}))

    def aligned(self, lines: Sequence[str]) -> None:
        """Lines that were laid out already, which wrapping would put out of order."""
        for line in lines:
            self._writer.line(line)


def print_gate(
    reporter: Any, entries: Sequence[PairEntry], state: str, gate_notes: Sequence[str], beside: int
) -> None:
    """Print the table and the lines under it; with -v the checks and other tests, with -vv what changed."""
    verbosity = reporter.config.getoption("verbose")
    lines = _Lines(reporter)
    for row in table_lines(entries, lines.width):
        lines.pieces([(piece.text, piece.outcome) for piece in row])
    lines.text("")
    for entry in entries:
        for line in deciding(entry):
            lines.text(line, outcome(entry))
    for line in other_notes(entries, state, gate_notes, beside):
        lines.text(line)
    if verbosity < 1:
        return
    for entry in entries:
        lines.text("")
        lines.aligned(check_lines(entry, lines.width))
    lines.text("")
    for line in evidence(entries):
        lines.text(line)
    if verbosity < 2:
        return
    for entry in entries:
        found = changed_lines(entry, lines.width)
        if found:
            lines.text("")
            lines.aligned(found)
