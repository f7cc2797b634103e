"""A task of one's own and an asker that follows a script, for tests of the judge."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import ReplyError
from pytest_asrgate.judge.asking import Request, Response
from pytest_asrgate.judge.task import Item, Question, Task


def _schema(question: Question) -> Mapping[str, object]:
    ids: Any = question.data["ids"]
    return {"type": "object", "required": list(ids), "properties": {name: {"type": "string"} for name in ids}}


def _parse(question: Question, value: object) -> Mapping[str, Item]:
    ids: Any = question.data["ids"]
    if not isinstance(value, dict) or set(value) != set(ids):
        raise ReplyError(f"the ids must be {sorted(ids)}")
    for item in value.values():
        if item.get("label") not in {"same", "error", "unsure"}:
            raise ReplyError("a label must be same, error or unsure")
    return {name: Item(item["label"], item["reason"]) for name, item in value.items()}


COLOURS = Task(
    name="colours",
    version=1,
    instructions="Say whether two colours are the same.",
    schema=_schema,
    parse=_parse,
    contradicts=lambda item: "same" in item.reason and item.label == "error",
)


def question(text: str = "red", *, ids: Sequence[str] = ("1",), risky: Sequence[str] = ()) -> Question:
    """A question about a text; equal texts are equal questions."""
    return Question(COLOURS, {"reference": text, "hypothesis": f"{text}!", "ids": list(ids)}, tuple(risky))


def said(label: str = "same", reason: str = "because", *, ids: Sequence[str] = ("1",)) -> str:
    """The content of a valid reply that says the same of each id."""
    return json.dumps({name: {"reason": reason, "label": label} for name in ids})


def answer(content: object = None, *, finish: str | None = "stop", cost: float | None = 0.01) -> Response:
    """A chat completion with this content, `said()` where none is given."""
    message = {"role": "assistant", "content": said() if content is None else content}
    return Response({"choices": [{"finish_reason": finish, "message": message}]}, 100, 20, cost)


def settings(folder: Path, **given: Any) -> JudgeSettings:
    """Settings of a judge that records into a folder of the test."""
    every: dict[str, Any] = {"model": "stand-in/one", "mode": "record", "api_key": "sk-secret-0123456789"}
    return JudgeSettings(cassette=folder / "judge.jsonl", folder=folder / "state", **{**every, **given})


Step = Response | BaseException | Callable[[Request], Response]


@dataclass
class Script:
    """An asker: each call takes the next step, and the last one again and again; an error is raised.

    `by_text` has steps for a text of its own. `most` is how many calls were in flight at once at most; with `hold`
    each call waits until it is released.
    """

    steps: list[Step] = field(default_factory=lambda: [answer()])
    by_text: dict[str, list[Step]] = field(default_factory=dict)
    largest: float | None = 0.05
    hold: asyncio.Event | None = None
    pause_s: float = 0.0
    asked: list[Request] = field(default_factory=list)
    opened: int = 0
    closed: int = 0
    flying: int = 0
    most: int = 0

    def open(self, _settings: JudgeSettings) -> "Script":
        """What `open_asker` is given as."""
        self.opened += 1
        return self

    async def ask(self, request: Request) -> Response:
        """The next step."""
        self.asked.append(request)
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            await asyncio.sleep(self.pause_s)
            if self.hold is not None:
                await self.hold.wait()
            step = self._step(request)
            if isinstance(step, BaseException):
                raise step
            return step if isinstance(step, Response) else step(request)
        finally:
            self.flying -= 1

    def _step(self, request: Request) -> Step:
        text = json.loads(request.messages[1]["content"])["reference"]
        steps = self.by_text.get(text, self.steps)
        return steps.pop(0) if len(steps) > 1 else steps[0]

    def largest_cost_usd(self, request: Request) -> float | None:
        """One price for all."""
        return self.largest

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """One dollar for a thousand tokens, either way."""
        return None if self.largest is None else (prompt_tokens + completion_tokens) / 1000

    async def close(self) -> None:
        """Count it."""
        self.closed += 1


def sleeper(slept: list[float]) -> Callable[[float], Any]:
    """A sleep that takes no time and writes down what was asked for."""

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(0)

    return sleep
