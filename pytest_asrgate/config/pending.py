"""Keys that the gate file may hold but this version does not act on: refused, or noted where they change nothing.

A key that would be read and ignored is a lie about the verdict, so whatever would change a figure is refused.
"""

from pytest_asrgate.config.schema import GateFile
from pytest_asrgate.records import Problem

__all__ = ["pending"]


def _refused(key: str, neutral: str) -> Problem:
    return Problem(key, f"not built yet in this version; leave it {neutral}")


def pending(file: GateFile) -> tuple[list[Problem], list[str]]:
    """Return the problems, and the notes on keys that have no effect yet."""
    problems = []
    notes = []
    if file.judge.min_kappa is not None:
        problems.append(_refused("judge.min_kappa", "out"))
    ships = [name for name, variant in file.variant.items() if variant.ship]
    if ships:
        notes.append(f"ship = true has no effect yet ({', '.join(ships)}): the ledger is not built in this version")
    return problems, notes
