"""Claims about what is written and never said: annotations in brackets, tags, pictures; and about abbreviations."""

import pytest

from pytest_asrgate.semantic.normalise import read_text


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("[laughter] hello there", "hello there"),
        ("(inaudible)", ""),
        ("hello (upbeat music) there [BLANK_AUDIO]", "hello there"),
        ("<unk> hello <NOISE>", "hello"),
        ("[00:05] hello", "hello"),
        ("【笑】 hello", "hello"),
        ("delete the file(s)", "delete the file"),
        # What holds digits may be a number that was said.
        ("call (555) 123", "call five hundred fifty five one hundred twenty three"),
        ("it is [open", "it is open"),
        ("it is (open\nor shut", "it is open or shut"),
    ],
)
def test_annotations_are_no_words(raw: str, words: str) -> None:
    """As under the usual English normaliser; a bracket that is never closed, and digits in round ones, stay."""
    assert read_text(raw).normalised == words


def test_an_annotation_at_the_end_hides_no_ending() -> None:
    """Whether a sentence ended is what stands before it."""
    assert read_text("I saw him. [laughter]").ended
    assert not read_text("I saw him [laughter]").ended
    assert read_text("I saw... (noise)").cut


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("I ❤️ you", "i you"),
        ("Thanks 👨‍👩‍👧 5️⃣ 🇩🇪", "thanks five"),
        ("ok\ufe0f fine", "okay fine"),
        ("a \u0301 b", "a b"),
        ("\u200d\ufe0f", ""),
        ("हिन्दी", "हिन्दी"),
        ("10² and 5³", "ten squared and five cubed"),
        ("2⁸", "two to the power eight"),
        ("he said¹ so", "he said so"),
    ],
)
def test_pictures_and_lone_marks_are_no_words(raw: str, words: str) -> None:
    """Variation selectors, key caps, joiners, and marks without a letter; within words marks stay."""
    assert read_text(raw).normalised == words


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("Apt 5B", "apartment five b"),
        ("send it to apt 12", "send it to apartment twelve"),
        ("he is apt to go", "he is apt to go"),
        ("tea w/o milk", "tea without milk"),
        ("tea w/out milk", "tea without milk"),
        ("tea w/ milk", "tea with milk"),
        ("M/W/F", "m w f"),
        ("2 tbsp of oil", "two tablespoons of oil"),
        ("1 tsp salt", "one teaspoon salt"),
        ("a tbsp of oil", "a tablespoon of oil"),
        ("LETS GO", "let us go"),
        ("ok lets go", "okay let us go"),
        ("he lets go", "he lets go"),
        ("lets you go", "lets you go"),
    ],
)
def test_more_abbreviations(raw: str, words: str) -> None:
    """In full where nothing else can be meant, else as they stand."""
    assert read_text(raw).normalised == words


@pytest.mark.parametrize(
    ("raw", "other"),
    [
        ("60 mph", "60 miles an hour"),
        ("60 miles per hour", "60 miles an hour"),
        ("$20/month", "20 dollars a month"),
    ],
)
def test_per_is_an_article_before_a_time(raw: str, other: str) -> None:
    """`per` of a unit of time carries `a` and `an` as readings that are as good."""
    pairs = zip(read_text(raw).words, read_text(other).words, strict=True)
    assert all(right.text in {left.text, *left.variants} for left, right in pairs)
