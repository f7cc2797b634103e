"""Memory of a whole run, audio files to verdict: python benchmarks/memory.py [--small N] [--large N] [--judged].

One variant over N short clips that all differ, decoded by a program that answers at once, so that what is measured
is the gate: it hashes the audio, keeps each row in the store as it comes, scores and judges. Each size is a process
of its own with a fresh state folder, and once more with the rows of the first. Printed are the peaks of the
controller's memory, and what another utterance costs; a run of a few utterances shows what a start takes. No figure
is a time that a model takes. The named alternative is the smaller set. With `--judged` the meaning is judged, too,
by rules: each utterance has a difference that they leave open.
"""

import argparse
import json
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scoring import SEED, made_rows

# Utterances of the run that shows what a start takes.
FEW = 20
RATE = 16_000
SAMPLES = 160

GATE = """
[transcriber.quick]
kind = "command"
options = {{ command = ["python", "{program}", "--engine"] }}
[variant.quick]
[dataset.made]
manifest = "manifest.jsonl"
language = "en"
{judged}
[thresholds]
wer = 50.0
"""


def engine() -> None:
    """Speak the gate's lines, in the folder of the gate: ready, and a text with a wrong word for each request."""
    with Path("manifest.jsonl").open(encoding="utf-8") as manifest:
        rows = map(json.loads, manifest)
        texts = {row["id"]: " ".join(["perhaps", *row["ref_text"].split()[1:]]) for row in rows}
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"type": "ready"}
        if request.get("type") != "load":
            answer = {"id": request["id"], "text": texts[request["id"]]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def wave(number: int) -> bytes:
    """A mono WAV file of 16-bit samples that begins with its number, so that every file is another sound."""
    data = struct.pack("<I", number) + bytes(2 * SAMPLES - 4)
    form = struct.pack("<4sIHHIIHH4sI", b"fmt ", 16, 1, 1, RATE, 2 * RATE, 2, 16, b"data", len(data))
    return struct.pack("<4sI4s", b"RIFF", 4 + len(form) + len(data), b"WAVE") + form + data


def write_project(folder: Path, utterances: int, *, judged: bool) -> None:
    """Write the gate file, a manifest and a clip for each row."""
    chance = random.Random(SEED)  # noqa: S311 - a corpus, no secret
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        for number, (reference, _) in enumerate(made_rows(chance, utterances, 1)):
            audio = Path("audio") / f"{number // 1000:04}" / f"{number}.wav"
            if number % 1000 == 0:
                (folder / audio).parent.mkdir(parents=True)
            (folder / audio).write_bytes(wave(number))
            row = {"id": f"u{number}", "audio": str(audio), "ref_text": reference, "speaker": f"{number % 40:02}"}
            manifest.write(json.dumps(row) + "\n")
    gate = GATE.format(program=Path(__file__).resolve(), judged='judged = ["semantic"]' if judged else "")
    (folder / "gate.toml").write_text(gate, encoding="utf-8")


def judge(folder: Path) -> None:
    """Judge the pair in this process; print its peak of memory in MB, and how many utterances were decoded."""
    from pytest_asrgate.session import GateSession, open_gate

    with GateSession(open_gate(folder / "gate.toml")) as session:
        verdict = session.verdict("quick", "made")
        assert verdict.score is not None, verdict.reason
        judged = any("semantic" in pair.dataset.judged for pair in session.gate.pairs)
        assert (verdict.semantic is not None) == judged
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, session.transcribed)


def main() -> None:
    """Measure a start and both sizes, and print their peaks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--judged", action="store_true", help="judge the meaning, too, by rules")
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--engine", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        engine()
        return
    if options.judge:
        judge(options.judge)
        return
    if not FEW < options.small < options.large:
        parser.error(f"--small must be above {FEW} and below --large")
    peaks: dict[str, list[float]] = {"first run": [], "second run": []}
    for size in (FEW, options.small, options.large):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_project(folder, size, judged=options.judged)
            for run, found in peaks.items():
                begun = time.perf_counter()
                command = [sys.executable, __file__, "--judge", name]
                said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
                assert int(said[1]) == (size if run == "first run" else 0)
                found.append(float(said[0]))
                print(
                    f"{size:,} utterances, {run}: peak {found[-1]:.0f} MB in {time.perf_counter() - begun:.1f} s",
                    flush=True,
                )
    for run, (start, small, large) in peaks.items():
        each = 1e3 * (large - small) / (options.large - options.small)
        print(
            f"{run}: {large - start:.0f} MB beyond a start for {options.large:,} utterances against "
            f"{small - start:.0f} MB for {options.small:,}; {each:.2f} kB for each further one"
        )


if __name__ == "__main__":
    main()
