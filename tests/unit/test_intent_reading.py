"""Texts as intents are compared: folding, quoted spans, what counts as said."""

import unicodedata

import pytest

from pytest_asrgate.intent.reading import folded, has_words, holds, occurrences


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("  Two\u00a0 BLANKS \n", "two blanks"),
        ("\ufeffstart", "start"),
        ("पढ़\u200d\u200cना", "पढ़ना"),
        ("१२३ ৪৫ ௬ \u0667", "123 45 6 7"),
        (unicodedata.normalize("NFD", "Café"), "café"),
        # Old and new ways to write one letter; to drop the joiner alone would make another word.
        ("അവന്\u200d", "അവൻ"),
    ],
)
def test_folded(text: str, same: str) -> None:
    """What makes no other text is folded away; folding twice changes nothing."""
    assert folded(text) == folded(same)
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize(("text", "other"), [("അവന്\u200d", "അവന്"), ("कि", "की"), ("रहा", "रह"), ("don't", "dont")])
def test_folding_keeps_words_apart(text: str, other: str) -> None:
    """Vowel signs, letters and apostrophes stay."""
    assert folded(text) != folded(other)


HELD = [
    ("কলকাতা", "আমি কলকাতায় যাব"),
    ("John", "It is JOHN's car"),
    ("John", "It is John’s car"),
    ("drivers", "the drivers' room"),
    ('"New  Delhi,"', "in new delhi now"),
    ("25", "room 25."),
    ("25", "कमरा २५ में"),
    ("5", "the 5th floor"),
    ("5", "$5"),
    ("आप", "आप कहाँ"),
    ("சென்னை", "சென்னையில் மழை"),
    ("a.b@c.com", "write to A.B@c.com."),
    ("-5", "it is -5"),
    (".5", "it is .5"),
    ("5%", "5% off"),
    ("U.S", "the U.S."),
    ("came", "he came.She left"),
    ("राम", "रामने देखा"),
    ("मुंबई", "मी मुंबईत राहतो"),
    ("সীতা", "সীতার বাড়ি"),
    ("సీత", "సీతను చూశాడు"),
    ("சீதா", "சீதாவிடம் கேள்"),
    ("दो", "दो लोग"),
    ("Kölner", unicodedata.normalize("NFD", "der Kölner Dom")),
]
NOT_HELD = [
    ("John", "Johnson came"),
    ("ohn", "John came"),
    ("25", "room 125"),
    ("25", "room 251"),
    ("25", "room 2.25"),
    ("2", "room 2.25"),
    ("1", "1,000 rupees"),
    ("", "John"),
    ("...", "John ..."),
    ("?", "John?"),
    ("we", "we're here"),
    ("re", "we're here"),
    # A vowel sign behind it belongs to the last letter of the span.
    ("दिन", "दिनी"),
    ("কাতা", "কলকাতায়"),
    ("caf", "café"),
    ("cafe", unicodedata.normalize("NFD", "café")),
    ("John Smith", "John B Smith"),
    ("12", "AB12"),
    # Signs that are part of a number, an address or an abbreviation.
    ("-5", "it is 5"),
    ("-5", "it is 10-5"),
    ("5%", "5"),
    (".5", "5"),
    ("U.S", "U.S.A"),
    ("S.A", "U.S.A"),
    ("a@shop", "a@shop.com"),
    ("a@x.com", "b.a@x.com"),
    # Quite other words, though an ending may follow a stem.
    ("दो", "दोस्त आया"),
    ("चार", "चारपाई लाओ"),
    ("एक", "एकता आई"),
    ("कल", "कलकत्ता जाना है"),
    ("कि", "किताब"),
    ("रा", "रात हुई"),
    ("நான்", "நான்கு பேர்"),
    ("AB", "AB12"),
]


@pytest.mark.parametrize(("span", "text"), HELD)
def test_a_quoted_span_is_held(span: str, text: str) -> None:
    """A span that stands in a text is found in whatever form both are."""
    assert holds(span, text)
    assert occurrences(span, text) == 1


@pytest.mark.parametrize(("span", "text"), NOT_HELD)
def test_a_part_of_a_word_is_not_held(span: str, text: str) -> None:
    """Parts of words or numbers, and spans without words, are nothing that a text holds."""
    assert not holds(span, text)
    assert occurrences(span, text) == 0


def test_occurrences_are_counted() -> None:
    """Each whole occurrence counts, what stands inside of other words does not."""
    assert occurrences("two", "Two or two, twofold two's") == 3
    assert occurrences("a a", "a a a a") == 2


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("hello", True),
        ("5", True),
        ("हाँ", True),
        ("", False),
        ("  \n", False),
        ("...?!", False),
        ("[noise] <unk>", False),
        ("[noise] yes", True),
        ("[background noise] <UNK>", False),
        # What stands in round brackets, or is no word for a sound, may have been said.
        ("(inaudible)", True),
        ("[1234]", True),
        ("<not>", True),
        ("[play music]", True),
        ("\u0901", False),
    ],
)
def test_has_words(text: str, there: bool) -> None:
    """Letters and digits are words; annotations and signs are not."""
    assert has_words(text) is there


def test_long_texts_are_searched_quickly_enough_to_finish() -> None:
    """Texts of 100,000 characters have no slow path: this would not end in time otherwise."""
    for text in ("[" * 100_000, "a" * 100_000, "a." * 50_000, "1," * 50_000, "< " * 50_000, "a'" * 50_000):
        assert has_words(text) in (True, False)
        assert not holds("zebra crossing", text)
        assert folded(text)
