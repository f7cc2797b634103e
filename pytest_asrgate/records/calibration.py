"""How far a judge agrees with people: counts of label pairs, and figures for each language and class."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_asrgate.records.judged import Spending
from pytest_asrgate.records.scores import Interval

__all__ = ["Agreement", "Calibration", "CalibrationRun", "Disagreement"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often two sets of labels agree; `counts` has how often each (human label, judge's label) stands.

    `kappa` is Cohen's, from -1 to 1, with its 95 % `interval`; both None where it is undefined, which is where
    people and judge gave all of them one and the same label, and where there are none.
    """

    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    kappa: float | None = None
    interval: Interval | None = None

    @property
    def n(self) -> int:
        """How many labels were compared."""
        return sum(self.counts.values())

    @property
    def agreed(self) -> int:
        """How many of them are the same."""
        return sum(count for (human, judge), count in self.counts.items() if human == judge)


@dataclass(frozen=True, slots=True)
class Calibration:
    """One calibration of one judge for one task; its figures are of what the judge was asked about.

    `prompt` is a digest of what the judge is asked and of the rules that decide what it is asked about, `labels`
    the SHA-256 of the file of human labels. `languages` are by canonical code; `classes` by the label's class.
    `by_rules` is of what rules decided, which flatters no figure of the judge. `entities` is of what became of
    entities, of the intent task only, and `unlisted` counts labelled entities that the judge did not name, of which
    nothing can be compared. `undecided` had no majority and were compared as the score counts them. `served` are
    the names that the server gave the model. `date` is in UTC.
    """

    task: str
    model: str
    prompt: str
    votes: int
    date: str
    labels: str
    whole: Agreement
    languages: Mapping[str, Agreement] = field(default_factory=dict)
    classes: Mapping[str, Agreement] = field(default_factory=dict)
    by_rules: Agreement = field(default_factory=Agreement)
    entities: Agreement = field(default_factory=Agreement)
    unlisted: int = 0
    undecided: int = 0
    served: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One label that differs; `about` says what was labelled, `reason` is the judge's or the rule's."""

    id: str
    language: str
    group: str
    about: str
    human: str
    judge: str
    decided_by: str
    reason: str


@dataclass(frozen=True, slots=True)
class CalibrationRun:
    """What came of one run: the figures, labels that differ in the order of the file, and ids without a ruling."""

    calibration: Calibration
    rows: int
    disagreements: tuple[Disagreement, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    spending: Spending = field(default_factory=Spending)
