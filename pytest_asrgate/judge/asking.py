"""What goes to a model and what comes back, and who carries it: litellm, or a stand-in in tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Asker", "Request", "Response"]


@dataclass(frozen=True, slots=True)
class Request:
    """One call to a model; `schema_name` and `schema` ask for strict JSON, `messages` are those of a chat."""

    model: str
    messages: tuple[Mapping[str, str], ...]
    schema_name: str
    schema: Mapping[str, object]
    temperature: float
    seed: int
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Response:
    """A call that was answered, whatever it holds: the raw reply as plain JSON values, tokens and US dollars.

    `cost_usd` is None where the price is not known.
    """

    body: Mapping[str, Any]
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class Asker(Protocol):
    """Carries requests to one model; it neither retries nor looks at what a reply holds."""

    async def ask(self, request: Request) -> Response:
        """One call, cancelled when its task is; raises CallError for what the server or the way to it did."""

    def largest_cost_usd(self, request: Request) -> float | None:
        """What the call costs at most, in US dollars; None where the price is not known."""

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost, in US dollars; None where the price is not known."""

    async def close(self) -> None:
        """Let go of connections; called in the loop that asked."""
