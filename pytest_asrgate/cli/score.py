"""`asrgate score`: hypotheses with their references → `HYP.score.json` and a summary."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from pytest_asrgate.cli.inputs import add_reference_arguments, beside, check_language, read_input
from pytest_asrgate.errors import ScoringError
from pytest_asrgate.formats.score_file import write_score
from pytest_asrgate.metrics.normalise import NORMALISERS
from pytest_asrgate.metrics.normalised import NormalisedTexts
from pytest_asrgate.metrics.rule import METRICS, scoring_rule
from pytest_asrgate.records import Score
from pytest_asrgate.reports.score_summary import score_summary
from pytest_asrgate.scoring import score_set
from pytest_asrgate.values import without_surrogates

__all__ = ["DESCRIPTION", "add_arguments", "run", "score_path"]

DESCRIPTION = (
    "Write HYP.score.json beside each file of hypotheses: error rate with a 95 % bootstrap interval (1,000 "
    "resamples of utterances, seed 42), counts, and every utterance. Reads the JSON lines of this project and of "
    "the transcribe.cpp scripts, sclite .trn, and a plain .json of {id: text}."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("hypotheses", nargs="+", type=Path, metavar="HYP", help="a file of hypotheses")
    add_reference_arguments(parser)
    parser.add_argument("--metric", choices=("auto", *METRICS), default="auto")
    parser.add_argument("--normaliser", choices=("auto", *NORMALISERS), default="auto")
    parser.add_argument(
        "--dediarize",
        action="store_true",
        help="remove bracketed timestamps, speaker labels and annotations from both sides first",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write instead; for one HYP only")


def score_path(hypotheses: Path) -> Path:
    """`x.test-clean.jsonl` → `x.test-clean.score.json`, in the same folder; DatasetError for what has no name."""
    return beside(hypotheses, ".score.json")


def _scored(path: Path, options: argparse.Namespace, texts: NormalisedTexts) -> tuple[Score, list[str]]:
    """The score of one file, and notes on it; AsrGateError naming the file.

    `texts` has the references of the files before.
    """
    found = read_input(path, options)
    try:
        rule = scoring_rule(found.languages, options.normaliser, options.metric, dediarize=options.dediarize)
        score = score_set(
            found.made,
            found.utterances,
            rule,
            speakers=found.speakers,
            speakers_note=found.speakers_note,
            texts=texts,
        )
    except ScoringError as error:
        raise ScoringError(f"{path}: {error}") from error
    return score, list(found.notes)


def _targets(options: argparse.Namespace) -> list[Path]:
    """Where each score goes; ScoringError where that would write over what is read, or over another score."""
    if options.out is not None and len(options.hypotheses) > 1:
        raise ScoringError(f"--out names one file, and there are {len(options.hypotheses)} to score; leave it out")
    targets = [options.out or score_path(path) for path in options.hypotheses]
    read = {path.resolve() for path in (*options.hypotheses, options.references) if path is not None}
    taken: dict[Path, Path] = {}
    for path, target in zip(options.hypotheses, targets, strict=True):
        place = target.resolve()
        if place in read:
            raise ScoringError(f"{target}: scoring {path} would write over what is read; give --out another name")
        if place in taken:
            raise ScoringError(f"{target}: would hold the scores of {taken[place]} and {path}; score them apart")
        taken[place] = path
    return targets


def run(options: argparse.Namespace) -> Iterator[str]:
    """Score every file; yields the lines to print. AsrGateError or OSError where one cannot be scored."""
    check_language(options.language)
    texts = NormalisedTexts()
    for number, (path, target) in enumerate(zip(options.hypotheses, _targets(options), strict=True)):
        score, notes = _scored(path, options, texts)
        write_score(target, score, source=without_surrogates(path.name))
        yield from [*([""] if number else []), *score_summary(path.name, score, notes), f"wrote {target}"]
