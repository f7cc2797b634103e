"""What is said of intent and entities in the table, in the lines under it, and in verbose runs."""

from collections.abc import Iterator, Mapping, Sequence

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.intent_entries import FiguresEntry, IntentEntry, IntentWork, LossEntry, PairFiguresEntry
from pytest_asrgate.reports.judged import decided_text, votes_text, work_text
from pytest_asrgate.reports.judged_entries import SpendingEntry, spent_on
from pytest_asrgate.values import named, plural

__all__ = [
    "BY_RULES",
    "INTENT_HEADINGS",
    "MARKS",
    "apart_text",
    "entity_text",
    "intent_cells",
    "intent_evidence",
    "intent_lines",
    "intent_text",
    "intent_work_text",
]

_LEAST, _FOUND = "≥ ", "~ "
_LOWER_BOUND = "a lower bound of what a judge would say: intents that rules cannot show to be kept count as lost"
_NO_BOUND = "a figure over the digits, dates, e-mails, identifiers and names that rules find, and no bound"
# What the figures of rules alone are: where they are told in words, and where marks stand in a table.
BY_RULES = (f"intent, by rules alone: {_LOWER_BOUND}", f"entities, by rules alone: {_NO_BOUND}")
MARKS = (f"{_LEAST}is {_LOWER_BOUND}", f"{_FOUND}is {_NO_BOUND}")
INTENT_HEADINGS = ("intent%", "change", "entity%", "change")
_CHANGE = (
    "change of intent% and entity%: the figure minus the baseline's over the utterances that both have, pp; below "
    "0 is worse (checks and bounds tell it as a loss, which is above 0 then)"
)


def _interval(interval: Sequence[float] | None, name: str) -> str:
    return f" (95 % {name} {interval[0]:.2f} – {interval[1]:.2f})" if interval else ""


def intent_text(found: FiguresEntry, *, lower_bound: bool) -> str:
    """The share of intents kept, in percent, with its interval."""
    share = found["intent_pct"]
    if share is None:
        return "intent —"
    least = "at least " if lower_bound else ""
    return f"intent {least}{share:.2f} %{_interval(found['intent_ci_pct'], 'Wilson')}"


def entity_text(found: FiguresEntry, *, by_rules: bool) -> str:
    """The mean entity score, in percent, with its interval; `by_rules` says that only rules looked for entities."""
    mean = found["entity_pct"]
    if mean is None:
        return "entity —"
    of = " of those that rules find" if by_rules else ""
    return f"entity {mean:.2f} %{_interval(found['entity_ci_pct'], 'CI')}{of}"


def apart_text(found: FiguresEntry) -> str:
    """What is counted apart; empty for nothing."""
    parts = []
    if found["without_entities"]:
        parts.append(f"{plural(found['without_entities'], 'utterance')} without entities")
    if found["empty_references"]:
        parts.append(plural(found["empty_references"], "empty reference"))
    return f"counted apart: {', '.join(parts)}" if parts else ""


def intent_work_text(every: Sequence[IntentWork], spending: SpendingEntry) -> str:
    """Who judged intent and entities, how often they were needed, what was paid, and how the votes went."""
    judge = every[0]["judge"]
    total = sum(found["n"] for found in every)
    open_ = sum(found["asked"] for found in every)
    begin = f"judge {plain(judge)}, intent and entities:"
    if all(found["lower_bound"] for found in every):
        utterances = plural(total, "utterance")
        return f"{begin} nobody was asked; rules leave the intent of {open_} of {utterances} open, counted as lost"
    votes = votes_text(
        sum(found["voted"] for found in every),
        sum(found["unanimous"] for found in every),
        sum(found["undecided"] for found in every),
        noun="label",
        lost="lost",
    )
    needed = f"needed for the intent of {open_} of {plural(total, 'utterance')}"
    return f"{begin} {'; '.join(part for part in (needed, work_text(spending), votes) if part)}"


def _judged(entries: Sequence[PairEntry]) -> Iterator[tuple[PairEntry, IntentEntry]]:
    for entry in entries:
        found = entry["intent"]
        if found is not None:
            yield entry, found


def intent_cells(entry: PairEntry) -> tuple[str, str, str, str]:
    """Both figures in percent, marked where they are by rules alone, each with its change in percentage points."""
    found = entry["intent"]
    failed = any(check["name"] == "judge_errors" and check["status"] == "error" for check in entry["checks"])
    if found is None or failed:
        # A figure of what the judge did not fail on would be that of a better system.
        return "—", "—", "—", "—"
    figures, (least, over) = found["figures"], (_LEAST, _FOUND) if found["lower_bound"] else ("", "")
    return (
        _cell(figures["intent_pct"], least),
        _change(figures["intent_loss"]),
        _cell(figures["entity_pct"], over),
        _change(figures["entity_loss"]),
    )


def _cell(value: float | None, mark: str) -> str:
    return "—" if value is None else f"{mark}{value:.2f}"


def _change(loss: LossEntry | None) -> str:
    # Nothing lost, once it is rounded, is no negative nought.
    return "—" if loss is None else f"{0.0 - round(loss['loss_pp'], 2):+.2f}"


def _loss(loss: LossEntry | None) -> str:
    """A loss in percentage points, with the bound that would decide on a margin."""
    if loss is None:
        return ""
    upper = loss["upper95_pp"]
    bound = "no upper bound" if upper is None else f"upper 95 % {upper:+.2f}"
    return f"loss {loss['loss_pp']:+.2f} pp ({bound})"


def _language_line(entry: PairEntry, found: IntentEntry, figures: PairFiguresEntry) -> str:
    bound = found["lower_bound"]
    parts = [
        intent_text(figures, lower_bound=bound),
        _loss(figures["intent_loss"]),
        entity_text(figures, by_rules=bound),
        _loss(figures["entity_loss"]),
        f"over {plural(figures['utterances'], 'utterance')}",
    ]
    if figures["failed"]:
        parts.append(f"incomplete for {plural(figures['failed'], 'judge error')}")
    told = ", ".join(part for part in parts if part)
    return plain(f"{entry['variant']} {entry['dataset']} {figures['language']}: {told}")


def _judge_line(entries: Sequence[tuple[PairEntry, IntentEntry]]) -> str:
    failed = sum(len(found["judge_errors"]) for _, found in entries)
    spending = spent_on(
        (entry["variant"], entry["baseline"], entry["dataset"], found["spending"], found["baseline_spending"])
        for entry, found in entries
    )
    text = intent_work_text([found for _, found in entries], spending)
    return f"{text}; {plural(failed, 'judge error')}" if failed else text


def _errors_line(entry: PairEntry, found: IntentEntry) -> str:
    place, semantic = f"{entry['variant']} {entry['dataset']}", entry["semantic"]
    if semantic and semantic["judge_errors"] == found["judge_errors"]:
        # An outage fails both scores alike, and is told once.
        why = "those named above have no score of intent and entities either"
    else:
        ids = named(found["judge_errors"])
        why = f"{ids} (the first: {found['judge_failure']}); they have no score of intent and entities"
    return plain(f"judge errors of {place}: {why}")


def _apart(found: Sequence[tuple[PairEntry, IntentEntry]]) -> list[str]:
    """For each data set once what is counted apart, by its first pair: the references are the same."""
    lines: dict[str, str] = {}
    for entry, score in found:
        text = apart_text(score["figures"])
        if text:
            lines.setdefault(entry["dataset"], f"{plain(entry['dataset'])}: intent and entities, {text}")
    return list(lines.values())


def intent_lines(entries: Sequence[PairEntry]) -> list[str]:
    """Figures of each language, who judged and what it cost, judge errors, and what the figures are; or nothing."""
    found = list(_judged(entries))
    if not found:
        return []
    lines = [
        _language_line(entry, score, figures)
        for entry, score in found
        for figures in score["languages"]
        if figures["utterances"] or figures["failed"]
    ]
    if any(score["figures"]["intent_loss"] or score["figures"]["entity_loss"] for _, score in found):
        lines.append(_CHANGE)
    lines += _apart(found)
    for judge in dict.fromkeys(score["judge"] for _, score in found):
        lines.append(_judge_line([(entry, score) for entry, score in found if score["judge"] == judge]))
    lines += [_errors_line(entry, score) for entry, score in found if score["judge_errors"]]
    return lines + (list(MARKS) if any(score["lower_bound"] for _, score in found) else [])


def _range(loss: LossEntry, name: str) -> str:
    low, high = ("—" if bound is None else f"{bound:+.2f}" for bound in loss["ci_pp"])
    margin = loss["resolvable_pp"]
    resolves = "" if margin is None else f", resolves a margin of {margin:.2f} pp"
    over = plural(loss["utterances"], "utterance")
    return f"{name} loss {loss['loss_pp']:+.2f} pp (95 % CI {low} to {high}) over {over}{resolves}"


def _by(decided_by: Mapping[str, int], nothing: str) -> str:
    return decided_text(decided_by) or nothing


def _evidence(entry: PairEntry, found: IntentEntry) -> str:
    figures, bound = found["figures"], found["lower_bound"]
    fates = f"{figures['preserved']} preserved, {figures['missing']} missing, {figures['substituted']} substituted"
    losses = (("intent", figures["intent_loss"]), ("entity", figures["entity_loss"]))
    parts = [
        f"{intent_text(figures, lower_bound=bound)}: kept in {figures['kept']} of "
        f"{plural(figures['utterances'], 'utterance')}",
        f"{entity_text(figures, by_rules=bound)}: {fates} in {plural(figures['with_entities'], 'utterance')}",
        apart_text(figures),
        *(_range(loss, name) for name, loss in losses if loss),
        f"intents decided by {_by(found['decided_by'], 'nobody')}",
        f"entities by {_by(found['entities_decided_by'], 'nobody')}" if found["entities_decided_by"] else "",
    ]
    return plain(f"{entry['variant']} {entry['dataset']}: {'; '.join(part for part in parts if part)}")


def intent_evidence(entries: Sequence[PairEntry]) -> list[str]:
    """The lines that a verbose run adds on intent and entities, a heading first; none where there are none."""
    lines = [_evidence(entry, found) for entry, found in _judged(entries)]
    return ["intent and entities, with who decided on how many:", *lines] if lines else []
