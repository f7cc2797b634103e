"""Claims about text from strangers on a terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.reports.escape import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words 東京 é", "plain words 東京 é"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("a\u202eb", r"a\u202eb"),
        ("a\u200bb\ufeff", r"a\u200bb\ufeff"),
        ("a\u2028b\u2029", r"a\u2028b\u2029"),
        ("\x9b2J", r"\x9b2J"),
        ("\x00\x7f", r"\x00\x7f"),
        ("half \ud83d", r"half \ud83d"),
        ("", ""),
    ],
)
def test_what_could_move_the_cursor_is_shown_as_an_escape(text: str, shown: str) -> None:
    """Control, format, surrogate and line-breaking characters appear as escapes, letters as themselves."""
    assert plain(text) == shown


@given(st.text())
def test_the_result_is_one_printable_line(text: str) -> None:
    """Whatever comes in, one line without control characters comes out, and UTF-8 can hold it."""
    shown = plain(text)
    assert len(shown.splitlines()) <= 1
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    shown.encode("utf-8")
