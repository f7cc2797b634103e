"""A question as the call to a model that asks it, and the key under which its reply is kept."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.jsonlines import json_text
from pytest_asrgate.judge.asking import Request
from pytest_asrgate.judge.task import Question

__all__ = ["repair_of", "reply_keys", "request_of"]

# Raised whenever the messages below change, so that no kept reply answers to another wording.
_LAYOUT = 1

# The first vote is the model's most likely answer, and as repeatable as the model is. At temperature 0 further
# votes would only repeat it, so they are drawn; 0.7 is usual where answers are drawn to be voted on. Seeds count
# up from the first.
_FIRST_TEMPERATURE = 0.0
_VOTE_TEMPERATURE = 0.7
_FIRST_SEED = 1

# Of a bad reply so much is shown to its writer, in characters.
_SHOWN_OF_BAD = 4_000


def _temperature(vote: int) -> float:
    return _VOTE_TEMPERATURE if vote else _FIRST_TEMPERATURE


def _sorted(value: object) -> object:
    """The same value with its objects' keys in order."""
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value


def request_of(question: Question, settings: JudgeSettings, vote: int) -> Request:
    """The call that asks a question for one vote, from 0; ValueError for data that is no JSON.

    The task's instructions are the system's message. The data is the user's, one JSON object in one line: a
    transcript stands in it as a JSON string, which it cannot leave, with what a terminal would act on escaped.
    """
    task = question.task
    return Request(
        model=settings.model,
        messages=(
            {"role": "system", "content": task.instructions},
            {"role": "user", "content": json_text(_sorted(question.data))},
        ),
        schema_name=task.name,
        schema=task.schema(question),
        temperature=_temperature(vote),
        seed=_FIRST_SEED + vote,
        max_tokens=settings.max_tokens,
    )


def repair_of(request: Request, bad: str, wrong: str) -> Request:
    """The call that shows a model its bad reply and what is wrong with it, and asks for a valid one."""
    # Some servers refuse a message without content.
    shown = bad[:_SHOWN_OF_BAD].strip() or "(no reply)"
    mend = (
        f"That reply cannot be used: {wrong}. Reply once more to the same data, with nothing but one JSON object "
        "that follows the schema."
    )
    messages = (*request.messages, {"role": "assistant", "content": shown}, {"role": "user", "content": mend})
    return replace(request, messages=messages)


def _canonical(value: object) -> bytes:
    # Escaped throughout, since data may hold half a character.
    text = json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":"), default=dict)
    return text.encode("ascii")


@cache
def _drawn(vote: int) -> bytes:
    """What shapes one vote beside what shapes all of them."""
    return _canonical({"temperature": _temperature(vote), "seed": _FIRST_SEED + vote})


@cache
def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def reply_keys(question: Question, settings: JudgeSettings) -> tuple[str, ...]:
    """The key of each vote's reply: a SHA-256 over everything that shapes it, and over nothing secret.

    That is task, version, instructions, schema, model, temperature, seed, `max_tokens` and the whole data. Where
    the model is served is not in it, nor is why the question is voted on. ValueError for data that is no JSON.
    """
    task = question.task
    shape: dict[str, Any] = {
        "layout": _LAYOUT,
        "task": task.name,
        "version": task.version,
        "instructions": _digest(task.instructions),
        "schema": task.schema(question),
        "model": settings.model,
        "max_tokens": settings.max_tokens,
        "data": question.data,
    }
    common = hashlib.sha256(_canonical(shape))
    keys = []
    for vote in range(settings.votes):
        key = common.copy()
        key.update(_drawn(vote))
        keys.append(key.hexdigest())
    return tuple(keys)
