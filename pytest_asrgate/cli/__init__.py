"""`asrgate`: the steps of the gate as commands, without pytest; exit code 0, or 2 with one sentence on stderr.

`parity` also has 1: it was done, and texts differ."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from pytest_asrgate import __version__
from pytest_asrgate.cli import compare, convert, parity, score
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.reports.escape import plain

__all__ = ["main"]

_COMMANDS = {"score": score, "compare": compare, "convert": convert, "parity": parity}
_FAILED = 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="asrgate", description="Score transcripts of speech recognisers, and compare the scores."
    )
    parser.add_argument("--version", action="version", version=f"asrgate {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in _COMMANDS.items():
        command = commands.add_parser(name, help=module.SUMMARY, description=module.DESCRIPTION)
        module.add_arguments(command)
    return parser


def _complain(command: str, sentence: str) -> int:
    if sys.stderr is not None:
        # A gate file tells all its problems at once, one a line; here they stand in one sentence.
        lines = [line.strip() for line in sentence.splitlines()]
        text = "; ".join(lines).replace("problem; ", "problem: ").replace("problems; ", "problems: ")
        sys.stderr.write(f"asrgate {command}: {plain(text)}\n")
    return _FAILED


def _print(line: str) -> None:
    if sys.stdout is not None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 or what the command itself says, or 2 where it could not be done, after one
    sentence on stderr."""
    # Nothing here multiplies matrices, and starting threads for it takes longer than the bootstrap.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A console that cannot show a character shows a replacement, and the command goes on.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    lines = _COMMANDS[options.command].run(options)
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
