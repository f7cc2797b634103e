"""Claims about output in another script or language; figures on real systems stand in the README."""

import pytest

from pytest_asrgate.metrics.drift import drifted, script_drifted, tongue_drifted, word_scripts

HINDI = "शहर जाने वाली ट्रेन सुबह आठ बजे निकलती है"
GERMAN = "Der Zug in die Stadt fährt um acht Uhr morgens vom zweiten Gleis ab."
ENGLISH = "The train to the city leaves at eight in the morning from the second platform."


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("", {}),
        ("12 %, 7:30 — !", {}),
        ("Don't go!", {"LATIN": 2}),
        ("किताब पढ़ी", {"DEVANAGARI": 2}),
        ("今日は天気", {"HAN": 2, "KANA": 1}),
        ("Googleで検索", {"LATIN": 1, "KANA": 1, "HAN": 1}),
        ("ﾊﾛｰ \uff21\uff22", {"KANA": 2, "LATIN": 1}),
        ("thankyouforwatchingthis", {"LATIN": 2}),
        ("5 µm 3ª", {"LATIN": 1}),
    ],
)
def test_words_are_counted_by_script(text: str, scripts: dict[str, int]) -> None:
    """Vowel signs part no word, wide letters are letters, and two signs without blanks are a word."""
    assert word_scripts(text) == scripts


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language"),
    [
        (HINDI, "shahar jaane wali train subah aath baje nikalti hai", "hi"),
        (HINDI, "شہر جانے والی ٹرین صبح آٹھ بجے نکلتی ہے", "hi"),
        ("मैं Google पर खोजता हूँ", "main Google par khojta hoon", "hi"),
        ("Поезд в город отправляется", "The train to the city leaves", "ru"),
        ("", "ご視聴ありがとうございました", "en"),
        ("", "thank you for watching", "hi"),
        ("去城里的火车早上出发", "まちへいくでんしゃはあさ", "zh"),
        ("Воз за град полази", "Voz za grad polazi u osam", "sr"),
        ("부엌 불을 어둡게 해 주세요", "please dim the kitchen lights", "ko"),
    ],
)
def test_another_script_is_drift(reference: str, hypothesis: str, language: str) -> None:
    """Romanised, translated or foreign: most words are in a script that the reference does not use."""
    assert script_drifted(reference, hypothesis, language)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language"),
    [
        (HINDI, HINDI, "hi"),
        (
            "मैंने कल ऑनलाइन शॉपिंग की थी अमेज़न से डिस्काउंट मिला",
            "मैंने कल online shopping की थी Amazon से discount मिला",
            "hi",
        ),
        ("ओके", "OK", "hi"),
        ("नंबर पाँच सौ बारह", "नंबर 512", "hi"),
        ("व्हाट्सऐप कॉल", "WhatsApp call", "hi"),
        ("Facebook Instagram WhatsApp", "फेसबुक इंस्टाग्राम व्हाट्सऐप", "hi"),
        ("ありがとうございます", "有難う御座います", "ja"),
        ("グーグルマップを開いて", "Google Mapを開いて", "ja"),
        ("今日は天気がいい", "今日天気", "ja"),
        ("", "Voz za grad polazi", "sr"),
        ("", "Воз за град полази", "sr"),
        ("the café is naïve", "the cafe is naive", "en"),
        ("", "thank you for watching", "en"),
        ("", "thank you for watching", "xx"),
        (HINDI, "", "hi"),
        ("", "", "hi"),
        ("he said да to it", "he said yes to it", "en"),
    ],
)
def test_mixed_writing_is_no_drift(reference: str, hypothesis: str, language: str) -> None:
    """Names, digits, loans, short texts and the other half of one writing system are no other script."""
    assert not script_drifted(reference, hypothesis, language)


@pytest.mark.parametrize(
    "reference", [GERMAN, "El tren a la ciudad sale a las ocho de la mañana del segundo andén."]
)
def test_a_translation_is_drift(reference: str) -> None:
    """A recogniser that translates writes good text in the wrong language, which shares the script."""
    language = "de" if reference == GERMAN else "es"
    assert drifted(reference, ENGLISH, language, "S" * 13)
    assert drifted(ENGLISH, reference, "en", "S" * 15)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language"),
    [
        (GERMAN, "Meine Schwester arbeitet seit dem letzten Winter im Krankenhaus.", "de"),
        (GERMAN, "Deer zuug im di schatt feert un acht or morgns fom zwaitn klais", "de"),
        ("guten Morgen", "good morning", "de"),
        (GERMAN, "blah blih bloh blah blih bloh blah blih bloh blah", "de"),
        (ENGLISH, GERMAN, "de"),
        (ENGLISH, GERMAN, ""),
        (ENGLISH, GERMAN, "tlh"),
        ("Toget til byen går klokken åtte om morgenen", "Toget til byen afgår klokken otte om morgenen", "no"),
    ],
)
def test_wrong_words_of_the_own_language_are_no_drift(reference: str, hypothesis: str, language: str) -> None:
    """Other or garbled words, short texts, near relatives and references that are foreign are none."""
    assert not tongue_drifted(reference, hypothesis, language)


def test_texts_that_share_their_words_share_their_language() -> None:
    """Where half of the words are right nobody asks for the language; null references have none either."""
    assert not drifted(GERMAN, ENGLISH, "de", "=" * 7 + "S" * 6)
    assert not drifted("", ENGLISH, "de", "I" * 15)
