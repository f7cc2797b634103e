"""What the tests of gate.toml share: a small file, the gate it resolves to, and its problems."""

from pathlib import Path

import pytest

from pytest_asrgate.config import Gate, load_gate
from pytest_asrgate.errors import GateFileError

__all__ = ["BARE", "BASE", "gate_of", "problems_of"]

BASE = """
[gate]
baseline = "f32"
[transcriber.native]
kind = "replay"
[variant.f32]
[variant.q8_0]
[dataset.prompts]
manifest = "prompts/manifest.jsonl"
language = "en"
"""
# The same without [gate], for files that bring their own.
BARE = BASE.replace('[gate]\nbaseline = "f32"\n', "")


def gate_of(folder: Path, text: str) -> Gate:
    """The gate of a file with this text."""
    (folder / "gate.toml").write_text(text, encoding="utf-8")
    return load_gate(folder / "gate.toml")


def problems_of(folder: Path, text: str) -> dict[str, str]:
    """What is wrong with a file of this text, by key."""
    with pytest.raises(GateFileError) as caught:
        gate_of(folder, text)
    return {problem.key: problem.message for problem in caught.value.problems}
