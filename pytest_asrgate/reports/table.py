"""The table that a session ends with."""

from collections.abc import Iterable, Sequence

from pytest_asrgate.reports.entries import CheckEntry, PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.intent_lines import INTENT_HEADINGS, intent_cells
from pytest_asrgate.reports.judged import semantic_cells
from pytest_asrgate.reports.layout import Cells, Piece, laid_out
from pytest_asrgate.reports.slices import worst_cell, worst_slice

__all__ = ["LEFT", "margin_check", "outcome", "table", "table_cells", "table_lines", "verdict_word"]

# Names and words stand to the left, figures to the right.
LEFT = {"variant", "dataset", "worst slice", "verdict"}
# Says nothing without the figure before it; there are two of that name.
_CHANGE = "change"


def verdict_word(entry: PairEntry) -> str:
    """The last column: the verdict, with what was expected of it; a good baseline is called just that."""
    word = entry["verdict"]
    if entry["is_baseline"] and word == "PASS":
        word = "baseline"
    elif entry["expected_to_fail"]:
        word += " (expected)" if word == "FAIL" else " (expected FAIL)"
    elif entry["is_baseline"]:
        word += " (baseline)"
    word += " (early)" if entry["early"] and entry["verdict"] != "ERROR" else ""
    return word + (" (incomplete)" if entry["incomplete"] and entry["verdict"] != "ERROR" else "")


def _signed(value: float | None) -> str:
    return "—" if value is None else f"{value:+.2f}"


def margin_check(entry: PairEntry) -> CheckEntry | None:
    """The check of the margin, where the pair has one."""
    return next((check for check in entry["checks"] if check["name"] == "non_inferiority"), None)


def _bound(entry: PairEntry) -> str:
    """The bound of the difference that decides: a loss below it, above it, or both where it is undecided."""
    early, check = entry["early"], margin_check(entry)
    lower, upper = (early["lower_pp"], early["upper_pp"]) if early else (entry["lower95_pp"], entry["upper95_pp"])
    if lower is None or upper is None or check is None:
        return "—"
    if check["status"] == "fail":
        return f"> {lower:+.2f}"
    return f"{lower:+.2f} – {upper:+.2f}" if check["status"] == "inconclusive" else f"< {upper:+.2f}"


def _headings(metrics: Sequence[str], *, judged: bool, intents: bool, sliced: bool) -> tuple[str, ...]:
    """The columns' names; where a gate has words and characters, each rate says which it is."""
    rate = metrics[0].upper() if len(metrics) == 1 else "WER/CER"
    figures = (f"{rate}%", "delta", "bound of delta", f"{rate} 95% CI", *(["sem%", "sem delta"] if judged else []))
    others = (*(INTENT_HEADINGS if intents else ()), "ms p50")
    return ("variant", "dataset", *figures, *others, *(["worst slice"] if sliced else []), "verdict")


def _cells(entry: PairEntry, mark: str, *, judged: bool, intents: bool, sliced: bool) -> tuple[str, ...]:
    rate, interval, latency = entry["rate_pct"], entry["ci_pct"], entry["latency_p50_ms"]
    return (
        plain(entry["variant"]),
        plain(entry["dataset"]),
        "—" if rate is None else f"{rate:.2f}{mark}",
        _signed(entry["delta_pp"]),
        _bound(entry),
        "—" if interval is None else f"{interval[0]:.2f} – {interval[1]:.2f}",
        *(semantic_cells(entry) if judged else []),
        *(intent_cells(entry) if intents else []),
        "—" if latency is None else f"{latency:.0f}",
        *([worst_cell(entry)] if sliced else []),
        verdict_word(entry),
    )


def table_cells(entries: Iterable[PairEntry]) -> list[tuple[str, ...]]:
    """The cells of each row, headings first; rates in percent, differences in percentage points, latency in ms.

    The columns of the semantic error rate, of intent and entities, and of the worst slice are there only where an
    entry has one.
    """
    entries = list(entries)
    shown = {
        "judged": any(entry["semantic"] for entry in entries),
        "intents": any(entry["intent"] for entry in entries),
        "sliced": any(worst_slice(entry) for entry in entries),
    }
    metrics = list(dict.fromkeys(entry["metric"] for entry in entries if entry["metric"])) or ["wer"]
    mixed = len(metrics) > 1
    marks = [f" {entry['metric'].upper()}" if mixed and entry["metric"] else "" for entry in entries]
    rows = [_headings(metrics, **shown)]
    return rows + [_cells(entry, mark, **shown) for entry, mark in zip(entries, marks, strict=True)]


def table_lines(entries: Iterable[PairEntry], width: int | None) -> list[tuple[Piece, ...]]:
    """The rows as aligned lines, headings first, none wider than `width` cells of a screen; None is any width.

    Each verdict is a piece of its own; one that was expected counts as undecided, since nobody need act on it.
    """
    entries = list(entries)
    headings, *rows = table_cells(entries)
    made = [Cells(headings)]
    made += [Cells(cells, outcome(entry)) for cells, entry in zip(rows, entries, strict=True)]
    joined = {place for place, heading in enumerate(headings) if heading == _CHANGE}
    return laid_out(made, [heading in LEFT for heading in headings], width, joined=joined)


def outcome(entry: PairEntry) -> str:
    """The verdict as a reader takes it: EXPECTED for a known failure, nothing for a good baseline.

    A pass where a failure is expected counts as FAIL: it makes the run fail.
    """
    verdict = entry["verdict"]
    if entry["expected_to_fail"]:
        return {"FAIL": "EXPECTED", "PASS": "FAIL"}.get(verdict, verdict)
    return "" if entry["is_baseline"] and verdict == "PASS" else verdict


def table(entries: Iterable[PairEntry]) -> list[str]:
    """The rows as aligned lines of any width, headings first."""
    return ["".join(piece.text for piece in line) for line in table_lines(entries, None)]
