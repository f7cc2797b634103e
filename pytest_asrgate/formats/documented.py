"""Rows of the form index, hypothesis, ground_truth and context: an utterance each, called by its index."""

from collections.abc import Mapping
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.rows import text_of
from pytest_asrgate.values import shown

__all__ = ["is_documented", "is_one_row", "usual_row"]

_TEXTS = frozenset({"hypothesis", "ground_truth"})
_KEYS = _TEXTS | {"index"}


def is_documented(row: Mapping[str, Any]) -> bool:
    """Whether a row has this form, or a part of it, and not that of rows with `id` and `hyp_text`."""
    return "id" not in row and "hyp_text" not in row and not _TEXTS.isdisjoint(row)


def is_one_row(found: Mapping[str, Any]) -> bool:
    """Whether an object of a .json file is such a row, and not texts by id: by its keys, or by its index."""
    keys = found.keys()
    if keys >= _KEYS and keys <= _KEYS | {"context", "language"}:
        return True
    return not isinstance(found.get("index", ""), str) and not _TEXTS.isdisjoint(keys)


def usual_row(row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The row with `id`, `hyp_text` and `ref_text` beside its own keys; DatasetError for one that is wrong."""
    index = row.get("index")
    if isinstance(index, bool) or not isinstance(index, int):
        found = "missing" if "index" not in row else shown(index)
        raise DatasetError(f"{where}: index must be a whole number; it is {found}")
    where = f"{where} ({index})"
    texts = {key: text_of(row, key, where) for key in ("hypothesis", "ground_truth")}
    if row.get("context") is not None:
        text_of(row, "context", where)
    return {**row, "id": str(index), "hyp_text": texts["hypothesis"], "ref_text": texts["ground_truth"]}
