# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Whether the pieces of two texts surely say the same, where they stand: words, their case, pauses and numbers."""

from collections.abc import Sequence

from pytest_asrgate.intent.numbers import base_of, month_of
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.reading import folded
from pytest_asrgate.intent.signal_words import NEGATIVE_WORDS
from pytest_asrgate.intent.sure_numbers import Said, same_gap, surely_same_number
from pytest_asrgate.semantic.forms import NEGATIONS

__all__ = ["asked_once", "surely_same"]

# Beside these a pause may tell what is negated. Of languages that have no list of their own, the common ones.
_NEGATIONS = (
    frozenset(map(folded, frozenset().union(*NEGATIVE_WORDS.values())))
    | NEGATIONS
    | frozenset(
        "non nicht nein kein keine nie niemals ne pas jamais não nao nunca jamás jamas sin sem nem ni nada niente "
        "niet geen nooit ikke nei inte nej aldrig ej nu nici не нет нет ні ні ні nije nic žádný ei değil yok "
        "hay\u0131r "
        "tidak bukan jangan không لا ليس لم لن मत נא לא אין όχι δεν μην μη".split()
    )
)
# In capitals another word, and with one capital a name.
_ACRONYMS = frozenset("us it who aids un em ir ai er pa ma add led".split())
_NAMES_TOO = frozenset(
    "may march august will mark polish turkey china pat rose hope grace joy art jack frank rich sue rob bob dean "
    "grant drew gene miles chase reading nice mobile job bath orange apple amazon windows word swiss hardy dick "
    "ray dawn faith summer autumn amber ruby violet ivy holly olive lily daisy penny iris jasmine pearl chuck "
    "earth mars mercury god asha jaya jyoti maya".split()
)
_HALVES = frozenset({"am", "pm"})


def asked_once(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The pieces with one question mark where several stand: they ask no more than one."""
    if not any(piece.kind == Kind.QUESTION for piece in pieces):
        return pieces
    return [
        piece
        for place, piece in enumerate(pieces)
        if not (piece.kind == Kind.QUESTION and place and pieces[place - 1].kind == Kind.QUESTION)
    ]


def surely_same(spoken: Said, heard: Said, language: str) -> bool:
    """Whether two texts have surely the same pieces, numbers in whatever form."""
    spoken = Said(spoken.raw, asked_once(spoken.pieces))
    heard = Said(heard.raw, asked_once(heard.pieces))
    if len(spoken.pieces) != len(heard.pieces):
        return False
    strict = base_of(language) == "de"
    cased = all(any(map(str.isupper, said.raw)) for said in (spoken, heard))
    last = len(spoken.pieces) - 1
    for place, (left, right) in enumerate(zip(spoken.pieces, heard.pieces, strict=True)):
        if left.number is not None and right.number is not None:
            if not surely_same_number(spoken, heard, place, language):
                return False
            if place < last and not same_gap(spoken, heard, place):
                return False
            continue
        is_word = Kind.WORD in {left.kind, right.kind}
        if left.key != right.key or (
            is_word and not _is_same_word(spoken, heard, place, cased=cased, strict=strict)
        ):
            return False
    return True


def _is_same_word(spoken: Said, heard: Said, place: int, *, cased: bool, strict: bool) -> bool:
    key, left, right = spoken.pieces[place].key, spoken.text(place), heard.text(place)
    # A weight, or money.
    other_pound = key == "pound" and left[:1].isalpha() != right[:1].isalpha()
    negates = key in _NEGATIONS or key.endswith("n't")
    if other_pound or (negates and _pauses(spoken, place) != _pauses(heard, place)):
        return False
    if left == right or (strict and folded(left) == folded(right)):
        return left == right
    return _is_same_case(spoken, heard, place, cased=cased)


def _is_same_case(spoken: Said, heard: Said, place: int, *, cased: bool) -> bool:
    """Whether a word that is not written alike is no other word for that."""
    key, left, right = spoken.pieces[place].key, spoken.text(place), heard.text(place)
    if key in _HALVES and ("." in left) != ("." in right):
        return bool(place) and spoken.pieces[place - 1].number is not None
    if key in _ACRONYMS:
        return _is_shouted(spoken, left) == _is_shouted(heard, right)
    if key in _NAMES_TOO and cased and left[:1].isupper() != right[:1].isupper():
        # Before the day or the year it is a month.
        dated = month_of(key) and place + 1 < len(spoken.pieces) and spoken.pieces[place + 1].number is not None
        return bool(dated) or (_opens(spoken, place) and _opens(heard, place))
    return True


def _is_shouted(said: Said, word: str) -> bool:
    """Whether a word is all capitals in a text that is not."""
    return word.isupper() and not said.raw.isupper()


def _pauses(said: Said, place: int) -> tuple[bool, bool]:
    """Whether there are pauses before and behind a piece, within the text."""
    before = place > 0 and said.pieces[place - 1].pause
    return before, place + 1 < len(said.pieces) and said.pieces[place].pause


def _opens(said: Said, place: int) -> bool:
    return not place or said.pieces[place - 1].pause or said.pieces[place - 1].kind == Kind.QUESTION
