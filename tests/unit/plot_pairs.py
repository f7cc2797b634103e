"""Pairs of a report with whatever figures a plot has to cope with."""

import copy
from collections.abc import Mapping

from pytest_asrgate.reports.entries import CheckEntry, EarlyEntry, LatencyEntry, PairEntry

from .builders import entry

__all__ = ["against", "base", "check", "early", "probe"]

_REAL = entry([("a", "the cat", "the hat")], [("a", "the cat", "the cat")])


def check(value: float | None, limit: float | None, status: str, unit: str = "pp") -> CheckEntry:
    """A check that has yet to get its name."""
    return {
        "name": "",
        "value": value,
        "limit": limit,
        "unit": unit,
        "status": status,
        "detail": "",
        "utterances": [],
        "upper95_pct": None,
    }


def _pair(variant: str, verdict: str, checks: Mapping[str, CheckEntry], changes: Mapping[str, object]) -> PairEntry:
    made = copy.deepcopy(_REAL)
    made["variant"], made["verdict"], made["dataset"] = variant, verdict, "prompts"
    made["checks"] = [{**each, "name": name} for name, each in checks.items()]
    made["rate_pct"], made["ci_pct"] = 10.0, [9.0, 11.0]
    made["stamp"] = {}
    made["latency_p50_ms"] = None
    made.update(changes)  # type: ignore[typeddict-item]
    return made


def base(variant: str = "f32", checks: Mapping[str, CheckEntry] | None = None, **changes: object) -> PairEntry:
    """A baseline: 10 % [9, 11]."""
    bare = {"is_baseline": True, "baseline": None, "delta_pp": None, "delta_ci_pp": None}
    return _pair(variant, "PASS", checks or {}, {**bare, "lower95_pp": None, "upper95_pp": None, **changes})


def against(
    variant: str = "q8", verdict: str = "PASS", checks: Mapping[str, CheckEntry] | None = None, **changes: object
) -> PairEntry:
    """A variant against f32: 10 % [9, 11], worse by 0.5 pp [-1, 2], one-sided bounds -0.8 and 1.8."""
    compared = {
        "baseline": "f32",
        "delta_pp": 0.5,
        "delta_ci_pp": [-1.0, 2.0],
        "lower95_pp": -0.8,
        "upper95_pp": 1.8,
    }
    return _pair(variant, verdict, checks or {}, {**compared, **changes})


def early(lower: float | None, upper: float | None) -> EarlyEntry:
    """An early run that ended at its second look."""
    return {
        "look": 2,
        "looks": [50, 100, 200],
        "utterances": 100,
        "total": 200,
        "share_pct": 50.0,
        "boundary": 2.4,
        "alpha": 0.01,
        "lower_pp": lower,
        "upper_pp": upper,
        "seed": 1,
    }


def probe(median: float, before: float | None) -> LatencyEntry:
    """What a latency probe measured."""
    return {
        "p50_ms": median,
        "p99_ms": 2 * median,
        "baseline_p50_ms": before,
        "baseline_p99_ms": None,
        "ratio": None,
        "rtf": 0.1,
        "clips": 10,
        "rounds": 5,
        "threads": 1,
        "host": "here",
        "processor": "a processor",
        "load_average": 0.1,
        "measured": "2026-01-01",
    }
