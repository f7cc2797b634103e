"""What a failure message says of meaning: differences that matter, who decided and why, and judge errors."""

from collections.abc import Iterator, Sequence

from pytest_asrgate.records import IntentUtterance
from pytest_asrgate.records.judged import Difference, Label, SemanticScore, SemanticUtterance
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.judged import NOBODY, UPPER_BOUND
from pytest_asrgate.values import named, plural

__all__ = ["changed_lines", "costliest", "failure_lines", "short"]

_SHOWN = 5
# Differences of one utterance, which may be an hour long.
_LISTED = 8
# In characters, of one text or reason; a model may write a page.
_LONGEST = 200
# Of a sentence on a judge error, which is ours, names a file, and ends with what to do.
_LONGEST_SENTENCE = 1_000


def short(text: str, longest: int = _LONGEST) -> str:
    """The beginning of a stranger's text, safe for a terminal."""
    return plain(text if len(text) <= longest else f"{text[:longest]}…")


def _matters(difference: Difference) -> bool:
    return difference.label is not Label.SAME


def _errors(row: SemanticUtterance | None) -> int:
    return row.counts.errors if row is not None and row.counts else 0


def _difference(found: Difference) -> str:
    votes = f" (votes {', '.join(map(short, found.votes))})" if found.votes else ""
    # That nobody was asked need not be told of each.
    reason = f": {short(found.reason)}" if found.reason and found.decided_by != NOBODY else ""
    texts = f'"{short(found.reference)}" → "{short(found.hypothesis)}"'
    return f"    {found.number}. {texts}: {short(found.decided_by)}{votes}{reason}"


def _utterance(row: SemanticUtterance, before: SemanticUtterance | None, rest: str) -> Iterator[str]:
    against = ""
    if before is not None:
        against = f", baseline {_errors(before)}" if before.counts else ", baseline has no score"
    words = row.counts.words if row.counts else 0
    yield f"  {plain(row.id)}: {plural(_errors(row), 'semantic error')} in {plural(words, 'word')}{against}"
    found = [each for each in row.differences if _matters(each)]
    yield from map(_difference, found[:_LISTED])
    if len(found) > _LISTED:
        yield f"    and {plural(len(found) - _LISTED, 'more difference')} ({rest})"


def costliest(score: SemanticScore, first: Sequence[str] = ()) -> list[SemanticUtterance]:
    """The utterances whose meaning changed: those named `first` in their order, then by falling errors."""
    places = {identity: place for place, identity in enumerate(first)}
    rows = [row for row in score.utterances if _errors(row)]
    return sorted(rows, key=lambda row: (places.get(row.id, len(places)), -_errors(row)))


def changed_lines(
    score: SemanticScore, baseline: SemanticScore | None, first: Sequence[str], rest: str
) -> list[str]:
    """The first few utterances whose meaning changed, and those the judge failed on, safe for a terminal.

    `first` names ids that lead; `rest` says where all of them
    are. Each part begins with an empty line and a heading; none where there is nothing to say.
    """
    lines: list[str] = []
    before = {row.id: row for row in baseline.utterances} if baseline else {}
    rows, failed = costliest(score, first), score.judge_errors
    if rows:
        lines += ["", f"the utterances whose meaning changed ({min(len(rows), _SHOWN)} of {len(rows)}):"]
        for row in rows[:_SHOWN]:
            lines += _utterance(row, before.get(row.id), rest)
        lines += [UPPER_BOUND] if score.upper_bound else []
    if failed:
        lines += ["", f"the judge gave no valid answer for {plural(len(failed), 'utterance')}:"]
        lines += failure_lines(failed)
    return lines


def failure_lines(failed: Sequence[SemanticUtterance] | Sequence[IntentUtterance]) -> Iterator[str]:
    """Ids by what went wrong: an outage has one sentence for all of them."""
    sentences: dict[str, list[str]] = {}
    for row in failed:
        sentences.setdefault(row.judge_error, []).append(row.id)
    for sentence, ids in list(sentences.items())[:_SHOWN]:
        yield f"  {plain(named(ids))}: {short(sentence, _LONGEST_SENTENCE)}"
    if len(sentences) > _SHOWN:
        yield f"  and {plural(len(sentences) - _SHOWN, 'other reason')}"
