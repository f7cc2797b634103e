"""Checks on what a comparison rests on: how many utterances changed at all, and what a few of them weigh."""

from collections.abc import Sequence
from typing import NamedTuple

from pytest_asrgate.checks.counts import share_detail
from pytest_asrgate.checks.limits import Limit, above, unmeasurable
from pytest_asrgate.records import Check, CheckStatus, Score

__all__ = ["Change", "changed", "changes", "leverage"]

# How many utterances `leverage` leaves out, and how many must remain.
_LEFT_OUT = 3
_REMAINING = 2


class Change(NamedTuple):
    """One utterance that both sides scored: the errors that the variant added, and whether its text differs."""

    id: str
    added: int
    words: int
    differs: bool


def changes(score: Score, baseline: Score) -> list[Change]:
    """Every utterance that both sides scored, those with most added errors first."""
    found = [
        Change(
            after.id,
            after.counts.errors - before.counts.errors,
            after.counts.words,
            after.hypothesis != before.hypothesis,
        )
        for after, before in zip(score.utterances, baseline.utterances, strict=True)
        if after.counts is not None and before.counts is not None
    ]
    found.sort(key=lambda change: -change.added)
    return found


def changed(made: Sequence[Change], limit: Limit) -> Check:
    """The share, in percent, of utterances whose normalised text differs from the baseline's.

    Over the utterances that both sides scored, as `changes` gives them; names them in their order.
    """
    if not made:
        return unmeasurable("changed", limit, "%", "no utterance has a score on both sides")
    found = tuple(change.id for change in made if change.differs)
    value = 100.0 * len(found) / len(made)
    detail, bound = share_detail(len(found), len(made))
    return Check("changed", value, limit, "%", above(value, limit), detail, found, bound)


def _delta_pp(made: Sequence[Change]) -> float | None:
    words = sum(change.words for change in made)
    return 100.0 * sum(change.added for change in made) / words if words else None


def leverage(made: Sequence[Change]) -> Check:
    """The delta, in percentage points, without the three utterances that added most errors: reported, no limit.

    Their words leave the denominator too. Utterances that added none stay, so that fewer than three may go. Not
    measured where fewer than five utterances are scored on both sides, or where what remains has no words.
    """
    if len(made) < _LEFT_OUT + _REMAINING:
        why = f"fewer than {_LEFT_OUT + _REMAINING} utterances have a score on both sides"
        return unmeasurable("leverage", None, "pp", why)
    costly = [change for change in made[:_LEFT_OUT] if change.added > 0]
    whole, trimmed = _delta_pp(made), _delta_pp(made[len(costly) :])
    if whole is None or trimmed is None:
        why = "there are no reference words" + (" without the costliest utterances" if costly else "")
        return unmeasurable("leverage", None, "pp", why)
    if costly:
        which = "utterance" if len(costly) == 1 else f"{len(costly)} utterances"
        detail = f"{whole:+.2f} pp; without its costliest {which} {trimmed:+.2f} pp"
    else:
        detail = f"{whole:+.2f} pp; no utterance added errors"
    ids = tuple(change.id for change in costly)
    return Check("leverage", trimmed, None, "pp", CheckStatus.REPORTED, detail, ids)
