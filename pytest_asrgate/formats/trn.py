"""Transcripts as NIST's sclite reads them: `some words (id)` a line.

Source: "trn" in the input formats of SCTK's sclite documentation (doc/infmts.htm).
"""

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.jsonlines import read_whole
from pytest_asrgate.values import shown

__all__ = ["read_trn", "trn_text"]

_COMMENT = ";;"
_BYTE_ORDER_MARK = "\ufeff"
# sclite's word for nothing.
_NULL = "@"

# The id of a line whose bytes are not UTF-8.
_LAST_ID = re.compile(rb"\(([!-'*-~]+)\)\s*$")


def _check_id(identity: str) -> None:
    if not identity.strip():
        raise ValueError("the id in parentheses is empty; each line ends with its own")
    if identity.split() != [identity] or not {"(", ")"}.isdisjoint(identity):
        raise ValueError(f"{shown(identity)} is no id: in this format one holds no white space and no parenthesis")


def _split(line: str) -> tuple[str, str]:
    """A line's id and its words, one blank between them; ValueError where there is no id at its end."""
    if "\0" in line:
        raise ValueError("holds a NUL character")
    if "\r" in line:
        raise ValueError("holds a carriage return inside the line; a line ends with LF or CRLF")
    stripped = line.strip()
    start = stripped.rfind("(")
    if start < 0 or not stripped.endswith(")"):
        raise ValueError("a line ends with its id in parentheses, such as: two words (id1)")
    identity = stripped[start + 1 : -1]
    _check_id(identity)
    return identity, " ".join(stripped[:start].split())


def _said(words: str) -> str:
    """What the words of a line say; ValueError for alternations."""
    if "{" in words or "}" in words:
        raise ValueError(
            "holds an alternation { … / … }, and which branch was spoken is not ours to guess; "
            "write the spoken one alone"
        )
    return "" if words == _NULL else words


def read_trn(path: Path) -> dict[str, str]:
    """Read texts by utterance id; blank lines and `;;` comments are skipped, a lone `@` is an empty text.

    Words in parentheses stay as they are. Raises DatasetError by file, line and id for bytes that are not UTF-8,
    a line without its id, an id given twice, an alternation and a NUL character.
    """
    data = read_whole(path)
    texts: dict[str, str] = {}
    lines: dict[str, int] = {}
    parts = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, part in enumerate(parts, start=1):
        where = f"{path}:{number}"
        try:
            line = part.decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError as error:
            found = _LAST_ID.search(part)
            where += f" ({found[1].decode('utf-8', 'replace')})" if found else ""
            raise DatasetError(f"{where}: not UTF-8 at byte {error.start} of the line") from error
        if not line.strip() or line.lstrip().startswith(_COMMENT):
            continue
        try:
            identity, words = _split(line)
        except ValueError as error:
            hint = " (the last line: was the file cut short?)" if number == len(parts) else ""
            raise DatasetError(f"{where}: {error}{hint}") from None
        where = f"{where} ({identity})"
        if identity in lines:
            raise DatasetError(f"{where}: the id stands already at line {lines[identity]}; ids must be unique")
        lines[identity] = number
        try:
            texts[identity] = _said(words)
        except ValueError as error:
            raise DatasetError(f"{where}: {error}") from None
    return texts


def _line(identity: str, text: str) -> str:
    """One line of a file; ValueError where reading it would not give the same id and words."""
    _check_id(identity)
    words = " ".join(text.split())
    line = f"{words} ({identity})" if words else f"({identity})"
    if words.startswith((_COMMENT, _BYTE_ORDER_MARK)):
        raise ValueError(f"the text begins with {words[:2]!r}, which a reader of this format drops")
    if words == _NULL:
        raise ValueError("the text is @, which stands for nothing in this format")
    line.encode("utf-8")
    if _split(line) != (identity, words) or _said(words) != words:
        raise ValueError("the text would be read back as another one")
    if any(unicodedata.category(character) == "Cc" for character in identity + words):
        raise ValueError("holds a control character, which nothing in this format would keep from a terminal")
    return line


def trn_text(path: Path, texts: Mapping[str, str]) -> str:
    """The content of a file, white space collapsed; an empty text gives a line that is `(id)` alone.

    Raises DatasetError naming `path` and the id where the format cannot hold an id or a text.
    """
    lines = []
    for identity, text in texts.items():
        try:
            lines.append(_line(identity, text))
        except UnicodeEncodeError:
            raise DatasetError(f"{path} ({shown(identity)}): holds half a character (a lone surrogate)") from None
        except ValueError as error:
            raise DatasetError(f"{path} ({identity}): {error}; keep this one as JSON lines instead") from None
    return "".join(f"{line}\n" for line in lines)
