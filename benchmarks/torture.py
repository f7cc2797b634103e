"""Kills a gate at random moments, again and again: python benchmarks/torture.py [--kills N] [--seed N] [--real].

A small gate (two variants, 40 clips, a stand-in engine of 20 ms a clip; with --real 20 prompts of the example and
its models) is run until its store is complete, in an empty state folder each time. SIGINT, SIGTERM or SIGKILL goes
to pytest, to a controller of xdist, to one of its workers, to pytest with two model processes, to `asrgate parity`,
to pytest on a Dask cluster, to an engine or to its supervisor. The moments are random, but chosen by progress, so
that start, decoding, reports and reruns are all hit.

After every kill: no process is left, the store is whole, each row that was kept is there and has the text of an
undisturbed run, and no report says anything else than that run. At the end of every life the run is left alone and
must decode exactly what is missing, and give report, output and exit code of the undisturbed run. Witnesses outside
of the store, see torture_project.py, say what was asked for and what was kept. Exits 1 with a sentence otherwise.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from torture_checks import Violation, pairs_of
from torture_project import write_project
from torture_runs import COMMANDS, LOOK_S, STALE, Life, Run, end_all, measure, run_undisturbed

# Who is killed: the command itself, its process group as by Ctrl-C, or one of the processes below it.
TARGETS = [
    ("pytest", "itself"),
    ("pytest -n 2", "itself"),
    ("pytest -n 2", "its group"),
    ("pytest -n 2", "an xdist worker"),
    ("pytest --asrgate-workers 2", "itself"),
    ("pytest on Dask", "itself"),
    ("asrgate parity", "itself"),
    ("pytest", "an engine"),
    ("pytest", "a supervisor"),
]
_TWICE = "SIGINT twice"
# As GNU `timeout` sends it: to the process, and at once to its group.
_PAIR = "SIGTERM twice"
SIGNALS = {
    "SIGINT": signal.SIGINT,
    "SIGTERM": signal.SIGTERM,
    "SIGKILL": signal.SIGKILL,
    _TWICE: signal.SIGINT,
    _PAIR: signal.SIGTERM,
}
_BELOW = {"an xdist worker", "an engine", "a supervisor"}


@dataclass
class Tally:
    """What is printed at the end."""

    kills: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    too_late: int = 0
    in_flight: int = 0
    asked: int = 0
    kept: int = 0
    found: int = 0
    again: int = 0
    lives: int = 0
    equal: int = 0
    slowest: dict[str, float] = field(default_factory=dict)


def _children(pid: int) -> Iterator[tuple[int, bytes]]:
    """The processes right below one, with their command lines."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid:
                yield int(process.name), (process / "cmdline").read_bytes()
        except (OSError, ValueError, IndexError):
            continue


def _below(run: Run, victim: str, chance: random.Random) -> int | None:
    """A process of a run to be killed; None where there is none now."""
    if victim == "an xdist worker":
        found = [pid for pid, line in _children(run.process.pid) if b"sys.stdin.readline" in line]
    else:
        found = [pid for pid, line in _children(run.process.pid) if b"supervisor.py" in line]
        if victim == "an engine":
            found = [child for pid in found for child, _ in _children(pid)]
    return chance.choice(found) if found else None


def _send(run: Run, victim: str, name: str, chance: random.Random) -> bool:
    """Send the signal; False where nobody was there to get it."""
    if run.ended():
        return False
    number = SIGNALS[name]
    try:
        if victim == "itself":
            # The process is our own child and was not waited for, so the number is its own still.
            os.kill(run.process.pid, number)
        elif victim == "its group":
            os.killpg(run.process.pid, number)
        else:
            pid = _below(run, victim, chance)
            if pid is None:
                return False
            os.kill(pid, number)
        if name == _PAIR:
            os.killpg(run.process.pid, number)
        if name == _TWICE:
            time.sleep(chance.uniform(0, 0.3))
            if not run.ended():
                os.kill(run.process.pid, number)
    except ProcessLookupError:
        return False
    return True


def _wait_for_moment(life: Life, run: Run, victim: str, chance: random.Random) -> str:
    """Wait for a random moment of a run; returns what it was doing then."""
    left, reference = life.missing(run.command), life.reference
    if not left:
        time.sleep(chance.uniform(0, reference.seconds[run.command]))
        return "rerun on a complete store"
    roll = 0.5 if victim in _BELOW else chance.random()
    if roll < 0.2:
        time.sleep(chance.uniform(0, reference.start_s * 1.2))
        return "start and load"
    wanted = ("asked", chance.randint(1, min(left, 30))) if roll < 0.85 else ("kept", left)
    mark = f'"event": "{wanted[0]}"'.encode()
    before = life.witness_file.stat().st_size if life.witness_file.exists() else 0
    while not run.ended():
        if life.witness_file.exists():
            with life.witness_file.open("rb") as file:
                file.seek(before)
                if file.read().count(mark) >= wanted[1]:
                    break
        time.sleep(LOOK_S)
    time.sleep(chance.uniform(0, 0.03 if wanted[0] == "asked" else 0.5))
    return "decoding" if wanted[0] == "asked" else "scores and reports"


def _check_end(life: Life, run: Run, victim: str, name: str, phase: str) -> None:
    """What the user sees of a killed run: exit code, report, and no traceback where the end was asked for."""
    reference, code = life.reference, run.process.returncode
    output = run.output.read_text("utf-8", "replace")
    complete = code == reference.codes[run.command]
    # What one xdist worker was cut off at, the other may begin again before it is ended too.
    most = 2 if victim in _BELOW or "-n 2" in run.command else 1
    if max((life.witness().asked - run.before.asked).values(), default=0) > most:
        raise Violation(f"{run.command} asked for one utterance more than {most} times in one run")
    polite = victim == "itself" and name in {"SIGINT", "SIGTERM", _PAIR} and phase == "decoding"
    if polite and "Traceback" in output:
        raise Violation(f"{run.command} ended by {name} with a traceback")
    if run.command == "asrgate parity":
        if complete and output != reference.parity:
            raise Violation("asrgate parity was killed and says that it was done, with another output")
        if polite and not complete and code != 128 + SIGNALS[name]:
            raise Violation(f"asrgate parity was ended by {name} and exits with {code}")
        return
    text = life.report.read_text("utf-8") if life.report.exists() else None
    if text == STALE:
        if life.witness().events > run.before.events:
            raise Violation(f"{run.command} left the report of an earlier run in its place")
        return
    pairs = pairs_of(life.report)
    for pair, entry in (pairs or {}).items():
        if entry != reference.pairs[pair] and entry["verdict"] != "ERROR":
            raise Violation(f"{run.command} was killed and reports {pair} other than the undisturbed run")
    if complete and pairs != reference.pairs:
        raise Violation(f"{run.command} was killed and exits with {code}, with another report")
    if victim in _BELOW and code not in {0, 1, 2}:
        raise Violation(f"{run.command} lost {victim} and exits with {code}")
    if polite and not complete and code != 2:
        raise Violation(f"{run.command} was ended by {name} and exits with {code}")


def _schedule(chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Every target with every signal in a random order, for ever."""
    every = [(*target, name) for target in TARGETS for name in ("SIGINT", "SIGTERM", "SIGKILL")]
    every += [(command, "itself", _TWICE) for command in ("pytest", "pytest --asrgate-workers 2", "asrgate parity")]
    every += [(command, "itself", _PAIR) for command in COMMANDS]
    while True:
        chance.shuffle(every)
        yield from every


def _kill_once(life: Life, target: tuple[str, str, str], chance: random.Random, tally: Tally) -> None:
    command, victim, name = target
    run = life.start(command)
    phase = _wait_for_moment(life, run, victim, chance)
    hit = _send(run, victim, name, chance)
    took = life.wait(run)
    life.check_store()
    _check_end(life, run, victim, name, phase)
    if not hit:
        tally.too_late += 1
        return
    tally.kills[target] += 1
    tally.phases[phase] += 1
    if victim not in _BELOW:
        tally.slowest[name] = max(took, tally.slowest.get(name, 0.0))
    unfinished = life.in_flight(run)
    tally.in_flight += bool(unfinished)
    print(
        f"kill {tally.kills.total():3}: {name:<12} to {victim} of {command}; {phase}; ended after {took:.2f} s "
        f"with {run.process.returncode}; {len(life.rows)} rows kept, {unfinished} in flight",
        flush=True,
    )


def _live(
    life: Life, targets: Iterator[tuple[str, str, str]], kills: int, chance: random.Random, tally: Tally
) -> None:
    """From an empty folder to a complete one, killed on the way and once more at its end."""
    for _ in range(chance.randint(3, 7)):
        # A folder with nothing missing is hit once, below.
        if tally.kills.total() < kills and life.missing("pytest"):
            _kill_once(life, next(targets), chance, tally)
    last = chance.choice([command for command in COMMANDS if command != "asrgate parity"])
    for command in (last, "asrgate parity"):
        run_undisturbed(life, command)
        tally.equal += 1
    if tally.kills.total() < kills:
        _kill_once(life, next(targets), chance, tally)
        run_undisturbed(life, "pytest")
        tally.equal += 1
    witness = life.witness()
    tally.lives += 1
    tally.kept += len(witness.kept)
    tally.found += len(witness.kept.keys() & life.rows.keys())
    tally.asked += witness.asked.total()
    tally.again += witness.asked.total() - len(witness.asked)


def _print(tally: Tally) -> None:
    by_signal: Counter[str] = Counter()
    by_target: Counter[str] = Counter()
    for (command, victim, name), count in tally.kills.items():
        by_signal[name] += count
        by_target[f"{command}, {victim}"] += count
    print(f"kills: {tally.kills.total()}, {tally.lives} state folders filled; {tally.too_late} more came too late")
    for title, counts in (("signal", by_signal), ("target", by_target), ("moment", tally.phases)):
        print(f"  by {title}: " + "; ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    slowest = "; ".join(f"{name} {seconds:.1f} s" for name, seconds in sorted(tally.slowest.items()))
    print(f"  longest from the signal to the end of the command: {slowest}")
    print(f"kills while an utterance was in flight: {tally.in_flight}")
    print(f"finished utterances: {tally.kept}; in the store at the end: {tally.found}")
    print(f"decodings: {tally.asked}, of these {tally.again} of an utterance that a kill had cut off")
    looks = tally.kills.total() + tally.too_late
    print(f"looks for processes that are left over, and through the whole store, after a kill: {looks}")
    print(f"reruns with the report, output and exit code of an undisturbed run: {tally.equal}")
    print("nothing was lost, decoded again, left over or otherwise: that would have ended this")


def main() -> int:
    """Kill, check, print; returns 1 after a sentence where a promise was broken."""
    parser = argparse.ArgumentParser(description="Kill a gate at random moments and check what is left.")
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="the example's speech and models, not the stand-in")
    options = parser.parse_args()
    # A shell that runs this in the background ignores SIGINT, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chance = random.Random(options.seed)  # noqa: S311 - an order, no secret
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="asrgate-torture-") as folder:
        work = Path(folder)
        size = 20 if options.real else 40
        project = write_project(work / "gate", utterances=size, seconds=0.02, real=options.real)
        reference = measure(project, work)
        targets = _schedule(chance)
        life: Life | None = None
        try:
            while tally.kills.total() < options.kills:
                life = Life(project, work, reference)
                _live(life, targets, options.kills, chance, tally)
        except Violation as violation:
            if life is not None and life.output.exists():
                print(life.output.read_text("utf-8", "replace")[-4000:])
            print(f"BROKEN after {tally.kills.total()} kills (seed {options.seed}): {violation}")
            return 1
        finally:
            end_all()
    _print(tally)
    return 0


if __name__ == "__main__":
    sys.exit(main())
