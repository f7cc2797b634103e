"""The options of commands that ask a judge: what they are called, what they mean, and the settings they make."""

import argparse
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.cli.wording import reworded
from pytest_asrgate.errors import JudgeError
from pytest_asrgate.values import RULES

if TYPE_CHECKING:
    # Rules alone need no judge, and help needs no settings.
    from pytest_asrgate.config import JudgeSettings

__all__ = ["CASSETTE", "OPTIONS", "add_judge_arguments", "as_options", "cassette_of", "judge_settings"]

# One for all files of a folder, so that a pair of texts which several hold is asked about once. Its lines are JSON,
# but `*.jsonl` must go on to mean hypotheses.
CASSETTE = "judge.cassette"

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
    "judge.calibration": "--calibration",
    "judge.min_kappa": "--min-kappa",
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


def add_judge_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say who is asked, how, and for how much."""
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
        "--cassette", type=Path, metavar="FILE", help=f"the file of replies; {CASSETTE} in HYP's folder by default"
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


def as_options(sentence: str, options: argparse.Namespace) -> str:
    """A sentence on settings of the gate file, in the words of this command; files and names stay as they are."""
    given = {str(value) for value in vars(options).values() if isinstance(value, str | Path)}
    given.add(str(cassette_of(options)))
    return reworded(sentence, OPTIONS, given)


def cassette_of(options: argparse.Namespace) -> Path:
    """The file of replies: the one that is named, else the one beside the file of hypotheses, or of labels."""
    cassette: Path = options.cassette or (options.calibrate or options.hypotheses).with_name(CASSETTE)
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


def judge_settings(options: argparse.Namespace, folder: Path) -> "JudgeSettings":
    """The judge's settings; JudgeError for what does not fit together. `folder` is for the run alone."""
    from pytest_asrgate.config import JudgeSettings  # noqa: PLC0415 - rules alone need none
    from pytest_asrgate.config.judge import judge_problems  # noqa: PLC0415 - as above
    from pytest_asrgate.config.schema import JudgeTable  # noqa: PLC0415 - as above

    if not options.model.strip():
        raise JudgeError("--model: must not be empty; name a model, or rules")
    settings = JudgeSettings(
        cassette=cassette_of(options),
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
        raise JudgeError(as_options("; ".join(problems), options))
    return settings
