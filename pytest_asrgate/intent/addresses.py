# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""E-mail addresses that are spoken, as one piece: `anna dot b at shop dot com` is anna.b@shop.com."""

from collections.abc import Sequence

from pytest_asrgate.intent.pieces import Kind, Piece

__all__ = ["with_addresses"]

_ENDINGS = frozenset("com org net edu gov in io co uk ai dev app info de eu".split())
_SIGNS = {
    "dot": ".", "point": ".", ".": ".", "underscore": "_", "_": "_", "dash": "-", "hyphen": "-", "-": "-",
    "plus": "+",
}  # fmt: skip
_DOTS = frozenset({"dot", "."})
# In India `@` is read so.
_AT_THE_RATE = ("at", "the", "rate")
_LONGEST_NAME, _LONGEST_DOMAIN = 16, 16


def with_addresses(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces with each spoken or half spoken address of mail as one piece.

    The name before `at` is the word before it, with what is put to it by `dot`, `underscore` or `dash`, with digits
    behind it, or with more letters where it is spelled. A longer name cannot be told from the words before it.
    """
    keys = {piece.key for piece in pieces}
    if not keys & {"at", "@"} or not keys & _DOTS:
        return tuple(pieces)
    made: list[Piece] = []
    place = 0
    while place < len(pieces):
        domain, end = ("", 0)
        if pieces[place].key in {"at", "@"} and made:
            domain, end = _domain(pieces, place + _sign_length(pieces, place))
        if domain and (length := _name_length(made)):
            name = "".join(_letters(piece) for piece in made[-length:])
            start = made[-length].start
            del made[-length:]
            last = pieces[end - 1]
            made.append(Piece(f"{name}@{domain}", start, last.end, Kind.ADDRESS, pause=last.pause))
            place = end
        else:
            made.append(pieces[place])
            place += 1
    return tuple(made)


def _sign_length(pieces: Sequence[Piece], place: int) -> int:
    if tuple(piece.key for piece in pieces[place : place + 3]) == _AT_THE_RATE:
        more = len(pieces) > place + 3 and pieces[place + 3].key == "of"
        return 4 if more else 3
    return 1


def _letters(piece: Piece) -> str:
    if piece.number is not None:
        return piece.number.digits
    return _SIGNS.get(piece.key, piece.key)


def _is_label(piece: Piece) -> bool:
    return piece.kind in {Kind.WORD, Kind.NUMBER} and piece.key not in _SIGNS


def _domain(pieces: Sequence[Piece], place: int) -> tuple[str, int]:
    """The domain that begins at a place and where it ends, empty where there is none."""
    labels: list[str] = []
    end = place
    while end < len(pieces) and end - place < _LONGEST_DOMAIN and _is_label(pieces[end]):
        labels.append(_letters(pieces[end]))
        end += 1
        if end + 1 >= len(pieces) or pieces[end].key not in _DOTS or not _is_label(pieces[end + 1]):
            break
        end += 1
    if len(labels) < 2 or labels[-1] not in _ENDINGS:
        return "", 0
    return ".".join(labels), end


def _name_length(made: Sequence[Piece]) -> int:
    """How many of the last pieces are the name of an address, none where no name stands there."""
    length = 0
    while length < min(len(made), _LONGEST_NAME):
        piece = made[-length - 1]
        if length == 0:
            if not _is_label(piece):
                return 0
        else:
            later = made[-length]
            joined = piece.key in _SIGNS or later.key in _SIGNS
            digits = later.number is not None and piece.kind == Kind.WORD
            spelled = len(piece.key) == len(later.key) == 1 and piece.key.isalpha() and later.key.isalpha()
            if not (joined or digits or spelled):
                break
        length += 1
    # It begins with no sign.
    while length and made[-length].key in _SIGNS:
        length -= 1
    return length
