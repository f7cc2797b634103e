"""The kinds of transcriber that gate.toml may name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.config import Gate, TranscriberSettings, Variant
from pytest_asrgate.config.problems import nearest
from pytest_asrgate.config.schema import GateFile
from pytest_asrgate.errors import ModelError
from pytest_asrgate.records import Problem
from pytest_asrgate.transcribers import replay, transcribe_cpp
from pytest_asrgate.transcribers.native import NativeTranscriber
from pytest_asrgate.transcribers.protocol import Identity, Transcriber

__all__ = ["KINDS", "Kind", "kind_problems", "open_transcriber"]


Opener = Callable[[Gate, Variant, str], Transcriber]


@dataclass(frozen=True, slots=True)
class Kind:
    """What the gate must know of a kind before anything runs; `stored` kinds have one file for each pair."""

    open: Opener
    options: tuple[str, ...] = ()
    needs_model: bool = False
    required: tuple[str, ...] = ()
    stored: bool = False


def _identify(model: Path, settings: TranscriberSettings, variant: str) -> Identity:
    try:
        transcribe_cpp.check_model(model)
        return transcribe_cpp.identify(model, settings)
    except ModelError as error:
        raise ModelError(f"variant.{variant}.model: {error}") from error
    except OSError as error:
        raise ModelError(f"variant.{variant}.model: {model} cannot be read ({error.strerror})") from error


def _open_transcribe_cpp(gate: Gate, variant: Variant, dataset: str) -> Transcriber:  # noqa: ARG001 - any dataset
    settings, model = variant.transcriber, variant.model
    if model is None:
        raise ModelError(f"variant.{variant.name}.model: must be given: transcribe-cpp needs a model")
    return NativeTranscriber(
        engine="pytest_asrgate.transcribers.transcribe_cpp:TranscribeCppEngine",
        model=model,
        settings=settings,
        recipe=gate.recipe,
        identify=lambda: _identify(model, settings, variant.name),
        # "auto" and the accelerators are known only once the library has chosen a device.
        backend_known=settings.backend == "cpu",
    )


def _open_replay(gate: Gate, variant: Variant, dataset: str) -> Transcriber:
    pattern = str(variant.transcriber.options["hypotheses"])
    return replay.ReplayTranscriber(gate.path.parent / replay.hypotheses_path(pattern, variant.name, dataset))


KINDS: dict[str, Kind] = {
    "transcribe-cpp": Kind(_open_transcribe_cpp, options=transcribe_cpp.OPTIONS, needs_model=True),
    "replay": Kind(_open_replay, options=replay.OPTIONS, required=("hypotheses",), stored=True),
}


def kind_problems(file: GateFile) -> list[Problem]:
    """What is wrong with the transcribers of a gate file: kinds, options, and models that they need."""
    problems = []
    for name, table in file.transcriber.items():
        kind = KINDS.get(table.kind)
        if kind is None:
            message = f"this version has no transcriber of kind {table.kind!r}" + nearest(table.kind, KINDS)
            problems.append(Problem(f"transcriber.{name}.kind", message))
            continue
        for option, value in table.options.items():
            key = f"transcriber.{name}.options.{option}"
            if option not in kind.options:
                problems.append(Problem(key, f"unknown option of {table.kind}" + nearest(option, kind.options)))
            elif option == "no_mmap" and not isinstance(value, bool):
                problems.append(Problem(key, f"must be true or false; got {value!r}"))
            elif option == "hypotheses" and not isinstance(value, str):
                problems.append(
                    Problem(key, f"must be a path, with {{variant}} and {{dataset}} in it; got {value!r}")
                )
        for option in kind.required:
            if option not in table.options:
                problems.append(Problem(f"transcriber.{name}.options.{option}", f"must be given for {table.kind}"))
    for name, variant in file.variant.items():
        settings = file.transcriber.get(variant.transcriber or next(iter(file.transcriber), ""))
        kind = KINDS.get(settings.kind) if settings else None
        if settings and kind and kind.needs_model and variant.model is None:
            problems.append(Problem(f"variant.{name}.model", f"must be given: {settings.kind} needs a model"))
    return problems


def open_transcriber(gate: Gate, variant: Variant, dataset: str) -> Transcriber:
    """The transcriber of a pair; nothing runs yet. KeyError for a kind that `kind_problems` would have refused."""
    return KINDS[variant.transcriber.kind].open(gate, variant, dataset)
