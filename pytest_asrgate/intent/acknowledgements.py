# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Words that acknowledge, agree or refuse and say nothing else, in English and ten Indian languages."""

from collections.abc import Mapping, Sequence

from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.reading import folded

__all__ = ["acknowledged", "leading"]

# Phrases parted by `|`, for yes and for no. English ones are heard in all of these languages, and in no other:
# `no` is a word of many.
_PHRASES: Mapping[str, tuple[str, str]] = {
    "en": (
        "yes|yeah|yep|yup|yea|hmm|hm|hmmm|mm|mmm|mhm|mmhmm|mm hmm|mm hm|mhm hmm|uhhuh|uh huh|aha|okay|ok|okey|"
        "right|sure|all right|alright",
        "no|nah|nope|naw|nuh uh",
    ),
    "hi": ("हाँ|हां|जी|जी हाँ|जी हां|हाँ जी|हां जी|ठीक है|अच्छा|हम्म|ओके", "नहीं|नही|जी नहीं|नहीं जी|ना"),
    "bn": ("হ্যাঁ|জি|জী|আচ্ছা|ঠিক আছে|হুম|ওকে", "না|জি না|জী না"),
    "mr": ("हो|होय|ठीक आहे|बरं|हम्म|ओके", "नाही"),
    "ml": ("അതെ|അതേ|ശരി|ഓക്കെ|ഓക്കേ|ഓകെ", "ഇല്ല"),
    "kn": ("ಹೌದು|ಸರಿ|ಆಯ್ತು|ಆಯಿತು|ಹೂಂ|ಓಕೆ", "ಇಲ್ಲ"),
    "ta": ("ஆமா|ஆமாம்|ஆம்|சரி|ஓகே|ம்", "இல்லை|இல்ல"),
    "te": ("అవును|ఔను|సరే|ఓకే", "లేదు"),
    "gu": ("હા|જી|જી હા|હા જી|ઠીક છે|અચ્છા|ઓકે", "ના|જી ના"),
    "or": ("ହଁ|ଠିକ୍ ଅଛି|ଠିକ ଅଛି|ଆଚ୍ଛା|ହଉ|ଓକେ", "ନା"),
    "pa": ("ਹਾਂ|ਜੀ|ਹਾਂ ਜੀ|ਜੀ ਹਾਂ|ਠੀਕ ਹੈ|ਅੱਛਾ|ਓਕੇ", "ਨਹੀਂ|ਜੀ ਨਹੀਂ|ਨਹੀਂ ਜੀ"),
}
_CLASSES = ("yes", "no")


def _table(phrases: tuple[str, str]) -> dict[tuple[str, ...], str]:
    return {
        tuple(folded(phrase).split()): name
        for name, several in zip(_CLASSES, phrases, strict=True)
        for phrase in several.split("|")
    }


_ENGLISH = _table(_PHRASES["en"])
_TABLES = {code: _ENGLISH | _table(phrases) for code, phrases in _PHRASES.items()}
_LONGEST = 2
# Twice in a row these may refuse: `mm-mm`.
_HUMMED = frozenset("mm mmm hm hmm hmmm mhm mmhmm".split())

# Where these open a longer utterance they say the same; others may not: `right` turns, `hmm` hesitates. Each may be
# more than an answer (`Yes Bank`, `okay people`, `no dogs`), so that a pause must follow.
_OPENING = dict.fromkeys("yes yeah yep yup yea".split(), "yes")
_OPENING |= {"okay": "okay", "ok": "okay", "okey": "okay", "no": "no", "nah": "no", "nope": "no"}


def acknowledged(pieces: Sequence[Piece], language: str) -> str:
    """`yes` or `no` for a text that is nothing but words of this class, however many; empty for any other.

    A text with a question mark asks, and is of neither.
    """
    table = _TABLES.get(language)
    if table is None:
        return ""
    place, found = 0, ""
    while place < len(pieces):
        for length in range(min(_LONGEST, len(pieces) - place), 0, -1):
            part = pieces[place : place + length]
            if length == 1 and _is_hummed_on(pieces, place):
                return ""
            name = _class_of(part, table)
            if name:
                break
        else:
            return ""
        if found not in {"", name}:
            return ""
        found = name
        place += length
    return found


def _is_hummed_on(pieces: Sequence[Piece], place: int) -> bool:
    return place + 1 < len(pieces) and {pieces[place].key, pieces[place + 1].key} <= _HUMMED


def _class_of(part: Sequence[Piece], table: Mapping[tuple[str, ...], str]) -> str:
    keys = tuple(piece.key for piece in part)
    hyphened = len(part) == 2 and part[0].pause and part[1].start == part[0].end + 1
    if keys == ("uh", "uh"):
        # With a blank between them they hesitate.
        return "no" if hyphened else ""
    if len(part) == 2 and part[0].pause and not hyphened:
        # The parts of a phrase are said in one breath.
        return ""
    return table.get(keys, "")


def leading(pieces: Sequence[Piece]) -> str:
    """The class of the English acknowledgement that opens a longer text, before a pause; empty for none."""
    if len(pieces) < 2 or not pieces[0].pause:
        return ""
    # `No. 14` is a number.
    numbered = pieces[0].key == "no" and pieces[1].kind != Kind.WORD
    return "" if numbered or pieces[1].number is not None else _OPENING.get(pieces[0].key, "")
