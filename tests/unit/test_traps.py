# ruff: noqa: RUF001 - letters that look like others are what this is about
"""The table of scoring traps, row by row and end to end: a file of hypotheses, `asrgate score`, the right figure.

Rows 1 to 12, about texts; ids and broken files are in test_trap_files.py, audio in test_trap_audio.py.
"""

import json
import unicodedata
from pathlib import Path

import pytest

from pytest_asrgate.cli import main

from .commands import figures, score, scored, spoken_row, write

WATCHING = "thank you for watching"


def test_words_on_an_empty_reference_count_beside_a_right_word(tmp_path: Path) -> None:
    """Row 1: `x y` on silence beside one right `d` is 2 insertions over 1 word and one hallucination: 200 %."""
    document = scored(tmp_path, spoken_row("", "x y"), spoken_row("d", "d", "u2"))
    assert (document["wer"], document["words"], document["insertions"]) == (2.0, 1, 2)
    assert (document["substitutions"], document["deletions"]) == (0, 0)
    assert (document["n"], document["null_references"], document["hallucinations"]) == (2, 1, 1)
    silence, spoken = document["per_utterance"]
    assert (silence["wer"], silence["insertions"], silence["null_reference"]) == (None, 2, True)
    assert (spoken["wer"], spoken["null_reference"]) == (0.0, False)


@pytest.mark.parametrize("reference", ["", "Uh."])
def test_words_on_null_references_alone_have_no_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reference: str
) -> None:
    """Row 1: Without reference words what was heard is counted, and neither 0 % nor a count is called a rate."""
    document = scored(tmp_path, spoken_row(reference, "x y"))
    assert (document["words"], document["insertions"], document["hallucinations"]) == (0, 2, 1)
    assert [key for key in document if "rate" in key or key.startswith("wer")] == []
    assert "there are no reference words" in capsys.readouterr().out


@pytest.mark.parametrize("hypothesis", ["", " ", "♪", "...", "♪ - ♪", "[music]"])
def test_silence_that_stays_silent_is_no_hallucination(tmp_path: Path, hypothesis: str) -> None:
    """Row 1: Signs on silence are no words."""
    document = scored(tmp_path, spoken_row("", hypothesis), spoken_row("d", "d", "u2"))
    assert (document["wer"], document["insertions"]) == (0.0, 0)
    assert (document["null_references"], document["hallucinations"]) == (1, 0)


@pytest.mark.parametrize(
    ("language", "reference", "hypothesis", "insertions"),
    [
        ("en", "Uh.", WATCHING, 4),
        ("en", "Hmm, uh.", WATCHING, 4),
        ("en", "...", WATCHING, 4),
        ("en", "…", WATCHING, 4),
        ("en", "♪", WATCHING, 4),
        ("en", "♪ ♪", WATCHING, 4),
        ("en", "—", WATCHING, 4),
        ("en", "[music]", WATCHING, 4),
        ("en", "(laughs)", WATCHING, 4),
        ("en", "\ufeff\u200b", WATCHING, 4),
        ("en", "🎵", WATCHING, 4),
        ("de", "– …", "vielen dank", 2),
        ("hi", "।", "देखने के लिए धन्यवाद", 4),
        ("zh", "。", "谢谢 观看", 4),
        ("ja", "（笑）", "ありがとう", 5),
    ],
)
def test_words_on_a_reference_that_says_nothing_are_a_hallucination(
    tmp_path: Path, language: str, reference: str, hypothesis: str, insertions: int
) -> None:
    """Row 2: Fillers, dots, notes and annotations alone are null references; what is heard on them is inserted."""
    document = scored(
        tmp_path, spoken_row(reference, hypothesis), spoken_row("d", "d", "u2"), header={"language": language}
    )
    assert (document["null_references"], document["hallucinations"]) == (1, 1)
    assert (document["words"], document["insertions"], document["error_rate"]) == (1, insertions, insertions)
    assert document["per_utterance"][0]["null_reference"]


@pytest.mark.parametrize(
    ("language", "reference", "hypothesis", "errors", "words"),
    [
        ("hi", "वह किताब पढ़ रही थी", "वह किताब पढ़ रहा था", 2, 5),
        ("mr", "ती घरी गेली", "ती घरी गेला", 1, 3),
        ("ne", "उनी घर गइन", "उनी घर गइनन्", 1, 3),
        ("bn", "আমি বই পড়ি", "আমি বই পড়ে", 1, 3),
        ("as", "মই কিতাপ পঢ়োঁ", "মই কিতাপ পঢ়ো", 1, 3),
        ("ta", "அவன் பால் குடித்தான்", "அவன் பல் குடித்தான்", 1, 3),
        ("te", "నేను పాలు తాగాను", "నేను పాల తాగాను", 1, 3),
        ("kn", "ಅವನು ಹಾಲು ಕುಡಿದನು", "ಅವನು ಹಾಲು ಕುಡಿದನ", 1, 3),
        ("ml", "ഞാൻ പാൽ കുടിച്ചു", "ഞാൻ പൽ കുടിച്ചു", 1, 3),
        ("gu", "તે ઘરે ગયો", "તે ઘરે ગયા", 1, 3),
        ("pa", "ਉਹ ਘਰ ਗਿਆ", "ਉਹ ਘਰ ਗਆ", 1, 3),
        ("or", "ସେ ଘରକୁ ଗଲା", "ସେ ଘରକୁ ଗଲେ", 1, 3),
        ("ar", "هذا كِتاب جديد", "هذا كُتاب جديد", 1, 3),
    ],
)
def test_another_vowel_sign_is_another_word(
    tmp_path: Path, *, language: str, reference: str, hypothesis: str, errors: int, words: int
) -> None:
    """Row 3: A word that differs in a vowel sign alone is one wrong word of the sentence, in every script."""
    document = scored(tmp_path, spoken_row(reference, hypothesis, language=language))
    assert document["wer"] == errors / words
    assert (document["substitutions"], document["words"]) == (errors, words)


@pytest.mark.parametrize(
    ("language", "zero", "first", "last"),
    [
        ("hi", "०", "गाड़ी", "बजे"),
        ("mr", "०", "गाडी", "वाजता"),
        ("ne", "०", "गाडी", "बजे"),
        ("sa", "०", "अत्र", "फलानि"),
        ("bn", "০", "ট্রেন", "টায়"),
        ("as", "০", "ৰেল", "বজাত"),
        ("pa", "੦", "ਗੱਡੀ", "ਵਜੇ"),
        ("gu", "૦", "ગાડી", "વાગે"),
        ("or", "୦", "ଗାଡ଼ି", "ଟାରେ"),
        ("ta", "௦", "வண்டி", "மணி"),
        ("te", "౦", "రైలు", "గంటలకు"),
        ("kn", "೦", "ರೈಲು", "ಗಂಟೆಗೆ"),
        ("ml", "൦", "വണ്ടി", "മണിക്ക്"),
        ("ur", "۰", "گاڑی", "بجے"),
        ("ar", "٠", "قطار", "ليلا"),
    ],
)
def test_native_digits_are_the_same_number(tmp_path: Path, language: str, zero: str, first: str, last: str) -> None:
    """Row 4: ३४०७ heard as 3407 is right and heard as 3408 is one wrong word; no language crashes on its digits."""
    native = "".join(chr(ord(zero) + int(digit)) for digit in "3407")
    reference = f"{first} {native} {last}"
    rows = [
        spoken_row(reference, f"{first} 3407 {last}"),
        spoken_row(f"{first} 3407 {last}", reference, "u2"),
        spoken_row(reference, f"{first} 3408 {last}", "u3"),
    ]
    document = scored(tmp_path, *rows, header={"language": language})
    assert [row["wer"] for row in document["per_utterance"]] == [0.0, 0.0, 1 / 3]
    assert document["per_utterance"][0]["ref"].split()[1] == "3407"
    assert document["n_errors"] == 0


@pytest.mark.parametrize("place", ["row", "header", "recipe", "option"])
@pytest.mark.parametrize(
    ("tag", "code", "normaliser", "metric"),
    [
        ("en_US", "en", "whisper-english", "wer"),
        ("EN", "en", "whisper-english", "wer"),
        ("English", "en", "whisper-english", "wer"),
        ("eng", "en", "whisper-english", "wer"),
        ("ja_JP", "ja", "basic-marks", "cer"),
        ("Japanese", "ja", "basic-marks", "cer"),
        ("zh-Hant-TW", "zh", "basic-marks", "cer"),
        ("yue_hant_hk", "yue", "basic-marks", "cer"),
        ("hi_IN", "hi", "indic", "wer"),
    ],
)
def test_a_tag_routes_as_its_language(
    tmp_path: Path, *, tag: str, code: str, normaliser: str, metric: str, place: str
) -> None:
    """Row 5: Wherever a language is named and in whatever form, it gets its own normaliser and metric."""
    fields = {"language": tag} if place == "row" else {}
    headers: dict[str, dict[str, object]] = {"header": {"language": tag}, "recipe": {"recipe": {"language": tag}}}
    options = ("--language", tag) if place == "option" else ()
    document = scored(
        tmp_path, spoken_row("one cat", "one cat", **fields), header=headers.get(place), options=options
    )
    assert (document["language"], document["metric"]) == (code, metric)
    assert document["normaliser"].startswith(f"{normaliser} ")


@pytest.mark.parametrize(
    ("tag", "reference", "same", "other", "characters"),
    [
        ("zh", "今天 我们 去 爬山", "今天我们去爬山", "今天我们 去 跑山", 7),
        ("zh-Hant-TW", "今天 我們 去 爬山", "今 天 我 們 去 爬 山", "今天我們去 跑山", 7),
        ("ja", "駅まで\u3000歩いて行きます", "駅まで歩いて 行きます", "駅まで歩いて生きます", 10),
        ("ja_JP", "駅まで 歩いて 行きます。", "駅まで歩いて行きます", "駅まで歩いて生きます", 10),
        ("ko", "내일 같이 가요", "내일같이 가요", "내일 같이가오", 6),
        ("ko-KR", "내일 같이 가요", unicodedata.normalize("NFD", "내일같이가요"), "내일 같이 가오", 6),
        ("th", "พรุ่งนี้ เราไป ทะเล", "พรุ่งนี้เราไปทะเล", "พรุ่งนี้ เราไป ทะเน", 17),
        ("yue", "我哋 聽日 見", "我哋聽日見", "我哋聽日現", 5),
        ("yue-Hant-HK", "我哋聽日見", "我哋\n聽日\t見", "我哋聽 日現", 5),
        ("Cantonese", "我哋 聽日 見！", "我哋聽日見", "我哋聽日現", 5),
    ],
)
def test_characters_are_counted_and_blanks_cost_nothing(
    tmp_path: Path, *, tag: str, reference: str, same: str, other: str, characters: int
) -> None:
    """Row 6: One wrong character of N is 1/N, other spacing is 0, and no rate of words is told."""
    rows = [spoken_row(reference, same), spoken_row(reference, other, "u2")]
    document = scored(tmp_path, *rows, header={"language": tag})
    assert [row["cer"] for row in document["per_utterance"]] == [0.0, 1 / characters]
    assert (document["metric"], document["words"], document["substitutions"]) == ("cer", 2 * characters, 1)
    assert document["error_rate"] == 1 / (2 * characters)
    assert "wer" not in document
    assert [row["ref"] for row in document["per_utterance"] if " " in row["ref"]] == []


@pytest.mark.parametrize(
    ("language", "reference", "typed_apart", "wrong", "characters"),
    [
        ("th", "น้ำมาก", "น้ํามาก", "น้ีมาก", 6),
        ("lo", "ນ້ຳຫຼາຍ", "ນ້ໍາຫຼາຍ", "ນ້ີຫຼາຍ", 7),
    ],
)
def test_the_vowel_am_is_one_character(
    tmp_path: Path, *, language: str, reference: str, typed_apart: str, wrong: str, characters: int
) -> None:
    """Row 6: The vowel am is one letter, however it was typed, and one error where it is wrong."""
    rows = [spoken_row(reference, typed_apart), spoken_row(reference, wrong, "u2")]
    document = scored(tmp_path, *rows, header={"language": language})
    assert [row["cer"] for row in document["per_utterance"]] == [0.0, 1 / characters]
    assert figures(document) == ("cer", 2 * characters, 0, 1)


@pytest.mark.parametrize(
    ("language", "reference", "hypothesis", "words"),
    [
        ("en", "don't go", "don’t go", 3),
        ("en", "don’t go", "don't go", 3),
        ("en", "don't go", "don‘t go", 3),
        ("en", "don't go", "donʼt go", 3),
        ("en", "don't go", "don＇t go", 3),
        ("fr", "j'ai l'heure", "j’ai l’heure", 4),
        ("uk", "п'ять м'ячів", "п’ять мʼячів", 4),
    ],
)
def test_apostrophes_are_alike(tmp_path: Path, language: str, reference: str, hypothesis: str, words: int) -> None:
    """Row 7: Straight, curly, turned, modifier and fullwidth apostrophes make no difference."""
    document = scored(tmp_path, spoken_row(reference, hypothesis, language=language))
    assert document["wer"] == 0.0
    assert document["words"] == words


@pytest.mark.parametrize("language", ["en", "de", "hi", "zh"])
@pytest.mark.parametrize(
    "hypothesis",
    ["hel\u200blo world", "\ufeffhello world", "hello wor\u00adld", "hello\u2060 world", "\u202ahello world\u202c"],
    ids=["zero-width space", "BOM", "soft hyphen", "word joiner", "direction"],
)
def test_format_characters_are_removed(tmp_path: Path, language: str, hypothesis: str) -> None:
    """Row 8: A zero-width space inside a word, a leading BOM and their like are no errors on either side."""
    rows = [spoken_row("hello world", hypothesis), spoken_row(hypothesis, "hello world", "u2")]
    document = scored(tmp_path, *rows, header={"language": language})
    assert document["error_rate"] == 0.0
    assert {row["hyp"].replace(" ", "") for row in document["per_utterance"]} == {"helloworld"}


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "café", 1),
        ("fr", "café noir", 2),
        ("vi", "tiếng việt", 2),
        ("de", "schöne grüße", 2),
        ("bn", "কোলে বোন", 2),
        ("ko", "한국어", 3),
        ("ja", "がぎぐ", 3),
    ],
)
def test_composed_and_decomposed_are_alike(tmp_path: Path, language: str, text: str, words: int) -> None:
    """Row 9: NFC against NFD is 0 on either side, and letters are counted as composed."""
    composed, apart = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert composed != apart
    document = scored(
        tmp_path, spoken_row(composed, apart), spoken_row(apart, composed, "u2"), header={"language": language}
    )
    assert (document["error_rate"], document["words"]) == (0.0, 2 * words)


def test_texts_are_normalised_once(tmp_path: Path) -> None:
    """Row 10: `oh oh` is `00`: normalised again it would be `0` and hide that only one was heard."""
    document = scored(tmp_path, spoken_row("oh oh", "oh oh"), spoken_row("oh oh", "oh", "u2"))
    first, second = document["per_utterance"]
    assert (first["ref"], first["hyp"], first["wer"]) == ("00", "00", 0.0)
    assert (second["ref"], second["hyp"], second["wer"]) == ("00", "0", 1.0)
    assert document["wer"] == 0.5


def test_a_score_file_is_not_normalised_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 10: Comparing reads normalised texts as they are, so `00` against `0` is an error there, too."""
    for name, heard in (("base", "oh oh"), ("other", "oh")):
        score(
            write(tmp_path / f"{name}.jsonl", [spoken_row("oh oh", heard), spoken_row("one cat", "one cat", "u2")])
        )
    capsys.readouterr()
    files = [str(tmp_path / f"{name}.score.json") for name in ("base", "other")]
    assert main(["compare", *files, "--format", "json"]) == 0
    before, after = json.loads(capsys.readouterr().out)["rows"]
    assert (before["errors"], after["errors"], after["words"]) == (0, 1, 3)
    assert after["delta_pp"] == pytest.approx(100 / 3)


def test_errors_are_pooled_over_words(tmp_path: Path) -> None:
    """Row 11: One wrong word in ten is 0.10, although the mean of the two utterances' rates is 0.50."""
    nine = "a small dog ran over the wide green field"
    document = scored(tmp_path, spoken_row("yes", "no"), spoken_row(nine, nine, "u2"))
    assert [row["wer"] for row in document["per_utterance"]] == [1.0, 0.0]
    assert document["wer"] == document["error_rate"] == 0.10
    assert document["wer_pct"] == pytest.approx(10.0)


def test_a_loop_is_counted_in_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 12: `thank you` fifty times for once is 49.0 everywhere, nothing clipped, and its whole text is kept."""
    document = scored(tmp_path, spoken_row("thank you", " ".join(["thank you"] * 50)))
    assert document["wer"] == document["error_rate"] == 49.0
    assert (document["insertions"], document["words"]) == (98, 2)
    assert document["wer_pct"] == document["error_rate_pct"] == 4900.0
    assert (document["wer_ci_lo"], document["wer_ci_hi"]) == (49.0, 49.0)
    (row,) = document["per_utterance"]
    assert (row["wer"], row["hyp"]) == (49.0, " ".join(["thank you"] * 50))
    assert document["loops"] == 1
    output = capsys.readouterr().out
    assert "WER 4900.00 %" in output
    assert "1 loop," in output


def test_a_loop_that_the_engine_stopped_is_flagged_and_scored(tmp_path: Path) -> None:
    """Row 12: A row that was stopped for repetition has the flag and the rate of what was heard until then."""
    row = spoken_row("thank you", " ".join(["thank you"] * 5), error="output repetition: 2 tokens")
    document = scored(tmp_path, row)
    assert (document["wer"], document["repetition"], document["loops"], document["n_errors"]) == (4.0, 1, 1, 0)
    assert document["per_utterance"][0]["status"] == "repetition"
