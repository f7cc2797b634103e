"""Claims about what a verbose run shows beside the verdicts, and about the line on many presets."""

import json

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate import report_schema

from .conftest import SENTENCES, GateProject

MANY = "2 presets were compared with f32: each verdict stands alone;*picking the best of them*"
EVIDENCE = (
    "q8_0 prompts: paired bootstrap of the delta *pp; MAPSSWE 1 segment, no z: one segment*; better than f32 in *"
)


def _with_a_third(project: GateProject) -> None:
    project.standard(extra='[variant.q4_0]\nmodel = "q4_0.json"')
    wrong = {1600 + number: text.replace("the ", "a ") for number, text in enumerate(SENTENCES)}
    project.model("q4_0", {**wrong, 1600: "please shut down the kitchen light"})


def test_verbose_runs_show_the_other_tests(project: GateProject) -> None:
    """With -v each compared pair has a line of bootstrap, MAPSSWE and probability of improvement."""
    _with_a_third(project)
    result = project.run("-m", "wer", "-v")
    result.stdout.fnmatch_lines([MANY, "reported only, none of these decides*", EVIDENCE, "q4_0 prompts: *z = +*"])
    result.stdout.no_fnmatch_line("f32 prompts: paired bootstrap*")


def test_other_runs_have_only_the_line_on_many_presets(project: GateProject) -> None:
    """Without -v the count of compared presets is all that is added."""
    _with_a_third(project)
    result = project.run("-m", "wer")
    result.stdout.fnmatch_lines([MANY])
    result.stdout.no_fnmatch_line("*MAPSSWE*")
    result.stdout.no_fnmatch_line("reported only*")


def test_one_preset_is_no_choice(project: GateProject) -> None:
    """A single variant against its baseline has nothing to be picked from."""
    project.standard()
    project.run("-m", "wer").stdout.no_fnmatch_line("*preset* compared with*")


def test_speakers_add_their_interval(project: GateProject) -> None:
    """Where the manifest names speakers the verbose lines show the interval over them."""
    project.standard()
    manifest = project.root / "prompts" / "manifest.jsonl"
    rows = [json.loads(line) for line in manifest.read_text().splitlines()]
    manifest.write_text(
        "".join(json.dumps({**row, "speaker": f"s{place % 4}"}) + "\n" for place, row in enumerate(rows))
    )
    gate = project.root / "gate.toml"
    gate.write_text(gate.read_text().replace('speakers = "none"', 'speakers = "speaker"'))
    result = project.run("-m", "wer", "-v")
    result.stdout.fnmatch_lines(["q8_0 prompts: 95 % CI of the rate over speakers * %, over utterances * %"])


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_the_report_has_them_with_and_without_v(project: GateProject, workers: list[str]) -> None:
    """The JSON report is valid and has the figures, under xdist too."""
    _with_a_third(project)
    run = project.run_apart if workers else project.run
    run("-m", "wer", "--asrgate-json", "report.json", *workers)
    report = json.loads((project.root / "report.json").read_text())
    assert [str(error) for error in Draft202012Validator(report_schema()).iter_errors(report)] == []
    pairs = {pair["variant"]: pair for pair in report["pairs"]}
    assert pairs["f32"]["mapsswe"] is None
    assert pairs["q8_0"]["mapsswe"]["segments"] == 1
    assert pairs["q8_0"]["improvement_pct"] < 50
    assert pairs["q4_0"]["mapsswe"]["p"] < 0.05
    assert pairs["q4_0"]["improvement_pct"] == 0.0
    low, high = pairs["q4_0"]["delta_bootstrap_pp"]
    assert 0 < low <= pairs["q4_0"]["delta_pp"] <= high
