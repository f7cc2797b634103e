"""Hypotheses as a file holds them, whatever its format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_asrgate.records import Hypothesis

__all__ = ["StoredHypotheses"]


@dataclass(frozen=True, slots=True)
class StoredHypotheses:
    """One file of hypotheses; every mapping but `header` and `terms` is by utterance id, `rows` in file order.

    `terms` is the contract that the header records, `references` the raw reference texts, `languages` the rows'
    own canonical languages, `language` that of the header, and `fields` each row as it stands in the file. Formats
    that cannot say a thing leave its mapping empty.
    """

    path: Path
    header: Mapping[str, Any] = field(default_factory=dict)
    terms: Mapping[str, object] = field(default_factory=dict)
    rows: Mapping[str, Hypothesis] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    language: str | None = None
