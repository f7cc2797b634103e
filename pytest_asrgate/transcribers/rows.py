"""What stands for an utterance that failed, whatever the engine."""

from pytest_asrgate.records import Hypothesis, RowStatus, Utterance

__all__ = ["error_row"]


def error_row(utterance: Utterance, detail: str) -> Hypothesis:
    """The row of an utterance that has no score; `detail` is one sentence that says why."""
    return Hypothesis(id=utterance.id, text="", status=RowStatus.ERROR, detail=detail)
