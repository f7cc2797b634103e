"""What a worker is told of a shard: all that it needs, and no more."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pytest_asrgate import __version__
from pytest_asrgate.audio import file_problem
from pytest_asrgate.config import Gate, Variant
from pytest_asrgate.errors import ModelError
from pytest_asrgate.executors.folders import place_there
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Hypothesis, Utterance
from pytest_asrgate.transcribers.rows import error_row

__all__ = ["Orders", "topic_of"]


def topic_of(run: str) -> str:
    """Where the rows of a run are published."""
    return f"asrgate-{run}"


class Orders:
    """Writes the orders of one run of a gate, in plain values: no references, no data sets, no thresholds.

    Of the secrets they hold those, and only those, that options of the engine or places of `executor.folders` are
    made of: without these it would not start. Whoever can read what is sent on the cluster can read them.

    `here` says that workers are on this machine: they then share its places, and its folder for converted audio.
    """

    def __init__(self, gate: Gate, files: FileHashes, run: str, *, here: bool) -> None:
        self._gate = gate
        self._files = files
        self._run = run
        self._here = here

    def order(
        self,
        variant: Variant,
        audio: Sequence[Mapping[str, object]],
        *,
        number: str,
        generation: int,
        expected: str | None,
    ) -> dict[str, object]:
        """The order of a shard with this audio, as `audio` gives it.

        `expected` is the fingerprint that a worker's engine must have, None for any. Raises ModelError where the
        model cannot be read here.
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
            "transcriber": {**asdict(variant.transcriber), "cores": list(variant.transcriber.cores)},
            "recipe": gate.recipe.model_dump(mode="json"),
            "model": self._model(variant),
            "folder": place_there(gate.path.parent, settings.folders),
            "gate": gate.path.name,
            "state": str(gate.state) if self._here else None,
            "places": {"folder": str(gate.state / "locks"), "count": settings.workers} if counted else None,
            "need": dict(settings.resources),
            "expected": expected,
            "utterances": [dict(each) for each in audio],
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

    def audio(self, shard: Sequence[Utterance]) -> tuple[list[dict[str, object]], list[Hypothesis]]:
        """What a worker is told of each utterance, and error rows for those whose audio cannot be read here."""
        found: list[dict[str, object]] = []
        lost: list[Hypothesis] = []
        for utterance in shard:
            try:
                problem = file_problem(utterance.audio)
                if problem is not None:
                    lost.append(error_row(utterance, f"{utterance.audio}: {problem}"))
                    continue
                sha256 = self._files.sha256(utterance.audio)
            except OSError as error:
                lost.append(error_row(utterance, f"{utterance.audio}: cannot be read ({error.strerror})"))
                continue
            there = place_there(utterance.audio, self._gate.executor.folders)
            found.append(
                {
                    "id": utterance.id,
                    "there": there,
                    "name": utterance.audio.name,
                    "sha256": sha256,
                    "language": utterance.language,
                }
            )
        return found, lost
