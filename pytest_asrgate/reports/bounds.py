"""Bounds as JSON has them, which knows no infinity."""

import math

from pytest_asrgate.records import Interval

__all__ = ["finite", "finite_interval"]


def finite(value: float | None) -> float | None:
    """The value, None where it is infinite: a bound that excludes nothing."""
    return value if value is not None and math.isfinite(value) else None


def finite_interval(interval: Interval) -> list[float | None]:
    """Both ends."""
    return [finite(interval.low), finite(interval.high)]
