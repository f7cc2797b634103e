"""What the plots show, in words: for screen readers, and for who points at a row."""

import math
from collections.abc import Collection

from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.page.fitting import isolated, shown_name
from pytest_asrgate.reports.page.measures import Measure, Reading

__all__ = ["change_name", "delta_words", "rate_words"]

_NAME_ON_AXIS = 110.0


def _who(reading: Reading) -> str:
    return f"{isolated(plain(reading.variant))} ({reading.word})"


def _pp(value: float) -> str:
    if math.isinf(value):
        return "no bound"
    return f"{value:+.2f}"


def change_name(measure: Measure, name: str, baselines: Collection[str]) -> str:
    """What the axis of the differences is called, with its unit."""
    whom = shown_name(next(iter(baselines)), _NAME_ON_AXIS) if len(baselines) == 1 else "the baseline"
    return measure.change.format(name, whom) + ", pp"


def rate_words(reading: Reading) -> str:
    """A sentence on a rate with its interval."""
    if reading.rate is None:
        return f"{_who(reading)}: no rate."
    said = f"{_who(reading)}: {reading.rate:.2f} %"
    if reading.interval:
        said += f", 95 % interval {reading.interval[0]:.2f} to {reading.interval[1]:.2f} %"
    return said + "."


def delta_words(reading: Reading) -> str:
    """A sentence on a difference with its interval and the bounds that decide."""
    if reading.delta is None:
        return f"{_who(reading)}: not compared."
    said = f"{_who(reading)}: {reading.delta:+.2f} pp"
    if reading.delta_interval:
        low, high = reading.delta_interval
        said += f", two-sided 95 % interval {_pp(low)} to {_pp(high)} pp"
    if reading.deciding:
        bounds = " and ".join(_pp(bound) for bound in reading.deciding)
        said += f", deciding bound{'s' if len(reading.deciding) > 1 else ''} {bounds} pp"
    return said + "."
