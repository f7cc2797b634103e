"""Human labels held against a judge's: the judge is asked as a gate would ask it, and nothing else is compared."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from pytest_asrgate.calibrated import prompt_of
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.labels import LabelledRow, Labels
from pytest_asrgate.judge.judging import Judging
from pytest_asrgate.judge.task import Question
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import (
    Difference,
    EntityStatus,
    Hypothesis,
    HypothesisSet,
    IntentUtterance,
    Label,
    Score,
    SemanticUtterance,
    Spending,
    Utterance,
)
from pytest_asrgate.records.calibration import (
    NOT_LISTED,
    Agreement,
    Calibration,
    CalibrationRun,
    Disagreement,
    Replies,
)
from pytest_asrgate.scoring import score_set
from pytest_asrgate.statistics.agreement import agreement_of
from pytest_asrgate.values import plural, shown

__all__ = ["CalibratedJudge", "calibrate", "calibration_questions"]


class CalibratedJudge(Judging, Protocol):
    """Who answers questions and knows under which names servers answered, and when."""

    @property
    def served(self) -> tuple[str, ...]:
        """The names that servers gave the model, in order."""

    @property
    def replies(self) -> Replies:
        """How the replies came, and when."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """One human label and what stands against it; `asked` says that it is the judge's own, `scored` what counts."""

    said: Disagreement
    asked: bool
    scored: str
    undecided: bool = False
    entity: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """The rows of one language, scored, so that they can be judged."""

    rows: tuple[LabelledRow, ...]
    score: Score
    utterances: tuple[Utterance, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """What came of one part."""

    compared: tuple[_Compared, ...]
    failures: tuple[tuple[str, str], ...]
    spending: Spending


def _parts(labels: Labels) -> list[_Part]:
    """Each language by itself: one rule need not fit them all."""
    by_language: dict[str, list[LabelledRow]] = {}
    for row in labels.rows:
        by_language.setdefault(row.language, []).append(row)
    return [_part(labels.path, language, rows) for language, rows in by_language.items()]


def _part(path: Path, language: str, rows: Sequence[LabelledRow]) -> _Part:
    utterances = tuple(
        Utterance(id=row.id, audio=Path(), reference=row.reference, language=row.language, context=row.context)
        for row in rows
    )
    made = HypothesisSet(
        variant=path.name,
        dataset="",
        hypotheses=tuple(Hypothesis(row.id, row.hypothesis) for row in rows),
        contract={"language": language},
        provenance={},
    )
    return _Part(tuple(rows), score_set(made, utterances, scoring_rule([language])), utterances)


def _listed(differences: Sequence[Difference]) -> str:
    texts = (f'{one.number}. "{one.reference}" → "{one.hypothesis}"' for one in differences)
    return ", ".join(texts) or "no difference"


def _check_numbers(part: _Part) -> None:
    """Raise DatasetError where a row has not one label for each difference; nobody is asked for it."""
    from pytest_asrgate.semantic.score import score_semantics  # noqa: PLC0415 - intent needs none

    for row, judged in zip(part.rows, score_semantics(part.score, part.utterances).utterances, strict=True):
        if len(row.labels) != len(judged.differences):
            raise DatasetError(
                f"{row.place}: has {plural(len(row.labels), 'label')}, and the texts have "
                f"{plural(len(judged.differences), 'difference')}: {_listed(judged.differences)}; give one label "
                "for each, in this order"
            )


def _is_same(one: str, other: str) -> bool:
    """Whether two texts name the same entity: case, digits and signs at the edges tell nothing apart."""
    from pytest_asrgate.intent.reading import holds  # noqa: PLC0415 - as above

    return holds(one, other) and holds(other, one)


def _check_entities(part: _Part) -> None:
    """Raise DatasetError for a labelled entity that the reference does not have, or that is labelled twice."""
    from pytest_asrgate.intent.reading import holds  # noqa: PLC0415 - as above

    for row in part.rows:
        known: list[str] = []
        for text, _ in row.entities:
            if not holds(text, row.reference):
                raise DatasetError(
                    f"{row.place}: the entity {shown(text)} does not stand in the reference; quote it from there"
                )
            twice = next((each for each in known if _is_same(each, text)), None)
            if twice is not None:
                raise DatasetError(
                    f"{row.place}: the entity {shown(text)} is labelled twice, as {shown(twice)} too"
                )
            known.append(text)


def _checked_parts(labels: Labels, task: str) -> list[_Part]:
    """The parts of a file whose labels fit their texts; nobody is asked for it."""
    parts = _parts(labels)
    for part in parts:
        (_check_numbers if task == "semantic" else _check_entities)(part)
    return parts


def _won(votes: Sequence[str]) -> str:
    """The label of more than half of the votes; empty without one."""
    label, count = Counter(votes).most_common(1)[0] if votes else ("", 0)
    return label if 2 * count > len(votes) else ""


def _kind(difference: Difference) -> str:
    """What a difference without a class of its own is counted as: what is most easily judged wrong goes first."""
    from pytest_asrgate.semantic.forms import NEGATIONS  # noqa: PLC0415 - as above
    from pytest_asrgate.semantic.number_words import NUMBER_WORDS  # noqa: PLC0415 - as above

    words = [*difference.reference.split(), *difference.hypothesis.split()]
    if any(word in NEGATIONS for word in words):
        return "negation"
    if any(word in NUMBER_WORDS or any(map(str.isdigit, word)) for word in words):
        return "number"
    if difference.reference and difference.hypothesis:
        return "substitution"
    return "deletion" if difference.reference else "insertion"


def _differences(row: LabelledRow, judged: SemanticUtterance) -> Iterator[_Compared]:
    for place, (human, one) in enumerate(zip(row.labels, judged.differences, strict=True)):
        asked = bool(one.votes)
        said = Disagreement(
            id=row.id,
            language=row.language,
            group=row.classes[place] if row.classes else row.group or _kind(one),
            about=f'{one.number}. "{one.reference}" → "{one.hypothesis}"',
            human=human,
            judge=str(one.label),
            decided_by=one.decided_by,
            reason=one.reason,
        )
        yield _Compared(said, asked, said.judge, asked and _won(one.votes) not in set(Label))


def _intent(row: LabelledRow, judged: IntentUtterance) -> _Compared:
    """The judge's own word where it was asked, also where our comparison of exact data had the last one.

    Else the judge would be compared on just those rows that it was not corrected on.
    """
    words = {True: "kept", False: "lost"}
    won, asked = _won(judged.votes), bool(judged.votes)
    said = Disagreement(
        id=row.id,
        language=row.language,
        group=row.group,
        about="intent",
        human=words[row.kept],
        judge=words[won == "kept" if asked else bool(judged.kept)],
        decided_by=judged.decided_by,
        reason=judged.explanation,
    )
    return _Compared(said, asked, words[bool(judged.kept)], asked and won not in set(words.values()))


def _entity(row: LabelledRow, text: str, human: EntityStatus, judged: IntentUtterance, model: str) -> _Compared:
    """What people and judge say of one entity; what the judge did not list is in no score, and a disagreement."""
    entity = next((each for each in judged.entities if _is_same(each.text, text)), None)
    said = Disagreement(
        id=row.id,
        language=row.language,
        group=row.group,
        about=f'entity "{text}"',
        human=str(human),
        judge=NOT_LISTED,
        decided_by=f"judge {model}",
        reason="",
    )
    if entity is None:
        # The judge is asked for the entities of each reference that has words, also where rules decide the rest.
        return _Compared(said, not judged.empty_reference, NOT_LISTED, entity=True)
    won, asked = _won(entity.votes), bool(entity.votes)
    decided = won in set(EntityStatus)
    # What has no majority counts as missing in the score.
    own = won if decided else str(EntityStatus.MISSING)
    said = replace(
        said,
        judge=own if asked else str(entity.status),
        decided_by=entity.decided_by,
        reason=entity.reason,
    )
    return _Compared(said, asked, str(entity.status), undecided=asked and not decided, entity=True)


def _semantic_part(part: _Part, judge: Judging) -> _Found:
    from pytest_asrgate.semantic.score import score_semantics  # noqa: PLC0415 - as above

    score = score_semantics(part.score, part.utterances, judge)
    compared: list[_Compared] = []
    for row, judged in zip(part.rows, score.utterances, strict=True):
        if not judged.judge_error:
            compared += _differences(row, judged)
    return _Found(tuple(compared), _failures(score.judge_errors), score.spending)


def _intent_part(part: _Part, judge: Judging) -> _Found:
    from pytest_asrgate.intent.score import score_intent  # noqa: PLC0415 - as above

    score = score_intent(part.score, part.utterances, judge)
    compared: list[_Compared] = []
    for row, judged in zip(part.rows, score.utterances, strict=True):
        if judged.judge_error:
            continue
        compared.append(_intent(row, judged))
        compared += [_entity(row, text, human, judged, judge.model) for text, human in row.entities]
    return _Found(tuple(compared), _failures(score.judge_errors), score.spending)


def _failures(rows: Iterable[SemanticUtterance] | Iterable[IntentUtterance]) -> tuple[tuple[str, str], ...]:
    return tuple((row.id, row.judge_error) for row in rows)


def _pairs(compared: Iterable[_Compared]) -> Agreement:
    return agreement_of((each.said.human, each.said.judge) for each in compared)


def _as_scored(compared: Iterable[_Compared]) -> Agreement:
    return agreement_of((each.said.human, each.scored) for each in compared)


def _grouped(compared: Sequence[_Compared], field: str) -> Mapping[str, Agreement]:
    names = sorted({getattr(each.said, field) for each in compared} - {""})
    return {name: _pairs(each for each in compared if getattr(each.said, field) == name) for name in names}


def calibration_questions(labels: Labels, task: str, replayed: Judging | None = None) -> tuple[Question, ...]:
    """The different questions that calibrating would ask, for an estimate; errors as for `calibrate`.

    `replayed` is a judge that only replays; it knows entities that were listed before.
    """
    parts = _checked_parts(labels, task)
    if task == "semantic":
        from pytest_asrgate.semantic.score import questions_of  # noqa: PLC0415 - as above

        return tuple(question for part in parts for question in questions_of(part.score, part.utterances))
    from pytest_asrgate.intent.score import questions_of as intent_questions  # noqa: PLC0415 - as above

    return tuple(question for part in parts for question in intent_questions(part.score, part.utterances, replayed))


def calibrate(labels: Labels, task: str, judge: CalibratedJudge, *, votes: int) -> CalibrationRun:
    """Ask a judge, for "semantic" or "intent", about what people labelled, and compare.

    Labels are compared as the score counts them: what is unsure or has no majority is an error, a lost intent or a
    missing entity. Agreement is over what the judge was asked about; what rules decided stands apart. Rows that the
    judge failed on are in no figure, and named.

    Raises DatasetError where a row has not one label for each difference, or labels an entity twice or one that its
    reference does not have, before anybody is asked; ScoringError where the texts cannot be judged, and JudgeError
    where nobody can be asked.
    """
    parts = _checked_parts(labels, task)
    found = [_semantic_part(part, judge) if task == "semantic" else _intent_part(part, judge) for part in parts]
    compared = [each for part in found for each in part.compared]
    asked = [each for each in compared if each.asked and not each.entity]
    entities = [each for each in compared if each.asked and each.entity]
    by_rules = [each for each in compared if not each.asked]
    calibration = Calibration(
        task=task,
        model=judge.model,
        prompt=prompt_of(task),
        votes=votes,
        date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        labels=labels.sha256,
        replies=judge.replies,
        whole=_pairs(asked),
        scored=_as_scored(asked),
        languages=_grouped(asked, "language"),
        classes=_grouped(asked, "group"),
        by_rules=_pairs(each for each in by_rules if not each.entity),
        entities=_pairs(entities),
        entity_languages=_grouped(entities, "language"),
        entities_scored=_as_scored(entities),
        entities_by_rules=_pairs(each for each in by_rules if each.entity),
        undecided=sum(each.undecided for each in compared),
        served=judge.served,
    )
    order = {row.id: place for place, row in enumerate(labels.rows)}
    differing = [each.said for each in compared if each.said.human != each.said.judge]
    failures = [failure for part in found for failure in part.failures]
    return CalibrationRun(
        calibration,
        rows=len(labels.rows),
        disagreements=tuple(sorted(differing, key=lambda said: order[said.id])),
        failures=tuple(sorted(failures, key=lambda failure: order[failure[0]])),
        spending=sum((part.spending for part in found), Spending()),
    )
