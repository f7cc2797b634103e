"""A report as GitHub-flavoured markdown, for a comment on a pull request: the table, and why pairs do not pass."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path

from pytest_asrgate.reports.entries import CheckEntry, PairEntry
from pytest_asrgate.reports.figures import figure_text, is_signed
from pytest_asrgate.reports.json_report import Report
from pytest_asrgate.reports.markdown_text import cell, code, prose
from pytest_asrgate.reports.markdown_utterances import has_utterances, utterance_lines
from pytest_asrgate.reports.table import table_cells, verdict_word
from pytest_asrgate.values import plural

__all__ = ["BEGINNING", "LONGEST", "markdown_report"]

BEGINNING = "<!-- asrgate.markdown/1 -->"
# In UTF-16 code units, which is the most that anybody counts; GitHub takes comments of 65,536 characters.
LONGEST = 60_000
# Kept for the sentence on what was left out.
_RESERVE = 300

_SIGNS = {"PASS": "✓", "FAIL": "✗", "INCONCLUSIVE": "?", "ERROR": "!"}
# What the heading counts, in the order in which readers need it, each with its sign.
_COUNTED = {
    "ERROR": "!",
    "FAIL": "✗",
    "unexpected PASS": "!",
    "INCONCLUSIVE": "?",
    "expected FAIL": "✓",
    "early PASS": "?",
    "incomplete PASS": "?",
    "PASS": "✓",
}
_WEIGHTS = {name: place for place, name in enumerate(_COUNTED)}
_LEFT = {"variant", "dataset", "worst slice", "verdict"}
_AS_CODE = {"variant", "dataset", "worst slice"}
_DECIDING = {"fail", "inconclusive", "error"}
_CHECKS = 20
_IDS = 3
_NAMES = 5
_MARKS = "≤ and ≥ are bounds and ~ is no bound: nobody was asked, rules alone judged"

_EARLY = "Early verdicts make nothing shippable, a full run does."


def _size(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _counted(entry: PairEntry) -> str:
    verdict = entry["verdict"]
    if entry["expected_to_fail"] and verdict in {"PASS", "FAIL"}:
        return "unexpected PASS" if verdict == "PASS" else "expected FAIL"
    if verdict == "PASS" and (entry["early"] or entry["incomplete"]):
        return "early PASS" if entry["early"] else "incomplete PASS"
    return verdict


def _weight(entry: PairEntry) -> int:
    """Which pairs must be told first: those that somebody has to act on."""
    return _WEIGHTS[_counted(entry)]


def _heading(pairs: Sequence[PairEntry], not_judged: int) -> str:
    counts = Counter(map(_counted, pairs))
    found = [name for name in _COUNTED if counts[name]]
    parts = [f"{counts[name]} {name}" for name in found] or ["no pair was judged"]
    # Nobody knows of what was not judged whether it passes.
    signs = [_COUNTED[name] for name in found] + ["?"] * bool(not_judged)
    parts += [f"{not_judged} not judged"] * bool(not_judged)
    sign = next((sign for sign in signs if sign != "✓"), "✓") if signs else ""
    return f"## {sign}{' ' if sign else ''}asrgate: {', '.join(parts)}"


def _sign(entry: PairEntry) -> str:
    """The sign of one pair; a known failure has that of a failure."""
    return _COUNTED[_counted(entry)] if entry["verdict"] == "PASS" else _SIGNS[entry["verdict"]]


def _row(headings: Sequence[str], cells: Sequence[str], sign: str) -> str:
    shown = [
        code(text) if name in _AS_CODE and text != "—" else text for name, text in zip(headings, cells, strict=True)
    ]
    shown[-1] = f"{sign} {shown[-1]}"
    return f"| {' | '.join(map(cell, shown))} |"


def _table(pairs: Sequence[PairEntry]) -> tuple[list[str], list[str]]:
    """The two lines of its head, and a line for each pair."""
    headings, *rows = table_cells(pairs)
    head = [
        f"| {' | '.join(headings)} |",
        f"| {' | '.join('---' if name in _LEFT else '---:' for name in headings)} |",
    ]
    return head, [_row(headings, cells, _sign(entry)) for entry, cells in zip(pairs, rows, strict=True)]


def _check_line(place: str, check: CheckEntry) -> str:
    figure = figure_text(check["value"], check["unit"], signed=is_signed(check["name"]))
    limit = "" if check["limit"] is None else figure_text(check["limit"], check["unit"], signed=False)
    ids = check["utterances"]
    named = ", ".join(code(identity) for identity in ids[:_IDS])
    more = f" and {len(ids) - _IDS} more" if len(ids) > _IDS else ""
    parts = [
        f"- {place}{code(check['name'])} {check['status']}: {prose(figure)}",
        f", limit {prose(limit)}" if limit else "",
        f"; {prose(check['detail'])}" if check["detail"] else "",
        f" ({named}{more})" if ids else "",
    ]
    return "".join(parts)


def _checks(entry: PairEntry) -> str:
    """Which pair it is, and the checks that decided."""
    against = f" against {code(entry['baseline'])}" if entry["baseline"] else ""
    place = f"{code(entry['variant'])} on {code(entry['dataset'])}{against}"
    placed = [("", check) for check in entry["checks"]]
    placed += [(f"slice {code(part['name'])} ", check) for part in entry["slices"] for check in part["checks"]]
    lines = [_check_line(where, check) for where, check in placed if check["status"] in _DECIDING]
    if len(lines) > _CHECKS:
        lines = [*lines[:_CHECKS], f"- and {len(lines) - _CHECKS} more checks"]
    if not lines:
        reason = 'it passes, and the gate file says `expect = "fail"`' if entry["verdict"] == "PASS" else ""
        lines = [f"- why: {reason or prose(entry['reason'])}"]
    return "\n".join([f"### {_sign(entry)} {place}: {verdict_word(entry)}", "", *lines])


def _engine(entry: PairEntry) -> str:
    stamp = entry["stamp"]
    words = [str(stamp[key]) for key in ("engine", "engine_version") if stamp.get(key)]
    backend = f" ({code(str(stamp['backend']))})" if words and stamp.get("backend") else ""
    return f"{code(' '.join(words))}{backend}" if words else ""


def _several(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more


def _short(path: str) -> str:
    """The gate file's path from the current folder where it is below it, else its name: comments are public."""
    place = Path(path)
    return str(place.relative_to(Path.cwd())) if place.is_relative_to(Path.cwd()) else place.name


def _more(report: Report) -> str:
    """How much there is to know beside that."""
    count = len(report["gate"]["notes"]) + sum(len(entry["warnings"]) for entry in report["pairs"])
    return f"{plural(count, 'warning or note is', 'warnings and notes are')} in the JSON report." if count else ""


def _closing(report: Report) -> str:
    """What was not judged, by which engines the rest was, and where the report comes from."""
    gate, pairs = report["gate"], report["pairs"]
    engines = list(dict.fromkeys(name for name in map(_engine, pairs) if name))
    by_rules = any(
        (entry["semantic"] and entry["semantic"]["upper_bound"])
        or (entry["intent"] and entry["intent"]["lower_bound"])
        for entry in pairs
    )
    sentences = [
        f"{_MARKS}." if by_rules else "",
        f"Not judged: {_several([code(name) for name in gate['not_judged']])}." if gate["not_judged"] else "",
        f"Engines: {_several(engines)}." if engines else "",
        _EARLY if any(entry["early"] for entry in pairs) else "",
        _more(report),
        f"From {code(_short(gate['path']))} by pytest-asrgate {code(gate['plugin_version'])}.",
    ]
    return " ".join(filter(None, sentences))


class _Room:
    """How much more fits."""

    def __init__(self, size: int) -> None:
        self.left = size

    def takes(self, part: str) -> bool:
        """Whether a part fits, which takes its room."""
        size = _size(part) + 2
        fits = size <= self.left
        self.left -= size if fits else 0
        return fits

    def first(self, parts: Iterable[str]) -> list[str]:
        """As many of the parts as fit, in their order, up to the first that does not; no more of them are made."""
        return list(takewhile(self.takes, parts))


def _rows(rows: Sequence[str], pairs: Sequence[PairEntry], room: _Room) -> list[str]:
    """The rows that fit, those of weight before others, in the order of the gate file."""
    order = sorted(range(len(rows)), key=lambda place: _weight(pairs[place]))
    # Where there is something to explain, half of the room is for that.
    explained = any(map(_is_told, pairs))
    half = _Room(room.left // 2 if explained else room.left)
    shown = sorted(order[: len(half.first(rows[place] for place in order))])
    found = [rows[place] for place in shown]
    room.first(found)
    return found


def _is_told(entry: PairEntry) -> bool:
    """Whether a pair must be explained."""
    return entry["verdict"] != "PASS" or entry["expected_to_fail"]


def _explained(told: Sequence[PairEntry], room: _Room) -> tuple[list[str], dict[int, str]]:
    """The checks of as many pairs as fit, and utterances by the place of their pair; the first one's come first."""
    lead = next((place for place, entry in enumerate(told) if has_utterances(entry)), len(told))
    checks = room.first(map(_checks, told[: lead + 1]))
    quoted: dict[int, str] = {}

    def quote(place: int) -> bool:
        # Aligning texts takes time, so they are made one by one.
        text = "\n".join(utterance_lines(told[place]))
        fits = room.takes(text)
        if fits and text:
            quoted[place] = text
        return fits

    if lead < len(checks):
        quote(lead)
        checks += room.first(map(_checks, told[lead + 1 :]))
    if len(checks) == len(told):
        for place in range(lead + 1, len(told)):
            if not quote(place):
                break
    return checks, quoted


def _left_out(rows: int, checks: int, utterances: int) -> str:
    parts = [
        plural(rows, "row of the table", "rows of the table") if rows else "",
        f"the checks of {plural(checks, 'pair')}" if checks else "",
        f"the utterances of {plural(utterances, 'pair')}" if utterances else "",
    ]
    found = [part for part in parts if part]
    if not found:
        return ""
    return f"Left out, since a comment must be short: {', '.join(found)}; the JSON report has all."


def markdown_report(report: Report) -> str:
    """The report as markdown of fewer than 60,000 characters; what does not fit is left out in whole parts.

    What somebody has to act on is kept longest: the rows of the table have half of the room, then come the checks
    and the utterances of the first pair that is explained, then the checks of the others, then their utterances.
    """
    pairs, gate = report["pairs"], report["gate"]
    heading = f"{BEGINNING}\n{_heading(pairs, len(gate['not_judged']))}"
    closing = _closing(report)
    head, rows = _table(pairs) if pairs else ([], [])
    told = sorted(filter(_is_told, pairs), key=_weight)
    room = _Room(LONGEST - _RESERVE - sum(_size(part) + 2 for part in (heading, closing, *head)))
    shown = _rows(rows, pairs, room)
    checks, quoted = _explained(told, room)
    parts = [heading, "\n".join([*head, *shown])]
    for place, check in enumerate(checks):
        parts += [check, quoted.get(place, "")]
    unquoted = sum(has_utterances(entry) for place, entry in enumerate(told) if place not in quoted)
    left = _left_out(len(rows) - len(shown), len(told) - len(checks), unquoted)
    return "\n\n".join(part for part in (*parts, left, closing) if part) + "\n"
