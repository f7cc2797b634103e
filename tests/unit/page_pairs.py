"""What the tests of the page share: trails of judged utterances as the report has them."""

from typing import Any, cast

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.intent_trail import IntentTrailEntry
from pytest_asrgate.reports.trail import TrailEntry

__all__ = ["intent_trail", "semantic_trail", "with_trails"]


def semantic_trail(
    identity: str, *, label: str, substitutions: int | None = 1, reason: str = "", **changes: Any
) -> TrailEntry:
    """The trail of "go at nine" heard as "go at five", one substitution."""
    nothing = None if substitutions is None else 0
    difference: Any = {
        "number": 1,
        "ref": "nine",
        "hyp": "five",
        "label": label,
        "decided_by": "rule number",
        "reason": reason,
        "votes": [],
        "substitutions": 1,
        "deletions": 0,
        "insertions": 0,
    }
    trail = {
        "id": identity,
        "ref": "go at nine",
        "hyp": "go at five",
        "substitutions": substitutions,
        "deletions": nothing,
        "insertions": nothing,
        "words": None if substitutions is None else 3,
        "asked": False,
        "judge_error": "",
        "warning": "",
        "alignment": [["S", "nine", "five"]],
        "differences": [difference],
    }
    return cast("TrailEntry", trail | changes)


def intent_trail(
    identity: str, *, score: int | None, entities: list[str] | None = None, **changes: Any
) -> IntentTrailEntry:
    """A trail with this intent score, and an entity for each status."""
    trail = {
        "id": identity,
        "language": "en",
        "intent_score": score,
        "intent_explanation": "another time",
        "entity_score": None if score is None else float(score),
        "entity_explanation": "",
        "empty_reference": False,
        "decided_by": "judge",
        "votes": ["lost", "lost", "kept"],
        "asked": True,
        "judge_error": "",
        "warning": "",
        "entities": [
            {
                "number": number,
                "text": "nine",
                "kind": "time",
                "importance": 3,
                "status": status,
                "heard": "",
                "decided_by": "judge",
                "reason": "",
                "votes": [],
            }
            for number, status in enumerate(entities or [], start=1)
        ],
    }
    return cast("IntentTrailEntry", trail | changes)


def with_trails(
    pair: PairEntry, semantic: list[TrailEntry] | None = None, intent: list[IntentTrailEntry] | None = None
) -> PairEntry:
    """The pair with these trails, and of its judged scores nothing else."""
    changed: Any = dict(pair)
    changed["semantic"] = {"utterances": semantic} if semantic else None
    changed["intent"] = {"utterances": intent} if intent else None
    return cast("PairEntry", changed)
