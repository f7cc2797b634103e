"""The kinds of transcriber that gate.toml may name."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.config import Gate, TranscriberSettings, Variant
from pytest_asrgate.config.problems import nearest
from pytest_asrgate.config.schema import GateFile, TranscriberTable
from pytest_asrgate.errors import EngineMissingError, ModelError
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Problem
from pytest_asrgate.transcribers import replay, transcribe_cli, transcribe_cpp
from pytest_asrgate.transcribers.command import command_problem, command_transcriber
from pytest_asrgate.transcribers.native import NativeTranscriber
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.transcribe_cli import CliTranscriber
from pytest_asrgate.transcribers.watched import WatchedFiles
from pytest_asrgate.values import shown

__all__ = ["KINDS", "Kind", "check_engine", "kind_problems", "open_transcriber"]


# Of a gate, a variant and the name of a data set; identities are made of hashes of files, which may be known.
Opener = Callable[[Gate, Variant, str, FileHashes], Transcriber]


@dataclass(frozen=True, slots=True)
class Kind:
    """What the gate must know of a kind before anything runs; `stored` kinds have one file for each pair.

    `options` None means that unknown options are the program's own, no `backends` that any name will do;
    `installed` raises EngineMissingError where the engine's package is absent; `batches` says that batch_size may
    be over 1, `sends_batches` that utterances then go in groups (others only pass the number on); `reloads` that
    each call of `transcribe` loads the model again.
    """

    open: Opener
    installed: Callable[[], object] | None = None
    backends: tuple[str, ...] = ()
    batches: bool = True
    options: tuple[str, ...] | None = ()
    needs_model: bool = False
    required: tuple[str, ...] = ()
    stored: bool = False
    sends_batches: bool = False
    reloads: bool = False


def _identify(model: Path, settings: TranscriberSettings, variant: str, files: WatchedFiles) -> Identity:
    try:
        transcribe_cpp.check_model(model)
        return transcribe_cpp.identify(model, settings, files)
    except ModelError as error:
        raise ModelError(f"variant.{variant}.model: {error}") from error
    except OSError as error:
        raise ModelError(f"variant.{variant}.model: {model} cannot be read ({error.strerror})") from error


def _open_transcribe_cpp(
    gate: Gate,
    variant: Variant,
    dataset: str,  # noqa: ARG001 - any dataset
    files: FileHashes,
) -> Transcriber:
    settings, model = variant.transcriber, variant.model
    if model is None:
        raise ModelError(f"variant.{variant.name}.model: must be given: transcribe-cpp needs a model")
    return NativeTranscriber(
        engine="pytest_asrgate.transcribers.transcribe_cpp:TranscribeCppEngine",
        model=model,
        settings=settings,
        recipe=gate.recipe,
        identify=lambda watched: _identify(model, settings, variant.name, watched),
        files=files,
        # "auto" and the accelerators are known only once the library has chosen a device.
        backend_known=settings.backend == "cpu",
    )


def _open_transcribe_cli(
    gate: Gate,
    variant: Variant,
    dataset: str,  # noqa: ARG001 - any dataset
    files: FileHashes,
) -> Transcriber:
    settings, model = variant.transcriber, variant.model
    if model is None:
        raise ModelError(f"variant.{variant.name}.model: must be given: transcribe-cli needs a model")
    option = str(settings.options["path"])
    beside = gate.path.parent / option
    found = beside if beside.is_file() else shutil.which(option)
    if found is None:
        raise EngineMissingError(
            f"transcriber.{settings.name}.options.path: there is no program {beside}; build transcribe-cli "
            "(fixtures/build_cli.py does) or give the path of one"
        )
    try:
        transcribe_cpp.check_model(model)
    except ModelError as error:
        raise ModelError(f"variant.{variant.name}.model: {error}") from error
    return CliTranscriber(
        program=Path(found),
        model=model,
        settings=settings,
        recipe=gate.recipe,
        state=gate.state,
        redact=gate.redact,
        files=files,
    )


def _open_command(
    gate: Gate,
    variant: Variant,
    dataset: str,  # noqa: ARG001 - any dataset
    files: FileHashes,
) -> Transcriber:
    folder = gate.path.parent
    return command_transcriber(variant.transcriber, gate.recipe, variant.model, folder, gate.redact, files=files)


def _open_replay(
    gate: Gate,
    variant: Variant,
    dataset: str,
    files: FileHashes,  # noqa: ARG001 - the file is read anyway
) -> Transcriber:
    pattern = str(variant.transcriber.options["hypotheses"])
    return replay.ReplayTranscriber(gate.path.parent / replay.hypotheses_path(pattern, variant.name, dataset))


KINDS: dict[str, Kind] = {
    "transcribe-cpp": Kind(
        _open_transcribe_cpp,
        installed=transcribe_cpp.check_installed,
        backends=transcribe_cpp.BACKENDS,
        batches=False,
        options=transcribe_cpp.OPTIONS,
        needs_model=True,
    ),
    "transcribe-cli": Kind(
        _open_transcribe_cli,
        backends=transcribe_cpp.BACKENDS,
        options=transcribe_cli.OPTIONS,
        needs_model=True,
        required=("path",),
        sends_batches=True,
        reloads=True,
    ),
    "command": Kind(_open_command, options=None, required=("command",)),
    "replay": Kind(_open_replay, options=replay.OPTIONS, required=("hypotheses",), stored=True),
}


# The devices that a backend may choose among, beside that of its own name.
_AUTO = {"auto": ("cuda", "rocm", "vulkan")}


def _words(value: object) -> str | None:
    right = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return None if right else f"must be a list of words; got {shown(value)}"


def _path(value: object) -> str | None:
    return None if isinstance(value, str) and value else f"must be a path; got {shown(value)}"


def _yes_or_no(value: object) -> str | None:
    return None if isinstance(value, bool) else f"must be true or false; got {shown(value)}"


# What is wrong with the value of an option, None where nothing is.
_OPTION_PROBLEMS: dict[str, Callable[[object], str | None]] = {
    "no_mmap": _yes_or_no,
    "path": _path,
    "arguments": _words,
    "command": command_problem,
    "hypotheses": _path,
}


def _option_problems(name: str, table: TranscriberTable, kind: Kind) -> Iterator[Problem]:
    for option, value in table.options.items():
        key = f"transcriber.{name}.options.{option}"
        if kind.options is None and option not in kind.required:
            continue
        if option not in (*(kind.options or ()), *kind.required):
            yield Problem(key, f"unknown option of {table.kind}" + nearest(option, kind.options or ()))
        elif problem := _OPTION_PROBLEMS[option](value):
            yield Problem(key, problem)
    for option in kind.required:
        if option not in table.options:
            yield Problem(f"transcriber.{name}.options.{option}", f"must be given for {table.kind}")


def _repeat_problems(name: str, table: TranscriberTable, kind: Kind) -> Iterator[Problem]:
    if kind.stored:
        for key in sorted({"repeat", "deterministic"} & table.model_fields_set):
            message = f"{table.kind} reads stored hypotheses, so nothing can be decoded again; leave it out"
            yield Problem(f"transcriber.{name}.{key}", message)
    elif table.deterministic and table.repeat == 1:
        message = f"is checked by decoding again; set transcriber.{name}.repeat = 3, or leave it out"
        yield Problem(f"transcriber.{name}.deterministic", message)


def kind_problems(file: GateFile) -> list[Problem]:
    """What is wrong with the transcribers of a gate file: kinds, options, and models that they need."""
    problems: list[Problem] = []
    for name, table in file.transcriber.items():
        kind = KINDS.get(table.kind)
        if kind is None:
            message = f"this version has no transcriber of kind {table.kind!r}" + nearest(table.kind, KINDS)
            problems.append(Problem(f"transcriber.{name}.kind", message))
        else:
            problems += _option_problems(name, table, kind)
            problems += _repeat_problems(name, table, kind)
            if kind.backends and table.backend not in kind.backends:
                message = f"{table.kind} has no backend {table.backend!r}" + nearest(table.backend, kind.backends)
                problems.append(Problem(f"transcriber.{name}.backend", message))
            devices = {device.partition(":")[0] for device in file.executor.devices}
            usable = {table.backend, *_AUTO.get(table.backend, ())}
            if len(devices) == 1 and kind.backends and not devices <= usable:
                uses_none = f"transcriber.{name} has backend = {table.backend!r}, which uses none of these"
                message = f"{uses_none}; set another, or leave it out"
                problems.append(Problem("executor.devices", message))
            if not kind.batches and file.recipe.batch_size != 1:
                which = "" if name == table.kind else f" ({name})"
                message = f"must be 1: {table.kind}{which} decodes one utterance at a time"
                problems.append(Problem("recipe.batch_size", message))
    for name, variant in file.variant.items():
        settings = file.transcriber.get(variant.transcriber or next(iter(file.transcriber), ""))
        kind = KINDS.get(settings.kind) if settings else None
        if settings and kind and kind.needs_model and variant.model is None:
            problems.append(Problem(f"variant.{name}.model", f"must be given: {settings.kind} needs a model"))
    return problems


def check_engine(variant: Variant) -> None:
    """EngineMissingError, naming the transcriber, where the engine's package is not installed."""
    check = KINDS[variant.transcriber.kind].installed
    if check is None:
        return
    try:
        check()
    except EngineMissingError as error:
        raise EngineMissingError(f"transcriber.{variant.transcriber.name}: {error}") from error


def open_transcriber(gate: Gate, variant: Variant, dataset: str, files: FileHashes | None = None) -> Transcriber:
    """The transcriber of a pair; nothing runs yet. KeyError for a kind that `kind_problems` would have refused.

    `files` knows files that were hashed before; without it every file is read.
    """
    return KINDS[variant.transcriber.kind].open(gate, variant, dataset, files or FileHashes())
