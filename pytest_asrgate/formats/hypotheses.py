"""Hypotheses in any format that is read here, told apart by the file's name."""

from collections.abc import Mapping
from pathlib import Path

from pytest_asrgate.formats.jsonl import read_jsonl
from pytest_asrgate.formats.plain import read_plain
from pytest_asrgate.formats.score_file import score_rows
from pytest_asrgate.formats.stored import StoredHypotheses
from pytest_asrgate.formats.trn import read_trn
from pytest_asrgate.records import Hypothesis

__all__ = ["StoredHypotheses", "read_hypotheses"]


def _of_texts(path: Path, texts: Mapping[str, str]) -> StoredHypotheses:
    """Formats that hold nothing but texts say nothing of errors, references, languages or a recipe."""
    return StoredHypotheses(path, rows={identity: Hypothesis(identity, text) for identity, text in texts.items()})


def read_hypotheses(path: Path) -> StoredHypotheses:
    """Read `.trn`, `.score.json` (a score file), any other `.json` (`{id: text}`), and all else as JSON lines.

    Raises DatasetError or IntegrityError by file, line and id for whatever cannot be used.
    """
    name = path.name.lower()
    if name.endswith(".trn"):
        return _of_texts(path, read_trn(path))
    if name.endswith(".score.json"):
        return score_rows(path)
    if name.endswith(".json"):
        return _of_texts(path, read_plain(path))
    return read_jsonl(path)
