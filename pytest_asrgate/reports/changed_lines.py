"""The utterances of a pair that a reader looks at first, as aligned diffs for a terminal."""

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.layout import wrapped
from pytest_asrgate.reports.quoted import Limits, quoted_lines
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.reports.worst import cost_text, flags_text, is_hidden, worst_utterances

__all__ = ["changed_lines"]

_SHOWN = 10
_LONGEST_DIFF = 30
_LONGEST_TEXT = 2000
_LONGEST_LINE = 1000
# Where a terminal is narrower, a diff cannot be read.
_NARROWEST = 30
# Of a diff where no terminal says how wide it is.
_ANY_WIDTH = 100
_INDENT = "    "


def _listed(text: str, width: int | None, indent: str = "  ") -> list[str]:
    return [f"{indent}{line}" for line in wrapped(text, None if width is None else width - len(indent))]


def _quoted(line: str, row: UtteranceEntry, width: int | None) -> list[str]:
    """What is aligned fits already, and wrapping would put it out of order."""
    is_text = is_hidden(row) or line.startswith(("RAW: ", "… "))
    return _listed(line, width, _INDENT) if is_text else [f"{_INDENT}{line}"]


def _lines(row: UtteranceEntry, entry: PairEntry, width: int | None) -> list[str]:
    room = max(_NARROWEST, (width or _ANY_WIDTH) - len(_INDENT) - len("REF: "))
    limits = Limits(room, _LONGEST_DIFF, _LONGEST_TEXT, _LONGEST_LINE, "the hypothesis file")
    return [
        *_listed(f"{plain(row['id'])}: {plain(cost_text(row, entry))}{flags_text(row)}", width),
        *(part for line in quoted_lines(row, entry, limits, plain) for part in _quoted(line, row, width)),
    ]


def changed_lines(entry: PairEntry, width: int | None) -> list[str]:
    """At most ten utterances with their diffs, `width` cells wide where that can be; there may be none."""
    worst, what = worst_utterances(entry)
    if not worst:
        return []
    heading = f"{plain(entry['variant'])} on {plain(entry['dataset'])}, worst first: {what}"
    lines = [line for row in worst[:_SHOWN] for line in _lines(row, entry, width)]
    more = len(worst) - _SHOWN
    if more > 0:
        lines += _listed(f"and {more} more (the page made with --asrgate-html has all)", width)
    return [*wrapped(heading, width), *lines]
