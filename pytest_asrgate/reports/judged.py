"""What is said of judged scores under the table and in verbose runs: who judged, what it cost, who decided."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pytest_asrgate.records import IntentUtterance, SemanticUtterance
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.judged_entries import SemanticEntry, SemanticFigures, SpendingEntry, spent_on
from pytest_asrgate.values import named, plural

__all__ = [
    "NOBODY",
    "UPPER_BOUND",
    "cost_text",
    "decided_text",
    "incomplete_text",
    "judge_lines",
    "judge_text",
    "judged_evidence",
    "semantic_cells",
    "settled_text",
    "votes_text",
    "warning_text",
    "work_text",
]

UPPER_BOUND = (
    "by rules alone: open differences count as errors, so this is an upper bound of what a judge would "
    "say; a difference of two upper bounds is a heuristic"
)
# What stands in the place of a judge's name where there was none.
NOBODY = "no judge"
# In US dollars; less is told as less.
_LEAST = 0.0001


def cost_text(calls: int, cost_usd: float | None) -> str:
    """What calls cost in US dollars, or that the price is not known."""
    if cost_usd is None:
        return "price unknown"
    if not calls and not cost_usd:
        return "no cost"
    return f"cost under {_LEAST:.4f} USD" if 0 < cost_usd < _LEAST else f"cost {cost_usd:.4f} USD"


def work_text(spending: SpendingEntry) -> str:
    """Calls, replies replayed, and money."""
    calls, replayed = plural(spending["calls"], "call"), spending["replayed"]
    replies = f"{replayed} replies" if replayed != 1 else "1 reply"
    return f"{calls} made, {replies} replayed, {cost_text(spending['calls'], spending['cost_usd'])}"


def votes_text(
    voted: int, unanimous: int, undecided: int, *, noun: str = "difference", lost: str = "errors"
) -> str:
    """How often the judge was asked several times, and how far it agreed with itself; empty for never."""
    if not voted:
        return ""
    rest = f", {undecided} without a majority, which count as {lost}" if undecided else ""
    return f"{plural(voted, noun)} voted on: {unanimous} unanimous{rest}"


def incomplete_text(failed: int) -> str:
    """What a rate leaves out where the judge failed on so many utterances; empty for none."""
    if not failed:
        return ""
    are = "is" if failed == 1 else "are"
    return f"incomplete: {plural(failed, 'utterance')} without a ruling {are} not in the rate"


def warning_text(rows: Sequence[SemanticUtterance] | Sequence[IntentUtterance]) -> str:
    """How many utterances a reader should know something of, and what of the first; empty for none."""
    odd = [row for row in rows if row.warning]
    if not odd:
        return ""
    return f"warning on {plural(len(odd), 'utterance')}, the first {odd[0].id!r}: {odd[0].warning}"


def settled_text(decided_by: Iterable[Mapping[str, int]]) -> str:
    """How many differences rules settled and how many they left open, over several scores."""
    every = [(name, count) for counts in decided_by for name, count in counts.items()]
    whole = sum(count for _, count in every)
    open_ = sum(count for name, count in every if name == NOBODY)
    return f"{whole - open_} of {plural(whole, 'difference')} settled by rules, {open_} left open"


def decided_text(decided_by: Mapping[str, int]) -> str:
    """How many differences each rule and judge decided, the most frequent first."""
    return ", ".join(f"{name} {count}" for name, count in decided_by.items())


def semantic_cells(entry: PairEntry) -> tuple[str, str]:
    """Rate in percent, marked where it is an upper bound, and difference in percentage points."""
    found = entry["semantic"]
    if found is None:
        return "—", "—"
    rate, delta = found["rate_pct"], found["delta_pp"]
    if any(check["name"] == "judge_errors" and check["status"] == "error" for check in entry["checks"]):
        # A figure of what the judge did not fail on would be that of a better system.
        return "—", "—"
    mark = "≤ " if found["upper_bound"] else ""
    return "—" if rate is None else f"{mark}{rate:.2f}", "—" if delta is None else f"{delta:+.2f}"


def _spent(entries: Sequence[tuple[PairEntry, SemanticEntry]]) -> SpendingEntry:
    return spent_on(
        (entry["variant"], entry["baseline"], entry["dataset"], found["spending"], found["baseline_spending"])
        for entry, found in entries
    )


def _judged(entries: Sequence[PairEntry]) -> Iterator[tuple[PairEntry, SemanticEntry]]:
    for entry in entries:
        found = entry["semantic"]
        if found is not None:
            yield entry, found


def judge_text(judge: str, scores: Sequence[SemanticFigures], spending: SpendingEntry, *, task: str = "") -> str:
    """Who judged these scores, how often they were needed, what was paid, and how the votes went.

    `task` names what was judged, where the same judge is told of for something else too.
    """
    who = f"{judge}, {task}" if task else judge
    asked, voted = sum(found["asked"] for found in scores), sum(found["voted"] for found in scores)
    utterances = plural(sum(found["n"] for found in scores), "utterance")
    if all(found["upper_bound"] for found in scores):
        settled = settled_text(found["decided_by"] for found in scores)
        return f"judge {plain(who)}: nobody was asked; {settled} in {asked} of {utterances}"
    unanimous = sum(found["unanimous"] for found in scores)
    undecided = sum(found["undecided"] for found in scores)
    parts = [
        f"needed for {asked} of {utterances}",
        work_text(spending),
        votes_text(voted, unanimous, undecided),
    ]
    return f"judge {plain(who)}: {'; '.join(part for part in parts if part)}"


def _judge_line(judge: str, entries: Sequence[tuple[PairEntry, SemanticEntry]]) -> str:
    failed = sum(len(found["judge_errors"]) for _, found in entries)
    task = "semantic WER" if any(entry["intent"] for entry, _ in entries) else ""
    text = judge_text(judge, [found for _, found in entries], _spent(entries), task=task)
    return f"{text}; {plural(failed, 'judge error')}; {incomplete_text(failed)}" if failed else text


def judge_lines(entries: Sequence[PairEntry]) -> list[str]:
    """Who judged, what was asked, paid and voted on, judge errors, and what the figures of rules alone are."""
    found = list(_judged(entries))
    lines = []
    for judge in dict.fromkeys(score["judge"] for _, score in found):
        lines.append(_judge_line(judge, [(entry, score) for entry, score in found if score["judge"] == judge]))
    for entry, score in found:
        if score["judge_errors"]:
            place, ids = f"{entry['variant']} {entry['dataset']}", named(score["judge_errors"])
            why = f"{ids} (the first: {score['judge_failure']}); they have no score"
            lines.append(plain(f"judge errors of {place}: {why}"))
    return lines + ([UPPER_BOUND] if any(score["upper_bound"] for _, score in found) else [])


def _range(interval: Sequence[float | None], sign: str) -> str:
    low, high = ("—" if bound is None else f"{bound:{sign}.2f}" for bound in interval)
    return f"(95 % CI {low} to {high})"


def _evidence(entry: PairEntry, found: SemanticEntry) -> str:
    rate, interval = found["rate_pct"], found["ci_pct"]
    most = "at most " if found["upper_bound"] else ""
    figures = "no rate" if rate is None else f"{most}{rate:.2f} %"
    figures += f" {_range(interval, '')}" if interval else ""
    kinds = f"{found['substitutions']} S, {found['deletions']} D, {found['insertions']} I"
    parts = [f"{figures}, {kinds} over {plural(found['words'], 'word')}"]
    if found["judge_errors"]:
        parts.append(incomplete_text(len(found["judge_errors"])))
    if found["delta_pp"] is not None and found["delta_ci_pp"] is not None:
        parts.append(f"against the baseline {found['delta_pp']:+.2f} pp {_range(found['delta_ci_pp'], '+')}")
    parts.append(decided_text(found["decided_by"]) or "no difference")
    return plain(f"{entry['variant']} {entry['dataset']}: {'; '.join(parts)}")


def judged_evidence(entries: Sequence[PairEntry]) -> list[str]:
    """The lines that a verbose run adds on judged scores, a heading first; none where there are none."""
    lines = [_evidence(entry, found) for entry, found in _judged(entries)]
    return ["semantic WER, with who decided on how many differences:", *lines] if lines else []
