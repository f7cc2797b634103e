"""A model, an engine or audio that becomes another file during a run: never two engines in one hypothesis set."""

import json
import shutil
from typing import Any

import pytest

from pytest_asrgate.config import ExecutorSettings
from pytest_asrgate.datasets.load import load_dataset
from pytest_asrgate.errors import ReplacedFileError
from pytest_asrgate.executors.local import LocalExecution
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.session import open_gate
from pytest_asrgate.transcribers.registry import open_transcriber
from tests.integration.conftest import SENTENCES, GateProject
from tests.integration.test_command import GATE, _pair
from tests.integration.test_transcribe_cli import CliProject

OLD = {1600 + number: text for number, text in enumerate(SENTENCES)}
NEW = dict.fromkeys(OLD, "what the other model says")


def _texts(pair: dict[str, Any]) -> list[str]:
    return [row["hyp_text"] for row in pair["utterances"]]


class Replaced:
    """A gate whose model becomes another one while its clip `at` is decoded."""

    def __init__(self, project: GateProject, at: int, **order: object) -> None:
        self.project = project
        self.log = str(project.root / "q8_0.log")
        project.standard(thresholds="wer = 500.0")
        self.other = project.model("other", NEW, log=self.log)
        text = {
            1600 + at: {"do": "replace", "paths": [str(project.root / "q8_0.json")], "by": str(self.other), **order}
        }
        self.model = project.model("q8_0", {**OLD, **text}, log=self.log)
        self.first = self.model.read_bytes()

    def run(self, *arguments: str) -> list[dict[str, Any]]:
        """Run the pairs of q8_0."""
        self.result = self.project.run("-m", "wer", "-k", "q8_0", "--asrgate-json", "report.json", *arguments)
        pairs: list[dict[str, Any]] = json.loads((self.project.root / "report.json").read_text())["pairs"]
        return pairs

    def check_error(self, pair: dict[str, Any]) -> None:
        """The pair has no score, and one sentence names the file and both hashes."""
        assert (pair["verdict"], pair["rate_pct"]) == ("ERROR", None)
        assert pair["reason"].startswith(f"{self.model} was replaced during the run: its SHA-256 was ")
        assert "\n" not in pair["reason"]


@pytest.mark.parametrize(
    ("order", "workers"), [({"in place": True}, 1), ({"crash": True}, 1), ({}, 2)], ids=["in-place", "crash", "two"]
)
def test_model_of_a_running_engine(project: GateProject, order: dict[str, object], workers: int) -> None:
    """However it comes, the pair is ERROR, the old model's rows before it are kept, and no row is the new one's."""
    gate = Replaced(project, 3, text="of nobody knows which", **order)
    if workers > 1:
        project.gate((project.root / "gate.toml").read_text() + f"[executor]\nworkers = {workers}\n")
    (pair,) = gate.run()
    gate.check_error(pair)
    gate.result.stdout.fnmatch_lines(["q8_0 on prompts: ERROR: */q8_0.json was replaced during the run*"])
    (pair,) = gate.run()
    # Nothing of the first model counts for the second.
    assert (pair["transcribed"], _texts(pair)) == (8, [*NEW.values()])
    # With the first one back, what it had finished is there, but for the row that came too late. The same bytes in
    # another file are the same model.
    gate.model.write_bytes(gate.first)
    gate.other.write_bytes(gate.first)
    (pair,) = gate.run()
    assert pair["reused"] == 3 if workers == 1 else pair["reused"] < 8
    assert all(text == SENTENCES[number] for number, text in enumerate(_texts(pair)) if number != 3)


def test_no_other_engine_of_the_session_starts_with_it(project: GateProject) -> None:
    """The next pair of the variant is ERROR too, by the same sentence, and the new model is never loaded."""
    gate = Replaced(project, 0, text="too late", crash=True)
    text = (project.root / "gate.toml").read_text()
    shutil.copytree(project.root / "prompts", project.root / "again")
    manifest = project.root / "again" / "manifest.jsonl"
    manifest.write_text("\n".join(manifest.read_text().splitlines()[1:]) + "\n")
    project.gate(text.replace("[thresholds]", '[dataset.again]\nmanifest = "again/manifest.jsonl"\n[thresholds]'))
    for pair in gate.run():
        gate.check_error(pair)
    assert project.log("q8_0").count("q8_0 load") == 1


@pytest.fixture
def mine(project: GateProject) -> GateProject:
    """A gate of a program of somebody else, which on its fourth clip lets another file take its place, and dies."""
    project.dataset("prompts", SENTENCES)
    script = (
        "import json, os, sys\n"
        "sys.stdin.readline()\n"
        "print(json.dumps({'type': 'ready'}), flush=True)\n"
        "texts = json.load(open('texts.json'))\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request['id'] == 'prompts-3' and os.path.exists('fresh'):\n"
        "        os.replace('fresh', open('place').read())\n"
        "        os.abort()\n"
        "    print(json.dumps({'id': request['id'], 'text': texts[request['id']]}), flush=True)\n"
    )
    (project.root / "texts.json").write_text(json.dumps({f"prompts-{n}": text for n, text in enumerate(SENTENCES)}))
    (project.root / "engine.py").write_text(script)
    (project.root / "fresh").write_text(script.replace("texts[request['id']]", "'another engine'"))
    project.gate(GATE.format(command='["python", "engine.py"]').replace("wer = 90.0", "wer = 900.0"))
    return project


@pytest.mark.parametrize("place", ["engine.py", "weights.bin"])
def test_program_or_its_model_between_two_starts(mine: GateProject, place: str) -> None:
    """A program that is another one when it is started again decodes nothing, nor does one with another model."""
    (mine.root / "place").write_text(place)
    (mine.root / "weights.bin").write_text("weights")
    gate = (mine.root / "gate.toml").read_text().replace("[variant.mine]", '[variant.mine]\nmodel = "weights.bin"')
    mine.gate(gate)
    pair = _pair(mine)
    assert pair["verdict"] == "ERROR"
    assert str(pair["reason"]).startswith(f"{mine.root / place} was replaced during the run: ")
    # And between two runs: the three rows of the first engine are no part of what the second one gives.
    pair = _pair(mine)
    assert (pair["transcribed"], pair["reused"]) == (8, 0)
    assert set(_texts(pair)) == ({"another engine"} if place == "engine.py" else set(SENTENCES))


@pytest.mark.parametrize("place", ["transcribe-cli", "model.gguf", "libggml.so"])
def test_native_command_line_between_two_starts(project: GateProject, place: str) -> None:
    """Program, model or a library beside it: what is another one when it starts again decodes nothing."""
    cli = CliProject(project)
    cli.gate(thresholds="wer = 900.0")
    (project.root / "libggml.so").write_bytes(b"kernels")
    program, fresh = project.root / "transcribe-cli", project.root / "fresh"
    where, here = repr(str(fresh)), repr(str(project.root / place))
    upgrade = f"    if os.path.exists({where}):\n        os.replace({where}, {here})\n"
    program.write_text(
        program.read_text().replace('    if order == "die":\n', upgrade + '    if order == "die":\n')
    )
    cli.model({1603: "die"})
    if place == "model.gguf":
        content = json.loads((project.root / place).read_bytes()[4:])
        fresh.write_bytes(b"GGUF" + json.dumps(content | {"texts": {str(k): v for k, v in NEW.items()}}).encode())
    else:
        fresh.write_bytes((project.root / place).read_bytes() + b"\n# newer\n")
        fresh.chmod(0o755)
    pair = cli.pair()
    assert pair["verdict"] == "ERROR"
    assert str(pair["reason"]).startswith(f"{project.root / place} was replaced during the run: ")
    assert len(cli.calls()) == 1
    (project.root / "calls.log.mended").touch()
    pair = cli.pair()
    assert (pair["transcribed"], pair["reused"]) == (8, 0)
    assert _texts(pair) == (list(NEW.values()) if place == "model.gguf" else SENTENCES)


def test_written_while_a_program_loads_it(mine: GateProject) -> None:
    """Between start and ready, with the same bytes in the end: what was loaded nobody knows, so no row counts."""
    program = (mine.root / "engine.py").read_text()
    again = "open('model', 'wb').write(b'weights'); os.replace('model', 'weights.bin')\n"
    (mine.root / "engine.py").write_text(
        program.replace("print(json.dumps({'type'", again + "print(json.dumps({'type'")
    )
    (mine.root / "weights.bin").write_bytes(b"weights")
    (mine.root / "fresh").unlink()
    mine.gate(
        (mine.root / "gate.toml").read_text().replace("[variant.mine]", '[variant.mine]\nmodel = "weights.bin"')
    )
    pair = _pair(mine)
    assert pair["verdict"] == "ERROR"
    assert pair["reason"] == f"{mine.root / 'weights.bin'} was written to while the engine loaded it; run again"
    (mine.root / "engine.py").write_text(program)
    pair = _pair(mine)
    assert (pair["verdict"], pair["transcribed"]) == ("PASS", 8)


def test_written_while_the_native_command_line_loads_it(project: GateProject) -> None:
    """As above; a row came only after it."""
    cli = CliProject(project)
    program, model = project.root / "transcribe-cli", project.root / "model.gguf"
    text = program.read_text()
    again = f"Path({str(model)!r}).write_bytes(Path({str(model)!r}).read_bytes())"
    program.write_text(
        text.replace('    say({"type": "batch_header"', f'    {again}\n    say({{"type": "batch_header"')
    )
    pair = cli.pair()
    assert pair["verdict"] == "ERROR"
    assert pair["reason"] == f"{model} was written to while the engine loaded it; run again"
    program.write_text(text)
    pair = cli.pair()
    assert (pair["verdict"], pair["transcribed"]) == ("PASS", 8)


def test_native_command_line_before_its_first_start(project: GateProject) -> None:
    """A model that became another one after the run asked who it is: the program is not even started."""
    cli = CliProject(project)
    gate = open_gate(project.root / "gate.toml")
    transcriber = open_transcriber(gate, gate.variants["cli"], "", FileHashes())
    transcriber.identity()
    cli.model({}, texts=NEW)
    data = load_dataset(gate.datasets["prompts"], gate.recipe)
    with pytest.raises(ReplacedFileError, match=r"model\.gguf was replaced during the run"):
        next(iter(transcriber.transcribe(data.utterances)))
    assert cli.calls() == []


def test_before_the_first_start(mine: GateProject) -> None:
    """An engine that became another one after the run asked who it is, and before it started, gives no row."""
    gate = open_gate(mine.root / "gate.toml")
    files, variant = FileHashes(), gate.variants["mine"]
    execution = LocalExecution(
        ExecutorSettings(), lambda variant: open_transcriber(gate, variant, "", files), places=None
    )
    execution.identity(variant)
    shutil.copy(mine.root / "fresh", mine.root / "engine.py")
    with pytest.raises(ReplacedFileError, match=r"engine\.py was replaced during the run"):
        next(iter(execution.single(variant).transcribe([])), None)
    execution.close()


def test_audio(project: GateProject) -> None:
    """A clip that became another one after it was hashed has no row under either hash; the next run decodes it."""
    project.standard(thresholds="wer = 500.0")
    clips = [project.root / "prompts" / f"{number}.wav" for number in range(8)]
    kept = {clip: clip.read_bytes() for clip in clips}
    other = project.root / "other.wav"
    shutil.copy(clips[7], other)
    order = {"do": "replace", "paths": [str(clips[2]), str(clips[5])], "by": str(other), "text": SENTENCES[2]}
    order |= {"in place": True, "mended": SENTENCES[2]}
    project.model("q8_0", {**OLD, 1602: order}, log=str(project.root / "q8_0.log"))

    def run() -> dict[str, Any]:
        project.run("-m", "wer", "-k", "q8_0", "--asrgate-json", "report.json")
        pair: dict[str, Any] = json.loads((project.root / "report.json").read_text())["pairs"][0]
        return pair

    pair = run()
    assert (pair["verdict"], pair["transcribed"]) == ("ERROR", 6)
    for number, row in enumerate(pair["utterances"]):
        assert row["status"] == ("error" if number in {2, 5} else "ok")
        if number in {2, 5}:
            assert row["detail"].startswith(f"{clips[number]}: was replaced during the run: its SHA-256 was ")
    (project.root / "q8_0.log.mended").touch()
    pair = run()
    # Both are now the sound of the last clip, which is known.
    assert (pair["transcribed"], _texts(pair)[2], _texts(pair)[5]) == (0, SENTENCES[7], SENTENCES[7])
    for clip, content in kept.items():
        clip.write_bytes(content)
    pair = run()
    assert (pair["verdict"], pair["transcribed"], _texts(pair)) == ("PASS", 2, SENTENCES)
