"""Claims about slices, from a manifest's tags to the table, the message and the JSON report."""

import json
from typing import Any

from .conftest import SENTENCES, GateProject

SIZE = 80
REFERENCES = [SENTENCES[number % len(SENTENCES)] for number in range(SIZE)]
# Every tenth utterance has the accent; all are of one of two rooms, and each has a tag of its own.
TAGS = [
    ["accent:in" if number % 10 == 0 else "accent:us", f"room {number % 2}", f"clip {number}"]
    for number in range(SIZE)
]
RIGHT: dict[int, object] = {2000 + number: text for number, text in enumerate(REFERENCES)}
# The accent's utterances lose all but three words, and nobody else a single one.
WRONG = {
    clip: " ".join(str(text).split()[:3]) if "accent:in" in tags else text
    for (clip, text), tags in zip(RIGHT.items(), TAGS, strict=True)
}
GATE = """
[gate]
baseline = "f32"
[transcriber.fake]
kind = "fake"
timeout_s = 5
[variant.f32]
model = "f32.json"
[variant.q8_0]
model = "q8_0.json"
{expect}
[dataset.prompts]
manifest = "prompts/manifest.jsonl"
speakers = "none"
[dataset.prompts.thresholds]
wer = 10.0
wer_delta = 8.0
{slices}
"""
SLICES = """
[dataset.prompts.slice."accent:in".thresholds]
wer_delta = 8.0
[dataset.prompts.slice."accent:us".thresholds]
wer_delta = 8.0
errors = 0
"""


def _project(project: GateProject, slices: str = SLICES, expect: str = "", *, tagged: bool = True) -> None:
    project.dataset("prompts", REFERENCES, first=2000, tags=TAGS if tagged else ())
    project.model("f32", RIGHT, log=str(project.root / "f32.log"))
    project.model("q8_0", WRONG, log=str(project.root / "q8_0.log"))
    project.gate(GATE.format(slices=slices, expect=expect))


def _report(project: GateProject) -> list[dict[str, Any]]:
    pairs: list[dict[str, Any]] = json.loads((project.root / "report.json").read_text())["pairs"]
    return pairs


def test_a_group_that_loses_fails_a_pair_that_passes_as_a_whole(project: GateProject) -> None:
    """Within its pooled limits the pair passes; the limit on one accent fails it, named in all reports."""
    _project(project, slices="")
    project.run("-m", "wer").assert_outcomes(passed=2)
    _project(project)
    result = project.run("-m", "wer", "--asrgate-json", str(project.root / "report.json"))
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "q8_0 on prompts against f32: FAIL",
            "  PASS *wer_delta *+*8.00 pp*",
            "  FAIL *slice accent:in wer_delta *+*8.00 pp*",
            "  PASS *slice accent:us wer_delta *+0.00 pp *8.00 pp*",
            "the utterances that cost most (5 of 8):",
        ]
    )
    result.stdout.fnmatch_lines(["variant *worst slice *verdict", "q8_0 * accent:in +* FAIL"])
    result.stdout.fnmatch_lines(
        [
            "q8_0 prompts slice accent:in: wer_delta fail, limit 8.0 pp: *",
            "prompts, worst of 4 slices (one-sided 95 % bounds): q8_0 accent:in (8 utterances, bounds *by chance*",
            "prompts: 80 tags left out of the slices*",
        ]
    )
    baseline, variant = _report(project)
    assert (baseline["verdict"], variant["verdict"]) == ("PASS", "FAIL")
    assert variant["reason"].startswith("slice accent:in: wer_delta: ")
    assert {part["name"]: part["n"] for part in variant["slices"]} == {
        "accent:in": 8,
        "accent:us": 72,
        "room 0": 40,
        "room 1": 40,
    }
    accent = variant["slices"][0]
    assert accent["delta_pp"] > 8.0 > variant["delta_pp"]
    assert [check["status"] for check in accent["checks"]] == ["fail"]
    assert [check["name"] for part in baseline["slices"] for check in part["checks"]] == ["errors"]
    assert variant["slices_left_out"] == 80
    assert variant["utterances"][0]["tags"] == ["accent:in", "room 0", "clip 0"]


def test_a_known_loss_of_one_group_may_be_expected(project: GateProject) -> None:
    """`expect = "fail"` is satisfied by the slice alone, and is strict: without its limit the pass is news."""
    expect = '[variant.q8_0.dataset.prompts]\nexpect = "fail"'
    _project(project, expect=expect)
    project.run("-m", "wer").assert_outcomes(passed=1, xfailed=1)
    _project(project, slices="", expect=expect)
    project.run("-m", "wer").assert_outcomes(passed=1, failed=1)


def test_a_slice_that_no_row_carries_ends_before_decoding(project: GateProject) -> None:
    """Each pair of the data set is an ERROR with the nearest tag, and no engine was asked for anything."""
    _project(project, '[dataset.prompts.slice."accent:ni".thresholds]\nwer = 5.0\n')
    result = project.run("-m", "wer")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        ["*ERROR: dataset.prompts.slice.accent:ni: no row of *.jsonl has this tag; did you mean 'accent:in'?"]
    )
    assert project.log("f32") == []
    _project(project, tagged=False)
    project.run("gate.toml::q8_0::prompts").stdout.fnmatch_lines(["*no row of *has this tag; none has any"])


def test_slices_do_not_ask_for_decoding(project: GateProject) -> None:
    """Tags and limits of slices may change as rates' limits may: what is decoded stays."""
    _project(project, tagged=False, slices="")
    project.run("-m", "wer").assert_outcomes(passed=2)
    _project(project)
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["transcribed nothing*"])


def test_slices_cross_from_xdist_workers(project: GateProject) -> None:
    """The controller prints the column and the lines of its workers' slices."""
    _project(project)
    result = project.run_apart("-m", "wer", "-n", "2")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["variant *worst slice *verdict"])
    result.stdout.fnmatch_lines(["q8_0 prompts slice accent:in: wer_delta fail*"])


def test_an_early_run_waits_for_a_slice(project: GateProject) -> None:
    """Equal outputs end it early; not so while a slice with a limit has no decoded utterance."""
    _project(project)
    project.model("q8_0", RIGHT, log=str(project.root / "q8_0.log"))
    text = GATE.format(slices='[dataset.prompts.slice."{tag}".thresholds]\nloops = 0\n', expect="")
    text = text.replace("wer_delta = 8.0", "non_inferiority = 30.0")
    project.gate(text.replace("{tag}", "accent:us"))
    result = project.run("gate.toml::q8_0::prompts", "--asrgate-early")
    result.assert_outcomes(passed=1)
    decoded = {int(line.split()[-1]) for line in project.log("q8_0") if "clip" in line}
    assert len(decoded) < SIZE
    left = next(clip for clip in RIGHT if clip not in decoded)
    project.gate(text.replace("{tag}", f"clip {left - 2000}"))
    result = project.run("gate.toml::q8_0::prompts", "--asrgate-early")
    result.assert_outcomes(passed=1)
    decoded = {int(line.split()[-1]) for line in project.log("q8_0") if "clip" in line}
    assert left in decoded
