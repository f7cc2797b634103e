"""The trail of a judged utterance as plain JSON values: what was compared, what was decided, by whom and why."""

from typing import TypedDict

from pytest_asrgate.records.judged import Difference, SemanticScore, SemanticUtterance

__all__ = ["DifferenceEntry", "TrailEntry", "trail", "trails"]


class DifferenceEntry(TypedDict):
    """One numbered difference; `ref` or `hyp` is empty for what was inserted or deleted."""

    number: int
    ref: str
    hyp: str
    label: str
    decided_by: str
    reason: str
    votes: list[str]
    substitutions: int
    deletions: int
    insertions: int


class TrailEntry(TypedDict):
    """One judged utterance; `ref` and `hyp` are normalised for it, counts are null where there is no score.

    `alignment` has [step, words of the reference, words of the hypothesis] for each step.
    """

    id: str
    ref: str
    hyp: str
    substitutions: int | None
    deletions: int | None
    insertions: int | None
    words: int | None
    asked: bool
    judge_error: str
    warning: str
    alignment: list[list[str]]
    differences: list[DifferenceEntry]


def _difference(found: Difference) -> DifferenceEntry:
    return DifferenceEntry(
        number=found.number,
        ref=found.reference,
        hyp=found.hypothesis,
        label=found.label.value,
        decided_by=found.decided_by,
        reason=found.reason,
        votes=list(found.votes),
        substitutions=found.substitutions,
        deletions=found.deletions,
        insertions=found.insertions,
    )


def trail(row: SemanticUtterance) -> TrailEntry:
    """Everything that is known of one judged utterance."""
    counts = row.counts
    return TrailEntry(
        id=row.id,
        ref=row.reference,
        hyp=row.hypothesis,
        substitutions=counts.substitutions if counts else None,
        deletions=counts.deletions if counts else None,
        insertions=counts.insertions if counts else None,
        words=counts.words if counts else None,
        asked=row.asked,
        judge_error=row.judge_error,
        warning=row.warning,
        alignment=[[each.step, each.reference, each.hypothesis] for each in row.alignment],
        differences=[_difference(each) for each in row.differences],
    )


def _equal(row: SemanticUtterance) -> bool:
    """Whether both texts came out the same, so that nothing was decided and nothing can be checked."""
    texts = row.reference == row.hypothesis and not row.differences
    return texts and not row.judge_error and not row.warning


def trails(score: SemanticScore) -> list[TrailEntry]:
    """The trails of all utterances but those whose normalised texts are equal."""
    return [trail(row) for row in score.utterances if not _equal(row)]
