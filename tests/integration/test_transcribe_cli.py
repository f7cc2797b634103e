"""The native command line: a stand-in for its bad hours, and the real one where it was built."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.integration.conftest import SENTENCES, SUPPORT, GateProject

RIGHT = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}


class CliProject:
    """A gate of one variant through the stand-in program."""

    def __init__(self, project: GateProject) -> None:
        self.project = project
        self.root = project.root
        project.dataset("prompts", SENTENCES)
        program = self.root / "transcribe-cli"
        program.write_text(f"#!{sys.executable}\n" + (SUPPORT / "transcribe_cli_stand_in.py").read_text())
        program.chmod(0o755)
        self.model({})
        self.gate()

    def model(self, orders: dict[int, str], run: str = "", texts: dict[int, str] | None = None) -> None:
        """Write the stand-in's model."""
        content = {
            "texts": {str(key): text for key, text in (texts or RIGHT).items()},
            "orders": {str(key): order for key, order in orders.items()},
            "run": run,
            "log": str(self.root / "calls.log"),
        }
        (self.root / "model.gguf").write_bytes(b"GGUF" + json.dumps(content).encode())

    def gate(self, options: str = "", recipe: str = "", thresholds: str = "wer = 90.0\nerrors = 8") -> None:
        """Write gate.toml."""
        self.project.gate(
            f"""
            [recipe]
            {recipe}
            [transcriber.cli]
            kind = "transcribe-cli"
            timeout_s = 4
            memory_mb = 200
            options = {{ path = "transcribe-cli"{options} }}
            [variant.cli]
            model = "model.gguf"
            [dataset.prompts]
            manifest = "prompts/manifest.jsonl"
            [thresholds]
            {thresholds}
            """
        )

    def pair(self) -> dict[str, object]:
        """Run the gate and return its pair's entry."""
        result = self.project.run("-m", "wer", "--asrgate-json", "report.json")
        self.result = result
        pair: dict[str, object] = json.loads((self.root / "report.json").read_text())["pairs"][0]
        return pair

    def rows(self) -> dict[str, dict[str, object]]:
        """Run the gate and return its utterances by number."""
        utterances = self.pair()["utterances"]
        assert isinstance(utterances, list)
        return {row["id"].removeprefix("prompts-"): row for row in utterances}

    def calls(self) -> list[list[str]]:
        """The command lines the program was started with, without `--help`."""
        path = self.root / "calls.log"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def cli(project: GateProject) -> CliProject:
    """The gate with a program that works."""
    return CliProject(project)


def test_all_clips_in_one_process_with_the_recipe_pinned(cli: CliProject) -> None:
    """Every clip goes through one process, the recipe is spelt out, and what has no flag is not controllable."""
    pair = cli.pair()
    assert (pair["verdict"], pair["rate_pct"], pair["transcribed"]) == ("PASS", 0.0, 8)
    (call,) = cli.calls()
    assert call[:2] == ["-m", str(cli.root / "model.gguf")]
    spelt = " ".join(call)
    for words in (
        "--batch-jsonl",
        "--backend cpu",
        "--threads 1",
        "--language en",
        "--timestamps none",
        "--kv-type auto",
    ):
        assert words in spelt
    assert "--batch-size" not in call
    assert pair["not_controllable"] == ["temperatures", "compression_ratio", "logprob", "no_speech", "seed"]
    assert pair["latency_p50_ms"] == 24.0


def test_older_generation_gets_only_the_flags_it_knows(cli: CliProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flags that the program's help does not name are left out, and what they would set is not controllable."""
    monkeypatch.setenv("STAND_IN_GENERATION", "old")
    pair = cli.pair()
    assert pair["verdict"] == "PASS"
    assert "--kv-type" not in cli.calls()[0]
    assert isinstance(pair["not_controllable"], list)
    assert {"kv_type", "condition_on_previous"} <= set(pair["not_controllable"])


def test_program_that_is_something_else(cli: CliProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program whose help lacks what is needed is one sentence."""
    monkeypatch.setenv("STAND_IN_GENERATION", "other")
    assert "is no transcribe-cli that can be used" in str(cli.pair()["reason"])


def test_program_that_is_absent_and_extra_arguments(cli: CliProject) -> None:
    """An absent program is one sentence with the mend; extra arguments reach a present one."""
    cli.gate(options=', arguments = ["--no-mmap"]')
    assert cli.pair()["verdict"] == "PASS"
    assert cli.calls()[0][-1] == "--no-mmap"
    (cli.root / "transcribe-cli").unlink()
    reason = str(cli.pair()["reason"])
    assert reason.startswith("transcriber.cli.options.path: there is no program ")
    assert "build_cli.py" in reason


def test_warnings_of_the_program_are_findings(cli: CliProject) -> None:
    """[warn] lines on its standard error are told under the table, also when a rerun runs nothing."""
    for _ in range(2):
        cli.pair()
        cli.result.stdout.fnmatch_lines(
            ["warning: cli prompts: the engine printed: [[]warn] the language is not known*"]
        )
    assert len(cli.calls()) == 1


def test_audio_of_another_rate_is_converted_in_the_state_folder(cli: CliProject) -> None:
    """A clip that is no 16 kHz WAV is converted once; one that is goes as it is."""
    import soundfile

    folder = cli.root / "prompts"
    samples, _ = soundfile.read(folder / "0.wav")
    soundfile.write(folder / "0.flac", samples, 16_000)
    text = (folder / "manifest.jsonl").read_text().replace('"0.wav"', '"0.flac"')
    (folder / "manifest.jsonl").write_text(text)
    assert cli.pair()["rate_pct"] == 0.0
    assert len(list((cli.root / ".asrgate" / "audio").glob("*.wav"))) == 1


def test_truncated_and_repeating_rows_keep_their_text(cli: CliProject) -> None:
    """Rows that the program cut short are scored on their partial text and flagged; its exit code is no fault."""
    cli.model(
        {1600: "error output truncated: cap", 1601: "error output repetition: loop", 1602: "error backend error"}
    )
    rows = cli.rows()
    assert [rows[key]["status"] for key in "0123"] == ["truncated", "repetition", "error", "ok"]
    assert rows["0"]["hyp_text"] == SENTENCES[0]
    assert rows["2"]["detail"] == "backend error"
    assert len(cli.calls()) == 1


def test_invalid_utf8_is_survived(cli: CliProject) -> None:
    """Bytes that are no UTF-8 become replacement characters in that row alone."""
    cli.model({1600: "bytes"})
    rows = cli.rows()
    assert rows["0"]["hyp_text"] == "caf\ufffd ol\ufffd"
    assert {rows[key]["status"] for key in rows} == {"ok"}


@pytest.mark.parametrize("order", ["missing", "garbage"])
def test_missing_row_is_found_by_counting(cli: CliProject, order: str) -> None:
    """A row that never comes is asked for once more, and then is an error row of its own."""
    cli.model({1603: order})
    rows = cli.rows()
    assert [key for key in rows if rows[key]["status"] == "error"] == ["3"]
    assert "exit code 0 without a row for this utterance" in str(rows["3"]["detail"])
    assert len(cli.calls()) == 2


def test_row_that_comes_at_the_second_asking(cli: CliProject) -> None:
    """A row that an orderly run left out once is taken from the next."""
    cli.model({1603: "once missing"})
    assert {row["status"] for row in cli.rows().values()} == {"ok"}
    assert len(cli.calls()) == 2


def test_rows_out_of_order_are_joined_by_file(cli: CliProject) -> None:
    """Rows in another order than asked, as batches give them, still find their utterances."""
    cli.gate(recipe="batch_size = 4")
    cli.model({}, run="backwards")
    assert cli.pair()["rate_pct"] == 0.0
    assert "--batch-size 4" in " ".join(cli.calls()[0])


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("die", "signal 6 (SIGABRT) without a row for this utterance; last output: *GGML_ASSERT failed"),
        ("quit", "exit code 7 without a row for this utterance"),
        ("hang", "no row within 4 s"),
        ("grow", "the program grew to * MB, over memory_mb = 200"),
    ],
)
def test_death_in_the_middle_costs_the_culprit(cli: CliProject, order: str, sentence: str) -> None:
    """What was finished is kept, the clip that the program died on is the error, and the rest goes on after it."""
    cli.model({1603: order})
    rows = cli.rows()
    assert [key for key in rows if rows[key]["status"] == "error"] == ["3"]
    for part in sentence.split("*"):
        assert part in str(rows["3"]["detail"])
    first, second = cli.calls()
    assert first[:2] == second[:2]
    cli.rows()
    cli.result.stdout.fnmatch_lines(
        ["transcribed nothing: all 7 hypotheses were there already*; 1 utterance failed*"]
    )


def test_death_within_a_batch_finds_the_culprit(cli: CliProject) -> None:
    """In a batch the culprit is looked for one by one, so its neighbours are not blamed."""
    cli.gate(recipe="batch_size = 8")
    cli.model({1603: "die"}, run="backwards")
    rows = cli.rows()
    # A run that prints backwards loses all of its rows with the crash; alone, one row a process, none is lost.
    assert "3" in [key for key in rows if rows[key]["status"] == "error"]


def test_model_that_does_not_load(cli: CliProject) -> None:
    """A program that ends before its first line could not load the model: one ERROR with its last words."""
    cli.model({}, run="no load")
    reason = str(cli.pair()["reason"])
    assert "ended with exit code 1 before it loaded it; last output: error: cannot read tensor" in reason


def test_hang_after_the_last_row_is_not_waited_for(cli: CliProject) -> None:
    """When every row has come, the program's end does not matter."""
    cli.model({}, run="hang at the end")
    assert cli.pair()["verdict"] == "PASS"


REAL = Path(
    os.environ.get("ASRGATE_TRANSCRIBE_CLI", Path(__file__).parents[2] / ".asrgate" / "bin" / "transcribe-cli")
)


@pytest.mark.skipif(not REAL.is_file(), reason="needs the real program: python fixtures/build_cli.py")
def test_real_program_agrees_with_the_binding(project: GateProject) -> None:
    """The real command line and the binding hear the same words but for a few: two builds round differently."""
    pytest.importorskip("transcribe_cpp")
    root = Path(__file__).parents[2]
    rows = [json.loads(line) for line in (root / "fixtures/prompts/manifest.jsonl").read_text().splitlines()[:12]]
    for row in rows:
        row["audio"] = str(root / "fixtures" / "prompts" / row["audio"])
    (project.root / "manifest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    maker = str(root / "fixtures" / "make_models.py")
    project.gate(
        f"""
        [gate]
        baseline = "binding"
        [transcriber.binding]
        kind = "transcribe-cpp"
        [transcriber.cli]
        kind = "transcribe-cli"
        options = {{ path = "{REAL}" }}
        [variant.binding]
        transcriber = "binding"
        model = "q8_0.gguf"
        make = ["python", "{maker}", "moonshine-tiny", "Q8_0", "{{model}}"]
        [variant.cli]
        transcriber = "cli"
        model = "q8_0.gguf"
        [dataset.prompts]
        manifest = "manifest.jsonl"
        [thresholds]
        wer_delta = 5.0
        """
    )
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=2)
    first, second = json.loads((project.root / "report.json").read_text())["pairs"]
    texts = [[row["hyp"] for row in pair["utterances"]] for pair in (first, second)]
    assert sum(one == other for one, other in zip(*texts, strict=True)) >= 8
    assert abs(first["rate_pct"] - second["rate_pct"]) < 5
    assert second["stamp"]["engine"] == "transcribe-cli"


def test_one_language_a_run(cli: CliProject) -> None:
    """Utterances of two languages go through two runs of the program, each told its language."""
    from pytest_asrgate.config import Recipe, TranscriberSettings
    from pytest_asrgate.records import Utterance
    from pytest_asrgate.transcribers.transcribe_cli import CliTranscriber

    transcriber = CliTranscriber(
        program=cli.root / "transcribe-cli",
        model=cli.root / "model.gguf",
        settings=TranscriberSettings("cli", "transcribe-cli", "cpu", 5.0, 4000, {}),
        recipe=Recipe(),
        state=cli.root / "state",
    )
    spoken = [
        Utterance(f"u{n}", cli.root / "prompts" / f"{n}.wav", text, language=("en", "fr")[n % 2])
        for n, text in enumerate(SENTENCES)
    ]
    found = {row.id: row.text for row in transcriber.transcribe(spoken)}
    assert found == {utterance.id: utterance.reference for utterance in spoken}
    assert [call[call.index("--language") + 1] for call in cli.calls()] == ["en", "fr"]
