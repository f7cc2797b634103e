"""Slices: the utterances of a set that carry one tag, since a pooled rate hides one group's loss."""

import statistics as averages
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pytest_asrgate.datasets.speakers import named_blocks, size_note
from pytest_asrgate.metrics.wer import pool
from pytest_asrgate.records import Comparison, Look, RowStatus, Score
from pytest_asrgate.scoring import compare

__all__ = ["Slice", "places_by_tag", "restrict", "slices"]

# Of the tags without limits; every row may have a tag of its own, and nobody reads thousands of groups.
_MOST = 50
_FEWEST_UTTERANCES = 2


@dataclass(frozen=True, slots=True)
class Slice:
    """One tag's part of a score and of its baseline's; no comparison where those hold no reference words."""

    name: str
    score: Score
    baseline: Score | None
    comparison: Comparison | None


def places_by_tag(score: Score, wanted: Iterable[str]) -> tuple[dict[str, list[int]], int]:
    """Return the places of each tag's utterances, and how many tags were left out.

    The `wanted` tags come first and are never left out, not even without an utterance. Of the others those with at
    least 2 utterances follow, the 50 most frequent, falling.
    """
    found: dict[str, list[int]] = {tag: [] for tag in wanted}
    asked = len(found)
    for place, row in enumerate(score.utterances):
        for tag in row.tags:
            found.setdefault(tag, []).append(place)
    named = [*found][:asked]
    others = sorted([*found][asked:], key=lambda tag: -len(found[tag]))
    kept = [tag for tag in others[:_MOST] if len(found[tag]) >= _FEWEST_UTTERANCES]
    return {tag: found[tag] for tag in (*named, *kept)}, len(others) - len(kept)


def restrict(score: Score, places: Sequence[int]) -> Score:
    """The score of the utterances at these places alone, without the two intervals of its rate."""
    rows = [score.hypotheses.hypotheses[place] for place in places]
    times = [row.latency_ms for row in rows if row.latency_ms is not None and row.status is not RowStatus.ERROR]
    utterances = tuple(score.utterances[place] for place in places)
    speakers, note = None, score.speakers_note.removesuffix(size_note(len(score.utterances)))
    if score.speakers and places:
        speakers, note = named_blocks([score.speakers[place] for place in places])
    return replace(
        score,
        hypotheses=replace(score.hypotheses, hypotheses=tuple(rows)),
        utterances=utterances,
        counts=pool(utterances),
        interval=None,
        speaker_interval=None,
        latency_p50_ms=averages.median(times) if times else None,
        speakers=speakers,
        speakers_note=note + size_note(len(places)),
    )


def slices(
    score: Score, baseline: Score | None, wanted: Iterable[str], look: Look | None = None
) -> tuple[tuple[Slice, ...], int]:
    """The slices of `places_by_tag`, each compared with the baseline's, and how many tags were left out.

    The two scores must be comparable as wholes.
    """
    groups, left_out = places_by_tag(score, wanted)
    found = []
    for tag, places in groups.items():
        part = restrict(score, places)
        before = restrict(baseline, places) if baseline else None
        comparison = compare(part, before, look, evidence=False) if before else None
        found.append(Slice(tag, part, before, comparison))
    return tuple(found), left_out
