"""`asrgate`: the steps of the gate as commands, without pytest; exit code 0, or 2 with one sentence on stderr."""

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from pytest_asrgate import __version__
from pytest_asrgate.cli import compare, convert, score
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.reports.escape import plain

__all__ = ["main"]

_COMMANDS = {"score": score, "compare": compare, "convert": convert}
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns 0, or 2 where it could not be done, after one sentence on stderr."""
    # A console that cannot show a character shows a replacement, and the command goes on.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    try:
        lines = _COMMANDS[options.command].run(options)
    except AsrGateError as error:
        sys.stderr.write(f"asrgate {options.command}: {plain(str(error))}\n")
        return _FAILED
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"asrgate {options.command}: {plain(f'{place}{error.strerror or error}')}\n")
        return _FAILED
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python would complain again while it ends.
        sys.stderr.close()
        return 0
    return 0


def console_script() -> NoReturn:
    """The entry point of the `asrgate` command."""
    sys.exit(main())
