"""A judge without a model for benchmarks of everything around it; its verdicts mean nothing."""

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["MadeUp"]


class MadeUp:
    """Answers by a fixed rule: a difference whose sides begin alike is the same, any other an error."""

    async def ask(self, request: Any) -> Any:
        """A valid reply to whatever is asked."""
        from pytest_asrgate.judge.asking import Response

        rows = json.loads(request.messages[1]["content"])["differences"]
        verdicts = {
            row["id"]: {
                "reason": f'"{row["reference"]}" was heard as "{row["hypothesis"]}" in this sentence.',
                "verdict": "same" if row["reference"][:1] == row["hypothesis"][:1] else "error",
            }
            for row in rows
        }
        message = {"role": "assistant", "content": json.dumps(verdicts)}
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
