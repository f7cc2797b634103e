"""How far a judge agrees with people: counts of label pairs, and figures for each language and class."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_asrgate.records.judged import Spending
from pytest_asrgate.records.scores import Interval

__all__ = ["NOT_LISTED", "Agreement", "Calibration", "CalibrationRun", "Disagreement", "Replies"]

# What the judge said of an entity that people labelled, and that it did not list.
NOT_LISTED = "not listed"


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
class Replies:
    """How a judge's replies came: in which mode, how many `fresh` and `replayed`, and when the first and last came.

    `first` and `last` are in UTC, as in `2026-01-31T12:00:00Z`, and empty where there is no reply. Those of mode
    "live" are in no cassette.
    """

    mode: str
    fresh: int = 0
    replayed: int = 0
    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Calibration:
    """One calibration of one judge for one task; its figures are of what the judge was asked about.

    `prompt` is a digest of what the judge is asked and of the rules that decide what it is asked about, `labels`
    the SHA-256 of the file of human labels. `languages` are by canonical code; `classes` by the label's class.
    `entities` and `entity_languages` are of what became of entities, of the intent task only, where one that the
    judge did not name is `NOT_LISTED`. These are the judge's own word; `scored` and `entities_scored` are the same
    labels as they stand in the score, after our comparison of exact data. `by_rules` and `entities_by_rules` are of
    what rules decided, which flatters no figure of the judge. `undecided` had no majority and were compared as the
    score counts them. `served` are the names that the server gave the model. `date` is in UTC; the `replies` may be
    older.
    """

    task: str
    model: str
    prompt: str
    votes: int
    date: str
    labels: str
    replies: Replies
    whole: Agreement
    scored: Agreement
    languages: Mapping[str, Agreement] = field(default_factory=dict)
    classes: Mapping[str, Agreement] = field(default_factory=dict)
    by_rules: Agreement = field(default_factory=Agreement)
    entities: Agreement = field(default_factory=Agreement)
    entity_languages: Mapping[str, Agreement] = field(default_factory=dict)
    entities_scored: Agreement = field(default_factory=Agreement)
    entities_by_rules: Agreement = field(default_factory=Agreement)
    undecided: int = 0
    served: tuple[str, ...] = ()

    @property
    def unlisted(self) -> int:
        """How many labelled entities the judge did not name."""
        return sum(count for (_, judge), count in self.entities.counts.items() if judge == NOT_LISTED)


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
