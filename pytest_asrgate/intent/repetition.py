# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Words and phrases that were said again and say no more for it.

Only where that is sure: where a whole text, or its opening, is a phrase of courtesy or agreement said again. Any
other phrase may be meant twice (`turn left, turn left`), be a name (`New York, New York`) or spelled; `very, very`
says more than `very`, and Indian languages double words to change what they mean (`कभी कभी`). Of what a speaker
stutters, a few small English words of several letters count once.
"""

from collections.abc import Sequence

from pytest_asrgate.intent.acknowledgements import acknowledged
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.reading import folded

__all__ = ["said_once"]

_STUTTERED = frozenset("we she they the an to and of".split())
# Phrases parted by `|`.
_COURTEOUS = frozenset(
    tuple(folded(phrase).split())
    for phrase in (
        "please|thanks|hello|hi|bye|goodbye|sorry|thank you|thank you very much|thank you so much|thanks a lot|"
        "good morning|good evening|good night|i agree|i see|i understand|of course|that is right|that's right|"
        "all right|no problem|i am sorry|i'm sorry|very good|धन्यवाद|शुक्रिया|नमस्ते|नमस्कार|माफ़ कीजिए|হ্যালো|"
        "ধন্যবাদ|নমস্কার|നന്ദി|ಧನ್ಯವಾದಗಳು|நன்றி|ధన్యవాదాలు|આભાર|ଧନ୍ୟବାଦ|ਧੰਨਵਾਦ|ਸ਼ੁਕਰੀਆ"
    ).split("|")
)
# What may be said again before it is said what is wanted.
_OPENING = frozenset({("please",), ("yes",), ("sorry",), ("hello",), ("thank", "you"), ("thanks",)})
_LONGEST = max(map(len, _COURTEOUS))


def said_once(pieces: Sequence[Piece], raw: str, language: str) -> tuple[Piece, ...]:
    """The pieces of a raw text without what was only said again; `language` has no region."""
    once = list(pieces)
    if language == "en":
        once = [piece for place, piece in enumerate(once) if not _is_stutter(once, place, raw)]
    keys = tuple(piece.key for piece in once)
    for length in range(1, min(_LONGEST, len(once) // 2) + 1):
        phrase = keys[:length]
        times = _times(keys, length)
        if length * times == len(keys) and times > 1 and _may_repeat(once[:length], language):
            # The last one, which has a pause or none behind it.
            return tuple(once[-length:])
        if times > 1 and phrase in _OPENING and once[length - 1].pause:
            return tuple(once[length * (times - 1) :])
    return tuple(once)


def _times(keys: tuple[str, ...], length: int) -> int:
    """How often a text begins with its first keys."""
    times = 1
    while keys[times * length : (times + 1) * length] == keys[:length]:
        times += 1
    return times


def _may_repeat(part: Sequence[Piece], language: str) -> bool:
    """Whether a phrase says no more when it is said twice."""
    if any(piece.kind != Kind.WORD for piece in part):
        return False
    return tuple(piece.key for piece in part) in _COURTEOUS or bool(len(part) == 1 and acknowledged(part, language))


def _is_stutter(pieces: Sequence[Piece], place: int, raw: str) -> bool:
    """Whether the next word is the same, small, without a capital (`The The` is a name), and not the last."""
    if place + 2 >= len(pieces) or pieces[place].key not in _STUTTERED:
        return False
    piece, following, beyond = pieces[place : place + 3]
    small = raw[following.start].islower() and len(beyond.key) > 1 and beyond.kind == Kind.WORD
    return piece.key == following.key and small and not piece.pause
