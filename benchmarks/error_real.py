"""Errors of real systems over the same utterances, and test sets drawn from them, for error_rates.py."""

from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
from error_rules import Outcome, early
from error_worlds import SEED, Run

from pytest_asrgate.formats.hypotheses import read_hypotheses
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.metrics.utterances import score_utterances
from pytest_asrgate.records import Utterance
from pytest_asrgate.statistics import stratified_order

__all__ = ["Pairing", "by_speaker", "early_shares", "pairings", "subset"]

# Folder, normaliser, and whether ids begin with the speaker.
_SETS = (("librispeech_fbai", "none", True), ("voxpopuli_hume_150", "auto", False))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two systems over one set; `delta_pp` is the difference over all of it."""

    name: str
    run: Run

    @property
    def delta_pp(self) -> float:
        return 100 * float((self.run.after - self.run.before).sum()) / float(self.run.words.sum())


def _counts(path: Path, normaliser: str) -> dict[str, tuple[int, int]]:
    stored = read_hypotheses(path)
    spoken = [Utterance(identity, Path(), stored.references[identity], language="en") for identity in stored.rows]
    rows = score_utterances(spoken, list(stored.rows.values()), scoring_rule(["en"], normaliser))
    return {row.id: (row.counts.errors, row.counts.words) for row in rows if row.counts}


def pairings(folder: Path) -> list[Pairing]:
    """Every ordered pair of systems that scored the same utterances."""
    found = []
    for name, normaliser, speakers in _SETS:
        files = sorted((folder / "refhyp" / name).glob("*.jsonl"))
        counted = {path.stem: _counts(path, normaliser) for path in files}
        for first, second in permutations(counted, 2):
            before, after = counted[first], counted[second]
            if before.keys() != after.keys():
                continue
            blocks = np.unique([key.split("-")[0] for key in before], return_inverse=True)[1] if speakers else None
            errors = [np.array([counts[key][0] for key in before]) for counts in (before, after)]
            words = np.array([count for _, count in before.values()])
            found.append(Pairing(f"{first} → {second}", Run(*errors, words, blocks)))
    return found


def by_speaker(pairing: Pairing, random: np.random.Generator) -> Run:
    """As many speakers as there are, drawn with replacement, each draw a speaker of its own; else utterances."""
    run = pairing.run
    if run.speakers is None:
        drawn = random.integers(0, len(run.words), len(run.words))
        return Run(run.before[drawn], run.after[drawn], run.words[drawn], None)
    places = [np.flatnonzero(run.speakers == number) for number in range(int(run.speakers.max()) + 1)]
    chosen = random.integers(0, len(places), len(places))
    drawn = np.concatenate([places[number] for number in chosen])
    blocks = np.repeat(np.arange(len(chosen)), [len(places[number]) for number in chosen])
    return Run(run.before[drawn], run.after[drawn], run.words[drawn], blocks)


def subset(pairing: Pairing, size: int, random: np.random.Generator) -> Run:
    """`size` different utterances of the set."""
    run, drawn = pairing.run, random.permutation(len(pairing.run.words))[:size]
    blocks = None if run.speakers is None else np.unique(run.speakers[drawn], return_inverse=True)[1]
    return Run(run.before[drawn], run.after[drawn], run.words[drawn], blocks)


def early_shares(pairing: Pairing, runs: int) -> list[list[tuple[Outcome, float]]]:
    """Early verdicts over resampled speakers, for the margins 0.3 and 0.6 below and above the difference."""
    random = np.random.default_rng([SEED, 3])
    margins = [0.3, pairing.delta_pp - 0.6, pairing.delta_pp + 0.6]
    found: list[list[tuple[Outcome, float]]] = [[] for _ in margins]
    for number in range(runs):
        run = by_speaker(pairing, random)
        names = None if run.speakers is None else [str(block) for block in run.speakers]
        order = stratified_order([str(place) for place in range(len(run.words))], names, number)
        for results, result in zip(found, early(run, order, margins), strict=True):
            results.append(result)
    return found
