"""Reads a gate file in three passes: syntax (stops at the first), fields, and names that must fit together."""

import copy
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_asrgate.config.crosscheck import cross_check
from pytest_asrgate.config.executor import executor_problems
from pytest_asrgate.config.gate import Dataset, ExecutorSettings, Gate, Pair, TranscriberSettings, Variant, redacted
from pytest_asrgate.config.judge import judge_problems, judge_settings, secret_problems, without_unset
from pytest_asrgate.config.pending import pending
from pytest_asrgate.config.problems import dotted, from_validation
from pytest_asrgate.config.schema import GateFile, VariantTable
from pytest_asrgate.config.thresholds import resolve
from pytest_asrgate.errors import GateFileError
from pytest_asrgate.records import Problem
from pytest_asrgate.values import shown

__all__ = ["KindCheck", "load_gate", "resolve_gate"]

KindCheck = Callable[[GateFile], Sequence[Problem]]

_REFERENCE = re.compile(r"\$\{([^}]*)\}")


# In bytes; ten thousand variants with every key take a few.
_LARGEST = 50_000_000
# No key of ours stands deeper than six; an engine's own options may go on from there.
_DEEPEST = 50


def _refused(path: Path, message: str) -> GateFileError:
    return GateFileError(path, [Problem("gate file", message)])


def _read(path: Path) -> dict[str, Any]:
    try:
        # Opening a pipe may wait for ever, and a device may never end.
        if path.exists() and not path.is_file() and not path.is_dir():
            raise _refused(path, "is a device or a pipe and no regular file")
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        message = f"cannot be read ({error.strerror}); give a gate file with --asrgate-config"
        raise _refused(path, message) from error
    except ValueError as error:
        raise _refused(path, f"cannot be read ({error}); give a gate file with --asrgate-config") from error
    if len(data) > _LARGEST:
        raise _refused(path, f"is larger than {_LARGEST // 1_000_000} MB, and so no gate file")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _refused(path, f"byte {error.start} (line {line}) is not UTF-8; save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:
        # Beside its own errors the reader lets out what Python says of huge numbers and deep nesting.
        raise GateFileError(path, [Problem("TOML syntax", str(error))]) from error


def _expand(
    value: Any, where: tuple[object, ...], problems: list[Problem], secrets: dict[str, str] | None = None
) -> Any:
    """Replace `${NAME}` in every string by the environment variable of that name, and note it in `secrets`.

    Without `secrets` strings stay as they are. What is nested too deeply to be of use is left out, with a problem:
    everything after this goes down by itself.
    """
    if len(where) > _DEEPEST:
        problems.append(Problem(dotted(where[:3]), f"is nested more than {_DEEPEST} deep; flatten it"))
        return None
    if isinstance(value, dict):
        return {key: _expand(item, (*where, key), problems, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [_expand(item, (*where, number), problems, secrets) for number, item in enumerate(value)]
    if secrets is None or not isinstance(value, str):
        return value

    def variable(match: re.Match[str]) -> str:
        name = match.group(1)
        if name not in os.environ:
            problems.append(
                Problem(
                    dotted(where), f"the environment variable {shown(name)} is not set; set it or write the value"
                )
            )
            return match.group(0)
        secrets[os.environ[name]] = match.group(0)
        return os.environ[name]

    return _REFERENCE.sub(variable, value)


def _rest(raw: Mapping[str, Any], error: ValidationError) -> GateFile | None:
    """The file without the keys that were refused, so that the later checks can speak of what is left."""
    kept: dict[str, Any] = copy.deepcopy(dict(raw))
    for item in error.errors():
        *above, last = (part for part in item["loc"] if part != "[key]")
        table: Any = kept
        for part in above:
            table = table.get(part) if isinstance(table, dict) else None
        if isinstance(table, dict):
            table.pop(last, None)
    try:
        return GateFile.model_validate(kept)
    except ValidationError:
        return None


def _variant(name: str, table: VariantTable, file: GateFile, root: Path, secrets: Mapping[str, str]) -> Variant:
    engine = table.transcriber or next(iter(file.transcriber))
    settings = file.transcriber[engine]
    return Variant(
        name=name,
        transcriber=TranscriberSettings(
            name=engine,
            kind=settings.kind,
            backend=settings.backend,
            timeout_s=settings.timeout_s,
            memory_mb=settings.memory_mb,
            options=settings.options,
            repeat=settings.repeat,
            deterministic=settings.deterministic,
            nice=file.executor.nice,
        ),
        model=root / table.model if table.model else None,
        make=table.make,
        make_shown=redacted(" ".join(table.make or ()), secrets),
        baseline=table.baseline or file.gate.baseline,
    )


def _executor(file: GateFile, root: Path) -> ExecutorSettings:
    table = file.executor
    return ExecutorSettings(
        kind=table.kind,
        workers=table.workers,
        devices=tuple(table.devices),
        pin=table.pin,
        address=table.address,
        cluster=table.cluster,
        resources=table.resources,
        retries=table.retries,
        wait_s=table.wait_s,
        # By text, since "." and ".." must not stay in what other paths are compared with.
        folders={Path(os.path.normpath(root / here)): there for here, there in table.folders.items()},
    )


def _resolved(
    path: Path, file: GateFile, notes: Sequence[str], secrets: Mapping[str, str], unset: tuple[str, ...]
) -> Gate:
    root = path.parent
    variants = {name: _variant(name, table, file, root, secrets) for name, table in file.variant.items()}
    datasets = {
        name: Dataset(
            name=name,
            manifest=root / table.manifest,
            language=table.language,
            metric=table.metric,
            normaliser=table.normaliser,
            dediarize=table.dediarize,
            speakers=table.speakers,
            catastrophic_rate=table.catastrophic_rate,
            max_audio_s=table.max_audio_s,
            audio_outside=table.audio_outside,
            slices={tag: part.thresholds for tag, part in table.slice.items()},
            judged=tuple(dict.fromkeys(table.judged)),
        )
        for name, table in file.dataset.items()
    }
    pairs = []
    for variant, variant_table in file.variant.items():
        for dataset, dataset_table in file.dataset.items():
            levels = [file.thresholds, dataset_table.thresholds, variant_table.thresholds]
            special = variant_table.dataset.get(dataset)
            if special:
                levels.append(special.thresholds)
            pairs.append(
                Pair(
                    variant=variants[variant],
                    dataset=datasets[dataset],
                    thresholds=resolve(levels),
                    expected_to_fail=special is not None and special.expect == "fail",
                )
            )
    return Gate(
        path=path,
        state=root / file.gate.state,
        inconclusive_passes=file.gate.inconclusive == "warn",
        recipe=file.recipe,
        variants=variants,
        datasets=datasets,
        pairs=tuple(pairs),
        stop_early=file.gate.stop_early,
        early_seed=file.gate.early_seed,
        executor=_executor(file, root),
        judge=replace(judge_settings(file, root), unset=unset),
        notes=tuple(notes),
        secrets=dict(secrets),
    )


def _checked(
    path: Path,
    raw: Mapping[str, Any],
    kind_check: KindCheck | None,
    problems: list[Problem],
    *,
    secrets: Mapping[str, str],
    unset: tuple[str, ...] = (),
) -> Gate:
    """The passes over fields and names, and the gate; GateFileError with their problems and those found before."""
    file: GateFile | None
    try:
        file = GateFile.model_validate(raw)
    except ValidationError as error:
        problems += from_validation(GateFile, error)
        file = _rest(raw, error)
    problems += cross_check(raw)
    notes: list[str] = []
    if file is not None:
        notes = pending(file)
        problems += executor_problems(file.executor)
        problems += judge_problems(file.judge)
        problems += kind_check(file) if kind_check else ()
    if problems or file is None:
        shown = [Problem(problem.key, redacted(problem.message, secrets)) for problem in problems]
        raise GateFileError(path, shown)
    return _resolved(path, file, notes, secrets, unset)


def load_gate(path: Path, kind_check: KindCheck | None = None) -> Gate:
    """Read and resolve the gate file at `path`.

    `kind_check` adds what only the transcribers know (their kinds and options), so that this layer need not
    import them. Raises GateFileError with the first TOML syntax error, or else with all problems of the file.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): a linked gate file keeps its own folder
    problems: list[Problem] = []
    secrets: dict[str, str] = {}
    written = _read(path)
    problems += secret_problems(written)
    written, unset = without_unset(written)
    raw: Mapping[str, Any] = _expand(written, (), problems, secrets)
    return _checked(path, raw, kind_check, problems, secrets=secrets, unset=unset)


def resolve_gate(path: Path, raw: Mapping[str, Any], kind_check: KindCheck | None = None) -> Gate:
    """Resolve the tables `raw` as if they stood in a gate file at `path`, which is neither read nor needed.

    No environment variable is filled in. Raises GateFileError with all problems, as `load_gate` does.
    """
    problems: list[Problem] = []
    tables: Mapping[str, Any] = _expand(raw, (), problems)
    path = Path(os.path.abspath(path))  # noqa: PTH100 - as above
    return _checked(path, tables, kind_check, problems, secrets={})
