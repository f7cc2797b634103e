"""Which node ids, as xdist's workers send them to a controller that collects nothing, are pairs of the gate."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pytest_asrgate.config import Gate

__all__ = ["gate_units", "pairs_of"]


def _split(nodeid: str) -> tuple[str, list[str], str]:
    """File, names, and the group that `--dist loadgroup` puts behind a node id; no name of ours has an @."""
    file, *names = nodeid.split("::")
    group = ""
    if names:
        names[-1], _, group = names[-1].partition("@")
    return file, names, group


def pairs_of(ids: Sequence[str], gate: Gate) -> dict[str, tuple[str, str]]:
    """The pairs that node ids stand for; ids of other tests are left out."""
    known = {(pair.variant.name, pair.dataset.name) for pair in gate.pairs}
    found = {}
    for nodeid in ids:
        file, names, _ = _split(nodeid)
        if len(names) == 2 and file.split("/")[-1] == gate.path.name and tuple(names) in known:
            found[nodeid] = names[0], names[1]
    return found


def gate_units(ids: Sequence[str], pairs: Mapping[str, tuple[str, str]], first: Collection[str]) -> list[list[int]]:
    """The places of the gate's items, one list for each variant, those in `first` (baselines) before all others.

    Where somebody put items of the gate into an xdist group, the group is the unit, with all that is in it.
    """
    groups = {group for nodeid in pairs if (group := _split(nodeid)[2])}
    units: dict[tuple[bool, str], list[int]] = {}
    early = set()
    for place, nodeid in enumerate(ids):
        group = next((group for group in groups if nodeid.endswith(f"@{group}")), "")
        if not group and nodeid not in pairs:
            continue
        variant = pairs[nodeid][0] if nodeid in pairs else ""
        key = (True, group) if group else (False, variant)
        units.setdefault(key, []).append(place)
        if variant in first:
            early.add(key)
    return [units[key] for key in sorted(units, key=lambda key: key not in early)]
