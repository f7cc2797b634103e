"""The checks of each pair with their limits, those that decided first."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.reports.entries import CheckEntry, PairEntry
from pytest_asrgate.reports.figures import figure_text, is_signed
from pytest_asrgate.reports.table import verdict_word

__all__ = ["CheckBlock", "CheckRow", "check_blocks"]

_ORDER = ("error", "fail", "inconclusive", "pass")


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check as it is shown; `outcome` is the verdict it stands for, empty for what has no limit."""

    name: str
    status: str
    outcome: str
    figure: str
    limit: str
    detail: str


@dataclass(frozen=True, slots=True)
class CheckBlock:
    """All checks of one pair."""

    variant: str
    dataset: str
    outcome: str
    word: str
    reason: str
    rows: tuple[CheckRow, ...]


def _row(check: CheckEntry, part: str) -> CheckRow:
    signed = is_signed(check["name"])
    return CheckRow(
        name=f"{part}{check['name']}",
        status=check["status"],
        outcome=check["status"] if check["status"] in _ORDER else "none",
        figure=figure_text(check["value"], check["unit"], signed=signed),
        limit="" if check["limit"] is None else figure_text(check["limit"], check["unit"], signed=False),
        detail=check["detail"],
    )


def _rank(row: CheckRow) -> int:
    return _ORDER.index(row.outcome) if row.outcome in _ORDER else len(_ORDER)


def check_blocks(pairs: Sequence[PairEntry]) -> tuple[CheckBlock, ...]:
    """One block a pair, in their order; in it what decided comes first and what has no limit last."""
    blocks = []
    for entry in pairs:
        rows = [_row(check, "") for check in entry["checks"]]
        rows += [_row(check, f"slice {part['name']} ") for part in entry["slices"] for check in part["checks"]]
        blocks.append(
            CheckBlock(
                variant=entry["variant"],
                dataset=entry["dataset"],
                outcome=entry["verdict"].lower(),
                word=verdict_word(entry),
                # What decided stands in the rows, where there are any.
                reason="" if rows else entry["reason"],
                rows=tuple(sorted(rows, key=_rank)),
            )
        )
    return tuple(blocks)
