# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Exact data compared by us: digits, dates, e-mail addresses and identifiers, in whatever format they are."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_asrgate.intent.codes import Token, digits_of, same_token, tokens_of, window_of
from pytest_asrgate.intent.data import Span, compact, find_data
from pytest_asrgate.intent.equality import same_pieces
from pytest_asrgate.intent.numbers import month_of, read, same_number
from pytest_asrgate.intent.pieces import Kind, Piece

__all__ = ["candidates", "exact_places", "found_exact", "has_data", "same_exact", "same_span", "slice_of"]

# Words beside a number that are no part of it.
_HARMLESS = frozenset(
    "the a an of on at in for to from is was are it its my your our his her this that number no phone mobile cell "
    "account code date born by with and st nd rd th please room".split()
)
# So many digits are told one by one: a telephone number, an account.
_LONG = 5
# Three numbers with a sign or `of` between them.
_LONGEST_DATE = 5
# English words that make another number, or another letter, of what is beside them.
_UNREAD = re.compile(
    r"\b(?:double|triple|twice|thrice|oh|capital|small|lower|upper|dash|minus|hash)\b", re.IGNORECASE
)
# A fraction without its zero, and the area code of a telephone number.
_BARE_FRACTION = re.compile(r"(?<![\w.,:/-])\.(?=\d)")
# A minus behind a quotation mark is none to the reader.
_QUOTATION = " \"'\u201c\u201d\u2018\u2019\u00ab\u00bb"
_AREA_CODE = re.compile(r"\((\d{2,5})\)[ -]?(?=\d)")


def slice_of(raw: str, pieces: Sequence[Piece]) -> str:
    """The words of a raw text that some of its pieces were read from."""
    # A sign of currency is read behind its number and stands before it.
    return raw[min(piece.start for piece in pieces) : max(piece.end for piece in pieces)] if pieces else ""


def same_exact(reference_span: str, hypothesis_span: str, language: str) -> bool | None:
    """Whether two quoted spans say the same, with the same digits, date, e-mail address or identifier in them.

    True where all of both is the same, numbers in whatever format; articles may differ. False where they differ in
    one such datum alone, which both tell completely and in the same form, as in `room 12` and `room 13`. Else None,
    and for spans without data. Number words are read in English, and digits one by one in ten Indian languages.
    """
    spoken, heard = _tokens(reference_span, language), _tokens(hypothesis_span, language)
    if not all(has_data(span, language) for span in (reference_span, hypothesis_span)):
        return None
    if len(spoken) != len(heard) or any(one.sort != other.sort for one, other in zip(spoken, heard, strict=True)):
        return _same_in_other_pieces((reference_span, spoken), (hypothesis_span, heard), language)
    found = [same_token(one, other) for one, other in zip(spoken, heard, strict=True)]
    if None in found:
        return None
    if all(found):
        return True
    unread = _UNREAD.search(reference_span) or _UNREAD.search(hypothesis_span)
    # Two that differ may have changed places.
    return None if unread or found.count(False) > 1 else False


@lru_cache(maxsize=256)
def _tokens(raw: str, language: str) -> tuple[Token, ...]:
    raw = _AREA_CODE.sub(r"\1-", _BARE_FRACTION.sub("0.", raw.strip(_QUOTATION)))
    pieces = read(raw, language)
    return tuple(tokens_of(pieces, find_data(pieces, raw), raw))


def _same_in_other_pieces(
    spoken: tuple[str, Sequence[Token]], heard: tuple[str, Sequence[Token]], language: str
) -> bool | None:
    """Whether one identifier, or a date in numerals, is all of one span and, in other pieces, all of the other."""
    for (_, tokens), (other, others) in ((spoken, heard), (heard, spoken)):
        if len(tokens) != 1:
            continue
        if tokens[0].sort == "identifier":
            pieces = read(other, language)
            if window_of(pieces, tokens[0].key) == (0, len(pieces)):
                return True
        if tokens[0].sort == "date" and " " not in tokens[0].key:
            parts = [token.key.lstrip("0") for token in others if token.number is not None]
            if len(parts) == len(others) and parts == tokens[0].key.split("/"):
                return True
    return None


def _numbers(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.number is not None]


def _months(pieces: Sequence[Piece]) -> list[str]:
    if not _numbers(pieces):
        return []
    return sorted(month for piece in pieces if (month := month_of(piece.key)))


def _has_rest(pieces: Sequence[Piece]) -> bool:
    """Whether anything stands beside the numbers that is neither a month nor harmless."""
    return any(
        piece.number is None
        and piece.kind != Kind.QUESTION
        and piece.key not in _HARMLESS
        and not month_of(piece.key)
        for piece in pieces
    )


def _values(pieces: Sequence[Piece]) -> list[str]:
    return sorted(piece.number.digits.lstrip("0") for piece in pieces if piece.number is not None)


def _alike(spoken: Sequence[Piece], heard: Sequence[Piece]) -> bool:
    """Whether the numbers of two spans of the same digits are the same."""
    left, right = _numbers(spoken), _numbers(heard)
    if len(left) == len(right) and all(
        one.number and other.number and same_number(one.number, other.number, frozenset(), frozenset(), alone=True)
        for one, other in zip(left, right, strict=True)
    ):
        return True
    if len(left) == len(right) == 1 and left[0].number and right[0].number:
        beside = frozenset(piece.key for piece in (*spoken, *heard))
        return same_number(left[0].number, right[0].number, beside, beside, alone=True)
    return len(digits_of(left)) >= _LONG


def _date_parts(pieces: Sequence[Piece]) -> list[str]:
    """Day, month and year where they are told by three numbers, in their order; nothing for anything else."""
    parts = [part.lstrip("0") for piece in pieces if piece.number for part in piece.number.digits.split("/")]
    return parts if len(parts) == 3 else []


def found_exact(reference_span: str, hypothesis: str, language: str) -> str:
    """The words of a hypothesis that say exactly the same as a span of the reference with data, or nothing."""
    spoken, heard = read(reference_span, language), read(hypothesis, language)
    data = find_data(spoken, reference_span)
    if not data:
        return ""
    for first, last in candidates(spoken, data, heard, find_data(heard, hypothesis)):
        words = slice_of(hypothesis, heard[first:last])
        if same_exact(reference_span, words, language):
            return words
    return ""


def has_data(span: str, language: str) -> bool:
    """Whether a span holds a number, a date, an e-mail address or an identifier."""
    return any(token.sort != "word" for token in _tokens(span, language))


def exact_places(span: str, text: str, language: str) -> int:
    """How often a text holds the data of a span, in whatever format and with whatever words beside it."""
    wanted, there = ([token for token in _tokens(each, language) if token.sort != "word"] for each in (span, text))
    return max((sum(same_token(one, other) is True for other in there) for one in wanted), default=0)


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
    long = len(digits_of(spoken)) >= _LONG and not _has_rest(spoken) and not _has_rest(heard)
    return (
        (long or len(spoken) == len(heard) == 1) and digits_of(spoken) == digits_of(heard) and _alike(spoken, heard)
    )
