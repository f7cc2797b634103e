"""`asrgate parity` over real worker processes: what differs, what cannot be compared, and the exit codes."""

import importlib
import json
import sys

import pytest

from pytest_asrgate.cli import main
from tests.integration.conftest import SENTENCES, SUPPORT, GateProject

RIGHT: dict[int, object] = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
BY_THREADS = {"do": "by threads", "texts": ["stop the music in the garden", "stop the music"]}


@pytest.fixture
def parity(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> GateProject:
    """A gate of one variant of the stand-in engine, and the folder to run the command in."""
    importlib.import_module("asrgate_fake")
    monkeypatch.chdir(project.root)
    project.dataset("prompts", SENTENCES)
    project.model("f32", RIGHT, log=str(project.root / "f32.log"))
    _gate(project)
    return project


def _gate(project: GateProject, kind: str = 'kind = "fake"', recipe: str = "") -> None:
    project.gate(
        f"""
        [recipe]
        {recipe}
        [transcriber.engine]
        {kind}
        [variant.f32]
        model = "f32.json"
        [dataset.prompts]
        manifest = "prompts/manifest.jsonl"
        """
    )


def _cli(project: GateProject, orders: dict[int, str]) -> None:
    """The same gate through the stand-in of transcribe-cli, which groups utterances."""
    program = project.root / "transcribe-cli"
    program.write_text(f"#!{sys.executable}\n" + (SUPPORT / "transcribe_cli_stand_in.py").read_text())
    program.chmod(0o755)
    content = {
        "texts": {str(key): text for key, text in RIGHT.items()},
        "orders": {str(key): order for key, order in orders.items()},
        "log": str(project.root / "calls.log"),
    }
    (project.root / "f32.json").write_bytes(b"GGUF" + json.dumps(content).encode())
    _gate(project, 'kind = "transcribe-cli"\noptions = { path = "transcribe-cli" }')


def _refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["parity", *arguments]) == 2
    message = capsys.readouterr().err
    assert message.startswith("asrgate parity: ")
    assert message.count("\n") == 1
    return message


def test_equal_texts_end_with_0_and_are_decoded_once(
    parity: GateProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two threads are compared, a batch size that the engine never sees is said to be unused, a rerun decodes
    nothing."""
    assert main(["parity", "f32", "prompts"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == (
        "f32 prompts: 8 of 8 utterances (seed 1), compared with the gate's threads 1, batch_size 1"
    )
    assert "threads 2: 0 of 8 texts differ, 0 errors against 0, delta +0.00 pp (paired 95 % " in out
    assert "batch_size 8: not compared, batch_size is not used: fake is asked for one utterance at a time" in out
    log = parity.log("f32")
    assert sum("clip" in line for line in log) == 2 * 8
    assert main(["parity", "f32", "prompts"]) == 0
    assert capsys.readouterr().out == out
    assert parity.log("f32") == log


def test_a_text_that_differs_ends_with_1(parity: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """The utterance is named, with the delta and how to tell a flip from a difference."""
    parity.model("f32", {**RIGHT, 1606: BY_THREADS}, log=str(parity.root / "f32.log"))
    assert main(["parity", "f32", "prompts"]) == 1
    out = capsys.readouterr().out
    # Three of the 49 words of the references are lost.
    words = sum(len(sentence.split()) for sentence in SENTENCES)
    assert f"threads 2: 1 of 8 texts differ, 0 errors against 0, delta +{300 / words:.2f} pp" in out
    assert "  text or status differs: prompts-6" in out
    assert "transcriber.engine.repeat = 3 tells the two apart" in out


def test_an_error_on_one_side_ends_with_1(parity: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """An utterance that only fails with other threads is no equal text, and is left out of the delta."""
    parity.model(
        "f32",
        {**RIGHT, 1600: {"do": "raise after", "clips": 8, "text": SENTENCES[0]}},
        log=str(parity.root / "f32.log"),
    )
    assert main(["parity", "f32", "prompts"]) == 1
    out = capsys.readouterr().out
    assert "threads 2: 0 of 7 texts differ, 1 error against 0, delta +0.00 pp" in out
    assert "  failed with threads 2: prompts-0" in out


def test_an_error_on_both_sides_is_equal_and_named(parity: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """What fails whatever the setting says nothing against parity, and is told."""
    parity.model("f32", {**RIGHT, 1600: {"do": "raise"}}, log=str(parity.root / "f32.log"))
    assert main(["parity", "f32", "prompts"]) == 0
    out = capsys.readouterr().out
    assert "threads 2: 0 of 7 texts differ, 1 error against 1" in out
    assert "  failed under the gate's recipe: prompts-0" in out


def test_sample_and_gate_file_are_chosen(parity: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """`--clips` decodes no more than asked, and `--config` names a file elsewhere."""
    assert main(["parity", "f32", "prompts", "--clips", "3", "--config", str(parity.root / "gate.toml")]) == 0
    assert "3 of 8 utterances" in capsys.readouterr().out
    assert sum("clip" in line for line in parity.log("f32")) == 2 * 3
    assert main(["parity", "f32", "prompts", "--clips", "all"]) == 0
    assert "8 of 8 utterances" in capsys.readouterr().out


def test_a_gate_of_more_threads_is_compared_with_one_and_two(
    parity: GateProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gate's own setting is what others are compared with, whatever it is."""
    _gate(parity, recipe="threads = 4")
    assert main(["parity", "f32", "prompts"]) == 0
    out = capsys.readouterr().out
    assert "compared with the gate's threads 4, batch_size 1" in out
    assert "threads 1: 0 of 8" in out
    assert "threads 2: 0 of 8" in out


def test_groups_are_sent_where_the_engine_takes_them(
    parity: GateProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """transcribe-cli is given `--batch-size`, and that it may compute one by one all the same is said."""
    _cli(parity, {})
    assert main(["parity", "f32", "prompts", "--batch", "4"]) == 0
    out = capsys.readouterr().out
    assert "batch_size 4: 0 of 8 texts differ" in out
    assert "it does not say whether this model computes a group at once" in out
    calls = [json.loads(line) for line in (parity.root / "calls.log").read_text().splitlines()]
    sizes = [call[call.index("--batch-size") + 1] if "--batch-size" in call else "1" for call in calls]
    threads = [call[call.index("--threads") + 1] for call in calls]
    assert (sizes, threads) == (["1", "1", "4"], ["1", "2", "1"])


def test_an_old_program_cannot_be_given_groups(parity: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """A program without the flag ends the command with its sentence; nothing is called equal."""
    _cli(parity, {})
    program = parity.root / "transcribe-cli"
    program.write_text(program.read_text().replace("  --batch-size N        group N utterances\n", ""))
    assert main(["parity", "f32", "prompts"]) == 2
    assert "has no --batch-size" in capsys.readouterr().err


def test_what_cannot_be_done_is_one_sentence(parity: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown names, no gate file, no model and stored hypotheses: exit code 2, and nothing is decoded."""
    assert "there is no variant 'f23'" in _refused(capsys, "f23", "prompts")
    assert "there is no dataset 'prompt'" in _refused(capsys, "f32", "prompt")
    assert "there is no gate file absent.toml" in _refused(capsys, "f32", "prompts", "--config", "absent.toml")
    (parity.root / "f32.json").unlink()
    assert "f32" in _refused(capsys, "f32", "prompts")
    _gate(parity, 'kind = "replay"\noptions = { hypotheses = "x.jsonl" }')
    assert "variant.f32 replays stored hypotheses" in _refused(capsys, "f32", "prompts")
    assert parity.log("f32") == []


def test_nothing_to_compare_is_no_parity(parity: GateProject, capsys: pytest.CaptureFixture[str]) -> None:
    """Where every utterance fails there are no equal texts: exit code 2."""
    parity.model("f32", {key: {"do": "raise"} for key in RIGHT}, log=str(parity.root / "f32.log"))
    assert main(["parity", "f32", "prompts"]) == 2
    assert "nothing could be compared, since every utterance failed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value"),
    [("--clips", "0"), ("--clips", "some"), ("--clips", "-3"), ("--batch", "1"), ("--batch", "x")],
)
def test_bad_numbers_are_refused(
    parity: GateProject, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    """A sample of none and a batch of one are no samples and no batches."""
    with pytest.raises(SystemExit) as ended:
        main(["parity", "f32", "prompts", f"{option}={value}"])
    assert ended.value.code == 2
    assert f"must be a whole number of {'1' if option == '--clips' else '2'} or more" in capsys.readouterr().err
    assert parity.log("f32") == []
