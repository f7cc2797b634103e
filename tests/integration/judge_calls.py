"""What the tests of the way to a model share: settings, one call, and what it raises."""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.judge.asking import Request, Response
from pytest_asrgate.judge.client import open_asker
from pytest_asrgate.judge.failures import CallError
from tests.support.judge_server import (
    Answer,
    JudgeServer,
)

__all__ = ["ROOT", "SCHEMA", "SECRET", "TEXT", "asked", "bare_environment", "error_of", "request", "settings"]

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
    # It has no release for the newest Python yet.
    pytest.importorskip("litellm")
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
