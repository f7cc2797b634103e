"""The four stages one after another, without pytest: a corpus, its hypotheses, their scores, and the table."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import soundfile

from pytest_asrgate.cli import main
from tests.integration.conftest import FIXTURES, SENTENCES, SUPPORT, GateProject
from tests.integration.corpora import SHAPES, tenths

PROMPTS = Path("/usr/share/asterisk/sounds")
LISTS = (PROMPTS / "en").is_dir() and (PROMPTS / "es").is_dir()
ENGINE = [sys.executable, str(SUPPORT / "length_engine.py")]

GATE = """
[gate]
baseline = "f32"
[transcriber.native]
kind = "{kind}"
options = {options}
[variant.f32]
model = "f32.{ending}"
[variant.q4_0]
model = "q4_0.{ending}"
[dataset.spoken]
manifest = "{manifest}"
"""


class Stages:
    """Run, score and compare, as a user types them; `scores` and `rows` of the table are parallel to the models."""

    def __init__(
        self, capsys: pytest.CaptureFixture[str], models: list[Path], manifest: Path, *options: str
    ) -> None:
        """The first model is the baseline."""
        name = manifest.name.removesuffix(".manifest.jsonl")
        made = [Path("reports/wer") / f"{model.stem}.{name}-timestamps_none.jsonl" for model in models]
        for model, path in zip(models, made, strict=True):
            assert main(["run", "--model", str(model), "--manifest", str(manifest), *options]) == 0
            header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
            assert header["type"] == "batch_header"
            assert header["recipe"]["timestamps"] == "none"
        assert main(["score", *map(str, made)]) == 0
        scores = [path.with_name(path.name.replace(".jsonl", ".score.json")) for path in made]
        self.scores: list[dict[str, Any]] = [json.loads(path.read_text(encoding="utf-8")) for path in scores]
        capsys.readouterr()
        assert main(["compare", *map(str, scores), "--format", "json"]) == 0
        self.rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]


def _same_as_gate(project: GateProject, stages: Stages) -> None:
    """The gate's figures are those of the score files, and it decodes nothing again."""
    result = project.run("-m", "wer", "--asrgate-json=report.json")
    result.assert_outcomes(passed=2)
    pairs = json.loads((project.root / "report.json").read_text())["pairs"]
    for pair, score, row in zip(pairs, stages.scores, stages.rows, strict=True):
        assert pair["rate_pct"] == pytest.approx(score["error_rate_pct"])
        for count in ("n", "words", "substitutions", "deletions", "insertions"):
            assert pair[count] == score[count]
        assert pair["transcribed"] == 0
        if pair["baseline"] and pair["variant"] != pair["baseline"]:
            assert pair["delta_pp"] == pytest.approx(row["delta_pp"])
            assert pair["delta_ci_pp"] == pytest.approx(row["delta_ci_pp"])


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_goes_the_whole_way(
    project: GateProject, shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each shape of corpus gives the documented files, the same figures, and these in a gate over its manifest."""
    source, options = SHAPES[shape](project.root / "corpus")
    manifest = project.root / "wer" / "spoken.manifest.jsonl"
    ingest = ["ingest", shape, str(source), "--out-dir", "wer/spoken", "--manifest", str(manifest), *options]
    assert main(ingest) == 0
    rows = [json.loads(line) for line in manifest.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    assert len(rows) == len(SENTENCES)
    for row in rows:
        found = soundfile.info(manifest.parent / row["audio"])
        assert (found.samplerate, found.channels, found.subtype) == (16_000, 1, "PCM_16")
        assert row["duration_s"] == pytest.approx(found.frames / 16_000, abs=1e-4)
        assert row["language"] == "en"

    right = {str(tenths(number)): sentence for number, sentence in enumerate(SENTENCES)}
    wrong = {**right, "4": "please turn off the kitchen light", "6": "book a table for two"}
    for name, texts in (("f32", right), ("q4_0", wrong)):
        (project.root / f"{name}.json").write_text(json.dumps(texts))
    engine = ["--transcriber", "command", "--option", f"command={json.dumps(ENGINE)}"]
    stages = Stages(capsys, [project.root / "f32.json", project.root / "q4_0.json"], manifest, *engine)
    before, after = stages.scores
    words = sum(len(sentence.split()) for sentence in SENTENCES)
    assert (before["error_rate"], before["words"]) == (0, words)
    assert (after["substitutions"], after["deletions"], after["insertions"]) == (1, 1, 0)

    command = json.dumps({"command": ENGINE}).replace('{"command":', "{ command =")
    text = GATE.format(kind="command", options=command, ending="json", manifest="wer/spoken.manifest.jsonl")
    project.gate(text)
    _same_as_gate(project, stages)
    capsys.readouterr()
    assert main(ingest) == 0
    assert f"{len(SENTENCES)} were there already" in capsys.readouterr().out


NEEDED = ["transcribe_cpp", "moonshine_voice", "gguf", "flatbuffers"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Moonshine tiny in F32 and Q4_0, made by the example's own maker."""
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        pytest.skip("needs the example extra")
    made = [tmp_path_factory.mktemp("models") / f"{preset}.gguf" for preset in ("f32", "q4_0")]
    for path in made:
        maker = [sys.executable, str(FIXTURES / "make_models.py"), "moonshine-tiny", path.stem.upper(), str(path)]
        subprocess.run(maker, check=True, capture_output=True)
    return made


@pytest.mark.skipif(not LISTS, reason="needs Debian's asterisk-core-sounds-en, -en-wav, -es and -es-wav")
@pytest.mark.parametrize(("language", "worst"), [("en", 40.0), ("es", 150.0)])
def test_real_prompts_go_the_whole_way(
    project: GateProject, models: list[Path], capsys: pytest.CaptureFixture[str], language: str, worst: float
) -> None:
    """Real prompts in two languages, by a real engine; it knows no Spanish, so that is decoded as English."""
    manifest = project.root / "prompts.manifest.jsonl"
    options = ["--non-speech", "drop", "--empty", "drop", "--unpaired", "skip", "--sample", "24"]
    options += ["--out-dir", "prompts", "--manifest", str(manifest)]
    assert main(["ingest", "asterisk", str(PROMPTS / language), *options]) == 0
    rows = [json.loads(line) for line in manifest.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 24
    assert {row["language"] for row in rows} == {language}
    for path in models:
        (project.root / path.name).symlink_to(path)
    here = [project.root / path.name for path in models]
    if language == "es":
        # Asked for what it does not know, it fails on every utterance, and that is no score.
        assert main(["run", "--model", str(here[0]), "--manifest", str(manifest)]) == 1
        assert main(["score", "reports/wer/f32.prompts-timestamps_none.jsonl"]) == 0
    stages = Stages(capsys, here, manifest, *(["--language", "en"] if language == "es" else []))
    assert all(0 < score["error_rate_pct"] < worst for score in stages.scores)
    recipe = '[recipe]\nlanguage = "en"\n'
    text = GATE.format(kind="transcribe-cpp", options="{}", ending="gguf", manifest=manifest.name)
    project.gate((recipe if language == "es" else "") + text)
    _same_as_gate(project, stages)
