"""Limits on speed, measured by a probe of their own."""

import pytest

from tests.integration.conftest import GateProject


def test_limits_on_speed_are_measured_in_one_session_and_stored(project: GateProject) -> None:
    """`latency_ratio` and `rtf` are measured on this host, told with their circumstances, not measured twice."""
    project.standard(thresholds="latency_ratio = 1000.0\nrtf = 0.0")
    result = project.run("-m", "wer")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "f32 on prompts: FAIL",
            "*FAIL*rtf *8 clips in 3 rounds, 1 thread(s), on * at load *",
            "q8_0 on prompts against f32: FAIL",
            "*FAIL*rtf *8 clips in 3 rounds*",
            "*PASS*latency_ratio *1000*p50 * ms against * ms, p99 * ms against * ms; 8 clips*",
        ]
    )
    asked = len(project.log("f32")), len(project.log("q8_0"))
    project.run("-m", "wer").assert_outcomes(failed=2)
    assert (len(project.log("f32")), len(project.log("q8_0"))) == asked


def test_no_limit_no_probe(project: GateProject) -> None:
    """Without a limit on speed nothing is decoded for its sake."""
    project.standard()
    project.run("-m", "wer").assert_outcomes(passed=2)
    assert len([line for line in project.log("f32") if "clip" in line]) == 8


@pytest.mark.parametrize("limit", ["latency_ratio = 2.0", "rtf = 2.0"])
def test_stored_hypotheses_are_unmeasured(project: GateProject, limit: str) -> None:
    """Hypotheses of another machine have no speed here: ERROR, never an old timing."""
    project.standard()
    project.run("-m", "wer").assert_outcomes(passed=2)
    (project.root / ".asrgate" / "reports" / "wer").rename(project.root / "runs")
    project.gate(
        f"""
        [gate]
        baseline = "f32"
        [transcriber.files]
        kind = "replay"
        options = {{ hypotheses = "runs/{{variant}}.{{dataset}}-timestamps_none.jsonl" }}
        [variant.f32]
        [variant.q8_0]
        [dataset.prompts]
        manifest = "prompts/manifest.jsonl"
        [variant.q8_0.thresholds]
        {limit}
        """
    )
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*ERROR*replays stored hypotheses, which cannot be timed here*"])
