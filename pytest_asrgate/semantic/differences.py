"""What differs between two aligned texts: numbered, labelled where a rule is certain, grouped where none is.

An edit that touches a number is widened to the whole number on both sides. What a rule settles is a difference of
its own; adjacent edits that none settles are one open difference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pytest_asrgate.records import Difference
from pytest_asrgate.semantic.alignment import Step
from pytest_asrgate.semantic.counting import cost_of
from pytest_asrgate.semantic.edit import Edit, Settled
from pytest_asrgate.semantic.rules import GROUP_RULES, JOIN_RULES, NUMBER_RULES, PIECE_RULES, NamedRules, settle
from pytest_asrgate.semantic.words import Text, Word

__all__ = ["Found", "find_differences"]

_LONGEST_PIECE = 3


@dataclass(frozen=True, slots=True)
class Found:
    """A difference with the words that it is about, and the half-open range of steps that it covers."""

    difference: Difference
    edit: Edit
    steps: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Texts:
    reference: Text
    hypothesis: Text
    steps: Sequence[Step]

    def edit(self, first: int, stop: int) -> Edit:
        """The words that some steps lead through."""
        part = self.steps[first:stop]
        return Edit(
            self.reference,
            self.hypothesis,
            (part[0].spoken[0], part[-1].spoken[1]),
            (part[0].heard[0], part[-1].heard[1]),
        )

    def found(self, first: int, stop: int, settled: tuple[str, Settled] | None) -> Found:
        """The difference that some steps are, not yet numbered."""
        edit = self.edit(first, stop)
        cost = cost_of(self.reference, self.hypothesis, self.steps[first:stop])
        difference = Difference(0, _text(edit.spoken_words), _text(edit.heard_words), *cost)
        if settled is not None:
            name, said = settled
            difference = replace(difference, label=said.label, decided_by=f"rule {name}", reason=said.reason)
        return Found(difference, edit, (first, stop))


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _numbers(texts: _Texts, step: Step) -> set[tuple[str, int]]:
    """The numbers that a step touches, of both texts."""
    return {
        (side, word.number.run)
        for side, text, part in (("spoken", texts.reference, step.spoken), ("heard", texts.hypothesis, step.heard))
        for word in text.words[slice(*part)]
        if word.number is not None
    }


def _number_spans(texts: _Texts) -> list[tuple[int, int]]:
    """Ranges of steps that hold an edited number whole on both sides, in order and apart."""
    if not any(step.kind in "SDI" and _numbers(texts, step) for step in texts.steps):
        return []
    reach: dict[tuple[str, int], tuple[int, int]] = {}
    touched = [_numbers(texts, step) for step in texts.steps]
    for place, runs in enumerate(touched):
        for run in runs:
            reach[run] = (reach.get(run, (place, place))[0], place + 1)
    spans: list[tuple[int, int]] = []
    for place, step in enumerate(texts.steps):
        if step.kind not in "SDI" or not touched[place] or (spans and place < spans[-1][1]):
            continue
        first, stop = place, place + 1
        while True:
            runs = set().union(*touched[first:stop])
            wider = (min(first, *(reach[run][0] for run in runs)), max(stop, *(reach[run][1] for run in runs)))
            if wider == (first, stop):
                break
            first, stop = wider
        if spans and first < spans[-1][1]:
            first = spans.pop()[0]
        spans.append((first, stop))
    return spans


def _pieces(texts: _Texts, first: int, stop: int) -> Iterator[tuple[int, int, tuple[str, Settled] | None]]:
    """A run of edits cut into what the rules settle, the longest pieces first, and steps that they do not."""
    place = first
    while place < stop:
        for size in range(min(_LONGEST_PIECE, stop - place), 0, -1):
            settled = settle(texts.edit(place, place + size), PIECE_RULES)
            if settled is not None or size == 1:
                yield place, place + size, settled
                place += size
                break


def _labelled(texts: _Texts, english: bool) -> Iterator[tuple[int, int, tuple[str, Settled] | None]]:
    """All steps that are not equal, in pieces, with what a rule says of each."""
    spans = dict(_number_spans(texts)) if english else {}
    steps = texts.steps
    place = 0
    while place < len(steps):
        if place in spans:
            stop = spans[place]
            yield place, stop, settle(texts.edit(place, stop), NUMBER_RULES)
        elif steps[place].kind == "J":
            stop = place + 1
            yield place, stop, settle(texts.edit(place, stop), JOIN_RULES)
        elif steps[place].kind in "SDI":
            stop = place + 1
            while stop < len(steps) and steps[stop].kind in "SDI" and stop not in spans:
                stop += 1
            if english:
                yield from _pieces(texts, place, stop)
            else:
                yield place, stop, None
        else:
            stop = place + 1
        place = stop


def find_differences(
    reference: Text, hypothesis: Text, steps: Sequence[Step], *, english: bool = True
) -> tuple[Found, ...]:
    """The numbered differences of two aligned texts; in other languages than English only joins are settled."""
    if all(step.kind == "=" for step in steps):
        return ()
    texts = _Texts(reference, hypothesis, steps)
    rules: NamedRules = GROUP_RULES if english else ()
    found: list[Found] = []
    opened: list[int] = []

    def close() -> None:
        if opened:
            found.append(texts.found(opened[0], opened[1], settle(texts.edit(*opened), rules)))
            opened.clear()

    for first, stop, settled in _labelled(texts, english):
        if opened and (settled is not None or opened[1] != first):
            close()
        if settled is not None:
            found.append(texts.found(first, stop, settled))
        else:
            opened[:] = [opened[0] if opened else first, stop]
    close()
    return tuple(
        replace(row, difference=replace(row.difference, number=number)) for number, row in enumerate(found, start=1)
    )
