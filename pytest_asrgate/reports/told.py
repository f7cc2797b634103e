"""What is said of the state folder is said once a run, however many processes came to say it."""

import os
from collections.abc import Sequence
from pathlib import Path

from pytest_asrgate.reports.entries import PairEntry

__all__ = ["told_once"]


def told_once(entries: Sequence[PairEntry], state: Path) -> list[PairEntry]:
    """The entries, each sentence about the state folder with the first pair only that has it.

    Every process of a run tells what it finds there with its first pair; warnings about a pair itself stay.
    """
    told: set[str] = set()
    made: list[PairEntry] = []
    for entry in entries:
        kept = [sentence for sentence in entry["warnings"] if sentence not in told]
        told.update(sentence for sentence in kept if sentence.startswith(os.fspath(state)))
        made.append({**entry, "warnings": kept})
    return made
