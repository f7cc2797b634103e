"""The same utterances decoded again: what came out otherwise."""

from dataclasses import dataclass

__all__ = ["Flip", "Repeats"]


@dataclass(frozen=True, slots=True)
class Flip:
    """An utterance that was decoded to different `outputs`, the stored one first; one cut short has its status."""

    id: str
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repeats:
    """What became of `utterances` sampled by `seed` and decoded again `decodings` times.

    `flips` are those whose text or status was not the stored one every time. `failed` names those that ended in an
    error at least once, which says nothing about flips; `failure` is the first reason.
    """

    utterances: int
    decodings: int
    flips: tuple[Flip, ...]
    failed: tuple[str, ...]
    failure: str
    seed: int
    host: str
    measured: str
