"""`asrgate run`: a model over a manifest → one file of hypotheses, for `asrgate score`."""

import argparse
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.cli.inputs import check_language
from pytest_asrgate.cli.progress import progress
from pytest_asrgate.errors import AsrGateError, DatasetError, StoreError, TranscriberError, with_mend
from pytest_asrgate.values import plural

if TYPE_CHECKING:
    # Help needs no engines and gates.
    from collections.abc import Callable

    from pytest_asrgate.cli.command_gate import CommandGate
    from pytest_asrgate.datasets.load import LoadedDataset
    from pytest_asrgate.records import HypothesisSet, Progress
    from pytest_asrgate.runs import Runs

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "Transcribe every utterance of a manifest and write one file of hypotheses, "
    "reports/wer/MODEL.DATASET-timestamps_MODE.jsonl, with the decode recipe in its first row. What is finished is "
    "kept in the state folder: a run that was interrupted goes on where it was, nothing that is finished is "
    "decoded again, and a gate.toml with the same state folder shares the results. Ends with 0 where every "
    "utterance was transcribed, with 1 where some failed, with 2 where it could not be done."
)

_FOLDER = Path("reports") / "wer"
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
    add("--out", metavar="FILE", help="where to write instead; with --split-languages it holds {language}")


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


def _targets(
    options: argparse.Namespace, command: "CommandGate", parts: Sequence["LoadedDataset"]
) -> dict[str, Path]:
    """Where the hypotheses of each dataset go, by its name."""
    from pytest_asrgate.cli.targets import LANGUAGE  # noqa: PLC0415 - as in run
    from pytest_asrgate.reports.hypotheses import hypotheses_name  # noqa: PLC0415 - as in run

    found = {}
    for data in parts:
        # A part has one language.
        language = data.languages[0]
        if options.out is not None:
            found[data.name] = Path(options.out.replace(LANGUAGE, language))
            continue
        dataset = f"{command.dataset_stem}-{language}" if options.split_languages else command.dataset_stem
        name = hypotheses_name(command.stem, dataset, command.gate.recipe.timestamps)
        found[data.name] = _FOLDER / name
    return found


def _written(target: Path, made: "HypothesisSet", data: "LoadedDataset") -> list[str]:
    """Write a file of hypotheses; the lines to print on it."""
    from pytest_asrgate.reports.hypotheses import replaced_run, write_hypotheses_file  # noqa: PLC0415 - as in run
    from pytest_asrgate.reports.transcribed import failed_count  # noqa: PLC0415 - as in run

    if failed_count(made) == len(made.hypotheses) and target.exists():
        return [f"left {target} as it was, since every utterance failed"]
    replaced = replaced_run(target, made)
    try:
        write_hypotheses_file(target, made, data.utterances)
    except OSError as error:
        problem = with_mend(f"{target}: hypotheses cannot be written ({error.strerror})", error)
        raise AsrGateError(f"{problem}; a rerun decodes nothing again") from error
    return [f"wrote {target}" + (f", in place of hypotheses of {replaced}" if replaced else "")]


def _transcribed(
    runs: "Runs", command: "CommandGate", data: "LoadedDataset", target: Path, follower: _Follower
) -> tuple[list[str], bool]:
    """Transcribe one dataset and write its file; the lines to print, and whether an utterance failed."""
    from pytest_asrgate.reports.transcribed import failed_count, transcribed_lines  # noqa: PLC0415 - as in run

    with follower.shown(len(data.utterances)):
        made = runs.hypotheses(command.variant, command.gate.datasets[data.name])
    audio = [str(utterance.audio) for utterance in data.utterances]
    lines = transcribed_lines(made, data.utterances, lambda reason: command.told(reason, audio))
    notes = [f"warning: {command.told(note)}" for note in runs.take_notes()]
    return [*lines, *notes, *_written(target, made, data)], failed_count(made) > 0


def _run_all(
    options: argparse.Namespace, command: "CommandGate", parts: Sequence["LoadedDataset"]
) -> Generator[str, None, int]:
    """Every dataset in turn, as `run`; what it raises is in the words of a gate file."""
    from pytest_asrgate.cli.targets import check_targets  # noqa: PLC0415 - as in run
    from pytest_asrgate.runs import Runs  # noqa: PLC0415 - as in run

    targets = _targets(options, command, parts)
    every = [utterance for data in parts for utterance in data.utterances]
    check_targets([*targets.values()], command.gate, command.variant, every)
    follower = _Follower()
    runs = Runs(command.gate, follower, parts)
    code, lost = 0, []
    try:
        for data in parts:
            try:
                lines, failed = _transcribed(runs, command, data, targets[data.name], follower)
            except AsrGateError as error:
                # What another language would not mend is told at once.
                if len(parts) == 1 or isinstance(error, TranscriberError | StoreError):
                    raise
                lost.append(f"{data.languages[0]}: {error}")
                continue
            code = max(code, int(failed))
            if options.split_languages:
                lines[0] = f"{data.languages[0]}: {lines[0]}"
            yield from lines
    finally:
        runs.close()
    if lost:
        raise AsrGateError(f"{len(lost)} of {plural(len(parts), 'language')} could not be run: {'; '.join(lost)}")
    return code


def run(options: argparse.Namespace) -> Generator[str, None, int]:
    """Transcribe; yields the lines to print and returns 0, or 1 where utterances failed.

    Raises AsrGateError where it cannot be done, for several languages after all of them were tried.
    """
    # Gates and engines are of no use to the command's help, which starts sooner without them.
    from pytest_asrgate.cli.command_gate import command_gate, in_parts  # noqa: PLC0415 - see above
    from pytest_asrgate.cli.targets import check_out  # noqa: PLC0415 - see above
    from pytest_asrgate.datasets.load import load_dataset  # noqa: PLC0415 - see above

    check_language(options.language)
    check_out(options.out, split_languages=options.split_languages)
    if options.split_languages and options.language is not None:
        raise AsrGateError("--split-languages: runs each language of the rows, and --language forces one; choose")
    command = command_gate(options)
    try:
        dataset = next(iter(command.gate.datasets.values()))
        data = load_dataset(dataset, command.gate.recipe)
        parts = [data]
        if options.split_languages:
            command, parts = in_parts(options, data)
        else:
            _check_languages(data, dataset.manifest)
        return (yield from _run_all(options, command, parts))
    except AsrGateError as error:
        given = [options.out] if options.out else []
        raise AsrGateError(command.told(str(error), given)) from error
