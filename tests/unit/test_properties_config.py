"""Properties of reading a gate file: whatever it holds, a gate or a sentence."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.config import Gate
from pytest_asrgate.config.schema import (
    DatasetTable,
    ExecutorTable,
    GateFile,
    GateTable,
    JudgeTable,
    PairTable,
    TranscriberTable,
    VariantTable,
)
from pytest_asrgate.config.thresholds import Thresholds
from pytest_asrgate.errors import GateFileError
from pytest_asrgate.session import open_gate
from tests.unit.properties import STEADY, texts, toml

_MODELS = (
    GateFile,
    GateTable,
    ExecutorTable,
    JudgeTable,
    TranscriberTable,
    VariantTable,
    PairTable,
    DatasetTable,
    Thresholds,
)
_WORDS = sorted(
    {name for model in _MODELS for name in model.model_fields} | {"f32", "q8", "d", "regex", "hypotheses"}
)
_VALUES = [
    "off",
    "overlap",
    "f32",
    "q8",
    "t",
    "d",
    "m.jsonl",
    "replay",
    "dask",
    "cuda:0",
    "a:b",
    "dataset",
    "en",
    "[",
    "${X}",
]
LEAVES = st.one_of(
    st.sampled_from(_VALUES),
    texts(),
    st.booleans(),
    st.integers(),
    st.integers(-3, 3),
    st.sampled_from([10**400, -(10**400), 2**63]),
    st.floats(),
    st.dates(),
)
KEYS = st.one_of(st.sampled_from(_WORDS), texts())
DATA = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=25,
)
GOOD: dict[str, dict[str, dict[str, object]]] = {
    "transcriber": {"t": {"kind": "replay", "options": {"hypotheses": "h.jsonl"}}},
    "variant": {"f32": {}, "q8": {"baseline": "f32"}},
    "dataset": {"d": {"manifest": "m.jsonl"}},
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One gate file, written again and again."""
    return tmp_path_factory.mktemp("gate") / "gate.toml"


def _is_gate_or_sentence(path: Path, data: bytes) -> bool:
    """Whether it is a gate; if not, the error names the file, and its problems stand on one quiet line each."""
    path.write_bytes(data)
    error = None
    try:
        found = open_gate(path)
    except GateFileError as refused:
        error = refused
    if error is None:
        assert isinstance(found, Gate)
        return True
    first, *lines = str(error).split("\n")
    assert first.startswith(f"{path}: {len(error.problems)} problem")
    assert len(lines) == min(len(error.problems), 50) + (len(error.problems) > 50)
    assert all(line.startswith("  ") and line.isprintable() and len(line) <= 1001 for line in lines)
    return False


@STEADY
@given(st.dictionaries(KEYS, DATA, max_size=5))
def test_any_data_is_a_gate_or_a_sentence(path: Path, content: dict[str, object]) -> None:
    """Nested data of any shape under known and unknown keys."""
    _is_gate_or_sentence(path, "".join(f"{toml(key)} = {toml(item)}\n" for key, item in content.items()).encode())


@STEADY
@given(st.lists(st.tuples(st.lists(KEYS, min_size=1, max_size=5), DATA), min_size=1, max_size=4))
def test_a_good_file_with_some_of_it_changed(path: Path, changes: list[tuple[list[str], object]]) -> None:
    """A valid gate in which a few places hold anything, so that the later passes see half of a gate."""
    content: dict[str, Any] = {key: {name: dict(t) for name, t in item.items()} for key, item in GOOD.items()}
    for where, value in changes:
        table = content
        for part in where[:-1]:
            inner = table.get(part)
            if not isinstance(inner, dict):
                inner = table[part] = {}
            table = inner
        table[where[-1]] = value
    _is_gate_or_sentence(path, "".join(f"{toml(key)} = {toml(item)}\n" for key, item in content.items()).encode())


@STEADY
@given(
    st.one_of(
        st.binary(max_size=200), texts(surrogates=True).map(lambda text: text.encode("utf-8", "surrogatepass"))
    )
)
def test_any_bytes_are_a_sentence(path: Path, data: bytes) -> None:
    """Bytes are hardly ever a gate, and never a crash."""
    assert not _is_gate_or_sentence(path, data)


@STEADY
@given(
    st.sampled_from(sorted(Thresholds.model_fields)), st.floats(min_value=0, allow_nan=False, allow_infinity=False)
)
def test_a_limit_is_what_the_file_says(path: Path, key: str, value: float) -> None:
    """A number that is taken as a limit stands in the gate as it was written: none is rounded, clipped or lost."""
    lines = "".join(f"{toml(name)} = {toml(item)}\n" for name, item in GOOD.items())
    if _is_gate_or_sentence(path, f"{lines}[thresholds]\n{key} = {value!r}\n".encode()):
        assert {pair.thresholds.limits().get(key) for pair in open_gate(path).pairs} == {value}
