"""A gate with `judge.min_kappa`: refused until its judge agrees with people, and when another model answers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.judge.calibration import read_calibrations
from tests.integration.intent_judge import IntentJudge
from tests.integration.judged_gate import (
    Interruption,
    JudgedGate,
    SemanticJudge,
    data_of,
    judged,
    judged_environment,
    litellm_once,
    told_of,
)
from tests.support.judge_server import Answer, Seen, completion, reply

__all__ = ["judged", "judged_environment", "litellm_once"]

PAIRS = ["dog dock", "cat bat", "lamp lamb", "door floor", "song gong", "boat goat", "cake lake", "tree bee"]
LABELS = {
    f"{verb} the {pair.split()[0]}": (f"{verb} the {pair.split()[1]}", "error" if number % 2 else "same")
    for verb in ("take", "find", "show")
    for number, pair in enumerate(PAIRS)
}


def _labels(folder: Path) -> Path:
    rows = [
        {"id": f"u{number}", "ref_text": reference, "hyp_text": hypothesis, "labels": [label], "language": "en"}
        for number, (reference, (hypothesis, label)) in enumerate(LABELS.items())
    ]
    path = folder / "labels.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def _as_people(data: Mapping[str, Any], difference: Mapping[str, Any], seed: int) -> str:
    """Agrees with all labels, and finds an error in whatever nobody labelled."""
    return LABELS.get(data["reference"], ("", "error"))[1]


def _as(name: str) -> Interruption:
    """Answers as `_as_people`, under another name of the model."""

    def answer(number: int, seen: Seen) -> Answer:
        data = data_of(seen)
        said = {
            row["id"]: {"reason": "as I see it", "verdict": _as_people(data, row, 1)} for row in data["differences"]
        }
        return reply({**completion(json.dumps(said)), "model": name})

    return answer


def _calibrate(judged: JudgedGate, server: SemanticJudge, *options: str) -> int:
    arguments = ["--api-base", server.url, "--api-key-env", "JUDGE_KEY", *(options or ("--mode", "record"))]
    found = judged.root / ".asrgate" / "judge" / "calibration.json"
    judge = ["--task", "semantic", "--model", "openai/stand-in", "--calibration", str(found)]
    return main(["judge", "--calibrate", str(_labels(judged.root)), *judge, *arguments])


def test_a_gate_waits_for_a_calibration(judged: JudgedGate, capsys: pytest.CaptureFixture[str]) -> None:
    """Uncalibrated: ERROR that names the command, and nobody is asked. Calibrated: the same gate passes, recorded
    and replayed with the server gone. With votes that nobody calibrated: refused again.
    """
    judged.write({"f32": [0], "q8_0": [0, 2]}, "min_kappa = 0.6")
    with SemanticJudge(_as_people) as server:
        refused = judged.record(server=server)
        refused.assert_outcomes(failed=2)
        assert "may not gate semantic under judge.min_kappa" in told_of(refused)
        assert "asrgate judge --calibrate LABELS.jsonl --task semantic --model openai/stand-in" in told_of(refused)
        assert {pair["verdict"] for pair in judged.report().values()} == {"ERROR"}
        assert server.seen == []
        assert _calibrate(judged, server) == 0
        assert len(server.seen) == len(LABELS)
        capsys.readouterr()
        judged.record(server=server).assert_outcomes(passed=2)
    (found,) = read_calibrations(judged.root / ".asrgate" / "judge" / "calibration.json")
    assert (found.whole.kappa, found.served) == (1.0, ("stand-in",))
    judged.run().assert_outcomes(passed=2)
    judged.write({"f32": [0], "q8_0": [0, 2]}, "min_kappa = 0.6\nvotes = 5")
    again = judged.run()
    again.assert_outcomes(failed=2)
    assert "it was calibrated with votes = 3, and judge.votes is 5" in told_of(again)


def test_another_model_behind_the_name_does_not_gate(
    judged: JudgedGate, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server says that it serves another model: its replies gate nothing until it is calibrated."""
    judged.write({"f32": [0], "q8_0": [0, 2]}, "min_kappa = 0.6")
    with SemanticJudge(_as_people) as server:
        assert _calibrate(judged, server) == 0
        server.interrupt(_as("stand-in-of-june"))
        drifted = judged.record(server=server)
        drifted.assert_outcomes(failed=2)
        assert "the server answered as stand-in-of-june, and as stand-in when it was calibrated" in told_of(drifted)
        assert {row["served"] for row in judged.kept()} == {"stand-in-of-june"}
        capsys.readouterr()
        assert _calibrate(judged, server, "--mode", "live") == 0
        assert "served as stand-in-of-june, not stand-in" in capsys.readouterr().out
    judged.run().assert_outcomes(passed=2)


def _other(data: Mapping[str, Any], difference: Mapping[str, Any], seed: int) -> str:
    """Disagrees with all labels, and finds no error in what nobody labelled."""
    return "same" if _as_people(data, difference, seed) == "error" else "error"


def test_a_drifted_judge_stays_out(judged: JudgedGate, capsys: pytest.CaptureFixture[str]) -> None:
    """Good when it was recorded, asked anew and found otherwise: refused with a command that asks anew. Replaying
    what it said before adds nothing and lets it in no more; who agrees again, asked anew, may gate.
    """
    judged.write({"f32": [0], "q8_0": [0, 2]}, "min_kappa = 0.6")
    found = judged.root / ".asrgate" / "judge" / "calibration.json"
    with SemanticJudge(_as_people) as server:
        assert _calibrate(judged, server) == 0
    with SemanticJudge(_other) as server:
        assert _calibrate(judged, server, "--mode", "live") == 0
        kappas = [each.whole.kappa for each in read_calibrations(found)]
        assert kappas == [1.0, -1.0]
        assert "kappa 1.00 → -1.00" in capsys.readouterr().out
        refused = judged.record(server=server)
        refused.assert_outcomes(failed=2)
        assert "kappa is -1.00 over 24 labels" in told_of(refused)
        assert "--mode live" in told_of(refused)
        assert "--mode record" not in told_of(refused)
        capsys.readouterr()
        assert _calibrate(judged, server) == 1
        assert "nothing was added, since it has a calibration by newer replies" in capsys.readouterr().out
        judged.record(server=server).assert_outcomes(failed=2)
        assert [each.whole.kappa for each in read_calibrations(found)] == kappas
    with SemanticJudge(_as_people) as server:
        assert _calibrate(judged, server, "--mode", "live") == 0
        judged.record(server=server).assert_outcomes(passed=2)
    capsys.readouterr()


def _nothing(_reference: str) -> list[tuple[str, str, int]]:
    """Lists no entity."""
    return []


def test_a_limit_on_entities_needs_labels_of_entities(
    judged: JudgedGate, capsys: pytest.CaptureFixture[str]
) -> None:
    """A judge that lists nothing of what people labelled gates no entities, whatever it says of intents; limits on
    intents alone it may gate.
    """
    rows = [
        {
            "id": f"u{number}",
            "ground_truth": reference,
            "hypothesis": hypothesis,
            "intent_score": number % 2,
            "language": "en",
            "entities": [{"text": reference.split()[-1], "status": "preserved" if number % 2 else "substituted"}],
        }
        for number, (reference, (hypothesis, _)) in enumerate(LABELS.items())
    ]
    labels = judged.root / "intents.jsonl"
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    kept = {row["hypothesis"] for row in rows if row["intent_score"]}
    calibration = judged.root / ".asrgate" / "judge" / "calibration.json"
    with IntentJudge(
        listing=_nothing,
        intent=lambda data: "kept" if data["hypothesis"] in kept else "lost",
    ) as server:
        command = ["judge", "--calibrate", str(labels), "--task", "intent", "--model", "openai/stand-in"]
        where = ["--api-base", server.url, "--api-key-env", "JUDGE_KEY", "--calibration", str(calibration)]
        assert main([*command, *where, "--mode", "record", "--min-kappa", "0.6"]) == 1
        assert "not enough: entities: kappa is 0.00 over 24 labels" in capsys.readouterr().out
        judged.write({"f32": [0]}, "min_kappa = 0.6", limits="intent = 10.0", bought=("intent",))
        assert "may not gate" not in told_of(judged.record(server=server))
        assert judged.report()["f32::prompts"]["intent"]
        judged.write({"f32": [0]}, "min_kappa = 0.6", limits="entity = 10.0", bought=("intent",))
        refused = told_of(judged.record(server=server))
        assert "may not gate intent under judge.min_kappa: entities: kappa is 0.00 over 24 labels" in refused
        assert judged.report()["f32::prompts"]["verdict"] == "ERROR"


def test_each_score_has_a_calibration_of_its_own(judged: JudgedGate, capsys: pytest.CaptureFixture[str]) -> None:
    """A judge that was calibrated for meaning gates no intents; once it is for these, too, it gates both."""
    judged.write({"f32": [0]}, "min_kappa = 0.6", limits="", bought=("semantic", "intent"))
    rows = [
        {
            "id": f"u{number}",
            "ground_truth": reference,
            "hypothesis": hypothesis,
            "intent_score": number % 2,
            "language": "en",
            "entities": [],
        }
        for number, (reference, (hypothesis, _)) in enumerate(LABELS.items())
    ]
    labels = judged.root / "intents.jsonl"
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    kept = {row["hypothesis"] for row in rows if row["intent_score"]}
    with IntentJudge(
        intent=lambda data: "kept" if data["hypothesis"] in kept else "lost", verdict=_as_people
    ) as server:
        assert _calibrate(judged, server) == 0
        half = judged.record(server=server)
        assert "may not gate intent under judge.min_kappa" in told_of(half)
        assert "may not gate semantic" not in told_of(half)
        found = judged.root / ".asrgate" / "judge" / "calibration.json"
        command = ["judge", "--calibrate", str(labels), "--task", "intent", "--model", "openai/stand-in"]
        where = [
            "--mode",
            "record",
            "--api-base",
            server.url,
            "--api-key-env",
            "JUDGE_KEY",
            "--calibration",
            str(found),
        ]
        assert main([*command, *where]) == 0
        whole = judged.record(server=server)
        assert "may not gate" not in told_of(whole)
    assert [each.task for each in read_calibrations(found)] == ["semantic", "intent"]
    pair = judged.report()["f32::prompts"]
    assert pair["semantic"]
    assert pair["intent"]
    capsys.readouterr()
