"""A variant's one engine where a cluster decodes: on one worker in order, or on this machine beside it."""

import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import Future

from pytest_asrgate.config import Variant
from pytest_asrgate.errors import EngineMissingError, TranscriberError
from pytest_asrgate.executors.local import Opener
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.registry import KINDS

__all__ = ["BesideTranscriber", "ClusterTranscriber"]

_LOOK_S = 2.0
_Done = Future[list[Hypothesis]]


class ClusterTranscriber:
    """Decodes what it is asked as one shard, in order; once it was closed the next engine is a fresh one."""

    keeps_results = True
    loads_to_identify = False

    def __init__(self, execution: Execution, variant: Variant) -> None:
        self._execution = execution
        self._variant = variant
        self.keeps_process = not KINDS[variant.transcriber.kind].reloads

    def identity(self) -> Identity:
        """Who decodes on the cluster."""
        return self._execution.identity(self._variant)

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield rows as they come; TranscriberError where the engine or the cluster cannot be used."""
        arrivals: queue.SimpleQueue[Hypothesis | _Done] = queue.SimpleQueue()
        seen: set[str] = set()
        try:
            future = self._execution.submit(self._variant, utterances, arrivals.put)
            future.add_done_callback(arrivals.put)
            while True:
                try:
                    arrival = arrivals.get(timeout=_LOOK_S)
                except queue.Empty:
                    self._execution.check()
                    continue
                rows = [arrival] if isinstance(arrival, Hypothesis) else arrival.result()
                for row in rows:
                    if row.id not in seen:
                        seen.add(row.id)
                        yield row
                if not isinstance(arrival, Hypothesis):
                    return
        finally:
            # Also where all went well: what else it holds for a pass is given back.
            self._execution.interrupt()

    def findings(self) -> tuple[str, ...]:
        """Warnings that the variant's engines printed in this session."""
        return self._execution.findings(self._variant)

    def interrupt(self) -> None:
        """End what is decoded."""
        self._execution.interrupt()

    def close(self) -> None:
        """End the engine, and have the next shard start another."""
        self._execution.release(self._variant)


class BesideTranscriber:
    """The variant's engine on this machine, for the latency probe, whose figures are those of one machine."""

    keeps_results = True
    loads_to_identify = False

    def __init__(self, execution: Execution, variant: Variant, opener: Opener) -> None:
        self._execution = execution
        self._variant = variant
        self._opener = opener
        self._here: Transcriber | None = None
        self.keeps_process = not KINDS[variant.transcriber.kind].reloads

    def _checked(self) -> Transcriber:
        """The engine here, which must be the one that the cluster's workers run."""
        if self._here is not None:
            return self._here
        where = "the latency probe runs on this machine"
        try:
            here = self._opener(self._variant)
            found = here.identity()
        except EngineMissingError as error:
            raise EngineMissingError(f"{error}; {where}, not on the cluster") from error
        if found.fingerprint != self._execution.identity(self._variant).fingerprint:
            here.close()
            raise TranscriberError(
                f"variant.{self._variant.name}: {where}, whose engine is another one than the cluster's; leave the "
                "limits on latency to a run without a cluster"
            )
        self._here = here
        return here

    def identity(self) -> Identity:
        """Who is timed: the same engine as on the cluster."""
        return self._execution.identity(self._variant)

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """As the engine here does."""
        yield from self._checked().transcribe(utterances)

    def findings(self) -> tuple[str, ...]:
        """Warnings that the engine here printed."""
        return self._here.findings() if self._here is not None else ()

    def interrupt(self) -> None:
        """End what is decoded here."""
        if self._here is not None:
            self._here.interrupt()

    def close(self) -> None:
        """End the engine here; the next call starts it again."""
        if self._here is not None:
            self._here.close()
            self._here = None
