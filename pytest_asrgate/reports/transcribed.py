"""What became of one run of a model over a manifest, in lines for a person."""

import re
from collections.abc import Callable, Sequence

from pytest_asrgate.records import HypothesisSet, RowStatus, Utterance
from pytest_asrgate.values import named, plural

__all__ = ["failed_count", "transcribed_lines"]

# So many reasons are told; a file says them all.
_REASONS = 10


def failed_count(made: HypothesisSet) -> int:
    """How many utterances ended in an error."""
    return sum(row.status is RowStatus.ERROR for row in made.hypotheses)


def _failures(made: HypothesisSet, told: Callable[[str], str]) -> list[str]:
    """One line for each reason, with the ids of the utterances that failed for it.

    Reasons that differ by numbers alone, such as the length of a clip, are one, told with the first one's.
    """
    reasons: dict[str, tuple[str, list[str]]] = {}
    for row in made.hypotheses:
        if row.status is RowStatus.ERROR:
            reason = row.detail or "error"
            reasons.setdefault(re.sub(r"[0-9]+", "0", reason), (reason, []))[1].append(row.id)
    lines = [f"failed: {named(ids)}: {told(reason)}" for reason, ids in reasons.values()]
    rest = [identity for _, ids in list(reasons.values())[_REASONS:] for identity in ids]
    more = [f"failed: {named(rest)}: their rows in the file say why"] if rest else []
    return lines[:_REASONS] + more


def _outputs(made: HypothesisSet, utterances: Sequence[Utterance]) -> list[str]:
    """What is odd about outputs that were kept."""
    lines = []
    for status, what in (
        (RowStatus.TRUNCATED, "truncated"),
        (RowStatus.REPETITION, "stopped for repetition"),
    ):
        ids = [row.id for row in made.hypotheses if row.status is status]
        if ids:
            lines.append(f"{len(ids)} {what}, kept with their partial text: {named(ids)}")
    empty = [
        utterance
        for utterance, row in zip(utterances, made.hypotheses, strict=True)
        if row.status is not RowStatus.ERROR and not row.text.strip()
    ]
    if empty:
        right = sum(not utterance.reference.strip() for utterance in empty)
        also = f", {right} of them with an empty reference" if right else ""
        lines.append(f"{len(empty)} without any text{also}: {named([utterance.id for utterance in empty])}")
    return lines


def transcribed_lines(
    made: HypothesisSet, utterances: Sequence[Utterance], told: Callable[[str], str] = str
) -> list[str]:
    """How much was done now and before, what failed and why, odd outputs, and what the engine said of itself.

    `utterances` are parallel to the hypotheses. `told` puts the reason of a failure into other words.
    """
    failed = failed_count(made)
    there = f"{made.reused} {'was' if made.reused == 1 else 'were'} there already"
    lost = f", {failed} failed; another run tries them again" if failed else ""
    stamp = made.provenance
    engine = f"{stamp.get('engine')}" + (f" ({stamp['architecture']})" if "architecture" in stamp else "")
    fixed = ", ".join(made.not_controllable)
    return [
        f"transcribed {plural(made.transcribed, 'utterance')} ({there}){lost}",
        *_failures(made, told),
        *_outputs(made, utterances),
        *([f"not controllable by {engine}: {fixed}"] if fixed else []),
        *(f"warning: {finding}" for finding in made.findings),
    ]
