"""What was judged of the meaning: differences with their labels, counts of those that matter, and what it cost."""

from dataclasses import dataclass
from enum import StrEnum

from pytest_asrgate.records.scores import Counts, Interval

__all__ = ["AlignedWords", "Difference", "Label", "SemanticScore", "SemanticUtterance", "Spending"]


class Label(StrEnum):
    """Whether a difference changes what an agent would do; `OPEN` is one that nobody has labelled."""

    SAME = "same"
    ERROR = "error"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class AlignedWords:
    """One step of an alignment of normalised words: `=` equal, `J` equal when joined or split, `S`, `D` or `I`."""

    step: str
    reference: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One numbered difference of two texts, and what it costs where it is an error.

    `number` counts from 1 in the order of the texts; `reference` and `hypothesis` are normalised words, one of them
    empty for what was deleted or inserted. `decided_by` is `rule NAME`, `judge MODEL`, or `no judge` where an open
    difference counts as an error because nobody was asked. `votes` are the judge's labels in the order of its
    votes, `reason` is the rule's or the judge's.
    """

    number: int
    reference: str
    hypothesis: str
    substitutions: int
    deletions: int
    insertions: int
    label: Label = Label.OPEN
    decided_by: str = ""
    reason: str = ""
    votes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SemanticUtterance:
    """One utterance with the full trail of its semantic error rate.

    `reference` and `hypothesis` are normalised for it: numbers spelled out, fillers still in. `counts` are of the
    differences labelled as errors, over the words of the normalised reference; None for an error row, and where the
    judge failed: `judge_error` is then its sentence. `asked` says whether the judge was needed, `warning` what a
    reader should know, such as a text that looks like a verdict.
    """

    id: str
    reference: str
    hypothesis: str
    alignment: tuple[AlignedWords, ...]
    differences: tuple[Difference, ...]
    counts: Counts | None
    asked: bool = False
    judge_error: str = ""
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a judge cost: `calls` made now, `replayed` replies that a cassette had; tokens; US dollars.

    `cost_usd` is None where the price of a call is not known.
    """

    calls: int = 0
    replayed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: "Spending") -> "Spending":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Spending(
            self.calls + other.calls,
            self.replayed + other.replayed,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )

    def __sub__(self, before: "Spending") -> "Spending":
        """What was spent between two looks."""
        known = before.cost_usd is not None and self.cost_usd is not None
        return Spending(
            self.calls - before.calls,
            self.replayed - before.replayed,
            self.prompt_tokens - before.prompt_tokens,
            self.completion_tokens - before.completion_tokens,
            # Nothing was paid where nothing was asked, whatever is unknown of earlier calls.
            (self.cost_usd or 0.0) - (before.cost_usd or 0.0)
            if known
            else 0.0
            if self.calls == before.calls
            else None,
        )


@dataclass(frozen=True, slots=True)
class SemanticScore:
    """The semantic error rate of one pair; `speakers` are parallel to `utterances`.

    `upper_bound` says that open differences were counted as errors, since no judge was asked. `rules_version` and
    `task_version` are of the rules, and of what a judge is asked and answers. `interval` is the
    bootstrap over utterances, in percent. `voted` differences were asked several times, and of these `unanimous`
    were answered alike each time; `undecided` had no majority and count as errors.
    """

    judge: str
    utterances: tuple[SemanticUtterance, ...]
    counts: Counts
    interval: Interval | None
    upper_bound: bool
    rules_version: int
    task_version: int
    speakers: tuple[str, ...] | None = None
    speakers_note: str = ""
    spending: Spending = Spending()
    voted: int = 0
    unanimous: int = 0
    undecided: int = 0

    @property
    def judge_errors(self) -> tuple[SemanticUtterance, ...]:
        """The utterances that the judge gave no valid answer for."""
        return tuple(row for row in self.utterances if row.judge_error)
