"""Registers the stand-in engine of `asrgate_fake_engine.py` as the kind `fake`: `-p asrgate_fake`.

Apart from the engine, so that a worker process, of which the tests start more than a thousand, imports no more than
one of a real engine does.
"""

from pytest_asrgate.config import Gate, Variant
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.transcribers.native import NativeTranscriber
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.registry import KINDS, Kind


def _open(gate: Gate, variant: Variant, dataset: str, files: FileHashes) -> NativeTranscriber:
    model = variant.model
    assert model is not None
    return NativeTranscriber(
        engine="asrgate_fake_engine:FakeEngine",
        model=model,
        settings=variant.transcriber,
        recipe=gate.recipe,
        identify=lambda watched: Identity(
            watched.sha256(model), {"engine": "fake", "model_sha256": watched.sha256(model)}
        ),
        files=files,
        # As with a real engine: of any other it is not known which device it takes.
        backend_known=variant.transcriber.backend == "cpu",
    )


KINDS["fake"] = Kind(_open, needs_model=True)
