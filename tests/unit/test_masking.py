"""Claims about masking: what the Whisper normaliser hides is named, and nothing that sounds alike is reported."""

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from whisper_normalizer.english import EnglishTextNormalizer

from pytest_asrgate.metrics.fold import fold, western_digits
from pytest_asrgate.metrics.indic import unify
from pytest_asrgate.metrics.light_fold import lightly_folded
from pytest_asrgate.metrics.masking import MASKED_FIRST, MASKED_WORDS, masked_kinds
from pytest_asrgate.metrics.rule import scoring_rule

_ENGLISH = EnglishTextNormalizer()

# Characters that the rules look at, so that random texts meet the rules.
_TRICKY = "-‑–−+$€£¢5 1,0./:'\"’½¾²µμΩ%°′″a s n't()[]+&@#|\u0301\u200b\u093e\ufe0fŉΐ\u0345İ１＇＄"  # noqa: RUF001
_FORMS = "-—\" '/5two s\ufe70\ufc5e\ufdfa\ufb1d\ufb29\ufefbĳǆ׳״"  # noqa: RUF001
_FOREIGN = "iIıİ\u0307\u0323\u200dｶﾞ～￣ﾡￂ１，١٫९रन्ാനര്റ:' 是,5*~<>|/-a"  # noqa: RUF001
_TEXTS = st.one_of(
    st.text(max_size=40), *(st.text(alphabet=alphabet, max_size=25) for alphabet in (_TRICKY, _FOREIGN, _FORMS))
)


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
        ("a < b", "a b", ("sign",)),
        ("1 < 2 > 0", "1 0", ("digits", "sign")),
        ("2*3", "2 3", ("sign",)),
        ("2 * 3", "2 3", ("sign",)),
        ("a * b", "a b", ("sign",)),
        ("about ~5", "about 5", ("sign",)),
        ("<unk> hello", "hello", ("words",)),
        ("<b>hello</b>", "hello", ("words",)),
        ("<|en|> hello", "hello", ("words",)),
        ("<|0.00|> hello", "hello", ("digits",)),
        ("1/2", "1 2", ("digits", "sign")),
        ("5 / 6 of them", "5 6 of them", ("digits", "sign")),
        ("5 /6", "5 6", ("digits", "sign")),
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
        ("twenty", "20", ("digits",)),
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
        ("that one's mine", "that one is mine", ("words",)),
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
        ("it is -ten outside", "it is ten outside"),
        ("-five degrees", "five degrees"),
        ("-Twenty-one", "twenty-one"),
        ("it is - 5 degrees", "it is 5 degrees"),
        ("it is — 5", "it is 5"),
        ("outside - 5 °C", "outside 5 °C"),
        ("- 5", "5"),
        ("—5", "5"),
        ("it is —5", "it is 5"),
        ("it is - $5", "it is $5"),
    ],
)
def test_a_dash_that_reads_as_a_minus_is_a_sign(reference: str, hypothesis: str) -> None:
    """A minus is one before a number word too, and as a dash, or parted from its number where a value is due."""
    assert _normal(reference) == _normal(hypothesis)
    assert masked_kinds(reference, hypothesis) == ("sign",)


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ('a 5" pipe', "a 5 pipe"),
        ("he is 6' tall", "he is 6 tall"),
        ("he is 6’ tall", "he is 6 tall"),
        ("it's 6' or 7'", "it's 6 or 7"),
        ('the "big" 5" pipe', "the big 5 pipe"),
        ("a 5 mm gap", "a 5 gap"),
        ("5 um thick", "5 thick"),
        ("5 [km/h] fast", "5 fast"),
        ("5 [GHz]", "5"),
        ("½ mm", "½"),
        ("5 mm gap", "5 um gap"),
    ],
)
def test_a_lost_or_changed_unit_is_one(reference: str, hypothesis: str) -> None:
    """A quote after a digit that closes none is feet or inches; an abbreviation after a number is its unit."""
    assert _normal(reference) == _normal(hypothesis)
    assert masked_kinds(reference, hypothesis) == ("unit",)


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("dial twenty one", "dial two one"),
        ("nine eleven", "nine one one"),
        ("room two hundred", "room twenty oh"),
        ("twenty ten", "two thousand ten"),
        ("first", "1st"),
        ("one", "1"),
    ],
)
def test_other_number_words_are_other_digits(reference: str, hypothesis: str) -> None:
    """Where the normaliser writes two wordings as the same digits, these are named, not the words."""
    assert _normal(reference) == _normal(hypothesis)
    assert masked_kinds(reference, hypothesis) == ("digits",)


def test_a_filler_is_a_unit_after_a_number_only() -> None:
    """Elsewhere, after a number word too, mm and um are what somebody says while thinking."""
    assert masked_kinds("um 5", "5") == ("words",)
    assert masked_kinds("this one um is mine", "this one is mine") == ("words",)


def test_a_unit_lost_in_a_long_text_is_named() -> None:
    """What the inexact search of long texts finds is a unit as well."""
    left, right = "go 5 mm uh " * 150, "go 5 uh " * 150
    assert masked_kinds(left, right) == ("unit",)


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
        ("*hello*", "hello"),
        ("**hello** you*", "hello you"),
        ("* hello", "hello"),
        ("hello~", "hello"),
        ("5~10", "5 10"),
        ("5 - 6", "5 6"),
        ("5 — 6", "5 6"),
        ("5 —6", "5 6"),
        ("one -two", "one two"),
        ("twenty -one", "twenty one"),
        ("no -one knows", "no one knows"),
        ("he left - ten of them", "he left ten of them"),
        ("it was -tender", "it was tender"),
        ('he said "I am 5" and left', "he said I am 5 and left"),
        ("'it was 1990' he said", "it was 1990 he said"),
        ('the "5" is', "the 5 is"),
        ("‘5’", "5"),
        ("6'2\" tall", "6′2″ tall"),  # noqa: RUF001
        ("1 / 2", "1/2"),
        ("and / or", "and or"),
        ("ﬁne", "fine"),
        ("ﻻ", "لا"),
        ("ĳs", "ijs"),
        ("Ĳs", "ijs"),
        ("ǆ", "dž"),
        ("צ׳ק", "צ'ק"),  # noqa: RUF001
        ("ארה״ב", 'ארה"ב'),
    ],
)
def test_what_sounds_alike_is_not_reported(reference: str, hypothesis: str) -> None:
    """Case, punctuation, spacing, apostrophes, format characters, composition and grouping make no difference."""
    assert reference != hypothesis
    assert _normal(reference) == _normal(hypothesis)
    assert masked_kinds(reference, hypothesis) == ()


@pytest.mark.parametrize(
    ("language", "reference", "hypothesis"),
    [
        ("zh", "今天天气很好，我们去公园。", "今天天气很好我们去公园"),  # noqa: RUF001
        ("ja", "はい、そうです。", "はいそうです"),
        ("ja", "そうですね～", "そうですね"),  # noqa: RUF001
        ("ja", "ｶﾞｷﾞ", "ガギ"),
        ("ko", "할 수 있다", "할수 있다"),
        ("ko", "ﾡￂ", "가"),
        ("th", "ผม กิน", "ผมกิน"),
        ("th", "น\u0e4d\u0e49า", "น้ำ"),
        ("hi", "१२", "12"),
        ("hi", "१,०००", "1,000"),  # noqa: RUF001
        ("ar", "٣", "3"),
        ("ar", "٣٫٥", "3.5"),  # noqa: RUF001
        ("ar", "٥٪", "5%"),  # noqa: RUF001
        ("fa", "۱۲", "12"),
        ("fa", "كتاب على", "کتاب علی"),
        ("tr", "İzmir", "izmir"),
        ("tr", "I\u0307zmir", "izmir"),
        ("tr", "IŞIK", "ışık"),  # noqa: RUF001
        ("ml", "ഞാന\u0d4d\u200d", "ഞാൻ"),
        ("hi", "अाम", "आम"),
        ("de", "Ａｎｎａ１＄", "anna1$"),  # noqa: RUF001
        ("de", "a￣b", "a b"),
    ],
)
def test_other_languages_have_no_noise(language: str, reference: str, hypothesis: str) -> None:
    """Two ways to write the same are not reported where the rule of the language scores them as perfect."""
    rule = scoring_rule([language])
    assert reference != hypothesis
    assert rule.apply(reference, language) == rule.apply(hypothesis, language)
    assert masked_kinds(reference, hypothesis, spaced=rule.metric != "cer") == ()


@pytest.mark.parametrize(
    ("reference", "hypothesis", "kinds"),
    [
        ("今天很好，-5度", "今天很好5度", ("sign",)),  # noqa: RUF001
        ("5％，很 好", "5很好", ("unit",)),  # noqa: RUF001
        ("10:30，好", "10 30好", ("digits",)),  # noqa: RUF001
        ("50% ice cream", "50 percent ice cream", ("unit",)),
        ("50% ice cream", "50 per cent ice cream", ("unit",)),
        ("[not] guilty", "guilty", ("negation",)),
        ("[好]是", "是", ("words",)),
        ("ice cream", "icecream", ()),
        ("1 2", "12", ()),
    ],
)
def test_where_white_space_does_not_count_the_rest_still_does(
    reference: str, hypothesis: str, kinds: tuple[str, ...]
) -> None:
    """Without words to count, a sign, unit or number is named alone, not with the sentence that it touches."""
    assert masked_kinds(reference, hypothesis, spaced=False) == kinds


def test_white_space_counts_unless_told_otherwise() -> None:
    """Where words are counted, two words for one are a difference."""
    assert masked_kinds("ice cream", "icecream") == ("words",)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("नमस्ते, दुनिया!", "नमस्ते दुनिया"),
        ("१२ किताबें", "12 किताबें"),
        ("สวัสดี", "สวัสดี"),
        ("مرحبا، يا عالم", "مرحبا \u06ccا عالم"),  # noqa: RUF001
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
    """The light fold takes punctuation only: vowel signs and tone marks are still there, digits as 0 to 9."""
    assert lightly_folded(text) == folded


def test_every_letter_and_mark_of_the_indic_scripts_and_thai_stays() -> None:
    """No letter, digit or mark from U+0900 to U+0E7F disappears from between two letters."""
    lost = [
        character
        for character in map(chr, range(0x900, 0xE80))
        if unicodedata.category(character)[0] in "LMN"
        and western_digits(unify(f"क{character}क")) != lightly_folded(f"क{character}क").replace(" ", "")
    ]
    assert lost == []


@given(_TEXTS)
@example("ŉ\u200b\u0301¾")
@example("ന്'റ")
@example("i\u0307\u0307\u0301")
@example("a * )")
@example("<|<a>|>")
@example("5' 5\" '5' \"5 / 6 / 1,000\"")
@example("is - -5 — 5 -one -two")
@example("\ufe70\ufc5e\ufdfa\ufb1d\ufb29")
def test_folding_twice_is_folding_once(text: str) -> None:
    """The fold of a fold is that fold."""
    once = lightly_folded(text)
    assert lightly_folded(once) == once


@given(_TEXTS)
def test_a_text_masks_nothing_against_itself(text: str) -> None:
    """A text has no masked kind against itself, nor against its own spacing."""
    assert masked_kinds(text, text) == ()
    assert masked_kinds(text, f" {text}\n") == ()


@given(_TEXTS, _TEXTS, st.booleans(), st.booleans())
def test_the_sides_may_be_swapped(left: str, right: str, spaced: bool, long: bool) -> None:
    """The kinds are symmetric, in the promised order, and empty exactly where the folds are equal."""
    if long:
        left, right = f"{left} {'go uh ' * 150}{right}", f"{right} {'uh go ' * 150}{left}"
    kinds = masked_kinds(left, right, spaced=spaced)
    assert kinds == masked_kinds(right, left, spaced=spaced)
    order = (*MASKED_FIRST, MASKED_WORDS)
    assert list(kinds) == sorted(set(kinds), key=order.index)
    folds = {lightly_folded(text) if spaced else lightly_folded(text).replace(" ", "") for text in (left, right)}
    assert (kinds == ()) == (len(folds) == 1)


def test_one_difference_in_frequent_words_stays_one() -> None:
    """Where every token is frequent, a lost sign is still told from the equal digits around it."""
    digits = " ".join(str(number * 7 % 10) for number in range(300))
    assert masked_kinds(f"{digits} -5 {digits}", f"{digits} 5 {digits}") == ("sign",)
    assert masked_kinds(f"-1 {digits} -5 {digits}", f"1 {digits} 5 {digits}") == ("sign",)
    assert masked_kinds(f"{digits} -5 and 5 {digits}", f"{digits} 5 and -5 {digits}") == ("sign",)


def test_a_sign_that_moved_far_is_not_lost() -> None:
    """Long texts with the same tokens in another order still name what stands elsewhere."""
    words = " ".join(["go", "on"] * 200)
    assert "sign" in masked_kinds(f"-5 {words} 5", f"5 {words} -5")


def test_an_hour_of_speech_is_compared_in_seconds() -> None:
    """10,000 words with 500 differences take no quadratic time."""
    words = [f"word{number % 700}" if number % 20 else "colour" for number in range(10_000)]
    started = time.perf_counter()
    assert masked_kinds(" ".join(words), " ".join(words).replace("colour", "color")) == ("words",)
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [("go uh " * 500, "go " * 500), ("go uh " * 100, "go " * 100), ("是，" * 5000, "是不" * 5000)],  # noqa: RUF001
)
def test_repetition_is_compared_at_once(reference: str, hypothesis: str) -> None:
    """A recogniser that loops makes every token frequent; 20 such rows take no minute."""
    started = time.perf_counter()
    for _ in range(20):
        assert masked_kinds(reference, hypothesis, spaced=False) == ("words",)
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a",
        "<|",
        "|>",
        "*",
        "i\u0307",
        "i",
        "ｶ",
        "<|a|",
        '5"',
        "'5",
        "5' ",
        "- ",
        "— 5",
        "-one ",
        "5 / ",
        "5 mm ",
    ],
)
def test_a_hostile_text_takes_linear_time(piece: str) -> None:
    """100,000 characters of half-open tags are folded at once."""
    started = time.perf_counter()
    lightly_folded((piece * 100_000)[:100_000])
    assert time.perf_counter() - started < 3
