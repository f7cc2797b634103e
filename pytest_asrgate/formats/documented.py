"""Rows of the form index, hypothesis, ground_truth and context: an utterance each, called by its index or id."""

from collections.abc import Mapping
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.rows import text_of
from pytest_asrgate.values import shown

__all__ = ["is_documented", "is_one_row", "usual_row"]

_TEXTS = frozenset({"hypothesis", "ground_truth"})
_NAMES = ("index", "id")
# Whole numbers beyond it are no longer exact in every program that reads JSON.
_LARGEST_INDEX = 10**15


def is_documented(row: Mapping[str, Any]) -> bool:
    """Whether a row has this form, and not that of rows with `hyp_text`; without an id a part of it is enough."""
    if "hyp_text" in row:
        return False
    return row.keys() >= _TEXTS if "id" in row else not _TEXTS.isdisjoint(row)


def is_one_row(found: Mapping[str, Any]) -> bool:
    """Whether an object of a .json file is such a row, and not texts by id: by its keys, or by its index."""
    keys = found.keys()
    named = any(name in keys for name in _NAMES)
    if named and keys >= _TEXTS and keys <= _TEXTS | {*_NAMES, "context", "language"}:
        return True
    return not isinstance(found.get("index", ""), str) and not _TEXTS.isdisjoint(keys)


def _number(row: Mapping[str, Any], key: str, where: str) -> int:
    """The whole number under a key; DatasetError for anything else."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LARGEST_INDEX:
        found = "missing" if key not in row else shown(value)
        raise DatasetError(f"{where}: {key} must be a whole number from 0 to 10**15; it is {found}")
    return value


def usual_row(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The row with `id`, `hyp_text` and `ref_text` beside its own keys; DatasetError for one that is wrong.

    An `id`, a text or a whole number, names the utterance, else its `index`. An `id` that is neither is left for
    whoever reads ids. What `context` holds is only asked of where a judge is to see it.
    """
    name = row.get("id")
    if "id" not in row or "index" in row:
        index = _number(row, "index", where)
        name = name if "id" in row else str(index)
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(_number(row, "id", where))
    where = f"{where} ({name})" if isinstance(name, str) and name else where
    texts = {key: text_of(row, key, where) for key in ("hypothesis", "ground_truth")}
    return {**row, "id": name, "hyp_text": texts["hypothesis"], "ref_text": texts["ground_truth"]}
