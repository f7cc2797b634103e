"""A task for judges in tests: which of some numbered differences matter; and questions of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import ReplyError
from pytest_asrgate.judge.task import Item, Question, Task

__all__ = ["TASK", "question", "settings"]

LABELS = ("same", "error", "unsure")


def _schema(question: Question) -> Mapping[str, object]:
    row = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": _ids(question)},
            "reason": {"type": "string"},
            "label": {"type": "string", "enum": list(LABELS)},
        },
        "required": ["id", "reason", "label"],
        "additionalProperties": False,
    }
    count = len(_ids(question))
    rows = {"type": "array", "items": row, "minItems": count, "maxItems": count}
    return {
        "type": "object",
        "properties": {"differences": rows},
        "required": ["differences"],
        "additionalProperties": False,
    }


def _ids(question: Question) -> list[str]:
    rows: Any = question.data["differences"]
    return [row["id"] for row in rows]


def _parse(question: Question, value: object) -> Mapping[str, Item]:
    rows = value.get("differences") if isinstance(value, dict) else None
    if not isinstance(rows, list):
        raise ReplyError("the reply has no list of differences")
    found: dict[str, Item] = {}
    for row in rows:
        if not isinstance(row, dict) or set(row) != {"id", "reason", "label"} or row["label"] not in LABELS:
            raise ReplyError("the reply has a difference without id, reason or label")
        if row["id"] in found:
            raise ReplyError(f"the reply has difference {row['id']} twice")
        found[row["id"]] = Item(row["label"], str(row["reason"]))
    if set(found) != set(_ids(question)):
        raise ReplyError(f"the reply has the differences {sorted(found)}, asked were {_ids(question)}")
    return found


TASK = Task(
    name="differences",
    version=1,
    instructions="Two sentences and their differences. Say for each whether the meaning stays the same.",
    schema=_schema,
    parse=_parse,
    contradicts=lambda _: False,
)


def question(
    reference: str = "turn left", hypothesis: str = "turn right", ids: tuple[str, ...] = ("1", "2"), **changes: Any
) -> Question:
    """A question about two sentences with a difference for each id."""
    rows = [{"id": name, "reference": reference, "hypothesis": hypothesis} for name in ids]
    return Question(TASK, {"reference": reference, "hypothesis": hypothesis, "differences": rows}, **changes)


def settings(folder: Path, **changes: Any) -> JudgeSettings:
    """Settings of a judge that records into a folder, one call at a time, without votes."""
    usual: dict[str, Any] = {
        "cassette": folder / "judge.jsonl",
        "folder": folder / "spending",
        "model": "openai/stand-in",
        "mode": "record",
        "votes": 1,
        "concurrency": 1,
        "timeout_s": 10.0,
    }
    return JudgeSettings(**{**usual, **changes})
