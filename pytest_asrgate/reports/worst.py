"""Which utterances of a pair a reader looks at first, what each of them cost, and what is remarkable about it."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.values import plural

__all__ = ["cost_text", "flags_text", "in_turn", "is_hidden", "worst_utterances"]

_DECIDING = {"fail", "inconclusive", "error"}


def in_turn(columns: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """One of each column in turn, each once: the utterances of many checks, so that no check hides another."""
    return tuple(dict.fromkeys(name for row in zip_longest(*columns) for name in row if name is not None))


def _named(entry: PairEntry) -> list[UtteranceEntry]:
    """The utterances behind the checks that decided, those of slices last."""
    checks = [*entry["checks"], *(check for part in entry["slices"] for check in part["checks"])]
    rows = {row["id"]: row for row in entry["utterances"]}
    ids = in_turn(check["utterances"] for check in checks if check["status"] in _DECIDING)
    # Checks may name what has no row, such as null references that were left out.
    return [rows[identity] for identity in ids if identity in rows]


def _lost(row: UtteranceEntry) -> int:
    """How many errors more than the baseline's; none where one of them is not known."""
    errors, before = row["errors"], row["baseline_errors"]
    return 0 if errors is None or before is None else errors - before


def _baseline_lost(row: UtteranceEntry) -> bool:
    """Whether there is an output that the baseline's cannot be compared with, since it has none."""
    return row["errors"] is not None and row["baseline_status"] is not None and row["baseline_errors"] is None


def _counts(entry: PairEntry, rows: Sequence[UtteranceEntry]) -> str:
    """How many utterances there are of which kind."""
    changed = [row for row in rows if row["changed"]]
    worse, better = (sum(sign * _lost(row) > 0 for row in changed) for sign in (1, -1))
    costly = [row for row in rows if row["errors"]] if entry["baseline"] is None else []
    lost = sum(row["errors"] is None for row in rows)
    alone = sum(map(_baseline_lost, rows))
    others = len(rows) - len(changed) - len(costly) - lost - alone
    found = ", ".join([f"{worse} worse"] * (worse > 0) + [f"{better} better"] * (better > 0))
    parts = {
        plural(lost, "utterance without an output", "utterances without an output"): lost,
        plural(others, "utterance that only checks name", "utterances that only checks name"): others,
        plural(
            alone,
            "utterance that the baseline has no output of",
            "utterances that the baseline has no output of",
        ): alone,
        plural(len(costly), "utterance with errors", "utterances with errors"): len(costly),
        plural(len(changed), "changed utterance") + (f": {found}" if found else ""): len(changed),
    }
    *first, last = [text for text, count in parts.items() if count] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def worst_utterances(entry: PairEntry) -> tuple[list[UtteranceEntry], str]:
    """The utterances worth a look, and how many they are of which kind; none and an empty text where none is.

    First those that the deciding checks name, one of each in turn; then, of a pair that could not be judged, those
    without an output; then those that changed, and without a baseline those with errors: most errors lost against
    the baseline first, then most errors, then as in the manifest.
    """
    rows = entry["utterances"]
    lost = [row for row in rows if row["errors"] is None] if entry["verdict"] == "ERROR" else []
    if entry["baseline"] is None:
        costly = [row for row in rows if row["errors"]]
    else:
        costly = [row for row in rows if row["changed"] or _baseline_lost(row)]
    costly.sort(key=lambda row: (-_lost(row), -(row["errors"] or 0)))
    found = list({row["id"]: row for row in [*_named(entry), *lost, *costly]}.values())
    return found, _counts(entry, found)


def is_hidden(row: UtteranceEntry) -> bool:
    """Whether the texts differ in nothing but what the normaliser hides."""
    return bool(row["masked"]) and row["errors"] is not None and row["ref"] == row["hyp"]


def cost_text(row: UtteranceEntry, entry: PairEntry) -> str:
    """The errors of an utterance beside those of the baseline; for one without an output, what went wrong."""
    if row["errors"] is None:
        return row["detail"]
    token = "character" if entry["metric"] == "cer" else "word"
    cost = f"{plural(row['errors'], 'error')} in {plural(row['words'] or 0, token)}"
    if row["baseline_status"] is not None:
        before = row["baseline_errors"]
        cost += ", the baseline has no output" if before is None else f", baseline {before}"
    return cost + (f"; differs in {', '.join(row['masked'] or [])}, which the normaliser hides" * is_hidden(row))


def flags_text(row: UtteranceEntry) -> str:
    """What is remarkable about an utterance, in brackets behind its cost; empty for nothing."""
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
