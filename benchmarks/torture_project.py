"""The gate project that torture.py kills again and again, and the witnesses that write down what it did.

Two witnesses stand outside of the store: the engine says which clip it was asked for, in the file that the variable
TORTURE_WITNESS names, and whoever keeps rows says there which row the store has taken. Lines of both are appended
whole, so their order is that of the events.
"""

import json
import math
import shutil
import wave
from array import array
from dataclasses import dataclass
from pathlib import Path

__all__ = ["VARIANTS", "Project", "write_project"]

VARIANTS = ("f32", "q8_0")
_HERE = Path(__file__).parents[1]
_RATE_HZ = 16_000

_GATE = """
[gate]
baseline = "f32"
state = "${{TORTURE_STATE}}"
[transcriber.native]
{transcriber}
{variants}
[dataset.made]
manifest = "manifest.jsonl"
language = "en"
speakers = "none"
[thresholds]
non_inferiority = 40.0
errors = 0
"""

_DASK = """
[executor]
kind = "dask"
workers = 2
"""

# What it decodes depends on model and clip alone, and its lines name the setting that parity changes.
_ENGINE = """
import json, os, sys, time
witness = os.open(os.environ["TORTURE_WITNESS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
model, by = {}, ""
for line in sys.stdin:
    request = json.loads(line)
    if request.get("type") == "load":
        with open(request["model"], encoding="utf-8") as file:
            model = json.load(file)
        by = f"{model['name']} threads {request['recipe']['threads']}"
        answer = {"type": "ready"}
    else:
        event = {"event": "asked", "id": request["id"], "by": by}
        os.write(witness, json.dumps(event).encode() + b"\\n")
        time.sleep(model["seconds"])
        answer = {"id": request["id"], "text": model["texts"][request["id"]], "latency_ms": 1.0}
    print(json.dumps(answer), flush=True)
# As a native call that hangs: a closed pipe does not end it.
time.sleep(3600)
"""

# Python imports this at its start, in every process of a run.
_WITNESS = """
import json, os

def say(**event):
    witness = os.open(os.environ["TORTURE_WITNESS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(witness, json.dumps(event).encode() + b"\\n")
    os.close(witness)

if os.environ.get("TORTURE_WITNESS"):
    from pytest_asrgate.store import Store

    keep = Store.keep

    def witnessed(self, audio, engine, recipe, hypothesis):
        keep(self, audio, engine, recipe, hypothesis)
        say(event="kept", id=hypothesis.id, key=[audio, engine, recipe], text=hypothesis.text)

    Store.keep = witnessed

if os.environ.get("TORTURE_REAL"):
    import pytest_asrgate.audio
    from pytest_asrgate.transcribers.transcribe_cpp import TranscribeCppEngine

    load, read, by = TranscribeCppEngine.load, pytest_asrgate.audio.read_audio, []

    def witnessed_load(self, model, backend, options, recipe):
        by[:] = [f"{model.stem} threads {recipe['threads']}"]
        return load(self, model, backend, options, recipe)

    def witnessed_read(path):
        if by:
            say(event="asked", id=path.stem, by=by[0])
        return read(path)

    TranscribeCppEngine.load = witnessed_load
    pytest_asrgate.audio.read_audio = witnessed_read
"""


@dataclass(frozen=True, slots=True)
class Project:
    """A gate project: its folder, and how many utterances it has."""

    root: Path
    utterances: int
    real: bool


def _write_clip(path: Path, number: int) -> None:
    """A short tone that no other number has."""
    samples = array("h", (int(3000 * math.sin(n * (0.05 + number / 100))) for n in range(1600 + number)))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE_HZ)
        file.writeframes(samples.tobytes())


def _write_stand_in(root: Path, utterances: int, seconds: float) -> tuple[str, dict[str, str]]:
    """Clips, references, an engine that needs `seconds` a clip, and two models, of which one has a word wrong."""
    names = [f"clip-{number:03}" for number in range(utterances)]
    texts = {name: f"please turn on the light number {number}" for number, name in enumerate(names)}
    rows = [{"id": name, "audio": f"audio/{name}.wav", "ref_text": text} for name, text in texts.items()]
    (root / "manifest.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for number, name in enumerate(names):
        _write_clip(root / "audio" / f"{name}.wav", number)
    (root / "engine.py").write_text(_ENGINE)
    models = {"f32": texts, "q8_0": {**texts, names[0]: "please turn on the night number 0"}}
    for name, heard in models.items():
        content = {"name": name, "seconds": seconds, "texts": heard}
        (root / f"{name}.json").write_text(json.dumps(content))
    transcriber = 'kind = "command"\noptions = { command = ["python", "-I", "-S", "engine.py"] }'
    return transcriber, {name: f"{name}.json" for name in models}


def _write_real(root: Path, utterances: int) -> tuple[str, dict[str, str]]:
    """The first utterances of the example and two of its models."""
    prompts = _HERE / "fixtures" / "prompts"
    lines = (prompts / "manifest.jsonl").read_text().splitlines()[:utterances]
    (root / "manifest.jsonl").write_text("".join(f"{line}\n" for line in lines))
    for line in lines:
        audio = json.loads(line)["audio"]
        shutil.copy(prompts / audio, root / audio)
    models = {"f32": "F32", "q8_0": "Q8_0"}
    places = {name: _HERE / ".asrgate" / "models" / f"moonshine-tiny-{kind}.gguf" for name, kind in models.items()}
    absent = [str(place) for place in places.values() if not place.is_file()]
    if absent:
        raise SystemExit(f"there is no {' and no '.join(absent)}: run the example gate first, pytest -m wer")
    return 'kind = "transcribe-cpp"\nbackend = "cpu"', {name: str(place) for name, place in places.items()}


def write_project(root: Path, *, utterances: int, seconds: float, real: bool) -> Project:
    """Write everything that a run needs into `root`; `seconds` is what the stand-in engine needs for a clip."""
    (root / "audio").mkdir(parents=True)
    transcriber, models = _write_real(root, utterances) if real else _write_stand_in(root, utterances, seconds)
    variants = "".join(f"[variant.{name}]\nmodel = {json.dumps(model)}\n" for name, model in models.items())
    gate = _GATE.format(transcriber=transcriber, variants=variants)
    (root / "gate.toml").write_text(gate)
    (root / "gate-dask.toml").write_text(gate + _DASK)
    (root / "pytest.ini").write_text("[pytest]\n")
    (root / "witness").mkdir()
    (root / "witness" / "sitecustomize.py").write_text(_WITNESS)
    return Project(root, utterances, real)
