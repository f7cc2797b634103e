"""`asrgate doctor`: what a bug report needs, and what to mend."""

import argparse
from collections.abc import Generator
from pathlib import Path

from pytest_asrgate.doctor import diagnose
from pytest_asrgate.doctor.lines import as_json, as_lines

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "Print versions, machine, engines, store, judge and what gate.toml finds on the disk. Nothing is written, no "
    "model is loaded and no network is used; home folder, host, user and secrets are not shown. Ends with 0 where "
    "no problem was found, with 1 where some were."
)
_DEFAULT = Path("gate.toml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--config", type=Path, metavar="GATE.toml", help="the gate file (default gate.toml)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> Generator[str, None, int]:
    """Look at everything; yields the lines to print and returns 0, or 1 where there are problems."""
    found = diagnose(options.config or _DEFAULT, named=options.config is not None)
    if options.json:
        yield from as_json(found).splitlines()
    else:
        yield from as_lines(found)
    return 1 if found.problems else 0
