"""Early verdicts: decode in a fixed order, look ten times, stop once every margin is decided (STATISTICS.md).

The order is fixed by a seed before anything is decoded. What was not decoded was not seen, so an early verdict
never makes a preset shippable.
"""

from collections.abc import Iterator

from pytest_asrgate.config import Pair
from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.records import CheckStatus, Look, Outcome, Verdict
from pytest_asrgate.statistics import boundaries, look_sizes, stratified_order

__all__ = ["decided", "decoding_order", "has_margin", "looks"]

_MARGIN = "non_inferiority"


def has_margin(pair: Pair) -> bool:
    """Whether the pair or one of its slices has a paired bound to decide; without one nothing can stop early."""
    levels = (pair.thresholds, *pair.dataset.slices.values())
    return any(name.endswith(_MARGIN) for level in levels for name in level.limits())


def decoding_order(data: LoadedDataset, seed: int) -> tuple[int, ...]:
    """The places of the data set's utterances in the order that an early run decodes them in."""
    return stratified_order([utterance.id for utterance in data.utterances], data.speakers, seed)


def looks(total: int, seed: int) -> Iterator[Look]:
    """The looks at a set of `total` utterances, each with the boundary that its bounds are taken at."""
    from scipy.stats import norm  # noqa: PLC0415 - 0.8 s to import

    sizes = look_sizes(total)
    for number, boundary in enumerate(boundaries(tuple(size / total for size in sizes)), start=1):
        yield Look(number, sizes, total, boundary, float(norm.sf(boundary)), seed)


def decided(verdict: Verdict) -> bool:
    """Whether an early run may end with this verdict on what it has decoded so far.

    It may where a margin is surely exceeded, where more bad outputs were counted than are allowed in the whole set,
    and where every margin is surely kept and nothing else stands against the pair either. Anything else may still
    change with the utterances that follow.
    """
    margins = [check for check in verdict.every_check if check.name.endswith(_MARGIN) and check.limit is not None]
    if any(check.status is CheckStatus.FAIL for check in margins):
        return True
    if any(_only_grows(check.name, check.unit) and _over(check.status) for check in verdict.every_check):
        return True
    return verdict.outcome is Outcome.PASS and all(check.status is CheckStatus.PASS for check in margins)


def _only_grows(name: str, unit: str) -> bool:
    """Whether a figure is a count of utterances, which no further utterance can lower."""
    return unit == "utterances" and not name.endswith("_delta")


def _over(status: CheckStatus) -> bool:
    return status in {CheckStatus.FAIL, CheckStatus.ERROR}
