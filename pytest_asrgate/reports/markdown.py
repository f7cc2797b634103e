"""A report as GitHub-flavoured markdown, for a comment on a pull request: the table, and why pairs do not pass."""

from collections import Counter
from collections.abc import Iterable, Sequence

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
# What the heading counts, the worst first, each with the sign of a run that has nothing worse.
_COUNTED = {
    "ERROR": "!",
    "FAIL": "✗",
    "unexpected PASS": "!",
    "INCONCLUSIVE": "?",
    "expected FAIL": "✓",
    "PASS": "✓",
}
_LEFT = {"variant", "dataset", "worst slice", "verdict"}
_AS_CODE = {"variant", "dataset", "worst slice"}
_DECIDING = {"fail", "inconclusive", "error"}
_CHECKS = 20
_IDS = 3
_NAMES = 5
_MARKS = "≤ and ≥ are bounds and ~ is no bound: nobody was asked, rules alone judged"


def _size(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _counted(entry: PairEntry) -> str:
    verdict = entry["verdict"]
    if entry["expected_to_fail"] and verdict in {"PASS", "FAIL"}:
        return "unexpected PASS" if verdict == "PASS" else "expected FAIL"
    return verdict


def _heading(pairs: Sequence[PairEntry]) -> str:
    counts = Counter(map(_counted, pairs))
    found = [name for name in _COUNTED if counts[name]]
    if not found:
        return "## asrgate: no pair was judged"
    return f"## {_COUNTED[found[0]]} asrgate: {', '.join(f'{counts[name]} {name}' for name in found)}"


def _row(headings: Sequence[str], cells: Sequence[str], verdict: str) -> str:
    shown = [
        code(text) if name in _AS_CODE and text != "—" else text for name, text in zip(headings, cells, strict=True)
    ]
    shown[-1] = f"{_SIGNS[verdict]} {shown[-1]}"
    return f"| {' | '.join(map(cell, shown))} |"


def _table(pairs: Sequence[PairEntry]) -> tuple[list[str], list[str]]:
    """The two lines of its head, and a line for each pair."""
    headings, *rows = table_cells(pairs)
    head = [
        f"| {' | '.join(headings)} |",
        f"| {' | '.join('---' if name in _LEFT else '---:' for name in headings)} |",
    ]
    return head, [_row(headings, cells, entry["verdict"]) for entry, cells in zip(pairs, rows, strict=True)]


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
    return "\n".join([f"### {_SIGNS[entry['verdict']]} {place}: {verdict_word(entry)}", "", *lines])


def _engine(entry: PairEntry) -> str:
    stamp = entry["stamp"]
    words = [str(stamp[key]) for key in ("engine", "engine_version") if stamp.get(key)]
    backend = f" ({code(str(stamp['backend']))})" if words and stamp.get("backend") else ""
    return f"{code(' '.join(words))}{backend}" if words else ""


def _several(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more


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
        f"From {code(gate['path'])} by pytest-asrgate {code(gate['plugin_version'])}.",
    ]
    return " ".join(filter(None, sentences))


class _Room:
    """How much more fits; what once did not fit leaves out all that follows it."""

    def __init__(self, size: int) -> None:
        self._left = size
        self._full = False

    def first(self, parts: Iterable[str]) -> list[str]:
        """As many of the parts as fit, in their order; no more of them are made than that."""
        taken = []
        for part in parts:
            self._left -= _size(part) + 2
            self._full |= self._left < 0
            if self._full:
                break
            taken.append(part)
        return taken


def _told(entries: Sequence[PairEntry]) -> list[PairEntry]:
    """The pairs to explain; those that fail as expected are no news and come last."""
    told = [entry for entry in entries if entry["verdict"] != "PASS" or entry["expected_to_fail"]]
    return sorted(told, key=lambda entry: _counted(entry) == "expected FAIL")


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

    The utterances go first, then checks, then rows of the table, each from the end, rows that pass before others.
    """
    pairs = report["pairs"]
    heading, closing = f"{BEGINNING}\n{_heading(pairs)}", _closing(report)
    head, rows = _table(pairs) if pairs else ([], [])
    told = _told(pairs)
    room = _Room(LONGEST - _RESERVE - sum(_size(part) + 2 for part in (heading, closing, *head)))
    order = sorted(range(len(rows)), key=lambda place: pairs[place]["verdict"] == "PASS")
    shown = sorted(order[: len(room.first(rows[place] for place in order))])
    checks = room.first(map(_checks, told))
    # Aligning texts takes time.
    utterances = room.first("\n".join(utterance_lines(entry)) for entry in told[: len(checks)])
    parts = [heading, "\n".join([*head, *(rows[place] for place in shown)])]
    for number, check in enumerate(checks):
        parts += [check, *utterances[number : number + 1]]
    unquoted = sum(has_utterances(entry) for entry in told[len(utterances) :])
    left = _left_out(len(rows) - len(shown), len(told) - len(checks), unquoted)
    return "\n\n".join(part for part in (*parts, left, closing) if part) + "\n"
