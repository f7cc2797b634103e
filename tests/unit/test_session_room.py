"""Claims about the memory of a session: large scores are let go, and whoever asks again gets the same."""

from pathlib import Path

import pytest

from pytest_asrgate import session as session_module
from pytest_asrgate.session import GateSession, open_gate

from .builders import write_lines

VARIANTS = ("f32", "a", "b", "c")
GATE = """
[gate]
baseline = "f32"
[transcriber.stored]
kind = "replay"
options = { hypotheses = "{variant}.{dataset}.jsonl" }
"""


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """A gate of four variants over two sets of three utterances."""
    text = GATE + "".join(f"[variant.{name}]\n" for name in VARIANTS)
    for dataset in ("one", "two"):
        rows = [{"id": f"u{n}", "audio": "a.wav", "ref_text": f"the number {n}"} for n in range(3)]
        write_lines(tmp_path / f"{dataset}.manifest.jsonl", *rows)
        text += f'[dataset.{dataset}]\nmanifest = "{dataset}.manifest.jsonl"\nlanguage = "en"\n'
        for name in VARIANTS:
            heard = [{"id": row["id"], "hyp_text": f"{row['ref_text']} {name}"} for row in rows]
            write_lines(tmp_path / f"{name}.{dataset}.jsonl", *heard)
    path = tmp_path / "gate.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("limit", "kept"), [(0, ["c two"]), (6, ["b two", "c one", "c two"])])
def test_old_scores_are_let_go(gate: Path, monkeypatch: pytest.MonkeyPatch, limit: int, kept: list[str]) -> None:
    """Beside the baseline's only the latest score stays, and older ones as far as there is room for them."""
    monkeypatch.setattr(session_module, "_KEPT_UTTERANCES", limit)
    with GateSession(open_gate(gate)) as session:
        for pair in session.gate.pairs:
            session.verdict(pair.variant.name, pair.dataset.name)
        expected = {"f32 one", "f32 two", *kept}
        assert {" ".join(key) for key in session._scores} == expected
        assert {" ".join(key) for key in session._runs._sets} == expected


def test_whoever_asks_again_gets_the_same(gate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A score that was let go is made again, equal to the first; one that stayed is the same object."""
    monkeypatch.setattr(session_module, "_KEPT_UTTERANCES", 0)
    with GateSession(open_gate(gate)) as session:
        first, baseline = session.score("a", "one"), session.score("f32", "one")
        session.score("b", "one")
        assert session.score("a", "one") is not first
        assert session.score("a", "one") == first
        assert session.score("f32", "one") is baseline


def test_a_small_gate_keeps_every_score(gate: Path) -> None:
    """Where there is room nothing is scored twice."""
    with GateSession(open_gate(gate)) as session:
        first = session.score("a", "one")
        for name in VARIANTS:
            session.score(name, "two")
        assert session.score("a", "one") is first
