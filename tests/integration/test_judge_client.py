"""The way to a model: real calls through litellm to a real server on loopback, which misbehaves by a script."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from pytest_asrgate.judge.asking import Response
from pytest_asrgate.judge.call_errors import retry_after_s
from pytest_asrgate.judge.client import open_asker
from pytest_asrgate.judge.failures import CallError
from pytest_asrgate.judge.task import FailureKind
from tests.integration.judge_calls import (
    SCHEMA,
    SECRET,
    TEXT,
    asked,
    bare_environment,  # noqa: F401 - a fixture that every test here uses
    error_of,
    request,
    settings,
)
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
