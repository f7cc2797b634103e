"""What all statistics of one pair cost: python benchmarks/verdict_cost.py

Comparisons of 2,620 and 100,000 simulated utterances with 40 speakers, as a gate makes them: counts, intervals,
bounds, matched pairs, checks and verdict. Each size runs in a process of its own; a ratio compares the two.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pytest_asrgate.config import Dataset, Pair, Thresholds, TranscriberSettings, Variant
from pytest_asrgate.metrics.wer import counts_of, pool
from pytest_asrgate.records import Hypothesis, HypothesisSet, RowStatus, Score, UtteranceScore
from pytest_asrgate.statistics import pooled_interval
from pytest_asrgate.verdict import decide

SEED = 1
# Utterances, and the slices that they fall into, one tag each.
SIZES = ((2_620, 0), (100_000, 0), (100_000, 5))
ROUNDS = 5


def _score(name: str, steps: list[str], speakers: tuple[str, ...], tags: int = 0) -> Score:
    rows = tuple(
        UtteranceScore(
            f"u{n}",
            RowStatus.OK,
            "a",
            "a" if set(step) == {"="} else "b",
            counts_of(step),
            null_reference=False,
            steps=step,
            tags=(f"t{n % tags}",) if tags else (),
        )
        for n, step in enumerate(steps)
    )
    made = HypothesisSet(name, "simulated", tuple(Hypothesis(row.id, row.hypothesis) for row in rows), {}, {})
    return Score(
        made,
        rows,
        pool(rows),
        pooled_interval(rows),
        "wer",
        None,
        speakers,
        "40 speakers",
        speaker_interval=pooled_interval(rows, speakers),
    )


def _steps(size: int) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Alignments of two systems that share most of their errors, and each utterance's speaker."""
    random = np.random.default_rng(SEED)
    before, after = [], []
    for _ in range(size):
        kinds = random.choice(list("=SDI"), size=20, p=[0.95, 0.03, 0.01, 0.01])
        before.append("".join(kinds))
        if random.random() < 0.1:
            kinds[random.integers(20)] = random.choice(list("=S"))
        after.append("".join(kinds))
    # Insertions are no reference words; both sides need the same number of these.
    words = [min(len(a.replace("I", "")), len(b.replace("I", ""))) for a, b in zip(before, after, strict=True)]

    def cut(text: str, count: int) -> str:
        left, kept = count, ""
        for step in text:
            if step != "I" and not left:
                continue
            left -= step != "I"
            kept += step
        return kept

    pairs = [(cut(a, n), cut(b, n)) for a, b, n in zip(before, after, words, strict=True)]
    return [a for a, _ in pairs], [b for _, b in pairs], tuple(f"s{n % 40}" for n in range(size))


def _work(size: int, tags: int = 0) -> Callable[[], None]:
    """What a gate computes for one pair of this size, once both sides are counted."""
    before, after, speakers = _steps(size)
    engine = TranscriberSettings("native", "replay", "cpu", 60.0, 4000, {})
    data = Dataset("simulated", Path(), "en", "auto", "auto", dediarize=False, speakers="speaker")
    limits = Thresholds(non_inferiority=0.3, wer=50.0)
    pair = Pair(Variant("q8_0", engine, None, None, "f32"), data, limits, expected_to_fail=False)
    baseline, variant = _score("f32", before, speakers, tags), _score("q8_0", after, speakers, tags)

    def work() -> None:
        # A score comes with its two intervals.
        for score in (baseline, variant):
            pooled_interval(score.utterances)
            pooled_interval(score.utterances, speakers)
        decide(pair, variant, baseline)

    return work


def measure(size: int, tags: int) -> None:
    """Print seconds of CPU of the first and of later pairs of one size, and the process's peak memory in MB."""
    # Imports are not statistics.
    _work(100, tags)()
    work = _work(size, tags)
    first = _seconds(work)
    later = statistics.median(_seconds(work) for _ in range(ROUNDS))
    print(first, later, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _seconds(work: Callable[[], None]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def main() -> None:
    """Measure each size in a fresh process and print figures and ratio."""
    laters = []
    for size, tags in SIZES:
        command = [sys.executable, str(Path(__file__)), str(size), str(tags)]
        # On one thread: others would add to the CPU time what they do not take from the clock.
        quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        answer = subprocess.run(command, check=True, capture_output=True, text=True, env=quiet).stdout.split()
        first, later, peak = map(float, answer)
        laters.append(later)
        where = f" in {tags} slices" if tags else ""
        times = f"{1000 * first:.0f} ms of CPU, the next pair {1000 * later:.0f} ms"
        print(f"{size:,} utterances{where}: {times}; {peak:.0f} MB")
    print(f"ratio: {laters[1] / laters[0]:.0f} for {SIZES[1][0] / SIZES[0][0]:.0f} times the utterances")


if __name__ == "__main__":
    measure(int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 1 else main()
