# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Numerals among their neighbours: times, telephone numbers, ranges, fractions, ordinals."""

import re
from collections.abc import Sequence

from pytest_asrgate.semantic.abbreviations import UNITS
from pytest_asrgate.semantic.money import sum_words
from pytest_asrgate.semantic.number_words import SCALE_VALUES, UNIT_NOUNS
from pytest_asrgate.semantic.numerals import cardinal_words, digit_words, numeral_words, ordinal_words, plural_words
from pytest_asrgate.semantic.parts import FRACTION_SIGNS, Spoken, fraction_words, number_words, token_at
from pytest_asrgate.semantic.tokens import Kind, Token

__all__ = ["read_amount"]

# Lengths of groups of digits that are a telephone, card or social security number.
_IDENTIFIERS = frozenset(
    [
        (3, 4), (3, 3, 4), (1, 3, 3, 4), (2, 3, 3, 4), (3, 2, 4), (4, 4, 4), (4, 4, 4, 4), (4, 6, 5), (5, 6),
        (2, 2, 2, 2, 2), (3, 4, 4), (2, 4, 4), (2, 2, 4, 4), (4, 3, 3), (5, 3, 3), (3, 3, 3), (5, 4),
    ]
)  # fmt: skip
_DATES = frozenset([(4, 2, 2), (2, 2, 4), (1, 2, 4), (2, 1, 4), (1, 1, 4), (4, 1, 1), (4, 2, 1), (4, 1, 2)])
_BETWEEN_GROUPS = frozenset({"-", " ", ") ", ")", "."})
_MOST_GROUPS = 20
_CENTS = re.compile(r"(\d*)\.(\d\d)")
_MEASURED = UNIT_NOUNS | {"°", "%"}
# Behind these two numbers and a slash are rather a date than a fraction, unless they are a part of something.
_BEFORE_DATES = frozenset(
    "on is was by until till since before after for from dated date due born birthday starting ending between "
    "through".split()
)
_PARTS_OF = UNIT_NOUNS | {"of", "full", "empty", "inch", "sizes", "done", "complete"} | UNITS.keys()
_WITH_CENTS = {"dollar": "$", "dollars": "$", "usd": "$", "euro": "€", "euros": "€"}
# So many digits in two groups are no range, and one has no longer ends.
_LONG, _LONGEST_RANGE = 7, 9


def read_amount(tokens: Sequence[Token], place: int) -> Spoken:
    """The words of the numeral at a place, with what belongs to it."""
    words, end = _read(tokens, place)
    return ([("to", 0), *words] if _ends_range(tokens, place) else words), end


def _ends_range(tokens: Sequence[Token], place: int) -> bool:
    """Whether a dash before a numeral is the `to` of `9am-5pm` or `10:30-11:30`."""
    before = token_at(tokens, place - 1)
    if before is None or tokens[place].gap not in {"-", "—"}:
        return False
    return before.text in {"am", "pm"} or (before.kind is Kind.NUMERAL and before.gap == ":")


def _read(tokens: Sequence[Token], place: int) -> Spoken:
    token = tokens[place]
    text = token.text
    if text.isdigit():
        for reader in (_identifier, _clock, _hours, _slashed, _range):
            if spoken := reader(tokens, place):
                return spoken
    groups = text.split(".") if text.count(".") > 1 else []
    lengths = tuple(map(len, groups))
    if lengths in _IDENTIFIERS:
        return number_words(digit_words(text)), place + 1
    if lengths in _DATES:
        return _apart(groups), place + 1
    following = token_at(tokens, place + 1)
    if following is not None and following.kind in {Kind.WORD, Kind.DOTTED}:
        spoken = _with_word(tokens, place, following)
        if spoken is not None:
            return spoken
    return _with_fraction(tokens, place, numeral_words(text, year=not _measured(following)))


def _with_word(tokens: Sequence[Token], place: int, following: Token) -> Spoken | None:
    """`5th`, `80s`, `5.30 pm`, `61.40 dollars`, `10k`: a numeral that the word behind it belongs to."""
    text, glued = tokens[place].text, following.gap == ""
    whole = text.replace(",", "")
    cents = _CENTS.fullmatch(whole)
    spoken: Spoken | None = None
    if glued and following.text in {"st", "nd", "rd", "th"} and whole.isdigit() and len(whole) < 16:
        spoken = number_words(ordinal_words(int(whole))), place + 2
    elif following.text == "s" and following.gap in {"", "'"} and whole.isdigit():
        spoken = number_words(plural_words(text)), place + 2
    elif _is_half_of_day(tokens, place + 1) and cents and len(cents[1]) < 3 and int(cents[2]) < 60:
        spoken = number_words(_hour_and_minutes(cents[1] or "0", cents[2])), place + 1
    elif cents and following.gap == " " and following.text in _WITH_CENTS and len(whole) < 16:
        spoken = sum_words(int(cents[1] or "0"), int(cents[2]), _WITH_CENTS[following.text]), place + 2
    elif glued and following.text == "k" and text[0] != "0" and len(text) < 4 and text.isdigit():
        spoken = number_words([*numeral_words(text), "thousand"]), place + 2
    return spoken


def _measured(following: Token | None) -> bool:
    """Whether what follows shows that four digits are no year."""
    return following is not None and (following.text in SCALE_VALUES or following.text in _MEASURED)


def _identifier(tokens: Sequence[Token], place: int) -> Spoken | None:
    """Groups of digits that are one telephone number, date or the like."""
    end = place + 1
    while end < len(tokens) and end - place < _MOST_GROUPS and _is_group(tokens[end]):
        end += 1
    before = token_at(tokens, place - 1)
    abroad = before is not None and before.text == "+" and tokens[place].gap == ""
    for stop in range(end, place + 1, -1):
        groups = [token.text for token in tokens[place:stop]]
        lengths = tuple(map(len, groups))
        hyphens = all(token.gap == "-" for token in tokens[place + 1 : stop])
        if len(groups) == 3 and hyphens and lengths in _DATES:
            return _apart(groups), stop
        if not (lengths in _IDENTIFIERS or (hyphens and len(groups) > 2) or (abroad and sum(lengths) > 6)):
            continue
        if len(groups) == 2 and all(group.endswith("0") for group in groups):
            continue
        return number_words(digit_words("".join(groups))), stop
    if abroad and len(tokens[place].text) > 6:
        return number_words(digit_words(tokens[place].text)), place + 1
    return None


def _is_group(token: Token) -> bool:
    return token.kind is Kind.NUMERAL and token.text.isdigit() and token.gap in _BETWEEN_GROUPS


def _clock(tokens: Sequence[Token], place: int) -> Spoken | None:
    """`5:30`, `17:45:10`; `5:00` is `five`."""
    hour, minute = tokens[place].text, token_at(tokens, place + 1)
    if minute is None or minute.kind is not Kind.NUMERAL or minute.gap != ":" or len(hour) > 2 or int(hour) > 24:
        return None
    if len(minute.text) != 2 or not minute.text.isdigit() or int(minute.text) > 59:
        return None
    words, end = _hour_and_minutes(hour, minute.text), place + 2
    second = token_at(tokens, end)
    if second is not None and second.kind is Kind.NUMERAL and second.gap == ":" and second.text.isdigit():
        words, end = words + numeral_words(second.text), end + 1
    return number_words(words), end


def _hours(tokens: Sequence[Token], place: int) -> Spoken | None:
    """`5 00 am` and `530 am`, whose colon is lost; only before one half of the day."""
    text, after = tokens[place].text, token_at(tokens, place + 1)
    if after is None or after.gap not in {"", " "}:
        return None
    end = place + 1
    if len(text) in {3, 4} and text[0] != "0":
        hour, minutes = text[:-2], text[-2:]
    elif len(text) < 3 and after.kind is Kind.NUMERAL and len(after.text) == 2 and after.text.isdigit():
        hour, minutes, end = text, after.text, place + 2
    else:
        return None
    if not _is_half_of_day(tokens, end) or int(minutes) > 59 or not 0 < int(hour) <= 24:
        return None
    return number_words(_hour_and_minutes(hour, minutes)), end


def _is_half_of_day(tokens: Sequence[Token], place: int) -> bool:
    """Whether `am`, `pm` or their letters stand at a place."""
    token, after = token_at(tokens, place), token_at(tokens, place + 1)
    if token is None or token.gap not in {"", " "}:
        return False
    return token.text in {"am", "pm"} or (token.text in {"a", "p"} and after is not None and after.text == "m")


def _hour_and_minutes(hour: str, minutes: str) -> list[str]:
    words = cardinal_words(int(hour)) if len(hour) < 3 else numeral_words(hour)
    if minutes == "00":
        return words
    return words + (digit_words(minutes) if minutes[0] == "0" else cardinal_words(int(minutes)))


def _slashed(tokens: Sequence[Token], place: int) -> Spoken | None:
    """`1/2` and `3/15/2024`: a fraction where it is one, else the numbers one after the other."""
    groups, end = [tokens[place].text], place + 1
    while (
        len(groups) < _MOST_GROUPS
        and end + 1 < len(tokens)
        and tokens[end].text == "/"
        and tokens[end].gap == tokens[end + 1].gap == ""
        and tokens[end + 1].text.isdigit()
    ):
        groups.append(tokens[end + 1].text)
        end += 2
    if len(groups) == 1:
        return None
    fraction = fraction_words(*groups) if len(groups) == 2 else None
    if fraction and not _may_be_date(tokens, place, end):
        return number_words(fraction), end
    return _apart(groups), end


def _may_be_date(tokens: Sequence[Token], place: int, end: int) -> bool:
    """Whether `3/4` stands where a date may, as in `on 3/4`, and no measure is behind it, as in `on 3/4 cup`."""
    before, after = token_at(tokens, place - 1), token_at(tokens, end)
    dated = before is not None and before.text in _BEFORE_DATES
    return dated and (after is None or after.text not in _PARTS_OF)


def _apart(groups: Sequence[str]) -> list[tuple[str, int]]:
    """Numerals that are written in one piece and yet are several: the numbers of a date."""
    return [
        (word, number)
        for number, group in enumerate(groups, start=1)
        for word in numeral_words(group.lstrip("0") or "0")
    ]


def _with_fraction(tokens: Sequence[Token], place: int, words: list[str]) -> Spoken:
    """`2 1/2` and `2½` are `two and a half`."""
    following, end, fraction = token_at(tokens, place + 1), place + 1, None
    if following is not None and following.gap in {"", " "}:
        if following.text in FRACTION_SIGNS:
            fraction, end = fraction_words(*map(str, FRACTION_SIGNS[following.text])), place + 2
        elif following.kind is Kind.NUMERAL and following.text.isdigit() and following.gap == " ":
            slash, parts = token_at(tokens, place + 2), token_at(tokens, place + 3)
            if slash is not None and parts is not None and slash.text == "/" and parts.text.isdigit():
                fraction = fraction_words(following.text, parts.text)
                end = place + 4 if fraction else end
    if fraction is None:
        return number_words(words), place + 1
    if fraction[0] == "one" and fraction[1] in {"half", "quarter", "third"}:
        fraction[0] = "a"
    return [*number_words(words), ("and", 0), *((word, int(word != "a")) for word in fraction)], end


def _range(tokens: Sequence[Token], place: int) -> Spoken | None:
    """The first number of `5-10`, and `to`; the second is read by itself. Digits of a telephone are none."""
    low, high = tokens[place].text, token_at(tokens, place + 1)
    if high is None or high.kind is not Kind.NUMERAL or high.gap not in {"-", "—"} or not high.text.isdigit():
        return None
    if _is_chained(tokens, place) or max(len(low), len(high.text)) > _LONGEST_RANGE:
        return None
    if low[0] == "0" or high.text[0] == "0" or (low == "1" and len(high.text) == 3):
        return None
    if _is_telephone(low, high.text):
        return number_words(digit_words(low + high.text)), place + 2
    return ([*number_words(numeral_words(low)), ("to", 0)], place + 1) if _rises(tokens, place) else None


def _is_chained(tokens: Sequence[Token], place: int) -> bool:
    """Whether more numerals than two are hyphened to one another."""
    before, beyond = token_at(tokens, place - 1), token_at(tokens, place + 2)
    hyphened = before is not None and before.kind is Kind.NUMERAL and tokens[place].gap == "-"
    return hyphened or (beyond is not None and beyond.gap == "-" and beyond.kind is Kind.NUMERAL)


def _is_telephone(low: str, high: str) -> bool:
    """Whether two groups of digits are rather a telephone number, or the like, than a range."""
    if len(low) == len(high):
        return len(low) == len("2024") and not (_round_or_year(low) and _round_or_year(high))
    return len(low) > 2 and len(low) + len(high) >= _LONG and not low.endswith("0")


def _rises(tokens: Sequence[Token], place: int) -> bool:
    """Whether two numbers are the ends of a range: the second is larger, or they are years or hours."""
    low, high, before = tokens[place].text, tokens[place + 1].text, token_at(tokens, place - 1)
    years = len(low) == len("2024") and len(high) == 2 and int(low[2:]) < int(high)
    hours = before is not None and before.text == "from"
    return years or hours or int(low) < int(high)


def _round_or_year(digits: str) -> bool:
    return digits.endswith("00") or 1100 <= int(digits) <= 2099
