"""What was judged of intent and entities: a ruling for each utterance, and figures for each language."""

from dataclasses import dataclass, field
from enum import StrEnum

from pytest_asrgate.records.comparisons import Comparison
from pytest_asrgate.records.judged import Spending
from pytest_asrgate.records.scores import Interval

__all__ = ["Entity", "EntityStatus", "IntentComparison", "IntentFigures", "IntentScore", "IntentUtterance"]


class EntityStatus(StrEnum):
    """What became of an entity of the reference; in the place of a `SUBSTITUTED` one stands another."""

    PRESERVED = "preserved"
    MISSING = "missing"
    SUBSTITUTED = "substituted"


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity of the reference and what became of it.

    `number` counts from 1; `text` is quoted from the reference, and `heard` from the hypothesis, empty for what is
    missing. `kind` is one of the kinds that a judge may name (`intent.listing.KINDS`); `importance` is a weight
    of 1 to 3. `decided_by` is `rule NAME` or `judge MODEL`, `votes` are a judge's labels in the order of its votes.
    """

    number: int
    text: str
    kind: str
    importance: int
    status: EntityStatus
    heard: str = ""
    decided_by: str = ""
    reason: str = ""
    votes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IntentUtterance:
    """One utterance with the full trail of its two scores.

    `kept` says whether the intent is preserved; None for an error row, and where the judge failed: `judge_error`
    is then its sentence, and `entity_score` is None too. `entity_score` is from 0 to 1, and 1 where the reference
    has no entity. `empty_reference` marks a reference without words: its intent is not kept, it has no entity, and
    it is counted apart. `asked` says whether a judge was needed, `warning` what a reader should know.
    """

    id: str
    language: str
    kept: bool | None
    explanation: str = ""
    decided_by: str = ""
    votes: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    entity_score: float | None = None
    entity_explanation: str = ""
    empty_reference: bool = False
    asked: bool = False
    judge_error: str = ""
    warning: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is in the figures: it has a ruling, and a reference with words."""
        return self.kept is not None and not self.empty_reference

    @property
    def intent_loss(self) -> float | None:
        """1 for a lost intent and 0 for a kept one; None for an utterance that is in no figure."""
        return float(not self.kept) if self.counts else None

    @property
    def entity_loss(self) -> float | None:
        """What is lost of the entities, from 0 to 1; None where there are none, and for what is in no figure."""
        if not self.counts or not self.entities or self.entity_score is None:
            return None
        return 1.0 - self.entity_score


@dataclass(frozen=True, slots=True)
class IntentFigures:
    """The figures of one language, or of all (`language` is then empty); rates in percent.

    `kept` of `utterances` is the intent accuracy, with its Wilson 95 % interval. `entity_pct` is the mean entity
    score of the `with_entities` utterances whose reference has an entity, with a bootstrap 95 % interval;
    `without_entities` score 1 each and are counted apart, as are `empty_references`. `failed` is how many have no
    ruling since the judge failed. None where there is nothing to take a figure of.
    """

    language: str
    utterances: int
    kept: int
    interval: Interval | None
    with_entities: int
    without_entities: int
    entity_pct: float | None
    entity_interval: Interval | None
    preserved: int
    missing: int
    substituted: int
    empty_references: int
    failed: int

    @property
    def intent_pct(self) -> float | None:
        """The intent accuracy in percent, None without utterances."""
        return 100.0 * self.kept / self.utterances if self.utterances else None


@dataclass(frozen=True, slots=True)
class IntentScore:
    """Intent and entities of one pair; `speakers` are parallel to `utterances`.

    `lower_bound` says that no judge was asked: what rules could not show to be kept counts as lost, and entities
    are those that rules find. `languages` holds the figures of each language, in the order of their codes;
    `figures` of all. `rules_version` and `task_version` are of the rules, and of what a judge is asked and answers.
    `voted` items (intents and entities) were asked several times, and of these `unanimous` were answered alike each
    time; `undecided` had no majority and count as lost.
    """

    judge: str
    utterances: tuple[IntentUtterance, ...]
    figures: IntentFigures
    languages: tuple[IntentFigures, ...]
    lower_bound: bool
    rules_version: int
    task_version: int
    speakers: tuple[str, ...] | None = None
    speakers_note: str = ""
    spending: Spending = field(default_factory=Spending)
    voted: int = 0
    unanimous: int = 0
    undecided: int = 0

    @property
    def judge_errors(self) -> tuple[IntentUtterance, ...]:
        """The utterances that the judge gave no valid answer for."""
        return tuple(row for row in self.utterances if row.judge_error)


@dataclass(frozen=True, slots=True)
class IntentComparison:
    """Variant against baseline in one language, or in all (`language` is then empty).

    The rates of both comparisons are losses, in percent: utterances whose intent is lost, and the mean of 1 minus
    the entity score over utterances with entities; so a positive difference, in percentage points, is worse. None
    where both sides share no utterance with such a figure.
    """

    language: str
    intent: Comparison | None
    entity: Comparison | None
