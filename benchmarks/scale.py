"""How scoring grows with the set: python benchmarks/scale.py [--small N] [--large N].

A gate of 5 variants over N utterances of 20 words, whose hypotheses are files that it replays: read, normalised,
counted, compared and judged, once with an empty store and once more with what the first run has remembered. Each
size and each run is a process of its own. Printed are CPU seconds, the peak of memory after two variants and after
all five, and the exponent of the growth: 1 is linear. What a process needs to start is no growth: a run of a few
utterances is subtracted from both sizes. The named alternative is the smaller set.
"""

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scoring import SEED, made_rows

# Utterances of the run that shows what a start costs.
FEW = 20
VARIANTS = ("f32", "f16", "q8_0", "q5_1", "q4_0")

GATE = """
[gate]
baseline = "f32"
[transcriber.stored]
kind = "replay"
options = {{ hypotheses = "{{variant}}.jsonl" }}
{variants}
[dataset.made]
manifest = "manifest.jsonl"
language = "en"
[thresholds]
non_inferiority = 1.0
"""


def write_project(folder: Path, utterances: int) -> None:
    """Write the gate file, a manifest, and the hypotheses of five variants that agree on most utterances."""
    chance = random.Random(SEED)  # noqa: S311 - a corpus, no secret
    files = {name: (folder / f"{name}.jsonl").open("w", encoding="utf-8") for name in VARIANTS}
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        for number, (reference, texts) in enumerate(made_rows(chance, utterances, len(VARIANTS))):
            speaker = f"{number % 40:02}"
            row = {"id": f"{speaker}-{number}", "audio": "none.wav", "ref_text": reference, "speaker": speaker}
            manifest.write(json.dumps(row) + "\n")
            for file, text in zip(files.values(), texts, strict=True):
                file.write(json.dumps({"id": row["id"], "hyp_text": text}) + "\n")
    for file in files.values():
        file.close()
    tables = "\n".join(f"[variant.{name}]" for name in VARIANTS)
    (folder / "gate.toml").write_text(GATE.format(variants=tables), encoding="utf-8")


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def judge(folder: Path) -> None:
    """Judge every pair in this process; print CPU seconds and the peaks of its memory in MB."""
    from pytest_asrgate.session import GateSession, open_gate

    begun, peaks = time.process_time(), []
    with GateSession(open_gate(folder / "gate.toml")) as session:
        for pair in session.gate.pairs:
            verdict = session.verdict(pair.variant.name, pair.dataset.name)
            assert verdict.score is not None, verdict.reason
            # As the plugin, which keeps no verdict while it makes the next.
            del verdict
            peaks.append(_peak_mb())
    print(time.process_time() - begun, peaks[1], peaks[-1])


def _apart(folder: Path) -> list[float]:
    """CPU seconds, and the peaks of memory after two variants and after all, of a process that judges."""
    command = [sys.executable, __file__, "--judge", str(folder)]
    # On one thread: others would add to the CPU time what they do not take from the clock.
    quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=quiet).stdout.split()
    return [float(word) for word in answer]


def main() -> None:
    """Measure a start and both sizes, and print what they took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.judge:
        judge(options.judge)
        return
    if not FEW < options.small < options.large:
        parser.error(f"--small must be above {FEW} and below --large")
    taken: dict[str, list[float]] = {"first run": [], "rescore": []}
    for size in (FEW, options.small, options.large):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_project(folder, size)
            for run, seconds in taken.items():
                cpu, early, peak = _apart(folder)
                seconds.append(cpu)
                print(
                    f"{size:,} utterances x {len(VARIANTS)} variants, {run}: {cpu:.1f} s of CPU "
                    f"({1e6 * cpu / size / len(VARIANTS):.0f} µs an utterance and variant), "
                    f"peak {peak:.0f} MB ({early:.0f} after two variants)"
                )
            print(f"  its store: {(folder / '.asrgate' / 'store.sqlite').stat().st_size / 1e6:.0f} MB")
    growth = (options.large - FEW) / (options.small - FEW)
    for run, (start, small, large) in taken.items():
        ratio = (large - start) / (small - start)
        print(
            f"{run}: beyond the {start:.1f} s of {FEW} utterances, ratio {ratio:.1f} for {growth:.1f} times the "
            f"others; exponent {math.log(ratio) / math.log(growth):.2f}"
        )


if __name__ == "__main__":
    main()
