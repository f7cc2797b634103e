# ruff: noqa: RUF001 - digits and punctuation that look like others are a part of this
"""Claims about India's scripts: one letter has one spelling, and no two letters become one."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_asrgate.metrics.fold import fold, without_grouping
from pytest_asrgate.metrics.indic import _ONE_LETTER, INDIC_LANGUAGES, unify
from pytest_asrgate.metrics.normalise import named_normaliser

INDIC_TEXT = st.text(
    st.characters(min_codepoint=0x0900, max_codepoint=0x0D7F) | st.sampled_from("\u200d\u200c: a1")
)


_VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d"
_FORMATS = "\u00ad\u200b\u200c\u200d\u2060\ufeff"


def _one(text: str) -> str:
    return fold(unify(text))


def _scored(text: str, language: str = "hi") -> str:
    return named_normaliser("indic", language).apply(text)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("\u0d05\u0d35\u0d28\u0d4d\u200d", "\u0d05\u0d35\u0d7b"),
        ("\u0d23\u0d4d\u200d", "\u0d7a"),
        ("\u0d30\u0d4d\u200d", "\u0d7c"),
        ("\u0d32\u0d4d\u200d", "\u0d7d"),
        ("\u0d33\u0d4d\u200d", "\u0d7e"),
        ("\u0d15\u0d4d\u200d", "\u0d7f"),
        ("\u0d0e\u0d28\u0d4d\u0d31\u0d46", "\u0d0e\u0d7b\u0d4d\u0d31\u0d46"),
        ("\u0d15\u0d4c", "\u0d15\u0d57"),
        ("\u0d15\u0d46\u0d57", "\u0d15\u0d57"),
        ("\u0d05\u0d24\u0d41\u0d4d", "\u0d05\u0d24\u0d4d"),
        ("\u0d07\u0d57", "\u0d08"),
        ("\u0d12\u0d57", "\u0d14"),
        ("\u09b9\u09a0\u09be\u09a4\u09cd\u200d", "\u09b9\u09a0\u09be\u09ce"),
        ("\u0985\u09be\u09ae\u09bf", "\u0986\u09ae\u09bf"),
        ("\u0905\u093e\u092a", "\u0906\u092a"),
        ("\u0905\u0945\u092a", "\u0972\u092a"),
        ("\u0905\u093e\u0947", "\u0913"),
        ("\u0915\u093e\u0947", "\u0915\u094b"),
        ("\u090f\u0947", "\u0910"),
        ("\u0a05\u0a3e", "\u0a06"),
        ("\u0a73\u0a4b", "\u0a13"),
        ("\u0a85\u0abe\u0ac7", "\u0a93"),
        ("\u0a95\u0ac5\u0abe", "\u0a95\u0ac9"),
        ("\u0b05\u0b3e", "\u0b06"),
        ("\u0b85\u0bc2", "\u0b86"),
        ("\u0bb8\u0bcd\u0bb0\u0bc0", "\u0bb6\u0bcd\u0bb0\u0bc0"),
        ("\u0b95\u0bc6\u0bbe", "\u0b95\u0bca"),
        ("\u0c12\u0c4c", "\u0c14"),
        ("\u0c15\u0c46\u0c55", "\u0c15\u0c47"),
        ("\u0c92\u0ccc", "\u0c94"),
        ("\u0c95\u0cc6\u0cd5", "\u0c95\u0cc7"),
        ("\u095d", "\u0922\u093c"),
        ("\u09dc", "\u09a1\u09bc"),
        ("\u0a5b", "\u0a1c\u0a3c"),
        ("\u0b5c", "\u0b21\u0b3c"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u0937"),
        ("\u0915\u094d\u200c\u0937", "\u0915\u094d\u0937"),
        ("\u0926\u0941:\u0916", "\u0926\u0941\u0903\u0916"),
        ("\u0985\u09a8\u09cd\u09a4:\u09b8\u09be\u09b0", "\u0985\u09a8\u09cd\u09a4\u0983\u09b8\u09be\u09b0"),
        ("\u0c05\u0c02\u0c24:\u0c15\u0c30\u0c23", "\u0c05\u0c02\u0c24\u0c03\u0c15\u0c30\u0c23"),
    ],
)
def test_two_spellings_of_a_letter_are_one(left: str, right: str) -> None:
    """Chillus, khanda ta, independent vowels, two-part vowels, nukta letters, joiners and visarga."""
    assert left != right
    assert _one(left) == _one(right)


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("hi", "कार्य", "कार्\u200dय"),
        ("hi", "पर्व", "पर्\u200dव"),
        ("hi", "सूर्य", "सूर्\u200dय"),
        ("ne", "गर्यो", "गर्\u200dयो"),
        ("sa", "र्य", "र्\u200dय"),
        ("mr", "क्ष", "क्\u200dष"),
        ("bn", "সত্য", "সত্\u200dয"),
        ("bn", "তত্ত্ব", "তত্\u200dত্\u200dব"),
        ("bn", "তত্ত্ব", "তত্\u200d\u200dত্\u200d\u200cব"),
        ("bn", "রত্ন", "রত্\u200dন"),
        ("bn", "উত্থান", "উত্\u200dথান"),
        ("bn", "আত্মা", "আত্\u200dমা"),
        ("bn", "রাত্রি", "রাত্\u200dরি"),
        ("bn", "ত্লা", "ত্\u200dলা"),
        ("as", "ৰাত্ৰি", "ৰাত্\u200dৰি"),
        ("as", "সত্ত্ৱ", "সত্ত্\u200dৱ"),
        ("kn", "ರ್ಯ", "ರ್\u200dಯ"),
        ("ml", "ക്ഷമ", "ക്\u200dഷമ"),
        ("ml", "പക്ഷേ", "പക്\u200dഷേ"),
    ],
)
def test_a_joiner_that_only_shapes_a_conjunct_is_idle(language: str, left: str, right: str) -> None:
    """After a virama a joiner makes another letter of a few alone, and none where a conjunct follows."""
    assert left != right
    assert _scored(left, language) == _scored(right, language) != ""


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("bn", "উৎসব", "উত্\u200dসব"),
        ("bn", "হঠাৎ করে", "হঠাত্\u200d করে"),
        ("ml", "സർക്കാർ", "സര്\u200dക്കാര്\u200d"),
        ("ml", "എൻജിനീയർ", "എന്\u200dജിനീയര്\u200d"),
        ("ml", "വാൿ", "വാക്\u200d"),
        ("ml", "എന്റെ", "എൻ്റെ"),
        ("ml", "എന്റെ", "എന്\u200dറെ"),
        ("ml", "എന്റെ", "എൻറെ"),
        ("ml", "എന്റെ", "എൻ\u200d\u200cറെ"),
        ("ml", "എന്റെ", "എന്\u200d്റെ"),
    ],
)
def test_a_joiner_that_makes_another_letter_is_read(language: str, left: str, right: str) -> None:
    """Khanda ta and the chillus stay what they are before other letters; n and rra have one spelling."""
    assert left != right
    assert _scored(left, language) == _scored(right, language) != _scored(left[:-1], language)


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [("bn", "উত্সব", "উত্\u200dসব"), ("ml", "കാര്യം", "കാര്\u200dയം"), ("ml", "എന്ജിൻ", "എന്\u200dജിൻ")],
)
def test_a_letter_made_by_a_joiner_is_another(language: str, left: str, right: str) -> None:
    """Where the joiner makes khanda ta or a chillu, the text without it is spelt otherwise."""
    assert _scored(left, language) != _scored(right, language)


@pytest.mark.parametrize("typed", ["दर्\u200dया", "दर\u093c्या", "दर\u200c्\u200d\u200dया"])
@pytest.mark.parametrize("language", ["mr", "kok", "gom"])
def test_eyelash_ra_is_a_letter_of_marathi_and_konkani(language: str, typed: str) -> None:
    """There a joiner after ra makes two words of one; elsewhere it is drawn, not spoken."""
    assert _scored(typed, language) == _scored("दऱ्या", language) != _scored("दर्या", language)
    assert fold(unify(typed, eyelash=True)) == "दऱ्या"
    assert _scored("दर्\u200dया", "hi") == _scored("दर्या", "hi") == unify("दर्\u200dया") == "दर्या"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("अॅप", "अ\u200dॅप"),
        ("ॲप", "अ\u200dॅप"),
        ("ऑफिस", "आ\u200dॅफिस"),
        ("ऑफिस", "आ\u200cॅफिस"),
        ("दुःख", "दु\u200d:ख"),
        ("दुःख", "दु:\u200cख"),
        ("दुःख", "दु：ख"),
        ("ஶ்ரீ", "ஸ்\u200cரீ"),
        ("கொ", "கெ\u200cா"),
        ("ఓ", "ఒ\u200cౕ"),
        ("আমি", "অ\u200cামি"),
        ("હઠાત્ આ", "હઠાત્ અ\u200cા"),
        ("ਆ", "ਅ\u200cਾ"),
        ("ഓ", "ഒ\u200cാ"),
        ("എൻ്റെ", "എന്\u200cറെ"),
        ("ଆ", "ଅ\u200cା"),
        ("ಔ", "ಒ\u200cೌ"),
        ("അവൻ", "അവന\u200b്\u2060\u200d"),
        ("হঠাৎ", "হঠাত\u200c্\u00ad\u200d"),
        ("आप", "अ\ufe0fाप"),
    ],
)
def test_what_cannot_be_seen_hides_no_spelling(left: str, right: str) -> None:
    """A joiner or another unseen character inside a sequence does not keep it from being one letter."""
    assert left != right
    assert _scored(left) == _scored(right) != ""


@pytest.mark.parametrize("typed", _ONE_LETTER)
def test_no_sequence_is_hidden_by_a_format_character(typed: str) -> None:
    """Every sequence, with every format character at every seam; only a joiner after a virama has a meaning."""
    for seam in range(1, len(typed)):
        for mark in _FORMATS:
            if not (typed[seam - 1] in _VIRAMAS and mark == "\u200d"):
                assert _scored(f"क{typed[:seam]}{mark}{typed[seam:]}") == _scored(f"क{typed}")


@pytest.mark.parametrize(
    ("text", "scored"),
    [
        ("१,००० रुपये", "1000 रुपये"),
        ("1,00,000", "100000"),
        ("१,००,००० लोग", "100000 लोग"),
        ("1,000,000", "1000000"),
        ("12,34,56,789", "123456789"),
        ("१，०००", "1000"),
        ("₹1,500.50", "1500 50"),
        ("१,२,३", "1 2 3"),
        ("12,13", "12 13"),
        ("5,1,000", "5 1 000"),
        ("2024,100", "2024 100"),
        ("1,0000", "1 0000"),
        ("1,000,1", "1 000 1"),
        ("1, 000", "1 000"),
        ("हाँ,नहीं", "हाँ नहीं"),
        ("हाँ,100", "हाँ 100"),
    ],
)
def test_commas_that_group_digits_are_not_heard(text: str, scored: str) -> None:
    """Thousands and lakhs are one number; a comma of a list, or beside a word, stays punctuation."""
    assert _scored(text) == unicodedata.normalize("NFC", scored)


def test_other_languages_keep_their_separators() -> None:
    """What groups digits in one language is the decimal sign of another."""
    german = named_normaliser("basic-marks", "de").apply
    assert (german("10.000"), german("1,000")) == ("10 000", "1 000")
    assert without_grouping("1,000 a") == "1000 a"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("पढ़", "पढ"),
        ("बाज़ार", "बाजार"),
        ("हिंदी", "हिन्दी"),
        ("दर्या", "दऱ्या"),
        ("ത", "ത്"),
        ("ന", "ൻ"),
        ("ত", "ৎ"),
        ("রহা", "রহ"),
        ("था", "थी"),
        ("कि", "की"),
        ("१२", "12"),
    ],
)
def test_two_letters_stay_two(left: str, right: str) -> None:
    """Nuktas stay, anusvara is no nasal consonant, and digits are not for this function."""
    assert _one(left) != _one(right)


@pytest.mark.parametrize(
    "text",
    ["राम ने कहा: चलो", "समय १२:३०", "१:क", "कहा:", ": कहा", "दु: ख", "क:1", "क:a", "a:क", "क:ক", "कहा।:हाँ", "a:b"],
)
def test_a_colon_that_is_punctuation_stays(text: str) -> None:
    """At a word's end, beside a digit, a blank, a danda or another script, a colon is no visarga."""
    assert unify(text) == text


@pytest.mark.parametrize("text", ["hello: world", "東京", "café", "", "ง่าย", "١٢٣"])
def test_other_scripts_are_only_composed(text: str) -> None:
    """Text without Indic letters comes back in NFC."""
    assert unify(text) == unicodedata.normalize("NFC", text)


def test_the_languages_are_those_of_the_nine_scripts() -> None:
    """Ten large languages and those written in the same scripts."""
    assert {"hi", "bn", "ta", "te", "kn", "ml", "mr", "gu", "or", "pa"} < INDIC_LANGUAGES
    assert INDIC_LANGUAGES.isdisjoint({"en", "ur", "si", "th"})


@given(INDIC_TEXT | st.text())
def test_any_text_is_read(text: str) -> None:
    """Nothing raises, the result is composed, and no letter of the Latin script or digit is touched."""
    unified = unify(text)
    assert not [character for character in unified if unicodedata.category(character) == "Cf"]
    assert unified.isascii() or unicodedata.is_normalized("NFC", unified)
    assert [character for character in unified if character in "a1"] == [
        character for character in unicodedata.normalize("NFC", text) if character in "a1"
    ]


@pytest.mark.parametrize(("typed", "meant"), _ONE_LETTER.items())
def test_no_letter_stays_half_way(typed: str, meant: str) -> None:
    """What a sequence becomes is final, also where a sign follows with which it would be yet another letter."""
    assert unify(meant) == unify(typed) == meant
    for longer, letter in _ONE_LETTER.items():
        if longer.startswith(meant):
            assert unify(typed + longer.removeprefix(meant)) == letter


@given(INDIC_TEXT)
@example("\u0301\u09cd\u200d\u09cd:\u098c")
def test_composition_makes_no_difference(text: str) -> None:
    """NFC and NFD of a text become the same, and so does the text."""
    composed, apart = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    for eyelash in (False, True):
        assert unify(apart, eyelash=eyelash) == unify(composed, eyelash=eyelash) == unify(text, eyelash=eyelash)
