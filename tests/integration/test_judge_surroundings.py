"""Prices, releases of litellm, and that it leaves the process around it as it was."""

import asyncio
import importlib.metadata
import json
import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest

from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.asking import Request
from pytest_asrgate.judge.client import open_asker
from tests.integration.judge_calls import (
    ROOT,
    SCHEMA,
    asked,
    bare_environment,  # noqa: F401 - a fixture that every test here uses
    request,
    settings,
)
from tests.support.judge_server import (
    JudgeServer,
    broken,
    reply,
    said,
)


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
