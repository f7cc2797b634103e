"""What a judge can be asked: a task, its questions, and what comes back. The judge knows no task by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Failure", "FailureKind", "Item", "Question", "Ruling", "Task"]


@dataclass(frozen=True, slots=True)
class Item:
    """What one reply says of one item: its reason, then its label.

    `quote` holds words of a transcript where the task asks for some, and `weight` a number where it asks for one;
    labels alone are voted on.
    """

    label: str
    reason: str
    quote: str = ""
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of question.

    `version` is raised whenever `instructions`, the schema or the reading of replies change. `schema` gives the
    strict JSON schema of a reply to a question; `parse` reads a reply that is JSON and returns an Item by id, and
    raises ReplyError with what is wrong otherwise (schema, exact set of ids, ranges). `unsure` is the label that
    asks for a vote; `contradicts` says whether an item's reason speaks against its label, which does too.
    """

    name: str
    version: int
    instructions: str
    schema: Callable[["Question"], Mapping[str, object]]
    parse: Callable[["Question", object], Mapping[str, Item]]
    contradicts: Callable[[Item], bool]
    unsure: str = "unsure"


@dataclass(frozen=True, slots=True)
class Question:
    """One question: `data` is what the judge sees, as JSON; equal data of one task is asked once.

    `risky` names why it is voted on whatever the first reply says, such as a number that differs; it depends on
    `data` alone.
    """

    task: Task
    data: Mapping[str, object]
    risky: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a judge says of a question: by item id the label that won, its reason, and all labels in vote order.

    An item without a majority has the task's `unsure` label. `contradicted` names the items whose first reply
    spoke against its own label.
    """

    items: Mapping[str, Item]
    votes: Mapping[str, tuple[str, ...]]
    contradicted: tuple[str, ...] = ()


class FailureKind(StrEnum):
    """Why there is no ruling."""

    MISSING = "missing"  # the cassette does not have it, and only the cassette may be asked
    BUDGET = "budget"
    REFUSED = "refused"  # the model would not answer, a filter stopped it, or the server would not have the request
    MALFORMED = "malformed"  # no valid reply, and none after the one repair
    UNAUTHORISED = "unauthorised"
    UNAVAILABLE = "unavailable"  # outage, rate limit, time-out, after all retries
    NOT_ASKED = "not asked"  # the judge failed so often before that the rest was spared


@dataclass(frozen=True, slots=True)
class Failure:
    """A question without a ruling, and the sentence that says why."""

    kind: FailureKind
    sentence: str
