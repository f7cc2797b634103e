# ruff: noqa: RUF001, RUF002 - letters that look like others are what this is about
"""Claims about the normalisers: what nobody hears or sees costs nothing, and what can be heard stays different."""

import unicodedata
from importlib.metadata import version

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.metrics.fold import FOLD_VERSION
from pytest_asrgate.metrics.indic import INDIC_VERSION
from pytest_asrgate.metrics.normalise import NORMALISERS, is_null, named_normaliser

# One block or two of each script, and beside its letters what meets them in texts.
SCRIPTS = {
    "de": [(0x41, 0x24F), (0x1E00, 0x1EFF)],
    "tr": [(0x41, 0x24F)],
    "el": [(0x370, 0x3FF), (0x1F00, 0x1FFF)],
    "ru": [(0x400, 0x52F)],
    "he": [(0x590, 0x5FF), (0xFB1D, 0xFB4F)],
    "ar": [(0x600, 0x6FF), (0xFE70, 0xFEFC)],
    "fa": [(0x600, 0x6FF), (0xFB50, 0xFBFF)],
    "hi": [(0x900, 0x97F)],
    "bn": [(0x980, 0x9FF)],
    "ta": [(0xB80, 0xBFF)],
    "ml": [(0xD00, 0xD7F)],
    "th": [(0xE00, 0xE7F)],
    "lo": [(0xE80, 0xEFF)],
    "bo": [(0xF00, 0xFFF)],
    "my": [(0x1000, 0x109F)],
    "km": [(0x1780, 0x17FF)],
    "ko": [(0x1100, 0x11FF), (0xAC00, 0xAD00)],
    "ja": [(0x3040, 0x30FF), (0xFF01, 0xFF9F)],
}
AMONG_LETTERS = "\u00ad\u200b\u200c\u200d\u034f\ufe0f\u0301\u0307\u0327\u0338 :,.'´…10Iiİı()<>"

LIBRARY = version("whisper-normalizer")
OURS = [name for name in NORMALISERS if name != "basic"]


def _normal(text: str, normaliser: str = "basic-marks", language: str = "de") -> str:
    return named_normaliser(normaliser, language).apply(text)


@pytest.mark.parametrize(
    ("name", "stamp"),
    [
        ("whisper-english", f"{LIBRARY}+fold{FOLD_VERSION}"),
        ("indic", f"{LIBRARY}+fold{FOLD_VERSION}+indic{INDIC_VERSION}"),
        ("basic-marks", f"{LIBRARY}+fold{FOLD_VERSION}"),
        ("basic", LIBRARY),
        ("none", f"fold{FOLD_VERSION}"),
    ],
)
def test_the_version_names_library_and_own_steps(name: str, stamp: str) -> None:
    """The version says which release of the library and which steps of ours made the text."""
    normaliser = named_normaliser(name, "en")
    assert (normaliser.name, normaliser.version) == (name, stamp)


def test_an_unknown_name_is_refused() -> None:
    """The error names those that there are."""
    with pytest.raises(ScoringError, match="no normaliser 'auto': use one of whisper-english, indic, basic-marks"):
        named_normaliser("auto", "en")


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("don't go", "don’t go"),
        ("don't go", "don‘t go"),
        ("don't go", "don\u02bct go"),
        ("hello world", "hel\u200blo world"),
        ("hello world", "\ufeffhello world"),
        ("hello world", "hello wor\u00adld"),
        ("hello world", "hel\u200c\u200dlo world"),
        ("hello world", "\u2066hello\u2069 world"),
        ("café au lait", "cafe\u0301 au lait"),
        ("hello world", "hello\u00a0world"),
        ("hello world", "hello\u202fworld"),
        ("hello world", " hello\tworld\r\n"),
        ("hello world", "hello\u2028world"),
    ],
)
def test_what_cannot_be_seen_makes_no_difference(name: str, left: str, right: str) -> None:
    """Apostrophes, format characters, composition and spacing are alike under every normaliser of ours."""
    assert _normal(left, name) == _normal(right, name) != ""


@pytest.mark.parametrize("name", ["whisper-english", "basic-marks", "indic"])
def test_case_and_punctuation_make_no_difference(name: str) -> None:
    """Nobody hears a capital or a comma."""
    assert _normal("Hello,  World!", name) == _normal("[noise] hello world", name) == "hello world"


def test_none_keeps_case_punctuation_and_words() -> None:
    """Only the fold is applied."""
    assert _normal(" Hello,  “World”!\u200b [x] 12 ", "none") == "Hello, “World”! [x] 12"


@pytest.mark.parametrize(
    ("left", "right"), [("wont", "won't"), ("the cat", "the hat"), ("fifteen", "fifty"), ("go", "do not go")]
)
@pytest.mark.parametrize("name", NORMALISERS)
def test_what_can_be_heard_stays_different(name: str, left: str, right: str) -> None:
    """No normaliser hides a difference of words."""
    assert _normal(left, name) != _normal(right, name)


def test_english_normalised_once_is_not_normalised_twice() -> None:
    """`oh oh` is 00 after one pass and another text after two, which is why only the scorer normalises."""
    once = _normal("oh oh", "whisper-english")
    assert (once, _normal(once, "whisper-english")) == ("00", "0")


@pytest.mark.parametrize(("text", "result"), [("  Uh.  ", ""), (" um, yes. ", "yes"), ("don’t", "do not")])
def test_english_is_whispers(text: str, result: str) -> None:
    """Fillers go, contractions are written out, and an empty text is empty."""
    assert _normal(text, "whisper-english") == result


def test_basic_is_the_librarys_on_raw_text() -> None:
    """Only outer blanks go; the marks are lost, which makes different Hindi words alike."""
    from whisper_normalizer.basic import BasicTextNormalizer

    for text in [" Hello, (x) World! ", "वह किताब पढ़ रही थी", "don’t", "hel\u200blo", "१२", ""]:
        assert _normal(text, "basic") == BasicTextNormalizer()(text).strip()
    assert _normal("वह किताब पढ़ रही थी", "basic") == _normal("वह किताब पढ़ रहा था", "basic")


@pytest.mark.parametrize(
    "text",
    [
        "น้ําใจ",
        "مُدَرِّسَة",
        "שָׁלוֹם",
        "वह किताब पढ़ रही थी",
        "ഒരു പുസ്തകം",
        "বাংলা ভাষা",
        "தமிழ் மொழி",
        "မြန်မာ",
        "ភាសាខ្មែរ",
        "བོད་",
        "tiếng việt",
        "naïve café",
        "ёлка",
        "がぎ",
    ],
)
def test_marks_survive(text: str) -> None:
    """Vowel signs, harakat, niqqud, tones and accents are parts of words."""
    kept = unicodedata.normalize("NFC", text).rstrip("་").replace("\u0e4d\u0e32", "\u0e33")
    assert _normal(text, "basic-marks") == kept
    assert _normal(text, "indic", "hi") == kept


@pytest.mark.parametrize("zero", "०০੦૦୦௦౦೦൦٠۰๐໐༠၀០᠐０𝟎")
@pytest.mark.parametrize("name", ["basic-marks", "indic"])
def test_native_digits_are_ascii_digits(zero: str, name: str) -> None:
    """१२ and 12 are one number in every script that has digits of its own."""
    native = "".join(chr(ord(zero) + digit) for digit in (1, 2, 0, 9))
    assert _normal(f"x {native} y", name, "hi") == "x 1209 y"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("hi", "दाम १२ रुपये"),
        ("mr", "दाम १२ रुपये"),
        ("bn", "দাম ১২ টাকা"),
        ("ta", "விலை ௧௨ ரூபாய்"),
        ("te", "ధర ౧౨ రూపాయలు"),
        ("kn", "ಬೆಲೆ ೧೨ ರೂಪಾಯಿ"),
        ("ml", "വില ൧൨ രൂപ"),
        ("gu", "ભાવ ૧૨ રૂપિયા"),
        ("or", "ଦାମ ୧୨ ଟଙ୍କା"),
        ("pa", "ਮੁੱਲ ੧੨ ਰੁਪਏ"),
    ],
)
def test_indian_sentences_with_native_digits(language: str, text: str) -> None:
    """Nothing raises, only the digits change, and no control character appears."""
    first, number, last = text.split()
    assert unicodedata.decimal(number[0]) == 1
    assert _normal(text, "indic", language) == unicodedata.normalize("NFC", f"{first} 12 {last}")


@pytest.mark.parametrize("language", ["tr", "az"])
@pytest.mark.parametrize("left", ["İSTANBUL ILIK", "I\u0307STANBUL ILIK", "İstanbul, ılık", "istanbul ılık"])
def test_turkish_capitals_have_their_own_small_letters(language: str, left: str) -> None:
    """İ is i, I is ı, and no dot is left over; fullwidth too."""
    assert _normal(left, "basic-marks", language) == "istanbul ılık"
    assert _normal("ＩLIK", "basic-marks", language) == "ılık"


def test_other_languages_have_the_small_i_of_latin() -> None:
    """The Turkish rule is for Turkish and Azerbaijani alone."""
    assert _normal("ILIK Istanbul", "basic-marks", "de") == "ilik istanbul"


@pytest.mark.parametrize("name", ["basic-marks", "indic"])
@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("tr", "i\u0307stanbul", "istanbul"),
        ("de", "I\u0307stanbul", "istanbul"),
        ("de", "İstanbul", "istanbul"),
        ("hi", "İstanbul", "istanbul"),
        ("az", "i\u0307stanbul", "İSTANBUL"),
        ("lt", "i\u0307\u0301", "í"),
        ("lt", "į\u0307", "į"),
        ("de", "İ\u0327x", "i\u0327x"),
    ],
)
def test_an_i_has_one_dot(name: str, language: str, left: str, right: str) -> None:
    """Lower case in Python leaves a second dot on the capital of Turkish; nobody sees or hears it."""
    assert _normal(left, name, language) == _normal(right, name, language) != ""


@pytest.mark.parametrize(("left", "right"), [("ė", "e"), ("ż", "z"), ("ı", "i"), ("í\u0307", "í")])
def test_the_dot_of_other_letters_stays(left: str, right: str) -> None:
    """Only the dot on the bare letter i is its own."""
    assert _normal(left, "basic-marks", "de") != _normal(right, "basic-marks", "de")


@pytest.mark.parametrize(
    ("language", "typed", "whole"),
    [
        ("th", "ทํา", "ทำ"),
        ("th", "น้ํา", "น้ำ"),
        ("th", "นํ้า", "น้ำ"),
        ("th", "น้ำ", "น้ำ"),
        ("lo", "ນໍາ", "ນຳ"),
        ("lo", "ນ້ໍາ", "ນ້ຳ"),
        ("lo", "ນໍ້າ", "ນ້ຳ"),
        ("lo", "ນ້ຳ", "ນ້ຳ"),
    ],
)
def test_the_vowel_am_is_one_letter(language: str, typed: str, whole: str) -> None:
    """In one part or in two, with a tone mark before or between them, one wrong vowel is one error."""
    assert "\u0e33" in whole or "\u0eb3" in whole
    assert _normal(typed, "basic-marks", language) == whole


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("\u1000\u102d\u102f", "\u1000\u102f\u102d"),
        ("\u1000\u102d\u102f\u101a\u103a", "\u1000\u102f\u200b\u102d\u101a\u103a"),
    ],
)
def test_burmese_vowel_signs_have_one_order(left: str, right: str) -> None:
    """The sign above and the sign below look alike in either order."""
    assert _normal(left, "basic-marks", "my") == _normal(right, "basic-marks", "my") == left


@pytest.mark.parametrize("name", ["basic-marks", "indic"])
@pytest.mark.parametrize("language", ["fa", "ur", "ckb"])
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("\u0643\u062a\u0627\u0628\u064a", "\u06a9\u062a\u0627\u0628\u06cc"),
        ("\u0645\u0648\u0633\u0649", "\u0645\u0648\u0633\u06cc"),
        ("\u0643\u064e\u064a\u0650", "\u06a9\u064e\u06cc\u0650"),
        ("\ufed9\ufef1", "\u06a9\u06cc"),
        ("\u0645\u0633\u0626\u0644\u0647", "\u0645\u0633\u0626\u0644\u0647"),
        ("\u0645\u0633\u064a\u0654\u0644\u0647", "\u0645\u0633\u0626\u0644\u0647"),
        ("\u0645\u0633\u06cc\u0654\u0644\u0647", "\u0645\u0633\u0626\u0644\u0647"),
        ("\u0645\u0633\u06cc\u064e\u0654\u0644\u0647", "\u0645\u0633\u0626\u064e\u0644\u0647"),
        ("\u0645\u0633\u0649\u0654\u0644\u0647", "\u0645\u0633\u0626\u0644\u0647"),
    ],
)
def test_arabic_keyboards_write_persian(name: str, language: str, typed: str, meant: str) -> None:
    """Kaf and yeh of Arabic are those of these languages, with harakat too, and hamza stays on its yeh."""
    own = meant if language in {"fa", "ckb"} else meant.replace("\u0647", "\u06c1")
    assert _normal(typed, name, language) == own


@pytest.mark.parametrize("language", ["ur", "pnb", "skr"])
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("\u06cc\u0647", "\u06cc\u06c1"),
        ("\ufeeb\ufee5", "\u06c1\u0646"),
        ("\u0647\u0654", "\u06c2"),
        ("\u0647\u064e\u0654", "\u06c2\u064e"),
        ("\u06be", "\u06be"),
    ],
)
def test_arabic_keyboards_write_urdu(language: str, typed: str, meant: str) -> None:
    """The heh of Arabic is the round one of Urdu, also under a hamza; the two-eyed one, an aspiration, stays."""
    assert _normal(typed, "basic-marks", language) == meant


@pytest.mark.parametrize("language", ["ar", "fa", "ckb", "ug", "ps", "sd"])
def test_other_languages_keep_their_heh(language: str) -> None:
    """Round and Arabic heh are two letters there, or the round one is none."""
    assert _normal("\u0647 \u06c1", "basic-marks", language) == "\u0647 \u06c1"


@pytest.mark.parametrize("language", ["ro", "mo"])
@pytest.mark.parametrize("typed", ["ŞI ŢARĂ", "şi ţară", "S\u0327i t\u0327ara\u0306", "ȘI ȚARĂ"])
def test_romanian_has_commas_below(language: str, typed: str) -> None:
    """Old fonts have cedillas in their place; both cases, composed or not."""
    assert _normal(typed, "basic-marks", language) == "și țară"


def test_other_languages_keep_their_cedilla() -> None:
    """Turkish s has one."""
    assert _normal("Şişli", "basic-marks", "tr") == "şişli"


@pytest.mark.parametrize(
    ("language", "typed", "meant"),
    [("th", "เเม่", "แม่"), ("th", "เ\u200bเล้ว", "แล้ว"), ("th", "เ", "เ"), ("lo", "ເເມ່", "ແມ່")],
)
def test_two_signs_e_are_the_sign_ae(language: str, typed: str, meant: str) -> None:
    """They are drawn alike, and no word has two."""
    assert _normal(typed, "basic-marks", language) == meant


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ինչո՞ւ եկար", "Ինչու եկար"),
        ("ի՜նչ", "ինչ"),
        ("եկո՛ւր", "եկուր"),
        ("Ո՞ւր, ո՞ւր՝ գնաց։", "ուր ուր գնաց"),
    ],
)
def test_armenian_marks_inside_words_are_not_seen(left: str, right: str) -> None:
    """Emphasis, exclamation and question stand over a vowel and part no word; comma and full stop do."""
    assert _normal(left, "basic-marks", "hy") == _normal(right, "basic-marks", "hy") != ""


@pytest.mark.parametrize("language", ["ar", "ps", "de"])
@pytest.mark.parametrize("letter", ["\u0643", "\u064a", "\u0649", "\u06a9", "\u06cc", "\u0626"])
def test_other_languages_keep_their_kaf_and_yeh(language: str, letter: str) -> None:
    """In Arabic and Pashto these letters are several."""
    assert _normal(letter, "basic-marks", language) == letter


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("uk", "об'єднання", "об’єднання"),
        ("uk", "об'єднання", "об\u02bcєднання"),
        ("uk", "об'єднання", "об\u00b4єднання"),
        ("fa", "می\u200cروم", "میروم"),
        ("ar", "\ufefb", "لا"),
        ("ja", "ｶﾞﾗｽ（笑）", "ガラス(笑)"),
        ("ja", "ガラス", "カ\u3099ラス"),
        ("zh", "葛\U000e0100，好。", "葛 好"),
        ("ko", "한국", "한국"),
        ("de", "ja ❤️ 👍🏽 nein", "ja nein"),
        ("de", "1️⃣ tag", "1 tag"),
        ("vi", "tiê\u0301ng", "tiếng"),
        ("el", "ὀδός", "ὀδο\u0301ς"),
        ("de", "ﬁnden Ａ", "finden a"),
    ],
)
def test_one_text_typed_in_two_ways(language: str, left: str, right: str) -> None:
    """Keyboards, fonts and emoji make no errors."""
    assert _normal(left, "basic-marks", language) == _normal(right, "basic-marks", language) != ""


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [("ar", "مُدَرِّسَة", "مَدْرَسَة"), ("ar", "كتب", "كُتُب"), ("th", "มา", "ม้า"), ("vi", "ma", "má"), ("he", "שׁ", "שׂ")],
)
def test_other_marks_are_another_word(language: str, left: str, right: str) -> None:
    """Marks count."""
    assert _normal(left, "basic-marks", language) != _normal(right, "basic-marks", language)


@pytest.mark.parametrize("name", ["basic-marks", "indic"])
@pytest.mark.parametrize("language", ["de", "tr"])
@given(text=st.text())
@example(text="E(x)\u0301 \u00a8 \u037a")
@example(text="\u0345\u0130\u0327")
def test_marks_normalisers_read_any_text(name: str, language: str, text: str) -> None:
    """Nothing raises; the result is composed, single-spaced, and without format characters and capitals."""
    result = named_normaliser(name, language).apply(text)
    assert unicodedata.is_normalized("NFC", result)
    assert result == " ".join(result.split())
    categories = {unicodedata.category(character) for character in result}
    assert not {category for category in categories if category == "Cf" or category[0] in "PSZ"} - {"Zs"}


@pytest.mark.parametrize("name", ["basic-marks", "indic"])
@pytest.mark.parametrize("language", SCRIPTS)
@given(data=st.data())
def test_composition_makes_no_difference_in_any_script(name: str, language: str, data: st.DataObject) -> None:
    """NFC and NFD of a text score alike, and what comes out is visible and single-spaced."""
    letters = [st.characters(min_codepoint=first, max_codepoint=last) for first, last in SCRIPTS[language]]
    text = data.draw(st.text(st.one_of(*letters, st.sampled_from(AMONG_LETTERS))))
    apply = named_normaliser(name, language).apply
    result = apply(unicodedata.normalize("NFC", text))
    assert apply(unicodedata.normalize("NFD", text)) == apply(text) == result
    assert result == " ".join(result.split())
    assert unicodedata.is_normalized("NFC", result)
    assert "Cf" not in {unicodedata.category(character) for character in result}


@pytest.mark.parametrize("name", ["whisper-english", "none"])
@given(text=st.text())
def test_results_are_single_spaced_and_visible(name: str, text: str) -> None:
    """No outer or double blank and no format character is left."""
    result = named_normaliser(name, "en").apply(text)
    assert result == " ".join(result.split())
    assert "Cf" not in {unicodedata.category(character) for character in result}


@given(text=st.text())
def test_basic_reads_any_text(text: str) -> None:
    """Nothing raises and no outer blank is left."""
    result = _normal(text, "basic")
    assert result == result.strip()


@pytest.mark.parametrize("text", ["", " ", "…", "- -", "$", "♪", "?!"])
def test_a_text_without_letter_or_digit_is_null(text: str) -> None:
    """Signs alone say nothing."""
    assert is_null(text)


@pytest.mark.parametrize("text", ["a", "0", "é", "東", "वह", "- a", "½"])
def test_one_letter_or_digit_says_something(text: str) -> None:
    """One letter or digit of any script is enough."""
    assert not is_null(text)
