"""Keys that the gate file may hold but this version does not act on: noted where they change nothing.

A key that would be read and ignored is a lie about the verdict, so whatever would change a figure must be refused.
"""

from pytest_asrgate.config.schema import GateFile

__all__ = ["pending"]


def pending(file: GateFile) -> list[str]:
    """Return the notes on keys that have no effect yet."""
    ships = [name for name, variant in file.variant.items() if variant.ship]
    if not ships:
        return []
    return [f"ship = true has no effect yet ({', '.join(ships)}): the ledger is not built in this version"]
