# ruff: noqa: RUF001 - punctuation of full width is what this is about
"""Claims about scoring rules: each language gets its metric and normaliser, and what cannot be right is refused."""

from importlib.metadata import version
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.config.schema import DatasetTable
from pytest_asrgate.errors import ScoringError
from pytest_asrgate.metrics.fold import FOLD_VERSION
from pytest_asrgate.metrics.indic import INDIC_LANGUAGES, INDIC_VERSION
from pytest_asrgate.metrics.normalise import NORMALISERS
from pytest_asrgate.metrics.rule import METRICS, ScoringRule, scoring_rule

STAMP = f"{version('whisper-normalizer')}+fold{FOLD_VERSION}"
ENGLISH, MARKS, INDIC = f"whisper-english {STAMP}", f"basic-marks {STAMP}", f"indic {STAMP}+indic{INDIC_VERSION}"
NUMBER_WORDS = ["oh", "one", "twenty", "point", "and", "a", "half", "double", "$5", "million", "1.5", "%", "¢7"]


def _different_words(rule: ScoringRule, left: str, right: str, language: str) -> tuple[int, int]:
    lefts, rights = rule.apply(left, language).split(), rule.apply(right, language).split()
    return sum(a != b for a, b in zip(lefts, rights, strict=True)), len(lefts)


@pytest.mark.parametrize(
    ("tags", "metric", "stamp"),
    [
        (["en", "EN", "en_US", "English", "eng"], "wer", ENGLISH),
        (["hi", "hi_in", "Hindi", "ory", "sa", "brx", "gom"], "wer", INDIC),
        (["de", "fr_FR", "tr", "ar", "ur", "sat"], "wer", MARKS),
        (
            ["ja_JP", "zh", "yue_hant_hk", "Cantonese", "ko", "th", "lo", "my", "km", "bo", "dz", "zh-yue"],
            "cer",
            MARKS,
        ),
        (["wuu", "nan", "hak", "gan", "hsn", "lzh", "Taiwanese"], "cer", MARKS),
        (["cdo", "cjy", "cpx", "czh", "czo", "mnp", "cnp", "csp", "zh-cdo"], "cer", MARKS),
    ],
)
def test_a_language_chooses_metric_and_normaliser(tags: list[str], metric: str, stamp: str) -> None:
    """English is Whisper's, India's languages are ours, languages without word blanks are counted in characters."""
    for languages in [tags, *([tag] for tag in tags)]:
        rule = scoring_rule(languages)
        assert (rule.metric, rule.normaliser) == (metric, stamp)


def test_every_indic_language_is_scored() -> None:
    """All of them have a rule, and one for all together."""
    assert scoring_rule(INDIC_LANGUAGES).normaliser == INDIC


def test_the_stamp_groups_languages() -> None:
    """Where languages differ, each stamp is led by its languages, sorted."""
    rule = scoring_rule(["hi", "English", "de", "bn", "fr"])
    assert rule.normaliser == f"bn, hi: {INDIC}; de, fr: {MARKS}; en: {ENGLISH}"
    assert rule.metric == "wer"


def test_what_is_asked_for_by_name_is_given_to_all() -> None:
    """An explicit normaliser and metric apply to every language, also to those that would have others."""
    rule = scoring_rule(["en", "ja", "hi"], "basic-marks", "cer")
    assert (rule.metric, rule.normaliser) == ("cer", MARKS)
    assert scoring_rule(["de"], "indic").normaliser == INDIC
    assert scoring_rule(["ja"], metric="wer").metric == "wer"
    assert scoring_rule(["en"], "whisper-english", "cer").apply("Don’t go", "en") == "donotgo"


@pytest.mark.parametrize(
    ("languages", "normaliser", "metric", "message"),
    [
        ([], "auto", "auto", "no language to score"),
        (["en", "jp"], "auto", "auto", "no language 'jp'; did you mean 'ja'?"),
        (["auto"], "auto", "auto", "'auto' names no language"),
        (
            ["en"],
            "whisper",
            "auto",
            "no normaliser 'whisper': use one of auto, whisper-english, indic, basic-marks",
        ),
        (["en"], "", "auto", "no normaliser ''"),
        (["en"], "auto", "mer", "no metric 'mer': use one of auto, wer, cer"),
        (["en", "hi_IN"], "whisper-english", "auto", "wrong for language 'hi', .* use 'indic'"),
        (["de"], "whisper-english", "auto", "wrong for language 'de', .* use 'basic-marks'"),
        (["ja", "en", "de", "th"], "auto", "auto", "de, en would be scored by wer, ja, th by cer: set metric"),
    ],
)
def test_what_cannot_be_right_is_refused(languages: list[str], normaliser: str, metric: str, message: str) -> None:
    """One sentence names what is wrong and what would be right."""
    with pytest.raises(ScoringError, match=message) as caught:
        scoring_rule(languages, normaliser, metric)
    assert "\n" not in str(caught.value)


def test_hindi_words_that_differ_are_counted() -> None:
    """Two of five words differ; under `basic` none does, which is why nothing chooses it unasked."""
    left, right = "वह किताब पढ़ रही थी", "वह किताब पढ़ रहा था"
    assert _different_words(scoring_rule(["hi"]), left, right, "hi") == (2, 5)
    basic = scoring_rule(["hi"], "basic")
    assert basic.apply(left, "hi") == basic.apply(right, "hi")


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("hi", "मूल्य १२ है", "मूल्य 12 है"),
        ("hi", "पढ\u093c", "प\u095d"),
        ("hi", "क्\u200dष", "क्\u200cष"),
        ("hi", "दु:ख", "दुःख"),
        ("ne", "गर्\u200dयो", "गर्यो"),
        ("mr", "दर्\u200dया", "दऱ्या"),
        ("hi", "उसने कहा: चलो।", "उसने कहा चलो"),
        ("ml", "അവന\u0d4d\u200d", "അവ\u0d7b"),
        ("bn", "হঠাত\u09cd\u200d", "হঠাৎ"),
        ("en", "don't", "don’t"),
        ("en", "\ufeffhel\u200blo", "hello"),
        ("fr", "café", "cafe\u0301"),
    ],
)
def test_one_text_typed_in_two_ways_is_one(language: str, left: str, right: str) -> None:
    """What is typed differently and reads alike costs nothing under the automatic rule."""
    rule = scoring_rule([language])
    assert rule.apply(left, language) == rule.apply(right, language) != ""


@pytest.mark.parametrize(
    ("language", "text", "result"),
    [
        ("zh", "你好， 世界 ！", "你好世界"),
        ("ja", "東京　タワー。", "東京タワー"),
        ("ko", "나는 학교에 간다.", "나는학교에간다"),
        ("th", "ฉัน รัก\u200bคุณ", "ฉันรักคุณ"),
        ("yue", "我哋 去 飲茶", "我哋去飲茶"),
        ("zh", "我有 ３ 個 iPhone", "我有3個iphone"),
    ],
)
def test_characters_are_counted_without_white_space(language: str, text: str, result: str) -> None:
    """Under cer no white space is left, whoever set it and where."""
    assert scoring_rule([language]).apply(text, language) == result


def test_a_text_is_normalised_once() -> None:
    """`oh oh` is 00; a second pass would make it 0."""
    assert scoring_rule(["en"]).apply("oh oh", "en_GB") == "00"


def test_a_language_outside_the_rule_is_refused() -> None:
    """No language is scored by the rule of another."""
    with pytest.raises(ScoringError, match=r"language 'fr' is not among those of the scoring rule \(en, hi\)"):
        scoring_rule(["hi", "en"]).apply("oui", "fr")


def test_a_text_that_the_library_cannot_read_is_a_scoring_error() -> None:
    """A number of over 4,300 digits makes the English normaliser raise; the error names normaliser and reason."""
    rule = scoring_rule(["en"])
    with pytest.raises(ScoringError, match=r"normaliser whisper-english cannot read the text \(AssertionError\)"):
        rule.apply("1" * 5000, "en")
    with pytest.raises(ScoringError, match=r"normaliser whisper-english cannot read the text \(ValueError\)"):
        rule.apply("9" * 4300 + " million", "en")
    assert scoring_rule(["de"]).apply("1" * 5000, "de") == "1" * 5000


def test_speaker_labels_go_before_normalising(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a rule that is told to drops them, and from the raw text."""
    monkeypatch.setattr("pytest_asrgate.metrics.rule.drop_speaker_labels", lambda text: text.removeprefix("A: "))
    assert scoring_rule(["en"], dediarize=True).apply("A: Yes.", "en") == "yes"
    assert scoring_rule(["en"]).apply("A: Yes.", "en") == "a yes"


@pytest.mark.parametrize("normaliser", ["whisper-english", "indic", "basic-marks", "basic", "none"])
@given(text=st.text() | st.lists(st.sampled_from(NUMBER_WORDS), max_size=8).map(" ".join))
def test_any_text_is_read_or_refused(normaliser: str, text: str) -> None:
    """No other exception than ScoringError leaves a rule, and cer texts hold no white space."""
    for metric in ("wer", "cer"):
        try:
            result = scoring_rule(["en"], normaliser, metric).apply(text, "en")
        except ScoringError:
            continue
        assert result == " ".join(result.split()) or normaliser == "basic"
        assert metric == "wer" or result.split() in ([], [result])


def test_the_gate_file_knows_the_same_words() -> None:
    """gate.toml and the scoring rule name the same metrics and normalisers."""
    fields = DatasetTable.model_fields
    assert set(get_args(fields["metric"].annotation)) == {"auto", *METRICS}
    assert set(get_args(fields["normaliser"].annotation)) == {"auto", *NORMALISERS}
