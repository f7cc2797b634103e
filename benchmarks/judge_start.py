"""What the first call to a judge costs, and a replayed run does not: python benchmarks/judge_start.py [--rounds N].

Each round starts two processes, one after the other: one that replays 2,620 questions from a cassette, which must
not import litellm, and one that does the same and then opens what carries calls, which does. Printed are medians
over the rounds: seconds and MB of the replay, and what litellm adds to both. Replies and model are made up.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from made_up_judge import MadeUp

QUESTIONS = 2_620
MODEL = "openai/made-up"


def settings(folder: Path, mode: str) -> Any:
    """Settings of a judge whose cassette is in a folder."""
    from pytest_asrgate.config import JudgeSettings

    return JudgeSettings(
        cassette=folder / "judge.jsonl", folder=folder, model=MODEL, mode=mode, api_base="http://127.0.0.1:9/v1"
    )


def questions() -> list[Any]:
    """Questions of the semantic task about sentences of twenty words that all differ."""
    from pytest_asrgate.records import Difference
    from pytest_asrgate.semantic.task import semantic_question

    words = "could you tell my sister in the garden that we will be there at noon with the car and number"
    difference = Difference(1, "garden", "guard", 1, 0, 0)
    return [
        semantic_question(
            f"{words} {number}", f"{words.replace('garden', 'guard')} {number}", [difference], language="en"
        )
        for number in range(QUESTIONS)
    ]


def replay(folder: Path, *, call: bool) -> None:
    """Replay all questions in this process; print seconds and MB, with what carries calls opened or not."""
    from pytest_asrgate.judge.judge import Judge
    from pytest_asrgate.judge.task import Ruling

    asked = questions()
    begun = time.perf_counter()
    with Judge(settings(folder, "replay")) as judge:
        assert all(isinstance(ruling, Ruling) for ruling in judge.rule(asked))
    assert "litellm" not in sys.modules
    if call:
        from pytest_asrgate.judge.client import open_asker

        open_asker(settings(folder, "record"))
        assert "litellm" in sys.modules
    taken = time.perf_counter() - begun
    print(json.dumps([taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def main() -> None:
    """Record once, then run both in turn and print medians and ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--replay", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--call", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.replay:
        replay(options.replay, call=options.call)
        return
    from pytest_asrgate.judge.judge import Judge

    taken: dict[bool, list[list[float]]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as name:
        with Judge(settings(Path(name), "record"), open_asker=lambda _: MadeUp()) as judge:
            judge.rule(questions())
        for number in range(options.rounds + 1):
            for call, runs in taken.items():
                command = [sys.executable, __file__, "--replay", name, *(["--call"] if call else [])]
                said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                # The first round compiles.
                if number:
                    runs.append(json.loads(said))
    seconds, memory = (median(run[place] for run in taken[False]) for place in (0, 1))
    more_seconds = median(run[0] - base[0] for base, run in zip(taken[False], taken[True], strict=True))
    more_memory = median(run[1] - base[1] for base, run in zip(taken[False], taken[True], strict=True))
    print(f"{QUESTIONS:,} questions replayed, litellm not imported: {seconds:.2f} s, {memory:.0f} MB in all")
    print(
        f"litellm imported for a first call: {more_seconds:+.2f} s, {more_memory:+.0f} MB; "
        f"ratio of time {(seconds + more_seconds) / seconds:.1f}, of memory {(memory + more_memory) / memory:.1f}"
    )


if __name__ == "__main__":
    main()
