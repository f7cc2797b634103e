"""A judge without a model for benchmarks of everything around it; its verdicts mean nothing."""

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["MadeUp"]


def _differences(data: Mapping[str, Any]) -> dict[str, object]:
    return {
        row["id"]: {
            "reason": f'"{row["reference"]}" was heard as "{row["hypothesis"]}" in this sentence.',
            "verdict": "same" if row["reference"][:1] == row["hypothesis"][:1] else "error",
        }
        for row in data["differences"]
    }


def _entities(data: Mapping[str, Any]) -> dict[str, object]:
    word = max(data["reference"].split(), key=len)
    return {"entities": [{"text": word, "kind": "object", "importance": 2}]}


def _fates(data: Mapping[str, Any]) -> dict[str, object]:
    words = data["hypothesis"].split()
    reply: dict[str, object] = {}
    for row in data["entities"]:
        there = row["text"] in words
        label, heard = ("preserved", row["text"]) if there else ("missing", "")
        reply[row["id"]] = {"reason": "This word was looked for.", "heard": heard, "verdict": label}
    kept = all(row["text"] in words for row in data["entities"])
    return {"intent": {"reason": "This word was looked for.", "verdict": "kept" if kept else "lost"}, **reply}


class MadeUp:
    """Answers by a fixed rule: a difference whose sides begin alike is the same, any other an error.

    A reference has its longest word for an entity, which with the intent is preserved where a hypothesis has it.
    """

    async def ask(self, request: Any) -> Any:
        """A valid reply to whatever is asked."""
        from pytest_asrgate.judge.asking import Response

        data = json.loads(request.messages[1]["content"])
        answer = {"semantic": _differences, "entities": _entities, "intent": _fates}[request.schema_name]
        message = {"role": "assistant", "content": json.dumps(answer(data))}
        body: Mapping[str, Any] = {"choices": [{"message": message, "finish_reason": "stop"}]}
        return Response(body, 700, 30, 0.0)

    def largest_cost_usd(self, *_: Any) -> float | None:
        """Nothing."""
        return 0.0

    def cost_usd(self, *_: Any) -> float | None:
        """Nothing."""
        return 0.0

    async def close(self) -> None:
        """Nothing is open."""
