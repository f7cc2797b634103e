"""`asrgate compare`: score files → the documented delta table, with the paired interval beside it."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from pytest_asrgate.comparison import compare_scores
from pytest_asrgate.formats.score_file import read_score
from pytest_asrgate.reports.comparison import FORMATS, comparison_lines
from pytest_asrgate.reports.labels import variant_labels

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "Print rate, delta, 95 % interval and median latency of each score file, and the paired 95 % interval of the "
    "delta over the utterances that both scored. Files that differ in ids, references, metric, recipe or "
    "normaliser are refused."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("baseline", type=Path, metavar="BASE.score.json", help="the score file to compare with")
    parser.add_argument("others", nargs="+", type=Path, metavar="OTHER.score.json")
    parser.add_argument("--format", choices=tuple(FORMATS), default="text")


def run(options: argparse.Namespace) -> Iterator[str]:
    """Compare every file with the first one; yields the lines to print. AsrGateError where that is refused."""
    paths = [options.baseline, *options.others]
    scores = [read_score(path) for path in paths]
    rows, notes = compare_scores(scores, variant_labels(paths), [str(path) for path in paths])
    yield from comparison_lines(rows, notes, scores[0].metric, options.format)
