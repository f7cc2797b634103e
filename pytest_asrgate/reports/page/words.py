"""Which words a variant gets wrong, and how much oftener than its baseline."""

from collections import Counter
from typing import TypedDict

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.page.runs import Align, Run, aligned_parts

__all__ = ["Confusion", "confusions"]


class Confusion(TypedDict):
    """One word that became another, was left out (`hyp` empty) or added (`ref` empty); signs under "cer".

    `count` is how often the variant does that, `before` how often its baseline does, null without one, and `ids`
    are the utterances where the variant does it.
    """

    step: str
    ref: str
    hyp: str
    count: int
    before: int | None
    ids: list[str]


def _wrong(parts: list[Run] | None) -> Counter[Run]:
    """How often each error occurs in one utterance."""
    return Counter(Run(part.step, part.ref.strip(), part.hyp.strip()) for part in parts or () if part.step != "=")


def confusions(pair: PairEntry, most: int = 30, align: Align = aligned_parts) -> list[Confusion]:
    """What the variant gets wrong oftener than its baseline, at most so many words, worst first.

    What occurs once is left out where anything occurs oftener. Only utterances that both have a score for are
    compared. Without a baseline it is what occurs most.
    """
    metric, compared = pair["metric"] or "wer", pair["baseline"] is not None
    mine: Counter[Run] = Counter()
    theirs: Counter[Run] = Counter()
    places: dict[Run, list[str]] = {}
    for row in pair["utterances"]:
        if row["errors"] is None or (compared and row["baseline_errors"] is None):
            continue
        found = _wrong(align(row["ref"], row["hyp"], row["steps"], metric))
        mine.update(found)
        for error in found:
            places.setdefault(error, []).append(row["id"])
        if compared:
            before = align(row["ref"], row["baseline_hyp"] or "", row["baseline_steps"] or "", metric)
            theirs.update(_wrong(before))
    worse = [error for error, count in mine.items() if count > theirs[error]]
    worse.sort(key=lambda error: (theirs[error] - mine[error], -mine[error], error))
    if any(mine[error] > 1 for error in worse):
        # Of hundreds that occur once a list could only show those that come first in the alphabet.
        worse = [error for error in worse if mine[error] > 1]
    return [
        Confusion(
            step=error.step,
            ref=error.ref,
            hyp=error.hyp,
            count=mine[error],
            before=theirs[error] if compared else None,
            ids=places[error],
        )
        for error in worse[:most]
    ]
