"""The slice that lost most, for the table, and the lines about slices under it."""

from collections.abc import Sequence

from pytest_asrgate.reports.entries import PairEntry, SliceEntry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.values import plural

__all__ = ["slice_lines", "worst_cell", "worst_slice"]

# In characters; a tag may have a hundred, and a table is read at a glance.
_WIDEST = 24


def worst_slice(entry: PairEntry) -> SliceEntry | None:
    """The slice that lost most against the baseline, or of the highest rate where nothing was compared.

    Only slices with reference words have either.
    """
    if entry["delta_pp"] is not None:
        compared = [part for part in entry["slices"] if part["delta_pp"] is not None]
        # Where no slice lost anything, none is the worst.
        lost = [part for part in compared if (part["delta_pp"] or 0.0) > 0]
        return max(lost, key=lambda part: part["delta_pp"] or 0.0, default=None)
    rated = [part for part in entry["slices"] if part["rate_pct"] is not None]
    return max(rated, key=lambda part: part["rate_pct"] or 0.0, default=None)


def worst_cell(entry: PairEntry) -> str:
    """The worst slice's name, shortened, with its difference in percentage points or its rate in percent."""
    part = worst_slice(entry)
    if part is None:
        return "—"
    name = plain(part["name"])
    short = name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}…"
    return f"{short} {part['rate_pct']:.2f} %" if part["delta_pp"] is None else f"{short} {part['delta_pp']:+.2f}"


def _bounds(part: SliceEntry) -> str:
    lower, upper = part["lower_pp"], part["upper_pp"]
    return "no bounds" if lower is None or upper is None else f"bounds {lower:+.2f} and {upper:+.2f} pp"


def slice_lines(entries: Sequence[PairEntry]) -> list[str]:
    """For each dataset: how large each variant's worst slice is, how sure its loss, and what was left out."""
    worst: dict[str, list[str]] = {}
    most: dict[str, int] = {}
    left_out: dict[str, int] = {}
    early = {entry["dataset"] for entry in entries if entry["early"]}
    for entry in entries:
        name, part = entry["dataset"], worst_slice(entry)
        if part is not None and part["delta_pp"] is not None:
            size = plural(part["n"], "utterance")
            worst.setdefault(name, []).append(f"{entry['variant']} {part['name']} ({size}, {_bounds(part)})")
        most[name] = max(most.get(name, 0), len(entry["slices"]))
        if entry["words"]:
            left_out[name] = max(left_out.get(name, 0), entry["slices_left_out"])
    lines = []
    for name, found in worst.items():
        which = f"worst of {most[name]} slices" if most[name] > 1 else "its one slice"
        level = "bounds of each one's look" if name in early else "one-sided 95 % bounds"
        chance = "; the worst of several looks bad by chance too: no bound is corrected for that"
        lines.append(plain(f"{name}, {which} ({level}): {', '.join(found)}") + (chance if most[name] > 1 else ""))
    for name, count in left_out.items():
        if count:
            lines.append(
                f"{plain(name)}: {plural(count, 'tag')} left out of the slices (one utterance, or beyond the 50 "
                "most frequent); a slice of the gate file is never left out"
            )
    return lines
