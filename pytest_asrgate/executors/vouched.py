"""An engine whose model file must stay the one that was checked, however long the engine is kept."""

from collections.abc import Iterator, Sequence

from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.watched import WatchedFiles

__all__ = ["VouchedTranscriber"]


class VouchedTranscriber:
    """Gives no row after its model was replaced by another one, whose rows would count as the first one's.

    Every call raises ReplacedFileError once that has happened.
    """

    def __init__(self, transcriber: Transcriber, model: WatchedFiles) -> None:
        """`model` knows the file by the hash that the controller asked for."""
        self._transcriber = transcriber
        self._model = model
        self.keeps_results = transcriber.keeps_results
        self.keeps_process = transcriber.keeps_process

    @property
    def loads_to_identify(self) -> bool:
        """As the engine does."""
        return self._transcriber.loads_to_identify

    def identity(self) -> Identity:
        """As the engine says."""
        self._model.check()
        return self._transcriber.identity()

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """The engine's rows, each checked before it is given."""
        self._model.check()
        for row in self._transcriber.transcribe(utterances):
            self._model.check()
            yield row

    def findings(self) -> tuple[str, ...]:
        """As the engine says."""
        return self._transcriber.findings()

    def interrupt(self) -> None:
        """End what is decoded."""
        self._transcriber.interrupt()

    def close(self) -> None:
        """End the engine."""
        self._transcriber.close()
