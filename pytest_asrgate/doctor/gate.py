"""gate.toml against the disk: manifests, audio, models and limits."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from pytest_asrgate.audio import ABSENT, file_problem
from pytest_asrgate.config import Dataset, Gate, Variant
from pytest_asrgate.config.thresholds import INTENT, JUDGE_ERRORS, LATENCY, SEMANTIC
from pytest_asrgate.datasets.load import LoadedDataset, load_dataset
from pytest_asrgate.doctor.commands import looked_up
from pytest_asrgate.doctor.findings import Finding, fact, problem
from pytest_asrgate.errors import AsrGateError, ModelError
from pytest_asrgate.transcribers.registry import KINDS
from pytest_asrgate.transcribers.replay import hypotheses_path
from pytest_asrgate.transcribers.transcribe_cpp import check_model
from pytest_asrgate.values import first_of, named, plural

__all__ = ["datasets", "limits", "models", "settings"]

# Looking for a file on a far disk takes long, and a set may have a million.
_LOOK_S = 30.0
# Limits on judged scores, by the word that buys them.
_JUDGED = {"semantic": SEMANTIC, "intent": INTENT}


def settings(gate: Gate) -> Iterator[Finding]:
    """What the gate holds, keys without effect, and whether the machine is large enough for it."""
    yield fact(
        "gate", f"{gate.path}: {plural(len(gate.variants), 'variant')}, {plural(len(gate.datasets), 'dataset')}"
    )
    for note in gate.notes:
        yield fact("note", note)
    executor, threads = gate.executor, gate.recipe.threads
    workers = executor.workers or 1
    kind = f"{executor.kind}, {plural(workers, 'worker')} with {plural(threads, 'thread')} each"
    if executor.kind == "dask" and (executor.address or executor.cluster):
        kind = "dask, a cluster that is not asked anything now"
    extra = [
        f"nice {variant.transcriber.nice}" for variant in [*gate.variants.values()][:1] if variant.transcriber.nice
    ]
    extra += ["pinned to cores"] * executor.pin
    yield fact("executor", ", ".join([kind, *extra]))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if executor.kind == "local" and workers * threads > cores:
        text = f"{workers} workers x {threads} threads are more than the {cores} cores here: timings suffer"
        yield fact("executor", text)
    for key, here in executor.folders.items() if executor.folders else ():
        if not key.is_dir():
            yield problem("executor.folders", f"{key}: is no folder here; mend it (it leads to {here})")


def _audio(name: str, data: LoadedDataset) -> Iterator[Finding]:
    """Which audio files are there."""
    absent: list[str] = []
    odd: dict[str, list[str]] = {}
    looked = 0
    deadline = time.monotonic() + _LOOK_S
    for utterance in data.utterances:
        if time.monotonic() > deadline:
            break
        looked += 1
        try:
            # Opens nothing, as a run would not before it asked the same.
            fault = file_problem(utterance.audio)
            if fault is None and not os.access(utterance.audio, os.R_OK):
                fault = "no permission to read it"
        except (OSError, ValueError) as error:
            fault = getattr(error, "strerror", None) or str(error)
        if fault == ABSENT:
            absent.append(utterance.id)
        elif fault is not None:
            odd.setdefault(fault, []).append(utterance.id)
    if absent:
        text = f"{len(absent)} of {looked} audio files are absent: {named(absent)}; put them there"
        yield problem(name, text)
    for fault, ids in odd.items():
        yield problem(name, f"{len(ids)} of {looked} audio files cannot be used: {named(ids)}: {fault}")
    if not absent and not odd:
        rest = "" if looked == len(data.utterances) else f" (of the first {looked}; no time for more)"
        yield fact(name, f"all audio files are there{rest}")


def _dataset(gate: Gate, dataset: Dataset) -> Iterator[Finding]:
    name = f"dataset.{dataset.name}"
    try:
        data = load_dataset(dataset, gate.recipe)
    except (AsrGateError, OSError) as error:
        yield problem(name, error)
        return
    languages = ", ".join(data.languages)
    yield fact(
        name, f"{dataset.manifest}: {plural(len(data.utterances), 'row')}, {languages}; {data.speakers_note}"
    )
    # Stored hypotheses need no audio.
    if all(KINDS[variant.transcriber.kind].stored for variant in gate.variants.values()):
        return
    yield from _audio(name, data)


def datasets(gate: Gate) -> Iterator[Finding]:
    """Every manifest, and the audio that it names."""
    for dataset in gate.datasets.values():
        yield from _dataset(gate, dataset)


def _maker(variant: Variant, folder: Path) -> Finding:
    """What would make an absent model."""
    key = f"variant.{variant.name}"
    if variant.make is None:
        return problem(key, f"{variant.model} does not exist; put the model there, or give {key}.make")
    found = looked_up(variant.make, folder)
    if found.missing:
        return problem(
            key, f"{variant.model} does not exist, and there is no {found.missing} to make it; mend {key}.make"
        )
    if found.refused:
        return problem(key, f"{variant.model} does not exist, and what would make it, {found.refused}")
    return fact(key, f"{variant.model} is not there yet; the first run makes it")


def _model(variant: Variant, folder: Path) -> Finding:
    key, model = f"variant.{variant.name}", variant.model
    if model is None:
        return fact(key, f"no model file; transcriber.{variant.transcriber.name} ({variant.transcriber.kind})")
    if not model.exists():
        return _maker(variant, folder)
    if not model.is_file():
        return problem(key, f"{model} is no file; give the path of a model file")
    try:
        if KINDS[variant.transcriber.kind].needs_model and variant.transcriber.kind.startswith("transcribe-"):
            check_model(model)
        with model.open("rb"):
            size = model.stat().st_size / 1e6
    except (ModelError, OSError) as error:
        return problem(key, error)
    return fact(key, f"{model}, {size:,.1f} MB")


def _stored(gate: Gate, variant: Variant) -> Iterator[Finding]:
    """Are the hypotheses there that a variant replays?"""
    pattern = str(variant.transcriber.options["hypotheses"])
    paths = [gate.path.parent / hypotheses_path(pattern, variant.name, dataset) for dataset in gate.datasets]
    absent = [str(path) for path in dict.fromkeys(paths) if not path.is_file()]
    key = f"variant.{variant.name}"
    if absent:
        yield problem(key, f"there are no stored hypotheses {first_of(absent)}; put them there")
    else:
        yield fact(key, f"{plural(len(dict.fromkeys(paths)), 'file')} of stored hypotheses")


def models(gate: Gate) -> Iterator[Finding]:
    """Every variant: its model is there, would be made, or is absent."""
    for variant in gate.variants.values():
        if KINDS[variant.transcriber.kind].stored:
            yield from _stored(gate, variant)
        else:
            yield _model(variant, gate.path.parent)


def limits(gate: Gate) -> Iterator[Finding]:
    """Limits that could not be measured, which is an ERROR and no pass."""
    faults: dict[str, list[str]] = {}
    for pair in gate.pairs:
        for limit in pair.thresholds.limits():
            score = next((word for word, named_limits in _JUDGED.items() if limit in named_limits), None)
            if score is not None and score not in pair.dataset.judged:
                why = f'is a judged score; buy it with judged = ["{score}"], or leave it out'
            elif (score is not None or limit in JUDGE_ERRORS) and pair.dataset.judged and gate.judge.mode == "off":
                why = 'is a judged score, and judge.mode is "off"; choose another mode, or leave it out'
            elif limit in LATENCY and KINDS[pair.variant.transcriber.kind].stored:
                why = "cannot be measured on stored hypotheses; leave it out"
            else:
                continue
            faults.setdefault(f"{limit}: {why}", []).append(f"{pair.variant.name} on {pair.dataset.name}")
    for text, pairs in faults.items():
        yield problem("thresholds", f"{text} ({first_of(pairs)})")
    if not faults:
        yield fact("thresholds", "every limit that is set can be measured here")
