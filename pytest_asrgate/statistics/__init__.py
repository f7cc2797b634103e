"""Intervals, bounds and designs from counts per utterance, never from text; studied in STATISTICS.md."""

from pytest_asrgate.statistics.bootstrap import paired_bootstrap, rate_interval
from pytest_asrgate.statistics.paired import PairedDifference, paired_bounds, paired_difference
from pytest_asrgate.statistics.resolution import identical_bound
from pytest_asrgate.statistics.sequential import boundaries, look_sizes, stratified_order

__all__ = [
    "PairedDifference",
    "boundaries",
    "identical_bound",
    "look_sizes",
    "paired_bootstrap",
    "paired_bounds",
    "paired_difference",
    "rate_interval",
    "stratified_order",
]
