"""Utterance id → the name of its audio file, one that every file system takes and no other id has."""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable

__all__ = ["file_stems"]

# In bytes of UTF-8: with an ending, and the marks of a temporary file, it stays under the 255 of most systems.
_LONGEST = 200
_PLAIN = frozenset("._-")
# Of letters, digits, and the marks that belong to letters in many scripts.
_CATEGORIES = frozenset("LNM")
# Names of devices in Windows, also with any ending.
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³")]
)


def _kept(character: str) -> bool:
    return character in _PLAIN or unicodedata.category(character)[0] in _CATEGORIES


def _cut(stem: str, size: int) -> str:
    """As many whole characters as fit into so many bytes."""
    return stem.encode()[:size].decode("utf-8", "ignore")


def _clean(identity: str) -> str:
    """The id with everything replaced that some file system refuses; most ids stay as they are."""
    stem = "".join(character if _kept(character) else "_" for character in unicodedata.normalize("NFC", identity))
    if stem.startswith(".") or stem.split(".")[0].casefold() in _RESERVED:
        stem = f"_{stem}"
    if stem.endswith("."):
        stem = f"{stem[:-1]}_"
    return _cut(stem, _LONGEST)


def _hashed(identity: str, stem: str) -> str:
    # No id that stays as it is holds a tilde, so none has the name that is made here.
    mark = f"~{hashlib.sha256(identity.encode()).hexdigest()[:12]}"
    return f"{_cut(stem, _LONGEST - len(mark))}{mark}"


def _folded(stem: str) -> str:
    """What names share that are one name where case or the form of accents does not count."""
    return unicodedata.normalize("NFC", stem.casefold())


def file_stems(ids: Iterable[str]) -> dict[str, str]:
    """The name of each id's file without its ending, in one flat folder: at most 200 bytes, no two alike.

    An id of letters, digits and marks of any script, `.`, `_` and `-` is its own name. Where anything had to be
    replaced or cut, 12 hexadecimal digits of the id's SHA-256 follow behind a `~`, so that the name depends on
    the id alone. Ids that differ by nothing but case or Unicode form all get them; whether there are such is the
    only thing that depends on other ids, so `ids` has to be those of the whole corpus, not of a sample.
    """
    stems = {identity: _clean(identity) for identity in ids}
    alike = Counter(map(_folded, stems.values()))
    return {
        identity: stem if stem == identity and alike[_folded(stem)] == 1 else _hashed(identity, stem)
        for identity, stem in stems.items()
    }
