"""Two normalised texts word against word, by the fewest edits, and always the same way.

Of all alignments with the fewest edits (each word substituted, deleted or inserted is one) that one is taken whose
substituted words are the least unlike, then the one that a fixed order of steps names, read from the end: equal,
joined, deleted, inserted, substituted. Words that are equal once they are joined (`week night`, `weeknight`) cost
nothing. Equal words at both ends are taken as they are, unless words may be joined there.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_asrgate.records import AlignedWords
from pytest_asrgate.semantic.forms import kin_key
from pytest_asrgate.semantic.joining import MOST_JOINED, find_joins, places_of
from pytest_asrgate.semantic.steps import Step, with_other_numbers
from pytest_asrgate.semantic.words import Text, Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Costs = NDArray[np.int64]
    Moves = NDArray[np.uint8]

__all__ = ["Step", "align", "aligned_words"]

# An edit outweighs any unlikeness: texts of a million words still fit a signed number of 64 bits.
_EDIT = 1 << 32
# (reference words, hypothesis words), the smallest first.
_SHAPES = [shape for length in range(2, MOST_JOINED + 1) for shape in ((1, length), (length, 1))]
_SHAPE_NUMBERS = {shape: number for number, shape in enumerate(_SHAPES)}
_SUBSTITUTE, _INSERT, _DELETE, _EQUAL, _JOIN = 0, 1, 2, 3, 4
# Above so many cells numpy is faster than Python.
_SMALL = 20_000
# So many rows are filled in again at a time when a long way is read back, so that no table of all cells is kept.
_BLOCK = 256


@lru_cache(maxsize=50_000)
def _letters(text: str) -> frozenset[tuple[int, int]]:
    """The letters of a word, in 64 bins, each with how often it came before: so that a set holds them all."""
    met: Counter[int] = Counter()
    letters = []
    for letter in text:
        place = ord(letter) % 64
        letters.append((place, met[place]))
        met[place] += 1
    return frozenset(letters)


def _unlikeness(left: str, right: str) -> int:
    """0 to 100: letters of two words that the other does not have, in percent of all."""
    shared = len(_letters(left) & _letters(right))
    total = len(left) + len(right)
    return 100 * (total - 2 * shared) // total if total else 0


def _soft(unlike: int, *, kin: bool, numbers: bool) -> int:
    """What a substitution costs beside its edit; kindred words least, a number for a number little."""
    return 1 if kin else 2 + unlike // (4 if numbers else 1)


def _substitution(left: Word, right: Word) -> int:
    kin = kin_key(left.text) == kin_key(right.text)
    numbers = left.number is not None and right.number is not None
    return _EDIT + _soft(_unlikeness(left.text, right.text), kin=kin, numbers=numbers)


def _readings(word: Word) -> set[str]:
    return {word.text, *word.variants}


def _equal(left: Word, right: Word) -> bool:
    if left.text == right.text:
        return True
    return bool(left.variants or right.variants) and not _readings(left).isdisjoint(_readings(right))


class _Table:
    """What two texts cost to turn into one another, row by row of the reference.

    `joins` has by row the shapes that join words before that place of the reference, the smallest first, with the
    places of the hypothesis before which they end.
    """

    def __init__(self, spoken: Sequence[Word], heard: Sequence[Word], *, joining: bool = True) -> None:
        self.spoken, self.heard = spoken, heard
        self.joins = self._all_joins() if joining else {}

    def _all_joins(self) -> dict[int, list[tuple[int, list[int]]]]:
        here, there = places_of(self.spoken), places_of(self.heard)
        found: dict[int, dict[int, list[int]]] = {}
        for stop, length, joined in find_joins(self.spoken, there):
            found.setdefault(stop, {})[_SHAPE_NUMBERS[length, 1]] = there[joined]
        for stop, length, joined in find_joins(self.heard, here):
            for place in here[joined]:
                found.setdefault(place, {}).setdefault(_SHAPE_NUMBERS[1, length], []).append(stop)
        return {row: sorted(shapes.items()) for row, shapes in found.items()}

    def moves(self) -> list[bytearray]:
        """The last move of the best way to each cell."""
        spoken, heard = self.spoken, self.heard
        width = len(heard) + 1
        varied = any(word.variants for word in (*spoken, *heard))
        rows = [[place * _EDIT for place in range(width)]]
        moves = [bytearray([_INSERT]) * width]
        for i, word in enumerate(spoken, start=1):
            above = rows[-1]
            joins: dict[int, list[int]] = {}
            for number, stops in self.joins.get(i, ()):
                for stop in stops:
                    joins.setdefault(stop, []).append(number)
            text, beside = word.text, above[0] + _EDIT
            row, made = [beside], bytearray([_DELETE]) * width
            # Much of the time of a gate goes here.
            for j, other in enumerate(heard, start=1):
                diagonal, over = above[j - 1], above[j]
                deleted, inserted = over + _EDIT, beside + _EDIT
                if text == other.text or (varied and _equal(word, other)):
                    best, move = diagonal, _EQUAL
                elif diagonal < over and diagonal < beside:
                    best, move = diagonal + _substitution(word, other), _SUBSTITUTE
                else:
                    # A substitution costs more than its edit, and so cannot win.
                    best, move = min(deleted, inserted) + 1, _SUBSTITUTE
                if joins:
                    for number in joins.get(j, ()):
                        a, b = _SHAPES[number]
                        cost = rows[i - a][j - b] + a + b
                        if cost < best or (cost == best and move == _SUBSTITUTE):
                            best, move = cost, _JOIN + number
                if deleted < best or (deleted == best and move < _DELETE):
                    best, move = deleted, _DELETE
                if inserted < best or (inserted == best and move < _INSERT):
                    best, move = inserted, _INSERT
                beside = best
                row.append(best)
                made[j] = move
            rows.append(row)
            moves.append(made)
        return moves


class _LongTable:
    """The same costs as `_Table`, a row at a time with numpy."""

    def __init__(self, table: _Table) -> None:
        import numpy as np  # noqa: PLC0415 - heavy, and only long texts need it

        self.spoken, self.heard = table.spoken, table.heard
        self.width = len(self.heard) + 1
        self.places = np.arange(self.width, dtype=np.int64) * _EDIT
        kinds = sorted({(word.text, word.number is not None) for word in self.heard})
        number_of = {kind: number for number, kind in enumerate(kinds)}
        self.heard_kinds = np.array([number_of[word.text, word.number is not None] for word in self.heard])
        self.letters = np.array([self._bins(text) for text, _ in kinds], dtype=np.int32)
        self.lengths = np.array([len(text) for text, _ in kinds])
        keys = [kin_key(text) for text, _ in kinds]
        self.keys = {key: number for number, key in enumerate(sorted(set(keys)))}
        self.kin = np.array([self.keys[key] for key in keys])
        self.numbers = np.array([numbered for _, numbered in kinds])
        self.at: dict[str, list[int]] = {}
        for place, word in enumerate(self.heard):
            for reading in _readings(word):
                self.at.setdefault(reading, []).append(place)
        self.joins = table.joins
        self.known: dict[tuple[str, bool, tuple[str, ...]], tuple[Costs, NDArray[np.bool_]]] = {}

    @staticmethod
    def _bins(text: str) -> "NDArray[np.int32]":
        import numpy as np  # noqa: PLC0415 - as above

        return np.bincount([ord(letter) % 64 for letter in text] or [64], minlength=65)[:64].astype(np.int32)

    def _substitutions(self, word: Word) -> "tuple[Costs, NDArray[np.bool_]]":
        """What it costs to put each word of the hypothesis for this one, and which are equal to it."""
        import numpy as np  # noqa: PLC0415 - as above

        key = (word.text, word.number is not None, word.variants)
        if key not in self.known:
            # Only the bins of this word's letters can be shared.
            bins = self._bins(word.text)
            used = np.flatnonzero(bins)
            shared = np.minimum(self.letters[:, used], bins[used]).sum(axis=1, dtype=np.int64)
            total = self.lengths + len(word.text)
            unlike = 100 * (total - 2 * shared) // np.maximum(total, 1)
            both = self.numbers & (word.number is not None)
            soft = 2 + np.where(both, unlike // 4, unlike)
            soft[self.kin == self.keys.get(kin_key(word.text), -1)] = 1
            costs = (_EDIT + soft)[self.heard_kinds]
            equal = np.zeros(len(self.heard), dtype=bool)
            for reading in _readings(word):
                equal[self.at.get(reading, [])] = True
            costs[equal] = 0
            if len(self.known) > _BLOCK:
                self.known.clear()
            self.known[key] = costs, equal
        return self.known[key]

    def next_row(self, before: "Sequence[Costs]", i: int) -> "tuple[Costs, Moves]":
        """The costs of row i, and the last moves to its cells; `before` holds the rows above, the nearest last."""
        import numpy as np  # noqa: PLC0415 - as above

        above = before[-1]
        costs, equal = self._substitutions(self.spoken[i - 1])
        best = above + _EDIT
        moves = np.full(self.width, _DELETE, dtype=np.uint8)
        diagonal = above[:-1] + costs
        # What is equally good goes by the fixed order: a substitution last, an equal word first.
        closer = diagonal < best[1:]
        best[1:][closer] = diagonal[closer]
        moves[1:][closer] = _SUBSTITUTE
        matched = equal & (diagonal <= best[1:])
        moves[1:][matched] = _EQUAL
        # The largest first: the smallest is written last, and stays.
        for shape, columns in reversed(self.joins.get(i, [])):
            a, b = _SHAPES[shape]
            at = np.array(columns)
            cost = before[-a][at - b] + a + b
            won = (cost < best[at]) | ((cost == best[at]) & (moves[at] != _EQUAL))
            best[at[won]] = cost[won]
            moves[at[won]] = _JOIN + shape
        row = np.minimum.accumulate(best - self.places) + self.places
        inserted = row < best
        # A tie with an insertion is one that a substitution loses.
        inserted[1:] |= (row[:-1] + _EDIT == best[1:]) & (moves[1:] == _SUBSTITUTE)
        moves[inserted] = _INSERT
        return row, moves

    def rows_from_the_end(self) -> "Iterator[tuple[int, Moves]]":
        """(row, last moves to its cells) from the last row to the first, a block of rows filled in at a time."""
        import numpy as np  # noqa: PLC0415 - as above

        last = len(self.spoken)
        kept: dict[int, list[Costs]] = {}
        before = [self.places]
        for i in range(1, last + 1):
            if (i - 1) % _BLOCK == 0:
                kept[i] = list(before)
            before = [*before[1 - MOST_JOINED :], self.next_row(before, i)[0]]
        for start in sorted(kept, reverse=True):
            before = kept.pop(start)
            block = []
            for i in range(start, min(start + _BLOCK, last + 1)):
                row, moves = self.next_row(before, i)
                before = [*before[1 - MOST_JOINED :], row]
                block.append((i, moves))
            yield from reversed(block)
        yield 0, np.full(self.width, _INSERT, dtype=np.uint8)


def _read_back(rows: "Iterator[tuple[int, Sequence[int] | Moves]]", spoken: int, heard: int) -> list[Step]:
    """The steps of the best way, from the last moves of all rows, the last row first."""
    steps = []
    i, j = spoken, heard
    for number, moves in rows:
        while number == i and (i or j):
            move = int(moves[j])
            if move >= _JOIN:
                (a, b), kind = _SHAPES[move - _JOIN], "J"
            else:
                a, b, kind = [(1, 1, "S"), (0, 1, "I"), (1, 0, "D"), (1, 1, "=")][move]
            steps.append(Step(kind, (i - a, i), (j - b, j)))
            i, j = i - a, j - b
    return steps[::-1]


def _core(spoken: Sequence[Word], heard: Sequence[Word], keep: int) -> tuple[int, int]:
    """How many equal words begin and end both texts, all but the last `keep` of each."""
    shorter = min(len(spoken), len(heard))
    first = 0
    while first < shorter and _equal(spoken[first], heard[first]):
        first += 1
    first = max(0, first - keep)
    last = 0
    while last < shorter - first and _equal(spoken[-1 - last], heard[-1 - last]):
        last += 1
    return first, max(0, last - keep)


def align(reference: Text, hypothesis: Text, *, small: int = _SMALL) -> tuple[Step, ...]:
    """The steps that lead through both texts, as the module says; `small` cells are filled in by Python, not numpy.

    Time is the product of both lengths without their equal ends; memory is that of a few hundred rows.
    """
    spoken, heard = reference.words, hypothesis.words
    first, last = _core(spoken, heard, 0)
    if first == len(spoken) == len(heard):
        steps = tuple([_equal_step(place, place) for place in range(first)])
        return steps if reference is hypothesis else with_other_numbers(steps, spoken, heard)
    # Next to words that may be joined, an equal word is not always best left alone.
    wide, broad = _core(spoken, heard, MOST_JOINED)
    table = _Table(spoken[wide : len(spoken) - broad], heard[wide : len(heard) - broad])
    if table.joins:
        first, last = wide, broad
    else:
        table = _Table(spoken[first : len(spoken) - last], heard[first : len(heard) - last], joining=False)
    height, width = len(table.spoken), len(table.heard)
    if not height or not width or (height + 1) * (width + 1) <= small:
        rows: Iterator[tuple[int, Sequence[int] | Moves]] = reversed(list(enumerate(table.moves())))
    else:
        rows = _LongTable(table).rows_from_the_end()
    middle = [
        Step(step.kind, _moved(step.spoken, first), _moved(step.heard, first))
        for step in _read_back(rows, height, width)
    ]
    ends = [_equal_step(len(spoken) - place, len(heard) - place) for place in range(last, 0, -1)]
    return with_other_numbers(
        (*(_equal_step(place, place) for place in range(first)), *middle, *ends), spoken, heard
    )


# Most steps are of this kind, and most texts are short: such steps are made once.
@lru_cache(maxsize=10_000)
def _equal_step(spoken: int, heard: int) -> Step:
    return Step("=", (spoken, spoken + 1), (heard, heard + 1))


def _moved(part: tuple[int, int], by: int) -> tuple[int, int]:
    return part[0] + by, part[1] + by


def aligned_words(reference: Text, hypothesis: Text, steps: Sequence[Step]) -> tuple[AlignedWords, ...]:
    """The steps with their words, as the trail keeps them."""
    spoken, heard = ([word.text for word in text.words] for text in (reference, hypothesis))
    return tuple(
        [
            _equal_words(spoken[step.spoken[0]], heard[step.heard[0]])
            if step.kind == "="
            else AlignedWords(step.kind, " ".join(spoken[slice(*step.spoken)]), " ".join(heard[slice(*step.heard)]))
            for step in steps
        ]
    )


# Kept for every utterance of a gate, so that equal ones are the same.
@lru_cache(maxsize=50_000)
def _equal_words(spoken: str, heard: str) -> AlignedWords:
    return AlignedWords("=", spoken, heard)
