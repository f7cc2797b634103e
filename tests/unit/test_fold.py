# ruff: noqa: RUF001 - characters that look like others are what this is about
"""Claims about the fold: characters that are one sign drawn in another shape become that sign, and no others do."""

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_asrgate.metrics.fold import fold
from pytest_asrgate.metrics.normalise import named_normaliser

_TICKS = st.text(alphabet="´`′\u1fef\u1ffd｀＇'aé\u0301\u00ad\u0640क\u093f5 .")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("wait…what", "wait...what"),
        ("wait‥", "wait.."),
        ("wait\ufe30", "wait.."),
        ("wait\ufe19", "wait..."),
        ("wait\u2024", "wait."),
        ("wait\ufe52", "wait."),
        ("wait．．．", "wait..."),
        ("ＡＢＣ　ｘｙｚ　０１９　！～", "ABC xyz 019 !~"),
        ("１００％ （ＯＫ）", "100% (OK)"),
        ("don＇t", "don't"),
        ("Ａ\u030a", "Å"),
    ],
)
def test_a_sign_of_another_shape_is_that_sign(text: str, folded: str) -> None:
    """Leaders and ellipses are full stops, and the fullwidth forms of ASCII are ASCII."""
    assert fold(text) == folded


def test_every_fullwidth_form_of_ascii_is_ascii() -> None:
    """All 94 of them, and not the brackets and currency signs that follow in the block."""
    for code in range(0x21, 0x7F):
        assert fold(chr(code + 0xFEE0)) == chr(code)
    assert fold("｟￥") == "｟￥"


@pytest.mark.parametrize("tick", ["´", "`", "′", "\u1fef", "\u1ffd", "｀"])
def test_a_tick_between_two_letters_is_an_apostrophe(tick: str) -> None:
    """Also after an accent, after a vowel sign, in other scripts, more than once, and past what cannot be seen."""
    assert fold(f"driver{tick}s rock{tick}n{tick}roll") == "driver's rock'n'roll"
    assert fold(f"cafe\u0301{tick}s об{tick}єднання कि{tick}क") == "café's об'єднання कि'क"
    assert fold(f"driver\u00ad{tick}\u200bs") == "driver's"


@pytest.mark.parametrize(
    "text", ["5′10", "5′", "a´ b", "´a", "a´", "a´´b", "``quoted´´", "x′ = 5", "a´5", "5`a", "′", "10′W"]
)
def test_a_tick_elsewhere_stays(text: str) -> None:
    """Feet, minutes, quotation marks and doubled ticks are no apostrophes."""
    assert fold(text) == text


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("hello… world", "hello... world"),
        ("hello… world", "hello world"),
        ("hello‥", "hello.."),
        ("hello\ufe30 world", "hello world"),
        ("wait…what", "wait...what"),
        ("wait…what", "wait what"),
        ("wait\u2024", "wait"),
        ("wait\ufe52", "wait"),
        ("100％", "100%"),
        ("１００％ sure", "100% sure"),
        ("＄５", "$5"),
        ("the driver´s seat", "the driver's seat"),
        ("the driver`s seat", "the driver's seat"),
        ("don′t", "don't"),
        ("［noise］ hello", "hello"),
    ],
)
def test_in_english_another_shape_costs_nothing(left: str, right: str) -> None:
    """Whisper's normaliser sees the plain forms, which it knows how to treat."""
    english = named_normaliser("whisper-english", "en").apply
    assert english(left) == english(right) != ""


@given(text=st.text() | _TICKS)
@example(text="a\u00ad´\u200bb")
@example(text="a\u1fefb")
@example(text="<\u0338 ＜\u0338")
def test_the_fold_of_a_fold_is_that_fold(text: str) -> None:
    """A folded text is composed, single-spaced, holds no format character, and folds to itself."""
    folded = fold(text)
    assert fold(folded) == folded == " ".join(folded.split())
    assert unicodedata.is_normalized("NFC", folded)
    assert "Cf" not in {unicodedata.category(character) for character in folded}


@given(text=st.text() | _TICKS)
def test_composition_makes_no_difference(text: str) -> None:
    """NFC and NFD of a text fold alike."""
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


def test_ascii_is_folded_in_no_time() -> None:
    """A megabyte of English takes well under a second."""
    text = "it's a plain sentence, with commas. " * 30_000
    started = time.perf_counter()
    assert fold(text) == text.strip()
    assert time.perf_counter() - started < 0.5
