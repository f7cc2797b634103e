"""The latency probe: baseline and variant decode the same few utterances in turn, in one session, on one host.

Timings of different sessions are never divided: a machine that was busy yesterday would look like a faster model.
"""

import hashlib
import json
import os
import platform
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from pytest_asrgate.errors import AsrGateError, TranscriberError
from pytest_asrgate.records import Latency, RowStatus, Utterance
from pytest_asrgate.sampling import SAMPLE_UTTERANCES, sample_places
from pytest_asrgate.transcribers.protocol import Transcriber

__all__ = ["PROBE_CLIPS", "ProbeSide", "evidence_key", "from_record", "measure", "sample", "to_record"]

PROBE_CLIPS = SAMPLE_UTTERANCES
PROBE_ROUNDS = 3
_WARM_UP_CLIPS = 2


@dataclass(frozen=True, slots=True)
class ProbeSide:
    """One of the two that are timed: a running engine and the name of its variant."""

    name: str
    transcriber: Transcriber


def sample(utterances: Sequence[Utterance], seed: int) -> list[Utterance]:
    """A seeded sample of at most PROBE_CLIPS utterances, in manifest order."""
    return [utterances[place] for place in sample_places(len(utterances), seed)]


def evidence_key(parts: Sequence[str]) -> str:
    """What a stored probe is found by: engines, recipe, dataset and this host."""
    return hashlib.sha256(json.dumps([*parts, platform.node()]).encode()).hexdigest()


def _timed(side: ProbeSide, clips: Sequence[Utterance]) -> Iterator[tuple[float, float]]:
    """(ms, seconds of audio) for each clip; TranscriberError where one cannot be timed."""
    announced = {clip.id: clip.duration_s for clip in clips}
    for row in side.transcriber.transcribe(clips):
        seconds = row.audio_s or announced.get(row.id)
        if row.status is RowStatus.ERROR or row.latency_ms is None:
            why = row.detail or f"its row ({row.status.value}) has no timing"
            raise TranscriberError(f"{side.name} cannot be timed on {row.id}: {why}")
        if not seconds:
            raise TranscriberError(f"{side.name} cannot be timed on {row.id}: nothing says how long the clip is")
        yield row.latency_ms, seconds


def _percentile(values: Sequence[float], percent: float) -> float:
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def measure(
    variant: ProbeSide, baseline: ProbeSide | None, utterances: Sequence[Utterance], *, seed: int, threads: int
) -> Latency:
    """Time `variant`, and `baseline` where there is one, on a seeded sample of utterances.

    After a warm-up, three rounds; within a round the two take turns clip by clip where an engine's process stays
    alive between clips, else round by round, and the first to go changes with the round. Latencies in ms, the
    real-time factor is the variant's decoding time over the length of the audio. Raises TranscriberError where a
    clip of the sample cannot be timed.
    """
    clips = sample(utterances, seed)
    sides = [variant] if baseline is None else [variant, baseline]
    together = not all(side.transcriber.keeps_process for side in sides)
    blocks = [clips] if together else [[clip] for clip in clips]
    for side in sides:
        list(_timed(side, clips[:_WARM_UP_CLIPS]))
    times: dict[str, list[float]] = {side.name: [] for side in sides}
    spoken_s = 0.0
    load_before = os.getloadavg()[0]
    for number in range(PROBE_ROUNDS):
        for block in blocks:
            for side in sides if number % 2 == 0 else reversed(sides):
                found = list(_timed(side, block))
                times[side.name] += [ms for ms, _ in found]
                spoken_s += sum(seconds for _, seconds in found) if side is variant else 0.0
    ours = times[variant.name]
    theirs = times[baseline.name] if baseline else []
    return Latency(
        p50_ms=statistics.median(ours),
        p99_ms=_percentile(ours, 99),
        baseline_p50_ms=statistics.median(theirs) if theirs else None,
        baseline_p99_ms=_percentile(theirs, 99) if theirs else None,
        ratio=statistics.median(ours) / statistics.median(theirs) if theirs else None,
        rtf=sum(ours) / 1000 / spoken_s,
        clips=len(clips),
        rounds=PROBE_ROUNDS,
        threads=threads,
        host=platform.node(),
        processor=platform.processor() or platform.machine(),
        load_average=max(load_before, os.getloadavg()[0]),
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def to_record(latency: Latency) -> str:
    """A probe as the text that the store keeps."""
    return json.dumps(asdict(latency))


def from_record(text: str) -> Latency:
    """The probe that `to_record` wrote; AsrGateError where the text is something else."""
    try:
        fields: Mapping[str, object] = json.loads(text)
        return Latency(**fields)  # type: ignore[arg-type] # the constructor takes what asdict gave
    except (TypeError, ValueError) as error:
        raise AsrGateError(f"a stored latency probe cannot be read ({error})") from error
