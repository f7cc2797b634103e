"""The lines that quote one utterance: its texts aligned, or raw where aligning them would show nothing."""

from collections.abc import Callable
from dataclasses import dataclass

from pytest_asrgate.metrics.alignment import aligned_diff
from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.layout import text_width
from pytest_asrgate.reports.utterance_entries import UtteranceEntry
from pytest_asrgate.reports.worst import is_hidden

__all__ = ["Limits", "quoted_lines"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of an utterance is quoted, which may be an hour long.

    `width` is in cells of a screen, `lines` counts the lines of a diff, `text` is in characters, of which aligning
    takes time by their square, and `line` in characters of one line, for a text without blanks. `rest` says where
    the whole of it is.
    """

    width: int
    lines: int
    text: int
    line: int
    rest: str


def quoted_lines(row: UtteranceEntry, entry: PairEntry, limits: Limits, escape: Callable[[str], str]) -> list[str]:
    """Lines that begin with REF, HYP, RAW or blanks, made safe by `escape`; none for a row without an output."""
    if row["errors"] is None:
        return []
    raw = row["hyp_text"]
    if is_hidden(row):
        texts = [row["ref_text"] or row["ref"], raw]
        lines = [f"{name}: {escape(text[: limits.line])}" for name, text in zip(("REF", "HYP"), texts, strict=True)]
        cut = max(map(len, texts)) > limits.line
    else:
        # Escapes take more cells than what they stand for, so they come before the words are aligned.
        texts = [escape(row[key][: limits.text]) for key in ("ref", "hyp")]
        lines = aligned_diff(texts[0], texts[1], limits.width, metric=entry["metric"] or "wer", measure=text_width)
        cut = len(lines) > limits.lines or max(len(row["ref"]), len(row["hyp"])) > limits.text
        lines = lines[: limits.lines]
        if row["loop"] or row["language_drift"]:
            # What repeats or drifts may be gone from the normalised text.
            lines.append(f"RAW: {escape(raw[: limits.line])}")
            cut |= len(raw) > limits.line
    longest = limits.line + len("REF: ")
    cut |= any(len(line) > longest for line in lines)
    lines = [line if len(line) <= longest else f"{line[:longest]}…" for line in lines]
    return [*lines, f"… (the whole of it is in {limits.rest})"] if cut else lines
