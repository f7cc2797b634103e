"""Deciding early without paying for it: when to look, how far the bound must lie, and in which order to decode.

A group-sequential design with O'Brien-Fleming-like spending (Lan and DeMets 1983), both sides at 5 % and
non-binding; studied in STATISTICS.md.
"""

import hashlib
import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

__all__ = ["LOOKS", "boundaries", "look_levels", "look_sizes", "stratified_order"]

LOOKS = 10
# Below this many utterances nothing asymptotic is to be trusted.
_FIRST_LOOK = 50
_GRID = 801


def look_sizes(total: int) -> tuple[int, ...]:
    """How many utterances are decoded at each look: tenths of `total`, none before 50, the last one all."""
    sizes = [math.ceil(total * number / LOOKS) for number in range(1, LOOKS + 1)]
    return tuple(dict.fromkeys(size for size in sizes if size >= _FIRST_LOOK or size == total))


def _spent(fraction: float) -> float:
    """How much of the 5 % may be spent once this fraction of the set is decoded."""
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - heavy, but not as scipy.stats is

    return 2.0 * float(ndtr(ndtri(0.025) / math.sqrt(fraction)))


@cache
def boundaries(fractions: tuple[float, ...]) -> tuple[float, ...]:
    """The normal quantile that a bound is taken at, for each look at these rising fractions of the set.

    The level of the one-sided bounds at look k is the normal distribution's at `-boundaries[k]`. By recursion over
    the density of the score of those runs that went on, on a grid of 801 points.
    """
    import numpy as np  # noqa: PLC0415 - heavy
    from scipy.optimize import brentq  # noqa: PLC0415 - heavy
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - heavy, but not as scipy.stats is

    def normal(scores: Any) -> Any:
        return np.exp(-(scores**2) / 2.0) / math.sqrt(2.0 * math.pi)

    first = fractions[0]
    found = [-float(ndtri(_spent(first)))]
    # The score is a Brownian motion in the fraction; what lies above the boundary has stopped.
    grid = np.linspace(-8.0 * math.sqrt(first), found[0] * math.sqrt(first), _GRID)
    density = normal(grid / math.sqrt(first)) / math.sqrt(first)
    for before, now in pairwise(fractions):
        step = math.sqrt(now - before)
        budget = _spent(now) - _spent(before)

        def excess(boundary: float, now: float = now, step: float = step, budget: float = budget) -> float:
            crossed = ndtr((grid - boundary * math.sqrt(now)) / step)  # noqa: B023 - called before the next turn
            return float(np.trapezoid(density * crossed, grid)) - budget  # noqa: B023 - as above

        found.append(float(brentq(excess, 0.0, 10.0, xtol=1e-10)))
        following = np.linspace(-8.0 * math.sqrt(now), found[-1] * math.sqrt(now), _GRID)
        moved = normal((following[:, None] - grid[None, :]) / step) / step
        density = np.trapezoid(density[None, :] * moved, grid, axis=1)
        grid = following
    return tuple(found)


def look_levels(total: int) -> tuple[tuple[int, float, float], ...]:
    """For each look at a set of `total` utterances: how many are decoded, the boundary, and its one-sided level."""
    from scipy.special import ndtr  # noqa: PLC0415 - heavy

    sizes = look_sizes(total)
    found = boundaries(tuple(size / total for size in sizes))
    return tuple((size, boundary, float(ndtr(-boundary))) for size, boundary in zip(sizes, found, strict=True))


def _uniform(*words: str) -> float:
    """A number from 0 up to 1 that depends on the words alone, on every machine and in every version."""
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def stratified_order(ids: Sequence[str], speakers: Sequence[str] | None, seed: int) -> tuple[int, ...]:
    """The order in which an early run decodes: places of `ids`, every prefix with its share of each speaker.

    Within a speaker the utterances are shuffled by the seed, then spread evenly: the key of each is its rank plus
    one number of the speaker, over the speaker's number of utterances. Depends on ids, speakers and seed only.
    """
    names = speakers or [""] * len(ids)
    blocks: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        blocks.setdefault(name, []).append(place)
    keys: list[tuple[float, float, int]] = []
    for name, places in blocks.items():
        start = _uniform("speaker", str(seed), name)
        shuffled = sorted((_uniform("utterance", str(seed), ids[place]), place) for place in places)
        keys += [((rank + start) / len(places), draw, place) for rank, (draw, place) in enumerate(shuffled)]
    return tuple(place for _, _, place in sorted(keys))
