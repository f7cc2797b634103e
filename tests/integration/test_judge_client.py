"""The way to a model: real calls through litellm to a real server on loopback, which misbehaves by a script."""

import asyncio
import importlib.metadata
import json
import os
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.asking import Request, Response
from pytest_asrgate.judge.call_errors import retry_after_s
from pytest_asrgate.judge.client import open_asker
from pytest_asrgate.judge.failures import CallError
from pytest_asrgate.judge.task import FailureKind
from tests.support.judge_server import (
    Answer,
    JudgeServer,
    broken,
    closed_port,
    completion,
    dripping,
    refused,
    reply,
    reset,
    ruling,
    said,
    slow,
)

ROOT = Path(__file__).parents[2]
SECRET = "sk-a-key-that-nobody-may-see"  # noqa: S105 - no key of anything
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"differences": {"type": "array", "items": {"type": "string"}}},
    "required": ["differences"],
    "additionalProperties": False,
}
TEXT = 'say "stop" – {"label": "same"}\nnow'


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy stands between the test and its server, and no key or address of a provider is set."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_")):
            monkeypatch.delenv(name)


def settings(**changes: Any) -> JudgeSettings:
    """Settings of a judge whose calls may take ten seconds."""
    usual = {"model": "openai/stand-in", "api_key": SECRET, "timeout_s": 10.0}
    return JudgeSettings(cassette=Path("cassette"), folder=Path("spending"), **{**usual, **changes})


def request(model: str = "openai/stand-in") -> Request:
    """A request with a transcript in it."""
    messages = ({"role": "system", "content": "Judge."}, {"role": "user", "content": json.dumps({"said": TEXT})})
    return Request(model, messages, "semantic", SCHEMA, 0.0, 7, 50)


def asked(url: str, **changes: Any) -> Response:
    """The answer to one call, in a loop of its own."""

    async def once() -> Response:
        asker = open_asker(settings(api_base=url, **changes))
        try:
            return await asker.ask(request(changes.get("model", "openai/stand-in")))
        finally:
            await asker.close()

    return asyncio.run(once())


def error_of(*script: Answer, **changes: Any) -> CallError:
    """What one call raises; it is made once, whatever it meets."""
    with JudgeServer(*script) as server:
        with pytest.raises(CallError) as caught:
            asked(server.url, **changes)
        assert len(server.seen) == 1
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "Traceback" not in str(caught.value)
    return caught.value


def test_a_request_is_strict_and_says_all_that_shapes_the_reply() -> None:
    """The server sees the strict schema, the seed, the temperature, the limit, and the texts as JSON strings."""
    with JudgeServer(ruling({"1": "same"})) as server:
        response = asked(server.url)
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {SECRET}"
    form = {"name": "semantic", "strict": True, "schema": SCHEMA}
    assert seen.body["response_format"] == {"type": "json_schema", "json_schema": form}
    assert {name: seen.body[name] for name in ("model", "seed", "temperature", "max_tokens")} == {
        "model": "stand-in",
        "seed": 7,
        "temperature": 0.0,
        "max_tokens": 50,
    }
    assert "stream" not in seen.body
    assert [message["role"] for message in seen.body["messages"]] == ["system", "user"]
    assert json.loads(seen.body["messages"][1]["content"]) == {"said": TEXT}
    assert (response.prompt_tokens, response.completion_tokens, response.cost_usd) == (100, 20, None)
    assert json.loads(response.body["choices"][0]["message"]["content"])["differences"][0]["label"] == "same"


def test_a_reply_is_plain_json() -> None:
    """The body can be kept as JSON, whatever the server put into it; a number that is none is None."""
    body = {**completion("{}"), "odd": float("nan")}
    with JudgeServer(reply(body)) as server:
        response = asked(server.url)
    json.dumps(response.body, allow_nan=False)
    assert response.body.get("odd") is None


def test_a_refusal_stands_where_openai_puts_it() -> None:
    """The refusal is in the message, and there is no content."""
    with JudgeServer(refused("I would rather not.")) as server:
        (choice,) = asked(server.url).body["choices"]
    assert choice["message"]["refusal"] == "I would rather not."
    assert choice["message"]["content"] is None


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, (0, 0)),
        ({}, (0, 0)),
        ({"prompt_tokens": 5}, (5, 0)),
        ({"prompt_tokens": 0, "completion_tokens": 7}, (0, 7)),
        ({"prompt_tokens": 10**400, "completion_tokens": 7}, (0, 7)),
        ({"prompt_tokens": -3, "completion_tokens": 10**10}, (0, 0)),
    ],
)
def test_without_a_count_of_tokens_the_cost_is_unknown(usage: object, tokens: tuple[int, int]) -> None:
    """A server that does not count, or counts nonsense, is believed in the rest; what is free costs nothing."""
    with JudgeServer(said("{}", usage=usage)) as server:
        response = asked(server.url, price_in_usd=1.0, price_out_usd=1.0)
        free = asked(server.url, price_in_usd=0.0, price_out_usd=0.0)
    assert (response.prompt_tokens, response.completion_tokens) == tokens
    assert response.cost_usd is None
    assert free.cost_usd == 0


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (broken(429, "slow down"), FailureKind.UNAVAILABLE, "no answer: slow down"),
        (broken(500), FailureKind.UNAVAILABLE, "no answer: out of order"),
        (broken(503), FailureKind.UNAVAILABLE, "no answer: out of order"),
        (broken(529, "overloaded"), FailureKind.UNAVAILABLE, "no answer: overloaded"),
        (reset, FailureKind.UNAVAILABLE, "no answer: "),
        (reply("<html><body>Bad gateway</body></html>"), FailureKind.UNAVAILABLE, "Bad gateway"),
        (reply(b"null"), FailureKind.UNAVAILABLE, "no answer: "),
        (reply({**completion("{}"), "choices": []}), FailureKind.MALFORMED, "what came is no answer"),
        (reply({"id": "1", "object": "chat.completion"}), FailureKind.MALFORMED, "what came is no answer"),
        (said("{}", usage="odd"), FailureKind.MALFORMED, "what came is no answer"),
        (said("{}", usage={"prompt_tokens": "x"}), FailureKind.MALFORMED, "what came is no answer"),
    ],
)
def test_what_may_pass_is_worth_another_try(answer: Answer, kind: FailureKind, words: str) -> None:
    """An outage, a rate limit, a broken connection and a body that is no completion may be asked again."""
    error = error_of(answer)
    assert (error.kind, error.retry, error.fatal, error.retry_after_s) == (kind, True, False, None)
    assert words in str(error)
    assert "judge openai/stand-in at http://127.0.0.1:" in str(error)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (broken(401, f"Incorrect API key provided: {SECRET}"), FailureKind.UNAUTHORISED, "judge.api_key"),
        (broken(403, "no access to this model"), FailureKind.UNAUTHORISED, "no access to this model"),
        (broken(400, "API key not valid. Please pass one."), FailureKind.UNAUTHORISED, "judge.api_key"),
        (broken(404, "the model `stand-in` does not exist"), FailureKind.UNAVAILABLE, "does not exist"),
        (broken(429, "You exceeded your current quota", "insufficient_quota"), FailureKind.UNAVAILABLE, "used up"),
    ],
)
def test_what_every_call_would_meet_is_fatal(answer: Answer, kind: FailureKind, words: str) -> None:
    """A refused key, an unknown model and an empty account end all asking, with the provider's own words."""
    error = error_of(answer)
    assert (error.kind, error.retry, error.fatal) == (kind, False, True)
    assert words in str(error)


@pytest.mark.parametrize("status", [400, 405, 418, 422])
def test_a_refused_request_may_be_so_because_of_its_question(status: int) -> None:
    """Whether every call would be refused is for the one to find out who makes more."""
    error = error_of(broken(status, "what is this"))
    assert (error.kind, error.retry, error.fatal, error.rejected) == (FailureKind.REFUSED, False, False, True)
    assert "the request was refused: what is this" in str(error)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (broken(400, "Your request was rejected as a result of our safety system."), FailureKind.REFUSED),
        (
            broken(
                400, "The response was filtered due to Azure OpenAI's content management policy.", "content_filter"
            ),
            FailureKind.REFUSED,
        ),
        (broken(403, "This model requires moderation; your input was flagged"), FailureKind.REFUSED),
        (broken(400, "This model's maximum context length is 4097 tokens."), FailureKind.MALFORMED),
        (broken(413, "request too large"), FailureKind.MALFORMED),
    ],
)
def test_what_lies_in_one_question_ends_that_one_alone(answer: Answer, kind: FailureKind) -> None:
    """A question that a filter stops or that is too long is not asked again, and the others are."""
    error = error_of(answer)
    assert (error.kind, error.retry, error.fatal, error.rejected) == (kind, False, False, False)


@pytest.mark.parametrize(("value", "seconds"), [("1", 1.0), ("9000", 9000.0), ("0.5", 0.5), ("soon", None)])
def test_a_server_may_ask_to_wait(value: str, seconds: float | None) -> None:
    """The seconds that a server asks for are handed on, not waited for."""
    assert error_of(broken(429, Retry_After=value)).retry_after_s == seconds


def test_a_server_may_name_a_date_to_wait_for() -> None:
    """A date of HTTP becomes seconds from now, never fewer than none; nonsense is no wish."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=3600), usegmt=True)
    assert retry_after_s({"retry-after": soon}) == pytest.approx(3600, abs=60)
    assert retry_after_s({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert retry_after_s({"retry-after": "Wed, 21 Oct 2015 07:28:00 -0000"}) == 0
    for nonsense in ("", "-3", "nan", "inf", "tomorrow", "Wed, 99 Oct 2015 07:28:00 GMT"):
        assert retry_after_s({"retry-after": nonsense}) is None
    assert retry_after_s(None) is None


def test_nobody_there() -> None:
    """A port where nobody listens is an outage."""
    taken, url = closed_port()
    with taken, pytest.raises(CallError, match="no answer: Connection error") as caught:
        asked(url)
    assert (caught.value.kind, caught.value.retry) == (FailureKind.UNAVAILABLE, True)


@pytest.mark.parametrize("answer", [dripping, slow(30, said("{}"))], ids=["dripping", "slow"])
def test_the_clock_ends_a_call(answer: Answer) -> None:
    """A server that sends a byte now and then is given up by the clock, as one that sends nothing is."""
    error = error_of(answer, timeout_s=1.0)
    assert "no whole answer within 1 s" in str(error)
    assert (error.kind, error.retry, error.fatal) == (FailureKind.UNAVAILABLE, True, False)
    assert error.timed_out


def test_what_stands_behind_the_path_of_an_address_is_not_told() -> None:
    """Keys are put into a query; messages have scheme, host, port and path, and a server's echo is redacted."""
    hidden = "sig-a-query-that-nobody-may-see"
    with JudgeServer(broken(503, f"no such page: /v1?sig={hidden}")) as server:
        with pytest.raises(CallError) as caught:
            asked(f"{server.url}?sig={hidden}#{hidden}")
        assert f" at {server.url}: " in str(caught.value)
    assert hidden not in str(caught.value)


def test_a_cancelled_call_hangs_up() -> None:
    """When the task is cancelled the connection is closed, so that nobody pays for what nobody reads."""

    async def cancelled(server: JudgeServer) -> None:
        asker = open_asker(settings(api_base=server.url))
        call = asyncio.create_task(asker.ask(request()))
        while not server.seen:
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await asyncio.to_thread(server.hung_up.wait, 30)
        await asker.close()

    with JudgeServer(dripping) as server:
        asyncio.run(cancelled(server))


def test_many_calls_at_once_and_a_second_loop() -> None:
    """Calls share a loop, their connections end with it, and the next loop starts afresh."""

    async def many(server: JudgeServer) -> list[Response]:
        asker = open_asker(settings(api_base=server.url))
        try:
            return await asyncio.gather(*[asker.ask(request()) for _ in range(16)])
        finally:
            await asker.close()

    with JudgeServer(ruling({"1": "same"})) as server:
        for _ in range(3):
            assert {response.prompt_tokens for response in asyncio.run(many(server))} == {100}
        assert len(server.seen) == 48


def test_nothing_is_left_in_a_loop() -> None:
    """Once closed, no task and no connection of litellm is left for a loop that is closed without a word."""
    import litellm

    loop = asyncio.new_event_loop()
    with JudgeServer(ruling({"1": "same"})) as server:

        async def once() -> None:
            asker = open_asker(settings(api_base=server.url))
            await asker.ask(request())
            assert [key for key in litellm.in_memory_llm_clients_cache.cache_dict if str(id(loop)) in key]
            await asker.close()

        loop.run_until_complete(once())
    left = asyncio.all_tasks(loop)
    kept = [key for key in litellm.in_memory_llm_clients_cache.cache_dict if str(id(loop)) in key]
    loop.close()
    assert (left, kept) == (set(), [])


def test_what_is_meant_for_this_machine_goes_to_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A local server is called past the proxy of the environment, which transcripts would go to otherwise."""
    taken, nowhere = closed_port()
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, nowhere)
    with taken, JudgeServer(said("{}")) as server:
        asked(server.url)
        asked(server.url.replace("127.0.0.1", "localhost"))
    assert len(server.seen) == 2


def test_a_server_of_ones_own_is_sent_no_key_of_a_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an address and no key in the gate file, the key of OpenAI in the environment stays here."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with JudgeServer(said("{}")) as server:
        asked(server.url, api_key="")
    assert SECRET not in json.dumps([dict(seen.headers) for seen in server.seen])


@pytest.mark.parametrize("model", ["gpt-4o-mini", "gemini/gemini-2.5-flash", "anthropic/claude-haiku-4-5"])
def test_a_missing_key_is_said_before_any_call(model: str) -> None:
    """Without a key nobody is called, and the sentence names the variable that is missing."""
    with pytest.raises(CallError, match=r"the key is missing or refused: .*API_KEY.*judge.api_key") as caught:
        asked("", model=model, api_key="")
    assert (caught.value.kind, caught.value.fatal) == (FailureKind.UNAUTHORISED, True)


def test_a_model_that_no_provider_has_is_fatal() -> None:
    """A name without a known provider is refused before any call."""
    with pytest.raises(CallError, match=r"LLM Provider NOT provided.*judge.model") as caught:
        asked("", model="nonsense/model")
    assert caught.value.fatal


def test_callbacks_of_others_see_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A callback that another part of the program gave litellm is not called with transcripts."""
    import litellm

    seen: list[object] = []
    for name in ("success_callback", "failure_callback"):
        monkeypatch.setattr(litellm, name, [lambda *arguments: seen.append(arguments)])
    with JudgeServer(said("{}"), broken(500)) as server:
        asked(server.url)
        with pytest.raises(CallError):
            asked(server.url)
    assert seen == []


def _anthropic(block: Mapping[str, object], stop: str) -> Answer:
    usage = {"input_tokens": 1000, "output_tokens": 100}
    body = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": [block]}
    return reply({**body, "stop_reason": stop, "usage": usage})


def _gemini(text: str, finish: str) -> Answer:
    candidate = {"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": finish, "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 15, "totalTokenCount": 30}
    return reply({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": "1"})


ANTHROPIC_TOOL = {"type": "tool_use", "id": "1", "name": "json_tool_call", "input": {"differences": []}}
ANTHROPIC_TEXT = {"type": "text", "text": '{"differences": []}'}
HAIKU, SONNET, GEMINI = "anthropic/claude-haiku-4-5", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"


@pytest.mark.parametrize(
    ("model", "answer", "finish", "tokens"),
    [
        (HAIKU, _anthropic(ANTHROPIC_TOOL, "tool_use"), "stop", (1000, 100)),
        (SONNET, _anthropic(ANTHROPIC_TEXT, "end_turn"), "stop", (1000, 100)),
        (SONNET, _anthropic(ANTHROPIC_TEXT, "refusal"), "content_filter", (1000, 100)),
        (SONNET, _anthropic(ANTHROPIC_TEXT, "max_tokens"), "length", (1000, 100)),
        (GEMINI, _gemini('{"differences": []}', "STOP"), "stop", (10, 20)),
        (GEMINI, _gemini('{"differences": []}', "MAX_TOKENS"), "length", (10, 20)),
        # litellm leaves out what the model thought before a filter stopped it.
        (GEMINI, _gemini("", "SAFETY"), "content_filter", (10, 5)),
    ],
)
def test_other_providers_are_asked_in_their_own_way(
    model: str, answer: Answer, finish: str, tokens: tuple[int, int]
) -> None:
    """Anthropic and Gemini are sent the schema in their own form, what they do not know is left out, and how a
    reply ended, its tokens and its price at the provider's list are told as for OpenAI.
    """
    with JudgeServer(answer) as server:
        response = asked(server.url, model=model)
    (seen,) = server.seen
    key = "x-goog-api-key" if model == GEMINI else "x-api-key"
    assert seen.headers[key] == SECRET
    assert '"additionalProperties": false' in json.dumps(seen.body)
    assert model == GEMINI or "seed" not in seen.body
    assert TEXT in str(json.loads(_user_text(seen.body))["said"])
    (choice,) = response.body["choices"]
    assert choice["finish_reason"] == finish
    assert finish != "stop" or json.loads(choice["message"]["content"]) == {"differences": []}
    assert (response.prompt_tokens, response.completion_tokens) == tokens
    assert response.cost_usd is not None
    assert 0 < response.cost_usd < 0.01


def _user_text(body: Mapping[str, Any]) -> str:
    (message,) = [row for row in body.get("messages") or body["contents"] if row["role"] == "user"]
    parts = message.get("parts") or message["content"]
    return parts if isinstance(parts, str) else str(parts[0]["text"])


def test_a_model_that_reasons_is_asked_without_temperature() -> None:
    """Models that take no temperature and another name for the limit get neither error nor retry."""
    with JudgeServer(said("{}")) as server:
        asked(server.url, model="openai/gpt-5-mini")
    (seen,) = server.seen
    assert "temperature" not in seen.body
    assert seen.body["max_completion_tokens"] == 50


@pytest.mark.parametrize(
    ("model", "status", "error", "kind", "words"),
    [
        (
            GEMINI,
            400,
            {"message": "API key not valid.", "status": "X"},
            FailureKind.UNAUTHORISED,
            "API key not valid",
        ),
        (
            GEMINI,
            404,
            {"message": "models/m is not found", "status": "X"},
            FailureKind.UNAVAILABLE,
            ": models/m is",
        ),
        (
            HAIKU,
            401,
            {"type": "x", "message": "invalid x-api-key"},
            FailureKind.UNAUTHORISED,
            ": invalid x-api-key",
        ),
        (
            HAIKU,
            400,
            {"type": "x", "message": "Your credit balance is too low"},
            FailureKind.UNAVAILABLE,
            "used up",
        ),
    ],
)
def test_errors_of_other_providers_are_read(
    model: str, status: int, error: Mapping[str, str], kind: FailureKind, words: str
) -> None:
    """What ends all asking is known whoever says it, and its sentence is the provider's, without the JSON."""
    found = error_of(reply({"error": error}, status), model=model)
    assert (found.kind, found.fatal, found.retry) == (kind, True, False)
    assert words in str(found)
    assert "{" not in str(found)


def test_gemini_says_in_the_body_how_long_to_wait() -> None:
    """A delay in the body is one asked for, as a Retry-After is."""
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7s"}]
    error = {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED", "details": details}
    found = error_of(reply({"error": error}, 429), model=GEMINI)
    assert (found.retry, found.retry_after_s) == (True, 7.0)


def test_prices_of_the_gate_file_come_first() -> None:
    """Prices in the gate file hold for any model; a call of 100 and 20 tokens at 2 and 5 dollars a million."""
    with JudgeServer(said("{}")) as server:
        response = asked(server.url, model="gpt-4o-mini", price_in_usd=2.0, price_out_usd=5.0)
        assert response.cost_usd == pytest.approx(0.0003)
        assert asked(server.url, price_in_usd=0.0, price_out_usd=0.0).cost_usd == 0


def test_a_call_costs_at_most_what_all_its_bytes_as_tokens_do() -> None:
    """The bound counts bytes of UTF-8, the schema and the whole reply; it is None where no price is known."""
    priced = open_asker(settings(model="gpt-4o-mini", price_in_usd=1.0, price_out_usd=10.0))
    size = sum(len(message["content"].encode()) for message in request().messages)
    bound = priced.largest_cost_usd(request())
    assert bound is not None
    assert (size + 500) / 1e6 < bound < (size + 5000) / 1e6
    wide = Request("m", ({"role": "user", "content": "वह" * 1000},), "semantic", SCHEMA, 0.0, 7, 50)
    narrow = Request("m", ({"role": "user", "content": "is" * 1000},), "semantic", SCHEMA, 0.0, 7, 50)
    difference = (priced.largest_cost_usd(wide) or 0) - (priced.largest_cost_usd(narrow) or 0)
    assert difference == pytest.approx(4000 / 1e6)
    listed = open_asker(settings(model="gpt-4o-mini")).largest_cost_usd(request())
    assert listed is not None
    assert 0 < listed < 0.01
    # The second is paid by the minute of audio, which its list gives as no price for a token.
    for unknown in ("openai/stand-in", "openai/whisper-1"):
        assert open_asker(settings(model=unknown)).largest_cost_usd(request()) is None


@pytest.mark.parametrize("version", ["1.82.7", "1.82.8"])
def test_a_malicious_release_is_not_imported(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The releases that steal keys are refused by number, before any of their code runs."""
    monkeypatch.setattr(importlib.metadata, "version", lambda _: version)
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(JudgeError, match=rf"litellm {version} is a malicious release and was not imported"):
        open_asker(settings())


def test_without_litellm_the_mend_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not installed, or does not import, the sentence says what to install."""
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(JudgeError, match=r"cannot be imported .*pip install 'pytest-asrgate\[judge\]'"):
        open_asker(settings())

    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(
        JudgeError, match=r"is not installed; install it with pip install 'pytest-asrgate\[judge\]'"
    ):
        open_asker(settings())


ALONE = """
import asyncio, json, logging, os, sys, warnings
called = set()
def hook(event, arguments):
    if event == "socket.getaddrinfo":
        called.add(str(arguments[0]))
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        called.add(str(arguments[1][0]))
sys.addaudithook(hook)
from pathlib import Path
import dotenv
dotenv.load_dotenv = lambda *arguments, **named: print(".env was read")
from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.asking import Request
from pytest_asrgate.judge.client import open_asker
assert "litellm" not in sys.modules
async def once(model):
    settings = JudgeSettings(cassette=Path("c"), folder=Path("f"), model=model, api_base=sys.argv[1])
    asker = open_asker(settings)
    request = Request(model, ({"role": "user", "content": "hello"},), "semantic", {"type": "object"}, 0.0, 1, 50)
    try:
        await asker.ask(request)
    except Exception as error:
        print(error)
    await asker.close()
filters, variables = list(warnings.filters), dict(os.environ)
for model in ("openai/stand-in", "openai/stand-in", "anthropic/claude-sonnet-4-5"):
    asyncio.run(once(model))
logging.getLogger("LiteLLM").error("it went wrong")
import litellm
assert warnings.filters == filters, warnings.filters
assert dict(os.environ) == variables, set(os.environ) - set(variables)
assert not litellm.disable_aiohttp_trust_env and not litellm.suppress_debug_info
print(json.dumps({"called": sorted(called)}))
"""


def test_litellm_is_quiet_and_calls_nobody_else(tmp_path: Path) -> None:
    """In a program that makes every warning an error, nothing is printed to stderr, at exit neither; nobody but
    the server is called, no `.env` file is looked for, and once closed, nothing of the process is changed.
    """
    (tmp_path / "alone.py").write_text(textwrap.dedent(ALONE), encoding="utf-8")
    with JudgeServer(said("{}"), broken(503, "closed today"), reply("<html>")) as server:
        done = subprocess.run(
            [sys.executable, "-W", "error", "alone.py", server.url],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert len(server.seen) == 3
    assert (done.stderr, done.returncode) == ("", 0)
    *errors, last = done.stdout.splitlines()
    assert len(errors) == 2
    assert "closed today" in errors[0]
    assert json.loads(last) == {"called": ["127.0.0.1"]}


def test_what_others_set_is_as_it_was_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two judges may be open at once: the last one that closes puts everything back, and closing twice is none."""
    import litellm

    monkeypatch.setenv("LITELLM_MODE", "theirs")
    monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
    monkeypatch.setattr(litellm, "disable_aiohttp_trust_env", False)
    monkeypatch.setattr(litellm, "suppress_debug_info", False)
    filters = list(warnings.filters)

    async def both(server: JudgeServer) -> None:
        first, second = open_asker(settings(api_base=server.url)), open_asker(settings(api_base=server.url))
        await first.ask(request())
        await first.close()
        await first.close()
        assert os.environ["LITELLM_MODE"] == "PRODUCTION"
        assert litellm.suppress_debug_info
        await second.ask(request())
        await second.close()

    with JudgeServer(said("{}")) as server:
        asyncio.run(both(server))
    assert os.environ["LITELLM_MODE"] == "theirs"
    assert "LITELLM_LOCAL_MODEL_COST_MAP" not in os.environ
    assert (litellm.disable_aiohttp_trust_env, litellm.suppress_debug_info) == (False, False)
    assert warnings.filters == filters


def test_loggers_of_who_imported_litellm_before_are_left_alone() -> None:
    """Their handlers are theirs."""
    program = """
import logging, litellm
from pathlib import Path
from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.client import open_asker
logger = logging.getLogger("LiteLLM")
before = list(logger.handlers), logger.propagate
open_asker(JudgeSettings(cassette=Path("c"), folder=Path("f"), model="openai/x"))
assert (logger.handlers, logger.propagate) == before
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, timeout=120)


@pytest.mark.parametrize(
    "model", ["anyscale/google/gemma-7b-it", "github_copilot/gpt-4o", "gemini/gemini-exp-1206"]
)
def test_a_model_whose_price_litellm_cannot_say_has_none(
    model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of the first litellm raises, for the second it would log in, and the third it lists at nothing."""
    monkeypatch.setenv("HOME", str(tmp_path))
    asker = open_asker(settings(model=model))
    assert asker.cost_usd(10, 10) is None or model.startswith("anyscale")
    largest = asker.largest_cost_usd(request(model))
    assert largest is None or (model.startswith("anyscale") and largest > 0)
    assert not list(tmp_path.iterdir())
