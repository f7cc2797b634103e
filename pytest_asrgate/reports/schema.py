"""The JSON Schema of the report, as it is published with the package."""

import json
from importlib import resources
from typing import Any

__all__ = ["report_schema"]


def report_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `asrgate.report/1`, which every report of this version fulfils."""
    text = resources.files("pytest_asrgate.reports").joinpath("report.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
