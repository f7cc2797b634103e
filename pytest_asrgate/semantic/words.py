"""A text as the semantic error rate reads it: normalised words, each with what it was before."""

from dataclasses import dataclass

__all__ = ["Number", "Text", "Word"]


@dataclass(frozen=True, slots=True)
class Number:
    """A run of words that say one number, or digits one after the other.

    `digits` is what is equal for equal numbers however they were written: "300" for `300` and `three hundred`,
    "25" for `25`, `twenty five` and `two five`, "1995" for `1995` and `nineteen ninety five`, "3.5" for a decimal,
    "-5" for a negative, "007" keeps its zeros. `ordinal` tells `5th` from `5`. `run` counts runs of a text,
    from 0.

    `parts` are the digits of what was written or said apart: "2" and "10" of `two 10`, "210" of `210`; empty
    where that was not looked at. `written` says that a numeral is among them, `clock` that one has a colon.
    """

    run: int
    digits: str
    ordinal: bool = False
    parts: tuple[str, ...] = ()
    written: bool = False
    clock: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """One normalised word, as it counts in N; `raw` is the piece of the raw text that it comes from.

    `compound` is shared by the words of one hyphenated piece and None for others; `address` says that the word is
    part of an address of mail or web. `start` is where the raw piece
    begins in the raw text, in characters; `name` says that the piece looks like a proper name (upper case that is
    not the first word of a sentence, and not `I`). `variants` are other readings that are as good (`st` is saint or
    street, where `text` is one of them).
    """

    text: str
    raw: str
    start: int
    compound: int | None = None
    number: Number | None = None
    name: bool = False
    variants: tuple[str, ...] = ()
    address: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A normalised text; `cut` says that the raw text shows that it was cut off (ends in `…`, `...`, `-` or `—`).

    `ended` says that it ends like a whole sentence, in `.`, `?` or `!`.
    """

    raw: str
    words: tuple[Word, ...]
    cut: bool = False
    ended: bool = False

    @property
    def normalised(self) -> str:
        """The normalised words with blanks between them."""
        return " ".join(word.text for word in self.words)
