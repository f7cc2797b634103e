"""Which utterances of a pair a reader looks at first, and what each of them cost."""

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.values import plural

__all__ = ["cost_text", "worst_utterances"]


def worst_utterances(entry: PairEntry) -> tuple[list[UtteranceEntry], str]:
    """The utterances that lost most against the baseline, or have most errors without one, and how many they are.

    Those without an output come first, where they are why a pair could not be judged.
    """
    rows = entry["utterances"]
    lost = [row for row in rows if row["errors"] is None] if entry["verdict"] == "ERROR" else []
    if entry["baseline"] is None:
        costly = [row for row in rows if row["errors"]]
        what = plural(len(costly), "utterance with errors", "utterances with errors")
    else:
        costly = [row for row in rows if row["changed"]]
        what = plural(len(costly), "changed utterance")
    if lost:
        failed = plural(len(lost), "utterance without an output", "utterances without an output")
        what = f"{failed} and {what}" if costly else failed

    def cost(row: UtteranceEntry) -> tuple[int, int]:
        errors = row["errors"] or 0
        return (row["baseline_errors"] or 0) - errors, -errors

    return [*lost, *sorted(costly, key=cost)], what


def cost_text(row: UtteranceEntry, entry: PairEntry) -> str:
    """The errors of an utterance beside those of the baseline; for one without an output, what went wrong."""
    if row["errors"] is None:
        return row["detail"]
    token = "character" if entry["metric"] == "cer" else "word"
    cost = f"{plural(row['errors'], 'error')} in {plural(row['words'] or 0, token)}"
    if row["baseline_status"] is None:
        return cost
    before = row["baseline_errors"]
    return cost + (", the baseline has no output" if before is None else f", baseline {before}")
