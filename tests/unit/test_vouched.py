"""Claims about an engine whose model must stay the one that was checked."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pytest_asrgate.errors import ReplacedFileError
from pytest_asrgate.executors.vouched import VouchedTranscriber
from pytest_asrgate.hashing import FileHashes, file_sha256, stamp_of
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.watched import WatchedFiles

CLIPS = [Utterance(f"u{number}", Path(f"{number}.wav"), "") for number in range(3)]


class Engine:
    """An engine whose model becomes another one while it decodes the second clip."""

    keeps_results = True
    keeps_process = True
    loads_to_identify = False

    def __init__(self, model: Path, content: bytes) -> None:
        self.model = model
        self.content = content

    def identity(self) -> Identity:
        """The same always."""
        return Identity("engine", {})

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """A row for each."""
        for utterance in utterances:
            if utterance.id == "u1":
                self.model.write_bytes(self.content)
            yield Hypothesis(utterance.id, "text")

    def findings(self) -> tuple[str, ...]:
        """None."""
        return ()

    def interrupt(self) -> None:
        """Nothing to end."""

    def close(self) -> None:
        """Nothing to end."""


def _vouched(model: Path, content: bytes) -> VouchedTranscriber:
    model.write_bytes(b"one")
    watched = WatchedFiles(FileHashes())
    watched.know(model, stamp_of(model), file_sha256(model))
    return VouchedTranscriber(Engine(model, content), watched)


def test_no_row_of_a_replaced_model_is_given(tmp_path: Path) -> None:
    """Those before it are; from then on every call says what happened."""
    vouched = _vouched(tmp_path / "model", b"two")
    given = vouched.transcribe(CLIPS)
    assert next(given).id == "u0"
    with pytest.raises(ReplacedFileError, match="was replaced during the run"):
        next(given)
    with pytest.raises(ReplacedFileError):
        vouched.identity()


def test_the_same_bytes_written_again_are_the_same_model(tmp_path: Path) -> None:
    """A new stamp alone is nothing."""
    rows = _vouched(tmp_path / "model", b"one").transcribe(CLIPS)
    assert [row.id for row in rows] == ["u0", "u1", "u2"]
