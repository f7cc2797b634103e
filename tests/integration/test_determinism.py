"""Repeats: engines that always answer alike, and engines that do not."""

import json
from typing import Any

from tests.integration.conftest import SENTENCES, GateProject

RIGHT: dict[int, object] = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}


def _project(project: GateProject, changes: dict[int, object], declared: str = "") -> None:
    project.dataset("prompts", SENTENCES)
    project.model("f32", {**RIGHT, **changes}, log=str(project.root / "f32.log"))
    project.gate(
        f"""
        [transcriber.fake]
        kind = "fake"
        repeat = 3
        {declared}
        [variant.f32]
        model = "f32.json"
        [dataset.prompts]
        manifest = "prompts/manifest.jsonl"
        [thresholds]
        wer = 90.0
        """
    )


def _repeats(project: GateProject) -> Any:
    return json.loads((project.root / "report.json").read_text())["pairs"][0]["repeats"]


def test_an_engine_that_answers_alike_has_no_flips_and_is_asked_once(project: GateProject) -> None:
    """Eight clips three times over, with one new start; the next run decodes nothing."""
    _project(project, {}, "deterministic = true")
    result = project.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["flips: f32 prompts 0 of 8 in 3 decodings"])
    assert (len(_repeats(project)["flips"]), _repeats(project)["utterances"]) == (0, 8)
    log = project.log("f32")
    assert sum("clip" in line for line in log) == 8 + 3 * 8
    assert sum("load" in line for line in log) == 2
    again = project.run("-m", "wer")
    again.assert_outcomes(passed=1)
    again.stdout.fnmatch_lines(["flips: f32 prompts 0 of 8 in 3 decodings"])
    assert project.log("f32") == log


def test_a_flip_is_reported_where_nothing_is_declared(project: GateProject) -> None:
    """The pair passes, and table and report say what flipped."""
    _project(project, {1602: {"do": "each time", "texts": ["what is the weather", "what was the weather"]}})
    result = project.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["flips: f32 prompts 1 of 8 in 3 decodings"])
    (flip,) = _repeats(project)["flips"]
    assert flip == {"id": "prompts-2", "outputs": ["what is the weather", "what was the weather"]}


def test_a_flip_of_a_declared_engine_is_an_error(project: GateProject) -> None:
    """The declaration is refuted: ERROR, naming the utterance, and again from what was stored."""
    _project(
        project,
        {1602: {"do": "each time", "texts": ["what is the weather", "what was the weather"]}},
        "deterministic = true",
    )
    for _ in range(2):
        result = project.run("-m", "wer")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(
            ["f32 on prompts: ERROR", "*ERROR*flips*1*0*1 of 8 utterances flipped*prompts-2*"]
        )


def test_a_flip_that_comes_from_the_start_is_found(project: GateProject) -> None:
    """An engine that answers alike while it lives is started anew, and so found out."""
    _project(project, {1601: {"do": "each start", "texts": ["book a table", "book the table"]}})
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=1)
    assert [flip["id"] for flip in _repeats(project)["flips"]] == ["prompts-1"]


def test_what_fails_when_it_is_repeated_is_no_flip_and_tried_again(project: GateProject) -> None:
    """Undeclared it is told and not kept; declared it is an ERROR, since the evidence is incomplete."""
    tired = {1603: {"do": "raise after", "clips": 8, "text": "send the letter to my sister"}}
    _project(project, tired)
    result = project.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["flips: f32 prompts 0 of 8 in 3 decodings (1 failed)"])
    assert (_repeats(project)["failed"], _repeats(project)["flips"]) == (["prompts-3"], [])
    before = len(project.log("f32"))
    _project(project, tired, "deterministic = true")
    result = project.run("-m", "wer")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ERROR*flips*incomplete, 1 failed in at least one of them (prompts-3: *tired*"])
    assert len(project.log("f32")) > before


def test_no_repeat_no_second_decoding(project: GateProject) -> None:
    """Off by default: every clip is decoded once and there is no check of flips."""
    project.standard()
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=2)
    assert sum("clip" in line for line in project.log("f32")) == 8
    pairs = json.loads((project.root / "report.json").read_text())["pairs"]
    assert all(entry["repeats"] is None for entry in pairs)
    assert not [check for entry in pairs for check in entry["checks"] if check["name"] == "flips"]


def test_an_early_run_repeats_what_it_has_decoded(project: GateProject) -> None:
    """A pair that ends early is decoded again from the utterances it has, and carries the check."""
    project.standard()
    # Enough utterances for more than one look.
    project.dataset("prompts", SENTENCES * 10)
    right = {1600 + number: sentence for number, sentence in enumerate(SENTENCES * 10)}
    for variant in ("f32", "q8_0"):
        project.model(variant, right)
    text = (project.root / "gate.toml").read_text()
    project.gate(text.replace("timeout_s = 5", "timeout_s = 5\n            repeat = 2"))
    project.run("-m", "wer", "-k", "q8_0", "--asrgate-early", "--asrgate-json", "report.json")
    pair = json.loads((project.root / "report.json").read_text())["pairs"][0]
    assert pair["early"] is not None
    assert pair["repeats"]["flips"] == []
    assert 1 <= pair["repeats"]["utterances"] <= pair["early"]["utterances"]
