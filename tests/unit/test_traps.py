# ruff: noqa: RUF001 - letters that look like others are what this is about
"""The table of scoring traps, row by row and end to end: a file of hypotheses, `asrgate score`, the right figure.

The rows about audio are in test_trap_audio.py.
"""

import json
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main

from .test_cli_score import refused, score, write

WATCHING = "thank you for watching"
GOOD = '{"id": "u1", "ref_text": "one cat", "hyp_text": "one cat"}\n'


def _row(reference: str, hypothesis: str, identity: str = "u1", **fields: object) -> dict[str, object]:
    return {"id": identity, "ref_text": reference, "hyp_text": hypothesis, **fields}


def _scored(
    folder: Path,
    *rows: Mapping[str, object],
    header: dict[str, object] | None = None,
    options: tuple[str, ...] = (),
) -> dict[str, Any]:
    return score(write(folder / "h.jsonl", rows, header), *options)


def _figures(document: Mapping[str, Any]) -> tuple[object, int, int, int]:
    """The metric with reference words, insertions, and errors of all kinds."""
    errors = sum(document[kind] for kind in ("substitutions", "deletions", "insertions"))
    return document["metric"], document["words"], document["insertions"], errors


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _refused(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: object) -> str:
    """Run what must be refused in one sentence, and claim that no file appeared, went or changed."""
    before = _contents(folder)
    capsys.readouterr()
    message = refused(capsys, *map(str, arguments))
    assert _contents(folder) == before
    return message


def test_words_on_an_empty_reference_count_beside_a_right_word(tmp_path: Path) -> None:
    """Row 1: `x y` on silence beside one right `d` is 2 insertions over 1 word and one hallucination: 200 %."""
    document = _scored(tmp_path, _row("", "x y"), _row("d", "d", "u2"))
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
    document = _scored(tmp_path, _row(reference, "x y"))
    assert (document["words"], document["insertions"], document["hallucinations"]) == (0, 2, 1)
    assert [key for key in document if "rate" in key or key.startswith("wer")] == []
    assert "there are no reference words" in capsys.readouterr().out


@pytest.mark.parametrize("hypothesis", ["", " ", "♪", "...", "♪ - ♪", "[music]"])
def test_silence_that_stays_silent_is_no_hallucination(tmp_path: Path, hypothesis: str) -> None:
    """Row 1: Signs on silence are no words."""
    document = _scored(tmp_path, _row("", hypothesis), _row("d", "d", "u2"))
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
    document = _scored(tmp_path, _row(reference, hypothesis), _row("d", "d", "u2"), header={"language": language})
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
    document = _scored(tmp_path, _row(reference, hypothesis, language=language))
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
        _row(reference, f"{first} 3407 {last}"),
        _row(f"{first} 3407 {last}", reference, "u2"),
        _row(reference, f"{first} 3408 {last}", "u3"),
    ]
    document = _scored(tmp_path, *rows, header={"language": language})
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
    document = _scored(tmp_path, _row("one cat", "one cat", **fields), header=headers.get(place), options=options)
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
    rows = [_row(reference, same), _row(reference, other, "u2")]
    document = _scored(tmp_path, *rows, header={"language": tag})
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
    rows = [_row(reference, typed_apart), _row(reference, wrong, "u2")]
    document = _scored(tmp_path, *rows, header={"language": language})
    assert [row["cer"] for row in document["per_utterance"]] == [0.0, 1 / characters]
    assert _figures(document) == ("cer", 2 * characters, 0, 1)


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
    document = _scored(tmp_path, _row(reference, hypothesis, language=language))
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
    rows = [_row("hello world", hypothesis), _row(hypothesis, "hello world", "u2")]
    document = _scored(tmp_path, *rows, header={"language": language})
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
    document = _scored(tmp_path, _row(composed, apart), _row(apart, composed, "u2"), header={"language": language})
    assert (document["error_rate"], document["words"]) == (0.0, 2 * words)


def test_texts_are_normalised_once(tmp_path: Path) -> None:
    """Row 10: `oh oh` is `00`: normalised again it would be `0` and hide that only one was heard."""
    document = _scored(tmp_path, _row("oh oh", "oh oh"), _row("oh oh", "oh", "u2"))
    first, second = document["per_utterance"]
    assert (first["ref"], first["hyp"], first["wer"]) == ("00", "00", 0.0)
    assert (second["ref"], second["hyp"], second["wer"]) == ("00", "0", 1.0)
    assert document["wer"] == 0.5


def test_a_score_file_is_not_normalised_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 10: Comparing reads normalised texts as they are, so `00` against `0` is an error there, too."""
    for name, heard in (("base", "oh oh"), ("other", "oh")):
        score(write(tmp_path / f"{name}.jsonl", [_row("oh oh", heard), _row("one cat", "one cat", "u2")]))
    capsys.readouterr()
    files = [str(tmp_path / f"{name}.score.json") for name in ("base", "other")]
    assert main(["compare", *files, "--format", "json"]) == 0
    before, after = json.loads(capsys.readouterr().out)["rows"]
    assert (before["errors"], after["errors"], after["words"]) == (0, 1, 3)
    assert after["delta_pp"] == pytest.approx(100 / 3)


def test_errors_are_pooled_over_words(tmp_path: Path) -> None:
    """Row 11: One wrong word in ten is 0.10, although the mean of the two utterances' rates is 0.50."""
    nine = "a small dog ran over the wide green field"
    document = _scored(tmp_path, _row("yes", "no"), _row(nine, nine, "u2"))
    assert [row["wer"] for row in document["per_utterance"]] == [1.0, 0.0]
    assert document["wer"] == document["error_rate"] == 0.10
    assert document["wer_pct"] == pytest.approx(10.0)


def test_a_loop_is_counted_in_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 12: `thank you` fifty times for once is 49.0 everywhere, nothing clipped, and its whole text is kept."""
    document = _scored(tmp_path, _row("thank you", " ".join(["thank you"] * 50)))
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
    row = _row("thank you", " ".join(["thank you"] * 5), error="output repetition: 2 tokens")
    document = _scored(tmp_path, row)
    assert (document["wer"], document["repetition"], document["loops"], document["n_errors"]) == (4.0, 1, 1, 0)
    assert document["per_utterance"][0]["status"] == "repetition"


@pytest.mark.parametrize(
    ("name", "text", "facts"),
    [
        ("h.jsonl", GOOD + GOOD.replace("u1", "u2") + GOOD, ["h.jsonl: ", "'u1' (lines 1 and 3)"]),
        ("h.trn", "one cat (u1)\ntwo cats (u2)\none hat (u1)\n", ["h.trn:3 (u1)", "line 1"]),
        ("h.json", '{"u1": "one cat",\n"u2": "x",\n"u1": "one hat"}', ["h.json: ", "'u1' stands twice"]),
    ],
)
def test_an_id_that_stands_twice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, facts: list[str]
) -> None:
    """Row 13: A doubled id never overwrites its sibling: not in hypotheses, and not in references."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (tmp_path / "good.json").write_text('{"u1": "one cat", "u2": "two cats"}')
    as_hypotheses = _refused(capsys, tmp_path, "score", path, "--references", tmp_path / "good.json")
    assert [fact for fact in facts if fact not in as_hypotheses] == []
    as_references = _refused(capsys, tmp_path, "score", tmp_path / "good.json", "--references", path)
    assert [fact for fact in (name, "u1") if fact not in as_references] == []


@pytest.mark.parametrize("form", ["jsonl", "trn", "json"])
@pytest.mark.parametrize(
    ("heard", "facts"),
    [
        (["u1", "u2"], ["{heard} has no hypothesis for 'u3'"]),
        (["u1", "u2", "u3", "u4"], ["{spoken} has no reference for 'u4'"]),
        (["u1", "u2", "U3"], ["{heard} has no hypothesis for 'u3'", "{spoken} has no reference for 'U3'"]),
    ],
    ids=["missing", "unknown", "both"],
)
def test_missing_and_unknown_ids_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, heard: list[str], facts: list[str]
) -> None:
    """Row 13: A row that was lost or belongs to another set ends the scoring with file and ids, never a rate."""
    (tmp_path / "ref.trn").write_text("".join(f"one cat (u{number})\n" for number in (1, 2, 3)))
    path = tmp_path / f"h.{form}"
    if form == "trn":
        path.write_text("".join(f"one cat ({identity})\n" for identity in heard))
    elif form == "json":
        path.write_text(json.dumps(dict.fromkeys(heard, "one cat")))
    else:
        write(path, [{"id": identity, "hyp_text": "one cat"} for identity in heard])
    message = _refused(capsys, tmp_path, "score", path, "--references", tmp_path / "ref.trn")
    wanted = [fact.format(heard=path, spoken=tmp_path / "ref.trn") for fact in facts]
    assert [fact for fact in wanted if fact not in message] == []


def test_half_a_run_is_not_compared_with_a_whole_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 13: Ten right rows of a crashed run against twenty are no +0.00 but a refusal with the lost ids."""
    rows = [_row("one cat", "one cat", f"u{number}") for number in range(20)]
    for name, made in (("whole", rows), ("half", rows[:10])):
        score(write(tmp_path / f"{name}.jsonl", made))
    whole, half = tmp_path / "whole.score.json", tmp_path / "half.score.json"
    message = _refused(capsys, tmp_path, "compare", whole, half)
    assert "it lacks 'u10', 'u11', 'u12', 'u13', 'u14' and 5 more" in message
    assert "the baseline lacks 'u10'" in _refused(capsys, tmp_path, "compare", half, whole)


def test_error_rows_are_never_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Row 13: A crash is no deletion, its leftover text is no hypothesis, and on silence it is no hallucination."""
    rows = [
        _row("the red cat", "", "u1", error="backend error"),
        _row("the red cat", "the red cat", "u2", error="out of memory"),
        _row("the red cat", "a dog", "u3", status="error", detail="crashed"),
        _row("", "x y", "u4", error="backend error"),
        _row("red cat", "red hat", "u5"),
    ]
    document = _scored(tmp_path, *rows)
    assert (document["n"], document["n_errors"], document["wer"], document["words"]) == (5, 4, 0.5, 2)
    assert (document["hallucinations"], document["empty"]) == (0, 0)
    kinds = ("wer", "substitutions", "deletions", "insertions", "words")
    assert [[row[kind] for kind in kinds] for row in document["per_utterance"][:4]] == [[None] * 5] * 4
    assert "error rows have no score: 'u1', 'u2', 'u3', 'u4'" in capsys.readouterr().out


def test_error_rows_alone_have_no_rate(tmp_path: Path) -> None:
    """Row 13: A run that crashed throughout is neither 0 % nor 100 %."""
    document = _scored(tmp_path, _row("one", "", error="backend error"), _row("two", "two", "u2", error="crashed"))
    assert (document["n_errors"], document["words"], document["deletions"]) == (2, 0, 0)
    assert [key for key in document if "rate" in key or key.startswith("wer")] == []


# What stands after one good row: the file, the text, and what the sentence says.
BROKEN: dict[str, tuple[str, bytes, list[str]]] = {
    "null": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": null}\n',
        ["h.jsonl:2 (u2)", "hyp_text", "None"],
    ),
    "missing": ("h.jsonl", b'{"id": "u2", "ref_text": "a"}\n', ["h.jsonl:2 (u2)", "hyp_text", "missing"]),
    "number": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": 7}\n',
        ["h.jsonl:2 (u2)", "hyp_text", "it is 7"],
    ),
    "list": ("h.jsonl", b'{"id": "u2", "ref_text": "a", "hyp_text": ["a"]}\n', ["h.jsonl:2 (u2)", "['a']"]),
    "null reference text": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": null, "hyp_text": "a"}\n',
        ["h.jsonl:2 (u2)", "ref_text", "None"],
    ),
    "no id": ("h.jsonl", b'{"ref_text": "a", "hyp_text": "a"}\n', ["h.jsonl:2", "id must be a text"]),
    "id a number": ("h.jsonl", b'{"id": 2, "ref_text": "a", "hyp_text": "a"}\n', ["h.jsonl:2", "it is 2"]),
    "NaN": ("h.jsonl", b'{"id": "u2", "ref_text": "a", "hyp_text": NaN}\n', ["h.jsonl:2", "NaN"]),
    "infinity": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": -Infinity}\n',
        ["h.jsonl:2", "-Infinity"],
    ),
    "cut short": ("h.jsonl", b'{"id": "u2", "ref_text": "a", "hyp_te', ["h.jsonl:2", "cut short"]),
    "cut in the id": ("h.jsonl", b'{"id": "u', ["h.jsonl:2", "cut short"]),
    "not UTF-8": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": "caf\xe9"}\n',
        ["h.jsonl:2", "not UTF-8", "byte 46"],
    ),
    "key twice": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": "a", "hyp_text": "b"}\n',
        ["h.jsonl:2", "'hyp_text' stands twice"],
    ),
    "id key twice": (
        "h.jsonl",
        b'{"id": "u2", "id": "u3", "ref_text": "a", "hyp_text": "a"}\n',
        ["h.jsonl:2", "'id' stands twice"],
    ),
    "half a character": (
        "h.jsonl",
        b'{"id": "u2", "ref_text": "a", "hyp_text": "\\ud83d"}\n',
        ["h.jsonl:2", "half a character"],
    ),
    "json null": ("h.json", b'"u2": null}', ["h.json (u2)", "None"]),
    "json number": ("h.json", b'"u2": 7}', ["h.json (u2)", "it is 7"]),
    "json NaN": ("h.json", b'"u2": NaN}', ["h.json", "NaN"]),
    "json cut short": ("h.json", b'"u2": "two c', ["h.json:2", "cut short"]),
    "json not UTF-8": ("h.json", b'"u2": "caf\xe9"}', ["h.json:2", "not UTF-8", "byte 10"]),
    "json id twice": ("h.json", b'"u1": "one hat"}', ["h.json", "'u1' stands twice"]),
    "trn cut short": ("h.trn", b"two c", ["h.trn:2", "cut short"]),
    "trn cut in the id": ("h.trn", b"two cats (u", ["h.trn:2", "cut short"]),
    "trn not UTF-8": ("h.trn", b"caf\xe9 (u2)\n", ["h.trn:2", "not UTF-8", "byte 3"]),
    "trn id twice": ("h.trn", b"two cats (u1)\n", ["h.trn:2 (u1)", "line 1"]),
    "trn without id": ("h.trn", b"two cats ()\n", ["h.trn:2", "the id in parentheses is empty"]),
}


def _message_of(fault: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    name, text, _ = BROKEN[fault]
    first = {"h.jsonl": GOOD.encode(), "h.json": b'{"u1": "one cat",\n', "h.trn": b"one cat (u1)\n"}[name]
    (folder / name).write_bytes(first + text)
    (folder / "ref.json").write_text('{"u1": "one cat", "u2": "two cats"}')
    references = [] if name == "h.jsonl" else ["--references", folder / "ref.json"]
    return _refused(capsys, folder, "score", folder / name, *references)


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_second_row_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str) -> None:
    """Row 14: Null, NaN, missing, cut short, no UTF-8, doubled: one sentence with file, place and fault."""
    message = _message_of(fault, tmp_path, capsys)
    assert [fact for fact in BROKEN[fault][2] if fact not in message] == []


@pytest.mark.parametrize(
    "fault",
    ["NaN", "infinity", "not UTF-8", "key twice", "half a character", "cut short", "json NaN", "trn not UTF-8"],
)
def test_a_broken_row_is_named_by_its_id_where_that_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    """Row 14: Where the id of a row that cannot be used stands whole in it, the sentence has it, too."""
    assert "u2" in _message_of(fault, tmp_path, capsys)


@pytest.mark.parametrize(
    ("name", "text", "facts"),
    [
        ("r.jsonl", b'{"id": "u1", "ref_text": null}\n', ["r.jsonl:1 (u1)", "ref_text", "None"]),
        ("r.jsonl", b'{"id": "u1"}\n', ["r.jsonl:1 (u1)", "ref_text", "missing"]),
        ("r.jsonl", b'{"id": "u1", "ref_text": NaN}\n', ["r.jsonl:1", "NaN"]),
        ("r.jsonl", b'{"id": "u1", "ref_te', ["r.jsonl:1", "cut short"]),
        ("r.jsonl", b'{"id": "u1", "ref_text": "\xff"}\n', ["r.jsonl:1", "not UTF-8"]),
        ("r.jsonl", b"", ["r.jsonl", "holds no references"]),
        ("r.json", b'{"u1": null}', ["r.json (u1)", "None"]),
        ("r.json", b'{"u1": "one', ["r.json:1", "cut short"]),
        ("r.trn", b"one cat", ["r.trn:1", "cut short"]),
        ("r.trn", b"one \xff (u1)\n", ["r.trn:1", "not UTF-8"]),
    ],
)
def test_broken_references_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: bytes, facts: list[str]
) -> None:
    """Row 14: A reference that is none is the sentence's subject, and not the hypotheses."""
    (tmp_path / "h.jsonl").write_text(GOOD)
    (tmp_path / name).write_bytes(text)
    message = _refused(capsys, tmp_path, "score", tmp_path / "h.jsonl", "--references", tmp_path / name)
    assert [fact for fact in facts if fact not in message] == []


@pytest.mark.parametrize("shape", ["BOM", "CRLF", "BOM and CRLF", "no last newline", "blank lines"])
@pytest.mark.parametrize("form", ["jsonl", "trn", "json"])
def test_what_windows_adds_is_fine(tmp_path: Path, form: str, shape: str) -> None:
    """Row 14: BOM, CRLF, blank lines and an open last line change no figure, in hypotheses and references."""
    texts = {"u1": "the hat sat", "u2": "hello"}
    written = {
        "jsonl": "".join(
            json.dumps({"id": identity, "hyp_text": text, "ref_text": text.replace("hat", "cat")}) + "\n"
            for identity, text in texts.items()
        ),
        "trn": "".join(f"{text} ({identity})\n" for identity, text in texts.items()),
        "json": json.dumps(texts, indent=1) + "\n",
    }[form]
    wraps: dict[str, Callable[[str], str]] = {
        "BOM": lambda text: "\ufeff" + text,
        "CRLF": lambda text: text.replace("\n", "\r\n"),
        "BOM and CRLF": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        "no last newline": lambda text: text.removesuffix("\n"),
        "blank lines": lambda text: "\n" + text.replace("\n", "\n\n"),
    }
    heard, spoken = tmp_path / f"h.{form}", tmp_path / f"r.{form}"
    heard.write_bytes(wraps[shape](written).encode())
    spoken.write_bytes(wraps[shape](written.replace("hat", "cat")).encode())
    document = score(heard, "--references", str(spoken))
    assert _figures(document) == ("wer", 4, 0, 1)
    assert [(row["id"], row["hyp"]) for row in document["per_utterance"]] == list(texts.items())


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1e"])
@pytest.mark.parametrize("form", ["jsonl", "trn"])
def test_other_line_ends_inside_a_text_end_no_row(tmp_path: Path, form: str, mark: str) -> None:
    """Row 14: What Python's splitlines takes for an end of line is a blank of the text; no row is torn in two."""
    if form == "trn":
        (tmp_path / "h.trn").write_text(f"one{mark}cat (u1)\n", encoding="utf-8")
    else:
        row = {"id": "u1", "hyp_text": f"one{mark}cat"}
        (tmp_path / "h.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    (tmp_path / "r.json").write_text('{"u1": "one cat"}')
    document = score(tmp_path / f"h.{form}", "--references", str(tmp_path / "r.json"))
    assert (document["wer"], document["words"], document["n"]) == (0.0, 2, 1)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_another_encoding_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str) -> None:
    """Row 14: What another program saved as UTF-16 or Latin-1 is named by file and line, and never guessed at."""
    path = tmp_path / "h.jsonl"
    path.write_bytes('{"id": "u1", "ref_text": "café", "hyp_text": "café"}\n'.encode(encoding))
    assert "h.jsonl:1" in _refused(capsys, tmp_path, "score", path)


def _of_another_schema(folder: Path, name: str, schema: object) -> Path:
    score(write(folder / "h.jsonl", [_row("one cat", "one cat")]))
    document = json.loads((folder / "h.score.json").read_text()) | {"schema": schema}
    (folder / name).write_text(json.dumps(document))
    return folder / name


@pytest.mark.parametrize("command", ["score", "convert", "compare"])
@pytest.mark.parametrize("schema", ["asrgate.score/2", "asrgate.compare/1", "somebody.else/1", None, 1])
def test_a_score_file_of_another_schema_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], schema: object, command: str
) -> None:
    """Row 14: No command reads a file that names another schema, and the sentence has both."""
    path = _of_another_schema(tmp_path, "x.score.json", schema)
    more: dict[str, list[object]] = {
        "score": [],
        "convert": ["--to", "jsonl"],
        "compare": [tmp_path / "h.score.json"],
    }
    message = _refused(capsys, tmp_path, command, path, *more[command])
    assert f"x.score.json: the schema is {schema!r}" in message
    assert "asrgate.score/1" in message


@pytest.mark.parametrize("schema", ["asrgate.score/1", "asrgate.score/2"])
@pytest.mark.parametrize("name", ["x.json", "x.score.json", "x.jsonl"])
def test_a_score_file_is_no_references_and_hides_under_no_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, schema: str
) -> None:
    """Row 14: Its texts are normalised already: neither hypotheses nor references are taken from it."""
    path = _of_another_schema(tmp_path, name, schema)
    assert name in _refused(capsys, tmp_path, "score", path)
    assert name in _refused(capsys, tmp_path, "score", tmp_path / "h.jsonl", "--references", path)


def test_a_refused_file_leaves_the_score_of_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where hypotheses were cut short since they were scored, the score file stays byte for byte."""
    path = write(tmp_path / "h.jsonl", [_row("one cat", "one cat"), _row("two", "two", "u2")])
    score(path)
    path.write_bytes(path.read_bytes()[:-9])
    assert "h.jsonl:2" in _refused(capsys, tmp_path, "score", path)


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        (_row("one cat", "@"), "(u1)"),
        (_row("@", "one cat"), "(u1)"),
        (_row("one cat", ";; one cat"), "(u1)"),
        (_row("one cat", "one { cat / hat }"), "(u1)"),
        (_row("one cat", "one\0cat"), "(u1)"),
        (_row("one cat", "one cat", "a (b)"), "a (b)"),
    ],
    ids=["null sign", "null sign in reference", "comment", "alternation", "NUL", "id"],
)
def test_a_pair_that_cannot_be_written_leaves_no_half(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: dict[str, object], fact: str
) -> None:
    """Where one side of an sclite pair cannot hold a text, neither file is written, and the id is named."""
    path = write(tmp_path / "h.jsonl", [_row("two", "two", "u0"), row])
    assert fact in _refused(capsys, tmp_path, "convert", path, "--to", "trn")
