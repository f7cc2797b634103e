"""Claims about names in a drawing, where nothing wraps."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.reports.page.fitting import isolated, shortened, shown_name, text_width


@given(st.text(), st.floats(20.0, 200.0))
def test_a_shortened_text_fits(text: str, room: float) -> None:
    """Whatever the script, the result is no wider than the room, and whole where it fits."""
    made = shortened(text, room)
    assert text_width(made) <= room
    assert (made == text) == (text_width(text) <= room)


def test_names_keep_both_ends() -> None:
    """Variants of one model differ at the end, models at the beginning."""
    made = shortened("moonshine-tiny-streaming-english-q4_0", 100.0)
    assert made.startswith("moon")
    assert made.endswith("q4_0")
    assert "…" in made
    assert text_width(made) > 88.0


@given(st.text(st.sampled_from("कनिुाé\u0301a"), min_size=8, max_size=40))
def test_no_mark_loses_its_letter(text: str) -> None:
    """What follows the cut is a letter, not the mark of one that was cut off."""
    text = f"a{text}"
    head, _, tail = shortened(text, 60.0).partition("…")
    if tail:
        assert not unicodedata.category(tail[0]).startswith("M")
        assert text.startswith(head)
        assert not unicodedata.category(text[len(head)]).startswith("M")


def test_wide_scripts_are_wide() -> None:
    """A Chinese character takes the room of almost two Latin letters, a combining mark none."""
    assert text_width("量子") > text_width("abc")
    assert text_width("e\u0301") == text_width("e")


def test_a_name_from_right_to_left_is_isolated() -> None:
    """Only a name that would reorder its sentence has invisible signs around it."""
    assert isolated("q4_0") == "q4_0"
    assert isolated("نموذج-4") == "\u2068نموذج-4\u2069"


def test_control_characters_are_shown() -> None:
    """A name cannot turn the drawing's text around."""
    assert shown_name("a\u202eb", 200.0) == r"a\u202eb"
