"""One thing wrong in a gate file."""

from dataclasses import dataclass

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a gate file: the dotted key, and a sentence saying what would be right."""

    key: str
    message: str
