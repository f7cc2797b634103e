"""Claims about prices: the gate file's, else the list's as it stands; what the list does not say is unknown."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_asrgate.judge.asking import Request
from pytest_asrgate.judge.prices import Prices, prices
from tests.unit.judge_stand_ins import settings

LIST: dict[str, dict[str, Any]] = {
    "small": {"litellm_provider": "openai", "input_cost_per_token": 1e-6, "output_cost_per_token": 4e-6},
    "maker/large": {"litellm_provider": "maker", "input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6},
    "wide": {
        "litellm_provider": "vertex_ai-language-models",
        "input_cost_per_token": 1e-6,
        "output_cost_per_token": 2e-6,
        "input_cost_per_token_above_128k_tokens": 3e-6,
        "output_cost_per_token_above_128k_tokens": 6e-6,
        "input_cost_per_token_above_200k_tokens": 5e-6,
        "output_cost_per_token_above_200k_tokens": 9e-6,
        "input_cost_per_token_above_200k_tokens_priority": 1.0,
    },
    "gift": {"litellm_provider": "openai", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
    "half": {"litellm_provider": "openai", "input_cost_per_token": 1e-6},
    "odd": {"litellm_provider": "openai", "input_cost_per_token": float("nan"), "output_cost_per_token": 1e-6},
    "minus": {"litellm_provider": "openai", "input_cost_per_token": -1e-6, "output_cost_per_token": 1e-6},
    "copilot/x": {"litellm_provider": "copilot", "mode": "chat"},
    "broken": "what",  # type: ignore[dict-item]
}


class Package(SimpleNamespace):
    """A litellm of which only the list may be read; anything else might log in somewhere."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"litellm.{name} was used")


def _prices(model: str, **given: Any) -> Prices:
    return prices(settings(Path("nowhere"), model=model, **given), Package(model_cost=LIST))


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        ("small", 1000 * 1e-6 + 100 * 4e-6),
        ("openai/small", 1000 * 1e-6 + 100 * 4e-6),
        ("maker/large", 1000 * 2e-6 + 100 * 8e-6),
        ("vertex_ai/wide", 1000 * 1e-6 + 100 * 2e-6),
    ],
)
def test_a_listed_model_is_found_with_and_without_its_provider(model: str, cost: float) -> None:
    """And nothing of litellm but the list is used."""
    assert _prices(model).cost_usd(1000, 100) == pytest.approx(cost)


@pytest.mark.parametrize(
    "model",
    [
        "nobody",
        "other/small",
        "gift",
        "openai/gift",
        "half",
        "odd",
        "minus",
        "copilot/x",
        "broken",
        "openai/broken",
    ],
)
def test_what_the_list_does_not_say_is_unknown(model: str) -> None:
    """Another provider's model of that name, a price of nothing, half a price, no price, nonsense."""
    found = _prices(model)
    assert found.cost_usd(1000, 100) is None
    assert found.largest_cost_usd(Request(model, (), "task", {}, 0.0, 1, 50)) is None


def test_a_long_prompt_costs_what_the_list_says_of_its_length() -> None:
    """From a length on each token costs more; a price for another service is none."""
    found = _prices("wide")
    assert found.cost_usd(128_000, 10) == pytest.approx(128_000 * 1e-6 + 10 * 2e-6)
    assert found.cost_usd(128_001, 10) == pytest.approx(128_001 * 3e-6 + 10 * 6e-6)
    assert found.cost_usd(300_000, 10) == pytest.approx(300_000 * 5e-6 + 10 * 9e-6)


def test_prices_of_the_gate_file_may_be_nothing() -> None:
    """Whoever serves a model himself says so, and that is known."""
    found = _prices("gift", price_in_usd=0.0, price_out_usd=0.0)
    assert found.cost_usd(1000, 100) == 0.0


@pytest.mark.parametrize("model", ["small", "wide"])
def test_a_number_without_end_has_no_price(model: str) -> None:
    """A server may claim any number of tokens."""
    assert _prices(model).cost_usd(10**400, 1) is None
    assert _prices(model, price_in_usd=1.0, price_out_usd=1.0).cost_usd(1, 10**400) is None


def test_a_package_without_its_list_knows_no_price() -> None:
    """Whatever litellm looks like."""
    for package in (SimpleNamespace(), SimpleNamespace(model_cost=None), None):
        assert prices(settings(Path("nowhere"), model="small"), package).cost_usd(1, 1) is None
