"""A word while it is being read: what the stages pass on before it is a `Word`."""

from dataclasses import dataclass

from pytest_asrgate.semantic.tokens import Pause
from pytest_asrgate.semantic.words import Number

__all__ = ["Draft"]


@dataclass(slots=True)
class Draft:
    """A normalised word in the making; `after` is the pause behind it.

    `numeral` says that digits were written: 0 for a word, else which numeral of its piece it belongs to, from 1.
    """

    text: str
    raw: str
    start: int
    compound: int | None = None
    name: bool = False
    variants: tuple[str, ...] = ()
    numeral: int = 0
    after: int = Pause.NONE
    number: Number | None = None
    address: bool = False
