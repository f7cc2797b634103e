"""Hypotheses and references as a file holds them, whatever its format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_asrgate.records import Hypothesis

__all__ = ["StoredHypotheses", "StoredReferences"]


@dataclass(frozen=True, slots=True)
class StoredHypotheses:
    """One file of hypotheses; every mapping but `header` and `terms` is by utterance id, `rows` in file order.

    `terms` is the contract that the header records, `references` the raw reference texts, `languages` the rows'
    own canonical languages, `language` that of the header, `fields` each row as it stands in the file, and `lines`
    its number from 1. Formats that cannot say a thing leave its mapping empty.
    """

    path: Path
    header: Mapping[str, Any] = field(default_factory=dict)
    terms: Mapping[str, object] = field(default_factory=dict)
    rows: Mapping[str, Hypothesis] = field(default_factory=dict)
    references: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    language: str | None = None

    def place(self, identity: str) -> str:
        """File, line where there is one, and id of a row, for a message."""
        line = f":{self.lines[identity]}" if identity in self.lines else ""
        return f"{self.path}{line} ({identity})"


@dataclass(frozen=True, slots=True)
class StoredReferences:
    """Raw reference texts of one file by utterance id; `languages` and `fields` as in StoredHypotheses."""

    texts: Mapping[str, str]
    languages: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
