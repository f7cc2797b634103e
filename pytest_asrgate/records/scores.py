"""Counts that add up, and the scored run of one pair."""

from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.records.utterances import HypothesisSet, RowStatus

__all__ = ["Counts", "Interval", "Score", "UtteranceScore"]


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
    or that the engine was stopped for repetition; `drift` that it is in another script or language than the
    reference. `steps` is the alignment, one character a step: `=` equal,
    `S`, `D` or `I`; empty for an error row. `tags`, `language`, `audio` and `duration_s`, in seconds, are the
    manifest's; None where it does not say.
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
    steps: str = ""
    drift: bool = False
    tags: tuple[str, ...] = ()
    language: str | None = None
    audio: Path | None = None
    duration_s: float | None = None

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

    `metric` is "wer" or "cer"; under "cer" the counts are of characters, and their `words` too. `interval` is the
    bootstrap over utterances, `speaker_interval` the one over speakers, where there are any. An utterance whose own
    rate is above `catastrophic_rate`, in percent, counts as catastrophic.
    """

    hypotheses: HypothesisSet
    utterances: tuple[UtteranceScore, ...]
    counts: Counts
    interval: Interval | None
    metric: str
    latency_p50_ms: float | None
    speakers: tuple[str, ...] | None = None
    speakers_note: str = ""
    speaker_interval: Interval | None = None
    catastrophic_rate: float = 50.0

    def catastrophic(self, row: UtteranceScore) -> bool:
        """Whether the row's own rate is above the limit; a null reference has no rate."""
        if row.counts is None or row.null_reference:
            return False
        rate = row.counts.rate_pct
        return rate is not None and rate > self.catastrophic_rate

    @property
    def token(self) -> str:
        """What the counts count: "word" or "character"."""
        return "character" if self.metric == "cer" else "word"
