"""`asrgate run`: a model over a manifest → one file of hypotheses, for `asrgate score`."""

import argparse
import os
import re
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.cli.inputs import check_language
from pytest_asrgate.cli.progress import progress
from pytest_asrgate.errors import (
    AsrGateError,
    DatasetError,
    EngineMissingError,
    ModelError,
    StoreError,
    with_mend,
)
from pytest_asrgate.values import plural

if TYPE_CHECKING:
    # Help needs no engines and gates.
    from collections.abc import Callable

    from pytest_asrgate.cli.one_pair import OnePair
    from pytest_asrgate.config import Dataset
    from pytest_asrgate.datasets.load import LoadedDataset
    from pytest_asrgate.records import Progress
    from pytest_asrgate.runs import Runs

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "Transcribe every utterance of a manifest and write one file of hypotheses, "
    "reports/wer/MODEL.DATASET-timestamps_MODE.jsonl, with the decode recipe in its first row. What is finished is "
    "kept in the state folder: a run that was interrupted goes on where it was, nothing is decoded twice, and a "
    "gate.toml with the same state folder shares the results. Ends with 0 where every utterance was transcribed, "
    "with 1 where some failed, with 2 where it could not be done."
)

_FOLDER = Path("reports") / "wer"
_PLACE = "{language}"
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def _number(text: str) -> object:
    """A number where the text is one; what else it is, the checks of the gate file say."""
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add = parser.add_argument
    add("--model", metavar="FILE", help="the model; an engine of kind command may have none")
    add(
        "--manifest", required=True, metavar="FILE", help="JSON lines with id, audio and ref_text, as ingest writes"
    )
    add("--transcriber", default="transcribe-cpp", metavar="KIND", help="transcribe-cpp, transcribe-cli or command")
    add("--backend", metavar="NAME", help="cpu by default")
    add(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="of the transcriber, such as path=build/transcribe-cli; may be given several times",
    )
    add("--timestamps", metavar="MODE", help="none (the default), segment, word or token")
    add("--language", metavar="L", help="of every utterance; else each row's own")
    add("--split-languages", action="store_true", help="run each language of the manifest on its own")
    add("--threads", type=_number, metavar="N", help="1 by default, as everything that may change a text")
    add("--batch-size", type=_number, metavar="N")
    add("--kv-type", metavar="T", help="auto (the default), f32 or f16")
    add("--seed", type=_number, metavar="N", help="1 by default; 0 would ask the engine for a random one")
    add("--timeout-s", type=_number, metavar="S", help="for one utterance, in seconds (default 60)")
    add("--memory-mb", type=_number, metavar="N", help="of one model process, in MB (default 4000)")
    add("--workers", type=_number, metavar="N", help="model processes side by side (default 1)")
    add("--audio-outside", action="store_true", help="let the manifest's paths climb out of its folder")
    add("--name", metavar="NAME", help="what to call the model by; its file's name by default")
    add("--state", default=".asrgate", metavar="DIR", help="where finished work is kept (default .asrgate)")
    add("--out", metavar="FILE", help=f"where to write instead; with --split-languages it holds {_PLACE}")


class _Follower:
    """Hands on what is reported of a run to the bar that is open."""

    def __init__(self) -> None:
        self._advance: Callable[[int], None] | None = None
        self._done = 0

    def __call__(self, seen: "Progress") -> None:
        if self._advance is not None:
            self._advance(seen.done - self._done)
            self._done = seen.done

    @contextmanager
    def shown(self, total: int) -> Iterator[None]:
        """Show a bar of `total` utterances."""
        with progress("utterances", total) as advance:
            self._advance, self._done = advance, 0
            try:
                yield
            finally:
                self._advance = None


def _check_languages(data: "LoadedDataset", manifest: Path) -> None:
    """DatasetError for a manifest in several languages, which a model must not be told as one."""
    counts = Counter(utterance.language for utterance in data.utterances)
    if len(counts) > 1:
        told = ", ".join(
            f"{language} ({plural(count, 'row')})" for language, count in sorted(counts.items(), key=str)
        )
        raise DatasetError(
            f"{manifest}: holds {len(counts)} languages, and one run has one: {told}; --split-languages runs each "
            "on its own, --language L forces one on all rows"
        )


def _check_out(options: argparse.Namespace) -> None:
    if options.out is None:
        return
    if not options.out.strip() or "\0" in options.out:
        raise AsrGateError("--out: must be the path of a file")
    if options.split_languages and _PLACE not in options.out:
        raise AsrGateError(f"--out: must hold {_PLACE} where each language has a file of its own")
    if not options.split_languages and _PLACE in options.out:
        raise AsrGateError(f"--out: holds {_PLACE}, which only --split-languages fills in")


def _target(options: argparse.Namespace, pair: "OnePair", dataset: "Dataset") -> Path:
    """Where the hypotheses of a dataset go."""
    from pytest_asrgate.reports.hypotheses import hypotheses_name  # noqa: PLC0415 - as in run

    if options.out is not None:
        return Path(options.out.replace(_PLACE, dataset.only_language or ""))
    return _FOLDER / hypotheses_name(pair.variant.name, dataset.name, pair.gate.recipe.timestamps)


def _read_files(pair: "OnePair", data: "LoadedDataset") -> Iterator[Path]:
    """The files that a run reads; some may not exist."""
    gate, variant = pair.gate, pair.variant
    yield from (gate.datasets[data.name].manifest, gate.state / "store.sqlite")
    if variant.model is not None:
        yield variant.model
    for value in variant.transcriber.options.values():
        words = value if isinstance(value, list) else [value]
        yield from (gate.path.parent / word for word in words if isinstance(word, str))
    yield from (utterance.audio for utterance in data.utterances)


def _check_target(target: Path, pair: "OnePair", data: "LoadedDataset") -> None:
    """AsrGateError where no file can be there, or one that is read is: told before anything is decoded."""
    parent = next(folder for folder in Path(os.path.realpath(target)).parents if folder.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        why = "cannot be written to" if parent.is_dir() else "is no folder"
        raise AsrGateError(f"{target}: cannot be written, since {parent} {why}; give --out another name")
    if not target.exists():
        return
    if not target.is_file():
        raise AsrGateError(f"{target}: is there and is no file; give --out another name")
    for path in _read_files(pair, data):
        # What is not there is told where it is read.
        with suppress(OSError, ValueError):
            if target.samefile(path):
                raise AsrGateError(
                    f"{target}: is read by this run, and would be written over; give --out another name"
                )


def _transcribed(
    runs: "Runs", pair: "OnePair", data: "LoadedDataset", target: Path, follower: _Follower
) -> tuple[list[str], bool]:
    """Transcribe one dataset and write its file; the lines to print, and whether an utterance failed."""
    from pytest_asrgate.reports.hypotheses import write_hypotheses_file  # noqa: PLC0415 - as in run
    from pytest_asrgate.reports.transcribed import failed_count, transcribed_lines  # noqa: PLC0415 - as in run

    with follower.shown(len(data.utterances)):
        made = runs.hypotheses(pair.variant, pair.gate.datasets[data.name])
    try:
        write_hypotheses_file(target, made, data.utterances)
    except OSError as error:
        problem = with_mend(f"{target}: hypotheses cannot be written ({error.strerror})", error)
        raise AsrGateError(f"{problem}; a rerun decodes nothing again") from error
    notes = [f"warning: {note}" for note in runs.take_notes()]
    return [*transcribed_lines(made, data.utterances), *notes, f"wrote {target}"], failed_count(made) > 0


def _run_all(options: argparse.Namespace, pair: "OnePair") -> Generator[str, None, int]:
    """Every dataset of the pair in turn, as `run`; what it raises is in the words of a gate file."""
    from pytest_asrgate.runs import Runs  # noqa: PLC0415 - as in run

    follower = _Follower()
    runs = Runs(pair.gate, follower)
    code, lost = 0, []
    try:
        for dataset in pair.gate.datasets.values():
            data = runs.dataset(dataset)
            target = _target(options, pair, dataset)
            try:
                _check_target(target, pair, data)
                lines, failed = _transcribed(runs, pair, data, target, follower)
            except AsrGateError as error:
                # What another language would not mend is told at once.
                if len(pair.gate.datasets) == 1 or isinstance(error, EngineMissingError | ModelError | StoreError):
                    raise
                lost.append(f"{dataset.only_language}: {error}")
                continue
            code = max(code, int(failed))
            if dataset.only_language is not None:
                lines[0] = f"{dataset.only_language}: {lines[0]}"
            yield from map(pair.told, lines)
    finally:
        runs.close()
    if lost:
        count = plural(len(pair.gate.datasets), "language")
        raise AsrGateError(f"{len(lost)} of {count} could not be run: {'; '.join(lost)}")
    return code


def run(options: argparse.Namespace) -> Generator[str, None, int]:
    """Transcribe; yields the lines to print and returns 0, or 1 where utterances failed.

    Raises AsrGateError where it cannot be done, for several languages after all of them were tried.
    """
    # Gates and engines are of no use to the command's help, which starts sooner without them.
    from pytest_asrgate.cli.one_pair import in_parts, one_pair  # noqa: PLC0415 - see above
    from pytest_asrgate.datasets.load import load_dataset  # noqa: PLC0415 - see above

    check_language(options.language)
    _check_out(options)
    if options.split_languages and options.language is not None:
        raise AsrGateError("--split-languages: runs each language of the rows, and --language forces one; choose")
    pair = one_pair(options)
    try:
        dataset = next(iter(pair.gate.datasets.values()))
        data = load_dataset(dataset, pair.gate.recipe)
        if options.split_languages:
            pair = in_parts(options, data.languages)
        else:
            _check_languages(data, dataset.manifest)
        return (yield from _run_all(options, pair))
    except AsrGateError as error:
        raise AsrGateError(pair.told(str(error))) from error
