"""Claims about masking: what the Whisper normaliser hides is named, and nothing that sounds alike is reported."""

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from whisper_normalizer.english import EnglishTextNormalizer

from pytest_asrgate.metrics.fold import fold
from pytest_asrgate.metrics.masking import MASKED_FIRST, MASKED_WORDS, lightly_folded, masked_kinds

_ENGLISH = EnglishTextNormalizer()

# Characters that the rules look at, so that random texts meet the rules.
_TRICKY = "-‑–−+$€£¢5 1,0./:'\"’½¾²µμΩ%°′″a s n't()[]+&@#|\u0301\u200b\u093e\ufe0fŉΐ\u0345İ１＇＄"  # noqa: RUF001
_TEXTS = st.one_of(st.text(max_size=40), st.text(alphabet=_TRICKY, max_size=25))


def _normal(text: str) -> str:
    return " ".join(str(_ENGLISH(fold(text))).split())


@pytest.mark.parametrize(
    ("reference", "hypothesis", "kinds"),
    [
        ("it is -5 outside", "it is 5 outside", ("sign",)),
        ("it is −5 outside", "it is 5 outside", ("sign",)),  # noqa: RUF001
        ("a ‑5 or a –5", "a 5 or a 5", ("sign",)),  # noqa: RUF001
        ("+5", "5", ("sign",)),
        ("-$5", "$5", ("sign",)),
        ("-.5", ".5", ("sign",)),
        ("-5 and 5", "5 and -5", ("sign",)),
        ("5 − 3", "5 3", ("sign",)),  # noqa: RUF001
        ("5 × 3", "5 3", ("sign",)),
        ("a & b", "a b", ("sign",)),
        ("x > 5", "x 5", ("sign",)),
        ("1/2", "1 2", ("digits", "sign")),
        ("½", "1 2", ("digits", "sign")),
        ("€0.50", "$0.50", ("currency",)),
        ("$0.50", "¢50", ("digits", "currency")),
        ("£5", "5 pounds", ("currency",)),
        ("¥5", "5", ("currency",)),
        ("5°", "5", ("unit",)),
        ("5°C", "5 C", ("unit",)),
        ("5‰", "5", ("unit",)),
        ("5′ tall", "5 tall", ("unit",)),  # noqa: RUF001
        ("5'10 tall", "5 10 tall", ("unit",)),
        ("5 m²", "5 m2", ("digits", "unit")),
        ("50%", "50 percent", ("unit",)),
        ("50%", "50 per cent", ("unit",)),
        ("50 %", "50", ("unit",)),
        ("5 [µm]", "5", ("unit",)),
        ("5 [kΩ]", "5", ("unit",)),
        ("10:30", "10 30", ("digits",)),
        ("1,2", "12", ("digits",)),
        ("twenty", "20", ("digits", "words")),
        ("[not] guilty", "guilty", ("negation",)),
        ("(no) thanks", "thanks", ("negation",)),
        ("(no) yes it is", "yes it is (no)", ("words",)),
        ("[don't] go there", "go there", ("negation", "words")),
        ("I don't", "I do not", ("words",)),
        ("I don’t", "I do not", ("words",)),
        ("dunno", "do not know", ("words",)),
        ("ain't my colour", "aint my color", ("words",)),
        ("colour", "color", ("words",)),
        ("Mr. Smith", "mister smith", ("words",)),
        ("um yes", "yes", ("words",)),
        ("[not] my colour, -5%", "my color, 5 percent", ("sign", "unit", "negation", "words")),
    ],
)
def test_what_the_normaliser_hides_is_named(reference: str, hypothesis: str, kinds: tuple[str, ...]) -> None:
    """A pair that the real normaliser scores as perfect is reported with just the kinds in which it differs."""
    assert _normal(reference) == _normal(hypothesis)
    assert masked_kinds(reference, hypothesis) == kinds


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("Hello World", "hello world"),
        ("Hello, world!", "hello world"),
        ("hello   world\n", "hello\u00a0world"),
        ("don’t", "don't"),
        ("it 's mine, do n't", "it's mine, don't"),
        ("“Hello”", "hello"),
        ("hel\u200blo", "hello"),
        ("cafe\u0301", "café"),
        ("1,000", "1000"),
        ("1,000,000.50", "1000000.50"),
        ("1,00,000", "100000"),
        ("½", "1/2"),
        ("1⁄2", "1/2"),  # noqa: RUF001
        ("−5", "-5"),  # noqa: RUF001
        ("５％", "5%"),  # noqa: RUF001
        ("5km", "5 km"),
        ("5 °C", "5°C"),
        ("well-known", "well known"),
        ("3-4", "3 4"),
        ("(555)-1234", "(555) 1234"),
        ("50%-60%", "50% 60%"),
        ("yes - 5", "yes 5"),
        ("yes—5", "yes 5"),
        ("a/b", "a b"),
        ("5 µm", "5 μm"),
    ],
)
def test_what_sounds_alike_is_not_reported(reference: str, hypothesis: str) -> None:
    """Case, punctuation, spacing, apostrophes, format characters, composition and grouping make no difference."""
    assert reference != hypothesis
    assert _normal(reference) == _normal(hypothesis)
    assert masked_kinds(reference, hypothesis) == ()


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("नमस्ते, दुनिया!", "नमस्ते दुनिया"),
        ("१२ किताबें", "१२ किताबें"),
        ("สวัสดี", "สวัสดี"),
        ("مرحبا، يا عالم", "مرحبا يا عالم"),
        ("你好。", "你好"),
        ("Straße", "strasse"),
        ("1½ cups", "1 1/2 cups"),
        ("the 90s and 90 s", "the 90s and 90 s"),
        ("1st 2nd mp3", "1st 2nd mp 3"),
        ("1,0005 and 1,000,5", "1,0005 and 1,000,5"),
        ("$-5", "$ − 5"),  # noqa: RUF001
        ("-", ""),
        ("", ""),
    ],
)
def test_letters_digits_and_marks_of_all_scripts_stay(text: str, folded: str) -> None:
    """The light fold takes punctuation only: vowel signs, tone marks and other digits are still there."""
    assert lightly_folded(text) == folded


def test_every_letter_and_mark_of_the_indic_scripts_and_thai_stays() -> None:
    """No letter, digit or mark from U+0900 to U+0E7F disappears from between two letters."""
    lost = [
        character
        for character in map(chr, range(0x900, 0xE80))
        if unicodedata.category(character)[0] in "LMN"
        and unicodedata.normalize("NFC", f"क{character}क") != lightly_folded(f"क{character}क").replace(" ", "")
    ]
    assert lost == []


@given(_TEXTS)
@example("ŉ\u200b\u0301¾")
def test_folding_twice_is_folding_once(text: str) -> None:
    """The fold of a fold is that fold."""
    once = lightly_folded(text)
    assert lightly_folded(once) == once


@given(_TEXTS)
def test_a_text_masks_nothing_against_itself(text: str) -> None:
    """A text has no masked kind against itself, nor against its own spacing."""
    assert masked_kinds(text, text) == ()
    assert masked_kinds(text, f" {text}\n") == ()


@given(_TEXTS, _TEXTS)
def test_the_sides_may_be_swapped(left: str, right: str) -> None:
    """The kinds are symmetric, in the promised order, and empty exactly where the folds are equal."""
    kinds = masked_kinds(left, right)
    assert kinds == masked_kinds(right, left)
    order = (*MASKED_FIRST, MASKED_WORDS)
    assert list(kinds) == sorted(set(kinds), key=order.index)
    assert (kinds == ()) == (lightly_folded(left) == lightly_folded(right))


def test_one_difference_in_frequent_words_stays_one() -> None:
    """Where every token is frequent, a lost sign is still told from the equal digits around it."""
    digits = " ".join(str(number * 7 % 10) for number in range(300))
    assert masked_kinds(f"{digits} -5 {digits}", f"{digits} 5 {digits}") == ("sign",)


def test_an_hour_of_speech_is_compared_in_seconds() -> None:
    """10,000 words with 500 differences take no quadratic time."""
    words = [f"word{number % 700}" if number % 20 else "colour" for number in range(10_000)]
    started = time.perf_counter()
    assert masked_kinds(" ".join(words), " ".join(words).replace("colour", "color")) == ("words",)
    assert time.perf_counter() - started < 10
