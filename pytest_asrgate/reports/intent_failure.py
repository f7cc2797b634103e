"""What a failure message says of intent and entities: what was lost, in which words, who decided and why."""

from collections.abc import Iterator, Mapping, Sequence

from pytest_asrgate.records import Entity, EntityStatus, IntentScore, IntentUtterance, Score
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.intent_lines import BY_RULES
from pytest_asrgate.reports.judged import NOBODY
from pytest_asrgate.reports.judged_failure import failure_lines, short
from pytest_asrgate.values import plural

__all__ = ["lost_lines", "most_lost"]

_SHOWN = 5
# Entities of one utterance, which may be an hour long.
_LISTED = 8
# In characters, of a raw text.
_LONGEST_TEXT = 1_000


def _losses(row: IntentUtterance | None) -> tuple[float, float]:
    """What is lost of the intent and of the entities, each from 0 to 1; nothing where it is not counted."""
    if row is None or not row.counts:
        return 0.0, 0.0
    return float(not row.kept), 0.0 if row.entity_score is None else 1.0 - row.entity_score


def _is_new(row: IntentUtterance, before: IntentUtterance | None) -> bool:
    """Whether more is lost than the baseline lost; without a baseline every loss is."""
    return any(ours > theirs for ours, theirs in zip(_losses(row), _losses(before), strict=True))


def most_lost(
    score: IntentScore, baseline: IntentScore | None = None, first: Sequence[str] = ()
) -> list[IntentUtterance]:
    """The utterances that lost their intent or entities: what the baseline kept before what it lost too.

    Then those named `first` in their order, then lost intents before lost entities, then by what was lost of these.
    """
    places = {identity: place for place, identity in enumerate(first)}
    before = _by_id(baseline)
    rows = [row for row in score.utterances if any(_losses(row))]
    return sorted(
        rows,
        key=lambda row: (
            not _is_new(row, before.get(row.id)),
            places.get(row.id, len(places)),
            *(-lost for lost in _losses(row)),
        ),
    )


def _by_id(score: IntentScore | None) -> Mapping[str, IntentUtterance]:
    return {row.id: row for row in score.utterances} if score else {}


def _who(decided_by: str, votes: Sequence[str], reason: str) -> str:
    told = f" (votes {', '.join(map(short, votes))})" if votes else ""
    # That nobody was asked need not be told of each.
    why = f": {short(reason)}" if reason and decided_by != NOBODY else ""
    return f"{short(decided_by)}{told}{why}"


def _entity(found: Entity, before: Mapping[str, Entity]) -> str:
    became = f'became "{short(found.heard)}"' if found.heard else f"is {found.status.value}"
    earlier = before.get(found.text)
    against = f"; baseline {earlier.status.value}" if earlier and earlier.status is not found.status else ""
    who = _who(found.decided_by, found.votes, found.reason)
    return f'    {short(found.kind)} "{short(found.text)}" {became}{against}: {who}'


def _fate(row: IntentUtterance) -> str:
    entities = f", entities {100.0 * (row.entity_score or 0.0):.0f} %" if row.entities else ""
    return f"intent {'kept' if row.kept else 'lost'}{entities}"


def _against(before: IntentUtterance | None) -> str:
    if before is None:
        return ""
    if not before.counts:
        return "; baseline has no score"
    return f"; baseline {_fate(before)}"


def _utterance(
    row: IntentUtterance, before: IntentUtterance | None, texts: tuple[str, str], rest: str
) -> Iterator[str]:
    yield f"  {plain(row.id)}: {_fate(row)}{_against(before)}"
    yield f"    REF: {short(texts[0], _LONGEST_TEXT)}"
    yield f"    HYP: {short(texts[1], _LONGEST_TEXT)}"
    if not row.kept:
        yield f"    intent: {_who(row.decided_by, row.votes, row.explanation)}"
    earlier = {each.text: each for each in before.entities} if before else {}
    lost = [each for each in row.entities if each.status is not EntityStatus.PRESERVED]
    yield from (_entity(each, earlier) for each in lost[:_LISTED])
    if len(lost) > _LISTED:
        yield f"    and {plural(len(lost) - _LISTED, 'more entity', 'more entities')} ({rest})"


def lost_lines(
    intent: IntentScore, baseline: IntentScore | None, score: Score, first: Sequence[str], rest: str
) -> list[str]:
    """The first few utterances that lost their intent or entities, and those the judge failed on, for a terminal.

    `score` has the texts that were judged, `first` names ids that lead, `rest` says where all of them are. Each
    part begins with an empty line and a heading; none where there is nothing to say.
    """
    lines: list[str] = []
    before, rows, failed = _by_id(baseline), most_lost(intent, baseline, first), intent.judge_errors
    if rows:
        texts = {
            row.id: (row.reference if row.reference_text is None else row.reference_text, made.text)
            for row, made in zip(score.utterances, score.hypotheses.hypotheses, strict=True)
        }
        new = sum(_is_new(row, before.get(row.id)) for row in rows)
        told = f"; {new} lost more than the baseline, and come first" if baseline else ""
        shown = f"{min(len(rows), _SHOWN)} of {len(rows)}{told}"
        lines += ["", f"the utterances that lost their intent or entities ({shown}):"]
        for row in rows[:_SHOWN]:
            lines += _utterance(row, before.get(row.id), texts[row.id], rest)
        lines += BY_RULES if intent.lower_bound else ()
    if failed:
        whom = plural(len(failed), "utterance")
        lines += ["", f"the judge gave no valid answer on intent and entities for {whom}:"]
        lines += failure_lines(failed)
    return lines
