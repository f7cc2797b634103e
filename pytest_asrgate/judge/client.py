"""Calls to a model through litellm, and what litellm is kept from doing: no list of prices is fetched, no `.env`
is read, nothing is logged or sent to anybody but the model, and no call is made twice.
"""

import asyncio
import contextlib
import importlib.metadata
import inspect
import ipaddress
import json
import logging
import sys
import warnings
import weakref
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.asking import Asker, Request, Response
from pytest_asrgate.judge.call_errors import call_error, timed_out
from pytest_asrgate.judge.prices import Prices, prices
from pytest_asrgate.judge.releases import MALICIOUS
from pytest_asrgate.judge.surroundings import PROCESS

__all__ = ["open_asker"]

_INSTALL = "install it with pip install 'pytest-asrgate[judge]'"

# Sent to a server of one's own that asks for no key. Without it, litellm would send it the key of OpenAI that it
# finds in the environment.
_NO_KEY = "no-key"

# Far above what any model reads or writes at once.
_MOST_TOKENS = 10**9


def _check_version() -> None:
    """Raise JudgeError where litellm is absent or a release that must not be imported."""
    try:
        version = importlib.metadata.version("litellm")
    except importlib.metadata.PackageNotFoundError:
        raise JudgeError(f"the judge needs litellm, which is not installed; {_INSTALL}") from None
    if version in MALICIOUS:
        raise JudgeError(
            f"litellm {version} is a malicious release and was not imported; uninstall it, change every key that "
            f"this machine holds, and {_INSTALL}"
        )


def _import_litellm() -> Any:
    """The package, imported once in a process, 2–6 s and 190 MB, and kept quiet; JudgeError where that fails."""
    theirs = "litellm" in sys.modules
    try:
        # It warns and filters warnings while it is imported; neither outlives this block.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import litellm  # noqa: PLC0415 - heavy: only a judge that is really asked pays for it
    except Exception as error:
        raise JudgeError(f"litellm cannot be imported ({type(error).__name__}: {error}); {_INSTALL}") from error
    PROCESS.quieten(litellm)
    # Where somebody else imported it before, how it logs is theirs.
    if not theirs:
        litellm.telemetry = False
        litellm.redact_messages_in_exceptions = True
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
            logger = logging.getLogger(name)
            logger.handlers[:] = [logging.NullHandler()]
            logger.propagate = False
    return litellm


def _tokens(body: Mapping[str, Any], name: str) -> int:
    """A server's count of tokens; 0 where it gives none, or one that cannot be."""
    usage = body.get("usage")
    value = usage.get(name) if isinstance(usage, dict) else None
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST_TOKENS:
        return value
    return 0


def _is_answered(body: Mapping[str, Any]) -> bool:
    """Whether there is any text in a reply."""
    return any((choice.get("message") or {}).get("content") for choice in body.get("choices") or ())


def _plain(reply: Any) -> dict[str, Any]:
    """The reply as JSON values, refusals where OpenAI puts them; numbers that are none become None."""
    with warnings.catch_warnings():
        # Providers send fields that litellm's types do not foresee.
        warnings.simplefilter("ignore")
        dumped = reply.model_dump()
    body = json.loads(json.dumps(dumped, default=str), parse_constant=lambda _: None)
    for choice in body.get("choices") or ():
        message = choice.get("message") or {}
        other = message.get("provider_specific_fields") or {}
        if other.get("refusal") and not message.get("refusal"):
            message["refusal"] = other["refusal"]
    return body if isinstance(body, dict) else {}


def _whole(text: str) -> str:
    """The text with U+FFFD for half characters, as a bad reply may hold that is shown to its writer for repair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_here(url: str) -> bool:
    """Whether an address is one of this machine's own loopback."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class LitellmAsker:
    """Carries requests through litellm; see Asker."""

    def __init__(self, settings: JudgeSettings) -> None:
        self._settings = settings
        _check_version()
        PROCESS.take()
        # Also where nobody closes it.
        self._give_back = weakref.finalize(self, PROCESS.give_back)
        try:
            self._litellm = _import_litellm()
        except BaseException:
            self._give_back()
            raise
        self._prices: Prices = prices(settings, self._litellm)
        # litellm would send what is meant for this machine to the proxy of HTTP_PROXY, unless NO_PROXY has it.
        self._no_proxy = _is_here(settings.api_base)

    async def ask(self, request: Request) -> Response:
        """One call, never repeated here, of `timeout_s` at most by the clock; CallError where it fails."""
        PROCESS.filter_warnings()
        self._litellm.disable_aiohttp_trust_env = self._no_proxy
        try:
            # litellm's own time limit is for each read: a server that drips never meets it.
            async with asyncio.timeout(self._settings.timeout_s):
                reply = await self._litellm.acompletion(**self._call(request))
        except TimeoutError:
            raise timed_out(self._settings) from None
        except Exception as error:  # noqa: BLE001 - litellm raises what its providers' packages do
            # Not `from error`: it holds the request with its headers, and so the key.
            raise call_error(error, self._settings) from None
        body = _plain(reply)
        prompt, completion = _tokens(body, "prompt_tokens"), _tokens(body, "completion_tokens")
        # A model that a filter stopped said nothing, which takes no tokens.
        counted = prompt > 0 and (completion > 0 or not _is_answered(body))
        # Without a count only what is free whatever it counts has a known cost.
        free = self._prices.cost_usd(_MOST_TOKENS, _MOST_TOKENS) == 0
        cost = self._prices.cost_usd(prompt, completion) if counted or free else None
        return Response(body, prompt, completion, cost)

    def _call(self, request: Request) -> dict[str, Any]:
        settings = self._settings
        schema = {"name": request.schema_name, "strict": True, "schema": dict(request.schema)}
        call: dict[str, Any] = {
            "model": request.model,
            "messages": [{name: _whole(text) for name, text in message.items()} for message in request.messages],
            "response_format": {"type": "json_schema", "json_schema": schema},
            "temperature": request.temperature,
            "seed": request.seed,
            "max_tokens": request.max_tokens,
            # What a provider does not know is left out: some have no seed, some no temperature.
            "drop_params": True,
            "max_retries": 0,
            "num_retries": 0,
            # The clock above is what counts.
            "timeout": settings.timeout_s + 60,
            # No callback that somebody registered sees these texts.
            "no-log": True,
        }
        if settings.api_base:
            call["api_base"] = settings.api_base
        if settings.api_base or settings.api_key:
            call["api_key"] = settings.api_key or _NO_KEY
        return call

    def largest_cost_usd(self, request: Request) -> float | None:
        """What the call costs at most, in US dollars; None where the price is not known."""
        return self._prices.largest_cost_usd(request)

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost, in US dollars; None where the price is not known."""
        return self._prices.cost_usd(prompt_tokens, completion_tokens)

    async def close(self) -> None:
        """Close this loop's connections and end litellm's own tasks, which would warn when the loop is gone."""
        with contextlib.suppress(ImportError, AttributeError):
            from litellm.litellm_core_utils.logging_worker import (  # noqa: PLC0415 - as litellm itself
                GLOBAL_LOGGING_WORKER,
            )

            # Tasks that only hand something to the worker come first.
            await asyncio.sleep(0)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(GLOBAL_LOGGING_WORKER.flush(), 5)
            await GLOBAL_LOGGING_WORKER.stop()
        cache: Any = getattr(self._litellm, "in_memory_llm_clients_cache", None)
        kept = getattr(cache, "cache_dict", {})
        # litellm's own way to close all does not know OpenAI's clients, and keeps closed ones for the next call.
        ours = [key for key in kept if str(key).endswith(f"-{id(asyncio.get_running_loop())}")]
        for key in ours:
            client = kept[key]
            cache.delete_cache(key)
            close = getattr(client, "aclose", None) or getattr(client, "close", None)
            with contextlib.suppress(Exception):
                closing = close() if close else None
                if inspect.isawaitable(closing):
                    await closing
        # Sockets are closed by callbacks of the loop.
        await asyncio.sleep(0)
        self._give_back()


def open_asker(settings: JudgeSettings) -> Asker:
    """What carries calls to the judge's model; JudgeError where litellm is absent, refused or broken.

    It imports litellm, so open it when a call is really to be made or priced.
    """
    return LitellmAsker(settings)
