"""The alignment of two normalised texts as runs that a reader sees: which words became which."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from pytest_asrgate.metrics.normalise import is_null
from pytest_asrgate.reports.page.graphemes import joined_to_last

__all__ = ["Align", "Run", "aligned_parts", "aligned_runs"]

# One code point with the white space in front of it.
_SPACED = re.compile(r"\s*\S")


class Run(NamedTuple):
    """One run; `step` is "=" (equal), "S", "D" or "I", and a side that has nothing in it is empty."""

    step: str
    ref: str
    hyp: str


# A step with the places of its tokens in the reference and in the hypothesis, None where it has none there.
_Column = tuple[str, int | None, int | None]
# A step with its texts.
_Cell = tuple[str, str, str]


def _columns(reference: Sequence[str], hypothesis: Sequence[str], steps: str) -> list[_Column] | None:
    """The steps with their tokens, None where they do not fit these."""
    if is_null("".join(reference)):
        # Nothing was said, so there is nothing to miss, and signs that are no words are not counted (metrics.wer).
        columns: list[_Column] = [("=", place, None) for place in range(len(reference))]
        columns += [("=" if is_null(word) else "I", None, place) for place, word in enumerate(hypothesis)]
        return columns if steps == "I" * sum(step == "I" for step, _, _ in columns) else None
    columns, left, right = [], 0, 0
    for step in steps:
        in_reference, in_hypothesis = step in "=SD", step in "=SI"
        if not (in_reference or in_hypothesis):
            return None
        columns.append((step, left if in_reference else None, right if in_hypothesis else None))
        left, right = left + in_reference, right + in_hypothesis
    if (left, right) != (len(reference), len(hypothesis)):
        return None
    same = all(
        reference[spoken] == hypothesis[heard]
        for step, spoken, heard in columns
        if step == "=" and spoken is not None and heard is not None
    )
    return columns if same else None


def _spaced(text: str) -> list[str]:
    """The code points of a text, each with the white space in front of it, the last also with that behind it."""
    signs = _SPACED.findall(text)
    if signs:
        signs[-1] += text[len(text.rstrip()) :]
    return signs


def _inside(columns: Sequence[_Column], side: int, signs: Sequence[str]) -> Iterator[int]:
    """The numbers of columns that begin within a sign of one side: 1 is the reference, 2 the hypothesis."""
    joined = joined_to_last(signs)
    if any(joined):
        places = [number for number, column in enumerate(columns) if column[side] is not None]
        for place, is_joined in enumerate(joined):
            if is_joined:
                yield from range(places[place - 1] + 1, places[place] + 1)


def _signs(columns: Sequence[_Column], reference: str, hypothesis: str) -> Iterator[_Cell]:
    """One cell for each sign, as a reader counts signs, with the white space of the texts put back."""
    spoken, heard = _spaced(reference), _spaced(hypothesis)
    inside: set[int] = set()
    if not (reference.isascii() and hypothesis.isascii()):
        inside = {*_inside(columns, 1, spoken), *_inside(columns, 2, heard)}
    last: _Cell | None = None
    for number, (step, place, other) in enumerate(columns):
        left = "" if place is None else spoken[place]
        right = "" if other is None else heard[other]
        if last is None or number not in inside:
            if last:
                yield last
            last = step, left, right
            continue
        left, right = last[1] + left, last[2] + right
        # A changed vowel sign shows its whole cluster as substituted.
        mixed = "S" if left and right else "D" if left else "I"
        last = step if step == last[0] else mixed, left, right
    if last:
        yield last


def _words(columns: Sequence[_Column], spoken: Sequence[str], heard: Sequence[str]) -> Iterator[_Cell]:
    """One cell for each word."""
    for step, place, other in columns:
        yield step, "" if place is None else spoken[place], "" if other is None else heard[other]


def _merged(cells: Iterable[_Cell], steps: str, metric: str) -> list[Run]:
    """Neighbours that have one of these steps made one run, every other cell a run of its own."""
    gap = "" if metric == "cer" else " "
    runs: list[Run] = []
    for step, several in groupby(cells, key=itemgetter(0)):
        if step in steps:
            together = list(several)
            sides = [gap.join([cell[side] for cell in together if cell[side]]) for side in (1, 2)]
            runs.append(Run(step, *sides))
        else:
            runs += [Run(*cell) for cell in several]
    return runs


def aligned_parts(ref: str, hyp: str, steps: str, metric: str) -> list[Run] | None:
    """As `aligned_runs`, but with one run for each wrong word, under "cer" for each wrong sign.

    None where the steps do not fit the texts.
    """
    spoken, heard = ref.split(), hyp.split()
    if metric == "cer":
        columns = _columns("".join(spoken), "".join(heard), steps)
        return None if columns is None else _merged(_signs(columns, ref, hyp), "=", metric)
    columns = _columns(spoken, heard, steps)
    return None if columns is None else _merged(_words(columns, spoken, heard), "=", metric)


# What `aligned_parts` does, or somebody who remembers it.
Align = Callable[[str, str, str, str], list[Run] | None]


def aligned_runs(ref: str, hyp: str, steps: str, metric: str, align: Align = aligned_parts) -> list[Run]:
    """The alignment of two normalised texts for display, in order.

    `steps` is what `metrics.wer.aligned_errors` makes of them under `metric`. The sides joined, with a blank
    between them where words were compared, give back the texts. Steps that do not fit give one substitution.
    """
    parts = align(ref, hyp, steps, metric)
    if parts is None:
        return [Run("S", ref, hyp)]
    # Substitutions stay apart: a reader wants to see which word became which.
    return _merged(parts, "=DI", metric)
