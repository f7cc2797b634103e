"""transcribe.cpp through its PyPI binding: the engine inside the worker, and its identity from files alone."""

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_asrgate.audio import SAMPLE_RATE_HZ
from pytest_asrgate.config import Recipe, TranscriberSettings
from pytest_asrgate.errors import EngineMissingError, ModelError, TranscriberError
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import RowStatus
from pytest_asrgate.transcribers.protocol import EngineOutput, EngineReport, Identity
from pytest_asrgate.transcribers.watched import WatchedFiles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["BACKENDS", "OPTIONS", "TranscribeCppEngine", "check_installed", "check_model", "identify"]

OPTIONS = ("no_mmap",)
BACKENDS = ("auto", "cpu", "cpu_accel", "metal", "vulkan", "cuda", "rocm")

_WHISPER_ONLY = (
    "temperatures",
    "compression_ratio",
    "logprob",
    "no_speech",
    "condition_on_previous",
    "seed",
)
_MISSING = (
    "the engine transcribe-cpp is not installed; install the example extra (pytest-asrgate[example]) "
    "or the package transcribe-cpp"
)


def check_model(path: Path) -> None:
    """ModelError unless `path` is a GGUF file."""
    with path.open("rb") as file:
        magic = file.read(4)
    if magic != b"GGUF":
        raise ModelError(
            f"{path}: is no GGUF file (it starts with {magic!r}); give a model made for transcribe.cpp"
        )


def check_installed() -> str:
    """The binding's version; EngineMissingError where it is not installed."""
    try:
        return version("transcribe-cpp")
    except PackageNotFoundError:
        raise EngineMissingError(_MISSING) from None


def _native_libraries() -> list[Path]:
    """The files of the native library that the binding will load, found without loading it."""
    override = os.environ.get("TRANSCRIBE_LIBRARY")
    if override:
        library = Path(override)
        if not library.is_file():
            raise TranscriberError(f"the environment variable TRANSCRIBE_LIBRARY names {library}, which is no file")
        # Its neighbours may be all of a system's libraries; those of ggml are the ones that it loads.
        return [library, *(path for path in library.parent.glob("libggml*") if path != library)]
    spec = importlib.util.find_spec("transcribe_cpp_native")
    if not spec or not spec.origin:
        return []
    return [path for path in (Path(spec.origin).parent / "_native").iterdir() if path.is_file()]


def identify(
    model: Path, settings: TranscriberSettings, files: FileHashes | WatchedFiles | None = None
) -> Identity:
    """Who will transcribe, from files: package versions, the bytes of the native libraries and of the model.

    Hashing the libraries is what notices a rebuilt kernel under an unchanged version; `files` knows those that were
    hashed before. Raises EngineMissingError where the binding is not installed.
    """
    binding, files = check_installed(), files or FileHashes()
    shaping = {
        "kind": "transcribe-cpp",
        "binding": binding,
        "libraries": files.combined(_native_libraries()),
        "model_sha256": files.sha256(model),
        "backend": settings.backend,
        "options": dict(settings.options),
        "environment": {key: value for key, value in sorted(os.environ.items()) if key.startswith("TRANSCRIBE_")},
    }
    fingerprint = hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()
    provenance = {
        "engine": "transcribe-cpp",
        "engine_version": binding,
        "library_sha256": shaping["libraries"],
        "model": model.name,
        "model_sha256": shaping["model_sha256"],
        "model_bytes": model.stat().st_size,
        "requested_backend": settings.backend,
    }
    return Identity(fingerprint, provenance)


def _log(level: int, message: str) -> None:
    """Keep the library's warnings (2) and errors (3) in the worker's output, where a failure quotes them."""
    mark = {2: "[warn] ", 3: "[error] "}.get(level)
    if mark:
        text = message.strip()
        sys.stderr.write((text if text.startswith(mark) else mark + text) + "\n")


def _ladder_step(temperatures: list[float]) -> float:
    """The increment of the fallback ladder; the library climbs from 0.0 by equal steps up to 1.0, or not at all."""
    if len(temperatures) == 1:
        return 0.0
    step = temperatures[1] - temperatures[0]
    even = all(abs(b - a - step) < 1e-6 for a, b in pairwise(temperatures))
    if not even or temperatures[-1] + step < 1.0 + 1e-6:
        raise TranscriberError(
            "transcribe-cpp climbs temperatures by equal steps up to 1.0: "
            f"recipe.temperatures = {temperatures} cannot be set; use [0.0] or such as [0.0, 0.5, 1.0]"
        )
    return step


class TranscribeCppEngine:
    """The binding inside the worker process: greedy, one utterance a call."""

    def __init__(self) -> None:
        try:
            import transcribe_cpp  # noqa: PLC0415 - loads native code: only ever inside the worker
        except ImportError as error:
            raise EngineMissingError(_MISSING) from error
        transcribe_cpp.set_log_callback(_log)
        self._library: Any = transcribe_cpp
        self._session: Any = None
        self._family: Any = None
        self._timestamps = "none"

    def load(
        self, model: Path | None, backend: str, options: Mapping[str, object], recipe: Mapping[str, object]
    ) -> EngineReport:
        """Load the model under the recipe; ModelError or TranscriberError where that cannot be done."""
        wanted = Recipe.model_validate(recipe)
        if model is None:
            raise ModelError("transcribe-cpp needs a model; give the variant's model key")
        library = self._library
        try:
            loaded = library.Model(str(model), backend=backend, no_mmap=bool(options.get("no_mmap", False)))
            self._session = loaded.session(n_threads=wanted.threads, kv_type=wanted.kv_type)
        except (library.TranscribeError, ValueError) as error:
            raise ModelError(f"{model}: transcribe-cpp cannot load it on backend {backend!r} ({error})") from error
        self._timestamps = wanted.timestamps
        not_controllable: tuple[str, ...] = _WHISPER_ONLY
        if loaded.accepts(library.WhisperRunOptions()):
            self._family = library.WhisperRunOptions(
                seed=wanted.seed,
                temperature=wanted.temperatures[0],
                temperature_inc=_ladder_step(list(wanted.temperatures)),
                compression_ratio_thold=wanted.compression_ratio,
                logprob_thold=wanted.logprob,
                no_speech_thold=wanted.no_speech,
                condition_on_prev_tokens=wanted.condition_on_previous,
            )
            not_controllable = ()
        return EngineReport(
            provenance={
                "native_version": library.native_version(),
                "commit": library.native_commit(),
                "provider": library.native_provider(),
                "architecture": f"{loaded.arch} {loaded.variant}".strip(),
                "backend": loaded.backend,
                "device": loaded.device.description or loaded.device.name,
            },
            not_controllable=not_controllable,
        )

    def run(self, samples: "NDArray[np.float32]", language: str) -> EngineOutput:
        """Transcribe one utterance; truncation and stopped repetition keep their partial text."""
        library = self._library
        try:
            result = self._session.run(samples, language=language, timestamps=self._timestamps, family=self._family)
        except library.OutputTruncated as error:
            repeats = isinstance(error, library.OutputRepetition)
            partial = error.partial_result
            return EngineOutput(
                text=partial.text if partial else "",
                raw_text=partial.raw_text if partial else None,
                status=RowStatus.REPETITION if repeats else RowStatus.TRUNCATED,
                detail=str(error),
            )
        except library.TranscribeError as error:
            # Its own words mislead: a clip of 50 ms is told as a model that cannot be loaded.
            seconds = len(samples) / SAMPLE_RATE_HZ
            hint = ", which may be too short for it" if seconds < 0.5 else ""
            raise TranscriberError(
                f"the engine refused this clip of {seconds:.2f} s{hint} ({type(error).__name__}: {error})"
            ) from error
        timings = result.timings
        return EngineOutput(
            text=result.text,
            # Equal but for white space says nothing new.
            raw_text=result.raw_text if result.raw_text.split() != result.text.split() else None,
            timings={"mel_ms": timings.mel_ms, "encode_ms": timings.encode_ms, "decode_ms": timings.decode_ms},
        )
