"""A piece of two aligned texts that differs, as a rule looks at it, and what the rule says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.forms import is_plural_pair, kin_key
from pytest_asrgate.semantic.words import Text, Word

__all__ = ["Edit", "Rule", "Settled", "quoted"]


@dataclass(frozen=True)
class Edit:
    """Words of a reference against words of a hypothesis; half-open ranges, one of which may be empty."""

    reference: Text
    hypothesis: Text
    spoken: tuple[int, int]
    heard: tuple[int, int]

    @cached_property
    def spoken_words(self) -> tuple[Word, ...]:
        """The words of the reference."""
        return self.reference.words[slice(*self.spoken)]

    @cached_property
    def heard_words(self) -> tuple[Word, ...]:
        """The words of the hypothesis."""
        return self.hypothesis.words[slice(*self.heard)]

    @property
    def sides(self) -> tuple[tuple[Text, tuple[int, int]], tuple[Text, tuple[int, int]]]:
        """Both texts with the range of each."""
        return (self.reference, self.spoken), (self.hypothesis, self.heard)

    @property
    def one_for_one(self) -> tuple[Word, Word] | None:
        """The two words of a single substitution, None for any other edit."""
        if len(self.spoken_words) == len(self.heard_words) == 1:
            return self.spoken_words[0], self.heard_words[0]
        return None

    @property
    def one_sided(self) -> tuple[Text, tuple[int, int]] | None:
        """The text and range of words that the other side lacks; None where both sides have words."""
        if self.spoken_words and self.heard_words:
            return None
        return self.sides[0] if self.spoken_words else self.sides[1]

    def before(self, count: int) -> list[Word]:
        """Up to so many words that stand before the edit in each text."""
        return [word for text, (start, _) in self.sides for word in text.words[max(0, start - count) : start]]

    def after(self, count: int) -> list[Word]:
        """Up to so many words that stand after the edit in each text."""
        return [word for text, (_, stop) in self.sides for word in text.words[stop : stop + count]]

    @property
    def alike_before(self) -> bool:
        """Whether the words right before the edit are equal, kin or begin alike, or both texts begin here."""
        first, second = (text.words[start - 1 : start] if start else () for text, (start, _) in self.sides)
        return _alike(first, second)

    @property
    def alike_after(self) -> bool:
        """The same of the words right after it."""
        first, second = (text.words[stop : stop + 1] for text, (_, stop) in self.sides)
        return _alike(first, second)


def _alike(first: Sequence[Word], second: Sequence[Word]) -> bool:
    if not first or not second:
        return len(first) == len(second)
    one, other = first[0], second[0]
    shorter, longer = sorted((one.text, other.text), key=len)
    if len(shorter) > 1 and longer.startswith(shorter):
        return True  # one may be the other's first part: `wi fi`, `wifi`
    kin = kin_key(one.text) == kin_key(other.text) or is_plural_pair(one.text, other.text)
    return kin or not {one.text, *one.variants}.isdisjoint({other.text, *other.variants})


@dataclass(frozen=True, slots=True)
class Settled:
    """What a rule says of an edit: its label, and one sentence that names the words."""

    label: Label
    reason: str


# A pure function: what it says of an edit, None where it says nothing.
Rule = Callable[[Edit], Settled | None]


def quoted(words: tuple[Word, ...]) -> str:
    """The words of one side as a reason names them."""
    return f'"{" ".join(word.text for word in words)}"' if words else "nothing"
