"""The gate that a command's options describe: no file, the same checks, and messages that name options."""

import argparse
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_asrgate.cli.option_values import option_table
from pytest_asrgate.cli.wording import reworded
from pytest_asrgate.config import Gate, Variant, resolve_gate
from pytest_asrgate.config.fields import NAME
from pytest_asrgate.config.problems import dotted
from pytest_asrgate.config.schema import TranscriberTable
from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.errors import AsrGateError, GateFileError
from pytest_asrgate.transcribers.registry import KINDS, kind_problems

__all__ = ["CommandGate", "command_gate", "in_parts", "manifest_stem"]

# The keys of a gate file by the options that set them.
_RECIPE = ("timestamps", "language", "threads", "batch_size", "kv_type", "seed")
_TRANSCRIBER = ("backend", "timeout_s", "memory_mb")
_MEMORY_MB = TranscriberTable.model_fields["memory_mb"].default
_ENDS = (".manifest.jsonl", ".jsonl")


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def manifest_stem(manifest: str) -> str:
    """What the hypotheses of a manifest are called after: its file without the ending, or the folder of a file
    that is called just `manifest.jsonl`."""
    path = Path(manifest).absolute()
    end = next((each for each in _ENDS if path.name.lower().endswith(each)), "")
    name = path.name[: len(path.name) - len(end)]
    if name.lower() in {"", "manifest"}:
        name = path.parent.name or "manifest"
    return _one_line(name)


def _one_line(name: str) -> str:
    """A file's name without what would break a line."""
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", "_", name)


def _as_name(stem: str) -> str:
    """A stem as a name of a gate."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", stem)


def _tables(options: argparse.Namespace, variant: str, engine: str, datasets: list[str]) -> dict[str, Any]:
    """What a gate file would hold; options that were not given are left to their defaults."""
    given = {key: value for key, value in vars(options).items() if value is not None}
    dataset = {"manifest": options.manifest, "speakers": "none", "audio_outside": options.audio_outside}
    return {
        "gate": {"state": options.state},
        "recipe": {key: given[key] for key in _RECIPE if key in given},
        "executor": {"workers": options.workers} if options.workers is not None else {},
        "transcriber": {
            engine: {
                "kind": options.transcriber,
                "options": option_table(options.option),
                **{key: given[key] for key in _TRANSCRIBER if key in given},
            }
        },
        "variant": {variant: {"transcriber": engine, **({"model": options.model} if "model" in given else {})}},
        "dataset": dict.fromkeys(datasets, dataset),
    }


def _words(tables: Mapping[str, Any]) -> dict[str, str]:
    """What these tables call settings, as it stands in messages, by what the command calls them."""
    (engine, transcriber), *_ = tables["transcriber"].items()
    (variant, _), *_ = tables["variant"].items()
    kind, memory_mb = transcriber["kind"], transcriber.get("memory_mb", _MEMORY_MB)
    required = KINDS[kind].required if kind in KINDS else ()
    words = {
        f"put the model there, or give variant.{variant}.make": "put the model there",
        f"variant.{variant}.model": "--model",
        f"variant.{variant}": variant,
        **{
            f"transcriber.{engine}.options.{key}": f"--option {key}" for key in (*transcriber["options"], *required)
        },
        f"transcriber.{engine}.options": "--option",
        f"transcriber.{engine}.kind": "--transcriber",
        **{f"transcriber.{engine}.{key}": _flag(key) for key in _TRANSCRIBER},
        f"transcriber.{engine}": f"--transcriber {kind}",
        "set recipe.batch_size = 1": "leave --batch-size out",
        **{f"recipe.{key}": _flag(key) for key in _RECIPE},
        f"memory_mb = {memory_mb}": f"--memory-mb {memory_mb}",
        "executor.workers": "--workers",
        "gate.state": "--state",
        "check the dataset's manifest key": "check --manifest",
    }
    for name in tables["dataset"]:
        words |= {
            f"set dataset.{name}.audio_outside = true": "give --audio-outside",
            f'give the row one, or set dataset.{name}.language = "en"': "give the row one, or --language L",
            f"dataset.{name}.manifest": "--manifest",
            f"dataset.{name}.max_audio_s": "the longest that is taken, in seconds,",
            f"dataset.{name}": name,
        }
    return dict(sorted(words.items(), key=lambda item: -len(item[0])))


@dataclass(frozen=True, slots=True)
class CommandGate:
    """A gate of one variant, and what its settings are called in the command's messages.

    It has one dataset, or one for each language of a manifest. `stem` and `dataset_stem` are what hypotheses are
    called after: the names of files, which hold more characters than those of a gate may.
    """

    gate: Gate
    words: Mapping[str, str]
    stem: str
    dataset_stem: str

    @property
    def variant(self) -> Variant:
        """The one variant."""
        return next(iter(self.gate.variants.values()))

    def told(self, sentence: str, given: Iterable[str] = ()) -> str:
        """A sentence on settings of a gate file in the words of the command; paths, and what else was `given`,
        stay as they are."""
        manifests = (dataset.manifest for dataset in self.gate.datasets.values())
        paths = [self.variant.model, self.gate.state, *manifests]
        return reworded(sentence, self.words, {*given, *(str(path) for path in paths if path is not None)})


def _resolved(options: argparse.Namespace, datasets: list[str]) -> CommandGate:
    kind = options.transcriber
    if kind in KINDS and KINDS[kind].stored:
        raise AsrGateError(
            f"--transcriber {kind}: reads hypotheses that are there already; `asrgate score` scores them"
        )
    # Also of a folder, whose name is not what is wrong with it.
    stem = _one_line(Path(os.path.abspath(options.model)).stem) if options.model else ""  # noqa: PTH100 - no links
    # Without a name the kind's own checks are made first, since a model may be what is missing.
    variant = options.name if options.name is not None else _as_name(stem) or "unnamed"
    tables = _tables(options, variant, kind if NAME.fullmatch(kind) else "engine", datasets)
    words = _words(tables)
    try:
        gate = resolve_gate(Path("asrgate run"), tables, kind_problems)
    except GateFileError as error:
        # A name may be what is wrong.
        names = {
            dotted(["variant", variant]): "--name",
            **{dotted(["dataset", each]): "--manifest" for each in datasets},
        }
        sentences = [
            f"{names.get(each.key) or reworded(each.key, words)}: {reworded(each.message, words)}"
            for each in error.problems
        ]
        raise AsrGateError("; ".join(dict.fromkeys(sentences))) from error
    if options.name is None and not stem:
        raise AsrGateError("--name: must be given where no --model says what to call the hypotheses after")
    return CommandGate(gate, words, options.name or stem, manifest_stem(options.manifest))


def command_gate(options: argparse.Namespace) -> CommandGate:
    """The gate of one variant and one dataset that the options describe; AsrGateError for all that is wrong."""
    return _resolved(options, [_as_name(manifest_stem(options.manifest))])


def in_parts(options: argparse.Namespace, data: LoadedDataset) -> tuple[CommandGate, list[LoadedDataset]]:
    """The same gate with a dataset for each language of the one that was loaded, and just its rows in each."""
    parts = [data.in_language(language, f"{data.name}-{language}") for language in data.languages]
    return _resolved(options, [part.name for part in parts]), parts
