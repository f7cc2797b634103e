"""What was said, and what an engine made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

__all__ = ["Hypothesis", "HypothesisSet", "Progress", "RowStatus", "Utterance"]


@dataclass(frozen=True, slots=True)
class Utterance:
    """One row of a manifest; `duration_s` is in seconds, `line` counts from 1.

    `audio_sha256` is what the file must hold, None where the manifest does not say.
    """

    id: str
    audio: Path
    reference: str
    language: str | None = None
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    context: str | None = None
    duration_s: float | None = None
    line: int = 0
    audio_sha256: str | None = None


class RowStatus(StrEnum):
    """What became of one utterance; only `ERROR` has no score."""

    OK = "ok"
    TRUNCATED = "truncated"
    REPETITION = "repetition"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What an engine made of one utterance; times in ms, `audio_s` in seconds, `detail` says what went wrong.

    `normalised_reference` is set only for a row of a score file: the reference as it was scored there, and the sign
    that `text` is normalised already too and must not be normalised again. `masked` is then what that file says of
    the row, None where it says nothing; so are `loop` and `drift`.
    """

    id: str
    text: str
    status: RowStatus = RowStatus.OK
    detail: str = ""
    raw_text: str | None = None
    mel_ms: float | None = None
    encode_ms: float | None = None
    decode_ms: float | None = None
    latency_ms: float | None = None
    audio_s: float | None = None
    normalised_reference: str | None = None
    masked: tuple[str, ...] | None = None
    loop: bool | None = None
    drift: bool | None = None


@dataclass(frozen=True, slots=True)
class HypothesisSet:
    """One pair's hypotheses in manifest order, with the contract and provenance they were made under.

    `contract` holds what must match for a comparison, `provenance` what is only printed;
    `transcribed` and `reused` count utterances of this session, `findings` are warnings that the engine printed.
    """

    variant: str
    dataset: str
    hypotheses: tuple[Hypothesis, ...]
    contract: Mapping[str, object]
    provenance: Mapping[str, object]
    not_controllable: tuple[str, ...] = ()
    load_ms: float | None = None
    findings: tuple[str, ...] = ()
    transcribed: int = 0
    reused: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one pair is, in utterances: finished (reused ones too), all, and transcribed now by the engine."""

    variant: str
    dataset: str
    done: int
    total: int
    fresh: int
