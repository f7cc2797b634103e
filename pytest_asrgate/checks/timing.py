"""Checks on speed, as the latency probe measured it."""

from pytest_asrgate.checks.limits import Limit, above, unmeasurable
from pytest_asrgate.records import Check, Latency

__all__ = ["latency_ratio", "real_time_factor"]


def latency_ratio(latency: Latency, limit: Limit) -> Check:
    """The variant's median decoding time over the baseline's, from one probe on one host."""
    if latency.ratio is None:
        return unmeasurable("latency_ratio", limit, "ratio", "there is no baseline to compare with")
    detail = (
        f"p50 {latency.p50_ms:.0f} ms against {latency.baseline_p50_ms:.0f} ms, "
        f"p99 {latency.p99_ms:.0f} ms against {latency.baseline_p99_ms:.0f} ms; {_circumstances(latency)}"
    )
    return Check("latency_ratio", latency.ratio, limit, "ratio", above(latency.ratio, limit), detail)


def real_time_factor(latency: Latency, limit: Limit) -> Check:
    """Decoding time over the length of the audio, from the same probe."""
    return Check("rtf", latency.rtf, limit, "ratio", above(latency.rtf, limit), _circumstances(latency))


def _circumstances(latency: Latency) -> str:
    return (
        f"{latency.clips} clips in {latency.rounds} rounds, {latency.threads} thread(s), on {latency.host} at load "
        f"{latency.load_average:.1f}, {latency.measured}"
    )
