"""What a long run holds on to: memory, descriptors, threads and processes; and how its processes are placed."""

import gc
import importlib
import json
import os
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pytest_asrgate.config import Gate
from pytest_asrgate.datasets.manifest import read_manifest
from pytest_asrgate.errors import AsrGateError
from pytest_asrgate.records import RowStatus
from pytest_asrgate.session import GateSession, open_gate
from tests.integration.conftest import SUPPORT, GateProject

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="looks into /proc")

RATE = 16_000
# A clip of audio on the disk, as 16-bit samples.
CLIP_S = 20
CLIP_BYTES = 2 * CLIP_S * RATE
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []

GATE = """
[gate]
state = "{state}"
{executor}
[transcriber.fake]
kind = "{kind}"
timeout_s = 60
{options}
[variant.f32]
model = "{model}"
[dataset.long]
manifest = "{manifest}"
language = "en"
speakers = "none"
[thresholds]
{limits}
"""


class LongProject:
    """A gate over many long clips, whose engine says nothing of interest."""

    def __init__(self, project: GateProject) -> None:
        self.project = project
        self.root = project.root
        importlib.import_module("asrgate_fake")

    def clips(self, name: str, count: int, *, first: int = 0, ending: str = "wav", seconds: float = CLIP_S) -> str:
        """Write a manifest of clips whose lengths differ by a sample, so that each is another sound."""
        folder = self.root / name
        folder.mkdir()
        noise = np.random.default_rng(1).normal(0, 0.1, int(RATE * seconds) + first + count)
        rows = []
        for number in range(first, first + count):
            clip = folder / f"{number}.{ending}"
            soundfile.write(clip, noise[: int(RATE * seconds) + number], RATE, subtype="PCM_16")
            rows.append({"id": f"{name}-{number}", "audio": clip.name, "ref_text": "one two"})
        (folder / "manifest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return f"{name}/manifest.jsonl"

    def model(self, texts: dict[int, object] | None = None, **content: object) -> None:
        """Write the model; without texts it hears nothing."""
        self.project.model("f32", texts or {}, log=str(self.root / "f32.log"), log_process=True, **content)

    def gate(
        self,
        manifest: str,
        *,
        executor: str = "",
        kind: str = "fake",
        options: str = "",
        limits: str = "",
        state: str = "state",
        model: str = "f32.json",
    ) -> Gate:
        """Write and read a gate file."""
        text = GATE.format(
            state=state,
            executor=executor,
            kind=kind,
            options=options,
            model=model,
            manifest=manifest,
            limits=limits,
        )
        (self.root / "gate.toml").write_text(text)
        return open_gate(self.root / "gate.toml")

    def processes(self) -> list[int]:
        """Ids of the engines' processes, in the order in which they were started."""
        return [int(line.split()[-1]) for line in self.project.log("f32") if line.startswith("f32 load")]


@pytest.fixture
def long(project: GateProject) -> LongProject:
    """A project without clips yet."""
    return LongProject(project)


def settled(count: Callable[[], int], wanted: int) -> int:
    """The count once it has come down to what is wanted, or after long enough: ended threads need a moment."""
    deadline = time.monotonic() + 30
    while (found := count()) > wanted and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.02)
    return found


def descriptors() -> int:
    """How many files this process has open."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - the folder of a process that opens files is no Path matter


def lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for the system to clear it away does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def peak_of(work: Callable[[], object]) -> int:
    """The most bytes that Python objects of this process, arrays included, took while this was done."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def decode(gate: Gate) -> int:
    """Decode everything in a session of its own; how many utterances are good."""
    with GateSession(gate) as session:
        rows = session.hypotheses("f32", "long").hypotheses
    return sum(row.status is RowStatus.OK for row in rows)


def high_water_mb(pid: int) -> float:
    """The most memory that a process that lives has had."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1000


def test_memory_does_not_grow_with_the_audio(long: LongProject) -> None:
    """Four times as many clips take no more memory, neither here nor in the engine's process: no audio is kept."""
    few, many = long.clips("few", 8), long.clips("many", 32, first=8)
    long.model()
    decode(long.gate(long.clips("start", 1, first=100), state="start"))
    gates = [long.gate(few, state="few"), long.gate(many, state="many")]
    small, large = (peak_of(partial(decode, gate)) for gate in gates)
    assert large < small + CLIP_BYTES
    with GateSession(long.gate(few, state="again")) as session:
        session.hypotheses("f32", "long")
        before = high_water_mb(long.processes()[-1])
    with GateSession(long.gate(many, state="again")) as session:
        session.hypotheses("f32", "long")
        after = high_water_mb(long.processes()[-1])
    # The engine has each clip as 32-bit samples, of which 24 more would be 31 MB, and once more while it is read.
    assert after < before + 24 * 2 * CLIP_BYTES / 1e6 / 2


def test_memory_does_not_grow_with_audio_that_is_converted(long: LongProject) -> None:
    """transcribe-cli reads WAV alone: other formats are converted here, one clip at a time."""
    program = long.root / "transcribe-cli"
    program.write_text(f"#!{sys.executable}\n" + (SUPPORT / "transcribe_cli_stand_in.py").read_text())
    program.chmod(0o755)
    (long.root / "model.gguf").write_bytes(
        b"GGUF" + json.dumps({"texts": {}, "orders": {}, "run": "", "log": "calls.log"}).encode()
    )
    options = 'options = { path = "transcribe-cli" }'

    def run(manifest: str, state: str) -> int:
        gate = long.gate(manifest, kind="transcribe-cli", options=options, state=state, model="model.gguf")
        return peak_of(partial(decode, gate))

    run(long.clips("start", 1, ending="flac", first=100), "start")
    small = run(long.clips("few", 4, ending="flac"), "few")
    large = run(long.clips("many", 16, ending="flac", first=4), "many")
    assert len([*(long.root / "many").glob("*.flac")]) == 16
    # Samples are there as 64 bits for a moment; twelve more clips of that would be 30 MB.
    assert large < small + 2 * CLIP_BYTES


def test_a_large_manifest_is_read_row_by_row(tmp_path: Path) -> None:
    """Keys that nobody reads are not kept: of each row only what an utterance is made of stays."""

    def written(rows: int, filler: int) -> Path:
        path = tmp_path / f"{rows}-{filler}.jsonl"
        with path.open("w") as file:
            for number in range(rows):
                row = {"id": f"u{number}", "audio": "a.wav", "ref_text": "one", "comment": "x" * filler}
                file.write(json.dumps(row) + "\n")
        return path

    lean, fat = written(3000, 1), written(3000, 10_000)
    read_manifest(lean)
    small = peak_of(lambda: read_manifest(lean))
    large = peak_of(lambda: read_manifest(fat))
    assert fat.stat().st_size > 30_000_000
    assert large < small + 1_000_000


def test_descriptors_threads_and_processes_are_given_back(long: LongProject) -> None:
    """Sessions that open and close, engines that crash and are started again, and files that cannot be read."""
    lengths = {RATE + number: "one two" for number in range(8)}
    lengths |= {RATE + number: {"do": "crash"} for number in (1, 3, 5)}
    manifest = long.clips("prompts", 8, seconds=1)
    long.model(lengths)

    def once(number: int) -> int:
        return decode(long.gate(manifest, executor="[executor]\nworkers = 2", state=f"state-{number}"))

    assert once(0) == 5
    files, threads = descriptors(), threading.active_count()
    assert once(1) == 5
    assert settled(descriptors, files) <= files
    assert settled(threading.active_count, threads) <= threads
    begun = long.processes()
    assert len(begun) > 3
    assert settled(lambda: sum(map(lives, begun)), 0) == 0
    (long.root / "broken.jsonl").write_text('{"id": "a", "audio": "gone.wav", "ref_text": "x"}\nno json\n')
    for number in range(20):
        with (
            GateSession(long.gate("broken.jsonl", state=f"broken-{number}")) as session,
            pytest.raises(AsrGateError),
        ):
            session.score("f32", "long")
    assert settled(descriptors, files) <= files


def placed(pid: int) -> tuple[int, Sequence[int]]:
    """Niceness of a process that lives, as the kernel has it, and the cores that it may use."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[16]), sorted(os.sched_getaffinity(pid))


@pytest.mark.skipif(len(CORES) < 2, reason="needs two cores to share out")
def test_engines_are_niced_and_pinned_as_configured(long: LongProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of two workers has its own half of the cores and the niceness of the gate file, and is stamped so."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    manifest = long.clips("prompts", 12, seconds=1)
    long.model(seconds=0.2, log_variable="OMP_NUM_THREADS")
    nice = min(os.getpriority(os.PRIO_PROCESS, 0) + 4, 19)
    gate = long.gate(
        manifest, executor=f"[recipe]\nthreads = 3\n[executor]\nworkers = 2\nnice = {nice}\npin = true"
    )
    with GateSession(gate) as session:
        made = session.hypotheses("f32", "long")
        found = [placed(pid) for pid in long.processes()]
    half = len(CORES) // 2
    assert sorted(found) == [(nice, CORES[:half]), (nice, CORES[half:])]
    assert made.provenance["nice"] == nice
    assert made.provenance["pinned_cores"] in {half, len(CORES) - half}
    assert [line.split()[-2] for line in long.project.log("f32") if " load " in line] == ["3", "3"]
    assert os.getpriority(os.PRIO_PROCESS, 0) < nice or nice == 19
    # It cannot change a result: rows are found again without it, and no engine is started.
    with GateSession(long.gate(manifest, executor="[recipe]\nthreads = 3")) as session:
        assert session.hypotheses("f32", "long").transcribed == 0
    assert len(long.processes()) == 2


COMMAND = """
import json, os, sys
print(os.getpriority(os.PRIO_PROCESS, 0), *sorted(os.sched_getaffinity(0)), file=open("placed", "a"))
for line in sys.stdin:
    order = json.loads(line)
    ready = {"type": "ready"} if order.get("type") == "load" else {"id": order["id"], "text": "one two"}
    print(json.dumps(ready), flush=True)
"""


@pytest.mark.parametrize("kind", ["command", "transcribe-cli"])
def test_programs_of_others_are_placed_too(long: LongProject, kind: str) -> None:
    """Whatever decodes is niced and pinned, also what we did not write."""
    (long.root / "own.py").write_text(COMMAND)
    look = COMMAND.strip().splitlines()[1]
    program = long.root / "transcribe-cli"
    stand_in = (SUPPORT / "transcribe_cli_stand_in.py").read_text()
    program.write_text(
        f"#!{sys.executable}\nimport os\nif '--batch' in __import__('sys').argv:\n    {look}\n{stand_in}"
    )
    program.chmod(0o755)
    model = {"texts": {str(RATE + number): "one two" for number in range(2)}, "orders": {}, "run": ""}
    model["log"] = "calls.log"
    (long.root / "model.gguf").write_bytes(b"GGUF" + json.dumps(model).encode())
    option = 'command = ["python", "own.py"]' if kind == "command" else 'path = "transcribe-cli"'
    nice = min(os.getpriority(os.PRIO_PROCESS, 0) + 5, 19)
    gate = long.gate(
        long.clips("prompts", 2, seconds=1),
        kind=kind,
        options=f"options = {{ {option} }}",
        executor=f"[executor]\nworkers = {len(CORES)}\nnice = {nice}\npin = true",
        model="model.gguf",
    )
    assert decode(gate) == 2
    lines = [line.split() for line in (long.root / "placed").read_text().splitlines()]
    assert lines
    # Who of the workers has decoded what is chance, that each had one core of its own is not.
    assert all(line[0] == str(nice) and line[1:] in [[str(core)] for core in CORES] for line in lines)
    assert len({line[1] for line in lines}) == len(lines)


def test_what_was_timed_under_another_niceness_is_timed_again(long: LongProject) -> None:
    """Both sides of a latency probe are placed alike, and a figure is of the placement that it was measured in."""
    manifest = long.clips("prompts", 2, seconds=1)
    long.model()
    for nice in (0, 5, 5):
        executor = f"[executor]\nnice = {nice}"
        with GateSession(long.gate(manifest, executor=executor, limits="rtf = 100.0")) as session:
            assert session.verdict("f32", "long").reason == ""
    # One load for the hypotheses, one for each of two probes, and none for the third.
    assert len(long.processes()) == 3
