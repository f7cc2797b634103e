"""Percentile bootstrap over utterances or speakers: the methodology document's interval of a rate, and of a delta.

1,000 resamples, seed 42. Percentile intervals over few blocks are too narrow, so they are reported and decide
nothing (STATISTICS.md).
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_asrgate.records import Interval, UtteranceScore
from pytest_asrgate.statistics.binomial import wilson_interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.int64]

__all__ = [
    "counted_columns",
    "mean_interval",
    "paired_bootstrap",
    "paired_mean_bootstrap",
    "pooled_interval",
    "rate_interval",
]

_RESAMPLES = 1000
_SEED = 42
# Up to this many utterances the draws are kept for the next call: a verdict asks for several intervals of one set.
# Above it the different rows of counts are drawn by number, which is the same distribution and much faster.
_FEW = 4_000
# Numbers that a row can be told by in 64 bits.
_CODES = 2**62


@lru_cache(maxsize=2)
def _times_drawn(size: int) -> "NDArray[np.float64]":
    """How often each of `size` rows was drawn in each of 1,000 resamples; floats, since their product is fast."""
    import numpy as np  # noqa: PLC0415 - heavy: only where something is computed

    times = np.empty((_RESAMPLES, size))
    for row, drawn in zip(times, np.random.default_rng(_SEED).integers(0, size, (_RESAMPLES, size)), strict=True):
        row[:] = np.bincount(drawn, minlength=size)
    return times


def _drawn_sums(columns: "list[Column]") -> "list[Column]":
    """The sum of each column in each of 1,000 resamples of its rows; all columns share the draws."""
    import numpy as np  # noqa: PLC0415 - as above

    size = len(columns[0])
    if size <= _FEW:
        kept = _times_drawn(size)
        return [(kept @ column).astype(np.int64) for column in columns]
    shape = [int(column.max()) + 1 for column in columns]
    # Rows as single numbers, which are sorted several times faster than rows of a table, where they fit.
    codes = np.ravel_multi_index(columns, shape) if math.prod(shape) < _CODES else np.stack(columns, axis=1)
    _, first, times = np.unique(codes, axis=0, return_index=True, return_counts=True)
    drawn = np.random.default_rng(_SEED).multinomial(size, times / size, size=_RESAMPLES)
    return [drawn @ column[first] for column in columns]


def _columns(speakers: Sequence[str] | None, *counts: Sequence[int]) -> "list[Column]":
    """Each sequence of counts as a column, added up by speaker where there are speakers."""
    import numpy as np  # noqa: PLC0415 - as above

    columns = [np.asarray(count, dtype=np.int64) for count in counts]
    if speakers is None:
        return columns
    # By name, so that the order of utterances changes nothing.
    places = {name: place for place, name in enumerate(sorted(set(speakers)))}
    block = [places[name] for name in speakers]
    return [np.bincount(block, weights=column).astype(np.int64) for column in columns]


def _interval(drawn: "Column", words: "Column") -> Interval:
    import numpy as np  # noqa: PLC0415 - as above

    kept = words > 0
    low, high = np.percentile(100.0 * drawn[kept] / words[kept], [2.5, 97.5])
    return Interval(float(low), float(high))


def rate_interval(
    errors: Sequence[int], words: Sequence[int], speakers: Sequence[str] | None = None
) -> Interval | None:
    """95 % percentile bootstrap interval, in percent, of the pooled rate over utterances, or over speakers.

    The sequences are parallel, one entry an utterance; with `speakers` whole speakers are drawn. None where there
    are no reference words. Resamples that drew no word at all have no rate and are left out.
    """
    if not sum(words):
        return None
    wrong, total = _drawn_sums(_columns(speakers, errors, words))
    return _interval(wrong, total)


def counted_columns(
    utterances: Sequence[UtteranceScore], speakers: Sequence[str] | None = None
) -> tuple[list[int], list[int], list[str] | None]:
    """Errors, words and speakers of all utterances that have counts; `speakers` is parallel to all of them."""
    # Lists of what is there already: a hundred thousand new tuples would set off the garbage collector.
    counts = [row.counts for row in utterances]
    return (
        [row.errors for row in counts if row],
        [row.words for row in counts if row],
        [name for name, row in zip(speakers, counts, strict=True) if row] if speakers else None,
    )


def pooled_interval(utterances: Sequence[UtteranceScore], speakers: Sequence[str] | None = None) -> Interval | None:
    """The `rate_interval` of all utterances that have counts; `speakers` is parallel to all of them."""
    return rate_interval(*counted_columns(utterances, speakers))


# Parts that a mean of fractions is counted in, since draws add up whole numbers; halves to sixteenths are exact.
_PARTS = 720_720


def _parts(values: Sequence[float]) -> list[int]:
    return [round(_PARTS * value) for value in values]


def mean_interval(values: Sequence[float]) -> Interval | None:
    """95 % percentile bootstrap interval, in percent, of the mean of fractions from 0 to 1; None of none.

    Where all are equal, no resample differs and the bootstrap has no width, as if nothing else could ever be seen.
    Wilson's score interval (1927) stands in for it then, each fraction taken as that share of a success: too wide
    rather than too narrow, since a mean of 0s and 1s has the largest variance of all.
    """
    parts = _parts(values)
    if len(set(parts)) == 1:
        return wilson_interval(values[0] * len(values), len(values))
    return rate_interval(parts, [_PARTS] * len(values))


def paired_mean_bootstrap(
    baseline: Sequence[float], variant: Sequence[float]
) -> tuple[Interval, Interval, Interval] | None:
    """`paired_bootstrap` of two means of fractions from 0 to 1, parallel, one entry an utterance."""
    return paired_bootstrap(_parts(baseline), _parts(variant), [_PARTS] * len(baseline))


def paired_bootstrap(
    baseline: Sequence[int], variant: Sequence[int], words: Sequence[int], speakers: Sequence[str] | None = None
) -> tuple[Interval, Interval, Interval] | None:
    """95 % intervals, from the same draws, of the baseline's rate, the variant's rate and their difference.

    Rates in percent, the difference in percentage points; arguments and None as for `rate_interval`.
    """
    if not sum(words):
        return None
    before, after, total = _drawn_sums(_columns(speakers, baseline, variant, words))
    return _interval(before, total), _interval(after, total), _interval(after - before, total)
