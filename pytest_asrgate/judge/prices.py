"""What a call costs, in US dollars: by the prices of the gate file, else by the list that litellm carries."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.asking import Request
from pytest_asrgate.values import finite_number

__all__ = ["Prices", "prices"]

_MILLION = 1_000_000

# In tokens. Providers put words of their own around a request: roles, how a schema is to be kept, a tool for it.
_AROUND = 1_000

# What one token costs in a prompt that is longer than so many thousand tokens.
_ABOVE = re.compile(r"input_cost_per_token_above_(\d{1,6})k_tokens")


@dataclass(frozen=True, slots=True)
class _Rate:
    """US dollars of a million tokens each way, for prompts of more than `above` tokens."""

    above: int
    in_usd: float
    out_usd: float


@dataclass(frozen=True, slots=True)
class Prices:
    """What the tokens of one model cost; without `rates`, which are for ever longer prompts, that is not known.

    Both ways ignore what a provider takes off for repeated beginnings and the like.
    """

    rates: tuple[_Rate, ...] = ()

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost; None where the price is not known."""
        rate = next((each for each in reversed(self.rates) if prompt_tokens > each.above), None)
        if rate is None:
            return None
        try:
            cost = (prompt_tokens * rate.in_usd + completion_tokens * rate.out_usd) / _MILLION
        except OverflowError:
            # A server may count without end.
            return None
        return cost if math.isfinite(cost) else None

    def largest_cost_usd(self, request: Request) -> float | None:
        """What a call costs at most; None where the price is not known.

        No token is shorter than a byte of UTF-8, so the prompt has at most as many tokens as bytes.
        """
        texts = [json.dumps(request.schema, ensure_ascii=False)]
        texts += [text for message in request.messages for text in message.values()]
        # A lone surrogate cannot be written as UTF-8, and counts as much as what replaces it.
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
        return self.cost_usd(size + _AROUND, request.max_tokens)


def _entry(model: str, listed: object) -> Mapping[str, Any]:
    """What the list says of a model, whose provider may stand before its name; empty where it does not know it."""
    if not isinstance(listed, Mapping):
        return {}
    entry = listed.get(model)
    if entry is None:
        provider, _, name = model.partition("/")
        entry = listed.get(name)
        # Another provider's model of that name has another price.
        whose = entry.get("litellm_provider") if isinstance(entry, Mapping) else None
        if not isinstance(whose, str) or not whose.startswith(provider):
            return {}
    return entry if isinstance(entry, Mapping) else {}


def _rates(entry: Mapping[str, Any]) -> tuple[_Rate, ...]:
    lengths = sorted(int(found[1]) for found in map(_ABOVE.fullmatch, map(str, entry)) if found)
    rates: list[_Rate] = []
    for above, suffix in [(-1, ""), *((1000 * length, f"_above_{length}k_tokens") for length in lengths)]:
        amounts = [finite_number(entry.get(f"{way}_cost_per_token{suffix}")) for way in ("input", "output")]
        if suffix and amounts[1] is None:
            # Only what goes in is dearer.
            amounts[1] = rates[0].out_usd / _MILLION
        known = [amount for amount in amounts if amount is not None and amount >= 0]
        # Listed at nothing is what the list has where nobody knew a price, or where it is not paid by the token.
        if len(known) < len(amounts) or not any(known):
            return ()
        rates.append(_Rate(above, known[0] * _MILLION, known[1] * _MILLION))
    return tuple(rates)


def prices(settings: JudgeSettings, litellm: Any) -> Prices:
    """The prices of the judge's model; `litellm` is the package, which is imported by the one who calls it.

    Only its list is read. Its functions that look a model up raise what they like, and log in to some providers.
    A model of the list that costs nothing counts as unknown; whoever has one for nothing says so in the gate file.
    """
    if settings.price_in_usd is not None and settings.price_out_usd is not None:
        return Prices((_Rate(-1, settings.price_in_usd, settings.price_out_usd),))
    return Prices(_rates(_entry(settings.model, getattr(litellm, "model_cost", None))))
