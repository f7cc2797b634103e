"""Small texts for the tests of semantic modules, made by hand so that they do not rest on normalisation."""

import re

from pytest_asrgate.semantic.words import Number, Text, Word

__all__ = ["text_of"]

_PIECE = re.compile(r"[\w'’]+(?:-[\w'’]+)*")


def text_of(raw: str) -> Text:
    """A text of lower-case words: hyphens make compounds, digits a number each, capitals within it a name.

    Digits that touch `th` are ordinal. Neighbouring numbers are runs of their own.
    """
    words: list[Word] = []
    compounds = numbers = 0
    for found in _PIECE.finditer(raw):
        parts = found[0].split("-")
        if len(parts) > 1:
            compounds += 1
        for part in parts:
            digits = re.fullmatch(r"(\d+)(th)?", part)
            number = Number(numbers, digits[1], bool(digits[2])) if digits else None
            numbers += number is not None
            words.append(
                Word(
                    re.sub("['’]", "", part).lower(),
                    found[0],
                    found.start(),
                    compound=compounds if len(parts) > 1 else None,
                    number=number,
                    name=part[:1].isupper() and found.start() > 0 and part != "I",
                )
            )
    ended = raw.rstrip()
    return Text(raw, tuple(words), ended.endswith(("...", "…", "-", "—")), ended.endswith((".", "?", "!")))
