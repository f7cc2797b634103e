"""Claims about normalisation: the right values of the trap table that concern English."""

from importlib.metadata import version

import pytest

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.metrics.normalise import is_null, select_normaliser


def _normal(text: str) -> str:
    normaliser, _ = select_normaliser("en")
    return normaliser.apply(text)


@pytest.mark.parametrize("language", ["en", "EN", "en_US", "en-GB", "English", "eng", "ENGLISH", " en "])
def test_every_english_tag_routes_to_english_and_wer(language: str) -> None:
    """Whatever way English is tagged, it is scored by the Whisper English normaliser and WER."""
    normaliser, metric = select_normaliser(language)
    assert (normaliser.name, metric) == ("whisper-english", "wer")


@pytest.mark.parametrize(
    "language",
    [
        "hi",
        "bn",
        "ta",
        "te",
        "gu",
        "kn",
        "ml",
        "mr",
        "or",
        "pa",
        "ja_JP",
        "zh",
        "ko",
        "th",
        "yue",
        "de",
        "enm",
        "english2",
        "",
    ],
)
def test_other_languages_are_refused_by_name(language: str) -> None:
    """A language that this version cannot score right is an error that names it, never a wrong score."""
    with pytest.raises(ScoringError) as caught:
        select_normaliser(language)
    assert repr(language) in str(caught.value)
    assert "English (en) only" in str(caught.value)


@pytest.mark.parametrize(("normaliser", "metric"), [("basic", "auto"), ("indic", "wer"), ("none", "auto")])
def test_other_normalisers_are_refused_by_name(normaliser: str, metric: str) -> None:
    """A normaliser that is not built is an error that names it."""
    with pytest.raises(ScoringError, match=f"normaliser '{normaliser}'"):
        select_normaliser("en", normaliser, metric)


def test_another_metric_is_refused_by_name() -> None:
    """CER is an error that names it."""
    with pytest.raises(ScoringError, match="metric 'cer'"):
        select_normaliser("en", metric="cer")


def test_what_is_asked_for_by_name_is_given() -> None:
    """The built normaliser and metric may also be named."""
    normaliser, metric = select_normaliser("en", "whisper-english", "wer")
    assert (normaliser.name, metric) == ("whisper-english", "wer")


def test_the_version_names_library_and_fold() -> None:
    """The version says which release of the library and which fold of ours made the text."""
    normaliser, _ = select_normaliser("en")
    assert normaliser.version == f"{version('whisper-normalizer')}+fold1"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("don't go", "don’t go"),
        ("don't go", "don‘t go"),
        ("hello world", "hel\u200blo world"),
        ("hello world", "\ufeffhello world"),
        ("hello world", "hello wor\u00adld"),
        ("hello world", "\u2066hello\u2069 world"),
        ("café au lait", "cafe\u0301 au lait"),
        ("hello world", "Hello,  World!"),
        ("hello world", "hello\u00a0world"),
        ("hello world", "hello\tworld\n"),
    ],
    ids=["U+2019", "U+2018", "ZWSP", "BOM", "soft hyphen", "bidi", "NFC/NFD", "case", "no-break space", "tab"],
)
def test_what_cannot_be_heard_makes_no_difference(left: str, right: str) -> None:
    """Curly apostrophes, format characters, composition, case and spacing normalise alike."""
    assert _normal(left) == _normal(right)
    assert _normal(left) != ""


@pytest.mark.parametrize(
    ("left", "right"), [("wont", "won't"), ("the cat", "the hat"), ("fifteen", "fifty"), ("go", "do not go")]
)
def test_what_can_be_heard_stays_different(left: str, right: str) -> None:
    """The fold hides no difference of words."""
    assert _normal(left) != _normal(right)


def test_normalising_once_is_not_normalising_twice() -> None:
    """`oh oh` is 00 after one pass and another text after two, which is why only the scorer normalises."""
    assert _normal("oh oh") == "00"
    assert _normal(_normal("oh oh")) == "0"


def test_the_result_has_no_outer_space() -> None:
    """Text is stripped, so that an empty one is empty."""
    assert _normal("  Uh.  ") == ""
    assert _normal(" um, yes. ") == "yes"


@pytest.mark.parametrize("text", ["", " ", "…", "- -", "$", "♪", "?!"])
def test_a_text_without_letter_or_digit_is_null(text: str) -> None:
    """Signs alone say nothing."""
    assert is_null(text)


@pytest.mark.parametrize("text", ["a", "0", "é", "東", "वह", "- a", "½"])
def test_one_letter_or_digit_says_something(text: str) -> None:
    """One letter or digit of any script is enough."""
    assert not is_null(text)
