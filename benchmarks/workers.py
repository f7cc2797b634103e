"""Throughput of many model processes against as many bare ones: python benchmarks/workers.py [ROUNDS] [COPIES].

Moonshine Q8_0 over the example's prompts, COPIES times with a little more silence each, so that no clip is known
before. Measured in turns, each in processes of their own and after a warm-up in which every model is loaded: one
and two bare loops over the binding (each of two decodes every other clip), and the gate with one and two local
workers and with a Dask cluster of two, each with a fresh store. Printed are medians of utterances a second, and
medians of the ratios within each round.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / ".asrgate" / "models" / "moonshine-tiny-Q8_0.gguf"
PROMPTS = ROOT / "fixtures" / "prompts" / "manifest.jsonl"
WARM_UP = 8

GATE = """
[gate]
state = "{state}"
[executor]
{executor}
[transcriber.native]
kind = "transcribe-cpp"
[variant.q8_0]
model = "{model}"
[dataset.warm-up]
manifest = "warm-up.jsonl"
language = "en"
[dataset.prompts]
manifest = "manifest.jsonl"
language = "en"
"""
EXECUTORS = {
    "gate, one local worker": "workers = 1",
    "gate, two local workers": "workers = 2",
    "gate, Dask with two local workers": 'kind = "dask"\nworkers = 2',
}
BARE = {"one bare process": 1, "two bare processes": 2}


def write_clips(folder: Path, copies: int) -> int:
    """Write the clips and both manifests; returns how many utterances the large one has."""
    import numpy as np
    import soundfile

    rows = []
    for line in PROMPTS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sound, rate = soundfile.read(PROMPTS.parent / row["audio"], dtype="float32")
        for copy in range(copies + 1):
            clip = folder / f"{copy}-{row['id']}.wav"
            soundfile.write(clip, np.concatenate([sound, np.zeros(160 * copy, "float32")]), rate, subtype="PCM_16")
            rows.append({"id": clip.stem, "audio": clip.name, "ref_text": row["ref_text"]})
    # The first of the copies is for warming up alone.
    warm_up = [row for row in rows if row["id"].startswith("0-")][:WARM_UP]
    measured = [row for row in rows if not row["id"].startswith("0-")]
    for name, chosen in (("warm-up.jsonl", warm_up), ("manifest.jsonl", measured)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in chosen))
    return len(measured)


def bare(folder: Path, part: int, parts: int) -> None:
    """Decode every `parts`-th clip with nothing around; says ready, waits for a line, says done."""
    import soundfile
    import transcribe_cpp

    lines = (folder / "manifest.jsonl").read_text().splitlines()[part::parts]
    clips = [folder / json.loads(line)["audio"] for line in lines]
    transcribe_cpp.set_log_callback(lambda *_: None)
    session = transcribe_cpp.Model(str(MODEL), backend="cpu").session(n_threads=1)
    session.run(soundfile.read(clips[0], dtype="float32")[0], language="en", timestamps="none")
    print("ready", flush=True)
    sys.stdin.readline()
    for clip in clips:
        sound, _ = soundfile.read(clip, dtype="float32")
        try:
            session.run(sound, language="en", timestamps="none")
        except transcribe_cpp.OutputTruncated:
            continue
    print("done", flush=True)


def bare_seconds(folder: Path, parts: int) -> float:
    """Wall time of `parts` bare processes side by side, from the first start until the last one says done."""
    command = [sys.executable, __file__, "bare", str(folder)]
    started = [
        subprocess.Popen(
            [*command, str(part), str(parts)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for part in range(parts)
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    begun = time.perf_counter()
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        assert process.stdout is not None
        answer = process.stdout.readline()
        assert answer == "done\n", answer
    seconds = time.perf_counter() - begun
    # To end is no decoding, and the gate's clock has stopped before it too.
    for process in started:
        process.communicate()
    return seconds


def gate(folder: Path, executor: str) -> None:
    """Print the wall time of one pair through the gate, and of the warm-up, which holds the start of a cluster."""
    from pytest_asrgate.session import GateSession, open_gate

    with tempfile.TemporaryDirectory() as state:
        path = folder / "gate.toml"
        path.write_text(GATE.format(model=MODEL, state=state, executor=EXECUTORS[executor]))
        with GateSession(open_gate(path)) as session:
            begun = time.perf_counter()
            session.hypotheses("q8_0", "warm-up")
            warm = time.perf_counter()
            found = session.hypotheses("q8_0", "prompts")
            seconds = time.perf_counter() - warm
    assert found.transcribed == len(found.hypotheses)
    print(json.dumps([seconds, warm - begun]))


def gate_seconds(folder: Path, executor: str) -> float:
    """Wall time of one pair through the gate."""
    command: Sequence[str] = [sys.executable, __file__, "gate", str(folder), executor]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    seconds, _ = json.loads(done.stdout.splitlines()[-1])
    return float(seconds)


def main() -> None:
    """Take turns and print medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    copies = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    seconds: dict[str, list[float]] = {name: [] for name in (*BARE, *EXECUTORS)}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        utterances = write_clips(folder, copies)
        for number in range(rounds):
            names = [*seconds] if number % 2 == 0 else [*reversed(seconds)]
            for name in names:
                took = bare_seconds(folder, BARE[name]) if name in BARE else gate_seconds(folder, name)
                seconds[name].append(took)
                print(f"round {number + 1}: {name}: {took:.1f} s", file=sys.stderr)
    for name, found in seconds.items():
        print(f"{name}: {utterances / statistics.median(found):.2f} utterances/s")
    for name, against in (
        ("two bare processes", "one bare process"),
        ("gate, one local worker", "one bare process"),
        ("gate, two local workers", "two bare processes"),
        ("gate, Dask with two local workers", "two bare processes"),
        ("gate, Dask with two local workers", "gate, two local workers"),
        ("gate, two local workers", "gate, one local worker"),
    ):
        # Within a round, since a machine may be slower in another one.
        ratios = [base / own for own, base in zip(seconds[name], seconds[against], strict=True)]
        print(f"{name} against {against}: {statistics.median(ratios):.3f} ({min(ratios):.3f} – {max(ratios):.3f})")


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        bare(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    elif sys.argv[1:2] == ["gate"]:
        gate(Path(sys.argv[2]), sys.argv[3])
    else:
        main()
