"""The gate under pytest-xdist."""

import json

import pytest

from tests.integration.conftest import SENTENCES, GateProject

pytest.importorskip("xdist")


@pytest.mark.parametrize("distribution", ["load", "loadscope"])
def test_same_result_as_without(project: GateProject, distribution: str) -> None:
    """`-n 2` gives the same table, JSON and exit code, and the baseline is transcribed once."""
    project.standard(thresholds="wer_delta = 1.0")
    result = project.run_apart("-m", "wer", "-n", "2", "--dist", distribution, "--asrgate-json", "report.json")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["q8_0 on prompts against f32: FAIL", "f32 *baseline", "q8_0 *+2.04*FAIL", "transcribed 16 utterances now*"]
    )
    assert len([line for line in project.log("f32") if "clip" in line]) == len(SENTENCES)
    report = json.loads((project.root / "report.json").read_text())
    assert [(pair["variant"], pair["verdict"]) for pair in report["pairs"]] == [("f32", "PASS"), ("q8_0", "FAIL")]


def test_broken_gate_file_is_exit_2(project: GateProject) -> None:
    """Workers that cannot read the gate file end the run as without xdist."""
    project.standard()
    project.gate("this is no TOML")
    result = project.run_apart("-m", "wer", "-n", "2")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*TOML syntax*"])
