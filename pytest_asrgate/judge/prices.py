"""What a call costs, in US dollars: by the prices of the gate file, else by the list that litellm carries."""

import json
from dataclasses import dataclass
from typing import Any

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.asking import Request

__all__ = ["Prices", "prices"]

_MILLION = 1_000_000

# In tokens. Providers put words of their own around a request: roles, how a schema is to be kept, a tool for it.
_AROUND = 1_000


@dataclass(frozen=True, slots=True)
class Prices:
    """What the tokens of one model cost; `litellm` is the package where its list knows the model, else None.

    `in_usd` and `out_usd` are of a million tokens, as the gate file gives them. Both ways ignore what a provider
    takes off for repeated beginnings and the like.
    """

    model: str
    in_usd: float | None
    out_usd: float | None
    litellm: Any = None

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost; None where the price is not known."""
        if self.in_usd is not None and self.out_usd is not None:
            return (prompt_tokens * self.in_usd + completion_tokens * self.out_usd) / _MILLION
        if self.litellm is None:
            return None
        # Some models cost more per token from a length on; litellm knows where.
        parts = self.litellm.cost_per_token(
            model=self.model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
        )
        return float(sum(parts))

    def largest_cost_usd(self, request: Request) -> float | None:
        """What a call costs at most; None where the price is not known.

        No token is shorter than a byte of UTF-8, so the prompt has at most as many tokens as bytes.
        """
        texts = [json.dumps(request.schema, ensure_ascii=False)]
        texts += [text for message in request.messages for text in message.values()]
        # A lone surrogate cannot be written as UTF-8, and counts as much as what replaces it.
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        return self.cost_usd(size + _AROUND, request.max_tokens)


def prices(settings: JudgeSettings, litellm: Any) -> Prices:
    """The prices of the judge's model; `litellm` is the package, which is imported by the one who calls it."""
    given = Prices(settings.model, settings.price_in_usd, settings.price_out_usd)
    if given.in_usd is not None and given.out_usd is not None:
        return given
    try:
        entry = litellm.model_cost[litellm.get_model_info(settings.model)["key"]]
    except Exception:  # noqa: BLE001 - it raises a bare Exception for a model that is not on its list
        return given
    # A model that is paid by the second or by the picture would seem to cost nothing.
    listed = all(isinstance(entry.get(f"{way}_cost_per_token"), int | float) for way in ("input", "output"))
    return Prices(settings.model, None, None, litellm) if listed else given
