"""The values that flow from a manifest to a verdict; all frozen, none knows where it came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

__all__ = [
    "Check",
    "CheckStatus",
    "Comparison",
    "Counts",
    "Hypothesis",
    "HypothesisSet",
    "Interval",
    "Latency",
    "Outcome",
    "Problem",
    "Progress",
    "RowStatus",
    "Score",
    "Utterance",
    "UtteranceScore",
    "Verdict",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a gate file: the dotted key, and a sentence saying what would be right."""

    key: str
    message: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """One row of a manifest; `duration_s` is in seconds, `line` counts from 1."""

    id: str
    audio: Path
    reference: str
    language: str | None = None
    speaker: str | None = None
    tags: tuple[str, ...] = ()
    context: str | None = None
    duration_s: float | None = None
    line: int = 0


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
    the row, None where it says nothing.
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


@dataclass(frozen=True, slots=True)
class Counts:
    """Word errors that add up, so that rates are pooled over words and never averaged."""

    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    words: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
            self.words + other.words,
        )

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate_pct(self) -> float | None:
        """Errors over reference words in percent; None where there are no reference words."""
        return 100.0 * self.errors / self.words if self.words else None


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval, in the unit of what it bounds."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class UtteranceScore:
    """One utterance with both texts normalised; `counts` is None exactly when its status is `error`.

    `masked` says in what ways the texts differ that the normaliser made equal (see `metrics.masking`); it is None
    where that cannot be known, since only normalised texts were stored. `reference_text` is the reference before
    normalisation, None where it was not stored. `loop` says that the hypothesis repeats one phrase again and again,
    or that the engine was stopped for repetition.
    """

    id: str
    status: RowStatus
    reference: str
    hypothesis: str
    counts: Counts | None
    null_reference: bool
    detail: str = ""
    null_hypothesis: bool = False
    masked: tuple[str, ...] | None = ()
    reference_text: str | None = None
    loop: bool = False

    @property
    def empty(self) -> bool:
        """Whether no word was recognised although something was said."""
        nothing = self.null_hypothesis or not self.hypothesis
        return self.counts is not None and not self.null_reference and nothing

    @property
    def hallucination(self) -> bool:
        """Whether words were recognised although none were said."""
        return self.counts is not None and self.null_reference and self.counts.insertions > 0


@dataclass(frozen=True, slots=True)
class Score:
    """The scored run of one pair; rates in percent, latency in ms, `speakers` parallel to `utterances`.

    `metric` is "wer" or "cer"; under "cer" the counts are of characters, and their `words` too.
    """

    hypotheses: HypothesisSet
    utterances: tuple[UtteranceScore, ...]
    counts: Counts
    interval: Interval | None
    metric: str
    latency_p50_ms: float | None
    speakers: tuple[str, ...] | None = None
    speakers_note: str = ""

    @property
    def token(self) -> str:
        """What the counts count: "word" or "character"."""
        return "character" if self.metric == "cer" else "word"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The paired difference of a variant from its baseline, in percentage points, over `utterances` utterances.

    `left_out` utterances had an error row on either side. `rate_pct`, `rate_interval` and
    `baseline_interval` are percentages over the same utterances as the difference.
    `interval` is two-sided 95 %, `lower95` and `upper95` are the one-sided 95 % bounds that decide;
    `resolvable_pp` is the smallest margin that this set decides with 80 % power when there is no difference.
    """

    baseline: str
    delta_pp: float
    interval: Interval
    lower95: float
    upper95: float
    resolvable_pp: float
    rate_pct: float
    rate_interval: Interval
    baseline_interval: Interval
    utterances: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Latency:
    """What a latency probe measured: medians and 99th percentiles in ms over `clips` × `rounds` decodings.

    `ratio` is the variant's median over the baseline's, `rtf` decoding time over audio time; both belong to this
    host, at this load, and to no other.
    """

    p50_ms: float
    p99_ms: float
    baseline_p50_ms: float | None
    baseline_p99_ms: float | None
    ratio: float | None
    rtf: float
    clips: int
    rounds: int
    threads: int
    host: str
    processor: str
    load_average: float
    measured: str


class CheckStatus(StrEnum):
    """What one check says; `REPORTED` has no limit and fails nothing."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Check:
    """One figure against one limit, in `unit`; `utterances` names the ids behind it, costliest first."""

    name: str
    value: float | str | None
    limit: float | str | None
    unit: str
    status: CheckStatus
    detail: str = ""
    utterances: tuple[str, ...] = ()


class Outcome(StrEnum):
    """The verdict of a pair; the first that applies of ERROR, FAIL, INCONCLUSIVE, PASS."""

    PASS = "PASS"
    FAIL = "FAIL"
    INCONCLUSIVE = "INCONCLUSIVE"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate decided about one pair, and everything the decision rests on."""

    variant: str
    dataset: str
    outcome: Outcome
    checks: tuple[Check, ...] = ()
    reason: str = ""
    score: Score | None = None
    baseline_score: Score | None = None
    comparison: Comparison | None = None
    latency: Latency | None = None
    is_baseline: bool = False
    incomplete: bool = False
    expected_to_fail: bool = False
    warnings: tuple[str, ...] = field(default=())
