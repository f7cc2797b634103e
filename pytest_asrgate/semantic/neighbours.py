"""Tokens whose meaning what stands beside them decides: abbreviations, units, letters behind an apostrophe."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_asrgate.semantic.abbreviations import (
    ABBREVIATIONS,
    BEFORE_NUMBERS,
    MONTHS,
    STOPPED,
    TITLES,
    UNITS,
)
from pytest_asrgate.semantic.contractions import expand_contraction
from pytest_asrgate.semantic.drafts import Draft
from pytest_asrgate.semantic.number_words import NUMBER_WORDS
from pytest_asrgate.semantic.spoken import PAIRS, SPLIT, SPOKEN
from pytest_asrgate.semantic.symbols import PER_UNITS
from pytest_asrgate.semantic.tokens import Kind, Pause, Token

__all__ = ["APOSTROPHES", "NEIGHBOURLY", "Beside", "Full", "read_beside"]

# Each word with its variants.
Full = list[tuple[str, tuple[str, ...]]]

APOSTROPHES = ("'", "’", "‘", "ʼ", "`")  # noqa: RUF001 - as they are in raw texts
_APOSTROPHE_FIRST = frozenset({"cause", "em", "til", "bout", "tis", "twas", "ll"})
# Before these `wont` is a habit.
_HABITS = frozenset(
    "his her their its my your our a the is was are were am be been of as".split()  # noqa: SIM905 - shorter
)
# What is left of a contraction whose parts stand apart: `he 's`, `they 're`.
_ENDINGS = frozenset({"s", "m", "re", "ve", "ll", "d"})
# What the `a` of `u s a` may stand before; before another word it may be an article (`the u s a man knows`).
_AFTER_USA = frozenset(
    """
    is are was were has had have and or but in on to of at for by with from that who which as will would can
    """.split()  # noqa: SIM905 - shorter
)
# Whose dollars: `US$5`.
_DOLLARS_OF = {
    "us": "", "a": "australian", "au": "australian", "c": "canadian", "ca": "canadian", "nz": "new zealand",
    "hk": "hong kong", "s": "singapore",
}  # fmt: skip
# Before these `lets` is what somebody does.
_LETTING = frozenset({"me", "you", "him", "her", "it", "us", "them"})
# One of these may stand before the `lets` that opens a sentence.
_OPENING = frozenset(
    {"ok", "okay", "so", "now", "hey", "yes", "yeah", "well", "um", "uh", "and", "then", "alright"}
)
_TIMES = frozenset({"second", "minute", "hour", "day", "night", "week", "month", "year"})
# What `us` is a country before.
_NATIONAL = frozenset({"dollar", "dollars", "government", "congress", "senate", "president", "citizen", "citizens"})
_MONEY = frozenset({"dollar", "dollars", "pound", "pounds", "euro", "euros"})
_SMALL_MONEY = frozenset({"cent", "cents", "penny", "pence"})


@dataclass(slots=True)
class Beside:
    """A text around one token: its tokens, the words read so far, the raw text, whether it is all upper case."""

    tokens: Sequence[Token]
    drafts: list[Draft]
    raw: str
    shouted: bool
    place: int = 0

    @property
    def token(self) -> Token:
        """The token in question."""
        return self.tokens[self.place]

    @property
    def after(self) -> Token | None:
        """The token behind it."""
        return self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else None

    @property
    def before(self) -> str:
        """The word before it."""
        return self.drafts[-1].text if self.drafts else ""

    @property
    def stopped(self) -> bool:
        """Whether a full stop is right behind it."""
        return self.raw.startswith(".", self.token.end)

    def behind_number(self) -> bool:
        """Whether the word before is a number, parted by no more than a blank or a hyphen."""
        return bool(self.drafts) and self.token.gap in {"", " ", "-"} and _is_number(self.drafts[-1])

    def many(self) -> bool:
        """Whether the number just read is another than one."""
        return self.before != "one" or (len(self.drafts) > 1 and _is_number(self.drafts[-2]))


def _is_number(draft: Draft) -> bool:
    return draft.numeral > 0 or draft.text in NUMBER_WORDS


def read_beside(beside: Beside) -> tuple[int, Full] | None:
    """Where the reading of a token ends and its words; None where its neighbours have no say."""
    return (
        _pair(beside)
        or _ending(beside)
        or _apostrophe(beside)
        or _unit(beside)
        or _number_sign(beside)
        or _abbreviation(beside)
        or _stopped(beside)
        or _other(beside)
        or _money(beside)
        or _with(beside)
    )


def _pair(beside: Beside) -> tuple[int, Full] | None:
    """Two tokens that are one word: `e-mail`, `uh-huh`, `p m`, and `o'clock`, which a number does without."""
    token, after, end = beside.token, beside.after, beside.place + 2
    if token.text in {"oclock", "o'clock"}:
        return end - 1, [] if beside.behind_number() else [("oclock", ())]
    if after is None or after.gap not in {" ", "-"} or after.kind is not Kind.WORD:
        return None
    if split := SPLIT.get((token.text, after.text)):
        return end, [(word, ()) for word in split.split()]
    pair = PAIRS.get((token.text, after.text))
    if (token.text, after.text) == ("u", "s") and _spells_america(beside):
        end += 1
    if token.text == after.text == "uh" and after.gap == "-":
        pair = "no"
    elif after.text == "m" and token.text in {"a", "p"} and beside.behind_number():
        pair = f"{token.text}m"
    if pair is None:
        return None
    return end, [] if pair == "oclock" and beside.behind_number() else [(pair, ())]


def _spells_america(beside: Beside) -> bool:
    """Whether an `a` behind `u s` is a letter of it."""
    tokens, place = beside.tokens, beside.place + 2
    if place >= len(tokens) or tokens[place].text != "a" or tokens[place].gap not in {" ", "-"}:
        return False
    last = tokens[place]
    if last.raw.isupper() and not beside.shouted:
        return True
    return bool(last.after) or tokens[place + 1].text in _AFTER_USA


def _ending(beside: Beside) -> tuple[int, Full] | None:
    """`he 's` as `he's`; behind a noun `'s` is a possessive, and part of its word."""
    token, end = beside.token, beside.place + 1
    if token.text not in _ENDINGS or token.gap != " '" or not beside.before.isalpha():
        return None
    if beside.raw.startswith(APOSTROPHES, token.end):
        return None
    first, second = [*(other.text for other in beside.tokens[end : end + 2]), "", ""][:2]
    full = expand_contraction(f"{beside.before}'{token.text}", (first, second))
    if full is not None and len(full) > 1:
        return end, [full[-1]]
    if token.text == "s":
        owner = beside.drafts[-1]
        owner.text, owner.raw = f"{owner.text}s", beside.raw[owner.start : token.end]
        return end, []
    return None


def _apostrophe(beside: Beside) -> tuple[int, Full] | None:
    """A token behind an apostrophe that stands for what was left out, or the `'s` of an initialism."""
    token, end = beside.token, beside.place + 1
    if not token.gap.endswith("'"):
        return None
    if token.text == "s" and token.gap == "'" and beside.drafts:
        beside.drafts[-1].raw += beside.raw[token.start - 1 : token.end]
        return end, []
    if token.start > 1 and beside.raw[token.start - 2].isalpha():
        return None
    if token.text == "n":
        return end, [("and", ())]
    if token.text in _APOSTROPHE_FIRST and not beside.raw.startswith(APOSTROPHES, token.end):
        return end, [(word, ()) for word in SPOKEN[f"'{token.text}"]]
    return None


def _unit(beside: Beside) -> tuple[int, Full] | None:
    text = beside.token.text
    if text == "h" and beside.token.gap:
        # `5h` is hours, `5 h` may be letters that are spelled.
        return None
    if text in UNITS and (beside.behind_number() or (beside.before == "square" and text != "sq")):
        words = UNITS[text][beside.many()].split()
        return beside.place + 1, [(word, ("a", "an") if word == "per" else ()) for word in words]
    return None


def _number_sign(beside: Beside) -> tuple[int, Full] | None:
    """`No. 5`, and months that a number or a full stop shows."""
    token, after = beside.token, beside.after
    number = after is not None and after.kind is Kind.NUMERAL
    if token.text == "no" and beside.stopped and number:
        return beside.place + 1, [("number", ())]
    if token.text in MONTHS and token.raw[0].isupper() and (beside.stopped or number):
        return beside.place + 1, [(MONTHS[token.text], ())]
    return None


def _abbreviation(beside: Beside) -> tuple[int, Full] | None:
    token, after, text = beside.token, beside.after, beside.token.text
    if text not in ABBREVIATIONS:
        return None
    full, others = ABBREVIATIONS[text]
    placed = bool(beside.drafts) and (beside.drafts[-1].name or _is_number(beside.drafts[-1]))
    if text in {"st", "dr"}:
        # A name behind it is a saint's or a doctor's; a name or a number before it is a street's.
        named = after is not None and after.raw[0].isupper() and token.after == Pause.NONE
        return beside.place + 1, [(others[0], (full,)) if placed and not named else (full, others)]
    if text in {"ave", "rd"} and not (placed or beside.stopped):
        # `Ave Maria`, and `have` without its h.
        return beside.place + 1, [(text, (full,))]
    return beside.place + 1, [(word, others) for word in full.split()]


def _stopped(beside: Beside) -> tuple[int, Full] | None:
    """An abbreviation that only its full stop and its neighbours tell from a word: `Gen. Smith`, `Acme Co.`."""
    token, after, text = beside.token, beside.after, beside.token.text
    if text in {"apt", "fig"} and after is not None and after.kind is Kind.NUMERAL and after.gap == " ":
        return beside.place + 1, [STOPPED[text]]
    if text not in STOPPED or not beside.stopped:
        return None
    if text in TITLES:
        named = after is not None and after.gap == ". " and after.raw[0].isupper()
        fits = named and (token.raw[0].isupper() or text == "v")
    elif text in BEFORE_NUMBERS:
        fits = after is not None and after.kind is Kind.NUMERAL
    else:
        fits = bool(beside.drafts) and beside.drafts[-1].name
    return (beside.place + 1, [STOPPED[text]]) if fits else None


def _other(beside: Beside) -> tuple[int, Full] | None:
    token, before, text = beside.token, beside.before, beside.token.text
    words: Full | None = None
    if text == "us" and token.raw == "US" and not beside.shouted:
        words = [("usa", ())]
    elif text == "us" and (before == "the" or (beside.after is not None and beside.after.text in _NATIONAL)):
        words = [("us", ("usa",))]
    elif text == "lets" and _opens(beside) and beside.after is not None and beside.after.text not in _LETTING:
        words = [("let", ()), ("us", ())]
    elif text == "per" and beside.after is not None and beside.after.text in _TIMES:
        words = [("per", ("a", "an"))]
    elif text == "till":
        words = [("till", ("until",))]
    elif text == "wont" and (before in _HABITS or (beside.after is not None and beside.after.text == "to")):
        words = [("wont", ())]
    elif text in {"c", "f"} and before in {"degree", "degrees"}:
        words = [("celsius" if text == "c" else "fahrenheit", ())]
    elif text in PER_UNITS and before == "per" and beside.drafts[-1].raw == "/":
        words = [(PER_UNITS[text], ())]
    return None if words is None else (beside.place + 1, words)


def _money(beside: Beside) -> tuple[int, Full] | None:
    """Whose dollars they are, but for American ones; the `and` of `five dollars and fifty cents` is dropped."""
    token, after = beside.token, beside.after
    if after is None:
        return None
    if token.text in _DOLLARS_OF and token.raw.isupper() and (after.text, after.gap) == ("$", ""):
        return beside.place + 1, [(word, ()) for word in _DOLLARS_OF[token.text].split()]
    beyond = {other.text for other in beside.tokens[beside.place + 2 : beside.place + 4]}
    if token.text == "and" and beside.before in _MONEY and not _SMALL_MONEY.isdisjoint(beyond):
        return beside.place + 1, []
    return None


def _opens(beside: Beside) -> bool:
    """Whether a token begins a sentence, but for one word such as `ok`."""
    if beside.token.first:
        return True
    before = beside.tokens[beside.place - 1]
    return before.first and before.text in _OPENING


def _with(beside: Beside) -> tuple[int, Full] | None:
    """`w/o milk` and `w/ milk`."""
    token, place, tokens = beside.token, beside.place, beside.tokens
    if (
        token.text != "w"
        or place + 2 >= len(tokens)
        or (tokens[place + 1].text, tokens[place + 1].gap) != ("/", "")
    ):
        return None
    after = tokens[place + 2]
    if after.gap == "" and after.text in {"o", "out"}:
        return place + 3, [("without", ())]
    # `W/L` and `M/W/F` are letters.
    letter = after.gap == "" and len(after.text) == 1
    return None if letter or token.gap == "" else (place + 2, [("with", ())])


# The tokens that `read_beside` may have something to say about.
NEIGHBOURLY = (
    frozenset(first for first, _ in (*PAIRS, *SPLIT))
    | ABBREVIATIONS.keys()
    | STOPPED.keys()
    | MONTHS.keys()
    | UNITS.keys()
    | PER_UNITS.keys()
    | _APOSTROPHE_FIRST
    | _DOLLARS_OF.keys()
    | _ENDINGS
    | {"oclock", "o'clock", "n", "p", "f", "no", "till", "wont", "and", "w", "lets", "per"}
)
