"""The delta table of `asrgate compare`, as text, Markdown, CSV or JSON."""

import csv
import html
import io
import math
import re
from collections.abc import Callable, Sequence

from pytest_asrgate.comparison import ComparedRow
from pytest_asrgate.jsonlines import json_text
from pytest_asrgate.records import Interval
from pytest_asrgate.reports.escape import plain

__all__ = ["FORMATS", "SCHEMA", "comparison_lines"]

SCHEMA = "asrgate.compare/1"

_LEGEND = "delta low, delta high: paired two-sided 95 % interval of the delta, in percentage points"


def _headings(metric: str) -> tuple[str, ...]:
    return (
        "variant",
        f"{metric.upper()}%",
        "delta",
        "CI low",
        "CI high",
        "lat_p50",
        "delta low",
        "delta high",
    )


def _number(value: float | None, form: str) -> str:
    return "—" if value is None or not math.isfinite(value) else format(value, form)


def _cells(row: ComparedRow) -> tuple[str, ...]:
    low, high = (row.interval.low, row.interval.high) if row.interval else (None, None)
    delta = row.delta_interval
    return (
        plain(row.label),
        _number(row.rate_pct, ".2f"),
        _number(row.delta_pp, "+.2f"),
        _number(low, ".2f"),
        _number(high, ".2f"),
        _number(row.latency_p50_ms, ".0f"),
        _number(delta.low if delta else None, "+.2f"),
        _number(delta.high if delta else None, "+.2f"),
    )


def _text(rows: Sequence[ComparedRow], notes: Sequence[str], metric: str) -> list[str]:
    cells = [_headings(metric), *(_cells(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return [*lines, "", *(plain(note) for note in (_LEGEND, *notes))]


# Characters that begin something in Markdown or HTML, but for "_" and "-", which do not inside names.
_MARKED = re.compile(r"[\\`*\[\]|~!#&<>]")


def _unmarked(text: str) -> str:
    """A text that Markdown shows as it is."""
    return _MARKED.sub(lambda found: html.escape(found[0]) if found[0] in "&<>" else f"\\{found[0]}", text)


def _markdown(rows: Sequence[ComparedRow], notes: Sequence[str], metric: str) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(map(_unmarked, cells)) + " |"

    headings = _headings(metric)
    table = [line(headings), "|---" + "|---:" * (len(headings) - 1) + "|", *(line(_cells(row)) for row in rows)]
    return [*table, "", *(f"- {_unmarked(plain(note))}" for note in (_LEGEND, *notes))]


def _bounds(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_finite(interval.low), _finite(interval.high)]


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _entry(row: ComparedRow) -> dict[str, object]:
    return {
        "variant": row.label,
        "file": row.file,
        "rate_pct": row.rate_pct,
        "ci_pct": _bounds(row.interval),
        "delta_pp": row.delta_pp,
        "delta_ci_pp": _bounds(row.delta_interval),
        "lower95_pp": _finite(row.lower95_pp),
        "upper95_pp": _finite(row.upper95_pp),
        "latency_p50_ms": row.latency_p50_ms,
        "n": row.utterances,
        "words": row.words,
        "errors": row.errors,
        "left_out": row.left_out,
    }


def _json(rows: Sequence[ComparedRow], notes: Sequence[str], metric: str) -> list[str]:
    document = {
        "schema": SCHEMA,
        "metric": metric,
        "baseline": rows[0].label,
        "rows": [_entry(row) for row in rows],
        "notes": list(notes),
    }
    return json_text(document, indent=1).split("\n")


def _no_formula(text: str) -> str:
    """A text that no spreadsheet runs; some take the wide signs of Chinese and Japanese for the narrow ones."""
    return f"'{text}" if text.startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20")) else text


def _csv(
    rows: Sequence[ComparedRow],
    notes: Sequence[str],  # noqa: ARG001 - one signature for all formats
    metric: str,
) -> list[str]:
    """One line a row with full figures, empty where there is none; notes have no place in it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        entry = _entry(row)
        rate = _bounds(row.interval) or [None, None]
        delta = _bounds(row.delta_interval) or [None, None]
        figures = [entry["rate_pct"], entry["delta_pp"], *rate, *delta, entry["lower95_pp"], entry["upper95_pp"]]
        figures += [entry[name] for name in ("latency_p50_ms", "n", "words", "errors", "left_out")]
        names = [_no_formula(plain(name)) for name in (row.label, row.file)]
        writer.writerow([*names, metric, *("" if value is None else value for value in figures)])
    return text.getvalue().removesuffix("\n").split("\n")


_COLUMNS = (
    "variant",
    "file",
    "metric",
    "rate_pct",
    "delta_pp",
    "ci_low_pct",
    "ci_high_pct",
    "delta_ci_low_pp",
    "delta_ci_high_pp",
    "lower95_pp",
    "upper95_pp",
    "latency_p50_ms",
    "n",
    "words",
    "errors",
    "left_out",
)

FORMATS: dict[str, Callable[[Sequence[ComparedRow], Sequence[str], str], list[str]]] = {
    "text": _text,
    "markdown": _markdown,
    "csv": _csv,
    "json": _json,
}


def comparison_lines(
    rows: Sequence[ComparedRow], notes: Sequence[str], metric: str, form: str = "text"
) -> list[str]:
    """The lines of one of FORMATS; rates in percent, deltas in percentage points, latency in ms."""
    return FORMATS[form](rows, notes, metric)
