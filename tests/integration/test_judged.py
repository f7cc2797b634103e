"""Meaning judged by rules in a run: the column, the message, JUnit, and the same report from xdist workers."""

import json
import sys
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate import report_schema
from tests.integration.conftest import SENTENCES, GateProject


def _judged(project: GateProject, limits: str) -> None:
    """`q8_0` loses a word that matters, and an article that does not; `plain` buys no judged score."""
    unset = '[dataset.plain.thresholds]\nsemantic_wer = "off"\nsemantic_wer_delta = "off"\n'
    project.standard(limits, f'[dataset.plain]\nmanifest = "prompts/manifest.jsonl"\n{unset}')
    text = (project.root / "gate.toml").read_text()
    project.gate(text.replace('speakers = "none"', 'speakers = "none"\n            judged = ["semantic"]'))
    right = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
    heard = {1600: "please turn on the chicken light", 1603: "send a letter to my sister"}
    project.model("q8_0", {**right, **heard})


def _report(project: GateProject) -> dict[str, Any]:
    report = json.loads((project.root / "report.json").read_text())
    assert list(Draft202012Validator(report_schema()).iter_errors(report)) == []
    return {f"{pair['variant']}::{pair['dataset']}": pair for pair in report["pairs"]}


def test_meaning_is_shown_wherever_a_verdict_is(project: GateProject) -> None:
    """Table, lines under it, failure message, JUnit and JSON have the score; a set that buys none has dashes."""
    _judged(project, "semantic_wer_delta = 1.0")
    imported = "litellm" in sys.modules
    result = project.run("-m", "wer", "-v", "--asrgate-json", "report.json", "--junitxml", "out.xml")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "the utterances whose meaning changed (1 of 1):",
            "  prompts-0: 1 semantic error in 6 words, baseline 0",
            '    1. "kitchen" → "chicken": no judge',
            "variant *sem%*sem delta*",
            "q8_0 *≤ 2.04 * +2.04 *FAIL",
            "q8_0 * plain *—*—*PASS",
            "judge rules: nobody was asked; 1 of 2 differences settled by rules, 1 left open in 1 of 16 utterances",
            "by rules alone: open differences count as errors*",
            "semantic WER, with who decided*",
            "q8_0 prompts: at most 2.04 %*no judge 1*",
        ]
    )
    found = _report(project)["q8_0::prompts"]["semantic"]
    assert (found["substitutions"], found["words"], found["upper_bound"]) == (1, 49, True)
    assert [row["id"] for row in found["utterances"]] == ["prompts-0", "prompts-3"]
    assert _report(project)["q8_0::plain"]["semantic"] is None
    assert 'name="asrgate_semantic_wer_pct" value="2.0408"' in (project.root / "out.xml").read_text()
    assert ("litellm" in sys.modules) == imported


def test_workers_send_the_whole_trail(project: GateProject) -> None:
    """Under `-n 2` the judged score of the report is the one of a run without, to the last reason."""
    pytest.importorskip("xdist")
    _judged(project, "semantic_wer = 50.0")
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=4)
    alone = {name: pair["semantic"] for name, pair in _report(project).items()}
    result = project.run_apart("-m", "wer", "-n", "2", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=4)
    assert {name: pair["semantic"] for name, pair in _report(project).items()} == alone
    assert alone["q8_0::prompts"]["utterances"][1]["differences"][0]["decided_by"] == "rule article"
