"""Claims about what the doctor says of calibrations: figures by language, and what keeps a judge from gating."""

import json
from pathlib import Path

import pytest

from pytest_asrgate.calibrated import prompt_of
from pytest_asrgate.doctor.judge import judge
from pytest_asrgate.judge.calibration import keep_calibration
from pytest_asrgate.session import open_gate
from tests.unit.calibrations import agreement, calibration, replies
from tests.unit.test_doctor_parts import lines

GATE = """
[transcriber.files]
kind = "replay"
options = {{ hypotheses = "{{variant}}.jsonl" }}
[variant.f32]
[dataset.prompts]
manifest = "manifest.jsonl"
judged = ["semantic"]
[judge]
model = "openai/judge"
{table}
"""


def _said(folder: Path, table: str, gate_file: str = GATE) -> list[str]:
    (folder / "gate.toml").write_text(gate_file.format(table=table), encoding="utf-8")
    row = {"id": "u1", "audio": "u1.wav", "ref_text": "a", "language": "hi"}
    (folder / "manifest.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    gate = open_gate(folder / "gate.toml")
    return [line for line in lines(judge(gate.path, gate)) if "calibration of" in line]


def test_nothing_is_asked_for(tmp_path: Path) -> None:
    """Without `min_kappa` an uncalibrated judge is no problem, and it is said that it is one."""
    assert _said(tmp_path, "") == [
        "calibration of semantic: none of this judge, and no judge.min_kappa asks for one"
    ]
    assert _said(tmp_path, 'mode = "off"') == []


def test_figures_by_language_and_what_keeps_the_gate(tmp_path: Path) -> None:
    """The manifest's language is Hindi, of which nothing was calibrated; English is not looked for."""
    path = tmp_path / "agreement.json"
    found = calibration(prompt=prompt_of("semantic"))
    keep_calibration(path, found)
    table = 'calibration = "agreement.json"\nmin_kappa = 0.6'
    first, english, lacking = _said(tmp_path, table)
    assert first.startswith("calibration of semantic: kappa 0.70 (95 % CI 0.4")
    assert first.endswith("of 40 labels on 2026-01-01; judge.min_kappa = 0.6")
    assert english.startswith("calibration of semantic, en: kappa 0.70")
    assert lacking.startswith("problem: calibration of semantic: judge openai/judge may not gate semantic")
    assert "language hi has 0 human labels" in lacking
    keep_calibration(path, calibration(prompt=prompt_of("semantic"), languages={"hi": agreement(34)}))
    assert len(_said(tmp_path, table)) == 2
    assert not any(line.startswith("problem") for line in _said(tmp_path, table))


def test_entities_where_a_limit_asks_for_them(tmp_path: Path) -> None:
    """By language; they keep the gate only where it limits them."""
    path, hindi = tmp_path / "agreement.json", {"hi": agreement(34)}
    few = {"entities": agreement(10, 10), "entity_languages": {"hi": agreement(10, 10)}}
    keep_calibration(path, calibration(task="intent", prompt=prompt_of("intent"), languages=hindi, **few))
    table = 'calibration = "agreement.json"\nmin_kappa = 0.6'
    bought = GATE.replace('"semantic"', '"intent"')
    assert not any(line.startswith("problem") for line in _said(tmp_path, table, bought))
    limited = f"{bought}\n[thresholds]\nentity = 90.0\n"
    *_, entities, spoken, lacking = _said(tmp_path, table, limited)
    assert entities.startswith("calibration of intent, entities: kappa 1.00")
    assert spoken.startswith("calibration of intent, entities, hi: kappa 1.00")
    assert lacking.startswith("problem: calibration of intent: judge openai/judge may not gate intent")
    assert "entities: language hi has 10 human labels of entities" in lacking


def test_a_limit_on_entities_asks_of_its_own_data_set(tmp_path: Path) -> None:
    """One data set limits entities in Hindi, another intents in English: nobody needs English entities."""
    both = {name: agreement(34) for name in ("en", "hi")}
    given = {
        "whole": agreement(68, 80),
        "languages": both,
        "entities": both["hi"],
        "entity_languages": {"hi": both["hi"]},
    }
    keep_calibration(tmp_path / "agreement.json", calibration(task="intent", prompt=prompt_of("intent"), **given))
    row = {"id": "u1", "audio": "u1.wav", "ref_text": "a", "language": "en"}
    (tmp_path / "english.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    gate = GATE.replace('"semantic"', '"intent"') + (
        "[dataset.prompts.thresholds]\nentity = 90.0\n"
        '[dataset.calls]\nmanifest = "english.jsonl"\njudged = ["intent"]\n'
        "[dataset.calls.thresholds]\nintent = 90.0\n"
    )
    table = 'calibration = "agreement.json"\nmin_kappa = 0.6'
    assert not any(line.startswith("problem") for line in _said(tmp_path, table, gate))


def test_old_replies_are_told(tmp_path: Path) -> None:
    """A calibration of today by replies of last year is one of last year."""
    found = calibration(
        prompt=prompt_of("semantic"), date="2026-01-05T00:00:00Z", replies=replies("2026-01-01T00:00:00Z")
    )
    keep_calibration(tmp_path / "agreement.json", found)
    first, *_ = _said(tmp_path, 'calibration = "agreement.json"')
    assert "on 2026-01-05 by replies from 2026-01-01 on" in first


@pytest.mark.parametrize("table", ["", "min_kappa = 0.6"])
def test_a_damaged_file_is_a_problem(tmp_path: Path, table: str) -> None:
    """Once, whether it is asked for or not."""
    (tmp_path / "agreement.json").write_text("{")
    (found,) = _said(tmp_path, f'calibration = "agreement.json"\n{table}')
    assert found.startswith(f"problem: calibration of semantic: {tmp_path / 'agreement.json'}:1: no JSON object")
