"""A variant's one engine where a cluster decodes: on one worker in order, or on this machine beside it."""

from collections.abc import Iterator, Sequence

from pytest_asrgate.config import Variant
from pytest_asrgate.errors import EngineMissingError, TranscriberError
from pytest_asrgate.executors.arrivals import SingleShard, arriving
from pytest_asrgate.executors.engine import VariantEngine
from pytest_asrgate.executors.local import Opener
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Transcriber

__all__ = ["BesideTranscriber", "ClusterTranscriber"]


class ClusterTranscriber(VariantEngine):
    """Decodes what it is asked as one shard, in order; once it was closed the next engine is a fresh one."""

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield rows as they come; TranscriberError where the engine or the cluster cannot be used."""
        yield from arriving(self._execution, self._variant, SingleShard(utterances))


class BesideTranscriber(VariantEngine):
    """The variant's engine on this machine, for the latency probe, whose figures are those of one machine."""

    def __init__(self, execution: Execution, variant: Variant, opener: Opener) -> None:
        super().__init__(execution, variant)
        self._opener = opener
        self._here: Transcriber | None = None

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
