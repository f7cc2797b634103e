"""Calibrations for tests of what is made of them."""

from dataclasses import replace
from typing import Any

from pytest_asrgate.records.calibration import Agreement, Calibration
from pytest_asrgate.statistics.agreement import agreement_of_counts

__all__ = ["agreement", "calibration"]


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


def calibration(agreed: int = 34, n: int = 40, **given: Any) -> Calibration:
    """A calibration of one judge in English; `given` are other fields."""
    whole = agreement(agreed, n)
    found = Calibration(
        task="semantic",
        model="openai/judge",
        prompt="a" * 64,
        votes=3,
        date="2026-01-01T00:00:00Z",
        labels="b" * 64,
        whole=whole,
        languages={"en": whole},
        classes={"number": whole},
    )
    return replace(found, **given)
