"""One variant's engine, however many processes and machines it runs on: the same rows as one process would give."""

import random
from collections.abc import Callable, Iterator, Sequence

from pytest_asrgate.config import Variant
from pytest_asrgate.executors.arrivals import arriving
from pytest_asrgate.executors.engine import VariantEngine
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.executors.shards import Cutter
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Transcriber
from pytest_asrgate.transcribers.rows import was_not_tried

__all__ = ["ShardedTranscriber"]


class ShardedTranscriber(VariantEngine):
    """A transcriber whose work is cut into shards that an execution decodes side by side."""

    def __init__(
        self,
        execution: Execution,
        variant: Variant,
        *,
        batch_size: int,
        speed: Callable[[str], float | None] = lambda _: None,
    ) -> None:
        """`speed` gives an engine's decoding time for a second of audio by its fingerprint, None if unknown."""
        super().__init__(execution, variant)
        self._batch_size = batch_size
        self._speed = speed

    def single(self, *, beside: bool = False) -> Transcriber:
        """The same engine in one process, for what must be decoded in order; `beside` another that stays."""
        return self._execution.single(self._variant, beside=beside)

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
        yield from arriving(self._execution, self._variant, cutter)
