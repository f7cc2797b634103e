"""Simulated comparisons whose true difference is known, for error_rates.py.

Errors are Poisson counts. Both systems share most of them; the baseline alone loses `churn` % of the words, the
variant alone `churn` plus the true difference. Difficulty is gamma distributed, shared by both systems, by
utterance and by speaker, so that a difficult speaker has more of everything.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

__all__ = ["REQUIRED", "SEED", "STRESS", "Run", "World"]

SEED = 20261130
# Errors that both systems make, in % of the words; the paired rules never see them, the published ones do.
_SHARED = 4.0
# How many counts are drawn at once.
_SLICE = 400_000


@dataclass(frozen=True, slots=True)
class Run:
    """One drawn test set: errors of the baseline and the variant, words and speaker of each utterance."""

    before: Counts
    after: Counts
    words: Counts
    speakers: Counts | None


@dataclass(frozen=True, slots=True)
class World:
    """A population of test sets: sizes, the margin in percentage points, and how errors come about.

    `skew` is the gamma shape of speakers' difficulty (2 moderate, 0.5 heavy), `difficulty` that of utterances,
    None where all are alike; `clump` the words lost at once, negative for geometric clumps with that mean.
    `varies` draws the words of each utterance; `largest` is the size of the largest speaker over the smallest.
    `effect` is "difficulty" where the difference grows with it, "normal" where speakers gain or lose by
    themselves with that spread, "few" where the fraction `skew` of the speakers carries all of it.
    """

    name: str
    utterances: int
    words: int
    margin: float
    churn: float = 0.0
    clump: int = 1
    difficulty: float | None = None
    speakers: int = 0
    skew: float = 1.0
    largest: float = 1.0
    varies: bool = False
    effect: str = "difficulty"

    def blocks(self) -> Counts | None:
        """The speaker of each utterance by number; sizes fall as a power of the rank."""
        if not self.speakers:
            return None
        sizes = np.arange(1, self.speakers + 1.0) ** -(np.log(self.largest) / np.log(self.speakers))
        whole = np.maximum(1, np.round(sizes / sizes.sum() * self.utterances)).astype(np.int64)
        return np.repeat(np.arange(self.speakers), whole)

    def runs(self, count: int, delta: float, purpose: str) -> Iterator[Run]:
        """`count` test sets drawn at a true difference of `delta` percentage points, seeded by name and purpose."""
        random = np.random.default_rng([SEED, crc32(f"{self.name} {purpose} {delta}".encode())])
        blocks = self.blocks()
        size = self.utterances if blocks is None else len(blocks)
        step = max(1, _SLICE // size)
        for start in range(0, count, step):
            rows = min(step, count - start)
            words = self._words(random, (rows, size))
            lost, gained, hard = self._rates(random, words, blocks, delta / 100)
            shared = random.poisson(hard * _SHARED / 100)
            before, after = shared + self._clumps(random, gained), shared + self._clumps(random, lost)
            for row in range(rows):
                yield Run(before[row], after[row], words[row], blocks)

    def _words(self, random: np.random.Generator, shape: tuple[int, int]) -> Counts:
        if not self.varies:
            return np.full(shape, self.words, dtype=np.int64)
        return np.maximum(1, np.round(random.gamma(2.5, self.words / 2.5, shape))).astype(np.int64)

    def _rates(
        self, random: np.random.Generator, words: Counts, blocks: Counts | None, delta: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Expected words that only the variant loses, that only the baseline loses, and the difficulty."""
        hard = words.astype(np.float64)
        if self.difficulty:
            hard *= random.gamma(self.difficulty, 1 / self.difficulty, words.shape)
        churn = self.churn / 100
        effect: NDArray[np.float64] | float = delta
        if blocks is not None:
            shape = (len(words), self.speakers)
            if self.effect == "difficulty":
                hard *= random.gamma(self.skew, 1 / self.skew, shape)[:, blocks]
            elif self.effect == "normal":
                spread = self.margin / 100 / np.sqrt(self.skew)
                effect = delta + spread * random.standard_normal(shape)[:, blocks]
            else:
                effect = delta * (random.random(shape) < self.skew)[:, blocks] / self.skew
        return hard * (churn + np.maximum(effect, 0)), hard * (churn + np.maximum(-effect, 0)), hard

    def _clumps(self, random: np.random.Generator, expected: NDArray[np.float64]) -> Counts:
        if self.clump > 0:
            return self.clump * random.poisson(expected / self.clump)
        share = -1 / self.clump
        events = random.poisson(expected * share)
        more = random.negative_binomial(np.maximum(events, 1), share)
        return events + np.where(events > 0, more, 0)


_HEAVY, _MODERATE = 0.5, 2.0

REQUIRED = (
    World("rare, 100 × 10 words", 100, 10, 0.3),
    World("rare, 117 × 8", 117, 8, 1.0),
    World("rare, 120 × 18", 120, 18, 1.0),
    World("rare, 300 × 20", 300, 20, 0.1),
    World("clumps of 3, 117 × 8", 117, 8, 1.0, clump=3),
    World("clumps of 3, 2620 × 20", 2620, 20, 0.3, clump=3),
    World("clumps of any size, mean 3, 300 × 20", 300, 20, 1.0, clump=-3),
    World("churn both ways, 1000 × 18", 1000, 18, 0.3, churn=1.0),
    World("Poisson-gamma, 1000 × about 18", 1000, 18, 0.3, churn=1.0, difficulty=1.0, varies=True),
    World("Poisson-gamma, heavy, 300 × about 18", 300, 18, 1.0, churn=1.0, difficulty=0.3, varies=True),
    World("40 speakers, moderate, losses only", 2600, 20, 0.3, speakers=40, skew=_MODERATE),
    World("40 speakers, moderate", 2600, 20, 0.3, churn=0.5, speakers=40, skew=_MODERATE),
    World("40 speakers, heavy, losses only", 2600, 20, 0.3, speakers=40, skew=_HEAVY),
    World("40 speakers, heavy", 2600, 20, 0.3, churn=0.5, speakers=40, skew=_HEAVY),
    World("40 speakers, heavy, much churn", 2600, 20, 0.3, churn=3.0, speakers=40, skew=_HEAVY, difficulty=1.0),
    World("33 speakers, moderate", 2937, 18, 0.3, churn=1.0, speakers=33, skew=_MODERATE),
    World("33 speakers, heavy", 2937, 18, 0.3, churn=1.0, speakers=33, skew=_HEAVY),
    World("40 speakers, gains and losses", 2600, 20, 0.3, churn=0.5, speakers=40, effect="normal"),
    World("40 speakers, sizes 1 to 6, moderate", 2600, 20, 0.3, 0.5, 1, None, 40, _MODERATE, 6.0, varies=True),
    World("40 speakers, sizes 1 to 6, heavy", 2600, 20, 0.3, 0.5, 1, None, 40, _HEAVY, 6.0, varies=True),
    World("20 speakers, heavy", 1000, 20, 0.3, churn=0.5, speakers=20, skew=_HEAVY),
    World("10 speakers, moderate", 1000, 20, 0.3, churn=0.5, speakers=10, skew=_MODERATE),
    World("10 speakers, gains and losses", 1000, 20, 0.3, churn=0.5, speakers=10, effect="normal"),
    World("12 speakers, 120 × 9 prompts", 120, 9, 1.5, churn=1.0, speakers=12, skew=_MODERATE),
)
# Beyond what is promised: shown so that its limits are known.
STRESS = (
    World("10 speakers, heavy", 1000, 20, 0.3, churn=0.5, speakers=10, skew=_HEAVY),
    World("40 speakers, sizes 1 to 40, heavy", 2600, 20, 0.3, 0.5, 1, None, 40, _HEAVY, 40.0, varies=True),
    World("40 speakers, one in ten loses all", 2600, 20, 0.3, churn=0.5, speakers=40, skew=0.1, effect="few"),
)
