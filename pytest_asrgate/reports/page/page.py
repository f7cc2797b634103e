"""Puts the page together: templates, style, script and data, in one file that loads nothing."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from pytest_asrgate import __version__
from pytest_asrgate.errors import ReportError
from pytest_asrgate.jsonlines import write_atomically
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.evidence import evidence
from pytest_asrgate.reports.json_report import Report
from pytest_asrgate.reports.notes import notes
from pytest_asrgate.reports.page.checks import check_blocks
from pytest_asrgate.reports.page.plots import interval_plots, trade_plots
from pytest_asrgate.reports.page.presets import headline, presets
from pytest_asrgate.reports.page.rows import FLAGS, PageData, page_data
from pytest_asrgate.reports.page.sounds import sounds
from pytest_asrgate.reports.page.stamps import stamp_blocks
from pytest_asrgate.reports.table import LEFT, table_cells, verdict_word

__all__ = ["needs", "write_page"]

_ROOM = "pytest_asrgate.reports.page"
# Flags that the badge of a row says already, or that most rows have.
_QUIET = {"worse", "better", "changed", "meaning", "intent", "masked"}
# So many utterances of each pair are in the page for readers without scripts.
_STATIC = 10


@dataclass(frozen=True, slots=True)
class _StaticRow:
    id: str
    cost: str
    language: str | None
    runs: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class _StaticPair:
    variant: str
    dataset: str
    rows: tuple[_StaticRow, ...]


def needs() -> None:
    """Raise ReportError where what makes a page is not installed."""
    try:
        import jinja2  # noqa: F401, PLC0415 - only where a page is asked for
    except ImportError as error:
        raise ReportError("a page needs jinja2: pip install 'pytest-asrgate[report]'") from error


def _asset(kind: str) -> str:
    """All assets of one kind, in the order of their names, each with its end of line."""
    folder = resources.files(_ROOM).joinpath("assets")
    found = sorted((each for each in folder.iterdir() if each.name.endswith(kind)), key=lambda each: each.name)
    return "\n".join(each.read_text(encoding="utf-8") for each in found)


def _digest(text: str) -> str:
    """How a Content-Security-Policy names an inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _policy(style: str, script: str) -> str:
    """Nothing but this style and this script, sounds in the page and beside it, and no network at all."""
    return (
        f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; "
        "media-src 'self' data: file:; base-uri 'none'; form-action 'none'"
    )


def _embedded(value: object) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _static(data: PageData) -> tuple[_StaticPair, ...]:
    """The worst utterances of each pair, for readers without scripts."""
    made = []
    for pair in data["pairs"]:
        rows = []
        for row in pair["rows"][:_STATIC]:
            spoken = data["utterances"][row["u"]]
            errors = row.get("errors")
            before = "" if row.get("before") is None else f", baseline {row.get('before')}"
            cost = f"errors {errors}{before}" if errors is not None else row.get("detail", "")
            rows.append(_StaticRow(spoken["id"], cost, spoken["lang"], row.get("runs", [])))
        if rows:
            made.append(_StaticPair(pair["variant"], pair["dataset"], tuple(rows)))
    return tuple(made)


def _first(pairs: Sequence[PairEntry]) -> int:
    """The pair that a reader most likely came for: one that fails, else the first that was compared."""
    ranks = {"FAIL": 0, "ERROR": 1, "INCONCLUSIVE": 2, "PASS": 3}
    order = sorted(
        range(len(pairs)),
        key=lambda place: (
            pairs[place]["baseline"] is None,
            ranks[pairs[place]["verdict"]],
            pairs[place]["expected_to_fail"],
            -(pairs[place]["delta_pp"] or 0.0),
        ),
    )
    return order[0] if order else 0


def _for_script(data: PageData, pairs: Sequence[PairEntry]) -> dict[str, Any]:
    """The data with the words that the script shows beside them."""
    return {
        **data,
        "pairs": [{**pair, "word": verdict_word(entry)} for pair, entry in zip(data["pairs"], pairs, strict=True)],
        "first": _first(pairs),
        "flags": [
            {"flag": flag, "title": title, "explanation": explanation, "quiet": flag in _QUIET}
            for flag, title, explanation in FLAGS
        ],
    }


def _verdict_early(row: Sequence[str]) -> Sequence[str]:
    """A row of the table with its last cell third: a wide table is cut on the right."""
    return [*row[:2], row[-1], *row[2:-1]]


def _context(report: Report, data: PageData, hints: Sequence[str]) -> Mapping[str, object]:
    pairs, gate = report["pairs"], report["gate"]
    headings, *cells = [_verdict_early(row) for row in table_cells(pairs)]
    made = presets(pairs, [len(pair["rows"]) for pair in data["pairs"]], gate["not_judged"])
    return {
        "version": __version__,
        "gate": gate,
        "headline": headline(made, len(gate["not_judged"])),
        "presets": made,
        "table": {
            "headings": headings,
            "left": LEFT,
            "rows": [
                {"outcome": entry["verdict"].lower(), "cells": row} for entry, row in zip(pairs, cells, strict=True)
            ],
        },
        "interval_plots": interval_plots(pairs),
        "trade_plots": trade_plots(pairs),
        "checks": check_blocks(pairs),
        "notes": [*notes(pairs, "the state folder", gate["notes"]), *evidence(pairs), *hints],
        "stamps": stamp_blocks(pairs),
        "static": _static(data),
        "data_pairs": any(pair["rows"] for pair in data["pairs"]),
    }


def write_page(path: Path, report: Report, *, folder: Path, audio: str = "embed") -> list[str]:
    """Write the page of a report, atomically; returns sentences on what it lacks.

    `folder` is the gate file's, against which the audio of utterances is named; `audio` is embed, link or none.
    OSError as it comes, and ReportError where jinja2 is not installed.
    """
    needs()
    import jinja2  # noqa: PLC0415 - only where a page is made
    from markupsafe import Markup  # noqa: PLC0415 - comes with jinja2

    heard = sounds(report["pairs"], folder=folder, page=path, audio=audio)
    data = page_data(report["pairs"], heard)
    style, script = _asset(".css"), _asset(".js")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(_ROOM, "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    text = environment.get_template("page.html.j2").render(
        **_context(report, data, heard.notes),
        policy=_policy(style, script),
        # Our own, not anybody's; the data's signs of markup are escaped for JSON.
        style=Markup(style),  # noqa: S704 - as said
        script=Markup(script),  # noqa: S704 - as said
        data=Markup(_embedded(_for_script(data, report["pairs"]))),  # noqa: S704 - as said
        chunks=heard.chunks,
    )
    # Half a surrogate pair is no text of any file; among the data its escape is the same value of JSON.
    write_atomically(path, text.encode("utf-8", "backslashreplace").decode("utf-8"))
    return list(heard.notes)
