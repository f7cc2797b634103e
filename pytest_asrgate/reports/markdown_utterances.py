"""The utterances of a pair that a reader looks at first, as a folded block of markdown."""

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.markdown_text import escaped, fenced, visible
from pytest_asrgate.reports.quoted import Limits, quoted_lines
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.reports.worst import cost_text, flags_text, worst_utterances

__all__ = ["has_utterances", "utterance_lines"]

_SHOWN = 5
_LIMITS = Limits(width=100, lines=12, text=2000, line=300, rest="the JSON report")
_LONGEST_ID = 100
_SIGNS = {"REF: ": "- ", "HYP: ": "+ "}


def _lines(row: UtteranceEntry, entry: PairEntry) -> list[str]:
    identity = visible(row["id"], _LONGEST_ID)
    cost = visible(cost_text(row, entry), _LIMITS.line)
    if row["errors"] is None:
        return [f"@@ {identity} @@", f"! {cost}"]
    quoted = quoted_lines(row, entry, _LIMITS, escaped)
    return [
        f"@@ {identity}: {cost}{flags_text(row)} @@",
        *(f"{_SIGNS.get(line[:5], '  ')}{line}" for line in quoted),
    ]


def has_utterances(entry: PairEntry) -> bool:
    """Whether there are utterances to show of a pair."""
    return bool(worst_utterances(entry)[0])


def utterance_lines(entry: PairEntry) -> list[str]:
    """The first five utterances of a pair, each with its aligned diff; none where none is worth a look."""
    worst, what = worst_utterances(entry)
    if not worst:
        return []
    few = f"the first {_SHOWN} of {what}" if len(worst) > _SHOWN else what
    lines = [line for row in worst[:_SHOWN] for line in _lines(row, entry)]
    return ["<details>", f"<summary>{few}</summary>", "", *fenced(lines, "diff"), "", "</details>"]
