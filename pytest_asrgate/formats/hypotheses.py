"""Hypotheses in any format that is read here, told apart by the file's name."""

from collections.abc import Mapping
from pathlib import Path

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.documented import is_one_row
from pytest_asrgate.formats.jsonl import read_jsonl, stored_rows
from pytest_asrgate.formats.plain import plain_texts
from pytest_asrgate.formats.score_file import score_rows
from pytest_asrgate.formats.stored import StoredHypotheses
from pytest_asrgate.formats.trn import read_trn
from pytest_asrgate.jsonlines import read_json
from pytest_asrgate.records import Hypothesis

__all__ = ["StoredHypotheses", "read_hypotheses"]


def _of_texts(path: Path, texts: Mapping[str, str]) -> StoredHypotheses:
    """Formats that hold nothing but texts say nothing of errors, references, languages or a recipe."""
    return StoredHypotheses(path, rows={identity: Hypothesis(identity, text) for identity, text in texts.items()})


def read_hypotheses(path: Path) -> StoredHypotheses:
    """Read `.trn`, `.score.json` (a score file), any other `.json`, and all else as JSON lines.

    A `.json` holds `{id: text}`, an array of rows, or one row with an index or an id.

    Raises DatasetError or IntegrityError by file, line and id for whatever cannot be used.
    """
    name = path.name.lower()
    if name.endswith(".trn"):
        return _of_texts(path, read_trn(path))
    if name.endswith(".score.json"):
        return score_rows(path)
    if name.endswith(".json"):
        return _of_json(path)
    return read_jsonl(path)


def _of_json(path: Path) -> StoredHypotheses:
    """An array of rows, or one object: a row with an index or an id, or texts by id."""
    found = read_json(path)
    if isinstance(found, list):
        odd = next(((at, row) for at, row in enumerate(found, start=1) if not isinstance(row, dict)), None)
        if odd is not None:
            raise DatasetError(f"{path}, row {odd[0]}: a row is a JSON object; got {type(odd[1]).__name__}")
        return stored_rows(path, enumerate(found, start=1), "row")
    if not isinstance(found, dict):
        raise DatasetError(f"{path}: must hold a JSON object or an array of rows; it holds {type(found).__name__}")
    if is_one_row(found):
        return stored_rows(path, [(1, found)], "row")
    return _of_texts(path, plain_texts(path, found))
