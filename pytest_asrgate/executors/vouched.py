"""An engine whose model file must stay the one that was checked, however long the engine is kept."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_asrgate.errors import ModelError
from pytest_asrgate.executors.fetch import another_file
from pytest_asrgate.hashing import file_sha256
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.watched import Stamp, stamp_of

__all__ = ["VouchedTranscriber"]


class VouchedTranscriber:
    """Gives no row after its model was replaced by another one, whose rows would count as the first one's.

    Every call raises ModelError, with a clause that names path and both hashes, once that has happened.
    """

    def __init__(self, transcriber: Transcriber, model: Path, sha256: str, stamp: Stamp | None) -> None:
        """`stamp` is what the file had before its bytes were checked to have this SHA-256."""
        self._transcriber = transcriber
        self._model = model
        self._sha256 = sha256
        self._stamp = stamp
        self.keeps_results = transcriber.keeps_results
        self.keeps_process = transcriber.keeps_process

    @property
    def loads_to_identify(self) -> bool:
        """As the engine does."""
        return self._transcriber.loads_to_identify

    def _check(self) -> None:
        stamp = stamp_of(self._model)
        # An engine has the model that is gone; one that starts anew will say so itself.
        if stamp is None or stamp == self._stamp:
            return
        try:
            found = file_sha256(self._model)
        except OSError as error:
            raise ModelError(f"{self._model} cannot be read any more ({error.strerror})") from error
        if found != self._sha256:
            raise ModelError(
                f"{another_file(os.fspath(self._model), found, self._sha256)}; it was replaced during the run"
            )
        self._stamp = stamp

    def identity(self) -> Identity:
        """As the engine says."""
        self._check()
        return self._transcriber.identity()

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """The engine's rows, each checked before it is given."""
        self._check()
        for row in self._transcriber.transcribe(utterances):
            self._check()
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
