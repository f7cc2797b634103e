"""What `asrgate judge` can judge: each task with its score, its questions, its document and its summary."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pytest_asrgate.cli.inputs import Input
from pytest_asrgate.records import IntentScore, Score, SemanticScore, Utterance
from pytest_asrgate.values import without_surrogates

if TYPE_CHECKING:
    # Help needs none of them.
    from pytest_asrgate.judge.judging import Judging
    from pytest_asrgate.judge.task import Question

__all__ = ["TASKS", "JudgeTask", "judge_task"]

TASKS = ("semantic", "intent")

_Score = TypeVar("_Score", SemanticScore, IntentScore)


@dataclass(frozen=True, slots=True)
class JudgeTask(Generic[_Score]):
    """One kind of judged score.

    `judged` scores rows, by rules alone without a judge; `questions` are those that it would ask, from a judge that
    only replays where one is given. `told` is the score with the sentences on judge errors as a reader of this
    command needs them, `document` the text of the file, `summary` the lines for a terminal, with notes.
    `is_silent` says whether a judge that was needed gave no ruling at all; `estimated` what a reader should know of
    an estimate.
    """

    name: str
    judged: "Callable[[Score, Sequence[Utterance], Judging | None], _Score]"
    questions: "Callable[[Score, Sequence[Utterance], Judging | None], Sequence[Question]]"
    told: Callable[[_Score, Callable[[str], str]], _Score]
    document: Callable[[_Score, Score, Input, str], str]
    summary: Callable[[str, _Score, Score, Sequence[str]], list[str]]
    is_silent: Callable[[_Score], bool]
    estimated: str = ""

    @property
    def end(self) -> str:
        """What the name of the document ends with."""
        return f".{self.name}.json"


def judge_task(name: str) -> JudgeTask[Any]:
    """The task of this name, one of `TASKS`; nobody who calls it need know which score it makes."""
    return _intent() if name == "intent" else _semantic()


def _semantic() -> JudgeTask[SemanticScore]:
    from pytest_asrgate.reports.semantic_document import (  # noqa: PLC0415 - help needs no rules
        document_text,
        semantic_document,
    )
    from pytest_asrgate.reports.semantic_summary import semantic_summary  # noqa: PLC0415 - as above
    from pytest_asrgate.semantic.score import questions_of, score_semantics  # noqa: PLC0415 - as above

    def told(score: SemanticScore, words: Callable[[str], str]) -> SemanticScore:
        rows = tuple(replace(row, judge_error=words(row.judge_error)) for row in score.utterances)
        return replace(score, utterances=rows)

    def document(judged: SemanticScore, score: Score, found: Input, name: str) -> str:
        return document_text(semantic_document(judged, score, found.utterances, source=without_surrogates(name)))

    return JudgeTask(
        name="semantic",
        judged=score_semantics,
        questions=lambda score, utterances, _: questions_of(score, utterances),
        told=told,
        document=document,
        summary=lambda name, judged, _, notes: semantic_summary(name, judged, notes),
        is_silent=lambda judged: 0 < sum(row.asked for row in judged.utterances) == len(judged.judge_errors),
    )


def _intent() -> JudgeTask[IntentScore]:
    from pytest_asrgate.intent.score import questions_of, score_intent  # noqa: PLC0415 - help needs no rules
    from pytest_asrgate.reports.intent_document import intent_document  # noqa: PLC0415 - as above
    from pytest_asrgate.reports.intent_summary import intent_summary  # noqa: PLC0415 - as above
    from pytest_asrgate.reports.semantic_document import document_text  # noqa: PLC0415 - as above

    def told(score: IntentScore, words: Callable[[str], str]) -> IntentScore:
        rows = tuple(replace(row, judge_error=words(row.judge_error)) for row in score.utterances)
        return replace(score, utterances=rows)

    def document(judged: IntentScore, score: Score, found: Input, name: str) -> str:
        made = intent_document(
            judged, score, found.utterances, source=without_surrogates(name), indexes=found.indexes
        )
        return document_text(made)

    return JudgeTask(
        name="intent",
        judged=score_intent,
        questions=questions_of,
        told=told,
        document=document,
        summary=intent_summary,
        # Of every reference with words the judge is asked at least what entities it has.
        is_silent=lambda judged: bool(judged.judge_errors) and not any(row.counts for row in judged.utterances),
        estimated=(
            "two questions an utterance: what became of the entities is asked once they are known; where the "
            "cassette does not know them yet, those that rules find stand in for them"
        ),
    )
