"""Kaldi's tables: a line an id and what belongs to it."""

import re
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.corpora.ids import check_id, note_place
from pytest_asrgate.corpora.lines import text_lines
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.values import shown

__all__ = ["Line", "genders", "pairs", "table", "words_of"]

_TAGS = {"f": "female", "female": "female", "m": "male", "male": "male"}
_BLANK = re.compile("[ \t]+")


@dataclass(frozen=True, slots=True)
class Line:
    """What a table has for one id: the rest of its line, and the place."""

    place: str
    rest: str

    @property
    def words(self) -> list[str]:
        """The rest, word by word, parted where Kaldi parts them: an id may hold any other white space."""
        return _BLANK.split(self.rest) if self.rest else []

    def where(self, identity: str) -> str:
        """The place as a message names it."""
        return f"{self.place} ({identity})"


def table(path: Path) -> dict[str, Line]:
    """The lines of a table by their first word; DatasetError for an id that is none or stands twice."""
    lines: dict[str, Line] = {}
    places: dict[str, str] = {}
    for number, line in text_lines(path):
        place = f"{path}:{number}"
        identity, *rest = _BLANK.split(line.strip(" \t"), maxsplit=1)
        check_id(identity, place)
        note_place(places, identity, place)
        lines[identity] = Line(place, rest[0] if rest else "")
    return lines


def words_of(path: Path, what: str, count: int = 1) -> dict[str, tuple[str, list[str]]]:
    """A table of so many words for each id, with the place of each; none where the file is absent."""
    if not path.exists():
        return {}
    found = {}
    for identity, line in table(path).items():
        words = line.words
        if len(words) != count:
            raise DatasetError(f"{line.where(identity)}: after the id stands {what}; it is {shown(line.rest)}")
        found[identity] = (line.place, words)
    return found


def pairs(path: Path, what: str) -> dict[str, str]:
    """A table of one word for each id, none where the file is absent; `what` says in a message what it is."""
    return {identity: words[0] for identity, (_, words) in words_of(path, what).items()}


def genders(path: Path) -> dict[str, str]:
    """The tag, female or male, of each id of a table of f and m; none where the file is absent."""
    tags = {}
    for identity, (place, (gender,)) in words_of(path, "f or m").items():
        if gender.lower() not in _TAGS:
            raise DatasetError(f"{place} ({identity}): a gender is f or m; it is {shown(gender)}")
        tags[identity] = _TAGS[gender.lower()]
    return tags
