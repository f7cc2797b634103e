"""What questions would cost that are not answered yet, before any call."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_asrgate.judge.asking import Asker, Request

__all__ = ["Estimate", "Missing", "estimate"]

# A token of English is four bytes on average; of other scripts fewer bytes, so that an estimate is too low there.
_BYTES_A_TOKEN = 4
# In tokens, of a reply, where the cassette has none to go by: three differences with a sentence each.
_USUAL_REPLY = 150


@dataclass(frozen=True, slots=True)
class Estimate:
    """What questions would cost that are not answered yet; repairs and repeated calls come on top.

    Of `questions` different ones, `answered` need no call. `calls_at_least` is without votes that only a reply can
    ask for, `calls_at_most` with all votes. Prompt tokens are estimated as UTF-8 bytes / 4. Completion tokens are
    estimated at least as the mean of the cassette's replies, and are at most `max_tokens` a call. Costs are US
    dollars, None where the price is not known: of the estimated tokens at least, and at most what a budget reserves
    for the calls, a token for each byte.
    """

    questions: int
    answered: int
    calls_at_least: int
    calls_at_most: int
    prompt_tokens_at_least: int
    prompt_tokens_at_most: int
    completion_tokens_at_least: int
    completion_tokens_at_most: int
    cost_usd_at_least: float | None
    cost_usd_at_most: float | None


@dataclass(frozen=True, slots=True)
class Missing:
    """The calls that one question still needs: those that are sure, and those that a reply may ask for."""

    sure: tuple[Request, ...]
    possible: tuple[Request, ...]


def _prompt_tokens(request: Request) -> int:
    texts = [json.dumps(request.schema, ensure_ascii=False), *(message["content"] for message in request.messages)]
    return math.ceil(sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / _BYTES_A_TOKEN)


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return math.fsum(known) if len(known) == len(costs) else None


def estimate(
    missing: Sequence[Missing], reply_tokens: Sequence[int], asker: Callable[[], Asker | None]
) -> Estimate:
    """Add up what is missing for different questions; `reply_tokens` are the lengths of replies that came before.

    `asker`, which knows prices, is called where there is something to pay.
    """
    sure = [request for each in missing for request in each.sure]
    every = sure + [request for each in missing for request in each.possible]
    usual = math.ceil(sum(reply_tokens) / len(reply_tokens)) if reply_tokens else _USUAL_REPLY
    prompts = [_prompt_tokens(request) for request in sure]
    replies = [min(usual, request.max_tokens) for request in sure]
    least: float | None = 0.0
    most: float | None = 0.0
    if every:
        knows = asker()
        least = _sum([knows.cost_usd(*tokens) for tokens in zip(prompts, replies, strict=True)]) if knows else None
        most = _sum([knows.largest_cost_usd(request) for request in every]) if knows else None
    return Estimate(
        questions=len(missing),
        answered=sum(not each.sure for each in missing),
        calls_at_least=len(sure),
        calls_at_most=len(every),
        prompt_tokens_at_least=sum(prompts),
        prompt_tokens_at_most=sum(map(_prompt_tokens, every)),
        completion_tokens_at_least=sum(replies),
        completion_tokens_at_most=sum(request.max_tokens for request in every),
        cost_usd_at_least=least,
        cost_usd_at_most=most,
    )
