"""What `asrgate score` says of one scored file, in a few lines."""

from collections.abc import Sequence

from pytest_asrgate.checks import dropped_span, touches_value
from pytest_asrgate.records import RowStatus, Score
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.values import named, plural

__all__ = ["score_summary"]


def _rate(score: Score) -> str:
    counts, interval = score.counts, score.interval
    if counts.rate_pct is None or interval is None:
        lost = sum(row.status is RowStatus.ERROR for row in score.utterances)
        why = f"there are no reference {score.token}s"
        if lost:
            why = f"no utterance with reference {score.token}s has a score; {plural(lost, 'error row')}"
        return f"{score.metric.upper()} —: {why}"
    kinds = (
        (counts.substitutions, "substitution"),
        (counts.deletions, "deletion"),
        (counts.insertions, "insertion"),
    )
    errors = ", ".join(plural(count, kind) for count, kind in kinds)
    ci = f"{interval.low:.2f} – {interval.high:.2f}"
    return (
        f"{score.metric.upper()} {counts.rate_pct:.2f} % (95 % CI {ci}): {errors} "
        f"over {plural(counts.words, score.token)}"
    )


def _tails(score: Score) -> str:
    rows = score.utterances
    nulls = sum(row.null_reference for row in rows)
    found = {
        "empty": sum(row.empty for row in rows),
        "truncated": sum(row.status is RowStatus.TRUNCATED for row in rows),
        "stopped for repetition": sum(row.status is RowStatus.REPETITION for row in rows),
    }
    invented = plural(sum(row.hallucination for row in rows), "hallucination")
    return ", ".join(
        [
            plural(len(rows), "utterance"),
            plural(sum(row.status is RowStatus.ERROR for row in rows), "error row"),
            *(f"{count} {name}" for name, count in found.items()),
            plural(sum(row.loop for row in rows), "loop"),
            f"{invented} on {plural(nulls, 'null reference')}",
        ]
    )


def _worst(score: Score) -> str:
    """Utterances that a rate hides: another language, more wrong than right, and what was skipped."""
    drift = [row.id for row in score.utterances if row.drift]
    catastrophic = [row.id for row in score.utterances if score.catastrophic(row)]
    parts = [
        f"{len(drift)} in another language" + (f" ({named(drift)})" if drift else ""),
        f"{len(catastrophic)} catastrophic, with an own {score.metric.upper()} above {score.catastrophic_rate:g} %"
        + (f" ({named(catastrophic)})" if catastrophic else ""),
    ]
    longest = dropped_span(score, None, None)
    if isinstance(longest.value, int):
        parts.append(f"longest run of deletions {plural(longest.value, score.token)}")
    return ", ".join(parts)


def _hidden(score: Score) -> list[str]:
    rows = [row for row in score.utterances if row.masked]
    if not rows:
        return []
    first = [row.id for row in rows if touches_value(row)]
    line = f"hidden by the normaliser: differences in {plural(len(rows), 'utterance')}"
    if first:
        line += f", {len(first)} touching digits, signs, currency, units or negation: {named(first)}"
    return [line]


def score_summary(name: str, score: Score, notes: Sequence[str] = ()) -> list[str]:
    """Lines for a terminal: rate and interval in percent, counts, how texts were normalised, what that hid."""
    contract = score.hypotheses.contract
    lost = [row for row in score.utterances if row.status is RowStatus.ERROR]
    how = f"language {contract['language']}, normaliser {contract['normaliser']}"
    lines = [
        _rate(score),
        _tails(score),
        _worst(score),
        how + (", dediarized" if contract["dediarize"] else ""),
        *_hidden(score),
    ]
    if lost:
        lines.append(
            f"incomplete: error rows have no score: {named([row.id for row in lost])} "
            f"({lost[0].id}: {lost[0].detail})"
        )
    lines += [f"speakers: {score.speakers_note}", *(f"note: {note}" for note in notes)]
    return [plain(name), *(f"  {plain(line)}" for line in lines)]
