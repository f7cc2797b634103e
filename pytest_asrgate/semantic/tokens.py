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

    `after` is the pause behind it, `first` says that it begins a sentence or a quotation.
    """

    kind: Kind
    text: str
    raw: str
    start: int
    gap: str
    after: int = Pause.NONE
    first: bool = False

    @property
    def end(self) -> int:
        """Where the token ends in the raw text."""
        return self.start + len(self.raw)


_DIGITS = r"\d{1,3}(?:,\d{3}){1,8}(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)*|(?<![\w.])\.\d+"
# A minus is one only before a number and after a blank, a bracket or nothing.
_MINUS = r"(?<![^\s(\[])-(?=[$£€¥₹]?\.?\d)"


def _pattern(letter: str, signs: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<DOTTED>[A-Za-z](?:\.[A-Za-z]){{1,8}}(?!\w)\.?)"
        rf"|(?P<WORD>{letter}+(?:'{letter}+)*)"
        rf"|(?P<NUMERAL>{_DIGITS})"
        rf"|(?P<SIGN>{_MINUS}|[$&@%+=#/{signs}])"
    )


_ASCII = _pattern("[A-Za-z]", "")
_ANY = _pattern(rf"[^\s\d\x00-\x40\x5b-\x60\x7b-\x7f{SIGNS}]", SIGNS.replace("—", "").replace("…", ""))

_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_SITE = re.compile(
    r"(?:https?://)?(?:www\.)?[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}"
    r"\.(?:com|org|net|edu|gov|io|co|uk|ai|dev|app|info|de|eu|us|tv|me)\b(?:/[\w./~%-]{0,200})?",
    re.IGNORECASE,
)
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
    tokens: list[Token] = []
    end = 0
    for kind, start, stop, text in _found(folded):
        gap = folded[end:start]
        first = not tokens
        if gap != " " and gap and tokens:
            tokens[-1].after = pause = _pause(tokens[-1], gap)
            first = pause == Pause.FULL or '"' in gap or ":" in gap
        tokens.append(Token(kind, text, raw[start:stop], start, gap, Pause.NONE, first))
        end = stop
    if tokens:
        tokens[-1].after = Pause.FULL
    return tokens


def _found(folded: str) -> Iterator[tuple[Kind, int, int, str]]:
    pattern = _ASCII if folded.isascii() else _ANY
    address, site = "@" in folded, bool(_SITE_HINT.search(folded))
    place = 0
    while found := pattern.search(folded, place):
        start, place = found.span()
        name = found.lastgroup
        if (name != "SIGN" and place < len(folded) and folded[place] in "@.:_-+") or (
            name == "NUMERAL" and address
        ):
            web = (address and _ADDRESS.match(folded, start)) or (site and _SITE.match(folded, start))
            if web and not web[0].replace(".", "").isdigit():
                place = web.end()
                yield from _spoken_address(web[0], start)
                continue
        if name == "WORD":
            text = found[0]
            text = text.lower() if text.isascii() else plain_letters(text)
            # Nothing is left of a word of joiners only.
            if text and text != "'":
                yield Kind.WORD, start, place, text
        elif name == "DOTTED":
            yield Kind.DOTTED, start, place, found[0].replace(".", "").lower()
        elif name == "NUMERAL":
            yield Kind.NUMERAL, start, place, found[0]
        else:
            yield Kind.SIGN, start, place, found[0]


def _spoken_address(address: str, start: int) -> Iterator[tuple[Kind, int, int, str]]:
    """An address of mail or web as it is read aloud; its scheme is not."""
    scheme = _SCHEME.match(address)
    for piece in _PIECE.finditer(address, scheme.end() if scheme else 0):
        text = piece[0]
        here, stop = start + piece.start(), start + piece.end()
        if text in _SPOKEN_SIGNS:
            yield Kind.WORD, here, stop, _SPOKEN_SIGNS[text]
        elif text.isdigit():
            yield Kind.NUMERAL, here, stop, text
        else:
            yield Kind.WORD, here, stop, plain_letters(text)


def _pause(before: Token, gap: str) -> int:
    """The pause that the signs between two tokens stand for."""
    if "?" in gap or "!" in gap:
        return Pause.FULL
    if "." in gap and "..." not in gap:
        initial = len(before.text) == 1 and before.raw.isupper() and before.text != "i"
        if before.kind is Kind.WORD and (before.text in _ABBREVIATED or initial) and gap.startswith("."):
            return Pause.NONE
        return Pause.FULL
    return Pause.SHORT if any(sign in gap for sign in ',;—….()[]{}"\n') else Pause.NONE
