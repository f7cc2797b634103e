"""PASS, FAIL, INCONCLUSIVE and ERROR as pytest shows them."""

import json

import pytest

from tests.integration.conftest import SENTENCES, GateProject


def test_failure_lists_every_check_and_the_costliest_utterances(project: GateProject) -> None:
    """A FAIL is one message: all checks with figure and limit, and aligned diffs of what cost most."""
    project.standard(thresholds="wer_delta = 1.0\nwer = 50.0\nempty = 0")
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "q8_0 on prompts against f32: FAIL",
            "*PASS*wer *2.04 %*50.00 %*1 substitution, 0 deletions, 0 insertions over 49 words",
            "*FAIL*wer_delta*+2.04 pp*1.00 pp*",
            "*PASS*empty *0 *0*",
            "*prompts-0: 1 error in 6 words, baseline 0",
            "*REF: please turn on the KITCHEN light",
            "*HYP: please turn on the CHICKEN light",
        ]
    )
    assert "Traceback" not in result.stdout.str()


EXPECT = '[variant.q8_0.dataset.prompts]\nexpect = "fail"'


def test_expected_failure_is_satisfied_by_fail(project: GateProject) -> None:
    """`expect = "fail"` turns a FAIL into an expected failure: exit 0, and the table says so."""
    project.standard(thresholds="wer_delta = 1.0", extra=EXPECT)
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=1, xfailed=1)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["q8_0*FAIL (expected)"])


def test_expected_failure_that_passes_is_news(project: GateProject) -> None:
    """A pair that was expected to fail and passes ends the run with exit 1."""
    project.standard(thresholds="wer_delta = 50.0", extra=EXPECT)
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*XPASS(strict)*"])


@pytest.mark.parametrize("thresholds", ["semantic_wer = 5.0", "non_inferiority = 2.5"])
def test_expected_failure_accepts_neither_error_nor_undecided(project: GateProject, thresholds: str) -> None:
    """ERROR (a limit that cannot be measured) and INCONCLUSIVE do not satisfy `expect = "fail"`."""
    project.standard(thresholds=thresholds, extra=EXPECT)
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)


def test_inconclusive_fails_by_default_and_says_what_is_missing(project: GateProject) -> None:
    """An undecided pair fails with both bounds, the margin this set resolves, and what to do."""
    project.standard(thresholds="non_inferiority = 2.5")
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(
        ["q8_0 on prompts against f32: INCONCLUSIVE", "*this set resolves*more utterances*"]
    )


def test_inconclusive_may_warn(project: GateProject) -> None:
    """With `inconclusive = "warn"` the item passes with a warning, and the table still says INCONCLUSIVE."""
    project.standard(thresholds="non_inferiority = 2.5")
    text = (project.root / "gate.toml").read_text().replace("[gate]", '[gate]\ninconclusive = "warn"')
    project.gate(text)
    # The gate file's word stands also where a project turns warnings into errors.
    result = project.run("-m", "wer", "-k", "q8_0", "-W", "error")
    result.assert_outcomes(passed=1, deselected=1, warnings=1)
    result.stdout.fnmatch_lines(["*GateWarning*INCONCLUSIVE*", "q8_0*INCONCLUSIVE"])


def test_every_pair_gets_its_own_baseline(project: GateProject) -> None:
    """A pair selected alone transcribes its baseline itself, so order does not matter."""
    project.standard()
    project.run("gate.toml::q8_0::prompts").assert_outcomes(passed=1)
    assert len(project.log("f32")) == 1 + len(SENTENCES)


def test_model_is_loaded_once_for_all_datasets(project: GateProject) -> None:
    """One model process serves all datasets of a variant."""
    project.standard(thresholds="wer = 90.0")
    project.dataset("more", SENTENCES[:2])
    text = (project.root / "gate.toml").read_text()
    project.gate(text + '\n[dataset.more]\nmanifest = "more/manifest.jsonl"\n')
    project.run("-m", "wer").assert_outcomes(passed=4)
    assert project.log("q8_0").count("q8_0 load") == 1


def test_one_broken_pair_leaves_the_others_running(project: GateProject) -> None:
    """A missing manifest, a missing model and a model that will not load are one sentence each; others run."""
    project.standard()
    project.model("broken", {}, load="fail")
    text = (project.root / "gate.toml").read_text()
    project.gate(
        text + '\n[variant.broken]\nmodel = "broken.json"\n[variant.absent]\nmodel = "absent.json"\n'
        '[dataset.gone]\nmanifest = "gone.jsonl"\n'
    )
    result = project.run("-m", "wer", "--tb=short")
    result.assert_outcomes(passed=2, failed=6)
    result.stdout.fnmatch_lines_random(
        [
            "f32 on gone: ERROR: *gone.jsonl: there is no such manifest*",
            "broken on prompts: ERROR: *broken.json: the fake model refuses to load",
            "absent on prompts: ERROR: variant.absent.model: *absent.json does not exist; put the model there*",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_broken_baseline_makes_its_variants_errors(project: GateProject) -> None:
    """Where the baseline cannot run, limits that need it are ERROR and name the reason."""
    project.standard()
    project.model("f32", {}, load="fail")
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["*ERROR*non_inferiority*there is no baseline: *the fake model refuses to load*"])


def test_broken_gate_file_interrupts_with_all_its_problems(project: GateProject) -> None:
    """A gate file with problems ends a run that asks for it with exit 2 and every problem, and no other run."""
    project.standard()
    text = (project.root / "gate.toml").read_text().replace("baseline", "base_line").replace("timeout_s", "timeout")
    project.gate(text)
    project.pytester.makepyfile(test_other="def test_other(): pass")
    result = project.run("-m", "wer")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        [
            "*gate.toml: 3 problems",
            "*gate.base_line: unknown key; did you mean 'baseline'?",
            "*transcriber.fake.timeout: unknown key; did you mean 'timeout_s'?",
            "*thresholds.non_inferiority: needs a baseline*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    project.run().assert_outcomes(passed=1)


def test_json_report_holds_every_pair(project: GateProject) -> None:
    """`--asrgate-json` writes the documented keys with the figures of the table."""
    project.standard(thresholds="wer_delta = 1.0")
    result = project.run("-m", "wer", "--asrgate-json", "out/report.json")
    result.assert_outcomes(passed=1, failed=1)
    report = json.loads((project.root / "out" / "report.json").read_text())
    assert report["schema"] == "asrgate.report/1"
    first, second = report["pairs"]
    assert (first["variant"], first["verdict"], first["baseline"]) == ("f32", "PASS", None)
    assert (second["variant"], second["verdict"], second["baseline"]) == ("q8_0", "FAIL", "f32")
    assert (second["n"], second["words"], second["substitutions"]) == (8, 49, 1)
    assert second["delta_pp"] == pytest.approx(100 / 49)
    assert second["lower95_pp"] < second["delta_pp"] < second["upper95_pp"]
    assert {check["name"]: check["status"] for check in second["checks"]}["wer_delta"] == "fail"
    assert second["utterances"][0] == {
        "id": "prompts-0",
        "status": "ok",
        "ref": SENTENCES[0],
        "hyp": "please turn on the chicken light",
        "ref_text": "please turn on the kitchen light",
        "hyp_text": "please turn on the chicken light",
        "masked": [],
        "errors": 1,
        "substitutions": 1,
        "deletions": 0,
        "insertions": 0,
        "words": 6,
        "steps": "====S=",
        "null_reference": False,
        "empty": False,
        "hallucination": False,
        "loop": False,
        "language_drift": False,
        "catastrophic": False,
        "dropped_span": 0,
        "latency_ms": second["utterances"][0]["latency_ms"],
        "detail": "",
        "tags": [],
        "language": "en",
        "audio": "prompts/0.wav",
        "duration_s": second["utterances"][0]["duration_s"],
        "changed": True,
        "baseline_status": "ok",
        "baseline_hyp": SENTENCES[0],
        "baseline_hyp_text": SENTENCES[0],
        "baseline_errors": 0,
        "baseline_steps": "======",
    }
    assert second["contract"]["normaliser"].startswith("whisper-english ")
    assert second["stamp"]["engine"] == "fake"


def test_json_report_that_cannot_be_written_fails_at_once(project: GateProject) -> None:
    """A report that cannot be written where it is asked for is exit 4 and one sentence, and nothing is decoded."""
    project.standard()
    (project.root / "file").write_text("")
    result = project.run("-m", "wer", "--asrgate-json", "file/report.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--asrgate-json: *file/report.json cannot be written*"])
    assert project.log("f32") == []


def test_every_pair_writes_its_hypothesis_file(project: GateProject) -> None:
    """Each pair leaves a self-describing hypothesis file under reports/wer of the state folder."""
    project.standard()
    project.run("-m", "wer").assert_outcomes(passed=2)
    path = project.root / ".asrgate" / "reports" / "wer" / "q8_0.prompts-timestamps_none.jsonl"
    header, *rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert header["type"] == "batch_header"
    assert header["language"] == "en"
    assert header["recipe"]["timestamps"] == "none"
    assert header["stamp"]["engine"] == "fake"
    assert [row["id"] for row in rows] == [f"prompts-{number}" for number in range(8)]
    assert rows[0]["hyp_text"] == "please turn on the chicken light"
    assert rows[0]["ref_text"] == SENTENCES[0]


def test_hypothesis_files_of_one_machine_are_judged_on_another(project: GateProject) -> None:
    """Files that a native run wrote pass through the `replay` transcriber with the same figures, without audio."""
    project.standard(thresholds="wer_delta = 1.0")
    project.run("-m", "wer").assert_outcomes(passed=1, failed=1)
    (project.root / ".asrgate" / "reports" / "wer").rename(project.root / "runs")
    for clip in (project.root / "prompts").glob("*.wav"):
        clip.unlink()
    project.gate(
        """
        [gate]
        baseline = "f32"
        state = "replayed"
        [transcriber.files]
        kind = "replay"
        options = { hypotheses = "runs/{variant}.{dataset}-timestamps_none.jsonl" }
        [variant.f32]
        [variant.q8_0]
        [dataset.prompts]
        manifest = "prompts/manifest.jsonl"
        [thresholds]
        wer_delta = 1.0
        """
    )
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*FAIL*wer_delta*+2.04 pp*1.00 pp*", "q8_0*2.04*+2.04*FAIL"])


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"timestamps": "none"', '"timestamps": "segment"', "timestamps 'segment', the gate asks for 'none'"),
        ('"language": "en"', '"language": "de"', "language 'de', the gate asks for 'en'"),
        ('"decode": "greedy"', '"decode": "beam"', "recipe.decoding is 'greedy' and decode 'beam'"),
        ('"timestamps": "none"', '"timestamps": "../../../out"', "recipe.timestamps: Input should be"),
        ('"timestamps": "none"', '"timestamps": {"a": 1}', "recipe.timestamps: Input should be"),
        ('"manifest_sha256": "', '"manifest_sha256": "00', "manifest '00"),
    ],
)
def test_another_contract_is_refused(project: GateProject, old: str, new: str, named: str) -> None:
    """Stored hypotheses made under another contract, or naming an impossible one, are ERROR, never compared."""
    project.standard()
    project.run("-m", "wer").assert_outcomes(passed=2)
    stored = project.root / ".asrgate" / "reports" / "wer" / "q8_0.prompts-timestamps_none.jsonl"
    head, *rows = stored.read_text().splitlines()
    assert old in head
    (project.root / "stored.jsonl").write_text("\n".join([head.replace(old, new), *rows]) + "\n")
    text = (
        (project.root / "gate.toml").read_text().replace("[variant.q8_0]", '[variant.q8_0]\ntranscriber = "files"')
    )
    text = text.replace("[variant.f32]", '[variant.f32]\ntranscriber = "fake"')
    project.gate(text + '\n[transcriber.files]\nkind = "replay"\noptions = { hypotheses = "stored.jsonl" }\n')
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    assert "q8_0 on prompts: ERROR: " in result.stdout.str()
    assert named in result.stdout.str()
    assert "Traceback" not in result.stdout.str()
    assert not (project.root.parent / "out.jsonl").exists()


def test_language_that_cannot_be_scored_is_refused_before_decoding(project: GateProject) -> None:
    """A dataset that needs two metrics is an ERROR that says so, and no engine is started for it."""
    project.standard()
    manifest = project.root / "prompts" / "manifest.jsonl"
    manifest.write_text(manifest.read_text().replace('"language": "en"', '"language": "ja"', 1))
    result = project.run("-m", "wer")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["f32 on prompts: ERROR: dataset.prompts: en would be scored by wer, ja by cer: *"])
    assert project.log("f32") == []


def test_older_json_report_is_not_left_behind(project: GateProject) -> None:
    """A run that judges nothing leaves no report of an earlier one, and a partial one names what it left out."""
    project.standard()
    report = project.root / "report.json"
    project.run("-m", "wer", "-k", "f32", "--asrgate-json", "report.json")
    assert json.loads(report.read_text())["gate"]["not_judged"] == ["q8_0::prompts"]
    project.run("-m", "wer", "--collect-only", "--asrgate-json", "report.json")
    assert report.exists(), "listing the pairs judges nothing and replaces nothing"
    project.gate("this is no TOML")
    assert project.run("-m", "wer", "--asrgate-json", "report.json").ret == pytest.ExitCode.INTERRUPTED
    assert not report.exists()


def test_secrets_of_the_environment_are_not_printed(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A maker's command is told as the gate file has it, in the terminal, JUnit XML and JSON alike."""
    monkeypatch.setenv("HF_TOKEN", "hunter2secret")
    project.standard()
    text = (project.root / "gate.toml").read_text()
    make = 'make = ["python", "-c", "import sys; sys.exit(sys.argv[1])", "${HF_TOKEN}"]'
    project.gate(text + f'\n[variant.made]\nmodel = "made.gguf"\n{make}\n')
    result = project.run("-m", "wer", "-k", "made", "--asrgate-json", "report.json", "--junitxml", "junit.xml")
    result.assert_outcomes(failed=1, deselected=2)
    result.stdout.fnmatch_lines(["*variant.made.make: python -c *${HF_TOKEN} ended with exit code 1*"])
    for written in (
        result.stdout.str(),
        *(project.root.joinpath(n).read_text() for n in ("report.json", "junit.xml")),
    ):
        assert "hunter2secret" not in written


def test_run_where_every_row_failed_says_so(project: GateProject) -> None:
    """Where no utterance has a score, the error rows are the reason, not a lack of reference words."""
    project.standard(thresholds="wer = 50.0")
    project.model("q8_0", {1600 + n: {"do": "raise"} for n in range(8)})
    result = project.run("-m", "wer", "-k", "q8_0")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["*no utterance with reference words has a score: 8 of 8 are error rows*"])
    result.stdout.fnmatch_lines(
        ["transcribed 8 utterances now*; 8 utterances failed, which the next run tries again"]
    )
