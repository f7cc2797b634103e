# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""Words and phrases that were said again and say no more for it.

Only where that is sure. A phrase of several words counts once where pauses stand around it, or where the whole text
is nothing else; a single word only if it is one of courtesy, such as `please` or `thanks`: `very, very` says more
than `very`, `so so` says something else, and Indian languages double words to change what they mean (`कभी कभी`).
Numbers and questions are never taken out. Small English words that a speaker stutters on count once.
"""

from collections.abc import Sequence

from pytest_asrgate.intent.acknowledgements import acknowledged
from pytest_asrgate.intent.pieces import Kind, Piece
from pytest_asrgate.intent.reading import folded

__all__ = ["said_once"]

_STUTTERED = frozenset("i we he she they the a an to and of my".split())
_COURTEOUS = frozenset(
    folded(word)
    for word in (
        "please thanks hello hi bye goodbye sorry wait stop welcome धन्यवाद शुक्रिया नमस्ते नमस्कार हैलो ধন্যবাদ "
        "নমস্কার നന്ദി ಧನ್ಯವಾದಗಳು நன்றி ధన్యవాదాలు આભાર ଧନ୍ୟବାଦ ਧੰਨਵਾਦ ਸ਼ੁਕਰੀਆ"
    ).split()
)
# Before a sentence that begins with the same word.
_OPENING = frozenset({"please", "yes"})


def said_once(pieces: Sequence[Piece], language: str) -> tuple[Piece, ...]:
    """The pieces of a text without what was only said again."""
    clauses = _clauses(pieces)
    made: list[list[Piece]] = []
    for clause in clauses:
        if made and _says_no_more(made[-1], clause, language):
            made[-1] = clause
        else:
            made.append(clause)
    once = [piece for clause in made for piece in clause]
    if language == "en":
        once = [piece for place, piece in enumerate(once) if not _is_stutter(once, place)]
    length = _period([piece.key for piece in once])
    if length < len(once) and _may_repeat(once[:length], language):
        # With the end of the last one, which has a pause or none behind it.
        return (*once[: length - 1], once[-1])
    return tuple(once)


def _clauses(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces between pauses; a question mark ends a clause too."""
    clauses: list[list[Piece]] = [[]]
    for place, piece in enumerate(pieces):
        clauses[-1].append(piece)
        asked = place + 1 < len(pieces) and pieces[place + 1].kind == Kind.QUESTION
        if (piece.pause or piece.kind == Kind.QUESTION) and not asked:
            clauses.append([])
    return clauses if clauses[-1] else clauses[:-1]


def _says_no_more(before: Sequence[Piece], clause: Sequence[Piece], language: str) -> bool:
    if len(before) == 1 and before[0].key in _OPENING and clause[0].key == before[0].key:
        return True
    same = [piece.key for piece in before] == [piece.key for piece in clause]
    return same and _may_repeat(clause, language)


def _may_repeat(part: Sequence[Piece], language: str) -> bool:
    """Whether a phrase says no more when it is said twice."""
    if any(piece.kind != Kind.WORD for piece in part):
        return False
    if len(part) > 1:
        return _period([piece.key for piece in part]) == len(part)
    return part[0].key in _COURTEOUS or bool(acknowledged(part, language))


def _is_stutter(pieces: Sequence[Piece], place: int) -> bool:
    return (
        place + 1 < len(pieces)
        and pieces[place].key in _STUTTERED
        and pieces[place].kind == Kind.WORD
        and pieces[place].key == pieces[place + 1].key
    )


def _period(keys: Sequence[str]) -> int:
    """The shortest length whose repetition makes up all of the keys; by the failure function of Knuth et al."""
    borders = [0] * len(keys)
    border = 0
    for place in range(1, len(keys)):
        while border and keys[place] != keys[border]:
            border = borders[border - 1]
        if keys[place] == keys[border]:
            border += 1
        borders[place] = border
    if not keys:
        return 0
    length = len(keys) - borders[-1]
    return length if len(keys) % length == 0 else len(keys)
