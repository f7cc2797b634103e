"""`asrgate`: the steps of the gate as commands, without pytest; exit code 0, or 2 with one sentence on stderr.

`parity` also has 1: it was done, and texts differ; so has `doctor`: it found problems; `judge`: the judge failed on
an utterance; and `run`: an utterance failed."""

import argparse
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from pytest_asrgate import __version__
from pytest_asrgate.termination import Termination

__all__ = ["main"]

# Each has a module of its name here, which is imported for that command alone: help and version need none.
_COMMANDS = {
    "ingest": "write the sounds and the manifest of a corpus",
    "run": "transcribe the utterances of a manifest",
    "score": "score hypotheses against their references",
    "compare": "compare score files with the first of them",
    "judge": "judge which differences change the meaning, or whether intent and entities are kept",
    "convert": "write hypotheses in another format",
    "parity": "compare a preset's texts under other threads and batch sizes",
    "report": "make a page, markdown or a table of a report of the gate",
    "doctor": "print what a bug report needs, and check gate.toml against the disk",
}
_FAILED = 2


def _module(command: str) -> Any:
    return import_module(f"pytest_asrgate.cli.{command}")


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of these arguments; only the command that they name has its options."""
    parser = argparse.ArgumentParser(
        prog="asrgate", description="From a corpus to a table, step by step: ingest, run, score, compare; and more."
    )
    parser.add_argument("--version", action="version", version=f"asrgate {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    # No option before the command takes a value.
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in _COMMANDS.items():
        command = commands.add_parser(name, help=summary)
        if name == chosen:
            module = _module(name)
            command.description = module.DESCRIPTION
            module.add_arguments(command)
    return parser


def _complain(command: str, sentence: str) -> int:
    from pytest_asrgate.reports.escape import plain  # noqa: PLC0415 - help and version start sooner without it

    if sys.stderr is not None:
        # A gate file tells all its problems at once, one a line; here they stand in one sentence.
        lines = [line.strip() for line in sentence.splitlines()]
        text = "; ".join(lines).replace("problem; ", "problem: ").replace("problems; ", "problems: ")
        sys.stderr.write(f"{f'asrgate {command}'.strip()}: {plain(text)}\n")
    return _FAILED


def _print(line: str) -> None:
    from pytest_asrgate.reports.escape import plain  # noqa: PLC0415 - as above

    if sys.stdout is not None:
        # Names of files are anybody's words, too.
        sys.stdout.write(f"{plain(line)}\n")
        sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 or what the command itself says, or 2 where it could not be done, after one
    sentence on stderr; 130 and 143, as a shell has it, where SIGINT or SIGTERM ended it."""
    words = sys.argv[1:] if arguments is None else arguments
    # SIGTERM ends a command as Ctrl-C does, engines first.
    termination = Termination()
    termination.install()
    try:
        return _run(words)
    except KeyboardInterrupt as interrupt:
        # Nobody would catch another.
        termination.hasten()
        number = signal.SIGTERM if signal.SIGTERM.name in interrupt.args else signal.SIGINT
        command = next((word for word in words if word in _COMMANDS), "")
        _complain(command, f"ended by {number.name}; what was finished by then is kept")
        return 128 + number
    finally:
        termination.give_back()


def _run(words: Sequence[str]) -> int:
    # Nothing here multiplies matrices, and starting threads for it takes longer than the bootstrap.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A console that cannot show a character shows a replacement, and the command goes on.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = _parser(words).parse_args(words)
    from pytest_asrgate.errors import AsrGateError  # noqa: PLC0415 - as in _complain

    lines = _module(options.command).run(options)
    while True:
        try:
            line = next(lines)
        except StopIteration as end:
            return int(end.value or 0)
        except AsrGateError as error:
            return _complain(options.command, str(error))
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            return _complain(options.command, f"{place}{error.strerror or error}")
        try:
            _print(line)
        except BrokenPipeError:
            # The reader, such as `head`, has seen enough; Python would complain again while it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except OSError as error:
            return _complain(options.command, f"standard output: {error.strerror or error}")


def console_script() -> NoReturn:
    """The entry point of the `asrgate` command."""
    sys.exit(main())
