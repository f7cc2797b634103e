"""Intervals, bounds and designs from counts per utterance, never from text; studied in STATISTICS.md."""

from pytest_asrgate.statistics.binomial import binomial_upper, wilson_interval
from pytest_asrgate.statistics.bootstrap import (
    counted_columns,
    mean_interval,
    paired_bootstrap,
    paired_mean_bootstrap,
    pooled_interval,
    rate_interval,
)
from pytest_asrgate.statistics.improvement import probability_of_improvement
from pytest_asrgate.statistics.matched_pairs import matched_pairs
from pytest_asrgate.statistics.paired import PairedDifference, paired_bounds, paired_difference
from pytest_asrgate.statistics.resolution import effective_groups, identical_bound
from pytest_asrgate.statistics.sequential import boundaries, look_levels, look_sizes, stratified_order

__all__ = [
    "PairedDifference",
    "binomial_upper",
    "boundaries",
    "counted_columns",
    "effective_groups",
    "identical_bound",
    "look_levels",
    "look_sizes",
    "matched_pairs",
    "mean_interval",
    "paired_bootstrap",
    "paired_bounds",
    "paired_difference",
    "paired_mean_bootstrap",
    "pooled_interval",
    "probability_of_improvement",
    "rate_interval",
    "stratified_order",
    "wilson_interval",
]
