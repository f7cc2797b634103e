"""`asrgate report`: a report of `--asrgate-json` → the page, markdown, or the table on the terminal."""

import argparse
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pytest_asrgate.errors import ReportError
from pytest_asrgate.reports.gate_lines import gate_lines
from pytest_asrgate.reports.places import MARKDOWN, PAGE
from pytest_asrgate.reports.reading import read_report
from pytest_asrgate.reports.written import Target, obstacles, write_reports

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "Make of a report of --asrgate-json what the run itself could have written: one page of HTML that needs no "
    "network, or markdown for a comment on a pull request, which is also added to the file that "
    "GITHUB_STEP_SUMMARY names. Without options, print the table and the lines under it. Nothing is decoded."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("report", type=Path, metavar="REPORT.json", help="what --asrgate-json wrote")
    parser.add_argument("--html", type=Path, metavar="PATH", help="write the page to PATH")
    parser.add_argument(
        "--html-audio",
        choices=("embed", "link", "none"),
        default="embed",
        help="whether the page holds the sounds, links to them where they are, or has none (default: embed)",
    )
    parser.add_argument("--markdown", type=Path, metavar="PATH", help="write the table and the failures to PATH")
    parser.add_argument(
        "-v",
        "--verbose",
        action="count",
        default=0,
        help="with the table, every check; -vv: also the utterances that changed",
    )
    parser.add_argument(
        "--gate-folder",
        type=Path,
        metavar="DIR",
        help="the folder that the report's paths of sounds begin in (default: that of its gate file)",
    )


def run(options: argparse.Namespace) -> Iterator[str]:
    """Write or print; yields the lines to print. ReportError for what cannot be read or written."""
    targets = [
        *([Target("--markdown", options.markdown, MARKDOWN)] if options.markdown else []),
        *([Target("--html", options.html, PAGE)] if options.html else []),
    ]
    refused = obstacles(targets)
    if refused:
        raise ReportError("; ".join(refused))
    report = read_report(options.report)
    gate = report["gate"]
    if not targets:
        yield f"{options.report}: the verdicts on {gate['path']}, by pytest-asrgate {gate['plugin_version']}"
        yield ""
        width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None
        lines = gate_lines(
            report["pairs"], "the state folder", gate["notes"], verbosity=options.verbose, width=width
        )
        yield from ("".join(piece.text for piece in line) for line in lines)
        return
    folder = options.gate_folder or Path(gate["path"]).parent
    written = write_reports(report, targets, folder=folder, audio=options.html_audio)
    yield from written.notes
    yield from (f"wrote {path}" for path in written.paths)
    if written.problems:
        raise ReportError("; ".join(written.problems))
