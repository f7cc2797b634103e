"""Checks on numbers of utterances, absolute and beyond the baseline's number."""

import math
from collections.abc import Callable, Sequence

from pytest_asrgate.checks.limits import Limit, above, unmeasurable
from pytest_asrgate.metrics.masking import MASKED_FIRST
from pytest_asrgate.records import Check, CheckStatus, RowStatus, Score, UtteranceScore
from pytest_asrgate.statistics import binomial_upper
from pytest_asrgate.values import named

__all__ = ["COUNTERS", "counted", "counted_delta", "share_detail", "touches_value"]

# Whether an utterance of a score is one of the counted ones.
COUNTERS: dict[str, Callable[[Score, UtteranceScore], bool]] = {
    "errors": lambda _, row: row.status is RowStatus.ERROR,
    "truncated": lambda _, row: row.status is RowStatus.TRUNCATED,
    "empty": lambda _, row: row.empty,
    "hallucinations": lambda _, row: row.hallucination,
    "loops": lambda _, row: row.loop,
    "language_drift": lambda _, row: row.drift,
    "catastrophic": lambda score, row: score.catastrophic(row),
    "masked": lambda _, row: bool(row.masked),
}


def _any(_: UtteranceScore) -> bool:
    return True


def _scored(row: UtteranceScore) -> bool:
    return row.counts is not None


def _spoken(row: UtteranceScore) -> bool:
    return row.counts is not None and not row.null_reference


def _silent(row: UtteranceScore) -> bool:
    return row.counts is not None and row.null_reference


# Which utterances could have shown it, and what they are called where there are none.
_ABLE: dict[str, tuple[Callable[[UtteranceScore], bool], str]] = {
    "errors": (_any, "utterances"),
    "empty": (_spoken, "scored utterances with reference words"),
    "catastrophic": (_spoken, "scored utterances with reference words"),
    "hallucinations": (_silent, "scored null references"),
}
_ANY_SCORED = (_scored, "scored utterances")

_NORMALISED_BEFORE = "only normalised texts were stored, so what the normaliser hid cannot be known"


def touches_value(row: UtteranceScore) -> bool:
    """Whether what the normaliser hid in a row touches digits, signs, currency, units or negation."""
    return not set(MASKED_FIRST).isdisjoint(row.masked or ())


def _percent(value: float) -> str:
    """Two decimals, and below 0.1 as many as show two figures: a bound is never printed as zero."""
    return f"{value:.{max(2, 1 - math.floor(math.log10(value)))}f}"


def share_detail(count: int, total: int, whom: str = "utterances") -> tuple[str, float | None]:
    """What a count says of the rate behind it: a sentence, and the one-sided 95 % upper bound in percent."""
    bound = binomial_upper(count, total)
    if bound is None:
        return f"there are no {whom}", None
    edge = "at most" if count == total else "below"
    return f"{count:,} of {total:,}: {edge} {_percent(bound)} %", bound


def _matching(name: str, score: Score, rows: Sequence[UtteranceScore]) -> list[UtteranceScore]:
    """The rows that are counted, costliest first; what the normaliser hid costs nothing, so values lead there."""
    counts = COUNTERS[name]
    found = [row for row in rows if counts(score, row)]
    if name == "masked":
        return sorted(found, key=lambda row: not touches_value(row))
    return sorted(found, key=lambda row: -row.counts.errors if row.counts else 0)


def _ids(rows: Sequence[UtteranceScore]) -> tuple[str, ...]:
    return tuple(row.id for row in rows)


def _hidden(rows: Sequence[UtteranceScore]) -> bool:
    return any(row.masked is None for row in rows)


def _limit_of_one(name: str, score: Score) -> str:
    """What counts as catastrophic, which a dataset may set; nothing for the others."""
    return f"own {score.metric.upper()} above {score.catastrophic_rate:g} %" if name == "catastrophic" else ""


def counted(name: str, score: Score, limit: Limit) -> Check:
    """A number of utterances against an absolute limit; too many error rows are an error, not a failure.

    The detail says what the number allows at most of the rate behind it: the exact one-sided 95 % bound over the
    utterances that could have shown it.
    """
    if name == "masked" and _hidden(score.utterances):
        return unmeasurable(name, limit, "utterances", _NORMALISED_BEFORE)
    found = _matching(name, score, score.utterances)
    able, whom = _ABLE.get(name, _ANY_SCORED)
    share, bound = share_detail(len(found), sum(map(able, score.utterances)), whom)
    effective = 0 if name == "errors" and limit is None else limit
    status = above(len(found), effective)
    before = _limit_of_one(name, score)
    if name == "errors" and found:
        before = f"{found[0].id}: {found[0].detail}"
        status = CheckStatus.ERROR if status is CheckStatus.FAIL else status
    if name == "masked" and found:
        touching = sum(map(touches_value, found))
        before = f"hidden by the normaliser; {touching} of them touch digits, signs, currency, units or negation"
    detail = f"{before}; {share}" if before else share
    if status is CheckStatus.FAIL:
        detail += f": {named(_ids(found))}"
    return Check(name, len(found), effective, "utterances", status, detail, _ids(found), bound)


def counted_delta(name: str, score: Score, baseline: Score, limit: Limit) -> Check:
    """A number of utterances beyond the baseline's number; error rows of either side count for neither."""
    if name == "masked" and _hidden([*score.utterances, *baseline.utterances]):
        return unmeasurable(f"{name}_delta", limit, "utterances", _NORMALISED_BEFORE)
    ours, theirs = (_ids(_matching(name, side, side.utterances)) for side in (score, baseline))
    if name != "errors" and (ours or theirs):
        lost = {row.id for side in (score, baseline) for row in side.utterances if row.counts is None}
        ours, theirs = (tuple(each for each in ids if each not in lost) for ids in (ours, theirs))
    value = len(ours) - len(theirs)
    known = set(theirs)
    new = tuple(identity for identity in ours if identity not in known)
    rule = _limit_of_one(name, score)
    detail = (f"{rule}; " if rule else "") + f"{len(ours)} against the baseline's {len(theirs)}"
    status = above(value, limit)
    if status is CheckStatus.FAIL:
        detail += f"; new: {named(new)}"
    return Check(f"{name}_delta", value, limit, "utterances", status, detail, new)
