"""Claims about what the doctor says of the judge: who would be asked, what is kept, what is missing; no secret."""

import os
import sys
from importlib import metadata
from pathlib import Path

import pytest

from pytest_asrgate.config import Gate
from pytest_asrgate.doctor.judge import judge
from pytest_asrgate.judge.cassette import Cassette, Kept
from pytest_asrgate.session import open_gate
from tests.unit.test_doctor_parts import lines

GATE = """
[transcriber.files]
kind = "replay"
options = {{ hypotheses = "{{variant}}.jsonl" }}
[variant.f32]
[dataset.prompts]
manifest = "manifest.jsonl"
judged = {judged}
[dataset.calls]
manifest = "manifest.jsonl"
[judge]
{table}
"""


def _gate(folder: Path, table: str, judged: str = '["semantic"]') -> Gate:
    (folder / "gate.toml").write_text(GATE.format(table=table, judged=judged), encoding="utf-8")
    return open_gate(folder / "gate.toml")


def _said(gate: Gate) -> list[str]:
    return lines(judge(gate.path, gate))


def _kept(number: int, model: str) -> Kept:
    data, date = {"reference": "a"}, "2026-01-01T00:00:00Z"
    return Kept(f"{number:064x}", "semantic", 1, model, 0, data, "{}", 10, 1, None, date)


def _installed(monkeypatch: pytest.MonkeyPatch, version: str | None) -> None:
    """litellm in this version, or not at all."""

    def found(name: str) -> str:
        if version is None:
            raise metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(metadata, "version", found)


def test_rules_alone_need_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a model, nor litellm, nor a cassette; and it is said which data sets buy a judged score."""
    _installed(monkeypatch, None)
    assert _said(_gate(tmp_path, 'model = "rules"'))[:2] == [
        "judge: model = rules",
        "semantic WER: prompts, by rules alone: an upper bound, no model is asked",
    ]
    found = _said(_gate(tmp_path, "", judged="[]"))
    assert found[:3] == [
        "judge: no [judge] table",
        'semantic WER: no data set buys it (judged = ["semantic"])',
        'intent and entities: no data set buys it (judged = ["intent"])',
    ]
    assert not any(line.startswith(("cassette", "litellm", "problem")) for line in found)


def test_each_score_that_is_bought_has_a_line(tmp_path: Path) -> None:
    """Who buys intent is told so, beside who buys the semantic error rate, and with what rules alone give of it."""
    found = _said(_gate(tmp_path, 'model = "rules"', judged='["semantic", "intent"]'))
    assert found[1:3] == [
        "semantic WER: prompts, by rules alone: an upper bound, no model is asked",
        "intent and entities: prompts, by rules alone: a lower bound of the intent, and the entities that "
        "rules find, no model is asked",
    ]
    assert _said(_gate(tmp_path, 'model = "m"', judged='["intent"]'))[1].startswith(
        "intent and entities: prompts, judged by m; replay: "
    )


def test_a_model_is_told_with_mode_cassette_and_litellm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The replies of this model are counted apart from those of others; litellm is never imported."""
    _installed(monkeypatch, "1.91.3")
    imported = "litellm" in sys.modules
    gate = _gate(tmp_path, 'model = "openai/gpt-x"\nvotes = 5')
    cassette = Cassette(gate.judge.cassette)
    for number, model in enumerate(["openai/gpt-x", "openai/gpt-x", "other"], start=1):
        cassette.keep(_kept(number, model))
    assert _said(gate)[1:4] == [
        "semantic WER: prompts, judged by openai/gpt-x; replay: only replies that the cassette has, a miss is an "
        "error",
        f"cassette: {tmp_path}/.asrgate/judge/cassette.jsonl, 3 replies, 2 of openai/gpt-x",
        "litellm: 1.91.3, not needed for replay",
    ]
    gate = _gate(tmp_path, 'model = "openai/gpt-x"\nmode = "record"\ncassette = "kept.jsonl"')
    assert _said(gate)[1:4] == [
        "semantic WER: prompts, judged by openai/gpt-x; record: what the cassette lacks is asked for and kept",
        f"cassette: {tmp_path}/kept.jsonl is not there yet; the first reply makes it",
        "litellm: 1.91.3, imported at the first call",
    ]
    assert ("litellm" in sys.modules) == imported


def test_what_would_fail_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replay without a cassette, calls without litellm or with a malicious one, and a cassette that is none."""
    _installed(monkeypatch, None)
    replay = _gate(tmp_path, 'model = "m"')
    assert _said(replay)[2] == (
        f"problem: cassette: {tmp_path}/.asrgate/judge/cassette.jsonl is not there, and replay can only read it; "
        "record it with --asrgate-judge record"
    )
    assert _said(replay)[3] == "litellm: not installed, not needed for replay"
    live = _gate(tmp_path, 'model = "m"\nmode = "live"')
    assert _said(live)[2:4] == [
        "cassette: not used in live mode",
        "problem: litellm: not installed, and live mode calls the model through it; install pytest-asrgate[judge]",
    ]
    _installed(monkeypatch, "1.82.7")
    assert _said(live)[3].startswith("problem: litellm: 1.82.7 is a malicious release and is refused")
    replay.judge.cassette.parent.mkdir(parents=True)
    replay.judge.cassette.write_text("no reply\n")
    assert _said(replay)[2].startswith(f"problem: cassette: {replay.judge.cassette}:1: the line is no")


def test_a_cassette_that_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """A pipe would keep the doctor waiting for ever."""
    gate = _gate(tmp_path, 'model = "m"\ncassette = "pipe"')
    os.mkfifo(tmp_path / "pipe")
    why = "is no regular file; name another one in judge.cassette"
    assert _said(gate)[2] == f"problem: cassette: {tmp_path}/pipe {why}"


def test_judging_that_is_off_is_told(tmp_path: Path) -> None:
    """Nothing is read and nobody is asked."""
    found = _said(_gate(tmp_path, 'model = "m"\nmode = "off"'))
    assert found[1] == 'semantic WER: prompts, but judge.mode is "off", so nothing is judged'
    assert not any(line.startswith("cassette") for line in found)


def test_without_a_usable_gate_file_the_table_is_told(tmp_path: Path) -> None:
    """What is wrong with the file is told elsewhere, and keys by name all the same."""
    found = lines(judge(None))
    assert found[0] == "judge: no [judge] table"
    assert found[-1].startswith("keys in the environment: ")
    (tmp_path / "gate.toml").write_text("[judge]\nvotes = 4\n")
    assert lines(judge(tmp_path / "gate.toml"))[0] == "judge: votes = 4"
