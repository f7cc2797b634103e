"""What a scorer needs of whoever answers its questions: the judge, or a stand-in in tests."""

from collections.abc import Sequence
from typing import Protocol

from pytest_asrgate.judge.task import Failure, Question, Ruling
from pytest_asrgate.records.judged import Spending

__all__ = ["Judging"]


class Judging(Protocol):
    """Who answers questions."""

    @property
    def model(self) -> str:
        """Its name, as what it decides is stamped with it."""

    @property
    def spending(self) -> Spending:
        """What it has cost so far."""

    def rule(self, questions: Sequence[Question]) -> Sequence[Ruling | Failure]:
        """One ruling or failure for each question, in their order."""
