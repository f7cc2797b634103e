"""Rows of shards that are decoded side by side, as they arrive."""

import queue
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Protocol

from pytest_asrgate.config import Variant
from pytest_asrgate.errors import IntegrityError
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.rows import not_tried, was_not_tried
from pytest_asrgate.values import named

__all__ = ["Shards", "SingleShard", "arriving"]

# How often it is looked whether anybody is left to wait for, in seconds.
_LOOK_S = 2.0

_Done = Future[list[Hypothesis]]


class Shards(Protocol):
    """Where the work comes from."""

    def shard(self) -> Sequence[Utterance]:
        """The next shard; empty where nothing is left."""
        ...

    def rest(self) -> Sequence[Utterance]:
        """Everything that was not handed out yet, which is then handed out."""
        ...

    def take_note(self, row: Hypothesis) -> None:
        """Told of each row that came."""
        ...


class SingleShard:
    """All utterances at once, in their order."""

    def __init__(self, utterances: Sequence[Utterance]) -> None:
        self._left = utterances

    def shard(self) -> Sequence[Utterance]:
        """The one shard, once."""
        return self.rest()

    def rest(self) -> Sequence[Utterance]:
        """What `shard` did not give."""
        left, self._left = self._left, ()
        return left

    def take_note(self, row: Hypothesis) -> None:
        """There is nothing to learn for a next shard."""


def _check_ids(variant: str, shard: Sequence[Utterance], rows: Sequence[Hypothesis]) -> None:
    """IntegrityError for a shard with a row that was not asked for, or with two of one utterance."""
    asked = {utterance.id for utterance in shard}
    for name, count in Counter(row.id for row in rows).items():
        if name not in asked or count > 1:
            raise IntegrityError(f"variant.{variant}: a row for {name!r}, which was not asked for")


def arriving(execution: Execution, variant: Variant, shards: Shards) -> Iterator[Hypothesis]:
    """Submit shards as workers become free, and yield one row for each utterance as it arrives.

    Once an engine gives up, what no shard holds yet is not tried either. Raises TranscriberError where an engine
    cannot be used, and IntegrityError for a shard whose rows are not those of its utterances. However it ends, no
    shard goes on, and what else the execution holds for a pass is given back.
    """
    arrivals: queue.SimpleQueue[Hypothesis | _Done] = queue.SimpleQueue()
    running: dict[_Done, Sequence[Utterance]] = {}
    # A cluster may deliver a row twice, when it does a shard again whose worker was lost.
    seen: set[str] = set()

    def submit_more() -> None:
        while len(running) < execution.workers and (shard := shards.shard()):
            future = execution.submit(variant, shard, arrivals.put)
            running[future] = shard
            future.add_done_callback(arrivals.put)

    def news(rows: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
        for row in rows:
            if row.id not in seen:
                seen.add(row.id)
                shards.take_note(row)
                yield row

    try:
        submit_more()
        while running:
            try:
                arrival = arrivals.get(timeout=_LOOK_S)
            except queue.Empty:
                execution.check()
                continue
            if isinstance(arrival, Hypothesis):
                yield from news([arrival])
                continue
            shard, rows = running.pop(arrival), arrival.result()
            _check_ids(variant.name, shard, rows)
            yield from news(rows)
            lost = [utterance.id for utterance in shard if utterance.id not in seen]
            if lost:
                raise IntegrityError(f"variant.{variant.name}: no row came for {named(lost)}")
            if any(was_not_tried(row) for row in rows):
                why = "the engine failed again and again in another shard"
                yield from (not_tried(utterance, why) for utterance in shards.rest())
            submit_more()
    finally:
        execution.interrupt()
