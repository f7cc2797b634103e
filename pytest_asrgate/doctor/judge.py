"""How meaning would be judged: which model, and whether its key is there. Never a value of anything secret."""

import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.doctor.calibration import calibrations
from pytest_asrgate.doctor.findings import Finding, fact, problem
from pytest_asrgate.doctor.versions import installed, is_malicious

if TYPE_CHECKING:
    # What reads a gate file may be what is broken.
    from pytest_asrgate.config import Gate
    from pytest_asrgate.config.gate import JudgeSettings

__all__ = ["judge"]

# Where litellm looks for the keys of the usual providers.
_KEYS = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "AZURE_API_KEY",
    "MISTRAL_API_KEY",
    "OPENROUTER_API_KEY",
    "AWS_ACCESS_KEY_ID",
)
_REFERENCE = re.compile(r"\$\{([^}]*)\}")
# Texts of the table that are no secret; of any other one only that it is set.
_SHOWN = {"model", "mode"}


def _shown(key: str, value: object) -> str:
    if isinstance(value, bool | int | float) or (isinstance(value, str) and key in _SHOWN):
        return f"{key} = {value}"
    return f"{key} is {'set' if value else 'not set'}"


_MODES = {
    "replay": "only replies that the cassette has, a miss is an error",
    "record": "what the cassette lacks is asked for and kept",
    "live": "every question is asked, and no reply is kept",
}
# Modes that call the model.
_CALLING = ("record", "live")


def _cassette(settings: "JudgeSettings") -> Finding:
    """Where replies are kept, and how many there are."""
    from pytest_asrgate.errors import JudgeError  # noqa: PLC0415 - as above
    from pytest_asrgate.judge.cassette import Cassette  # noqa: PLC0415 - as above

    path = settings.cassette
    if settings.mode == "live":
        return fact("cassette", "not used in live mode")
    if not path.exists():
        if settings.mode == "record":
            return fact("cassette", f"{path} is not there yet; the first reply makes it")
        why = "is not there, and replay can only read it; record it with --asrgate-judge record"
        return problem("cassette", f"{path} {why}")
    if not path.is_file():
        return problem("cassette", f"{path} is no regular file; name another one in judge.cassette")
    try:
        models = [reply.model for reply in Cassette(path).replies()]
    except JudgeError as error:
        return problem("cassette", error)
    replies = "1 reply" if len(models) == 1 else f"{len(models)} replies"
    return fact("cassette", f"{path}, {replies}, {models.count(settings.model)} of {settings.model}")


def _litellm(settings: "JudgeSettings") -> Finding:
    """Whether the model can be called; the package is never imported."""
    version, calling = installed("litellm"), settings.mode in _CALLING
    if version is None:
        if calling:
            why = f"not installed, and {settings.mode} mode calls the model through it"
            return problem("litellm", f"{why}; install pytest-asrgate[judge]")
        return fact("litellm", f"not installed, not needed for {settings.mode}")
    if is_malicious("litellm", version):
        why = "is a malicious release and is refused; remove it, and change every key that this machine holds"
        return problem("litellm", f"{version} {why}")
    return fact(
        "litellm", f"{version}, " + ("imported at the first call" if calling else f"not needed for {settings.mode}")
    )


# What is bought by each word of `judged`: its name, and what rules alone give of it.
_BOUGHT = {
    "semantic": ("semantic WER", "an upper bound"),
    "intent": ("intent and entities", "a lower bound of the intent, and the entities that rules find"),
}


def _settings(gate: "Gate") -> Iterator[Finding]:
    """What a run would do."""
    settings = gate.judge
    asked = False
    bought = {word for dataset in gate.datasets.values() for word in dataset.judged}
    for word, (title, bound) in _BOUGHT.items():
        names = ", ".join(name for name, dataset in gate.datasets.items() if word in dataset.judged)
        if not bought:
            yield fact(title, f'no data set buys it (judged = ["{word}"])')
        elif word not in bought:
            continue
        elif settings.mode == "off":
            yield fact(title, f'{names}, but judge.mode is "off", so nothing is judged')
        elif settings.model == "rules":
            yield fact(title, f"{names}, by rules alone: {bound}, no model is asked")
        else:
            asked = True
            yield fact(title, f"{names}, judged by {settings.model}; {settings.mode}: {_MODES[settings.mode]}")
    if asked:
        yield _cassette(settings)
        yield _litellm(settings)
    if settings.mode != "off" and settings.model != "rules":
        yield from calibrations(gate)


def judge(path: Path | None, gate: "Gate | None" = None) -> Iterator[Finding]:
    """The [judge] table as it is written, what a run would do, and which environment variables are set, by name.

    `gate` is what the file at `path` says, None where it cannot be used. Nothing is imported that asks a model.
    """
    table: dict[str, object] = {}
    if path is not None and path.is_file():
        # What is wrong with the file is told elsewhere.
        try:
            raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError, RecursionError):
            raw = {}
        table = raw["judge"] if isinstance(raw.get("judge"), dict) else {}
    text = ", ".join(_shown(key, value) for key, value in table.items()) or "no [judge] table"
    yield fact("judge", text)
    if gate is not None:
        yield from _settings(gate)
    named = _REFERENCE.findall(json.dumps(table, default=str))
    names = [*dict.fromkeys([*named, *_KEYS])]
    there = [name for name in names if os.environ.get(name)]
    absent = [name for name in names if name not in there]
    yield fact(
        "keys in the environment", f"set: {', '.join(there) or 'none'}; not set: {', '.join(absent) or 'none'}"
    )
