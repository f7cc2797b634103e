"""A scored pair → its semantic error rate: rules first, then a judge for what they leave open."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.judge.judging import Judging
from pytest_asrgate.judge.task import Failure, Question, Ruling
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.metrics.dediarize import dediarize
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import (
    Counts,
    Difference,
    Hypothesis,
    Interval,
    Label,
    Score,
    SemanticScore,
    SemanticUtterance,
    Spending,
    Utterance,
    UtteranceScore,
)
from pytest_asrgate.semantic.counting import counts_of_differences
from pytest_asrgate.semantic.normalise import SEMANTIC_VERSION
from pytest_asrgate.semantic.pairs import Prepared, TextPair, prepare
from pytest_asrgate.semantic.task import SEMANTIC_TASK
from pytest_asrgate.statistics import rate_interval
from pytest_asrgate.values import RULES, named

__all__ = ["questions_of", "score_semantics"]


@dataclass(frozen=True, slots=True)
class _Row:
    """An utterance with its pair made ready; None for an error row."""

    score: UtteranceScore
    prepared: Prepared | None


def _pair(row: UtteranceScore, made: Hypothesis, utterance: Utterance, language: str, labelled: bool) -> TextPair:
    reference, hypothesis = utterance.reference, made.text
    if labelled:
        # Speaker labels and time stamps are nothing that was said.
        reference, hypothesis = dediarize(reference), dediarize(hypothesis)
    english = language == "en"
    return TextPair(
        reference, hypothesis, language, utterance.context, None if english else (row.reference, row.hypothesis)
    )


def _languages(score: Score, utterances: Sequence[Utterance]) -> Mapping[str, str]:
    """The canonical code of each tag; ScoringError where one has no words to count."""
    tags = {utterance.language or "" for utterance in utterances}
    codes = {tag: canonical_language(tag) if tag else "en" for tag in tags}
    wordless = sorted(code for code in set(codes.values()) if scoring_rule([code]).metric == "cer")
    if wordless or score.metric == "cer":
        what = f"language {', '.join(wordless)} has" if wordless else "a set that is scored by cer has"
        raise ScoringError(f"the semantic error rate counts words, and {what} none between blanks")
    return codes


def _prepared(score: Score, utterances: Sequence[Utterance]) -> list[_Row]:
    if not len(score.utterances) == len(score.hypotheses.hypotheses) == len(utterances):
        raise ScoringError("the semantic error rate needs one utterance for each scored row")
    codes = _languages(score, utterances)
    rows = list(zip(score.utterances, score.hypotheses.hypotheses, utterances, strict=True))
    stored = [made.id for _, made, _ in rows if made.normalised_reference is not None]
    if stored:
        raise ScoringError(
            f"variant.{score.hypotheses.variant}: only normalised texts were stored of {named(stored)}, and "
            "meaning is judged on the raw ones; replay the file of hypotheses instead of its score file"
        )
    labelled = score.hypotheses.contract.get("dediarize") is True
    with _nothing_collected():
        return [
            _Row(
                row,
                None
                if row.counts is None
                else prepare(_pair(row, made, utterance, codes[utterance.language or ""], labelled)),
            )
            for row, made, utterance in rows
        ]


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """No search for garbage meanwhile: hundreds of thousands of small values are made that stay, and no circles.

    Looking through all of them again and again took a fifth of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def questions_of(score: Score, utterances: Sequence[Utterance]) -> tuple[Question, ...]:
    """The different questions that judging a pair would ask, for an estimate; errors as for `score_semantics`."""
    return tuple(_distinct(_prepared(score, utterances)))


def _distinct(rows: Sequence[_Row]) -> list[Question]:
    """Each question once; equal pairs were prepared once and share theirs, or hold equal data."""
    found: dict[str, Question] = {}
    for row in rows:
        if row.prepared and row.prepared.question:
            found.setdefault(_key(row.prepared.question), row.prepared.question)
    return list(found.values())


def _key(question: Question) -> str:
    return repr(sorted(question.data.items()))


def _nobody(difference: Difference) -> Difference:
    reason = "Nobody was asked, so that it counts as an error."
    return replace(difference, label=Label.ERROR, decided_by="no judge", reason=reason)


def _judged(difference: Difference, ruling: Ruling, model: str) -> Difference:
    item = ruling.items[str(difference.number)]
    votes = tuple(ruling.votes.get(str(difference.number), (item.label,)))
    label = Label.SAME if item.label == "same" else Label.ERROR
    return replace(difference, label=label, decided_by=f"judge {model}", reason=item.reason, votes=votes)


def _undecided(difference: Difference, ruling: Ruling) -> bool:
    return ruling.items[str(difference.number)].label not in {"same", "error"}


def _utterance(row: _Row, answer: Ruling | Failure | None, model: str) -> tuple[SemanticUtterance, int]:
    """One row with all of its trail, and how many of its differences had no majority."""
    prepared = row.prepared
    if prepared is None:
        return SemanticUtterance(row.score.id, "", "", (), (), None), 0
    asked = prepared.question is not None
    differences, counts, failure, undecided = prepared.differences, None, "", 0
    if isinstance(answer, Failure):
        failure = answer.sentence or f"the judge gave no ruling ({answer.kind})"
    elif isinstance(answer, Ruling) and (
        lost := [row for row in differences if row.label is Label.OPEN and str(row.number) not in answer.items]
    ):
        failure = f"the judge's ruling lacks difference {lost[0].number}"
    else:
        opened = [one for one in differences if one.label is Label.OPEN]
        if isinstance(answer, Ruling):
            undecided = sum(_undecided(one, answer) for one in opened)
        differences = tuple(
            one
            if one.label is not Label.OPEN
            else _judged(one, answer, model)
            if isinstance(answer, Ruling)
            else _nobody(one)
            for one in differences
        )
        counts = counts_of_differences(differences, prepared.words)
    made = SemanticUtterance(
        id=row.score.id,
        reference=prepared.reference,
        hypothesis=prepared.hypothesis,
        alignment=prepared.alignment,
        differences=differences,
        counts=counts,
        asked=asked,
        judge_error=failure,
        warning=prepared.warning,
    )
    return made, undecided


def score_semantics(score: Score, utterances: Sequence[Utterance], judge: Judging | None = None) -> SemanticScore:
    """The semantic error rate of a scored pair; `utterances` are the manifest's, parallel to its rows.

    Without a judge every difference that the rules leave open counts as an error: an upper bound, labelled so. A
    difference without a majority counts as an error too. Utterances that the judge failed on have no counts.

    Raises ScoringError where only normalised texts were stored, for languages without blanks between words, and
    under the metric cer.
    """
    rows = _prepared(score, utterances)
    answers: dict[str, Ruling | Failure] = {}
    spent = Spending()
    if judge is not None:
        before = judge.spending
        asked = _distinct(rows)
        if asked:
            ruled = zip(asked, judge.rule(asked), strict=True)
            answers = {_key(question): answer for question, answer in ruled}
        spent = judge.spending - before
    model = RULES if judge is None else judge.model
    made, undecided = [], 0
    for row in rows:
        question = row.prepared.question if row.prepared else None
        utterance, unsure = _utterance(row, answers[_key(question)] if judge and question else None, model)
        made.append(utterance)
        undecided += unsure
    votes = [one.votes for row in made for one in row.differences if len(one.votes) > 1]
    return SemanticScore(
        judge=model,
        utterances=tuple(made),
        counts=sum((row.counts for row in made if row.counts), Counts()),
        interval=_interval(made),
        upper_bound=judge is None,
        rules_version=SEMANTIC_VERSION,
        task_version=SEMANTIC_TASK.version,
        speakers=score.speakers,
        speakers_note=score.speakers_note,
        spending=spent,
        voted=len(votes),
        unanimous=sum(len(set(vote)) == 1 for vote in votes),
        undecided=undecided,
    )


def _interval(rows: Sequence[SemanticUtterance]) -> Interval | None:
    counts = [row.counts for row in rows if row.counts]
    return rate_interval([row.errors for row in counts], [row.words for row in counts])
