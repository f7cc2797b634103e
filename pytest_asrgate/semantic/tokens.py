# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""A raw English text cut into words, numerals and signs, each with its place and what stands before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from pytest_asrgate.semantic.characters import SIGNS, fold_characters, plain_letters

__all__ = ["Kind", "Pause", "Token", "find_tokens"]


class Kind(Enum):
    """What a token is: letters, letters with full stops between them, digits, or a sign."""

    WORD = "word"
    DOTTED = "dotted"
    NUMERAL = "numeral"
    SIGN = "sign"


class Pause:
    """How far what follows is apart: in no way, by a comma or the like, or by the end of a sentence."""

    NONE, SHORT, FULL = 0, 1, 2


@dataclass(slots=True)
class Token:
    """A piece of text; `text` is folded and in lower case, `gap` is the folded text between it and the one before.

    `after` is the pause behind it, `first` says that it begins a sentence or a quotation,
    `address` that it is part of an address of mail or web.
    """

    kind: Kind
    text: str
    raw: str
    start: int
    gap: str
    after: int = Pause.NONE
    first: bool = False
    address: bool = False

    @property
    def end(self) -> int:
        """Where the token ends in the raw text."""
        return self.start + len(self.raw)


_DIGITS = r"\d{1,3}(?:,\d{3}){1,8}(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)*|(?<![\w.])\.\d+"
# A minus is one only before a number and after a blank, a bracket or nothing.
_MINUS = r"(?<![^\s(\[])(?:-|(?<!\d\s)–)(?=[$£€¥₹]?\.?\d)"
_LESS_OR_MORE = r"(?<![-=<>])[<>](?=\s?[$£€¥₹]?\.?\d)"
_BETWEEN_NUMBERS = r"(?:(?<=\d)|(?<=\d\s))[*^](?=\s?\d)"


def _pattern(letter: str, signs: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<DOTTED>[A-Za-z](?:\.[A-Za-z]){{1,8}}(?!\w)\.?)"
        rf"|(?P<WORD>{letter}+(?:'{letter}+)*)"
        rf"|(?P<NUMERAL>{_DIGITS})"
        rf"|(?P<SIGN>{_MINUS}|{_LESS_OR_MORE}|{_BETWEEN_NUMBERS}|[$&@%+=#/{signs}])"
    )


_ASCII = _pattern("[A-Za-z]", "")
_ANY = _pattern(rf"[^\s\d\x00-\x40\x5b-\x60\x7b-\x7f{SIGNS}]", "".join(sign for sign in SIGNS if sign not in "—–…"))

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_SITE = re.compile(
    r"(?:https?://)?(?:www\.)?[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}"
    r"\.(?:com|org|net|edu|gov|io|co|uk|ai|dev|app|info|de|eu|us|tv|me)\b(?:/[\w./~%-]{0,200})?",
    re.IGNORECASE,
)
# A name with underscores, as accounts have.
_HANDLE = re.compile(r"[^\W_]{1,63}(?:_[^\W_]{1,63}){1,8}")
# What the usual English normaliser removes too; digits in round brackets may be said: `(555) 123`.
_ANNOTATION = re.compile(r"\[([^\]\[]{0,200})\]|\(([^()\d]{0,200})\)|<([^<>\s\d]{1,60})>")
# Every site has this.
_SITE_HINT = re.compile(r"\.[A-Za-z]")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_PIECE = re.compile(r"[^\W\d_]+|\d+|[._/@+-]")
_SPOKEN_SIGNS = {".": "dot", "_": "underscore", "/": "slash", "@": "at", "+": "plus", "-": "dash"}

# Behind these a full stop is no end of a sentence.
_ABBREVIATED = frozenset(
    "dr mr mrs ms st prof jr sr vs ave blvd rd dept apt approx no mt ft lt capt sgt gen gov sen rep rev hon col "
    "jan feb mar apr jun jul aug sept sep oct nov dec inc ltd co fig etc est".split()
)


def find_tokens(raw: str) -> list[Token]:
    """Cut a raw text into tokens, in order; what is neither word, number nor sign stays in the gaps."""
    folded = fold_characters(raw)
    if "[" in folded or "(" in folded or "<" in folded:
        # As long as before, and still a pause.
        folded = _ANNOTATION.sub(lambda found: f"[{' ' * (len(found[0]) - 2)}]", folded)
    tokens: list[Token] = []
    end = 0
    for kind, start, stop, text, address in _found(folded):
        gap = folded[end:start].replace("–", "—")
        first = not tokens
        if gap != " " and gap and tokens:
            tokens[-1].after = pause = _pause(tokens[-1], gap)
            first = pause == Pause.FULL or '"' in gap or ":" in gap
        tokens.append(Token(kind, text, raw[start:stop], start, gap, Pause.NONE, first, address))
        end = stop
    if tokens:
        tokens[-1].after = Pause.FULL
    return tokens


# What is found: its kind, where it begins and ends, its text, and whether it is part of an address.
_Found = tuple[Kind, int, int, str, bool]


def _found(folded: str) -> Iterator[_Found]:
    pattern = _ASCII if folded.isascii() else _ANY
    address, site, handle = "@" in folded, bool(_SITE_HINT.search(folded)), "_" in folded
    # Digits may go on with a name only where there is an address at all.
    going_on = "@.:_-+0123456789" if address or site or handle else ":-+"
    place = 0
    while found := pattern.search(folded, place):
        start, place = found.span()
        name = found.lastgroup
        if (name != "SIGN" and place < len(folded) and folded[place] in going_on) or (
            name == "NUMERAL" and (address or handle)
        ):
            web = (
                (address and _ADDRESS.match(folded, start))
                or (site and _SITE.match(folded, start))
                or (handle and _HANDLE.match(folded, start))
            )
            if web and not web[0].replace(".", "").isdigit():
                place = web.end()
                yield from _spoken_address(web[0], start)
                continue
        if name == "WORD":
            text = found[0]
            if text.isascii():
                text = text.lower()
            else:
                text = plain_letters(text)
                # Joiners, and marks without a letter, are no word.
                if not any(map(str.isalpha, text)):
                    continue
            if text != "'":
                yield Kind.WORD, start, place, text, False
        elif name == "DOTTED":
            yield Kind.DOTTED, start, place, found[0].replace(".", "").lower(), False
        elif name == "NUMERAL":
            yield Kind.NUMERAL, start, place, found[0], False
        else:
            yield Kind.SIGN, start, place, found[0], False


def _spoken_address(address: str, start: int) -> Iterator[_Found]:
    """An address of mail or web as it is read aloud; its scheme is not."""
    scheme = _SCHEME.match(address)
    for piece in _PIECE.finditer(address, scheme.end() if scheme else 0):
        text = piece[0]
        here, stop = start + piece.start(), start + piece.end()
        if text in _SPOKEN_SIGNS:
            yield Kind.WORD, here, stop, _SPOKEN_SIGNS[text], True
        elif text.isdigit():
            yield Kind.NUMERAL, here, stop, text, True
        else:
            yield Kind.WORD, here, stop, plain_letters(text), True


def _pause(before: Token, gap: str) -> int:
    """The pause that the signs between two tokens stand for."""
    if "?" in gap or "!" in gap:
        return Pause.FULL
    if "." in gap and "..." not in gap:
        initial = len(before.text) == 1 and before.raw.isupper() and before.text != "i"
        if before.kind is Kind.WORD and (before.text in _ABBREVIATED or initial) and gap.startswith("."):
            return Pause.NONE
        return Pause.FULL
    if before.kind is Kind.NUMERAL and gap == " - ":
        return Pause.SHORT
    return Pause.SHORT if any(sign in gap for sign in ',;—….()[]{}"\n') else Pause.NONE
