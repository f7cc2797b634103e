"""A word while it is being read: what the stages pass on before it is a `Word`."""

from dataclasses import dataclass

from pytest_asrgate.semantic.tokens import Pause
from pytest_asrgate.semantic.words import Number

__all__ = ["Draft"]


@dataclass(slots=True)
class Draft:
    """A normalised word in the making; `numeral` says that digits were written, `after` is the pause behind it."""

    text: str
    raw: str
    start: int
    compound: int | None = None
    name: bool = False
    variants: tuple[str, ...] = ()
    numeral: bool = False
    after: int = Pause.NONE
    number: Number | None = None
