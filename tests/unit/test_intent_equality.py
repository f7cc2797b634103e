"""Which texts surely say the same, and that nothing else is ever kept by rule."""

import random
import unicodedata

import pytest

from pytest_asrgate.intent.digit_words import DIGIT_WORDS, DOUBTFUL
from pytest_asrgate.intent.equality import INTENT_RULES_VERSION, kept_by_rule
from pytest_asrgate.intent.reading import folded, has_words

INDIAN = ("hi", "bn", "mr", "ml", "kn", "ta", "te", "gu", "or", "pa")

NAMED = [
    ("en", "Stop it", "Stop it", "equal texts"),
    ("en", "Stop it!", "stop it", "case and punctuation"),
    ("en", "Stop [noise] it", "stop it", "case and punctuation"),
    ("en", "Is it so\uff1f", "is it so?", "case and punctuation"),
    ("hi", "क्या यह सही है ؟", "क्या यह सही है?", "case and punctuation"),
    ("en", "three cups", "3 cups", "number formats"),
    ("en", "$1,250", "1250 dollars", "number formats"),
    ("en", "Rs. 500 now", "500 rupees now", "number formats"),
    ("en", "Rs.500 now", "500 rupees now", "number formats"),
    ("en", "$5 million", "five million dollars", "number formats"),
    ("en", "two hundred and fifty", "250", "number formats"),
    ("en", "room one oh one", "Room 101", "number formats"),
    ("en", "May 2nd", "may second", "number formats"),
    ("en", "five thirty p.m.", "5:30 pm", "number formats"),
    ("en", "it is at five", "It is at 5:00", "number formats"),
    ("en", "it is 0.5 metres", "it is .5 metres", "case and punctuation"),
    ("en", "born in nineteen eighty four", "born in 1984", "number formats"),
    ("en", "the code is two five", "the code is 25", "number formats"),
    ("en", "five six seven eight nine it is", "56789 it is", "number formats"),
    ("en", "on the 5th of January", "on the fifth of January", "number formats"),
    ("en", "January 5", "January 5th", "number formats"),
    ("en", "mail a.b@shop.in", "mail a dot b at shop dot in", "number formats"),
    ("hi", "98765 43210", "९८७६५४३२१०", "case and punctuation"),
    ("en", "Yeah", "yes", "acknowledgements"),
    ("en", "yes, yes", "okay", "acknowledgements"),
    ("ta", "Yes", "சரி", "acknowledgements"),
    ("en", "Okay, go on", "ok. go on", "acknowledgements"),
    ("en", "Thank you. Thank you!", "thank you", "repetition"),
    ("en", "Please, please, I'm in a hurry", "Please, I'm in a hurry", "repetition"),
    ("en", "the the room", "the room", "repetition"),
    ("hi", "धन्यवाद, धन्यवाद", "धन्यवाद", "repetition"),
]
# Each may mean something else, however alike they look.
APART = [
    ("en", "Call at 5:30", "Call at 530"),
    ("en", "I will re-sign", "I will resign"),
    ("en", "Let's go", "Lets go"),
    ("en", "the boys' room", "the boy's room"),
    ("en", "the boys' room", "the boys room"),
    ("en", "two or three", "23"),
    ("en", "two, three", "23"),
    ("en", "twenty 5", "25"),
    ("en", "100 and 5", "105"),
    ("en", "5 10", "510"),
    ("en", "10.5", "105"),
    ("en", "1,2", "12"),
    ("en", "007", "7"),
    ("en", "1st", "21st"),
    ("en", "5th May", "15th May"),
    ("en", "5 dollars", "5 pounds"),
    ("en", "C++", "C"),
    ("en", "9 am", "9 pm"),
    ("en", "two lakh", "2"),
    ("en", "third", "a third"),
    ("en", "wait a second", "wait a 2"),
    ("en", "a_b@c.com", "ab@c.com"),
    ("en", "a b@c.com", "ab@c.com"),
    ("en", "café", "cafe"),
    ("en", "(not) now", "now"),
    ("en", "no yes", "no"),
    ("en", "uh huh", "uh uh"),
    ("en", "there, there", "there"),
    ("en", "very very good", "very good"),
    ("en", "ten, ten", "ten"),
    ("en", "Really? Really?", "Really?"),
    ("en", "I said no no", "I said no"),
    ("en", "you are, you are not", "you are not"),
    ("en", "Hmm, I will go", "Yes, I will go"),
    ("en", "Okay, I will go", "Yes, I will go"),
    ("hi", "दो चार", "24"),
    ("hi", "ठीक ठीक", "ठीक"),
    ("hi", "१.५", "१५"),
    ("hi", "₹५", "$५"),
    ("ml", "ഒന്ന് വരൂ", "1 വരൂ"),
    ("de", "Maße", "Masse"),
]
SENTENCES = [
    ("en", "Please call Ravi at 4410 tomorrow and again today."),
    ("en", "Is the meeting at 12 with Mrs. Rao?"),
    ("en", "I'm at gate 25; write to anna@shop.com, please!"),
    ("hi", "कृपया कल ४४१० पर फोन कीजिए"),
    ("bn", "আমি কলকাতায় ২৭ নম্বর বাড়িতে থাকি"),
    ("ta", "என் எண் 98400, நன்றி"),
    ("pa", "ਕਮਰਾ ੧੮ ਖਾਲੀ ਹੈ?"),
    ("or", "ଘର ନମ୍ବର ୬୨ ବଡ଼"),
]


@pytest.mark.parametrize(("language", "left", "right", "rule"), NAMED)
def test_the_rule_is_named(language: str, left: str, right: str, rule: str) -> None:
    """The first rule under which both are equal is named, whichever side is the reference."""
    assert kept_by_rule(left, right, language) == rule
    assert kept_by_rule(right, left, language) == rule


@pytest.mark.parametrize(("language", "left", "right"), APART)
def test_other_meanings_are_kept_apart(language: str, left: str, right: str) -> None:
    """No rule says kept where a meaning may differ."""
    assert kept_by_rule(left, right, language) == ""
    assert kept_by_rule(right, left, language) == ""


def test_nothing_said_keeps_nothing() -> None:
    """Empty texts, and those of annotations or signs alone, are never kept, even where they are equal."""
    for text in ("", "  ", "...", "[laughter]", "<unk>", "?"):
        assert kept_by_rule(text, text, "en") == ""
        assert kept_by_rule(text, "yes", "en") == kept_by_rule("yes", text, "en") == ""


@pytest.mark.parametrize(("language", "text"), SENTENCES)
def test_case_punctuation_and_composition_change_nothing(language: str, text: str) -> None:
    """Random case, commas and exclamation marks between words, blanks and NFD keep the intent."""
    draw = random.Random(7)  # noqa: S311 - the same draws in every run
    for _ in range(30):
        words = [
            "".join(
                draw.choice((letter.upper(), letter.lower())) if letter.isascii() else letter for letter in word
            )
            for word in text.split()
        ]
        changed = "".join(f"{word}{draw.choice((' ', '  ', ', ', '! ', '; ', ' … '))}" for word in words)
        changed = unicodedata.normalize(draw.choice(("NFC", "NFD")), f" {changed}")
        assert kept_by_rule(text, changed, language)
        assert kept_by_rule(changed, text, language)


@pytest.mark.parametrize(("language", "text"), SENTENCES)
def test_a_changed_letter_or_digit_is_never_kept(language: str, text: str) -> None:
    """Whatever one letter, vowel sign, digit or question mark is lost, doubled or changed: it is not kept."""
    draw = random.Random(8)  # noqa: S311 - the same draws in every run
    text = unicodedata.normalize("NFC", text)
    places = [
        place for place, letter in enumerate(text) if letter.isalnum() or letter in "?@'" or ord(letter) > 0x300
    ]
    for _ in range(60):
        place = draw.choice(places)
        other = draw.choice(
            [letter for letter in map(text.__getitem__, places) if folded(letter) != folded(text[place])]
        )
        for changed in (text[:place] + text[place + 1 :], text[:place] + other + text[place + 1 :]):
            if folded(changed) != folded(text) and has_words(changed):
                assert kept_by_rule(text, changed, language) == "", changed
                assert kept_by_rule(changed, text, language) == "", changed


@pytest.mark.parametrize("language", INDIAN)
def test_every_digit_has_a_word(language: str) -> None:
    """Each language has words for 0 to 9, and digits that are said one by one are one number."""
    words = DIGIT_WORDS[language]
    assert set(words.values()) == set("0123456789")
    spoken = list(words)
    draw = random.Random(9)  # noqa: S311 - the same draws in every run
    for _ in range(20):
        said = [draw.choice(spoken) for _ in range(6)]
        digits = "".join(words[word] for word in said)
        assert kept_by_rule(" ".join(said), digits, language) == "number formats"
        assert kept_by_rule(" ".join(said), digits[:-1] + str((int(digits[-1]) + 1) % 10), language) == ""


@pytest.mark.parametrize("language", INDIAN)
def test_doubtful_words_alone_are_no_digits(language: str) -> None:
    """A word that means something else too is a digit only among others; every other word is one alone."""
    for word, digit in DIGIT_WORDS[language].items():
        doubtful = word in DOUBTFUL.get(language, frozenset())
        assert kept_by_rule(word, digit, language) == ("" if doubtful else "number formats")


def test_numbers_in_other_words_are_never_equal() -> None:
    """Two different numbers are never equal, in numerals or in words."""
    from pytest_asrgate.semantic.numerals import cardinal_words

    draw = random.Random(10)  # noqa: S311 - the same draws in every run
    for _ in range(300):
        left = draw.randrange(2, 10 ** draw.randrange(1, 7))
        right = left + draw.choice((1, 10, 100, -1))
        words = " ".join(cardinal_words(left))
        assert kept_by_rule(f"pay {left} dollars", f"pay {words} dollars", "en"), words
        assert kept_by_rule(f"pay {right} dollars", f"pay {words} dollars", "en") == "", (words, right)


def test_long_texts_end() -> None:
    """Texts of 100,000 characters are compared without a slow path."""
    for part, length in (("thank you ", 100_000), ("1,", 20_000), ("9 ", 20_000), ("5-", 20_000), ("a.", 20_000)):
        text = part * (length // len(part))
        assert kept_by_rule(text, f"{text} zebra", "en") == ""


def test_the_version() -> None:
    """The rules have a version, which stands in reports."""
    assert INTENT_RULES_VERSION == 1
