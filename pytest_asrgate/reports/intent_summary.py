"""What `asrgate judge` says of intent and entities, in a few lines."""

from collections.abc import Sequence

from pytest_asrgate.intent.languages import unserved_text
from pytest_asrgate.records import IntentScore, Score
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.intent_entries import FiguresEntry, intent_figures
from pytest_asrgate.reports.intent_failure import lost_lines
from pytest_asrgate.reports.intent_lines import apart_text, entity_text, intent_text, intent_work_text
from pytest_asrgate.reports.judged import decided_text, warning_text
from pytest_asrgate.values import plural

__all__ = ["intent_summary"]

_REST = "the file has all"


def _intent(found: FiguresEntry, *, lower_bound: bool) -> str:
    share, interval = found["intent_pct"], found["intent_ci_pct"]
    if share is None or interval is None:
        return "intent —: no utterance with reference words has a ruling"
    least = "at least " if lower_bound else ""
    return (
        f"intent kept in {least}{found['kept']} of {plural(found['utterances'], 'utterance')}: "
        f"{least}{share:.2f} % (95 % Wilson {interval[0]:.2f} – {interval[1]:.2f})"
    )


def _entities(found: FiguresEntry, *, by_rules: bool) -> str:
    mean, interval = found["entity_pct"], found["entity_ci_pct"]
    if mean is None:
        return "mean entity score —: no utterance with a ruling has entities"
    ci = f" (95 % CI {interval[0]:.2f} – {interval[1]:.2f})" if interval else ""
    fates = f"{found['preserved']} preserved, {found['missing']} missing, {found['substituted']} substituted"
    over = f"{plural(found['with_entities'], 'utterance')} with entities" + (" that rules find" if by_rules else "")
    return f"mean entity score {mean:.2f} %{ci} over {over}: {fates}"


def _incomplete(lost: int, failed: int, utterances: int) -> list[str]:
    """What the figures leave out."""
    kinds = [kind for count, kind in ((lost, "error rows"), (failed, "judge errors")) if count]
    if not kinds:
        return []
    rest = plural(utterances - lost - failed, "utterance")
    return [f"incomplete: {' and '.join(kinds)} have no score, and the figures are of the other {rest}"]


def _language(found: FiguresEntry, *, lower_bound: bool) -> str:
    parts = [
        intent_text(found, lower_bound=lower_bound),
        entity_text(found, by_rules=lower_bound),
        f"over {plural(found['utterances'], 'utterance')}",
        apart_text(found),
        plural(found["failed"], "judge error") if found["failed"] else "",
    ]
    return f"{found['language']}: {', '.join(part for part in parts if part)}"


def intent_summary(name: str, intent: IntentScore, score: Score, notes: Sequence[str] = ()) -> list[str]:
    """Lines for a terminal: both figures with intervals in percent, each language, who judged, what was lost.

    `score` has the texts that were judged; `notes` are sentences of ours.
    """
    found = intent_figures(intent)
    figures, bound, failed = found["figures"], intent.lower_bound, len(intent.judge_errors)
    lost = sum(row.kept is None for row in intent.utterances) - failed
    several = len(found["languages"]) > 1
    spoken = "".join(f" ({each['language']})" for each in found["languages"] if not several)
    counts = (
        plural(len(intent.utterances), "utterance") + spoken,
        plural(lost, "error row"),
        plural(failed, "judge error"),
    )
    deciders = decided_text({name: count for name, count in found["decided_by"].items() if name != "error row"})
    lines = [
        _intent(figures, lower_bound=bound),
        _entities(figures, by_rules=bound),
        apart_text(figures),
        *(_language(each, lower_bound=bound) for each in found["languages"] if several),
        ", ".join(counts) + (f"; intents decided by {deciders}" if deciders else ""),
        *_incomplete(lost, failed, len(intent.utterances)),
        intent_work_text([found], found["spending"]),
        warning_text(intent.utterances),
        *(f"note: {note}" for note in (*notes, unserved_text(row.language for row in intent.utterances)) if note),
    ]
    told = [f"  {plain(line)}" for line in lines if line]
    return [plain(name), *told, *lost_lines(intent, None, score, (), _REST)]
