"""What stands for an utterance that failed, whatever the engine."""

from pytest_asrgate.records import Hypothesis, RowStatus, Utterance

__all__ = ["error_row", "not_tried", "was_not_tried"]

_NOT_TRIED = "not tried: "


def error_row(utterance: Utterance, detail: str) -> Hypothesis:
    """The row of an utterance that has no score; `detail` is one sentence that says why."""
    return Hypothesis(id=utterance.id, text="", status=RowStatus.ERROR, detail=detail)


def not_tried(utterance: Utterance, why: str) -> Hypothesis:
    """The error row of an utterance that was given up with its neighbours, since the engine is broken."""
    return error_row(utterance, _NOT_TRIED + why)


def was_not_tried(row: Hypothesis) -> bool:
    """Whether a row says that its utterance was given up."""
    return row.status is RowStatus.ERROR and row.detail.startswith(_NOT_TRIED)
