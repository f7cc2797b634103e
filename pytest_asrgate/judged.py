"""The judged scores of a gate's pairs: who judges is opened when the first one is asked for."""

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from pytest_asrgate.config import Gate
from pytest_asrgate.errors import AsrGateError, JudgeError
from pytest_asrgate.locks import alone, lock_folder
from pytest_asrgate.records import IntentScore, Score, SemanticScore, Utterance
from pytest_asrgate.values import RULES

if TYPE_CHECKING:
    from pytest_asrgate.judge.judge import Judge

__all__ = ["JudgedScores"]

_Judged = TypeVar("_Judged")

# Modes in which a model may be asked.
_ASKING = frozenset({"record", "live"})


def _nothing() -> None:
    """Nothing is held that another process could wait for, and nothing is kept that could be forgotten."""


class JudgedScores:
    """Judges the scores of one session; closing it twice is fine."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._judge: Judge | None = None
        self._notes: dict[str, None] = {}
        self._forget: Callable[[], None] = _nothing

    def semantics(self, score: Score, utterances: Sequence[Utterance]) -> SemanticScore:
        """The semantic error rate of a scored pair, whose `utterances` are the data set's, parallel to its rows.

        Raises JudgeError where the judge cannot be used at all, and ScoringError where the texts cannot be judged.
        """
        from pytest_asrgate.semantic.pairs import forget_pairs  # noqa: PLC0415 - most gates judge no meaning
        from pytest_asrgate.semantic.score import score_semantics  # noqa: PLC0415 - as above

        self._forget = forget_pairs
        return self._made("semantic", utterances, lambda judge: score_semantics(score, utterances, judge))

    def intents(self, score: Score, utterances: Sequence[Utterance], limits: Collection[str] = ()) -> IntentScore:
        """Intent and entities of a scored pair; arguments and errors as for `semantics`.

        `limits` are the names of the pair's: a limit on entities asks for a judge that agrees with people on these.
        """
        from pytest_asrgate.intent.score import score_intent  # noqa: PLC0415 - as above

        return self._made("intent", utterances, lambda judge: score_intent(score, utterances, judge), limits)

    def _made(
        self,
        task: str,
        utterances: Sequence[Utterance],
        judged: "Callable[[Judge | None], _Judged]",
        limits: Collection[str] = (),
    ) -> _Judged:
        """What comes of asking the judge, or of rules alone, that are given as None."""
        settings = self._gate.judge
        if settings.mode == "off":
            raise JudgeError('judge.mode is "off"; unset the limits on judged scores too, or choose another mode')
        if settings.mode == "live" and os.environ.get("PYTEST_XDIST_WORKER"):
            raise JudgeError(
                'judge.mode = "live" keeps no reply, so each worker of pytest-xdist would ask about the baseline '
                'again; use mode "record", or leave -n out'
            )
        if settings.model == RULES:
            return judged(None)
        from pytest_asrgate.calibrated import check_calibrated, check_served  # noqa: PLC0415 - rules need none

        check_calibrated(settings, task, utterances, limits)
        if self._judge is None:
            from pytest_asrgate.judge.judge import Judge  # noqa: PLC0415 - rules need no judge

            self._judge = Judge(settings)
        before = self._judge.spending.calls
        try:
            with self._one_at_a_time():
                made = judged(self._judge)
                check_served(settings, task, self._judge.served)
                return made
        except AsrGateError:
            lost = self._judge.spending.calls - before
            if lost:
                why = "calls that were made before an error ended the judging"
                rest = "they are in no figure; replies that were kept are not asked for again"
                self._notes[f"judge {settings.model}: {why}: {lost}; {rest}"] = None
            raise
        finally:
            self._notes |= dict.fromkeys(self._judge.take_notes())

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """Other processes of this gate wait: what they would ask is then answered, and no limit is multiplied."""
        if self._gate.judge.mode not in _ASKING:
            yield
            return
        with alone(lock_folder(self._gate.state, read_only=False), "judge", _nothing):
            yield

    def take_notes(self) -> list[str]:
        """Sentences that came up since this was asked last."""
        notes = list(self._notes)
        self._notes.clear()
        return notes

    def close(self) -> None:
        """Let go of the judge, and of texts that were kept for the next variant."""
        self._forget()
        if self._judge is not None:
            self._judge.close()
            self._judge = None
