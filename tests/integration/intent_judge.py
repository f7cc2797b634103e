"""A scripted judge on loopback that answers both questions about intent and entities."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.integration.judged_gate import SemanticJudge, data_of
from tests.support.judge_server import Answer, Seen, said

__all__ = ["IntentJudge", "task_of", "tasks_of"]

# The entities of a reference, each with its kind and importance.
Listing = Callable[[str], list[tuple[str, str, int]]]
# The verdict on the intent of a question.
Intent = Callable[[Mapping[str, Any]], str]


def task_of(seen: Seen) -> str:
    """Which task a request belongs to."""
    name: str = seen.body["response_format"]["json_schema"]["name"]
    return name


def tasks_of(server: SemanticJudge) -> list[str]:
    """The task of every request that came, in order."""
    return [task_of(seen) for seen in server.seen]


def _last_word(reference: str) -> list[tuple[str, str, int]]:
    return [(reference.rsplit(maxsplit=1)[-1], "object", 2)]


def _lost(data: Mapping[str, Any]) -> str:
    return "lost"


class IntentJudge(SemanticJudge):
    """Lists the last word of a reference, calls it preserved where the hypothesis has it, and every intent lost.

    `listing` and `intent` answer otherwise.
    """

    def __init__(self, *, listing: Listing = _last_word, intent: Intent = _lost, **given: Any) -> None:
        super().__init__(**given)
        self._listing, self._intent = listing, intent

    def _ruling(self, seen: Seen) -> Answer:
        data, task = data_of(seen), task_of(seen)
        if task == "semantic":
            return super()._ruling(seen)
        if task == "entities":
            found = self._listing(data["reference"])
            rows = [{"text": text, "kind": kind, "importance": weight} for text, kind, weight in found]
            return said(json.dumps({"entities": rows}))
        reply: dict[str, object] = {"intent": {"reason": "as I hear it", "verdict": self._intent(data)}}
        for row in data["entities"]:
            there = row["text"] in data["hypothesis"].split()
            reply[row["id"]] = {
                "reason": "as I hear it",
                "heard": row["text"] if there else "",
                "verdict": "preserved" if there else "missing",
            }
        return said(json.dumps(reply))
