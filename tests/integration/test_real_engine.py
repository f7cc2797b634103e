"""The real native library on a few real clips: what the stand-in engine cannot vouch for."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from tests.integration.conftest import FIXTURES, GateProject, real_prompts

NEEDED = ["transcribe_cpp", "moonshine_voice", "gguf", "flatbuffers"]

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in NEEDED), reason="needs the example extra"
)

GATE = """
[gate]
baseline = "q8_0"
[transcriber.native]
kind = "transcribe-cpp"
[variant.q8_0]
model = "q8_0.gguf"
[dataset.prompts]
manifest = "prompts/manifest.jsonl"
language = "en"
[thresholds]
wer = 60.0
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Moonshine tiny in Q8_0, made by the example's own maker."""
    path = tmp_path_factory.mktemp("models") / "q8_0.gguf"
    maker = [sys.executable, str(FIXTURES / "make_models.py"), "moonshine-tiny", "Q8_0", str(path)]
    subprocess.run(maker, check=True, capture_output=True)
    return path


@pytest.fixture
def real(project: GateProject, model: Path) -> GateProject:
    """A gate of the real model over six of the example's prompts."""
    shutil.copy(model, project.root / "q8_0.gguf")
    real_prompts(project.root / "prompts")
    project.gate(GATE)
    return project


def _add_clip(project: GateProject, name: str, samples: "np.ndarray") -> None:
    """Add one clip of float samples to the manifest."""
    folder = project.root / "prompts"
    soundfile.write(folder / f"{name}.wav", samples, 16_000, subtype="FLOAT")
    with (folder / "manifest.jsonl").open("a") as manifest:
        manifest.write(json.dumps({"id": name, "audio": f"{name}.wav", "ref_text": "", "speaker": "slt"}) + "\n")


def test_real_model_transcribes_and_is_stamped(real: GateProject) -> None:
    """The native library hears most of the words, and its version, commit, device and model hash are stamped."""
    result = real.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=1)
    pair = json.loads((real.root / "report.json").read_text())["pairs"][0]
    assert pair["n"] == 6
    assert pair["rate_pct"] < 60
    stamp = pair["stamp"]
    assert stamp["engine"] == "transcribe-cpp"
    assert stamp["architecture"].startswith("moonshine")
    assert {"native_version", "commit", "device", "model_sha256", "jiwer", "library_sha256"} <= stamp.keys()
    # Moonshine has no temperature ladder: the recipe asks for it and the stamp says that it is not set.
    assert "temperatures" in pair["not_controllable"]
    again = real.run("-m", "wer", "--asrgate-json", "again.json")
    again.stdout.fnmatch_lines(["transcribed nothing: all 6 hypotheses were there already (.asrgate)"])
    repeated = json.loads((real.root / "again.json").read_text())["pairs"][0]
    assert repeated["stamp"] == stamp
    assert repeated["utterances"] == pair["utterances"]


def test_clips_the_engine_refuses_are_error_rows(real: GateProject) -> None:
    """A clip too short for the engine and one with NaN samples cost themselves alone."""
    _add_clip(real, "short", np.zeros(100, dtype=np.float32))
    _add_clip(real, "broken", np.full(16_000, np.nan, dtype=np.float32))
    result = real.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(failed=1)
    rows = {row["id"]: row for row in json.loads((real.root / "report.json").read_text())["pairs"][0]["utterances"]}
    assert [row["status"] for row in rows.values()] == ["ok"] * 6 + ["error"] * 2
    assert "broken.wav: holds samples that are not finite numbers" in rows["broken"]["detail"]
    assert rows["short"]["detail"]


def test_damaged_model_is_one_sentence(real: GateProject) -> None:
    """A file that begins as GGUF and then breaks off is an ERROR that names it, not a crash of the run."""
    model = real.root / "q8_0.gguf"
    model.write_bytes(model.read_bytes()[:5000])
    result = real.run("-m", "wer")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["q8_0 on prompts: ERROR: *q8_0.gguf: transcribe-cpp cannot load it on backend 'cpu'*"]
    )
    assert "Traceback" not in result.stdout.str()


def test_file_that_is_no_model_and_backend_that_is_not_there(real: GateProject) -> None:
    """A model file that is no GGUF, and a backend this machine does not have, are one sentence each."""
    model = (real.root / "q8_0.gguf").read_bytes()
    (real.root / "q8_0.gguf").write_text("<html>not found</html>")
    real.run("-m", "wer").stdout.fnmatch_lines(["*ERROR: variant.q8_0.model: *q8_0.gguf: is no GGUF file*"])
    (real.root / "q8_0.gguf").write_bytes(model)
    real.gate(GATE.replace('kind = "transcribe-cpp"', 'kind = "transcribe-cpp"\nbackend = "cuda"'))
    real.run("-m", "wer").stdout.fnmatch_lines(["*ERROR: *transcribe-cpp cannot load it on backend 'cuda'*"])


def test_real_speed_is_measured(real: GateProject) -> None:
    """The probe times the real library: a real-time factor of this host, with its circumstances."""
    real.gate(GATE + "rtf = 1000.0\n")
    real.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=1)
    latency = json.loads((real.root / "report.json").read_text())["pairs"][0]["latency"]
    assert latency["clips"] == 6
    assert 0 < latency["p50_ms"] <= latency["p99_ms"]
    assert 0 < latency["rtf"] < 1000
    assert latency["ratio"] is None
    assert latency["host"]
