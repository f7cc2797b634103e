"""Calibrations for tests of what is made of them."""

from dataclasses import replace
from typing import Any

from pytest_asrgate.records.calibration import Agreement, Calibration, Replies
from pytest_asrgate.statistics.agreement import agreement_of_counts

__all__ = ["agreement", "calibration", "replies"]


def agreement(agreed: int, n: int = 40) -> Agreement:
    """So many of `n` labels agree, both labels alike: kappa is 2·agreed/n - 1."""
    half, other = agreed // 2, (n - agreed) // 2
    return agreement_of_counts(
        {
            ("same", "same"): half,
            ("error", "error"): agreed - half,
            ("same", "error"): other,
            ("error", "same"): n - agreed - other,
        }
    )


def replies(
    date: str = "2026-01-01T00:00:00Z", *, fresh: int = 40, replayed: int = 0, mode: str = "record"
) -> Replies:
    """So many replies, all of one moment."""
    return Replies(mode, fresh, replayed, date, date)


def calibration(agreed: int = 34, n: int = 40, **given: Any) -> Calibration:
    """A calibration of one judge in English, by replies of its day; `given` are other fields."""
    whole = given.get("whole", agreement(agreed, n))
    entities = given.get("entities", Agreement())
    date = given.get("date", "2026-01-01T00:00:00Z")
    found = Calibration(
        task="semantic",
        model="openai/judge",
        prompt="a" * 64,
        votes=3,
        date="2026-01-01T00:00:00Z",
        labels="b" * 64,
        replies=replies(date),
        whole=whole,
        scored=whole,
        languages={"en": whole},
        classes={"number": whole},
        entities=entities,
        entity_languages={"en": entities} if entities.n else {},
        entities_scored=entities,
    )
    return replace(found, **given)
