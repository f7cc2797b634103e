"""`asrgate judge`: hypotheses with their references → `HYP.semantic.json`, and what changed in meaning."""

import argparse
import math
import os
import re
import tempfile
from collections.abc import Collection, Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.cli.inputs import Input, add_reference_arguments, beside, check_language, read_input
from pytest_asrgate.errors import JudgeError, ScoringError
from pytest_asrgate.jsonlines import write_atomically
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import Score
from pytest_asrgate.scoring import score_set
from pytest_asrgate.values import RULES, without_surrogates

if TYPE_CHECKING:
    # Rules alone need no judge, and help needs no settings.
    from pytest_asrgate.config import JudgeSettings

__all__ = ["DESCRIPTION", "OPTIONS", "add_arguments", "run"]

DESCRIPTION = (
    "Write HYP.semantic.json beside the file of hypotheses: the error rate of meaning with a 95 % bootstrap "
    "interval, and every difference with its label, who decided and why. Rules alone need no model and give an "
    "upper bound of what a judge would say. A model is asked about what rules leave open; its replies are kept in "
    "a cassette and replayed. Keys are read from the environment only. Ends with 0, with 1 where the judge failed "
    "on an utterance, with 2 where it could not be done."
)

# One for all files of a folder, so that a pair of texts which several hold is asked about once. Its lines are JSON,
# but `*.jsonl` must go on to mean hypotheses.
_CASSETTE = "judge.cassette"

# What the gate file calls these settings, as it stands in messages on them; longer names before their beginnings.
OPTIONS = {
    'set judge.mode = "record" or run with --asrgate-judge=record': "run with --mode record",
    'api_key = "${NAME}"': "--api-key-env NAME",
    "judge.max_cost_usd": "--max-cost",
    "judge.max_calls": "--max-calls",
    "judge.api_base": "--api-base",
    "judge.api_key": "--api-key-env",
    "judge.price_in_usd": "--price-in",
    "judge.price_out_usd": "--price-out",
    "judge.timeout_s": "--timeout",
    "judge.max_tokens": "--max-tokens",
    "judge.concurrency": "--concurrency",
    "judge.cassette": "--cassette",
    "judge.votes": "--votes",
    "judge.model": "--model",
    "judge.mode": "--mode",
    "--asrgate-judge": "--mode",
}


def _whole(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number of 0 or more; got {text!r}")


def _positive(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more; got {text!r}")


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of 0 or more; got {text!r}")
    return value


def _seconds(text: str) -> float:
    value = _amount(text)
    if not value:
        raise argparse.ArgumentTypeError(f"must be a number above 0; got {text!r}")
    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("hypotheses", type=Path, metavar="HYP", help="a file of hypotheses")
    add_reference_arguments(parser)
    parser.add_argument("--task", choices=("semantic",), required=True, help="what is judged")
    parser.add_argument(
        "--model", default=RULES, metavar="NAME", help="rules (the default), or a model as litellm names it"
    )
    parser.add_argument(
        "--mode",
        choices=("replay", "record", "live"),
        default="replay",
        help="replay: only replies that the cassette has; record: ask for those that it lacks; live: ask for all",
    )
    parser.add_argument(
        "--cassette", type=Path, metavar="FILE", help=f"the file of replies; {_CASSETTE} in HYP's folder by default"
    )
    parser.add_argument("--api-base", default="", metavar="URL", help="of a server of one's own, OpenAI-compatible")
    parser.add_argument(
        "--api-key-env", metavar="NAME", help="the environment variable with the key; else the provider's own"
    )
    parser.add_argument("--votes", type=_positive, default=3, metavar="N", help="how often what is risky is asked")
    parser.add_argument("--max-calls", type=_whole, default=0, metavar="N", help="stop before more; 0 is no limit")
    parser.add_argument("--max-cost", type=_amount, default=0.0, metavar="USD", help="likewise in US dollars")
    parser.add_argument("--price-in", type=_amount, metavar="USD", help="of a million tokens sent")
    parser.add_argument("--price-out", type=_amount, metavar="USD", help="of a million tokens received")
    parser.add_argument("--max-tokens", type=_positive, default=4000, metavar="N", help="of one reply")
    parser.add_argument("--concurrency", type=_positive, default=8, metavar="N", help="calls at once")
    parser.add_argument("--timeout", type=_seconds, default=60.0, metavar="S", help="of one call")
    parser.add_argument(
        "--context", default="context", metavar="FIELD", help="the key of the rows that says what was going on"
    )
    parser.add_argument("--estimate", action="store_true", help="print calls, tokens and money, and ask nobody")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write instead")


def _settings_in(given: Collection[str]) -> re.Pattern[str]:
    """Finds the settings of the gate file in a sentence, and before them what was `given` and holds such a name."""
    named = sorted((text for text in given if any(name in text for name in OPTIONS)), key=len, reverse=True)
    # A path's last part is no setting either.
    names = "|".join(rf"(?<![\w./\\-]){re.escape(name)}(?![\w/\\])" for name in OPTIONS)
    return re.compile("|".join([*map(re.escape, named), names]))


def _as_options(sentence: str, options: argparse.Namespace) -> str:
    """A sentence on settings of the gate file, in the words of this command; files and names stay as they are."""
    given = {str(value) for value in vars(options).values() if isinstance(value, str | Path)}
    given.add(str(_cassette(options)))
    return _settings_in(given).sub(lambda found: OPTIONS.get(found[0], found[0]), sentence)


def _cassette(options: argparse.Namespace) -> Path:
    cassette: Path = options.cassette or options.hypotheses.with_name(_CASSETTE)
    return cassette


def _key(name: str | None) -> str:
    """The key in an environment variable, empty where none is named; JudgeError where the variable is not set.

    The name is not told: somebody may have given the key itself.
    """
    if name is None:
        return ""
    key = os.environ.get(name, "")
    if not key:
        raise JudgeError("--api-key-env: no environment variable of that name is set; give a name, not a key")
    return key


def _settings(options: argparse.Namespace, folder: Path) -> "JudgeSettings":
    """The judge's settings; JudgeError for what does not fit together. `folder` is for the run alone."""
    from pytest_asrgate.config import JudgeSettings  # noqa: PLC0415 - rules alone need none
    from pytest_asrgate.config.judge import judge_problems  # noqa: PLC0415 - as above
    from pytest_asrgate.config.schema import JudgeTable  # noqa: PLC0415 - as above

    if not options.model.strip():
        raise JudgeError("--model: must not be empty; name a model, or rules")
    settings = JudgeSettings(
        cassette=_cassette(options),
        folder=folder,
        model=options.model,
        mode=options.mode,
        api_base=options.api_base,
        # Nobody is asked who would want one.
        api_key="" if options.estimate or options.mode == "replay" else _key(options.api_key_env),
        votes=options.votes,
        max_cost_usd=options.max_cost,
        max_calls=options.max_calls,
        concurrency=options.concurrency,
        timeout_s=options.timeout,
        max_tokens=options.max_tokens,
        price_in_usd=options.price_in,
        price_out_usd=options.price_out,
    )
    checked = (
        "model",
        "votes",
        "concurrency",
        "api_base",
        "price_in_usd",
        "price_out_usd",
        "max_cost_usd",
        "max_calls",
    )
    table = JudgeTable.model_validate({name: getattr(settings, name) for name in checked})
    problems = [f"{problem.key}: {problem.message}" for problem in judge_problems(table)]
    if problems:
        raise JudgeError(_as_options("; ".join(problems), options))
    return settings


def _scored(path: Path, found: Input) -> Score:
    """The usual score, whose rows are judged; ScoringError naming the file."""
    try:
        rule = scoring_rule(found.languages, "auto", "auto")
        return score_set(
            found.made, found.utterances, rule, speakers=found.speakers, speakers_note=found.speakers_note
        )
    except ScoringError as error:
        raise ScoringError(f"{path}: {error}") from error


def _target(options: argparse.Namespace) -> Path:
    """Where the document goes; ScoringError where that would write over what is read or over the replies.

    Nobody is asked, and paid, for a document that has no place to go.
    """
    target: Path = options.out or beside(options.hypotheses, ".semantic.json")
    cassette = _cassette(options)
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
    from pytest_asrgate.semantic.score import score_semantics  # noqa: PLC0415 - help needs no rules

    check_language(options.language)
    target = _target(options)
    found = read_input(options.hypotheses, options, context=options.context)
    score = _scored(options.hypotheses, found)
    notes = list(found.notes)
    if options.estimate:
        yield from _estimate(options, score, found)
        return 0
    try:
        if options.model == RULES:
            semantic = score_semantics(score, found.utterances)
        else:
            from pytest_asrgate.judge.judge import Judge  # noqa: PLC0415 - rules alone need none

            with tempfile.TemporaryDirectory() as folder, Judge(_settings(options, Path(folder))) as judge:
                semantic = score_semantics(score, found.utterances, judge)
                notes += judge.take_notes()
    except ScoringError as error:
        raise ScoringError(f"{options.hypotheses}: {error}") from error
    except JudgeError as error:
        raise JudgeError(_as_options(str(error), options)) from error
    semantic = replace(
        semantic,
        utterances=tuple(
            replace(row, judge_error=_as_options(row.judge_error, options)) for row in semantic.utterances
        ),
    )
    from pytest_asrgate.reports.semantic_document import (  # noqa: PLC0415 - see above
        document_text,
        semantic_document,
    )
    from pytest_asrgate.reports.semantic_summary import semantic_summary  # noqa: PLC0415 - see above

    name = options.hypotheses.name
    asked = sum(row.asked for row in semantic.utterances)
    kept = target.exists() and 0 < asked == len(semantic.judge_errors)
    if not kept:
        document = semantic_document(semantic, score, found.utterances, source=without_surrogates(name))
        write_atomically(target, document_text(document))
    yield from semantic_summary(name, semantic, [_as_options(note, options) for note in notes])
    yield ""
    if kept:
        # What an earlier run found is worth more than that nobody answered now.
        yield f"{target}: stays as it was, since the judge gave no ruling at all"
    else:
        yield f"wrote {target}"
    return 1 if semantic.judge_errors else 0


def _estimate(options: argparse.Namespace, score: Score, found: Input) -> Generator[str, None, None]:
    """What judging would cost; JudgeError where the judge cannot be used."""
    from pytest_asrgate.reports.semantic_summary import estimate_lines  # noqa: PLC0415 - as in run
    from pytest_asrgate.semantic.score import questions_of  # noqa: PLC0415 - as in run

    name, total = options.hypotheses.name, len(found.utterances)
    try:
        questions = questions_of(score, found.utterances)
        if options.model == RULES:
            yield from estimate_lines(name, options.model, None, total, len(questions))
            return
        from pytest_asrgate.judge.judge import Judge  # noqa: PLC0415 - as in run

        with tempfile.TemporaryDirectory() as folder, Judge(_settings(options, Path(folder))) as judge:
            estimate = judge.estimate(questions)
    except ScoringError as error:
        raise ScoringError(f"{options.hypotheses}: {error}") from error
    except JudgeError as error:
        raise JudgeError(_as_options(str(error), options)) from error
    yield from estimate_lines(name, options.model, estimate, total, len(questions))
