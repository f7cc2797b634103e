"""How often the bounds on lost intents and entities are wrong: python benchmarks/intent_bounds.py [--runs N].

Sets whose true loss is known: an intent is kept or lost, of entities any part of a few, utterances change in both
directions, and speakers differ in how often they do. Percentages are of runs; nothing is asserted.
"""

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_asrgate.statistics import paired_bounds

_SEED = 20261130
Losses = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """A kind of test set: its size, the true loss in percentage points, and what else changes either way.

    `speakers` 0 means independent utterances; `shape` is of the gamma law that speakers' rates follow, small for
    speakers that differ much. With `entities` a change costs a part of them, else the whole intent.
    """

    name: str
    utterances: int
    loss_pp: float
    either_way_pp: float
    speakers: int = 0
    shape: float = 2.0
    entities: bool = False

    def draws(self, runs: int) -> Iterator[tuple[Losses, Losses, list[str] | None]]:
        """Losses before and after of each utterance, and who speaks."""
        random = np.random.default_rng([_SEED, self.utterances, self.speakers, int(self.entities)])
        size = self.utterances
        names = None if not self.speakers else [str(number % self.speakers) for number in range(size)]
        for _ in range(runs):
            rates = np.ones(size)
            if self.speakers:
                by_speaker = random.gamma(self.shape, 1 / self.shape, self.speakers)
                rates = by_speaker[np.arange(size) % self.speakers]
            # Of entities a change costs half on average, so twice as many utterances change.
            share = 2.0 if self.entities else 1.0
            worse = random.random(size) < np.minimum(1, share * rates * (self.loss_pp + self.either_way_pp) / 100)
            better = ~worse & (random.random(size) < share * rates * self.either_way_pp / 100)
            cost = random.choice([1 / 3, 1 / 2, 2 / 3], size) if self.entities else np.ones(size)
            yield np.where(better, cost, 0.0), np.where(worse, cost, 0.0), names


WORLDS = [
    World("intent, 240 utterances", 240, 2.0, 0.0),
    World("intent, 240, changes both ways", 240, 2.0, 3.0),
    World("intent, 1,000", 1000, 1.0, 1.0),
    World("intent, 2,620", 2620, 0.5, 0.5),
    World("intent, 1,000 of 40 speakers", 1000, 2.0, 1.0, 40),
    World("intent, 1,000 of 40 very different speakers", 1000, 2.0, 1.0, 40, 0.5),
    World("intent, 400 of 10 speakers", 400, 3.0, 1.0, 10),
    World("entities, 240 utterances", 240, 2.0, 0.0, entities=True),
    World("entities, 240, changes both ways", 240, 2.0, 3.0, entities=True),
    World("entities, 1,000", 1000, 1.0, 1.0, entities=True),
    World("entities, 1,000 of 40 speakers", 1000, 2.0, 1.0, 40, entities=True),
    World("entities, 1,000 of 40 very different speakers", 1000, 2.0, 1.0, 40, 0.5, entities=True),
]


def _wrong(world: World, runs: int, truth: float) -> tuple[float, float]:
    """In how many runs, in percent, the upper bound lies below the true loss, and the lower one above it."""
    passes = fails = 0
    for before, after, names in world.draws(runs):
        bounds = paired_bounds(before.tolist(), after.tolist(), [1] * world.utterances, names)
        assert bounds is not None
        passes += bounds[1] <= truth
        fails += bounds[0] > truth
    return 100.0 * passes / runs, 100.0 * fails / runs


def _truth(world: World) -> float:
    """The expected loss in percentage points, by many draws where rates are cut or a change hides another."""
    total = sum(float((after - before).mean()) for before, after, _ in world.draws(4_000))
    return 100.0 * total / 4_000


def main() -> None:
    """Print a line for each world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4_000)
    runs = parser.parse_args().runs
    error = 100 * math.sqrt(0.05 * 0.95 / runs)
    print(f"{runs} runs a world; nominal 5 %, standard error {error:.2f}; margin = true loss")
    print("| world | true loss, pp | wrong pass, % | wrong failure, % |")
    print("|---|---|---|---|")
    for world in WORLDS:
        truth = _truth(world)
        passes, fails = _wrong(world, runs, truth)
        print(f"| {world.name} | {truth:.2f} | {passes:.1f} | {fails:.1f} |", flush=True)


if __name__ == "__main__":
    main()
