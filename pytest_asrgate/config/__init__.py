"""gate.toml → a typed Gate, or every problem of the file at once."""

from pytest_asrgate.config.gate import (
    Dataset,
    ExecutorSettings,
    Gate,
    JudgeSettings,
    Pair,
    TranscriberSettings,
    Variant,
)
from pytest_asrgate.config.load import load_gate, resolve_gate
from pytest_asrgate.config.recipe import Recipe
from pytest_asrgate.config.thresholds import Thresholds

__all__ = [
    "Dataset",
    "ExecutorSettings",
    "Gate",
    "JudgeSettings",
    "Pair",
    "Recipe",
    "Thresholds",
    "TranscriberSettings",
    "Variant",
    "load_gate",
    "resolve_gate",
]
