"""How often each rule is wrong: python benchmarks/error_rates.py [--runs N] [--full] [--only sim|real].

Simulated test sets whose true difference is known, and resamples of real systems' errors over the folder that
ASRGATE_CONFORMANCE names. Percentages are of runs; nothing is asserted, every line is printed once it is known.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path

import numpy as np
from error_real import Pairing, by_speaker, early_shares, pairings, subset
from error_rules import BOOTSTRAPPED, OURS, RULES, Outcome, early, ours, verdicts
from error_worlds import REQUIRED, SEED, STRESS, World

from pytest_asrgate.statistics import stratified_order

# A bootstrap of 500 resamples costs as much as fifty of the other verdicts: one run in so many has one.
_BOOTSTRAP_SHARE = 10
_REAL_SHARE = 4
_SUBSETS = (100, 300, 1000)
# Whole speakers, or utterances where none are known.
_BLOCKS = "speakers"


def _percent(found: Sequence[Outcome]) -> str:
    """Passes, failures and undecided ones, in percent."""
    times = Counter(found)
    kinds = (Outcome.PASS, Outcome.FAIL, Outcome.UNDECIDED)
    return " / ".join(f"{100 * times[kind] / len(found):.1f}" for kind in kinds)


def _line(cells: Iterable[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def _head(title: str, columns: Sequence[str]) -> None:
    print(f"\n{title}\n", flush=True)
    _line(columns)
    _line(["---"] * len(columns))


def at_the_margin(world: World, runs: int) -> list[str]:
    """Every rule's verdicts where the true difference is the margin."""
    random = np.random.default_rng([SEED, 1])
    found: dict[str, list[Outcome]] = {rule: [] for rule in RULES}
    for number, run in enumerate(world.runs(runs, world.margin, "fixed")):
        drawn = random if number < runs // _BOOTSTRAP_SHARE else None
        for rule, outcome in verdicts(run, world.margin, drawn).items():
            found[rule].append(outcome)
    return [world.name, f"{world.margin:g}", *(_percent(found[rule]) for rule in RULES)]


def elsewhere(world: World, runs: int) -> list[str]:
    """Our verdicts at no difference, at a third of the margin, and at two and three times the margin."""
    cells = []
    for times in (0.0, 1 / 3, 2.0, 3.0):
        drawn = world.runs(runs, times * world.margin, "power")
        cells.append(_percent([ours(run, world.margin) for run in drawn]))
    return [world.name, *cells]


def decided_early(world: World, runs: int) -> list[str]:
    """Our verdicts when looking ten times; the shares decoded where the answer is clear."""
    blocks = world.blocks()
    size = world.utterances if blocks is None else len(blocks)
    names = None if blocks is None else [str(block) for block in blocks]
    # Utterances of one speaker are drawn alike, so one order serves all runs.
    order = stratified_order([str(number) for number in range(size)], names, SEED)
    cells = [world.name]
    for times, count in ((1.0, runs // 2), (0.0, runs // 4), (3.0, runs // 4)):
        drawn = world.runs(count, times * world.margin, "early")
        found = [early(run, order, [world.margin])[0] for run in drawn]
        cells.append(_percent([outcome for outcome, _ in found]))
        if times != 1.0:
            shares = [share for _, share in found]
            cells.append(f"{np.median(shares):.1f} / {np.percentile(shares, 90):.1f}")
    return cells


def _worst(cells: Sequence[str]) -> str:
    """The highest share of passes and of failures in one column."""
    passed, failed = zip(*(map(float, cell.split(" / ")[:2]) for cell in cells), strict=True)
    return f"{max(passed)} / {max(failed)}"


def _table(
    pool: Pool, title: str, columns: Sequence[str], rows: Callable[[World], list[str]], judged: Sequence[int] = ()
) -> None:
    """Print a row a world, those beyond what is promised in brackets, and the worst of the others where judged."""
    _head(title, columns)
    kept = []
    for world, cells in zip([*REQUIRED, *STRESS], pool.imap(rows, [*REQUIRED, *STRESS]), strict=True):
        if world in STRESS:
            cells[0] = f"({cells[0]})"
        else:
            kept.append(cells)
        _line(cells)
    if judged:
        numbers = range(1, len(columns))
        worst = [_worst([cells[number] for cells in kept]) if number in judged else "" for number in numbers]
        _line([f"worst of {len(kept)}, pass / fail", *worst])


def simulated(pool: Pool, runs: int) -> None:
    """Print the three tables of simulated sets; worlds in brackets are beyond what is promised."""
    kinds = "pass / fail / undecided %"
    _table(
        pool,
        f"Simulated, true difference exactly at the margin m: {kinds}; {runs} runs, "
        f"{runs // _BOOTSTRAP_SHARE} for {', '.join(BOOTSTRAPPED)}",
        ["world", "m", *RULES],
        partial(at_the_margin, runs=runs),
        range(2, 2 + len(RULES)),
    )
    _table(
        pool,
        f"{OURS} elsewhere: {kinds}; {runs // 4} runs",
        ["world", "at 0", "at m/3", "at 2m", "at 3m"],
        partial(elsewhere, runs=runs // 4),
    )
    _table(
        pool,
        f"{OURS} early, ten looks: {kinds}; {runs // 2} runs at m, {runs // 4} elsewhere; "
        "share decoded: median / 90 %",
        ["world", "at m", "at 0", "share", "at 3m", "share"],
        partial(decided_early, runs=runs),
        [1],
    )


def _real_cells(pairing: Pairing, runs: int, draw: str) -> list[str]:
    margins = [pairing.delta_pp] + ([0.3] if abs(pairing.delta_pp - 0.3) >= 0.3 else [])
    random = np.random.default_rng([SEED, 2])
    unit = "utterances" if draw == _BLOCKS and pairing.run.speakers is None else draw
    cells = [pairing.name, unit, f"{pairing.delta_pp:+.2f}"]
    for margin in margins:
        found: dict[str, list[Outcome]] = {rule: [] for rule in RULES}
        for number in range(runs):
            run = by_speaker(pairing, random) if draw == _BLOCKS else subset(pairing, int(draw), random)
            drawn = random if number < runs // _REAL_SHARE else None
            for rule, outcome in verdicts(run, margin, drawn).items():
                found[rule].append(outcome)
        cells += (
            [_percent(found[rule]) for rule in RULES] if margin == pairing.delta_pp else [_percent(found[OURS])]
        )
    return cells + ["near"] * (2 - len(margins))


def _real_task(task: tuple[Pairing, str], runs: int) -> list[str]:
    return _real_cells(task[0], runs, task[1])


def real(pool: Pool, folder: str | None, runs: int) -> None:
    """Print what the rules say of resamples of real systems' errors."""
    if not folder:
        print("\nReal pairs: skipped, ASRGATE_CONFORMANCE names no folder of published transcripts", flush=True)
        return
    pairs = pairings(Path(folder))
    draws = [
        (pair, draw)
        for pair in pairs
        for draw in (_BLOCKS, *map(str, _SUBSETS))
        if draw == _BLOCKS or int(draw) < len(pair.run.words)
    ]
    _head(
        f"Real pairs, the full set's difference taken as the truth: pass / fail / undecided %; {runs} draws, "
        f"{runs // _REAL_SHARE} for {', '.join(BOOTSTRAPPED)}; margin at that difference, last column at 0.3",
        ["pair", "drawn", "difference", *RULES, f"{OURS} at 0.3"],
    )
    for cells in pool.imap(partial(_real_task, runs=runs), draws):
        _line(cells)
    _head(
        "Real pairs, early, speakers resampled: pass / fail / undecided %, share decoded (median / 90 %)",
        ["pair", "difference", "m = 0.3", "m = difference - 0.6", "m = difference + 0.6"],
    )
    for pair, shares in zip(pairs, pool.imap(partial(early_shares, runs=runs // 4), pairs), strict=True):
        cells = []
        for found in shares:
            spent = [share for _, share in found]
            verdict = _percent([outcome for outcome, _ in found])
            cells.append(f"{verdict}, {np.median(spent):.1f} / {np.percentile(spent, 90):.1f}")
        _line([pair.name, f"{pair.delta_pp:+.2f}", *cells])


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description="how often each rule is wrong")
    parser.add_argument("--runs", type=int, help="simulated runs at the margin (4000; 12000 with --full)")
    parser.add_argument("--full", action="store_true", help="the figures of the README")
    parser.add_argument("--only", choices=["sim", "real"], help="one half")
    options = parser.parse_args()
    runs = options.runs or (12_000 if options.full else 4_000)
    started = time.perf_counter()
    print(f"seed {SEED}, {runs} runs; standard error at 5 %: {100 * (0.05 * 0.95 / runs) ** 0.5:.2f} points")
    with Pool(2) as pool:
        if options.only != "real":
            simulated(pool, runs)
        if options.only != "sim":
            real(pool, os.environ.get("ASRGATE_CONFORMANCE"), max(20, runs // 10))
    print(f"\n{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
