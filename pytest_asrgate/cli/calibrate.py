"""`asrgate judge --calibrate`: a judge held against human labels, and the result kept for gates to look at."""

import argparse
import tempfile
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.cli.inputs import check_language
from pytest_asrgate.cli.judge_settings import as_options, judge_settings
from pytest_asrgate.errors import JudgeError, ScoringError
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.records.calibration import CalibrationRun
from pytest_asrgate.values import RULES

if TYPE_CHECKING:
    # Help needs no settings, and no labels.
    from pytest_asrgate.config import JudgeSettings
    from pytest_asrgate.formats.labels import Labels

__all__ = ["CALIBRATION", "add_calibration_arguments", "check_calibration_arguments", "run_calibration"]

# In the folder of the labels, as the cassette is in that of the hypotheses.
CALIBRATION = "judge.calibration.json"

_REPEATED = "rows that have the texts and labels of others, and count once with them"
_UNNAMED = "no language is named, so the labels were taken for English ones; --language names another"


def _kappa(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"must be above 0 and at most 1, such as 0.6; got {text!r}")
    return value


def add_calibration_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that calibrate instead of judging a file."""
    parser.add_argument(
        "--calibrate",
        type=Path,
        metavar="LABELS",
        help="in place of HYP: compare the judge with human labels, and keep the result for judge.min_kappa",
    )
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FILE",
        help=f"where --calibrate keeps it; {CALIBRATION} in LABELS' folder by default",
    )
    parser.add_argument(
        "--min-kappa",
        type=_kappa,
        metavar="K",
        help="with --calibrate: end with 1 where the agreement is lower, or of fewer than 20 labels in a language",
    )


def check_calibration_arguments(options: argparse.Namespace) -> None:
    """ScoringError where options do not fit together: one file to judge, or one of labels."""
    if options.calibrate is None:
        if options.hypotheses is None:
            raise ScoringError("nothing to judge: give a file of hypotheses HYP, or --calibrate LABELS")
        for name in ("calibration", "min_kappa"):
            if getattr(options, name) is not None:
                raise ScoringError(f"--{name.replace('_', '-')} is for --calibrate LABELS; name the labels")
        return
    if options.hypotheses is not None:
        raise ScoringError(f"{options.hypotheses}: --calibrate judges the texts of its labels; leave HYP out")
    for name in ("out", "references"):
        if getattr(options, name) is not None:
            raise ScoringError(f"--{name} is for a file of hypotheses; leave it out with --calibrate")
    if options.model == RULES:
        raise ScoringError(f"--model: name the model to calibrate; {RULES} are bounds, and agree with nobody")


def _target(options: argparse.Namespace, settings: "JudgeSettings") -> Path:
    """Where the result goes; ScoringError where it could not, before anybody is asked and paid."""
    target: Path = options.calibration or options.calibrate.with_name(CALIBRATION)
    for path, what in ((options.calibrate, "the labels"), (settings.cassette, "the replies")):
        if path.resolve() == target.resolve():
            raise ScoringError(f"{target}: is {what}; name another --calibration")
    if settings.cassette.resolve() == options.calibrate.resolve():
        raise ScoringError(f"{settings.cassette}: is the labels; name another --cassette")
    nearest = next((folder for folder in target.absolute().parents if folder.exists()), Path())
    if (target.exists() and not target.is_file()) or not nearest.is_dir():
        raise ScoringError(f"{target}: is no place for a file; name another --calibration")
    return target


def run_calibration(options: argparse.Namespace) -> Generator[str, None, int]:
    """Calibrate; yields the lines to print and returns 0, or 1 where nothing was kept or the agreement is too low.

    Raises AsrGateError where it cannot be done.
    """
    from pytest_asrgate.formats.labels import read_labels  # noqa: PLC0415 - help needs none of it
    from pytest_asrgate.judge.calibration import read_calibrations  # noqa: PLC0415 - as above

    check_language(options.language)
    language = canonical_language(options.language) if options.language else None
    try:
        labels = read_labels(options.calibrate, options.task, language=language)
        with tempfile.TemporaryDirectory() as folder:
            settings = judge_settings(options, Path(folder))
            target = _target(options, settings)
            # A file that cannot be added to is told before anybody is asked.
            read_calibrations(target)
            if options.estimate:
                yield from _estimate(options, labels, settings)
                return 0
            run, notes = _run(labels, options.task, settings)
        if labels.unnamed:
            notes = [_UNNAMED, *notes]
        if labels.repeated:
            notes = [f"{_REPEATED}: {labels.repeated}", *notes]
        languages = {row.language for row in labels.rows}
        return (yield from _told(options, run, target, [as_options(note, options) for note in notes], languages))
    except ScoringError as error:
        place = "" if str(options.calibrate) in str(error) or "--c" in str(error) else f"{options.calibrate}: "
        raise ScoringError(f"{place}{error}") from error
    except JudgeError as error:
        raise JudgeError(as_options(str(error), options)) from error


def _run(labels: "Labels", task: str, settings: "JudgeSettings") -> tuple[CalibrationRun, list[str]]:
    from pytest_asrgate.calibrating import calibrate  # noqa: PLC0415 - as above
    from pytest_asrgate.judge.judge import Judge  # noqa: PLC0415 - as above

    with Judge(settings) as judge:
        run = calibrate(labels, task, judge, votes=settings.votes)
        return run, judge.take_notes()


def _told(
    options: argparse.Namespace,
    run: CalibrationRun,
    target: Path,
    notes: list[str],
    languages: set[str],
) -> Generator[str, None, int]:
    """Keep what was found, where it is whole, and say so; `languages` are all that people labelled."""
    from pytest_asrgate.calibrated import shortfall  # noqa: PLC0415 - as above
    from pytest_asrgate.judge.calibration import keep_calibration, outdated, same_finding  # noqa: PLC0415 - as above
    from pytest_asrgate.reports.calibration import calibration_lines  # noqa: PLC0415 - as above

    found = run.calibration
    whole = found.whole.n > 0 and not run.failures
    before = keep_calibration(target, found) if whole else None
    told = tuple((identity, as_options(sentence, options)) for identity, sentence in run.failures)
    run = replace(run, failures=told)
    yield from calibration_lines(options.calibrate.name, run, before)
    yield from (f"  note: {note}" for note in notes)
    yield ""
    if run.failures:
        yield f"{target}: nothing was added, since the judge failed on labels that its figures would lack"
        return 1
    if not whole:
        yield f"{target}: nothing was added, since rules decided all of it and the judge was asked about no label"
        return 1
    if before is not None and outdated(found, before):
        # A judge that drifted since would look as it was.
        yield (
            f"{target}: nothing was added, since it has a calibration by newer replies, of "
            f"{before.replies.first[:10]}, and {found.replies.replayed} of these were replayed, the first from "
            f"{found.replies.first[:10]}; ask anew with --mode live, or record into another --cassette"
        )
        return 1
    same = before is not None and same_finding(before, found)
    yield f"{target}: stays as it was, it has this calibration already" if same else f"wrote {target}"
    if options.min_kappa is not None:
        why = shortfall(found, languages, options.min_kappa)
        if not why and found.entities.n:
            why = shortfall(found, found.entity_languages, options.min_kappa, entities=True)
        if why:
            yield f"not enough: {as_options(why, options)}"
            return 1
    return 0


def _estimate(
    options: argparse.Namespace, labels: "Labels", settings: "JudgeSettings"
) -> Generator[str, None, None]:
    """What calibrating would cost; nobody is asked."""
    from pytest_asrgate.calibrating import calibration_questions  # noqa: PLC0415 - as above
    from pytest_asrgate.judge.judge import Judge  # noqa: PLC0415 - as above
    from pytest_asrgate.reports.semantic_summary import estimate_lines  # noqa: PLC0415 - as above

    with Judge(replace(settings, mode="replay")) as kept, Judge(settings) as judge:
        questions = calibration_questions(labels, options.task, None if settings.mode == "live" else kept)
        estimate = judge.estimate(questions)
    yield from estimate_lines(options.calibrate.name, options.model, estimate, len(labels.rows), len(questions))
