"""One variant's engine, however many processes and machines it runs on: the same rows as one process would give."""

import queue
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future

from pytest_asrgate.config import Variant
from pytest_asrgate.errors import IntegrityError
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.executors.shards import Cutter
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.registry import KINDS
from pytest_asrgate.transcribers.rows import not_tried, was_not_tried
from pytest_asrgate.values import named

__all__ = ["ShardedTranscriber"]

# How often it is looked whether anybody is left to wait for, in seconds.
_LOOK_S = 2.0

_Done = Future[list[Hypothesis]]


def _check_ids(variant: str, shard: Sequence[Utterance], rows: Sequence[Hypothesis]) -> None:
    """IntegrityError for a shard with a row that was not asked for, or with two of one utterance."""
    asked = {utterance.id for utterance in shard}
    for name, count in Counter(row.id for row in rows).items():
        if name not in asked or count > 1:
            raise IntegrityError(f"variant.{variant}: a row for {name!r}, which was not asked for")


class ShardedTranscriber:
    """A transcriber whose work is cut into shards that an execution decodes side by side."""

    keeps_results = True
    loads_to_identify = False

    def __init__(
        self,
        execution: Execution,
        variant: Variant,
        *,
        batch_size: int,
        speed: Callable[[str], float | None] = lambda _: None,
    ) -> None:
        """`speed` gives an engine's decoding time for a second of audio by its fingerprint, None if unknown."""
        self._execution = execution
        self._variant = variant
        self._batch_size = batch_size
        self._speed = speed
        self.keeps_process = not KINDS[variant.transcriber.kind].reloads

    def single(self, *, beside: bool = False) -> Transcriber:
        """The same engine in one process, for what must be decoded in order; `beside` another that stays."""
        return self._execution.single(self._variant, beside=beside)

    def identity(self) -> Identity:
        """Who decodes, the same on every worker."""
        return self._execution.identity(self._variant)

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield a hypothesis for each utterance as it finishes, in any order; error rows for those that failed.

        An engine that fails five times in a row gives up, and what it left is tried again in another order, until
        no utterance at all succeeds: so a few bad neighbours cost themselves alone, wherever shards are cut, and a
        broken engine does not cost a timeout for every utterance. However this ends, no shard goes on. Raises
        TranscriberError where an engine cannot be used, and IntegrityError for a shard whose rows are not those of
        its utterances.
        """
        left, tries = [*utterances], 0
        while left:
            given_up: dict[str, Hypothesis] = {}
            success = False
            for row in self._once(left):
                if was_not_tried(row):
                    given_up[row.id] = row
                else:
                    success = success or row.status is not RowStatus.ERROR
                    yield row
            tries += 1
            if tries > 1 and not success:
                yield from given_up.values()
                return
            left = [utterance for utterance in left if utterance.id in given_up]
            # The same for every number of workers; neighbours that failed together come apart.
            random.Random(tries).shuffle(left)  # noqa: S311 - an order, no secret

    def _once(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        if self._execution.serial:
            yield from self.single().transcribe(utterances)
            return
        cutter = Cutter(
            utterances,
            workers=self._execution.workers,
            batch_size=self._batch_size,
            seconds_per_second=self._speed(self.identity().fingerprint),
            reloads=not self.keeps_process,
        )
        try:
            yield from self._rows(cutter)
        finally:
            self._execution.interrupt()

    def _rows(self, cutter: Cutter) -> Iterator[Hypothesis]:
        arrivals: queue.SimpleQueue[Hypothesis | _Done] = queue.SimpleQueue()
        shards: dict[_Done, tuple[Utterance, ...]] = {}
        # A cluster may deliver a row twice, when it does a shard again whose worker was lost.
        seen: set[str] = set()

        def submit_more() -> None:
            while len(shards) < self._execution.workers and (shard := cutter.shard()):
                future = self._execution.submit(self._variant, shard, arrivals.put)
                shards[future] = shard
                future.add_done_callback(arrivals.put)

        def news(rows: Sequence[Hypothesis]) -> Iterator[Hypothesis]:
            for row in rows:
                if row.id not in seen:
                    seen.add(row.id)
                    cutter.take_note(row)
                    yield row

        submit_more()
        while shards:
            try:
                arrival = arrivals.get(timeout=_LOOK_S)
            except queue.Empty:
                self._execution.check()
                continue
            if isinstance(arrival, Hypothesis):
                yield from news([arrival])
                continue
            shard, rows = shards.pop(arrival), arrival.result()
            _check_ids(self._variant.name, shard, rows)
            yield from news(rows)
            lost = [utterance.id for utterance in shard if utterance.id not in seen]
            if lost:
                raise IntegrityError(f"variant.{self._variant.name}: no row came for {named(lost)}")
            if any(was_not_tried(row) for row in rows):
                why = "the engine failed again and again in another shard"
                yield from (not_tried(utterance, why) for utterance in cutter.rest())
            submit_more()

    def findings(self) -> tuple[str, ...]:
        """Warnings that the engine printed in this session, on any worker, each once."""
        return self._execution.findings(self._variant)

    def interrupt(self) -> None:
        """End every shard that runs."""
        self._execution.interrupt()

    def close(self) -> None:
        """End the variant's engines; they start again where they are needed."""
        self._execution.release(self._variant)
