"""The judged score of a pair as plain JSON values."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TypedDict, cast

from pytest_asrgate.records import Verdict
from pytest_asrgate.records.judged import SemanticScore, Spending
from pytest_asrgate.reports.bounds import finite, finite_interval
from pytest_asrgate.reports.trail import TrailEntry, trails

__all__ = [
    "SemanticEntry",
    "SemanticFigures",
    "SpendingEntry",
    "semantic_entry",
    "semantic_figures",
    "spending_entry",
    "spent_on",
]


# In the place of who decided, where nobody did since the judge failed.
_UNDECIDED = "judge error"


class SpendingEntry(TypedDict):
    """What a judge cost; `cost_usd` is in US dollars, null where the price of a call is not known."""

    calls: int
    replayed: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class SemanticFigures(TypedDict):
    """The semantic word error rate of one set of texts; rates in percent.

    `decided_by` has the number of differences by who decided them, `judge_failure` the sentence of the first judge
    error.
    """

    judge: str
    rules_version: int
    task_version: int
    upper_bound: bool
    n: int
    words: int
    rate_pct: float | None
    ci_pct: list[float] | None
    substitutions: int
    deletions: int
    insertions: int
    spending: SpendingEntry
    asked: int
    decided_by: dict[str, int]
    voted: int
    unanimous: int
    undecided: int
    judge_errors: list[str]
    judge_failure: str


class SemanticEntry(SemanticFigures):
    """The semantic word error rate of a pair; rates in percent, differences in percentage points.

    `baseline_spending` is what judging the baseline's texts for this very pair cost, null without a baseline.
    `utterances` leaves out those whose normalised texts are equal.
    """

    delta_pp: float | None
    delta_ci_pp: list[float | None] | None
    upper95_pp: float | None
    lower95_pp: float | None
    baseline_spending: SpendingEntry | None
    utterances: list[TrailEntry]


def spending_entry(spending: Spending) -> SpendingEntry:
    """What was spent as JSON values."""
    # The keys are the fields' names, which a test compares.
    return cast("SpendingEntry", asdict(spending))


def _added(every: Sequence[SpendingEntry]) -> SpendingEntry:
    prices = [each["cost_usd"] for each in every]
    known = [price for price in prices if price is not None]
    return SpendingEntry(
        calls=sum(each["calls"] for each in every),
        replayed=sum(each["replayed"] for each in every),
        prompt_tokens=sum(each["prompt_tokens"] for each in every),
        completion_tokens=sum(each["completion_tokens"] for each in every),
        cost_usd=sum(known) if len(known) == len(prices) else None,
    )


def spent_on(
    judged: Iterable[tuple[str, str | None, str, SpendingEntry, SpendingEntry | None]],
) -> SpendingEntry:
    """What all pairs cost, and once each baseline that is no item of the run and tells nothing itself.

    Of each pair: variant, baseline, data set, what it cost, and what its baseline did.
    """
    rows = list(judged)
    items = {(variant, dataset) for variant, _, dataset, _, _ in rows}
    beside: dict[tuple[str | None, str], SpendingEntry] = {}
    for _, baseline, dataset, _, before in rows:
        if before is not None and (baseline, dataset) not in items:
            beside.setdefault((baseline, dataset), before)
    return _added([*(spent for _, _, _, spent, _ in rows), *beside.values()])


def semantic_figures(score: SemanticScore) -> SemanticFigures:
    """The figures of a judged score as JSON values."""
    counts, ci, failed = score.counts, score.interval, score.judge_errors
    deciders = Counter(each.decided_by or _UNDECIDED for row in score.utterances for each in row.differences)
    return SemanticFigures(
        judge=score.judge,
        rules_version=score.rules_version,
        task_version=score.task_version,
        upper_bound=score.upper_bound,
        n=len(score.utterances),
        words=counts.words,
        rate_pct=counts.rate_pct,
        ci_pct=[ci.low, ci.high] if ci else None,
        substitutions=counts.substitutions,
        deletions=counts.deletions,
        insertions=counts.insertions,
        spending=spending_entry(score.spending),
        asked=sum(row.asked for row in score.utterances),
        decided_by=dict(deciders.most_common()),
        voted=score.voted,
        unanimous=score.unanimous,
        undecided=score.undecided,
        judge_errors=[row.id for row in failed],
        judge_failure=failed[0].judge_error if failed else "",
    )


def semantic_entry(verdict: Verdict, *, with_utterances: bool) -> SemanticEntry | None:
    """The judged score of a pair as JSON values, None where it has none; trails only `with_utterances`."""
    score, baseline, compared = verdict.semantic, verdict.semantic_baseline, verdict.semantic_comparison
    if score is None:
        return None
    return {
        **semantic_figures(score),
        "delta_pp": compared.delta_pp if compared else None,
        "delta_ci_pp": finite_interval(compared.interval) if compared else None,
        "upper95_pp": finite(compared.upper95) if compared else None,
        "lower95_pp": finite(compared.lower95) if compared else None,
        "baseline_spending": spending_entry(baseline.spending) if baseline else None,
        "utterances": trails(score) if with_utterances else [],
    }
