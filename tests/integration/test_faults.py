"""Native faults cost the one utterance that caused them, and never become a score."""

import pytest

from tests.integration.conftest import SENTENCES, GateProject


def _with_order(project: GateProject, order: object, thresholds: str) -> None:
    """The standard gate, with an order in place of q8_0's third clip."""
    project.standard(thresholds=thresholds)
    right = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
    project.model("q8_0", {**right, 1602: order}, log=str(project.root / "q8_0.log"))
    text = (project.root / "gate.toml").read_text().replace("timeout_s = 5", "timeout_s = 4\nmemory_mb = 300")
    project.gate(text)


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ({"do": "crash"}, "*prompts-2: the engine's process ended with signal 11 (SIGSEGV); *assertion failed*"),
        ({"do": "exit"}, "*prompts-2: the engine's process ended with exit code 0*"),
        ({"do": "hang"}, "*prompts-2: no answer within 4 s*"),
        ({"do": "garbage"}, "*prompts-2: the engine answered with no JSON object: 'no json'*"),
        ({"do": "garbage", "line": '{"id": "x", "text": "y"}'}, "*prompts-2: *answered for the id 'x'*"),
        ({"do": "grow"}, "*prompts-2: the engine's process grew to * MB, over memory_mb = 300*"),
        ({"do": "raise"}, "*prompts-2: ValueError: the fake engine does not like this clip*"),
    ],
    ids=lambda value: value.get("do") + ("-id" if "line" in value else "") if isinstance(value, dict) else "",
)
def test_fault_is_an_error_row_and_the_rest_goes_on(project: GateProject, order: object, sentence: str) -> None:
    """A crash, an early exit, a hang, garbage, a wrong id, a runaway and an exception are each one error row."""
    _with_order(project, order, "non_inferiority = 30.0")
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["q8_0 on prompts against f32: ERROR", sentence])
    heard = {line.split()[-1] for line in project.log("q8_0") if "clip" in line}
    assert heard == {str(1600 + number) for number in range(len(SENTENCES))}


def test_tolerated_error_rows_leave_both_sides_and_are_incomplete(project: GateProject) -> None:
    """Within `errors` the rows leave the comparison, the verdict is incomplete, and finished rows are reused."""
    _with_order(project, {"do": "crash"}, "non_inferiority = 40.0\nerrors = 1")
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["q8_0*+0.00*PASS (incomplete)"])
    again = project.run("-m", "wer", "-k", "q8_0")
    again.stdout.fnmatch_lines(["transcribed nothing: all 7 hypotheses were there already*; 1 utterance failed*"])


@pytest.mark.parametrize(("status", "word"), [("truncated", "truncated"), ("repetition", "stopped for repetition")])
def test_partial_text_is_scored_and_flagged(project: GateProject, status: str, word: str) -> None:
    """Truncated and repetition-stopped output keeps its partial text, is scored, and is named under the table."""
    _with_order(project, {"do": status, "text": "what is the"}, "non_inferiority = 60.0")
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines([f"q8_0 prompts: 1 {word}, scored on their partial text: prompts-2"])


def test_truncated_can_be_gated(project: GateProject) -> None:
    """`truncated = 0` fails on one truncated row, naming it."""
    _with_order(project, {"do": "truncated", "text": "what is the"}, "truncated = 0")
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["*FAIL*truncated *1 *0*", "*prompts-2: 4 errors in 7 words*truncated*"])


def test_engine_that_always_fails_is_given_up(project: GateProject) -> None:
    """Restarts are bounded: after five failures in a row, and five more in another order, the rest is not tried."""
    project.standard()
    project.dataset("prompts", ["please turn on the kitchen light"] * 30)
    project.model("q8_0", {1600 + n: {"do": "crash"} for n in range(30)}, log=str(project.root / "q8_0.log"))
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    assert project.log("q8_0").count("q8_0 load") == 10
    result.stdout.fnmatch_lines(["*prompts-0: the engine's process ended with signal 11*"])


def test_bad_audio_is_an_error_row_naming_file_and_id(project: GateProject) -> None:
    """Absent, empty and non-audio files, and a clip shorter than announced, are error rows; the rest is scored."""
    project.standard(thresholds="errors = 9\nnon_inferiority = 90.0")
    folder = project.root / "prompts"
    (folder / "0.wav").unlink()
    (folder / "1.wav").write_bytes(b"")
    (folder / "2.wav").write_text("not audio at all")
    manifest = (folder / "manifest.jsonl").read_text().splitlines()
    manifest[3] = manifest[3].replace('"language"', '"duration_s": 9.0, "language"')
    (folder / "manifest.jsonl").write_text("\n".join(manifest) + "\n")
    result = project.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=2)
    report = project.pytester.path / "report.json"
    import json

    rows = {row["id"]: row for row in json.loads(report.read_text())["pairs"][0]["utterances"]}
    assert rows["prompts-0"]["detail"].endswith("0.wav: no such audio file")
    assert "1.wav: cannot be read as audio" in rows["prompts-1"]["detail"]
    assert "2.wav: cannot be read as audio" in rows["prompts-2"]["detail"]
    assert "the manifest says duration_s = 9" in rows["prompts-3"]["detail"]
    assert [row["status"] for row in rows.values()] == ["error"] * 4 + ["ok"] * 4
