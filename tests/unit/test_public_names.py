"""Claims about what `pytest_asrgate` itself offers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_asrgate
from pytest_asrgate import AsrGateError, GateSession, open_gate

GATE = """
[gate]
baseline = "f32"
[transcriber.files]
kind = "replay"
options = { hypotheses = "{variant}.jsonl" }
[variant.f32]
[variant.q8_0]
[dataset.prompts]
manifest = "prompts.jsonl"
"""


def test_every_public_name_is_there_under_its_own_name() -> None:
    """What `__all__` lists can be imported and is listed by dir(); values know themselves by the same name."""
    for name in pytest_asrgate.__all__:
        value = getattr(pytest_asrgate, name)
        assert getattr(value, "__name__", name) == name
    assert set(pytest_asrgate.__all__) <= set(dir(pytest_asrgate))


def test_a_misspelt_name_is_an_attribute_error() -> None:
    """What is not public is not there."""
    with pytest.raises(AttributeError, match="has no attribute 'open_gates'"):
        pytest_asrgate.open_gates  # type: ignore[attr-defined]  # noqa: B018 - the look-up is the claim


def test_importing_the_package_imports_no_room_of_it() -> None:
    """Public names are free until they are used."""
    program = "import json, sys, pytest_asrgate; print(json.dumps([name for name in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = set(json.loads(done.stdout))
    assert {name for name in modules if name.startswith("pytest_asrgate")} == {"pytest_asrgate"}
    assert not modules & {"numpy", "scipy", "pydantic", "jiwer", "pytest"}


@pytest.mark.parametrize(
    ("variant", "dataset", "sentence"),
    [
        ("q80", "prompts", "there is no variant 'q80'; did you mean 'q8_0'?"),
        ("q8_0", "promts", "there is no dataset 'promts'; did you mean 'prompts'?"),
        ("int4", "prompts", "there is no variant 'int4'; known here: f32, q8_0"),
    ],
)
def test_a_name_that_the_gate_has_not_is_refused_with_the_right_one(
    tmp_path: Path, variant: str, dataset: str, sentence: str
) -> None:
    """Every question about an unknown pair is an AsrGateError, never a KeyError or an ERROR verdict."""
    path = tmp_path / "gate.toml"
    path.write_text(GATE)
    with GateSession(open_gate(str(path))) as session:
        for ask in (session.hypotheses, session.score, session.verdict):
            with pytest.raises(AsrGateError) as caught:
                ask(variant, dataset)
            assert str(caught.value) == f"{path}: {sentence}"


def test_a_broken_gate_file_is_of_the_same_family(tmp_path: Path) -> None:
    """An absent gate file is an AsrGateError naming it."""
    with pytest.raises(AsrGateError, match=r"absent\.toml"):
        open_gate(tmp_path / "absent.toml")
