"""What must fit together in [judge], and its settings once it does."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pytest_asrgate.config.gate import JudgeSettings
from pytest_asrgate.config.schema import GateFile, JudgeTable
from pytest_asrgate.records import Problem
from pytest_asrgate.values import RULES, shown

__all__ = [
    "CALIBRATION",
    "CASSETTE",
    "JUDGE_MODES",
    "judge_problems",
    "judge_settings",
    "secret_problems",
    "without_unset",
]

JUDGE_MODES = ("replay", "record", "live", "off")
# Where replies are kept unless the file says otherwise, in the state folder.
CASSETTE = Path("judge") / "cassette.jsonl"
# Likewise, what calibrations of the judge have found.
CALIBRATION = Path("judge") / "calibration.json"

# More votes or calls at once than these are a slip: each costs, and no provider allows so many calls.
_MOST_VOTES = 15
_MOST_AT_ONCE = 256

_REFERENCE = re.compile(r"\$\{([^}]+)\}")


def secret_problems(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """A key that stands in the file itself; `raw` is the file before environment variables were filled in."""
    table = raw.get("judge")
    key = table.get("api_key") if isinstance(table, dict) else None
    if isinstance(key, str) and key and not _REFERENCE.fullmatch(key):
        # Never the value: it is a secret.
        message = 'must name an environment variable, as "${NAME}"; a key does not belong into a file'
        yield Problem("judge.api_key", message)


def without_unset(raw: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The file without a key or an address of the judge that stand in variables which are not set, and their names.

    Who replays a cassette calls nobody, and CI has no key: whoever does call is told then. An empty variable counts
    as unset, since a provider's own one would be taken in its place.
    """
    table = raw.get("judge")
    if not isinstance(table, dict):
        return dict(raw), ()
    unset: list[str] = []
    kept = dict(table)
    for key in ("api_key", "api_base"):
        value = table.get(key)
        named = _REFERENCE.findall(value) if isinstance(value, str) else []
        names = [name for name in named if not os.environ.get(name)]
        if names:
            unset += names
            del kept[key]
    return {**raw, "judge": kept}, tuple(dict.fromkeys(unset))


def _address_problems(address: str) -> Iterator[Problem]:
    """What is wrong with an address, which is quoted only where it holds no place for a secret."""
    try:
        parts = urlsplit(address)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname)
        has_user = parts.username is not None or parts.password is not None
    except ValueError:
        good, has_user = False, False
    if "?" in address or "#" in address:
        message = 'must end with its path, without ? and #; give a key as api_key = "${NAME}"'
    elif has_user or (not good and "@" in address):
        message = 'must hold no user or password; give the key as api_key = "${NAME}"'
    elif not good:
        message = f'must be an address such as "http://127.0.0.1:8080/v1"; got {shown(address)}'
    else:
        return
    yield Problem("judge.api_base", message)


def judge_problems(table: JudgeTable) -> Iterator[Problem]:
    """What is wrong with a table whose fields are right by themselves."""
    if table.votes % 2 == 0:
        yield Problem("judge.votes", f"must be odd, so that there is a majority; got {table.votes}")
    bounded = (("votes", table.votes, _MOST_VOTES), ("concurrency", table.concurrency, _MOST_AT_ONCE))
    for name, number, most in bounded:
        if number > most:
            yield Problem(f"judge.{name}", f"must be at most {most}; got {shown(number)}")
    if table.model != RULES and table.model.strip().casefold() == RULES:
        message = f'must be "{RULES}", in small letters, for rules alone; got {shown(table.model)}'
        yield Problem("judge.model", message)
    if table.api_base:
        yield from _address_problems(table.api_base)
    prices = {"price_in_usd": table.price_in_usd, "price_out_usd": table.price_out_usd}
    for name, value in prices.items():
        if value == "off":
            yield Problem(f"judge.{name}", 'must be a number; got "off"')
    if (table.price_in_usd is None) != (table.price_out_usd is None):
        missing, given = sorted(prices, key=lambda name: prices[name] is not None)
        message = f"must be given too where {given} is: a call costs what goes in and what comes out"
        yield Problem(f"judge.{missing}", message)
    if table.max_cost_usd == "off":
        yield Problem("judge.max_cost_usd", 'must be a number, 0 for no limit; got "off"')
    if table.max_calls == "off":
        yield Problem("judge.max_calls", 'must be a whole number, 0 for no limit; got "off"')

    yield from _kappa_problems(table)


def _kappa_problems(table: JudgeTable) -> Iterator[Problem]:
    kappa = table.min_kappa
    if kappa is None:
        return
    if kappa == "off":
        yield Problem("judge.min_kappa", 'must be a number, or left out for no condition; got "off"')
    elif not 0.0 < kappa <= 1.0:
        yield Problem("judge.min_kappa", f"must be above 0 and at most 1, such as 0.6; got {kappa:g}")
    elif table.model == RULES:
        message = f'asks for a calibrated model, and judge.model is "{RULES}", which are bounds; leave it out'
        yield Problem("judge.min_kappa", message)


def judge_settings(file: GateFile, root: Path) -> JudgeSettings:
    """The settings of a table without problems; `root` is the folder of the gate file."""
    table, state = file.judge, root / file.gate.state
    return JudgeSettings(
        cassette=root / table.cassette if table.cassette else state / CASSETTE,
        folder=state / "judge",
        model=table.model,
        mode=table.mode,
        api_base=table.api_base,
        api_key=table.api_key,
        votes=table.votes,
        max_cost_usd=float(table.max_cost_usd),
        max_calls=int(table.max_calls),
        concurrency=table.concurrency,
        timeout_s=table.timeout_s,
        max_tokens=table.max_tokens,
        price_in_usd=None if table.price_in_usd is None else float(table.price_in_usd),
        price_out_usd=None if table.price_out_usd is None else float(table.price_out_usd),
        calibration=root / table.calibration if table.calibration else state / CALIBRATION,
        min_kappa=None if table.min_kappa is None else float(table.min_kappa),
    )
