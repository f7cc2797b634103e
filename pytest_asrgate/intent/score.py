"""A scored pair → what became of intent and entities: rules first, then two questions to a judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.intent.arithmetic import figures_by_language, figures_of
from pytest_asrgate.intent.entities import entities_by_rule
from pytest_asrgate.intent.equality import INTENT_RULES_VERSION, kept_by_rule
from pytest_asrgate.intent.listing import LISTING_TASK, Listed, listed, listing_question
from pytest_asrgate.intent.reading import has_words
from pytest_asrgate.intent.risks import risks_of
from pytest_asrgate.intent.rulings import by_judge, by_rule, by_rules_alone, failed
from pytest_asrgate.intent.task import INTENT_TASK, intent_question
from pytest_asrgate.intent.texts import Texts
from pytest_asrgate.judge.judging import Judging
from pytest_asrgate.judge.task import Failure, Question, Ruling
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.metrics.dediarize import dediarize
from pytest_asrgate.records import IntentScore, IntentUtterance, Score, Spending, Utterance
from pytest_asrgate.values import RULES, named

__all__ = ["INTENT_VERSION", "questions_of", "score_intent"]

# Of what a judge is asked and how it answers, over both of its tasks.
INTENT_VERSION = 100 * LISTING_TASK.version + INTENT_TASK.version

_EMPTY = "The reference is empty, so that no intent can be kept."
_SILENT = "The hypothesis is empty."


@dataclass(frozen=True, slots=True)
class _Row:
    """One utterance with its raw texts; `rule` names what keeps its intent for sure, empty for nothing."""

    texts: Texts
    lost: bool
    rule: str

    @property
    def listing(self) -> Question | None:
        """What asks for the entities, None where there is nothing to ask about."""
        texts = self.texts
        if self.lost or texts.empty_reference:
            return None
        return listing_question(texts.reference, language=texts.language, context=texts.context)

    def question(self, entities: Sequence[Listed]) -> Question | None:
        """What asks for what became of intent and entities, None where rules know it."""
        texts = self.texts
        if self.lost or texts.empty_reference or self.rule or not has_words(texts.hypothesis):
            return None
        risky = risks_of(texts.reference, texts.hypothesis, texts.language, texts.context)
        return intent_question(
            texts.reference,
            texts.hypothesis,
            entities,
            language=texts.language,
            context=texts.context,
            risky=risky,
        )


def _rows(score: Score, utterances: Sequence[Utterance]) -> list[_Row]:
    if not len(score.utterances) == len(score.hypotheses.hypotheses) == len(utterances):
        raise ScoringError("intent and entities need one utterance for each scored row")
    stored = [made.id for made in score.hypotheses.hypotheses if made.normalised_reference is not None]
    if stored:
        raise ScoringError(
            f"variant.{score.hypotheses.variant}: only normalised texts were stored of {named(stored)}, and "
            "intent is judged on the raw ones; replay the file of hypotheses instead of its score file"
        )
    labelled = score.hypotheses.contract.get("dediarize") is True
    rows = []
    known: dict[tuple[str, str, str], str] = {}
    for row, made, utterance in zip(score.utterances, score.hypotheses.hypotheses, utterances, strict=True):
        reference, hypothesis = utterance.reference, made.text
        if labelled:
            # Speaker labels and time stamps are nothing that was said.
            reference, hypothesis = dediarize(reference), dediarize(hypothesis)
        language = canonical_language(utterance.language) if utterance.language else "en"
        texts = Texts(row.id, language, reference, hypothesis, utterance.context, not has_words(reference))
        lost = row.counts is None
        key = language, reference, hypothesis
        if lost or texts.empty_reference:
            rule = ""
        elif key in known:
            rule = known[key]
        else:
            rule = known[key] = kept_by_rule(reference, hypothesis, language)
        rows.append(_Row(texts, lost, rule))
    return rows


def _key(question: Question) -> str:
    return repr((question.task.name, sorted(question.data.items())))


def _asked(judge: Judging, questions: Sequence[Question | None]) -> dict[str, Ruling | Failure]:
    """An answer to each different question, by its key."""
    different = {_key(each): each for each in questions if each is not None}
    if not different:
        return {}
    return dict(zip(different, judge.rule(list(different.values())), strict=True))


def _alone(row: _Row) -> IntentUtterance:
    texts = row.texts
    if row.lost:
        return IntentUtterance(texts.id, texts.language, None)
    if texts.empty_reference:
        return by_rule(texts, (), kept=False, rule="empty reference", why=_EMPTY)
    return by_rules_alone(texts, row.rule, entities_by_rule(texts.reference, texts.hypothesis, texts.language))


def _judged(
    row: _Row,
    found: Ruling | Failure | None,
    answer: Ruling | Failure | None,
    model: str,
) -> IntentUtterance:
    """One row from the answers to its two questions, of which those may be None that nobody had to ask."""
    texts = row.texts
    if row.lost or texts.empty_reference or found is None:
        return _alone(row)
    if isinstance(found, Failure):
        return failed(texts, found)
    entities = listed(found)
    if row.rule:
        return by_rule(texts, entities, kept=True, rule=row.rule)
    if answer is None:
        return by_rule(texts, entities, kept=False, rule="empty hypothesis", why=_SILENT)
    if isinstance(answer, Failure):
        return failed(texts, answer)
    return by_judge(texts, entities, answer, model)


def questions_of(
    score: Score, utterances: Sequence[Utterance], replayed: Judging | None = None
) -> tuple[Question, ...]:
    """The different questions that judging a pair would ask, for an estimate; errors as for `score_intent`.

    What became of entities can be asked only once they are known: where `replayed`, a judge that only replays, does
    not know them, those that rules find stand in for them.
    """
    rows = _rows(score, utterances)
    listings = [row.listing for row in rows]
    known = _asked(replayed, listings) if replayed else {}
    found: dict[str, Question] = {_key(each): each for each in listings if each is not None}
    for row, listing in zip(rows, listings, strict=True):
        if listing is None:
            continue
        ruling = known.get(_key(listing))
        question = row.question(listed(ruling) if isinstance(ruling, Ruling) else _stand_in(row))
        if question is not None:
            found.setdefault(_key(question), question)
    return tuple(found.values())


def _stand_in(row: _Row) -> tuple[Listed, ...]:
    texts = row.texts
    every = entities_by_rule(texts.reference, texts.hypothesis, texts.language)
    return tuple(Listed(each.text, each.kind, each.importance) for each in every)


def score_intent(score: Score, utterances: Sequence[Utterance], judge: Judging | None = None) -> IntentScore:
    """Intent and entities of a scored pair; `utterances` are the manifest's, parallel to its rows.

    Without a judge an intent counts as kept only where rules are sure of it, a lower bound, labelled so, and the
    entities are those that rules find. What has no majority counts as lost. Utterances that the judge failed on
    have neither score.

    Raises ScoringError where only normalised texts were stored, and JudgeError where nobody can be asked.
    """
    rows = _rows(score, utterances)
    spent = Spending()
    if judge is None:
        made = [_alone(row) for row in rows]
    else:
        before = judge.spending
        made = _all_judged(rows, judge)
        spent = judge.spending - before
    votes = [each for row in made for each in _votes(row) if len(each) > 1]
    return IntentScore(
        judge=RULES if judge is None else judge.model,
        utterances=tuple(made),
        figures=figures_of(made),
        languages=figures_by_language(made),
        lower_bound=judge is None,
        rules_version=INTENT_RULES_VERSION,
        task_version=INTENT_VERSION,
        speakers=score.speakers,
        speakers_note=score.speakers_note,
        spending=spent,
        voted=len(votes),
        unanimous=sum(len(set(each)) == 1 for each in votes),
        undecided=sum(_undecided(each) for each in votes),
    )


def _all_judged(rows: Sequence[_Row], judge: Judging) -> list[IntentUtterance]:
    listings = [row.listing for row in rows]
    found = _asked(judge, listings)
    first = [None if each is None else found[_key(each)] for each in listings]
    questions = [
        row.question(listed(ruling)) if isinstance(ruling, Ruling) else None
        for row, ruling in zip(rows, first, strict=True)
    ]
    answers: Mapping[str, Ruling | Failure] = _asked(judge, questions)
    second = [None if each is None else answers[_key(each)] for each in questions]
    return [
        _judged(row, ruling, answer, judge.model) for row, ruling, answer in zip(rows, first, second, strict=True)
    ]


def _votes(row: IntentUtterance) -> list[tuple[str, ...]]:
    return [row.votes, *(each.votes for each in row.entities)]


def _undecided(votes: Sequence[str]) -> bool:
    """Whether no label, or only that of not being sure, has more than half of the votes."""
    label = max(set(votes), key=votes.count)
    return label == INTENT_TASK.unsure or 2 * votes.count(label) <= len(votes)
