"""What to do about an undecided pair: how many utterances the margin that was asked for needs."""

import math

from pytest_asrgate.records import Comparison

__all__ = ["advice"]

# More than anybody records for a gate; a larger number would only look exact.
_MANY = 1_000_000


def _more(needed: float, utterances: int) -> str:
    """How many utterances are missing, rounded to two digits since it is an estimate."""
    if not math.isfinite(needed):
        return ""
    missing = math.ceil(needed) - utterances
    if missing < 1:
        # The estimate is a normal one, and the bounds are wider where changes are few or lopsided.
        return "a few more utterances"
    if missing > _MANY:
        return f"over {_MANY:,} more utterances"
    step = 10 ** max(0, len(str(missing)) - 2)
    rounded = math.ceil(missing / step) * step
    return f"about {rounded:,} more utterances" if rounded > 1 else "1 more utterance"


def advice(comparison: Comparison, margin: float) -> str:
    """One clause: what a margin of `margin` percentage points needs before this comparison can decide it.

    Estimates for 80 % power (STATISTICS.md, "What a set can resolve"): where there is no difference, and where the
    true difference is the one that was seen.
    """
    if margin == 0:
        return "no set shows a loss to be exactly none: set a margin above 0"
    resolution, count = comparison.resolution, comparison.utterances
    if not math.isfinite(resolution.margin_pp):
        return "one utterance says nothing about spread: use more"
    equal = _more(resolution.utterances_for(margin), count)
    seen = _more(resolution.utterances_for(abs(margin - comparison.delta_pp)), count)
    if not equal:
        return f"no number of utterances of these speakers decides {margin:g} pp: add speakers"
    if comparison.delta_pp == 0:
        return f"{margin:g} pp needs {equal}"
    first = f"{margin:g} pp needs {equal} where there is no difference"
    if resolution.utterances_for(margin) <= count:
        first = f"the set is large enough for {margin:g} pp where there is no difference"
    then = f"needs {seen}" if seen else "cannot be told from the margin"
    return f"{first}; a true difference as the seen one, {comparison.delta_pp:+.2f} pp, {then}"
