"""The steps of an alignment, and what equal words do not show: that the numbers they say are not."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.semantic.same_numbers import surely_equal
from pytest_asrgate.semantic.words import Word

__all__ = ["Step", "with_other_numbers"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `=` equal, `J` equal when joined, `S`, `D` or `I`; half-open ranges of words of both texts."""

    kind: str
    spoken: tuple[int, int]
    heard: tuple[int, int]


def with_other_numbers(steps: tuple[Step, ...], spoken: Sequence[Word], heard: Sequence[Word]) -> tuple[Step, ...]:
    """The steps with one substitution where equal words say other numbers: `rooms 20, 5` and `rooms 25`.

    Where one of these numbers has an edit anyway, there is a difference already.
    """
    if not all(any(word.number is not None for word in words) for words in (spoken, heard)):
        return steps
    changed = list(steps)
    edited = {
        (side, word.number.run)
        for step in steps
        if step.kind != "="
        for side, words, part in (("spoken", spoken, step.spoken), ("heard", heard, step.heard))
        for word in words[slice(*part)]
        if word.number is not None
    }
    place = 0
    while place < len(steps):
        stop, touched, other = place, set(), None
        while stop < len(steps) and steps[stop].kind == "=":
            left, right = spoken[steps[stop].spoken[0]].number, heard[steps[stop].heard[0]].number
            if left is None or right is None:
                break
            touched |= {("spoken", left.run), ("heard", right.run)}
            if other is None and not _same_number(steps[stop], spoken, heard):
                other = stop
            stop += 1
        if other is not None and touched.isdisjoint(edited):
            changed[other] = Step("S", steps[other].spoken, steps[other].heard)
        place = max(stop, place + 1)
    return tuple(changed)


def _same_number(step: Step, spoken: Sequence[Word], heard: Sequence[Word]) -> bool:
    """Whether two equal words are of numbers that are surely the same."""
    left, right = spoken[step.spoken[0]].number, heard[step.heard[0]].number
    if left is None or right is None or left == right:
        return True
    places = (spoken, step.spoken[0]), (heard, step.heard[0])
    before, after = ({_neighbour(*place, direction) for place in places} for direction in (-1, 1))
    return left.ordinal == right.ordinal and surely_equal(left, right, before, after)


def _neighbour(words: Sequence[Word], place: int, direction: int) -> str:
    """The word next to a number, before or after all of it; nothing at the ends of the text."""
    number = words[place].number
    while 0 <= place < len(words) and words[place].number is number:
        place += direction
    return words[place].text if 0 <= place < len(words) else ""
