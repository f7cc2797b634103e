"""What other programs read of a run: the JSON report under its schema, and JUnit properties."""

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate import report_schema
from pytest_asrgate.reports.junit import junit_properties
from tests.integration.conftest import SENTENCES, GateProject


def _every_outcome(project: GateProject) -> None:
    """Two variants on six datasets, which between them end in every verdict; `expected` is a declared failure."""
    project.standard(
        thresholds="wer_delta = 1.0",
        extra="""
        [variant.q8_0.dataset.expected]
        expect = "fail"
        [dataset.expected]
        manifest = "expected/manifest.jsonl"
        [dataset.silence]
        manifest = "silence/manifest.jsonl"
        [dataset.silence.thresholds]
        wer_delta = "off"
        [dataset.single]
        manifest = "single/manifest.jsonl"
        [dataset.single.thresholds]
        non_inferiority = 1.0
        [dataset.crash]
        manifest = "crash/manifest.jsonl"
        [dataset.crash.thresholds]
        errors = 1
        [dataset.gone]
        manifest = "gone/manifest.jsonl"
        """,
    )
    project.dataset("expected", SENTENCES[:1], first=1600)
    project.dataset("silence", ["", ""], first=1700)
    project.dataset("single", SENTENCES[:1], first=1800)
    project.dataset("crash", SENTENCES[:2], first=1900)
    texts: dict[int, object] = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
    texts |= {1700: "", 1701: "you", 1800: SENTENCES[0], 1900: {"do": "raise"}, 1901: SENTENCES[1]}
    project.model("f32", {**texts, 1900: SENTENCES[0]})
    project.model("q8_0", {**texts, 1600: "please turn on the chicken light"})


def _properties(project: GateProject) -> dict[str, dict[str, str]]:
    """The properties of each test case of out.xml, by variant and dataset, without prefix."""
    root = ElementTree.parse(project.root / "out.xml").getroot()  # noqa: S314 - written by ourselves a moment ago
    cases = [
        {item.attrib["name"].removeprefix("asrgate_"): item.attrib["value"] for item in case.iter("property")}
        for case in root.iter("testcase")
    ]
    return {f"{case['variant']}::{case['dataset']}": case for case in cases}


def _by_name(report: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{pair['variant']}::{pair['dataset']}": pair for pair in report["pairs"]}


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_reports_of_every_outcome(project: GateProject, workers: list[str]) -> None:
    """Every verdict, error rows and null references make valid JSON, and properties with the same figures."""
    if workers:
        pytest.importorskip("xdist")
    _every_outcome(project)
    result = project.run_apart("-m", "wer", "--asrgate-json", "out.json", "--junitxml", "out.xml", *workers)
    result.assert_outcomes(passed=7, failed=4, xfailed=1)
    report = json.loads((project.root / "out.json").read_text())
    assert [error.message for error in Draft202012Validator(report_schema()).iter_errors(report)] == []
    pairs = _by_name(report)
    assert {name: pair["verdict"] for name, pair in pairs.items() if pair["variant"] == "q8_0"} == {
        "q8_0::prompts": "FAIL",
        "q8_0::expected": "FAIL",
        "q8_0::silence": "PASS",
        "q8_0::single": "INCONCLUSIVE",
        "q8_0::crash": "PASS",
        "q8_0::gone": "ERROR",
    }
    assert (pairs["q8_0::crash"]["error_rows"], pairs["q8_0::silence"]["null_references"]) == (1, 2)
    assert pairs["q8_0::single"]["upper95_pp"] is None

    found = _properties(project)
    assert {name: seen["verdict"] for name, seen in found.items()} == {
        name: pair["verdict"] for name, pair in pairs.items()
    }
    # Every property of every pair, of each type that there is, is what the JSON report's figures make.
    made = {name: dict(junit_properties(pair)) for name, pair in pairs.items()}
    assert found == {
        name: {key.removeprefix("asrgate_"): str(value) for key, value in each.items()}
        for name, each in made.items()
    }
    assert {type(value) for each in made.values() for value in each.values()} == {str, int, float, bool}

    failed = found["q8_0::prompts"]
    assert (failed["wer_pct"], failed["delta_pp"], failed["words"], failed["errors"]) == (
        "2.0408",
        "2.0408",
        "49",
        "1",
    )
    assert float(failed["lower95_pp"]) < 2.04 < float(failed["upper95_pp"])
    assert (failed["error_rows"], failed["incomplete"]) == ("0", "False")
    # Another dataset holds one of these clips; which pair hears it first is up to the workers.
    assert int(failed["transcribed"]) + int(failed["reused"]) == 8
    assert failed["model_sha256"] == pairs["q8_0::prompts"]["stamp"]["model_sha256"]
    assert float(failed["latency_p50_ms"]) >= 0
    assert found["q8_0::expected"]["expected_to_fail"] == "True"
    assert (found["q8_0::crash"]["error_rows"], found["q8_0::crash"]["incomplete"]) == ("1", "True")
    assert "upper95_pp" not in found["q8_0::single"]
    assert "wer_pct" not in found["q8_0::gone"]
