"""Claims about the memory of a session: large scores are let go, and whoever asks again gets the same."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_asrgate import session as session_module
from pytest_asrgate.semantic.normalise import read_text
from pytest_asrgate.semantic.pairs import prepare
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


def _damaged(store: Path) -> None:
    store.write_bytes(b"this was never a database\n" * 100)


def _newer(store: Path) -> None:
    connection = sqlite3.connect(store)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def _verdicts(gate: Path) -> list[tuple[str, object]]:
    with GateSession(open_gate(gate)) as session:
        verdicts = [session.verdict(pair.variant.name, pair.dataset.name) for pair in session.gate.pairs]
    return [(verdict.outcome.value, verdict.score) for verdict in verdicts]


@pytest.mark.parametrize("fault", [_damaged, _newer, Path.mkdir])
def test_a_store_that_cannot_be_used_costs_replayed_pairs_nothing(
    gate: Path, fault: Callable[[Path], None]
) -> None:
    """A gate that only replays needs no store: without one for its texts the verdicts and scores are the same."""
    store = gate.parent / ".asrgate" / "store.sqlite"
    expected = _verdicts(gate)
    assert {status for status, _ in expected} == {"PASS"}
    for path in store.parent.glob("store.sqlite*"):
        path.unlink()
    fault(store)
    assert _verdicts(gate) == expected


def test_a_closed_session_keeps_no_judged_texts(gate: Path) -> None:
    """What was remembered for the next variant's meaning is let go at the end, and can be judged again."""
    with GateSession(open_gate(gate)) as session:
        found = session.semantics("a", "one")
        assert prepare.cache_info().currsize
    assert (prepare.cache_info().currsize, read_text.cache_info().currsize) == (0, 0)
    with GateSession(open_gate(gate)) as session:
        assert session.semantics("a", "one") == found
