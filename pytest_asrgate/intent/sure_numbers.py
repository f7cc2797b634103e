# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Whether two numbers of two texts are surely the same where they stand, with the signs and words around them.

Stricter than `intent.numbers.same_number`, which compares what was quoted alone: in a text `two five` is 25 only
where nothing is counted by it, and `third` is 3 only in a date. What is not certain is not the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import category

from pytest_asrgate.intent.digit_words import DOUBTFUL
from pytest_asrgate.intent.numbers import base_of, month_of
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.reading import folded
from pytest_asrgate.intent.signal_words import LARGER_NUMERALS
from pytest_asrgate.semantic.numbers import NUMBERED
from pytest_asrgate.semantic.same_numbers import is_year, parts_of

__all__ = ["SCALES", "Said", "is_negative", "same_gap", "surely_same_number"]

# Words that make a larger number of the one before them, with their zeros.
SCALES = {"hundred": 2, "thousand": 3, "lakh": 5, "lakhs": 5, "million": 6, "crore": 7, "crores": 7, "billion": 9}
_SCALED = frozenset(SCALES) | frozenset().union(*LARGER_NUMERALS.values())
# Behind these digits are said one by one.
_LABELS = NUMBERED - {"plus", "minus", "step", "part", "volume", "class", "option", "version"} | frozenset(
    "code pin otp pnr id account mobile phone extension house seat coach flat ward "
    "नंबर नम्बर संख्या क्रमांक कोड पिन ओटीपी कमरा खोली নম্বর নাম্বার কোড পিন എണ്ണം നമ്പർ നമ്പര് കോഡ് ಸಂಖ್ಯೆ ನಂಬರ್ ಕೋಡ್ எண் "
    "நம்பர் గది నంబర్ నంబరు నెంబర్ కోడ్ નંબર કોડ ନମ୍ବର କୋଡ୍ ਨੰਬਰ ਕੋਡ".split()
)
_COPULAS = frozenset("है हैं हे आहे છે ਹੈ ଅଟେ".split())
_IS = frozenset("is was".split())
_HALVES = frozenset({"am", "pm"})
_BEFORE_TIMES = frozenset("at by till until".split())
_BEFORE_YEARS = frozenset("in of since year born until".split())
_SINGLES, _LONG = 5, 7
_DASHES = "\\-\u2010-\u2015\u2212\ufe63\uff0d"
_NEGATED = re.compile(
    rf"(?:^|[^\d])[{_DASHES}](?:[\s\"'\u201c\u2018(\[$€£₹¥.]|\b(?:rs|inr|usd|eur)\b)*$", re.IGNORECASE
)
_LOOKED_BACK = 16
_PRIMES = "'\"\u2019\u201d\u2032\u2033"


@dataclass(frozen=True, slots=True)
class Said:
    """A raw text with its pieces, or some of them."""

    raw: str
    pieces: Sequence[Piece]

    def text(self, place: int) -> str:
        """What was written for one piece."""
        return self.raw[self.pieces[place].start : self.pieces[place].end]

    def key(self, place: int) -> str:
        """The key of a piece, empty outside of the text."""
        return self.pieces[place].key if 0 <= place < len(self.pieces) else ""

    def ends(self, place: int) -> bool:
        """Whether nothing follows a piece in its clause, or a copula that ends the text."""
        last = len(self.pieces) - 1
        if place >= last or self.pieces[place].pause or self.pieces[place + 1].kind == Kind.QUESTION:
            return True
        return place + 1 == last and self.pieces[last].key in _COPULAS


def is_negative(raw: str, piece: Piece) -> bool:
    """Whether a dash stands before a number, with or without a currency between them, that is not of a range."""
    return bool(_NEGATED.search(raw[max(0, piece.start - _LOOKED_BACK) : piece.start]))


def surely_same_number(spoken: Said, heard: Said, place: int, language: str) -> bool:
    """Whether the numbers that stand at one place of two texts are surely the same."""
    left, right = spoken.pieces[place].number, heard.pieces[place].number
    if left is None or right is None or left.digits != right.digits or not _is_same_form(spoken, heard, place):
        return False
    if left.ordinal or right.ordinal:
        same = left.ordinal == right.ordinal and left.written == right.written
        return same or _surely_ordinal(spoken, heard, place, rank=left.ordinal == right.ordinal)
    if left.clock != right.clock and not _is_time(spoken, heard, place):
        return False
    fewer, parts = sorted(map(parts_of, (left, right)), key=len)
    return fewer == parts or (len(fewer) == 1 and _in_parts(spoken, heard, place, language))


def _is_same_form(spoken: Said, heard: Said, place: int) -> bool:
    """Whether the signs of two numbers are the same, beside them and within a date."""
    if _signs(spoken, place) != _signs(heard, place):
        return False
    number = spoken.pieces[place].number
    return number is None or "/" not in number.digits or _same_date(spoken.text(place), heard.text(place))


def _signs(said: Said, place: int) -> tuple[bool, bool, str]:
    """A minus before a number, a dash behind it, and a quotation mark there, which may be a foot or an inch."""
    piece = said.pieces[place]
    after, beyond = said.raw[piece.end : piece.end + 1], said.raw[piece.end + 1 : piece.end + 2]
    open_end = bool(re.match(f"[{_DASHES}]", after)) and not beyond.strip()
    return is_negative(said.raw, piece), open_end, after if after and after in _PRIMES else ""


def _same_date(left: str, right: str) -> bool:
    """Whether two dates differ by their signs only where that surely is no difference: with the whole year."""
    signs = [re.sub(r"\d", "", text) for text in (left, right)]
    return signs[0] == signs[1] or all(re.search(r"\d{4}", text) for text in (left, right))


def _surely_ordinal(spoken: Said, heard: Said, place: int, *, rank: bool) -> bool:
    """Whether an ordinal is the day of a date, or alone; `rank` says that both are ordinals."""
    if len(spoken.pieces) == len(heard.pieces) == 1:
        return True
    if rank and spoken.key(place - 1) == "the":
        return True
    number = spoken.pieces[place].number
    if number is None or not number.digits.isdecimal() or not 0 < int(number.digits) < 32:
        return False
    ends = all(said.ends(place) or _is_last_year(said, place + 1) for said in (spoken, heard))
    if month_of(spoken.key(place - 1)):
        return ends and _is_capital(spoken, heard, place - 1)
    month = place + (2 if spoken.key(place + 1) == "of" else 1)
    if not month_of(spoken.key(month)) or not _is_capital(spoken, heard, month):
        return False
    years = all(_is_last_year(said, month + 1) for said in (spoken, heard))
    return years or (month == place + 2 and spoken.ends(month) and heard.ends(month))


def _is_capital(spoken: Said, heard: Said, place: int) -> bool:
    """Whether a month is written as a name on one side."""
    return any(said.text(place)[:1].isupper() for said in (spoken, heard))


def _is_last_year(said: Said, place: int) -> bool:
    number = said.pieces[place].number if place < len(said.pieces) else None
    return number is not None and is_year(number.digits) and said.ends(place)


def _is_time(spoken: Said, heard: Said, place: int) -> bool:
    """Whether a number is surely a time of the day, though one side has no colon."""
    if spoken.key(place + 1) in _HALVES:
        return True
    return spoken.key(place - 1) in _BEFORE_TIMES and spoken.ends(place) and heard.ends(place)


def _in_parts(spoken: Said, heard: Said, place: int, language: str) -> bool:
    """Whether a number that one side has in parts is one number, as the other has it."""
    several, one = sorted((spoken, heard), key=lambda said: -len(_parts(said, place)))
    number, single, parts = several.pieces[place].number, one.pieces[place].number, _parts(several, place)
    assert number is not None and single is not None  # noqa: S101, PT018 - asked before; tells the type checker
    singles = all(len(part) == 1 for part in parts)
    # With pauses between them they may be a list.
    paused = any(category(sign)[0] == "P" and sign != "-" for sign in several.text(place))
    if number.written or paused:
        return number.written and singles
    if single.clock or (singles and len(parts) >= _SINGLES):
        return single.clock or spoken.key(place + 1) not in _SCALED
    if not (spoken.ends(place) and heard.ends(place)):
        return False
    if singles:
        return _is_alone_or_labelled(spoken, place) and not _is_doubtful(several.text(place), language)
    if is_year(single.digits) and len(parts[0]) == 2:
        return len(spoken.pieces) == 1 or _is_behind_date(spoken, place)
    return _is_labelled(spoken, place) or len(single.digits) >= _LONG


def _parts(said: Said, place: int) -> tuple[str, ...]:
    number = said.pieces[place].number
    return parts_of(number) if number is not None else ()


def _is_doubtful(text: str, language: str) -> bool:
    """Whether a word of a number means something else too."""
    return not DOUBTFUL.get(base_of(language), frozenset()).isdisjoint(folded(text).split())


def _is_behind_date(said: Said, place: int) -> bool:
    """Whether a year stands where years do: `in 1984`, `May 5, 1984`."""
    if not place:
        return False
    before = said.pieces[place - 1]
    return before.key in _BEFORE_YEARS or bool(month_of(before.key)) or _is_day(before)


def _is_day(piece: Piece) -> bool:
    number = piece.number
    return number is not None and number.digits.isdecimal() and 0 < int(number.digits) < 32


def _is_alone_or_labelled(said: Said, place: int) -> bool:
    return len(said.pieces) == 1 or _is_labelled(said, place)


def _is_labelled(said: Said, place: int) -> bool:
    """Whether a number stands behind what it numbers: `room 25`, `the code is 25`."""
    before = place - 2 if said.key(place - 1) in _IS else place - 1
    return said.key(before) in _LABELS


def same_gap(spoken: Said, heard: Said, place: int) -> bool:
    """Whether nothing else stands between two numbers and those behind them; a comma only before a year."""
    gaps = []
    for said in (spoken, heard):
        one, other = said.pieces[place], said.pieces[place + 1]
        if one.number is None or other.number is None:
            return True
        gaps.append("".join(said.raw[min(one.end, other.start) : max(one.end, other.start)].split()))
    dated = _is_day(spoken.pieces[place]) and _is_last_year(spoken, place + 1)
    return gaps[0] == gaps[1] or (dated and set(gaps) <= {"", ","})
