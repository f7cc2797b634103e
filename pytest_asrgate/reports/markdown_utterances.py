"""The utterances of a pair that cost most, as a folded block of markdown."""

from collections.abc import Sequence

from pytest_asrgate.metrics.alignment import aligned_diff
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.markdown_text import fenced, visible
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.reports.worst import cost_text, worst_utterances

__all__ = ["has_utterances", "utterance_lines"]

_SHOWN = 5
# In lines; an utterance may be an hour long.
_LONGEST_DIFF = 12
# In characters, of which aligning takes time by their square.
_LONGEST_TEXT = 2000
_LONGEST_LINE = 300
_LONGEST_ID = 100
_REST = "… (the whole of it is in the JSON report)"


def _lines(row: UtteranceEntry, entry: PairEntry) -> list[str]:
    identity = visible(row["id"], _LONGEST_ID)
    cost = visible(cost_text(row, entry), _LONGEST_LINE)
    if row["errors"] is None:
        return [f"@@ {identity} @@", f"! {cost}"]
    flag = "" if row["status"] == "ok" else f" [{visible(row['status'], _LONGEST_ID)}]"
    texts = [row["ref"], row["hyp"]]
    short = [text[:_LONGEST_TEXT] for text in texts]
    diff = aligned_diff(short[0], short[1], metric=entry["metric"] or "wer")
    cut = len(diff) > _LONGEST_DIFF or short != texts
    signs = {"REF: ": "- ", "HYP: ": "+ "}
    shown = [f"{signs.get(line[:5], '  ')}{visible(line, _LONGEST_LINE)}" for line in diff[:_LONGEST_DIFF]]
    return [f"@@ {identity}: {cost}{flag} @@", *shown, *([f"  {_REST}"] if cut else [])]


def has_utterances(entry: PairEntry) -> bool:
    """Whether there are utterances to show of a pair."""
    return bool(worst_utterances(entry)[0])


def utterance_lines(entry: PairEntry) -> list[str]:
    """The five worst changed utterances of a pair, each with its aligned diff; none where there are none."""
    worst, what = worst_utterances(entry)
    if not worst:
        return []
    blocks: Sequence[list[str]] = [_lines(row, entry) for row in worst[:_SHOWN]]
    few = f"the {_SHOWN} worst of {what}" if len(worst) > _SHOWN else what
    lines = [line for block in blocks for line in block]
    return ["<details>", f"<summary>{few}</summary>", "", *fenced(lines, "diff"), "", "</details>"]
