"""What `asrgate parity` says, line by line."""

import math
from collections.abc import Iterator

from pytest_asrgate.config import Recipe
from pytest_asrgate.parity import SETTINGS, Parity, Usual
from pytest_asrgate.records import Comparison
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.values import first_of, plural

__all__ = ["parity_lines", "sample_line"]


def sample_line(usual: Usual, recipe: Recipe) -> str:
    """What was decoded, and the settings that the others are compared with."""
    own = ", ".join(f"{name} {getattr(recipe, name)}" for name in SETTINGS)
    size = f"{len(usual.places)} of {plural(usual.total, 'utterance')} (seed {recipe.seed})"
    return plain(f"{usual.pair.variant.name} {usual.pair.dataset.name}: {size}, compared with the gate's {own}")


def _bound(value: float) -> str:
    return f"{value:+.2f}" if math.isfinite(value) else "unbounded"


def _delta(comparison: Comparison | None) -> str:
    if comparison is None:
        return "no delta, since no reference words are left"
    low, high = comparison.interval.low, comparison.interval.high
    return f"delta {comparison.delta_pp:+.2f} pp (paired 95 % {_bound(low)} to {_bound(high)})"


def parity_lines(found: Parity) -> Iterator[str]:
    """One line for a setting, then the ids that differ or failed, then what the comparison does not show."""
    name = f"{found.setting} {found.value}"
    if found.unused:
        yield plain(f"{name}: not compared, {found.setting} is not used: {found.unused}")
        return
    texts = f"{len(found.differing)} of {plural(found.compared, 'text')} differ"
    errors = f"{plural(len(found.lost), 'error')} against {len(found.usual_lost)}"
    yield plain(f"{name}: {texts}, {errors}, {_delta(found.comparison)}")
    if found.differing:
        yield plain(f"  text or status differs: {first_of(found.differing)}")
    if found.lost:
        yield plain(f"  failed with {name}: {first_of(found.lost)}")
    if found.usual_lost:
        yield plain(f"  failed under the gate's recipe: {first_of(found.usual_lost)}")
    if found.doubt:
        yield plain(f"  note: {found.doubt}")
