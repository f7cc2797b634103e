# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Exact data compared by us: digits, dates, e-mail addresses and identifiers, in whatever format they are."""

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from pytest_asrgate.intent.codes import UNREAD, digits_of, same_addresses, same_identifiers, window_of
from pytest_asrgate.intent.data import CURRENCIES, Span, compact, find_data
from pytest_asrgate.intent.equality import same_pieces
from pytest_asrgate.intent.numbers import base_of, month_of, read, same_number
from pytest_asrgate.intent.pieces import Kind, Piece

__all__ = ["candidates", "found_exact", "same_exact", "same_span", "slice_of"]

# Words beside a number that are no part of it.
_HARMLESS = frozenset(
    "the a an of on at in for to from is was are it its my your our his her this that number no phone mobile cell "
    "account code date born by with and st nd rd th please room".split()
)
_HALVES = frozenset({"am", "pm"})
# So many digits are told one by one: a telephone number, an account.
_LONG, _LONGER = 5, 7
# Three numbers with a sign or `of` between them.
_LONGEST_DATE = 5
# Digits of a telephone number without the prefixes that it may have, in India and North America.
_SUBSCRIBER = 10


def slice_of(raw: str, pieces: Sequence[Piece]) -> str:
    """The words of a raw text that some of its pieces were read from."""
    # A sign of currency is read behind its number and stands before it.
    return raw[min(piece.start for piece in pieces) : max(piece.end for piece in pieces)] if pieces else ""


def same_exact(reference_span: str, hypothesis_span: str, language: str) -> bool | None:
    """Whether two quoted spans hold the same digits, date, e-mail address or identifier; None if we cannot tell.

    Number words are read in English, and digits one by one in ten Indian languages; whatever else stands beside
    the numbers, such as a unit, must be the same or surely no part of them.
    """
    spoken, heard = read(reference_span, language), read(hypothesis_span, language)
    spoken_data, heard_data = find_data(spoken, reference_span), find_data(heard, hypothesis_span)
    for compare in (same_addresses, same_identifiers):
        applies, same = compare((spoken, spoken_data), (heard, heard_data))
        if applies:
            return same
    return _same_numbers(spoken, heard, base_of(language))


def _numbers(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.number is not None]


def _months(pieces: Sequence[Piece]) -> list[str]:
    if not _numbers(pieces):
        return []
    return sorted(month for piece in pieces if (month := month_of(piece.key)))


def _rest(pieces: Sequence[Piece]) -> Counter[str]:
    """What stands beside the numbers and is neither a month nor harmless."""
    return Counter(
        piece.key
        for piece in pieces
        if piece.number is None
        and piece.kind != Kind.QUESTION
        and piece.key not in _HARMLESS
        and not month_of(piece.key)
    )


def _same_numbers(spoken: Sequence[Piece], heard: Sequence[Piece], language: str) -> bool | None:
    if not _numbers(spoken) or not _numbers(heard):
        return None
    rests = [_rest(spoken), _rest(heard)]
    differing = (rests[0] - rests[1]) + (rests[1] - rests[0])
    months = [_months(spoken), _months(heard)]
    if any(months):
        same = months[0] == months[1] and _values(spoken) == _values(heard)
        return None if not all(months) or (same and differing) else same
    if any(_are_other(rests, known) for known in (CURRENCIES, _HALVES)):
        return False
    if language != "en":
        return _same_foreign(spoken, heard, differing)
    if any(key in UNREAD for key in differing) or _are_other_clocks(spoken, heard):
        return None
    alike = _alike(spoken, heard, differing)
    return alike if not alike or not differing or len(digits_of(spoken)) >= _LONG else None


def _are_other_clocks(spoken: Sequence[Piece], heard: Sequence[Piece]) -> bool:
    """Whether two times are told in two ways, with other digits: `5 pm` and `17:00`, `ten to five` and `4:50`."""
    ways = [
        (
            any(piece.number.clock for piece in side if piece.number),
            _HALVES.intersection(piece.key for piece in side),
        )
        for side in (spoken, heard)
    ]
    return digits_of(spoken) != digits_of(heard) and ways[0] != ways[1] and (ways[0][0] or ways[1][0])


def _are_other(rests: Sequence[Counter[str]], known: AbstractSet[str]) -> bool:
    """Whether both sides have words of one sort, and other ones: dollars and pounds."""
    left, right = (rest.keys() & known for rest in rests)
    return bool(left and right) and left != right


def _values(pieces: Sequence[Piece]) -> list[str]:
    return sorted(piece.number.digits.lstrip("0") for piece in pieces if piece.number is not None)


def _alike(spoken: Sequence[Piece], heard: Sequence[Piece], around: Counter[str]) -> bool | None:
    """Whether the numbers of both are the same, None where that depends on how they are cut."""
    left, right = _numbers(spoken), _numbers(heard)
    if digits_of(left) != digits_of(right):
        if _date_parts(left) and _date_parts(left) == _date_parts(right):
            return True
        return None if _may_be_same_phone(digits_of(left), digits_of(right)) else False
    if len(left) == len(right) and all(
        one.number and other.number and same_number(one.number, other.number, frozenset(), frozenset(), alone=True)
        for one, other in zip(left, right, strict=True)
    ):
        return True
    beside = frozenset(around) | {piece.key for piece in (*spoken, *heard)}
    if len(left) == len(right) == 1 and left[0].number and right[0].number:
        same = same_number(left[0].number, right[0].number, beside, beside, alone=True)
        return True if same else None
    return True if len(digits_of(left)) >= _LONG else None


def _date_parts(pieces: Sequence[Piece]) -> list[str]:
    """Day, month and year where they are told by three numbers, in their order; nothing for anything else."""
    parts = [part.lstrip("0") for piece in pieces if piece.number for part in piece.number.digits.split("/")]
    return parts if len(parts) == 3 else []


def _may_be_same_phone(left: str, right: str) -> bool:
    """Whether one of two telephone numbers is the other with the prefix of a country or a trunk line."""
    shorter, longer = sorted((left, right), key=len)
    return len(shorter) == _SUBSCRIBER and longer.isdecimal() and longer.endswith(shorter) and len(longer) < 15


def _same_foreign(spoken: Sequence[Piece], heard: Sequence[Piece], differing: Counter[str]) -> bool | None:
    """As for English, but any word that differs may be a number that is not read."""
    # Digits of a list, said one by one, are one number where they are data.
    alike = _alike(spoken, heard, differing)
    long = min(len(digits_of(spoken)), len(digits_of(heard))) >= _LONGER
    return alike if not differing or long else None


def found_exact(reference_span: str, hypothesis: str, language: str) -> str:
    """The words of a hypothesis that hold exactly the same data as a span of the reference, empty if none do."""
    spoken, heard = read(reference_span, language), read(hypothesis, language)
    data = find_data(spoken, reference_span)
    if not data:
        return ""
    for first, last in candidates(spoken, data, heard, find_data(heard, hypothesis)):
        words = slice_of(hypothesis, heard[first:last])
        if same_exact(reference_span, words, language):
            return words
    return ""


def candidates(
    spoken: Sequence[Piece], data: Sequence[Span], heard: Sequence[Piece], heard_data: Sequence[Span]
) -> Iterator[tuple[int, int]]:
    """Where in the hypothesis the data of a span may stand, likely places first."""
    wanted = spoken[data[0].first : data[-1].last]
    # With what stands beside it in the span, such as a unit.
    before = _trimmed(spoken[: data[0].first])
    after = _trimmed(spoken[data[-1].last :])
    digits = digits_of(wanted)
    target = compact(wanted)
    for span in heard_data:
        found = heard[span.first : span.last]
        if data[0].kind == "email":
            if span.kind == "email":
                yield span.first, span.last
                yield max(0, span.first - 1), span.last
        elif digits_of(found) == digits or sorted(_values(found)) == sorted(_values(wanted)):
            # A unit may be a sign that is in the data, or a word that is not.
            for more in (after, after - 1, after + 1):
                yield max(0, span.first - before), max(span.first + 1, min(len(heard), span.last + more))
    if data[0].kind == "identifier":
        window = window_of(heard, target)
        if window:
            yield window
        return
    if len(digits) >= _LONG:
        yield from _in_groups(heard, digits)
    if data[0].kind == "date" and _date_parts(wanted):
        numbers = [at for at, piece in enumerate(heard) if piece.number is not None]
        for at in range(len(numbers) - 2):
            first, last = numbers[at], numbers[at + 2] + 1
            if last - first <= _LONGEST_DATE and _date_parts(heard[first:last]) == _date_parts(wanted):
                yield first, last


def _trimmed(pieces: Sequence[Piece]) -> int:
    return len(pieces) if any(piece.key not in _HARMLESS for piece in pieces) else 0


def _in_groups(heard: Sequence[Piece], digits: str) -> Iterator[tuple[int, int]]:
    """Where numbers beside each other make up some digits."""
    for first, piece in enumerate(heard):
        if piece.number is None or not digits.startswith(piece.number.digits):
            continue
        found, last = "", first
        while last < len(heard) and len(found) < len(digits):
            number = heard[last].number
            if number is not None:
                found += number.digits
            elif heard[last].key != "-":
                break
            last += 1
        if found == digits:
            yield first, last


def same_span(spoken: Sequence[Piece], heard: Sequence[Piece], kind: str) -> bool:
    """Whether two spans of data that rules found are the same."""
    if kind == "date" and any(month_of(piece.key) for piece in spoken):
        return _months(spoken) == _months(heard) and _values(spoken) == _values(heard)
    if kind == "date" and _date_parts(spoken):
        return _date_parts(spoken) == _date_parts(heard) and not _months(heard)
    if kind in {"identifier", "email"}:
        return compact(spoken) == compact(heard)
    if same_pieces(spoken, heard):
        return True
    long = len(digits_of(spoken)) >= _LONG and not _rest(spoken) and not _rest(heard)
    return (
        (long or len(spoken) == len(heard) == 1)
        and digits_of(spoken) == digits_of(heard)
        and bool(_alike(spoken, heard, Counter()))
    )
