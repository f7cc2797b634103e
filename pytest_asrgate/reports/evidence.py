"""Figures beside the verdicts that decide nothing: other tests of a difference, and how many were compared."""

from collections.abc import Sequence

from pytest_asrgate.comparison import many_compared
from pytest_asrgate.reports.entries import MatchedPairsEntry, PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.intent_lines import intent_evidence
from pytest_asrgate.reports.judged import judged_evidence
from pytest_asrgate.values import plural

__all__ = ["evidence", "presets_compared"]

# Below this many segments the normal distribution is no good guide to z (Gillick and Cox 1989).
_FEW_SEGMENTS = 50
_HEADING = "reported only, none of these decides (MAPSSWE and the resamples take utterances as independent):"


def presets_compared(entries: Sequence[PairEntry]) -> list[str]:
    """For each baseline that at least two variants were compared with: how many, and what that asks of a reader."""
    found: dict[str, dict[str, None]] = {}
    for entry in entries:
        if entry["baseline"] is not None and entry["delta_pp"] is not None:
            found.setdefault(entry["baseline"], {})[entry["variant"]] = None
    return [
        plain(many_compared(len(variants), "preset", baseline))
        for baseline, variants in found.items()
        if len(variants) > 1
    ]


def _probability(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _matched_pairs(found: MatchedPairsEntry) -> str:
    segments = plural(found["segments"], "segment")
    if found["z"] is None or found["p"] is None:
        return f"MAPSSWE {segments}, no z: {found['undefined']}"
    rough = f" (rough under {_FEW_SEGMENTS} segments)" if found["segments"] < _FEW_SEGMENTS else ""
    return f"MAPSSWE {segments}, z = {found['z']:+.2f}, {_probability(found['p'])}{rough}"


def _compared(entry: PairEntry) -> list[str]:
    """What three other methods say of one difference."""
    interval, pairs, share = entry["delta_bootstrap_pp"], entry["mapsswe"], entry["improvement_pct"]
    parts = []
    if interval is not None:
        parts.append(f"paired bootstrap of the delta {interval[0]:+.2f} to {interval[1]:+.2f} pp")
    if pairs is not None:
        parts.append(_matched_pairs(pairs))
    if share is not None:
        ties = "ties half, and nearly all are ties" if interval == [0.0, 0.0] else "ties half"
        parts.append(f"better than {entry['baseline']} in {_share(share)} % of resamples ({ties})")
    return ["; ".join(parts)] if parts else []


def _share(percent: float) -> str:
    """A share of 1,000 resamples, whole percents but never rounded to none or all."""
    return f"{percent:.0f}" if 1 <= percent <= 99 or percent in {0, 100} else f"{percent:.1f}"


def _by_speaker(entry: PairEntry) -> list[str]:
    """The rate's interval over speakers beside that over utterances."""
    blocked, plainly = entry["ci_speaker_pct"], entry["ci_pct"]
    if blocked is None or plainly is None:
        return []
    speakers, utterances = (f"{low:.2f} to {high:.2f} %" for low, high in (blocked, plainly))
    return [f"95 % CI of the rate over speakers {speakers}, over utterances {utterances}"]


def evidence(entries: Sequence[PairEntry]) -> list[str]:
    """The lines that a verbose run adds, each kind under its heading; none where nothing was measured.

    Differences in percentage points, rates and shares in percent.
    """
    lines = [
        plain(f"{entry['variant']} {entry['dataset']}: {line}")
        for entry in entries
        for line in (*_compared(entry), *_by_speaker(entry))
    ]
    return [*([_HEADING, *lines] if lines else []), *judged_evidence(entries), *intent_evidence(entries)]
