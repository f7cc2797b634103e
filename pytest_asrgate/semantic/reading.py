# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Tokens written in full, one after the other, each with an eye on its neighbours."""

from collections.abc import Sequence
from functools import lru_cache

from pytest_asrgate.semantic.abbreviations import INITIALISMS
from pytest_asrgate.semantic.amounts import read_amount
from pytest_asrgate.semantic.contractions import CONTRACTED, expand_contraction
from pytest_asrgate.semantic.drafts import Draft
from pytest_asrgate.semantic.money import CURRENCIES, read_money
from pytest_asrgate.semantic.neighbours import APOSTROPHES, NEIGHBOURLY, Beside, read_beside
from pytest_asrgate.semantic.parts import FRACTION_SIGNS, read_fraction_sign
from pytest_asrgate.semantic.spellings import american_spelling
from pytest_asrgate.semantic.spoken import SPOKEN, fold_filler
from pytest_asrgate.semantic.symbols import SIGN_WORDS, slash_word
from pytest_asrgate.semantic.tokens import Kind, Pause, Token

__all__ = ["read_tokens"]

# Words that are capitalised for what they are or where they stand, not for whom they name.
_NO_NAMES = frozenset(
    "i ok okay am pm mr mrs ms dr prof st jr sr vs no yes the a an it he she we they you this that these those in "
    "on at but and so or if what when where who how why there here then my your his her our their is are was do "
    "does".split()
)


@lru_cache(maxsize=20_000)
def _plain(word: str) -> tuple[str, ...]:
    """A lower-case word in full, as far as no neighbour has a say in it."""
    if word in SPOKEN:
        return SPOKEN[word]
    bare = word.replace("'", "")
    if bare in SPOKEN:
        return SPOKEN[bare]
    # A letter of another script can hold several words.
    return tuple(american_spelling(fold_filler(part)) for part in bare.split())


@lru_cache(maxsize=20_000)
def _lone(word: str) -> str:
    """The one word that a lower-case word is read as whatever stands beside it; empty where there is more to it."""
    if "'" in word or word in NEIGHBOURLY or word in CONTRACTED:
        return ""
    full = _plain(word)
    return full[0] if len(full) == 1 else ""


def read_tokens(tokens: Sequence[Token], raw: str) -> list[Draft]:
    """The words of a text in order; `raw` is the whole raw text."""
    return _Reader(tokens, raw).read()


class _Reader:
    """Reads token by token; each method takes a place and returns the next one."""

    def __init__(self, tokens: Sequence[Token], raw: str) -> None:
        self.tokens = tokens
        self.raw = raw
        self.drafts: list[Draft] = []
        # A text that is all upper case shows no names, and no country called US.
        self.shouted = raw.isupper()
        self.beside = Beside(tokens, self.drafts, raw, self.shouted)
        self.compounds = 0
        self.linked = False

    def read(self) -> list[Draft]:
        place, tokens = 0, self.tokens
        while place < len(tokens):
            token = tokens[place]
            if token.address:
                place = self._address(place)
                continue
            # Most words are nothing but themselves, and what parts them from the word before is no hyphen.
            if token.kind is Kind.WORD and token.gap not in {"-", ""} and (word := _lone(token.text)):
                self._plain_word(word, token).after = token.after
                place += 1
                continue
            self.linked = token.gap in {"-", ""} and bool(self.drafts) and self._is_linked(tokens[place - 1], token)
            if token.kind is Kind.WORD:
                place = self._word(place)
            elif token.kind is Kind.NUMERAL:
                place = self._spoken(place, *read_amount(tokens, place))
            elif token.kind is Kind.DOTTED:
                place = self._dotted(place)
            else:
                place = self._sign(place)
        return self.drafts

    def _is_linked(self, before: Token, token: Token) -> bool:
        """Whether a token and the one before are one hyphenated piece: `long-term`, `WH-1000XM4`, not `5-10`.

        What is glued without a hyphen, such as `mp3`, counts as it does with blanks.
        """
        if before.address or Kind.SIGN in (before.kind, token.kind):
            return False
        if token.gap == "":
            return self.drafts[-1].compound is not None
        return not before.kind is token.kind is Kind.NUMERAL

    def _add(self, place: int, end: int, text: str, variants: tuple[str, ...] = ()) -> Draft:
        """Add a word that the tokens from `place` to before `end` are read as."""
        first = self.tokens[place]
        raw = first.raw if end == place + 1 else self.raw[first.start : self.tokens[end - 1].end]
        draft = Draft(text, raw, first.start, variants=variants)
        self.drafts.append(draft)
        return draft

    def _close(self, end: int, count: int) -> int:
        """Finish the words added since there were `count`: the pause behind them, what they are hyphenated to."""
        drafts, pause = self.drafts, self.tokens[end - 1].after
        if count < len(drafts):
            drafts[-1].after = pause
            if self.linked:
                self._link(count)
        elif count:
            drafts[-1].after = max(drafts[-1].after, pause)
        return end

    def _link(self, count: int) -> None:
        drafts, place = self.drafts, count - 1
        if drafts[place].compound is None:
            # All words of the piece before belong to it, with what is glued to them.
            drafts[place].compound = self.compounds
            while place and _glued(drafts[place - 1], drafts[place]):
                place -= 1
                drafts[place].compound = self.compounds
            self.compounds += 1
        for draft in drafts[count:]:
            draft.compound = drafts[count - 1].compound

    def _address(self, place: int) -> int:
        """A piece of an address: its words stand for nothing but themselves."""
        token, count = self.tokens[place], len(self.drafts)
        self.linked = False
        if token.kind is Kind.NUMERAL:
            end = self._spoken(place, *read_amount(self.tokens, place))
        else:
            self._add(place, place + 1, token.text)
            end = self._close(place + 1, count)
        for draft in self.drafts[count:]:
            draft.address = True
        return end

    def _following(self, place: int) -> str:
        """The word behind a place, nothing where the sentence ends before it."""
        tokens = self.tokens
        if place + 1 < len(tokens) and tokens[place].after != Pause.FULL and tokens[place + 1].kind is Kind.WORD:
            return tokens[place + 1].text
        return ""

    def _word(self, place: int) -> int:
        token, count = self.tokens[place], len(self.drafts)
        text = token.text
        if text in NEIGHBOURLY:
            self.beside.place = place
            if beside := read_beside(self.beside):
                end, words = beside
                for word, variants in words:
                    self._add(place, end, word, variants)
                return self._close(end, count)
        full = None
        if "'" in text or text in CONTRACTED:
            following = self._following(place)
            full = expand_contraction(text, (following, self._following(place + 1) if following else ""))
        if full is not None:
            for word, variants in full:
                self._add(place, place + 1, word, variants)
        else:
            for word in _plain(text):
                self._plain_word(word, token)
        return self._close(place + 1, count)

    def _plain_word(self, word: str, token: Token) -> Draft:
        draft = Draft(word, token.raw, token.start)
        self.drafts.append(draft)
        draft.name = token.raw[0].isupper() and not token.first and self._may_name(token)
        if word[-1] == "s" and self.raw.startswith(APOSTROPHES, token.end):
            # The possessive of a plural: `drivers'`.
            draft.raw += self.raw[token.end]
        return draft

    def _may_name(self, token: Token) -> bool:
        return not self.shouted and token.text not in _NO_NAMES

    def _dotted(self, place: int) -> int:
        token, count = self.tokens[place], len(self.drafts)
        for word in INITIALISMS.get(token.text, token.text).split():
            self._add(place, place + 1, word).name = token.raw[0].isupper() and self._may_name(token)
        return self._close(place + 1, count)

    def _spoken(self, place: int, words: list[tuple[str, int]], end: int) -> int:
        count = len(self.drafts)
        for word, numeral in words:
            self._add(place, end, word).numeral = numeral
        return self._close(end, count)

    def _sign(self, place: int) -> int:
        sign = self.tokens[place].text
        if sign in FRACTION_SIGNS:
            return self._spoken(place, read_fraction_sign(sign), place + 1)
        if sign in CURRENCIES and (spoken := read_money(self.tokens, place)):
            return self._spoken(place, *spoken)
        self.beside.place = place
        words = _sign_words(self.beside).split()
        end = self._spoken(place, [(word, 0) for word in words], place + 1)
        if words == ["per"]:
            self.drafts[-1].variants = ("a", "an")
        return end


def _glued(before: Draft, after: Draft) -> bool:
    """Whether nothing stands between two words of a raw text, or both are of one piece of it."""
    return after.start in {before.start, before.start + len(before.raw)}


def _sign_words(beside: Beside) -> str:
    """What a sign is called where it stands, nothing where it is silent."""
    sign, after = beside.token.text, beside.after
    glued = after is not None and after.gap == ""
    if sign in CURRENCIES:
        return CURRENCIES[sign][beside.many()] if beside.behind_number() else ""
    if sign == "#":
        if beside.token.gap == "" and not glued and len(beside.before) == 1:
            return "sharp"
        return ("number" if after.kind is Kind.NUMERAL else "hashtag") if after is not None and glued else ""
    if sign == "/":
        return slash_word(beside.before, after.text if after is not None else "")
    if sign in {"°", "¢"}:
        one, many = ("degree", "degrees") if sign == "°" else ("cent", "cents")
        return many if beside.many() else one
    # A line may be drawn with signs.
    drawn = sign == "=" and after is not None and glued and after.text == sign
    return "" if drawn else SIGN_WORDS.get(sign, "")
