"""The engine of one variant, wherever an execution runs it."""

from pytest_asrgate.config import Variant
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.registry import KINDS

__all__ = ["VariantEngine"]


class VariantEngine:
    """All of a transcriber that does not depend on how it cuts its work: the execution knows it."""

    keeps_results = True
    loads_to_identify = False

    def __init__(self, execution: Execution, variant: Variant) -> None:
        self._execution = execution
        self._variant = variant
        self.keeps_process = not KINDS[variant.transcriber.kind].reloads

    def identity(self) -> Identity:
        """Who decodes, the same on every worker."""
        return self._execution.identity(self._variant)

    def findings(self) -> tuple[str, ...]:
        """Warnings that the variant's engines printed in this session, on any worker, each once."""
        return self._execution.findings(self._variant)

    def interrupt(self) -> None:
        """End what is decoded."""
        self._execution.interrupt()

    def close(self) -> None:
        """End the variant's engines; they start again where they are needed."""
        self._execution.release(self._variant)
