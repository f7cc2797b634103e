"""What a worker is told of a shard: all that it needs, and no more."""

from collections.abc import Sequence
from dataclasses import asdict

from pytest_asrgate import __version__
from pytest_asrgate.config import Gate, Variant
from pytest_asrgate.errors import ModelError, TranscriberError
from pytest_asrgate.executors.folders import place_there
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Utterance

__all__ = ["Orders", "topic_of"]


def topic_of(run: str) -> str:
    """Where the rows of a run are published."""
    return f"asrgate-{run}"


class Orders:
    """Writes the orders of one run of a gate, in plain values: no data sets, no thresholds, no secrets.

    `here` says that workers are on this machine: they then share its places, and its folder for converted audio.
    """

    def __init__(self, gate: Gate, files: FileHashes, run: str, *, here: bool) -> None:
        self._gate = gate
        self._files = files
        self._run = run
        self._here = here

    def order(
        self, variant: Variant, shard: Sequence[Utterance], *, number: str, generation: int, expected: str | None
    ) -> dict[str, object]:
        """The order of a shard; `expected` is the fingerprint that a worker's engine must have, None for any.

        Raises TranscriberError where the model or an audio file cannot be read here.
        """
        gate, settings = self._gate, self._gate.executor
        counted = self._here and settings.workers is not None
        return {
            "version": __version__,
            "run": self._run,
            "topic": topic_of(self._run),
            "shard": number,
            "variant": variant.name,
            "generation": generation,
            "transcriber": asdict(variant.transcriber),
            "recipe": gate.recipe.model_dump(mode="json"),
            "model": self._model(variant),
            "folder": place_there(gate.path.parent, settings.folders),
            "gate": gate.path.name,
            "state": str(gate.state) if self._here else None,
            "places": {"folder": str(gate.state / "locks"), "count": settings.workers} if counted else None,
            "need": dict(settings.resources),
            "expected": expected,
            "utterances": [self._audio(variant, utterance) for utterance in shard],
        }

    def _model(self, variant: Variant) -> dict[str, object] | None:
        model = variant.model
        if model is None:
            return None
        try:
            sha256 = self._files.sha256(model)
        except OSError as error:
            raise ModelError(f"variant.{variant.name}.model: {model} cannot be read ({error.strerror})") from error
        return {"there": place_there(model, self._gate.executor.folders), "name": model.name, "sha256": sha256}

    def _audio(self, variant: Variant, utterance: Utterance) -> dict[str, object]:
        try:
            sha256 = self._files.sha256(utterance.audio)
        except OSError as error:
            raise TranscriberError(
                f"variant.{variant.name}: {utterance.audio} cannot be read any more ({error.strerror})"
            ) from error
        return {
            "id": utterance.id,
            "there": place_there(utterance.audio, self._gate.executor.folders),
            "name": utterance.audio.name,
            "sha256": sha256,
            "language": utterance.language,
        }
