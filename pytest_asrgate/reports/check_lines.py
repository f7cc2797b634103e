"""The checks of a pair as aligned lines, each with its figure, its limit and what it was decided by."""

from collections.abc import Sequence

from pytest_asrgate.reports.entries import CheckEntry, PairEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.figures import figure_text, is_signed
from pytest_asrgate.reports.layout import folded, hanging, padded, text_width, wrapped
from pytest_asrgate.reports.table import verdict_word

__all__ = ["CheckCells", "aligned_checks", "check_cells", "check_lines"]

# Status, name, figure, limit, and the detail that comes last and is not aligned.
CheckCells = tuple[str, str, str, str, str]
# Less than so many cells for the details are no column.
_LEAST_ROOM = 24
_INDENT = _GAP = "  "
_HEADINGS: CheckCells = ("status", "check", "figure", "limit", "detail")


def check_cells(
    name: str,
    status: str,
    value: float | str | None,
    *,
    limit: float | str | None,
    unit: str,
    detail: str,
) -> CheckCells:
    """The cells of one check; differences have a sign, limits have none."""
    asked = "" if limit is None else figure_text(limit, unit, signed=False)
    return status.upper(), name, figure_text(value, unit, signed=is_signed(name)), asked, plain(detail)


def aligned_checks(rows: Sequence[CheckCells], width: int | None = None) -> list[str]:
    """Indented lines with headings; none where there is no check.

    Where the details do not fit into `width` cells they go on under themselves, or in lines of their own; where
    not even the columns fit, figure and limit stand under the check.
    """
    if not rows:
        return []
    made = [_HEADINGS, *rows]
    widths = [max(text_width(row[column]) for row in made) for column in range(4)]
    start = len(_INDENT) + sum(widths) + len(_GAP) * len(widths)
    room = None if width is None else width - start
    if width is not None and start - len(_GAP) > width:
        return [line for row in made for line in _stacked(row, widths, width)]
    lines: list[str] = []
    for row in made:
        cells = [padded(cell, size, left=True) for cell, size in zip(row, widths, strict=False)]
        head = _INDENT + _GAP.join(cells)
        if room is None or text_width(row[4]) <= room:
            lines.append(f"{head}{_GAP}{row[4]}".rstrip())
        elif room >= _LEAST_ROOM:
            first, *rest = folded(row[4], room)
            lines += [f"{head}{_GAP}{first}", *(" " * start + line for line in rest)]
        else:
            indent = _INDENT * 2
            lines += [head.rstrip(), *(indent + line for line in folded(row[4], (width or 0) - len(indent)))]
    return lines


def _stacked(row: CheckCells, widths: Sequence[int], width: int) -> list[str]:
    """One check in lines below each other: status and name, figure and limit, the detail."""
    indent = _INDENT * 2
    figures = padded(row[2], widths[2], left=True) + _GAP + row[3]
    lines = hanging(f"{_INDENT}{padded(row[0], widths[0], left=True)}{_GAP}", row[1], width)
    lines += [indent + figures.rstrip()] if figures.strip() else []
    return lines + (hanging(indent, row[4], width) if row[4] else [])


def check_lines(entry: PairEntry, width: int | None = None) -> list[str]:
    """A heading with the verdict, and every check of the pair and of its slices, also those without a limit."""

    def cells(check: CheckEntry, part: str = "") -> CheckCells:
        return check_cells(
            f"{part}{check['name']}",
            check["status"],
            check["value"],
            limit=check["limit"],
            unit=check["unit"],
            detail=check["detail"],
        )

    rows = [cells(check) for check in entry["checks"]]
    rows += [cells(check, f"slice {plain(part['name'])} ") for part in entry["slices"] for check in part["checks"]]
    heading = f"{plain(entry['variant'])} on {plain(entry['dataset'])}: {verdict_word(entry)}"
    return [*wrapped(heading, width), *aligned_checks(rows, width)]
