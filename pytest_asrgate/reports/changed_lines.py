"""The utterances of a pair that changed against its baseline, worst first, as aligned diffs for a terminal."""

from pytest_asrgate.metrics.alignment import aligned_diff
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.layout import text_width
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.reports.worst import cost_text, worst_utterances

__all__ = ["changed_lines"]

_SHOWN = 10
# In lines; an utterance may be an hour long.
_LONGEST_DIFF = 30
# In characters, of which aligning takes time by their square.
_LONGEST_TEXT = 2000
# Where a terminal is narrower, a diff cannot be read.
_NARROWEST = 30
_INDENT = "    "


def _flags(row: UtteranceEntry) -> str:
    marks = {
        row["status"]: row["status"] not in {"ok", "error"},
        "hallucination": row["hallucination"],
        "loop": row["loop"],
        "empty": row["empty"],
        "other language": row["language_drift"],
        "catastrophic": row["catastrophic"],
    }
    found = [word for word, is_so in marks.items() if is_so]
    return f" [{', '.join(found)}]" if found else ""


def _lines(row: UtteranceEntry, entry: PairEntry, width: int) -> list[str]:
    head = f"  {plain(row['id'])}: {plain(cost_text(row, entry))}{_flags(row)}"
    if row["errors"] is None:
        return [head]
    # Escapes take more cells than what they stand for, so they come before the words are aligned.
    texts = [plain(row["ref"]), plain(row["hyp"])]
    short = [text[:_LONGEST_TEXT] for text in texts]
    room = max(_NARROWEST, width - len(_INDENT) - len("REF: "))
    diff = aligned_diff(short[0], short[1], room, metric=entry["metric"] or "wer", measure=text_width)
    lines = [f"{_INDENT}{line}" for line in diff[:_LONGEST_DIFF]]
    if len(diff) > _LONGEST_DIFF or short != texts:
        lines.append(f"{_INDENT}… (the whole of it is in the hypothesis file)")
    return [head, *lines]


def changed_lines(entry: PairEntry, width: int | None) -> list[str]:
    """At most ten utterances with their diffs, `width` cells wide where that can be; none where nothing changed."""
    worst, what = worst_utterances(entry)
    if not worst:
        return []
    heading = f"{plain(entry['variant'])} on {plain(entry['dataset'])}: {what}, worst first:"
    lines = [line for row in worst[:_SHOWN] for line in _lines(row, entry, width or 100)]
    more = len(worst) - _SHOWN
    if more > 0:
        lines.append(f"  and {more} more (the page made with --asrgate-html has all)")
    return [heading, *lines]
