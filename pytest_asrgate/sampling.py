"""The seeded sample that every probe takes: the same few utterances for the same seed."""

import random

__all__ = ["SAMPLE_UTTERANCES", "sample_places"]

SAMPLE_UTTERANCES = 20


def sample_places(total: int, seed: int, size: int = SAMPLE_UTTERANCES) -> list[int]:
    """At most `size` of the places 0 … `total` - 1, drawn by `seed`, in rising order."""
    chosen = random.Random(seed).sample(range(total), min(size, total))  # noqa: S311 - a sample, no secret
    return sorted(chosen)
