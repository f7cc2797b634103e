"""Axes: from values to places in a drawing, with round ticks."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Scale", "Tick", "amount", "range_of", "within_reach"]

_FACTORS = (1.0, 2.0, 5.0, 10.0)
# Room beside the outermost values, in parts of their range.
_PADDING = 0.06
# From here on a label would be longer than any figure that is measured.
_LONG = 1e15


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick in the units of the drawing, with what is written at it."""

    place: float
    label: str


def amount(value: float, *, signed: bool = False) -> str:
    """A limit as people write it: `2`, `0.05`, `+2`."""
    return f"{value:+.6g}" if signed and value else f"{value:.6g}"


def _multiples(low: float, high: float, step: float) -> range:
    """Which multiples of the step lie in the range, give or take a rounding error."""
    return range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)


def _label(value: float, decimals: int, *, signed: bool) -> str:
    if value == 0 or abs(value) >= _LONG:
        return f"{value:.17g}"
    return f"{value:+,.{decimals}f}" if signed else f"{value:,.{decimals}f}"


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from `low` to `high`, drawn from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Where a value is drawn; what lies outside, or is infinite, at the edge."""
        inside = min(max(value, self.low), self.high)
        return round(self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start), 2)

    def ticks(self, most: int, *, signed: bool = False) -> tuple[Tick, ...]:
        """At most so many ticks, at multiples of 1, 2 or 5 times a power of ten, no two with one label."""
        raw = (self.high - self.low) / most
        power = math.floor(math.log10(raw))
        for factor in (*_FACTORS, 20.0):
            step = factor * 10.0**power
            numbers = _multiples(self.low, self.high, step)
            if len(numbers) <= most:
                break
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        values = [round(number * step, decimals) + 0.0 for number in numbers]
        return tuple(Tick(self.place(value), _label(value, decimals, signed=signed)) for value in values)


def within_reach(limit: float, values: Iterable[float], reach: float) -> bool:
    """Whether an axis that shows a limit, too, still shows the values: it grows no more than `reach` times."""
    found = list(values)
    low, high = min(found), max(found)
    span = high - low or max(1.0, abs(high) / 10)
    return max(high, limit) - min(low, limit) <= reach * span


def range_of(
    values: Iterable[float], *, floor: float | None = None, ceiling: float | None = None
) -> tuple[float, float]:
    """Both ends of an axis over these finite values, never equal; it starts at the floor where that is near."""
    found = list(values)
    low, high = min(found), max(found)
    span = high - low
    if span <= 1e-9 * max(abs(low), abs(high), 1e-9):
        # One value: the axis shows its neighbourhood.
        span = max(abs(high) / 5, 1.0)
        low, high = low - span / 2, high + span / 2
    low, high = low - _PADDING * span, high + _PADDING * span
    if floor is not None and low < floor + high - low:
        low = floor
    return low, high if ceiling is None else min(high, ceiling)
