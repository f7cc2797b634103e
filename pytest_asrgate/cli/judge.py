"""`asrgate judge`: hypotheses with their references → `HYP.semantic.json` or `HYP.intent.json`, and a summary."""

import argparse
import tempfile
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_asrgate.cli.calibrate import (
    add_calibration_arguments,
    check_calibration_arguments,
    run_calibration,
)
from pytest_asrgate.cli.inputs import Input, add_reference_arguments, beside, check_language, read_input
from pytest_asrgate.cli.judge_settings import (
    OPTIONS,
    add_judge_arguments,
    as_options,
    cassette_of,
    judge_settings,
)
from pytest_asrgate.cli.judge_task import TASKS, JudgeTask, judge_task
from pytest_asrgate.errors import JudgeError, ScoringError
from pytest_asrgate.jsonlines import write_atomically
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import Score
from pytest_asrgate.scoring import score_set
from pytest_asrgate.values import RULES

if TYPE_CHECKING:
    # Rules alone ask nobody.
    from pytest_asrgate.judge.task import Question

__all__ = ["DESCRIPTION", "OPTIONS", "add_arguments", "run"]

DESCRIPTION = (
    "Write HYP.semantic.json beside the file of hypotheses: the error rate of meaning with a 95 % bootstrap "
    "interval, and every difference with its label, who decided and why; or with --task intent HYP.intent.json: "
    "whether the intent is kept and what became of each entity, of all utterances and of each language. Rules "
    "alone need no model: they give an upper bound of that error rate and a lower bound of the intents kept, but "
    "of entities only what became of those that rules find. A model is asked about what rules leave open; its "
    "replies are kept in a cassette and replayed. Keys are read from the environment only. Ends with 0, with 1 "
    "where the judge failed on an utterance, with 2 where it could not be done."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("hypotheses", type=Path, nargs="?", metavar="HYP", help="a file of hypotheses")
    add_reference_arguments(parser)
    add_calibration_arguments(parser)
    parser.add_argument(
        "--task",
        choices=TASKS,
        required=True,
        help="semantic: which differences change the meaning; intent: whether intent and entities are preserved",
    )
    add_judge_arguments(parser)
    parser.add_argument(
        "--context", default="context", metavar="FIELD", help="the key of the rows that says what was going on"
    )
    parser.add_argument("--estimate", action="store_true", help="print calls, tokens and money, and ask nobody")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write instead")


def _scored(path: Path, found: Input) -> Score:
    """The usual score, whose rows are judged; ScoringError naming the file."""
    try:
        rule = scoring_rule(found.languages, "auto", "auto")
        return score_set(
            found.made, found.utterances, rule, speakers=found.speakers, speakers_note=found.speakers_note
        )
    except ScoringError as error:
        raise ScoringError(f"{path}: {error}") from error


def _target(options: argparse.Namespace, task: JudgeTask[Any]) -> Path:
    """Where the document goes; ScoringError where that would write over what is read or over the replies.

    Nobody is asked, and paid, for a document that has no place to go.
    """
    target: Path = options.out or beside(options.hypotheses, task.end)
    cassette = cassette_of(options)
    read = {path.resolve(): path for path in (options.hypotheses, options.references) if path is not None}
    if target.resolve() in read:
        raise ScoringError(
            f"{target}: judging {options.hypotheses} would write over what is read; name another --out"
        )
    nearest = next((folder for folder in target.parents if folder.exists()), Path())
    if (target.exists() and not target.is_file()) or not nearest.is_dir():
        raise ScoringError(f"{target}: is no place for a file; name another --out")
    if options.model != RULES and cassette.resolve() in {*read, target.resolve()}:
        raise ScoringError(
            f"{cassette}: is no place for a cassette, it is read or written already; name another one"
        )
    return target


def run(options: argparse.Namespace) -> Generator[str, None, int]:
    """Judge a file; yields the lines to print and returns 0, or 1 where the judge failed on an utterance.

    Raises AsrGateError or OSError where it cannot be judged, and nothing was written then but replies.
    """
    check_calibration_arguments(options)
    if options.calibrate is not None:
        return (yield from run_calibration(options))
    task = judge_task(options.task)
    check_language(options.language)
    target = _target(options, task)
    found = read_input(options.hypotheses, options, context=options.context)
    score = _scored(options.hypotheses, found)
    notes = list(found.notes)
    if options.estimate:
        yield from _estimate(options, task, score, found)
        return 0
    try:
        if options.model == RULES:
            judged = task.judged(score, found.utterances, None)
        else:
            from pytest_asrgate.judge.judge import Judge  # noqa: PLC0415 - rules alone need none

            with tempfile.TemporaryDirectory() as folder, Judge(judge_settings(options, Path(folder))) as judge:
                judged = task.judged(score, found.utterances, judge)
                notes += judge.take_notes()
    except ScoringError as error:
        raise ScoringError(f"{options.hypotheses}: {error}") from error
    except JudgeError as error:
        raise JudgeError(as_options(str(error), options)) from error
    judged = task.told(judged, lambda sentence: as_options(sentence, options))
    name = options.hypotheses.name
    kept = target.exists() and task.is_silent(judged)
    if not kept:
        write_atomically(target, task.document(judged, score, found, name))
    yield from task.summary(name, judged, score, [as_options(note, options) for note in notes])
    yield ""
    if kept:
        # What an earlier run found is worth more than that nobody answered now.
        yield f"{target}: stays as it was, since the judge gave no ruling at all"
    else:
        yield f"wrote {target}"
    return 1 if judged.judge_errors else 0


def _estimate(
    options: argparse.Namespace, task: JudgeTask[Any], score: Score, found: Input
) -> Generator[str, None, None]:
    """What judging would cost; JudgeError where the judge cannot be used."""
    from pytest_asrgate.reports.semantic_summary import estimate_lines  # noqa: PLC0415 - help needs no estimate

    name, total = options.hypotheses.name, len(found.utterances)
    estimate = None
    try:
        if options.model == RULES:
            questions: Sequence[Question] = task.questions(score, found.utterances, None)
        else:
            from pytest_asrgate.judge.judge import Judge  # noqa: PLC0415 - as in run

            with tempfile.TemporaryDirectory() as folder:
                settings = judge_settings(options, Path(folder))
                # Whatever was asked, the cassette may know what questions follow from it.
                with Judge(replace(settings, mode="replay")) as replayed:
                    questions = task.questions(score, found.utterances, replayed)
                with Judge(settings) as judge:
                    estimate = judge.estimate(questions)
    except ScoringError as error:
        raise ScoringError(f"{options.hypotheses}: {error}") from error
    except JudgeError as error:
        raise JudgeError(as_options(str(error), options)) from error
    yield from estimate_lines(name, options.model, estimate, total, len(questions), note=task.estimated)
