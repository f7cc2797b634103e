"""A gate over datasets of many languages: the right metric, normaliser and count for each, and overrides."""

import json
from typing import Any

import pytest

from tests.integration.conftest import GateProject

# Reference, what was heard, metric, normaliser, errors and reference tokens, counted by hand.
LANGUAGES = {
    "en": ("Don't go, 20 dollars!", "don’t go $20", "wer", "whisper-english", 0, 4),
    "hi": ("वह किताब पढ़ रही थी १२", "वह किताब पढ़ रहा था 12।", "wer", "indic", 2, 6),
    "bn": ("আমি ভাত খাই ১২", "আমি ভাত খাও 12", "wer", "indic", 1, 4),
    "ta": ("நான் சோறு சாப்பிடுகிறேன் ௧௨", "நான் சோறு சாப்பிட்டேன் 12", "wer", "indic", 1, 4),
    "te": ("నేను అన్నం తిన్నాను ౧౨", "నేను అన్నం తింటాను 12", "wer", "indic", 1, 4),
    "kn": ("ನಾನು ಅನ್ನ ತಿಂದೆ ೧೨", "ನಾನು ಅನ್ನ ತಿನ್ನುವೆ 12", "wer", "indic", 1, 4),
    "ml": ("ഞാൻ ചോറ് തിന്നു ൧൨", "ഞാന്\u200d ചോറ് തിന്നും 12", "wer", "indic", 1, 4),
    "mr": ("मी भात खाल्ला १२", "मी भात खातो 12", "wer", "indic", 1, 4),
    "gu": ("હું ભાત ખાઉં છું ૧૨", "હું ભાત ખાધો 12", "wer", "indic", 2, 5),
    "or": ("ମୁଁ ଭାତ ଖାଏ ୧୨", "ମୁଁ ଭାତ ଖାଇଲି 12", "wer", "indic", 1, 4),
    "pa": ("ਮੈਂ ਚੌਲ ਖਾਂਦਾ ਹਾਂ ੧੨", "ਮੈਂ ਚੌਲ ਖਾਧੇ ਹਾਂ 12", "wer", "indic", 1, 5),
    "zh": ("今天 天气 很好", "今天天汽很好。", "cer", "basic-marks", 1, 6),
    "yue": ("我哋 去 食飯", "我地去食飯", "cer", "basic-marks", 1, 5),
    "ja": ("今日は良い天気です", "今日は いい天気です", "cer", "basic-marks", 1, 9),
    "ko": ("오늘 날씨가 좋다", "오늘날씨가 좋아", "cer", "basic-marks", 1, 7),
    "th": ("วันนี้อากาศดี", "วันนี้อากาศที", "cer", "basic-marks", 1, 13),
    "ar": ("كَتَبَ الوَلَدُ ١٢", "كُتِبَ الوَلَدُ 12", "wer", "basic-marks", 1, 3),
    "fr": ("Aujourd’hui, l'été\u00a0arrive", "aujourd'hui l’e\u0301te\u0301 arrive", "wer", "basic-marks", 0, 5),
    "tr": ("IŞIK İyi", "ışık iyi", "wer", "basic-marks", 0, 2),  # noqa: RUF001 - Turkish
}
TAGS = {
    "en": "en_US",
    "hi": "Hindi",
    "zh": "ZH-Hant-TW",
    "ja": "ja_JP",
    "pt": "pt-BR",
    "or": "ory",
    "yue": "zh-yue",
}


def _report(project: GateProject) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((project.root / "report.json").read_text(encoding="utf-8"))
    return {pair["dataset"]: pair for pair in report["pairs"]}


def _gate(project: GateProject, datasets: str, thresholds: str = "", gate: str = "") -> None:
    project.gate(
        f"""
        [gate]
        {gate}
        [transcriber.fake]
        kind = "fake"
        timeout_s = 5
        [variant.f32]
        model = "f32.json"
        {datasets}
        [thresholds]
        {thresholds}
        """
    )


def test_every_language_has_its_metric_normaliser_and_count(project: GateProject) -> None:
    """One gate over nineteen languages, tagged in many ways, counts what a reader of each language would count."""
    heard, tables = {}, ""
    for number, (language, (reference, hypothesis, *_)) in enumerate(LANGUAGES.items()):
        first = 1600 + 10 * number
        project.dataset(language, [reference], first, language=TAGS.get(language, language))
        heard[first] = hypothesis
        tables += f'\n[dataset.{language}]\nmanifest = "{language}/manifest.jsonl"'
    project.model("f32", heard)
    _gate(project, tables)
    result = project.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(passed=len(LANGUAGES))
    pairs = _report(project)
    found = {
        language: (
            pair["metric"],
            pair["contract"]["normaliser"].split()[0],
            pair["substitutions"] + pair["deletions"] + pair["insertions"],
            pair["words"],
        )
        for language, pair in pairs.items()
    }
    assert found == {language: row[2:] for language, row in LANGUAGES.items()}
    assert pairs["hi"]["contract"]["language"] == "hi"
    result.stdout.fnmatch_lines(["variant  dataset *WER/CER%*", "f32*hi*33.33 WER*", "f32*zh*16.67 CER*"])


def test_metric_and_normaliser_can_be_set_for_a_dataset(project: GateProject) -> None:
    """`metric` and `normaliser` in gate.toml win over the language; `basic` hides Hindi vowel signs."""
    reference, hypothesis = LANGUAGES["hi"][:2]
    project.dataset("hindi", [reference], language="hi")
    project.model("f32", {1600: hypothesis})
    tables = '\n[dataset.auto]\nmanifest = "hindi/manifest.jsonl"'
    tables += '\n[dataset.basic]\nmanifest = "hindi/manifest.jsonl"\nnormaliser = "basic"'
    tables += '\n[dataset.characters]\nmanifest = "hindi/manifest.jsonl"\nmetric = "cer"'
    tables += '\n[dataset.raw]\nmanifest = "hindi/manifest.jsonl"\nnormaliser = "none"'
    _gate(project, tables)
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=4)
    pairs = _report(project)
    assert pairs["auto"]["substitutions"] == 2
    assert pairs["characters"]["metric"] == "cer"
    assert pairs["raw"]["substitutions"] == 3
    assert pairs["basic"]["contract"]["normaliser"].startswith("basic 0.")
    # `basic` splits words at vowel signs and drops these: more words, of which none differs but the number.
    assert pairs["basic"]["words"] > 6
    assert pairs["basic"]["substitutions"] == 1


def test_rows_of_several_languages_are_normalised_each_by_its_own(project: GateProject) -> None:
    """One dataset may mix languages of one metric; the stamp names each one's normaliser."""
    project.dataset("mixed", ["I can't go", "१२ किताब"], language=["en", "hi"])
    project.model("f32", {1600: "i can not go", 1601: "12 किताब"})
    _gate(project, '\n[dataset.mixed]\nmanifest = "mixed/manifest.jsonl"')
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=1)
    pair = _report(project)["mixed"]
    assert pair["rate_pct"] == 0.0
    assert pair["contract"]["normaliser"].startswith("en: whisper-english")
    assert "; hi: indic" in pair["contract"]["normaliser"]


def test_languages_that_need_two_metrics_are_refused_before_anything_is_decoded(project: GateProject) -> None:
    """Words and characters are never added up: one sentence says what to set."""
    project.dataset("mixed", ["hello", "你好"], language=["en", "zh"])
    project.model("f32", {1600: "hello", 1601: "你好"}, log=str(project.root / "f32.log"))
    _gate(project, '\n[dataset.mixed]\nmanifest = "mixed/manifest.jsonl"')
    result = project.run("-m", "wer")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*dataset.mixed: *metric*"])
    assert project.log("f32") == []


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ('language = "jp"', "*dataset.prompts.language: there is no language 'jp'; did you mean 'ja'?"),
        ('normaliser = "whisper"', "*dataset.prompts.normaliser: *whisper-english*"),
    ],
)
def test_a_wrong_language_or_normaliser_is_refused_with_the_right_word(
    project: GateProject, table: str, line: str
) -> None:
    """A slip in gate.toml ends the run before it starts and names the nearest right word."""
    project.dataset("prompts", ["hello"])
    project.model("f32", {1600: "hello"})
    _gate(project, f'\n[dataset.prompts]\nmanifest = "prompts/manifest.jsonl"\n{table}')
    result = project.run("-m", "wer")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([line])


def test_a_wrong_language_in_a_row_names_file_line_and_id(project: GateProject) -> None:
    """A manifest row with a language that does not exist is an ERROR that names the row."""
    project.dataset("prompts", ["hello", "there"], language=["en", "cn"])
    project.model("f32", {1600: "hello", 1601: "there"})
    _gate(project, '\n[dataset.prompts]\nmanifest = "prompts/manifest.jsonl"')
    result = project.run("-m", "wer")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*manifest.jsonl:2 (prompts-1): language: *'cn'*'zh'*"])


def test_dediarize_is_a_key_of_the_dataset_and_stamped(project: GateProject) -> None:
    """The same transcripts score 0 with `dediarize = true` and cost errors without, and the report says which."""
    project.dataset("talk", ["hello there how are you"])
    project.model("f32", {1600: "[0.00][S01]hello there[1.20][S02]how are you[2.00]"})
    tables = '\n[dataset.plain]\nmanifest = "talk/manifest.jsonl"\nnormaliser = "none"'
    tables += '\n[dataset.clean]\nmanifest = "talk/manifest.jsonl"\nnormaliser = "none"\ndediarize = true'
    _gate(project, tables)
    project.run("-m", "wer", "--asrgate-json", "report.json").assert_outcomes(passed=2)
    pairs = _report(project)
    assert pairs["clean"]["rate_pct"] == 0.0
    assert pairs["plain"]["rate_pct"] > 0.0
    assert (pairs["clean"]["contract"]["dediarize"], pairs["plain"]["contract"]["dediarize"]) == (True, False)


def test_masked_differences_can_be_gated_on(project: GateProject) -> None:
    """A dropped sign scores 0 errors; `masked = 0` fails the pair and shows both texts as they were."""
    project.dataset("signs", ["it was -5 degrees", "the colour of it", "hello"])
    project.model("f32", {1600: "it was 5 degrees", 1601: "the color of it", 1602: "Hello!"})
    _gate(project, '\n[dataset.signs]\nmanifest = "signs/manifest.jsonl"', thresholds="masked = 0")
    result = project.run("-m", "wer", "--asrgate-json", "report.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*FAIL *masked *2 *0 *hidden by the normaliser; 1 of them touch digits, signs*",
            "*signs-0: differs in sign, which the normaliser hides",
            "*REF: it was -5 degrees",
            "*HYP: it was 5 degrees",
            "*signs-1: differs in words, which the normaliser hides",
            "signs: utterances whose differences the normaliser hides *: f32 2 (1)",
        ]
    )
    pair = _report(project)["signs"]
    assert pair["rate_pct"] == 0.0
    assert pair["masked_first"] == ["signs-0"]
    assert {row["id"]: row["masked"] for row in pair["utterances"]} == {
        "signs-0": ["sign"],
        "signs-1": ["words"],
        "signs-2": [],
    }


def test_masked_delta_counts_against_the_baseline(project: GateProject) -> None:
    """What the baseline hides too is not held against a variant."""
    project.dataset("signs", ["it was -5 degrees", "the colour of it"])
    project.model("f32", {1600: "it was -5 degrees", 1601: "the color of it"})
    project.model("q8_0", {1600: "it was 5 degrees", 1601: "the color of it"})
    _gate(
        project,
        '\n[variant.q8_0]\nmodel = "q8_0.json"\n[dataset.signs]\nmanifest = "signs/manifest.jsonl"',
        thresholds="masked_delta = 0",
        gate='baseline = "f32"',
    )
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*FAIL *masked_delta *+1 *0 *2 against the baseline's 1*", "*signs-0: differs in *"]
    )


def test_a_loop_hides_in_no_mean(project: GateProject) -> None:
    """One output that repeats itself fails `loops = 0` and is named, whatever the rate allows."""
    project.dataset("prompts", ["thank you", "good morning to all of you"])
    project.model("f32", {1600: "thank you " * 6, 1601: "good morning to all of you"})
    _gate(project, '\n[dataset.prompts]\nmanifest = "prompts/manifest.jsonl"', thresholds="wer = 900.0\nloops = 0")
    result = project.run("-m", "wer")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*FAIL *loops *1 *0*", "*prompts-0: 10 errors in 2 words"])
