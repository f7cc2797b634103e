"""Cuts what is missing of a pair into shards, as workers become free, the longest first.

A worker that is free takes its share of what is left: half of what an even division would give it, so that shards
shrink and all workers end at about the same time (guided self-scheduling: Polychronopoulos and Kuck, 1987).
"""

from collections.abc import Iterator, Sequence

from pytest_asrgate.records import Hypothesis, RowStatus, Utterance

__all__ = ["Cutter", "utterance_seconds"]

# Of expected work, in seconds. A cluster cannot take a running shard back, so none is longer; and none is shorter
# while there is enough work, since each one costs a message.
LONGEST_S = 300.0
SHORTEST_S = 60.0
# Where all of it is little, each worker gets so many shards at least, so that nobody waits long for the last one.
_LEAST_SHARDS = 20
# Audio of a shard while nothing is known of the engine's speed, in seconds.
_UNMEASURED_AUDIO_S = 60.0
# No clip costs nothing.
_LEAST_AUDIO_S = 0.2


def utterance_seconds(utterance: Utterance) -> float:
    """How long an utterance is, in seconds: from its manifest, else from the audio file's header.

    A file that cannot be read counts as very short: it becomes an error row in no time.
    """
    if utterance.duration_s is not None:
        return max(utterance.duration_s, _LEAST_AUDIO_S)
    import soundfile  # noqa: PLC0415 - heavy: only where a pair is really sharded

    try:
        return max(float(soundfile.info(str(utterance.audio)).duration), _LEAST_AUDIO_S)
    except (soundfile.LibsndfileError, OSError, TypeError, ValueError):
        return _LEAST_AUDIO_S


def _groups(utterances: Sequence[Utterance], batch_size: int) -> Iterator[list[Utterance]]:
    """Batches as one process would make them of all utterances: the same ones however shards are cut."""
    languages: dict[str, list[Utterance]] = {}
    for utterance in utterances:
        languages.setdefault(utterance.language or "", []).append(utterance)
    for of_one in languages.values():
        yield from (of_one[first : first + batch_size] for first in range(0, len(of_one), batch_size))


class Cutter:
    """Hands out shards of utterances in manifest order; each utterance once.

    `workers` decode at once. `seconds_per_second` is the engine's decoding time for a second of audio, None where
    it was never measured; `take_note` measures it. `reloads` says that the engine loads its model for each shard,
    so that shards are then as few as the workers and the longest shard permit.
    """

    def __init__(
        self,
        utterances: Sequence[Utterance],
        *,
        workers: int,
        batch_size: int = 1,
        seconds_per_second: float | None = None,
        reloads: bool = False,
    ) -> None:
        self._groups = [
            (group, sum(utterance_seconds(utterance) for utterance in group))
            for group in _groups(utterances, batch_size)
        ]
        self._next = 0
        self._left_s = self._all_s = sum(seconds for _, seconds in self._groups)
        self._workers = workers
        self._reloads = reloads
        self._known = seconds_per_second
        self._decoding_s = 0.0
        self._audio_s = 0.0

    def take_note(self, row: Hypothesis) -> None:
        """Measure the engine's speed by a row that came."""
        if row.status is not RowStatus.ERROR and row.latency_ms is not None and row.audio_s:
            self._decoding_s += row.latency_ms / 1000
            self._audio_s += row.audio_s

    def _speed(self) -> float | None:
        return self._decoding_s / self._audio_s if self._audio_s else self._known

    def _wanted_s(self) -> float:
        """How many seconds of audio the next shard is to hold."""
        speed = self._speed()
        share = self._all_s / self._workers if self._reloads else self._left_s / self._workers / 2
        if not speed:
            return min(share, _UNMEASURED_AUDIO_S)
        shards = self._workers * (1 if self._reloads else _LEAST_SHARDS)
        shortest = min(SHORTEST_S, self._all_s * speed / shards)
        return min(max(share * speed, shortest), LONGEST_S) / speed

    def rest(self) -> tuple[Utterance, ...]:
        """Everything that was not handed out yet, which is then handed out."""
        left = [utterance for group, _ in self._groups[self._next :] for utterance in group]
        self._next, self._left_s = len(self._groups), 0.0
        return tuple(left)

    def shard(self) -> tuple[Utterance, ...]:
        """The next shard; empty where nothing is left."""
        wanted, taken_s = self._wanted_s(), 0.0
        shard: list[Utterance] = []
        while self._next < len(self._groups) and (not shard or taken_s < wanted):
            group, seconds = self._groups[self._next]
            shard += group
            taken_s += seconds
            self._next += 1
        self._left_s -= taken_s
        return tuple(shard)
