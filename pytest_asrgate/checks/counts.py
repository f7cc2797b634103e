"""Checks on numbers of utterances, absolute and beyond the baseline's number."""

from collections.abc import Callable, Sequence

from pytest_asrgate.checks.limits import Limit, above, unmeasurable
from pytest_asrgate.metrics.masking import MASKED_FIRST
from pytest_asrgate.records import Check, CheckStatus, RowStatus, Score, UtteranceScore

__all__ = ["COUNTERS", "counted", "counted_delta", "touches_value"]

COUNTERS: dict[str, Callable[[UtteranceScore], bool]] = {
    "errors": lambda row: row.status is RowStatus.ERROR,
    "truncated": lambda row: row.status is RowStatus.TRUNCATED,
    "empty": lambda row: row.empty,
    "hallucinations": lambda row: row.hallucination,
    "loops": lambda row: row.loop,
    "masked": lambda row: bool(row.masked),
}

_NORMALISED_BEFORE = "only normalised texts were stored, so what the normaliser hid cannot be known"


def touches_value(row: UtteranceScore) -> bool:
    """Whether what the normaliser hid in a row touches digits, signs, currency, units or negation."""
    return not set(MASKED_FIRST).isdisjoint(row.masked or ())


def _matching(name: str, rows: Sequence[UtteranceScore]) -> tuple[str, ...]:
    found = [row for row in rows if COUNTERS[name](row)]
    if name == "masked":
        found.sort(key=lambda row: not touches_value(row))
    return tuple(row.id for row in found)


def _hidden(rows: Sequence[UtteranceScore]) -> bool:
    return any(row.masked is None for row in rows)


def counted(name: str, score: Score, limit: Limit) -> Check:
    """A number of utterances against an absolute limit; too many error rows are an error, not a failure."""
    if name == "masked" and _hidden(score.utterances):
        return unmeasurable(name, limit, "utterances", _NORMALISED_BEFORE)
    found = _matching(name, score.utterances)
    effective = 0 if name == "errors" and limit is None else limit
    status = above(len(found), effective)
    detail = ""
    if name == "errors" and found:
        first = next(row for row in score.utterances if row.id == found[0])
        detail = f"{first.id}: {first.detail}"
        status = CheckStatus.ERROR if status is CheckStatus.FAIL else status
    if name == "masked" and found:
        touching = sum(touches_value(row) for row in score.utterances)
        detail = f"hidden by the normaliser; {touching} of them touch digits, signs, currency, units or negation"
    return Check(name, len(found), effective, "utterances", status, detail, found)


def counted_delta(name: str, score: Score, baseline: Score, limit: Limit) -> Check:
    """A number of utterances beyond the baseline's number; error rows of either side count for neither."""
    if name == "masked" and _hidden([*score.utterances, *baseline.utterances]):
        return unmeasurable(f"{name}_delta", limit, "utterances", _NORMALISED_BEFORE)
    pairs = list(zip(score.utterances, baseline.utterances, strict=True))
    if name != "errors":
        pairs = [pair for pair in pairs if all(row.counts is not None for row in pair)]
    ours = _matching(name, [after for after, _ in pairs])
    theirs = _matching(name, [before for _, before in pairs])
    value = len(ours) - len(theirs)
    new = tuple(identity for identity in ours if identity not in set(theirs))
    detail = f"{len(ours)} against the baseline's {len(theirs)}"
    return Check(f"{name}_delta", value, limit, "utterances", above(value, limit), detail, new)
