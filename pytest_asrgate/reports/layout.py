"""A table laid out for a terminal: aligned by cells of the screen, and broken into blocks where it is too wide."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

__all__ = ["Cells", "Piece", "folded", "hanging", "laid_out", "padded", "text_width", "wrapped"]

_GAP = "  "
# Of one cell each, and in most tables: no other library need be asked about them.
_NARROW = str.maketrans("", "", "—–≤≥~×%")
# A name is not cut shorter than this; a table of a few cells cannot be read anyway.
_SHORTEST = 5


@dataclass(frozen=True, slots=True)
class Cells:
    """One row; `outcome` is the verdict that its last cell tells, empty for the headings."""

    texts: tuple[str, ...]
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line, and the verdict whose colour it has; empty for none."""

    text: str
    outcome: str = ""


def text_width(text: str) -> int:
    """How many cells of the screen a text takes: two for a wide sign, none for one that joins another."""
    if text.translate(_NARROW).isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - only for texts in other scripts

    return cell_len(text)


def padded(text: str, width: int, *, left: bool) -> str:
    """A text with blanks up to `width` cells, standing to the left or to the right."""
    blanks = " " * (width - text_width(text))
    return text + blanks if left else blanks + text


def _shortened(name: str, width: int) -> str:
    """A name in at most `width` cells, its middle left out: beginnings and ends of names tell them apart."""
    if text_width(name) <= width:
        return name
    head, tail = name[: len(name) // 2], name[len(name) // 2 :]
    while head and tail and text_width(head) + text_width(tail) + 1 > width:
        if text_width(head) > text_width(tail):
            head = head[:-1]
        else:
            tail = tail[1:]
    return f"{head}…{tail}"


def _key_widths(widths: Sequence[int], room: int) -> list[int]:
    """The widths of the key columns within so much room, the widest given up first."""
    found = list(widths)
    while sum(found) > room and max(found) > _SHORTEST:
        found[found.index(max(found))] -= 1
    return found


def _groups(columns: range, joined: Set[int]) -> list[list[int]]:
    """The columns, those that belong together in one list."""
    groups: list[list[int]] = []
    for column in columns:
        if column in joined:
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _blocks(widths: Sequence[int], groups: Sequence[Sequence[int]], room: int) -> list[list[int]]:
    """Which columns beside the keys stand in each block, the last column in the first of them."""
    *others, last = groups
    blocks: list[list[int]] = [[]]
    used = _size(widths, last)
    for group in others:
        size = _size(widths, group)
        if used + size > room and (blocks[-1] or len(blocks) == 1):
            blocks.append([])
            used = 0
        blocks[-1] += group
        used += size
    blocks[0] += last
    return blocks


def _size(widths: Sequence[int], columns: Sequence[int]) -> int:
    """How many cells these columns take with the gap before each."""
    return sum(len(_GAP) + widths[column] for column in columns)


def laid_out(
    rows: Sequence[Cells],
    left: Sequence[bool],
    width: int | None,
    keys: int = 2,
    *,
    joined: Set[int] = frozenset(),
) -> list[tuple[Piece, ...]]:
    """The lines of a table, the first row as headings; `left` says which columns stand to the left.

    No line is wider than `width` cells, where that can be: what does not fit beside the first `keys` columns stands
    in further blocks, which repeat these, and long names in them are shortened. None is any width: one block.
    `joined` are the columns that mean nothing away from the one before them, which is neither a key nor the last.
    """
    widths = [max(text_width(row.texts[column]) for row in rows) for column in range(len(rows[0].texts))]
    key_widths = widths[:keys]
    blocks = [list(range(keys, len(widths)))]
    if width is not None and sum(widths) + len(_GAP) * (len(widths) - 1) > width:
        groups = _groups(range(keys, len(widths)), joined)
        widest = max(_size(widths, group) for group in groups)
        key_widths = _key_widths(key_widths, width - widest - len(_GAP) * (keys - 1))
        blocks = _blocks(widths, groups, width - sum(key_widths) - len(_GAP) * (keys - 1))
    lines: list[tuple[Piece, ...]] = []
    for block in blocks:
        lines += [()] if lines else []
        for row in rows:
            names = [
                padded(_shortened(text, size), size, left=True)
                for text, size in zip(row.texts[:keys], key_widths, strict=True)
            ]
            lines.append(_line(row, [*names], block, widths, left))
    return lines


def _line(
    row: Cells, names: Sequence[str], block: Sequence[int], widths: Sequence[int], left: Sequence[bool]
) -> tuple[Piece, ...]:
    last = len(widths) - 1
    cells = [*names]
    cells += [padded(row.texts[column], widths[column], left=left[column]) for column in block if column != last]
    if last not in block:
        return (Piece(_GAP.join(cells).rstrip()),)
    # The verdict has a colour, and the blanks around it none.
    return (Piece(_GAP.join(cells) + _GAP), Piece(row.texts[last], row.outcome))


def folded(text: str, width: int) -> list[str]:
    """A text broken at blanks into lines of at most `width` cells; a word that is longer stays whole."""
    first, *words = text.split() or [""]
    lines = [first]
    for word in words:
        if text_width(lines[-1]) + 1 + text_width(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def hanging(start: str, text: str, width: int | None) -> list[str]:
    """A text after its start, which is never broken; where it is too wide it goes on under itself."""
    indent = text_width(start)
    if width is None or indent + text_width(text) <= width:
        return [(start + text).rstrip()]
    first, *rest = folded(text, width - indent)
    return [start + first, *(" " * indent + line for line in rest)]


def wrapped(line: str, width: int | None) -> list[str]:
    """A line, broken where it is too wide into lines of which all but the first are indented by two."""
    if width is None or text_width(line) <= width:
        return [line]
    first, *_ = folded(line, width)
    rest = line.split()[len(first.split()) :]
    return [first, *(f"{_GAP}{part}" for part in folded(" ".join(rest), width - len(_GAP)) if part)]
