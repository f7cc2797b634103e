"""An aligned word diff that a person reads at a glance."""

from collections.abc import Callable
from itertools import zip_longest

from pytest_asrgate.metrics.normalise import is_null

__all__ = ["aligned_diff"]


def _columns(reference: str, hypothesis: str, metric: str) -> list[tuple[str, str, str]]:
    """(reference token, hypothesis token, mark) columns; the mark is S, D, I or nothing."""
    import jiwer  # noqa: PLC0415 - only where a diff is really shown

    # The library splits at blanks alone.
    reference, hypothesis = (
        " ".join("".join(text.split()) if metric == "cer" else text.split()) for text in (reference, hypothesis)
    )
    if is_null(reference):
        # Nothing was said, so there is nothing to miss, and signs that are no words are not counted (metrics.wer).
        columns = [(word, "", "") for word in reference.split()]
        return columns + [("", word, "" if is_null(word) else "I") for word in hypothesis.split()]
    output = jiwer.process_words([reference], [hypothesis])
    spoken, heard = output.references[0], output.hypotheses[0]
    columns = []
    for chunk in output.alignments[0]:
        left = spoken[chunk.ref_start_idx : chunk.ref_end_idx]
        right = heard[chunk.hyp_start_idx : chunk.hyp_end_idx]
        mark = {"substitute": "S", "delete": "D", "insert": "I"}.get(chunk.type, "")
        columns += [(a, b, mark) for a, b in zip_longest(left, right, fillvalue="")]
    return columns


def _wrapped(
    columns: list[tuple[str, str, str]], width: int, measure: Callable[[str], int]
) -> list[list[tuple[str, str, str]]]:
    rows: list[list[tuple[str, str, str]]] = [[]]
    used = 0
    for column in columns:
        size = max(map(measure, column)) + 1
        if rows[-1] and used + size > width:
            rows.append([])
            used = 0
        rows[-1].append(column)
        used += size
    return rows


def aligned_diff(
    reference: str,
    hypothesis: str,
    width: int = 100,
    *,
    metric: str = "wer",
    measure: Callable[[str], int] = len,
) -> list[str]:
    """Three lines (REF, HYP, marks) for each `width` characters of two normalised texts, by character for "cer".

    Differing words stand in capitals, missing ones as asterisks, and the third line marks S, D or I. `measure` says
    how wide a text is, such as in cells of a screen.
    """
    lines = []
    # Some letters are longer in capitals, so these come before anything is measured.
    columns = [
        (spoken.upper(), heard.upper(), mark) if mark else (spoken, heard, mark)
        for spoken, heard, mark in _columns(reference, hypothesis, metric)
    ]
    for row in _wrapped(columns, width, measure):
        cells: tuple[list[str], list[str], list[str]] = ([], [], [])
        for spoken, heard, mark in row:
            size = max(measure(spoken), measure(heard), 1)
            for cell, word in zip(cells, (spoken, heard), strict=False):
                shown = word or "*" * size
                cell.append(shown + " " * (size - measure(shown)))
            cells[2].append(mark.ljust(size))
        texts = [" ".join(cell).rstrip() for cell in cells]
        lines += [f"REF: {texts[0]}", f"HYP: {texts[1]}"] + ([f"     {texts[2]}"] if texts[2] else [])
    return lines
