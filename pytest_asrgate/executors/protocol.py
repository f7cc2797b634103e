"""What a place that decodes shards is to the gate."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol

from pytest_asrgate.config import Variant
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber

__all__ = ["Deliver", "Execution"]

# Takes one row as it is finished, from any thread.
Deliver = Callable[[Hypothesis], None]


class Execution(Protocol):
    """Decodes shards of any variant of a gate, several at once, on a `concurrent.futures.Executor`."""

    @property
    def workers(self) -> int:
        """How many shards it decodes at once, at least 1; it may change while a cluster grows."""
        ...

    @property
    def serial(self) -> bool:
        """Whether `single` does all that this execution can, with no thread or message between."""
        ...

    @property
    def runs_here(self) -> bool:
        """Whether this machine decodes, so that the engine must be installed here."""
        ...

    def submit(self, variant: Variant, shard: Sequence[Utterance], deliver: Deliver) -> "Future[list[Hypothesis]]":
        """Decode a shard; rows are delivered as they finish, and are all in the result as well.

        The future raises TranscriberError where the engine cannot be used.
        """
        ...

    def single(self, variant: Variant, *, beside: bool = False) -> Transcriber:
        """The variant's engine in one process, in the order it is asked; `beside` another engine that stays."""
        ...

    def identity(self, variant: Variant) -> Identity:
        """Who decodes this variant."""
        ...

    def findings(self, variant: Variant) -> tuple[str, ...]:
        """Warnings that the variant's engines printed in this session, each once."""
        ...

    def check(self) -> None:
        """TranscriberError where nobody is left to decode what was submitted."""
        ...

    def interrupt(self) -> None:
        """End every shard that runs, soon; their futures fail. Others may be submitted afterwards."""
        ...

    def release(self, variant: Variant | None = None) -> None:
        """End the idle engines of a variant, or all of them; they start again where they are needed."""
        ...

    def close(self) -> None:
        """End everything; calling it twice is fine."""
        ...
