"""Claims about tables and lines laid out for a terminal: none is too wide, nothing is lost, and all is aligned."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pytest_asrgate.reports.layout import Cells, Piece, folded, laid_out, padded, text_width, wrapped

HEADINGS = ("variant", "dataset", "WER%", "delta", "bound of delta", "WER 95% CI", "verdict")
LEFT = [True, True, False, False, False, False, True]
ROWS = [
    Cells(HEADINGS),
    Cells(("f32", "prompts", "18.92", "—", "—", "16.45 – 21.26", "baseline"), ""),
    Cells(("q4_0", "prompts", "24.28", "+5.36", "> +3.28", "21.39 – 27.11", "FAIL (expected)"), "EXPECTED"),
]
# No narrower table holds a name of five signs twice beside the widest figure.
LEAST = 5 + 2 + 5 + 2 + len("FAIL (expected)")


def _texts(lines: list[tuple[Piece, ...]]) -> list[str]:
    return ["".join(piece.text for piece in line) for line in lines]


def test_a_table_that_fits_is_one_block_with_the_verdict_last() -> None:
    """With room for all, every row is one line."""
    wide = _texts(laid_out(ROWS, LEFT, None))
    assert wide == _texts(laid_out(ROWS, LEFT, 200))
    assert len(wide) == 3
    assert wide[2].endswith("FAIL (expected)")


@pytest.mark.parametrize("width", range(LEAST, 121))
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """At any width every figure is there, whole, under its heading, and the verdict in the first block."""
    lines = _texts(laid_out(ROWS, LEFT, width))
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    for row in ROWS:
        for cell in row.texts[2:]:
            assert cell in text
    blocks = text.split("\n\n")
    assert "verdict" in blocks[0]
    assert all("variant" in block.splitlines()[0] or "…" in block.splitlines()[0] for block in blocks)
    assert all(len(block.splitlines()) == 3 for block in blocks)


@pytest.mark.parametrize("width", [LEAST, 50, 80])
def test_columns_stay_aligned_in_every_block(width: int) -> None:
    """Each figure ends where its heading ends."""
    for block in "\n".join(_texts(laid_out(ROWS, LEFT, width))).split("\n\n"):
        heading, *rows = block.splitlines()
        for name, cells in zip(HEADINGS[2:6], zip(*(row.texts[2:6] for row in ROWS[1:]), strict=True), strict=True):
            if name in heading and name != "delta":
                end = heading.index(name) + len(name)
                assert [row[:end].endswith(cell) for row, cell in zip(rows, cells, strict=True)] == [True, True]


@pytest.mark.parametrize("width", range(40, 80))
def test_a_column_stays_beside_the_one_it_belongs_to(width: int) -> None:
    """Where two columns are called the same, each is in the block of its own figure, and right after it."""
    rows = [
        Cells(("variant", "dataset", "intent%", "change", "entity%", "change", "verdict")),
        Cells(("q4_0", "prompts", "27.08", "-2.08", "62.19", "-11.19", "PASS"), "PASS"),
    ]
    lines = _texts(laid_out(rows, LEFT, width, joined=frozenset({3, 5})))
    assert max(map(len, lines)) <= width
    assert len(re.findall(r"27\.08 +-2\.08", "\n".join(lines))) == 1
    assert len(re.findall(r"62\.19 +-11\.19", "\n".join(lines))) == 1


@given(st.text("ab_4日कि한\u0301", min_size=1, max_size=40), st.integers(46, 200))
def test_names_in_any_script_fit_and_cost_no_figure(name: str, width: int) -> None:
    """However long and wide a name is, lines keep to the terminal, and every figure is there whole."""
    rows = [*ROWS, Cells((name, name, *ROWS[2].texts[2:]), "FAIL")]
    lines = _texts(laid_out(rows, LEFT, width))
    assert max(map(cell_len, lines)) <= width
    assert all(cell in "\n".join(lines) for row in rows for cell in row.texts[2:])


def test_long_names_are_shortened_in_the_middle_and_figures_never() -> None:
    """Beginnings and ends of names tell them apart."""
    name = "moonshine-tiny-streaming-large-vocabulary-Q4_K_M"
    rows = [ROWS[0], Cells((name, "prompts", *ROWS[1].texts[2:]))]
    text = "\n".join(_texts(laid_out(rows, LEFT, 60)))
    assert name not in text
    assert "moonshine" in text
    assert "Q4_K_M" in text
    assert "16.45 – 21.26" in text
    assert name in "\n".join(_texts(laid_out(rows, LEFT, None)))


def test_a_verdict_has_the_colour_and_nothing_else() -> None:
    """Only the verdict's own piece carries an outcome, so that alignment needs none."""
    lines = laid_out(ROWS, LEFT, 60)
    coloured = [piece for line in lines for piece in line if piece.outcome]
    assert coloured == [Piece("FAIL (expected)", "EXPECTED")]


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("日本語", 6), ("—", 1), ("café", 4), ("e\u0301", 1)])
def test_texts_are_measured_in_cells(text: str, width: int) -> None:
    """A Chinese sign takes two cells, and an accent that joins its letter none."""
    assert text_width(text) == width
    assert text_width(padded(text, 10, left=True)) == text_width(padded(text, 10, left=False)) == 10


def test_names_in_wide_scripts_keep_the_columns_straight() -> None:
    """What follows a Japanese name begins in the same cell as what follows an English one."""
    rows = [ROWS[0], Cells(("日本語モデル", *ROWS[1].texts[1:])), Cells(("q4_0", *ROWS[2].texts[1:]))]
    for width in (None, 60):
        lines = _texts(laid_out(rows, LEFT, width))
        starts = {cell_len(line[: line.index("prompts")]) for line in lines if "prompts" in line}
        assert len(starts) == 1


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"])), st.integers(1, 60))
def test_wrapping_keeps_every_word(text: str, width: int) -> None:
    """The words are the same in the same order, and only a single long word is wider than asked for."""
    lines = wrapped(text, width)
    assert " ".join(lines).split() == text.split()
    for line in lines:
        assert text_width(line) <= max(width, 2) or len(line.split()) == 1
    assert folded(text, width)


def test_what_fits_is_left_alone() -> None:
    """A line that fits keeps its blanks, and without a terminal every line does."""
    assert wrapped("a   b", 5) == ["a   b"]
    assert wrapped("a   b " * 50, None) == ["a   b " * 50]
    assert wrapped("aa bb cc", 5) == ["aa bb", "  cc"]
