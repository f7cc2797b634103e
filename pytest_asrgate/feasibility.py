"""Margins that no run can keep: told before hours of decoding, from the manifest alone."""

import math
from collections.abc import Iterator

from pytest_asrgate.config import Pair
from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.errors import ScoringError
from pytest_asrgate.metrics.normalise import is_null
from pytest_asrgate.metrics.rule import ScoringRule
from pytest_asrgate.scoring import chosen_rule
from pytest_asrgate.statistics import effective_groups, identical_bound, look_levels
from pytest_asrgate.values import first_of, plural

__all__ = ["unreachable_margins"]

_MARGIN = "non_inferiority"
# Normalising writes some words as two and drops others; a set this much larger than it must be needs no count.
_AMPLE = 1.5


def _words(data: LoadedDataset, rule: ScoringRule, enough: float) -> list[int]:
    """Reference words of each utterance as they are scored; rough counts where these are well over `enough`."""
    rough = [len(utterance.reference.split()) for utterance in data.utterances]
    if rule.metric == "wer" and sum(rough) > _AMPLE * enough:
        return rough
    spoken = [rule.apply(utterance.reference, utterance.language or "") for utterance in data.utterances]
    kept = ["" if is_null(text) else text for text in spoken]
    return [len(text) if rule.metric == "cer" else len(text.split()) for text in kept]


def _parts(pair: Pair, data: LoadedDataset) -> Iterator[tuple[str, LoadedDataset, float]]:
    """The data set and each of its slices that has a margin: name, utterances, and the margin, in pp."""
    margin = pair.thresholds.limits().get(_MARGIN)
    if isinstance(margin, float):
        yield data.name, data, margin
    for tag, thresholds in pair.dataset.slices.items():
        margin = thresholds.limits().get(_MARGIN)
        if isinstance(margin, float):
            places = [place for place, row in enumerate(data.utterances) if tag in row.tags]
            yield f"slice {tag} of {data.name}", data.part(places), margin


def unreachable_margins(pairs: list[tuple[Pair, LoadedDataset]], *, early: bool = False) -> list[str]:
    """A sentence for each data set or slice and margin that even two identical systems could not pass.

    `pairs` are those that will run and are compared with a baseline, each with its data set; in an `early` run the
    bound of the last look counts. Sets that cannot be scored are left out: their own verdict says why.
    """
    asked: dict[tuple[str, float], list[str]] = {}
    sets: dict[str, tuple[Pair, LoadedDataset]] = {}
    for pair, data in pairs:
        for name, part, margin in _parts(pair, data):
            asked.setdefault((name, margin), []).append(pair.variant.name)
            sets.setdefault(name, (pair, part))
    sentences = []
    for (name, margin), variants in asked.items():
        pair, data = sets[name]
        try:
            rule = chosen_rule(pair.dataset, data)
            needed = math.inf if margin == 0 else identical_bound(1, 2) / margin
            counts = _words(data, rule, needed)
        except ScoringError:
            continue
        words = sum(counts)
        alpha = look_levels(len(data.utterances))[-1][2] if early else 0.05
        open_pp = identical_bound(words, effective_groups(counts, data.speakers), alpha) if words else math.inf
        if words and open_pp > margin:
            unit = "character" if rule.metric == "cer" else "word"
            mend = "use more utterances or a wider margin" if margin else "set a margin above 0"
            left = f"leave {open_pp:.2f} pp open" if math.isfinite(open_pp) else "decide nothing"
            sentences.append(
                f"{name} has {plural(words, unit)}: even identical outputs {left}, and the margin of "
                f"{first_of(variants)} is {margin:g}; no run of it can pass: {mend}"
            )
    return sentences
