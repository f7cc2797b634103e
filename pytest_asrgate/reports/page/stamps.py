"""What was asked for and what it was made with: the recipe of each data set, and the stamps of each variant."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_asrgate.reports.entries import PairEntry

__all__ = ["StampBlock", "StampRow", "stamp_blocks"]


@dataclass(frozen=True, slots=True)
class StampRow:
    """One key with its value in each column; `differs` where they are not all the same."""

    key: str
    values: tuple[str, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class StampBlock:
    """One table of keys and values."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[StampRow, ...]


def _text(value: object) -> str:
    if value is None:
        return "—"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _block(title: str, columns: Mapping[str, Mapping[str, object]], without: Iterable[str] = ()) -> StampBlock:
    left_out = set(without)
    keys = dict.fromkeys(key for stamp in columns.values() for key in stamp if key not in left_out)
    rows = []
    for key in keys:
        values = tuple(_text(stamp.get(key)) for stamp in columns.values())
        rows.append(StampRow(key, values, len(set(values)) > 1))
    return StampBlock(title, tuple(columns), tuple(rows))


def stamp_blocks(pairs: Sequence[PairEntry]) -> tuple[StampBlock, ...]:
    """The contract of every data set, then the stamps of all variants for each; pairs without a score have none."""
    recipes: dict[str, dict[str, object]] = {}
    stamps: dict[str, dict[str, dict[str, object]]] = {}
    for entry in pairs:
        if entry["contract"]:
            # All pairs of a data set that were compared have one contract: that is what a comparison asks for.
            recipes.setdefault(entry["dataset"], entry["contract"])
            stamps.setdefault(entry["dataset"], {})[entry["variant"]] = entry["stamp"]
    if not recipes:
        return ()
    known = {key for recipe in recipes.values() for key in recipe}
    blocks = [_block("Recipe: what may be compared", recipes)]
    blocks += [_block(f"Stamps on {name}: what it was made with", made, known) for name, made in stamps.items()]
    return tuple(blocks)
