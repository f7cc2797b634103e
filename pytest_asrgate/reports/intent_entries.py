"""The intent and entity scores of a pair as plain JSON values."""

from collections import Counter
from typing import TypedDict

from pytest_asrgate.records import Comparison, IntentComparison, IntentFigures, IntentScore, Interval, Verdict
from pytest_asrgate.reports.bounds import finite, finite_interval
from pytest_asrgate.reports.intent_trail import IntentTrailEntry, intent_trails
from pytest_asrgate.reports.judged_entries import SpendingEntry, spending_entry

__all__ = [
    "FiguresEntry",
    "IntentEntry",
    "IntentHead",
    "IntentWork",
    "LossEntry",
    "PairFiguresEntry",
    "intent_entry",
    "intent_figures",
]

# In the place of who decided, where nobody did.
_UNDECIDED = "judge error"
_LOST = "error row"
_NOBODY = "nobody"


class FiguresEntry(TypedDict):
    """The figures of one language, or of all where `language` is empty; rates in percent.

    Empty references, and utterances that the judge failed on, are not among `utterances`.
    """

    language: str
    utterances: int
    kept: int
    intent_pct: float | None
    intent_ci_pct: list[float] | None
    with_entities: int
    without_entities: int
    entity_pct: float | None
    entity_ci_pct: list[float] | None
    preserved: int
    missing: int
    substituted: int
    empty_references: int
    failed: int


class LossEntry(TypedDict):
    """What is lost against the baseline, in percentage points; a bound that excludes nothing is null."""

    loss_pp: float
    ci_pp: list[float | None]
    lower95_pp: float | None
    upper95_pp: float | None
    resolvable_pp: float | None
    utterances: int
    left_out: int


class PairFiguresEntry(FiguresEntry):
    """Figures with what is lost against the baseline, null without a comparison."""

    intent_loss: LossEntry | None
    entity_loss: LossEntry | None


class IntentWork(TypedDict):
    """Who judged `n` utterances, how, and what it cost.

    `lower_bound` says that nobody was asked: the figures of the intent are lower bounds then, those of the entities
    are over what rules find, and no bound.
    `decided_by` has the number of intents by who decided them, `entities_decided_by` that of entities;
    `judge_failure` is the sentence of the first judge error.
    """

    judge: str
    rules_version: int
    task_version: int
    lower_bound: bool
    n: int
    spending: SpendingEntry
    asked: int
    decided_by: dict[str, int]
    entities_decided_by: dict[str, int]
    voted: int
    unanimous: int
    undecided: int
    judge_errors: list[str]
    judge_failure: str


class IntentHead(IntentWork):
    """The intent and entity scores of one set of texts, of all utterances and of each language."""

    figures: FiguresEntry
    languages: list[FiguresEntry]


class IntentEntry(IntentWork):
    """The intent and entity scores of a pair.

    `baseline_spending` is what judging the baseline's texts for this very pair cost, null without a baseline.
    `utterances` leaves out those of which rules saw that all is kept.
    """

    figures: PairFiguresEntry
    languages: list[PairFiguresEntry]
    baseline_spending: SpendingEntry | None
    utterances: list[IntentTrailEntry]


def _interval(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def _figures(found: IntentFigures) -> FiguresEntry:
    return FiguresEntry(
        language=found.language,
        utterances=found.utterances,
        kept=found.kept,
        intent_pct=found.intent_pct,
        intent_ci_pct=_interval(found.interval),
        with_entities=found.with_entities,
        without_entities=found.without_entities,
        entity_pct=found.entity_pct,
        entity_ci_pct=_interval(found.entity_interval),
        preserved=found.preserved,
        missing=found.missing,
        substituted=found.substituted,
        empty_references=found.empty_references,
        failed=found.failed,
    )


def _loss(compared: Comparison | None) -> LossEntry | None:
    if compared is None:
        return None
    return LossEntry(
        loss_pp=compared.delta_pp,
        ci_pp=finite_interval(compared.interval),
        lower95_pp=finite(compared.lower95),
        upper95_pp=finite(compared.upper95),
        resolvable_pp=finite(compared.resolution.margin_pp),
        utterances=compared.utterances,
        left_out=compared.left_out,
    )


def _pair_figures(found: IntentFigures, compared: IntentComparison | None) -> PairFiguresEntry:
    return {
        **_figures(found),
        "intent_loss": _loss(compared.intent) if compared else None,
        "entity_loss": _loss(compared.entity) if compared else None,
    }


def _work(score: IntentScore) -> IntentWork:
    failed = score.judge_errors
    every = [(row.decided_by, row) for row in score.utterances]
    intents = Counter(who or (_UNDECIDED if row.judge_error else _LOST) for who, row in every)
    entities = Counter(each.decided_by or _NOBODY for row in score.utterances for each in row.entities)
    return IntentWork(
        judge=score.judge,
        rules_version=score.rules_version,
        task_version=score.task_version,
        lower_bound=score.lower_bound,
        n=len(score.utterances),
        spending=spending_entry(score.spending),
        asked=sum(row.asked for row in score.utterances),
        decided_by=dict(intents.most_common()),
        entities_decided_by=dict(entities.most_common()),
        voted=score.voted,
        unanimous=score.unanimous,
        undecided=score.undecided,
        judge_errors=[row.id for row in failed],
        judge_failure=failed[0].judge_error if failed else "",
    )


def intent_figures(score: IntentScore) -> IntentHead:
    """Who judged, and the figures of all utterances and of each language, as JSON values."""
    return {
        **_work(score),
        "figures": _figures(score.figures),
        "languages": [_figures(each) for each in score.languages],
    }


def intent_entry(verdict: Verdict, *, with_utterances: bool) -> IntentEntry | None:
    """The intent and entity scores of a pair as JSON values, None where it has none; trails `with_utterances`."""
    score, baseline = verdict.intent, verdict.intent_baseline
    if score is None:
        return None
    compared = {each.language: each for each in verdict.intent_comparisons}
    if len(score.languages) == 1 and "" in compared:
        # The only language is all that was compared.
        compared.setdefault(score.languages[0].language, compared[""])
    return {
        **_work(score),
        "figures": _pair_figures(score.figures, compared.get("")),
        "languages": [_pair_figures(each, compared.get(each.language)) for each in score.languages],
        "baseline_spending": spending_entry(baseline.spending) if baseline else None,
        "utterances": intent_trails(score) if with_utterances else [],
    }
