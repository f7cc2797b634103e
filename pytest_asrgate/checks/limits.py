"""What every check needs: a figure against its limit, and the utterances behind a figure."""

from pytest_asrgate.records import Check, CheckStatus, Score

__all__ = ["EQUAL", "Limit", "above", "below", "costliest", "unmeasurable"]

Limit = float | str | None

# Floating point must not decide a figure that equals its limit: 20.000000000000004 is not above 20.
EQUAL = 1e-9


def above(value: float, limit: Limit) -> CheckStatus:
    """FAIL where the value is above its limit, PASS where it is not, REPORTED without a limit."""
    if limit is None:
        return CheckStatus.REPORTED
    return CheckStatus.FAIL if value > float(limit) + EQUAL else CheckStatus.PASS


def below(value: float, limit: Limit) -> CheckStatus:
    """FAIL where the value is below its limit, PASS where it is not, REPORTED without a limit."""
    if limit is None:
        return CheckStatus.REPORTED
    return CheckStatus.FAIL if value < float(limit) - EQUAL else CheckStatus.PASS


def unmeasurable(name: str, limit: Limit, unit: str, why: str) -> Check:
    """A limit that is set but cannot be measured is an error; one that is not set is only reported."""
    status = CheckStatus.REPORTED if limit is None else CheckStatus.ERROR
    return Check(name, None, limit, unit, status, why)


def costliest(score: Score, baseline: Score | None = None) -> tuple[str, ...]:
    """Ids by errors, or by errors added to the baseline's; ids that cost nothing are left out."""
    cost = {}
    for number, row in enumerate(score.utterances):
        if row.counts is None:
            continue
        before = baseline.utterances[number].counts if baseline else None
        if baseline and before is None:
            continue
        cost[row.id] = row.counts.errors - (before.errors if before else 0)
    return tuple(sorted((name for name in cost if cost[name] > 0), key=lambda name: -cost[name]))
