"""The entities that rules find in a reference, and what became of each: exact data and capitalised names."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pytest_asrgate.intent.aligned import Block, aligned, region_of, within
from pytest_asrgate.intent.codes import digits_of
from pytest_asrgate.intent.data import Span, find_data
from pytest_asrgate.intent.exact import candidates, same_exact, same_span, slice_of
from pytest_asrgate.intent.names import bare, find_names
from pytest_asrgate.intent.numbers import base_of, read
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.units import Amount, amount_of, are_other, same_amount
from pytest_asrgate.records.intent import Entity, EntityStatus

__all__ = ["entities_by_rule"]

# Kinds that may stand in each other's place.
_NUMBERS = frozenset({"number", "amount", "phone", "date", "time", "identifier"})
# Kinds of numbers whose units are compared.
_COUNTING = frozenset({"number", "amount", "time"})
# In longer texts nothing is looked for beyond what rules find by themselves.
_LONG = 2_000
# So many places are looked at for one entity.
_MOST_ALIKE = 50


class _Side:
    """One text with its pieces and the entities that rules find in it."""

    def __init__(self, raw: str, language: str) -> None:
        self.raw = raw
        self.pieces = read(raw, language)
        self.data = [span for span in find_data(self.pieces, raw) if _is_exact(self.pieces, span, language)]
        self.names = find_names(self.pieces, raw, self.data, language)
        self._amounts: dict[tuple[int, int], Amount] = {}
        self.keys = [bare(piece.key) for piece in self.pieces]

    def of(self, span: Span) -> Sequence[Piece]:
        return self.pieces[span.first : span.last]

    def amount(self, span: Span) -> Amount:
        """The number of a span with what stands around it."""
        place = span.first, span.last
        if place not in self._amounts:
            self._amounts[place] = amount_of(self.pieces, self.raw, *place)
        return self._amounts[place]

    def text(self, first: int, last: int) -> str:
        """The words of a span, without a possessive behind them."""
        words = slice_of(self.raw, self.pieces[first:last])
        key = self.pieces[last - 1].key if last > first else ""
        is_word = last > first and self.pieces[last - 1].kind == Kind.WORD
        return words[: len(words) - (len(key) - len(bare(key)))] if is_word else words


def _is_exact(pieces: Sequence[Piece], span: Span, language: str) -> bool:
    """Whether a number is data: in Indian languages a single word such as `एक` is an article too."""
    number = pieces[span.first].number
    alone = number is not None and span.last == span.first + 1
    return base_of(language) == "en" or not alone or number is None or number.written or len(number.parts) > 1


def entities_by_rule(reference: str, hypothesis: str, language: str) -> tuple[Entity, ...]:
    """The entities of a raw reference that rules find, in its order, with what the raw hypothesis made of them.

    Names are compared without case, signs at their edges and a possessive `'s`, everything else by its data. What
    is not found is substituted where something else of its sort stands in its place, else missing. `heard` are
    words of the hypothesis, importance is 1, and who decides is `rule exact data` or `rule name`.
    """
    spoken = _Side(reference, language)
    every = sorted([*spoken.data, *spoken.names], key=lambda span: span.first)
    if not every:
        return ()
    heard = spoken if reference == hypothesis else _Side(hypothesis, language)
    places = {span: (span.first, span.last) for span in every} if heard is spoken else _preserved(spoken, heard)
    lost = [span for span in every if span not in places]
    substituted = _substituted(spoken, heard, lost, places, language)
    names = set(spoken.names)
    made = []
    for number, span in enumerate(every, start=1):
        if span in places:
            status, where = EntityStatus.PRESERVED, heard.text(*places[span])
        elif span in substituted:
            status, where = EntityStatus.SUBSTITUTED, heard.text(*substituted[span])
        else:
            status, where = EntityStatus.MISSING, ""
        decided_by = "rule name" if span in names else "rule exact data"
        made.append(Entity(number, spoken.text(span.first, span.last), span.kind, 1, status, where, decided_by))
    return tuple(made)


_Places = dict[Span, tuple[int, int]]


def _preserved(spoken: _Side, heard: _Side) -> _Places:
    """Where in the hypothesis each entity stands that is preserved; a place is used once, data in their order."""
    found: _Places = {}
    taken: set[int] = set()
    for first, last, begin, _, equal in aligned(_values(spoken), _values(heard)):
        for at in range(first, last if equal else first):
            other = heard.data[at - first + begin]
            if _is_same(spoken, spoken.data[at], heard, (other.first, other.last)):
                _take(found, taken, spoken.data[at], (other.first, other.last))
    # Then what looks otherwise, or is no data to the rules, between those that were found.
    limits = _limits(spoken.data, found, len(heard.pieces))
    low = 0
    for span, high in zip(spoken.data, limits, strict=True):
        if span not in found:
            for place in _elsewhere(spoken, span, heard, (low, high)):
                if taken.isdisjoint(range(*place)) and _is_same(spoken, span, heard, place):
                    _take(found, taken, span, place)
                    break
        low = found[span][1] if span in found else low
    _find_names(spoken, heard, found, taken)
    return found


def _values(side: _Side) -> list[str]:
    """What is equal for data that may be the same."""
    return [_data(side, span) for span in side.data]


def _limits(spans: Sequence[Span], found: _Places, end: int) -> list[int]:
    """For each span, where the next one that was found begins."""
    limits = []
    for span in reversed(spans):
        limits.append(end)
        end = found[span][0] if span in found else end
    return limits[::-1]


def _is_same(spoken: _Side, span: Span, heard: _Side, place: tuple[int, int]) -> bool:
    """Whether the data of a span stands at a place, with the same unit and sign."""
    part, other = spoken.of(span), heard.pieces[place[0] : place[1]]
    if span.kind in _COUNTING and other:
        alone = len(spoken.pieces) == len(heard.pieces) == 1
        same = None if alone else same_amount(spoken.amount(span), heard.amount(Span(*place, span.kind)))
        if same is not None:
            return same
    return same_span(part, other, span.kind)


def _find_names(spoken: _Side, heard: _Side, found: _Places, taken: set[int]) -> None:
    """Add where the names stand that are preserved."""
    wanted = {spoken.keys[span.first] for span in spoken.names}
    starts: dict[str, list[int]] = defaultdict(list)
    for at, key in enumerate(heard.keys):
        if key in wanted:
            starts[key].append(at)
    for span in spoken.names:
        keys = spoken.keys[span.first : span.last]
        places = starts[keys[0]]
        for at, first in enumerate(places[:_MOST_ALIKE]):
            last = first + len(keys)
            if heard.keys[first:last] == keys and taken.isdisjoint(range(first, last)):
                _take(found, taken, span, (first, last))
                del places[at]
                break


def _take(found: _Places, taken: set[int], span: Span, place: tuple[int, int]) -> None:
    found[span] = place
    taken.update(range(*place))


def _data(side: _Side, span: Span) -> str:
    pieces = side.of(span)
    if pieces[0].kind == Kind.ADDRESS:
        return pieces[0].key
    if span.kind in _COUNTING:
        return side.amount(span).value
    return "".join(sorted("".join(piece.number.digits for piece in pieces if piece.number is not None)))


def _elsewhere(spoken: _Side, span: Span, heard: _Side, within: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Where the same data may stand within some pieces, such as an identifier in small letters."""
    if len(heard.pieces) > _LONG:
        return
    part = spoken.of(span)
    low, high = within
    inner = heard.pieces[low:high]
    others = [
        Span(other.first - low, other.last - low, other.kind)
        for other in heard.data
        if low <= other.first and other.last <= high
    ]
    for first, last in candidates(part, [Span(0, len(part), span.kind)], inner, others):
        yield first + low, last + low


def _substituted(spoken: _Side, heard: _Side, lost: Sequence[Span], places: _Places, language: str) -> _Places:
    """What stands in the place of each lost entity, as far as it is of the same sort and surely something else."""
    if not lost or not heard.pieces:
        return {}
    used = {at for place in places.values() for at in range(*place)}
    blocks = aligned(spoken.keys, heard.keys)
    others = sorted(
        (span for span in (*heard.data, *heard.names) if used.isdisjoint(range(span.first, span.last))),
        key=lambda span: span.first,
    )
    lower = not any(map(str.isupper, heard.raw))
    names, heard_names = set(spoken.names), set(heard.names)
    found: _Places = {}
    begun = 0
    for span in sorted(lost, key=lambda each: each.first):
        while begun < len(blocks) and blocks[begun][1] <= span.first:
            begun += 1
        region = region_of(blocks, begun, span)
        if region is None:
            continue
        place = _of_the_same_sort(span, others, region, is_name=span in names, names=heard_names)
        if place is not None and span not in names:
            # A telephone number without the prefix of its country, or a date in another form, may be the same.
            place = place if _is_other(spoken, span, heard, place, language) else None
        if place is None and span in names:
            place = _other_words(span, blocks, begun, heard, lower)
        if place is not None and used.isdisjoint(range(*place)):
            found[span] = place
            used.update(range(*place))
    return found


def _is_other(spoken: _Side, span: Span, heard: _Side, place: tuple[int, int], language: str) -> bool:
    """Whether the data at a place is surely other data, or of another unit."""
    if span.kind in _COUNTING and heard.pieces[place[0]].number is not None:
        left, right = spoken.amount(span), heard.amount(Span(*place, span.kind))
        if are_other(left, right):
            return True
        if bool(left.scale) != bool(right.scale):
            # `2 lakh 50 thousand` is 250000.
            return False
    if _is_cut_otherwise(spoken, span, heard, place):
        return False
    return same_exact(spoken.text(span.first, span.last), heard.text(*place), language) is False


def _is_cut_otherwise(spoken: _Side, span: Span, heard: _Side, place: tuple[int, int]) -> bool:
    """Whether one may be a part of the other, which goes on in the numbers beside it: `1234` and `1 2 3 4`."""
    sides = ((spoken, span.first, span.last), (heard, *place))
    digits = [digits_of(side.pieces[first:last]) for side, first, last in sides]
    for (side, first, last), own, other in zip(sides, digits, digits[::-1], strict=True):
        around = (*side.pieces[max(0, first - 2) : first], *side.pieces[last : last + 2])
        if own and own != other and own in other and any(piece.number is not None for piece in around):
            return True
    return False


def _of_the_same_sort(
    span: Span, others: Sequence[Span], region: tuple[int, int], *, is_name: bool, names: set[Span]
) -> tuple[int, int] | None:
    # They do not overlap, so that they are in the order of their ends too.
    for other in others[bisect_right(others, region[0], key=lambda each: each.last) :]:
        if other.first >= region[1]:
            break
        if other in names:
            alike = is_name
        else:
            alike = not is_name and (span.kind == other.kind or {span.kind, other.kind} <= _NUMBERS)
        if alike:
            return other.first, other.last
    return None


def _other_words(
    span: Span, blocks: Sequence[Block], begun: int, heard: _Side, lower: bool
) -> tuple[int, int] | None:
    """Words in the place of a name: where the hypothesis has no capitals, or a part of the name is still there."""
    parts = list(within(blocks, begun, span))
    changed = [block for block in parts if not block[4] and block[3] > block[2]]
    if not changed or not (lower or len(parts) > len(changed)):
        return None
    region = region_of(blocks, begun, span)
    if region is None or region[1] - region[0] > 2 * (span.last - span.first) + 1:
        return None
    words = all(piece.kind == Kind.WORD for piece in heard.pieces[region[0] : region[1]])
    return region if words else None
