"""All that is told of a gate at the end of a run, as lines that fit a terminal."""

from collections.abc import Iterator, Sequence

from pytest_asrgate.reports.changed_lines import changed_lines
from pytest_asrgate.reports.check_lines import check_lines
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.evidence import evidence
from pytest_asrgate.reports.layout import Piece, wrapped
from pytest_asrgate.reports.notes import deciding, other_notes
from pytest_asrgate.reports.table import outcome, table_lines

__all__ = ["gate_lines"]

Line = tuple[Piece, ...]


def _text(line: str, width: int | None, result: str = "") -> Iterator[Line]:
    return ((Piece(part, result),) for part in wrapped(line, width))


def gate_lines(
    entries: Sequence[PairEntry],
    state: str,
    gate_notes: Sequence[str] = (),
    beside: int = 0,
    *,
    verbosity: int = 0,
    width: int | None = None,
) -> Iterator[Line]:
    """The table and the lines under it; from verbosity 1 every check and other tests, from 2 what changed.

    `width` is that of the terminal in cells, None for any; `state` names the state folder, and `beside` counts the
    utterances that were transcribed for others than the gate's items.
    """
    yield from table_lines(entries, width)
    yield ()
    for entry in entries:
        for line in deciding(entry):
            yield from _text(line, width, outcome(entry))
    for line in other_notes(entries, state, gate_notes, beside):
        yield from _text(line, width)
    if verbosity < 1:
        return
    for entry in entries:
        yield ()
        yield from ((Piece(line),) for line in check_lines(entry, width))
    yield ()
    for line in evidence(entries):
        yield from _text(line, width)
    if verbosity < 2:
        return
    for entry in entries:
        found = changed_lines(entry, width)
        yield from [()] if found else []
        # These are aligned already, and wrapping them would put them out of order.
        yield from ((Piece(line),) for line in found)
