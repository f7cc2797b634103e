"""Strangers' text (transcripts, ids, names, error messages) in GitHub-flavoured markdown, where it stays mere text.

GitHub makes mentions, references, links and pictures of what looks like one, but nowhere in code.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from pytest_asrgate.reports.escape import plain

__all__ = ["cell", "code", "escaped", "fenced", "prose", "visible"]

# Letters of some scripts join only with these between them, and they move nothing.
_JOINERS = re.compile("([\u200c\u200d])")
# What nothing is made of wherever it stands in a line; all other words are shown as code.
_HARMLESS = re.compile(r"(?:[^\W_]|[%.,;()+/='’–—…-])+:?")
# A commit by the beginning of its digest; GH-1 and the like of other trackers; an address without a scheme.
_REFERENCE = re.compile(r"[0-9a-fA-F]{7}|[A-Za-z][A-Za-z0-9]*-\d|www\.|//", re.IGNORECASE)
# In characters.
_LONGEST_PROSE = 500
_LONGEST_CODE = 200


def escaped(text: str) -> str:
    """A text as one line, control and format characters shown as escapes."""
    return "".join(part if _JOINERS.fullmatch(part) else plain(part) for part in _JOINERS.split(text))


def visible(text: str, longest: int) -> str:
    """One line of at most so many characters, control and format characters shown as escapes."""
    return escaped(text if len(text) <= longest else f"{text[:longest]}…")


def _ticks(text: str, least: int) -> str:
    """More backticks than stand anywhere in the text, so that none of it ends what they begin."""
    return "`" * max([least, *(len(run) + 1 for run in re.findall("`+", text))])


def _span(text: str) -> str:
    ticks = _ticks(text, 1)
    # A space at both ends is taken away again, unless there is nothing else.
    space = " " if text.strip(" ") and (text.startswith(("`", " ")) or text.endswith(("`", " "))) else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def code(text: str) -> str:
    """A name or an id as inline code, shortened; a dash for an empty one."""
    return _span(visible(text, _LONGEST_CODE)) if text else "—"


def _is_harmless(word: str) -> bool:
    return _HARMLESS.fullmatch(word) is not None and _REFERENCE.search(word) is None


def prose(text: str) -> str:
    """A sentence that may quote strangers, shortened: each word that markdown could act on as inline code.

    Not for the beginning of a line.
    """
    words = visible(text, _LONGEST_PROSE).split(" ")
    parts = []
    for harmless, group in groupby([word for word in words if word], key=_is_harmless):
        joined = " ".join(group)
        parts.append(joined if harmless else _span(joined))
    return " ".join(parts)


def cell(text: str) -> str:
    """Markdown as a cell of a table, which a bar would end even in code."""
    return text.replace("|", r"\|")


def fenced(lines: Sequence[str], language: str) -> list[str]:
    """Lines, each made visible before, as a block of code that none of them can end."""
    ticks = _ticks("\n".join(lines), 3)
    return [f"{ticks}{language}", *lines, ticks]
