"""The JSON Schemas of what is written, as they are published with the package."""

import json
from importlib import resources
from typing import Any

__all__ = ["intent_schema", "report_schema", "semantic_schema"]


def _schema(name: str) -> dict[str, Any]:
    text = resources.files("pytest_asrgate.reports").joinpath(name).read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def intent_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `asrgate.intent/1`, which `asrgate judge --task intent` writes."""
    return _schema("intent.schema.json")


def report_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `asrgate.report/1`, which every report of this version fulfils."""
    return _schema("report.schema.json")


def semantic_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `asrgate.semantic/1`, which `asrgate judge --task semantic` writes."""
    return _schema("semantic.schema.json")
