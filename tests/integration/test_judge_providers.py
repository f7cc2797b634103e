"""Providers with ways of their own, asked through litellm, and answered on loopback in their formats."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from pytest_asrgate.judge.task import FailureKind
from tests.integration.judge_calls import (
    SECRET,
    TEXT,
    asked,
    bare_environment,  # noqa: F401 - a fixture that every test here uses
    error_of,
)
from tests.support.judge_server import (
    Answer,
    JudgeServer,
    reply,
    said,
)


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
