"""Which utterances of a pair a reader is shown, and in what order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from pytest_asrgate.records import Label, RowStatus
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.intent_trail import IntentTrailEntry
from pytest_asrgate.reports.page.flags import Marks
from pytest_asrgate.reports.trail import TrailEntry
from pytest_asrgate.reports.utterance_entries import UtteranceEntry

__all__ = ["Picked", "Wanted", "picked", "wanted"]

_DIGITS = re.compile("([0-9]+)")


@dataclass(frozen=True, slots=True)
class Picked:
    """An utterance that there is something to see about."""

    row: UtteranceEntry
    flags: list[str]
    semantic: TrailEntry | None
    intent: IntentTrailEntry | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The sound of an utterance; `audio` as the report names it."""

    dataset: str
    id: str
    audio: str
    duration_s: float | None


def _natural(identity: str) -> list[tuple[int, str]]:
    """A key that puts u2 before u10."""
    parts = _DIGITS.split(identity)
    # Digits by length and then as text: Python refuses to read very long numbers.
    return [
        (len(part.lstrip("0")), part.lstrip("0")) if place % 2 else (0, part) for place, part in enumerate(parts)
    ]


def _order(one: Picked) -> tuple[bool, int, int, list[tuple[int, str]], str]:
    """Error rows first, then by errors more than the baseline's, then by errors, then by id."""
    row = one.row
    errors = row["errors"] or 0
    added = errors - (row["baseline_errors"] or 0)
    return row["status"] != RowStatus.ERROR, -added, -errors, _natural(row["id"]), row["id"]


def _undecided(one: Picked) -> bool:
    """Whether a trail has what no flag says: a warning, a difference that is not harmless, or no score."""
    semantic, intent = one.semantic, one.intent
    if semantic and (semantic["warning"] or any(each["label"] != Label.SAME for each in semantic["differences"])):
        return True
    if intent is None:
        return False
    return bool(intent["warning"]) or (intent["intent_score"] != 1 and not intent["empty_reference"])


def picked(pair: PairEntry) -> list[Picked]:
    """The utterances of a pair that have errors, a flag, or a trail that is not all kept, worst first."""
    marks = Marks.of(pair)
    found = []
    for row in pair["utterances"]:
        identity = row["id"]
        one = Picked(row, marks.of_row(row), marks.semantic.get(identity), marks.intent.get(identity))
        if row["errors"] or one.flags or _undecided(one):
            found.append(one)
    return sorted(found, key=_order)


def _interleaved(pairs: Sequence[PairEntry]) -> Iterator[tuple[str, UtteranceEntry]]:
    """The worst of each pair, then the second of each, and so on: every pair has its share of what fits a page."""
    every = [(pair["dataset"], picked(pair)) for pair in pairs]
    for place in range(max((len(found) for _, found in every), default=0)):
        for dataset, found in every:
            if place < len(found):
                yield dataset, found[place].row


def wanted(pairs: Sequence[PairEntry]) -> list[Wanted]:
    """The sounds of the utterances that a page shows, each once, worst first; those of compared pairs lead."""
    compared = [pair for pair in pairs if pair["baseline"] is not None]
    alone = [pair for pair in pairs if pair["baseline"] is None]
    found: dict[tuple[str, str], Wanted] = {}
    for dataset, row in chain(_interleaved(compared), _interleaved(alone)):
        if row["audio"] is not None:
            one = Wanted(dataset, row["id"], row["audio"], row["duration_s"])
            found.setdefault((dataset, row["id"]), one)
    return list(found.values())
