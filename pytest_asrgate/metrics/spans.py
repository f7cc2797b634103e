"""Runs of reference words that a hypothesis leaves out: what a decoder does that skips a stretch of speech."""

from collections.abc import Iterator

__all__ = ["longest_dropped"]


def _runs(steps: str) -> Iterator[tuple[int, int]]:
    """Each run of deleted reference words as (first, past the last); words inserted between them end no run."""
    place, start = 0, None
    for step in steps:
        if step == "I":
            continue
        if step == "D":
            start = place if start is None else start
        elif start is not None:
            yield start, place
            start = None
        place += 1
    if start is not None:
        yield start, place


def longest_dropped(steps: str, baseline_steps: str = "") -> int:
    """The longest run of deletions in one alignment (`UtteranceScore.steps`), in words, under cer in characters.

    Each run counts without those of its words that the baseline deletes too.
    """
    if "D" not in steps:
        return 0
    theirs = baseline_steps.replace("I", "")
    return max(end - start - theirs.count("D", start, end) for start, end in _runs(steps))
