"""Claims about language tags: every name of a language leads to one code, and what is no language is told."""

import subprocess
import sys

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.languages import _COMMON, _MISTAKEN, canonical_language, language_problem

WHISPER_NAMES = {
    "english": "en", "chinese": "zh", "german": "de", "spanish": "es", "russian": "ru", "korean": "ko",
    "norwegian": "no", "nynorsk": "nn", "bengali": "bn", "maori": "mi", "myanmar": "my", "burmese": "my",
    "haitian creole": "ht", "haitian": "ht", "letzeburgesch": "lb", "luxembourgish": "lb", "pushto": "ps",
    "pashto": "ps", "panjabi": "pa", "punjabi": "pa", "moldavian": "ro", "moldovan": "ro", "sinhalese": "si",
    "sinhala": "si", "castilian": "es", "flemish": "nl", "valencian": "ca", "mandarin": "zh", "cantonese": "yue",
    "javanese": "jv", "hawaiian": "haw", "tibetan": "bo", "khmer": "km", "lao": "lo", "yiddish": "yi",
}  # fmt: skip

HINTS = {
    "al": "sq", "bd": "bn", "cn": "zh", "cz": "cs", "dk": "da", "gb": "en", "ge": "ka", "gr": "el", "hk": "yue",
    "il": "he", "ir": "fa", "jp": "ja", "kh": "km", "kz": "kk", "mx": "es", "np": "ne", "ph": "tl", "pk": "ur",
    "rs": "sr", "sp": "es", "ua": "uk", "us": "en", "vn": "vi",
}  # fmt: skip


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        (
            ["en", "EN", "en_US", "en-GB", "eng", "English", "ENGLISH", " en ", "en-Latn-US", "American English"],
            "en",
        ),
        (["ja", "ja_JP", "jpn", "Japanese"], "ja"),
        (["zh", "zho", "chi", "cmn", "Chinese", "Mandarin", "zh-Hant-TW", "zh_CN", "cmn_hans_cn", "zh-min"], "zh"),
        (["yue", "Cantonese", "zh-yue", "zh_YUE", "yue-Hant-HK", "yue_hant_hk"], "yue"),
        (["zh-min-nan", "nan", "zh-nan-TW", "Taiwanese", "taiwanese"], "nan"),
        (["cdo", "zh-cdo", "ZH_CDO"], "cdo"),
        (["or", "ory", "ori", "Oriya", "Odia", "or_IN"], "or"),
        (["pa", "pan", "Punjabi", "Panjabi", "pa_in"], "pa"),
        (["my", "Burmese", "Myanmar", "mya", "bur"], "my"),
        (["ht", "Haitian Creole"], "ht"),
        (["hi", "hi-Latn", "hi_in", "hin", "HINDI"], "hi"),
        (["fil", "Filipino", "fil_ph"], "fil"),
        (["tl", "tgl"], "tl"),
        (["haw", "Hawaiian"], "haw"),
        (["luba-katanga", "lub"], "lu"),
    ],
)
def test_every_tag_of_a_language_is_one_code(tags: list[str], code: str) -> None:
    """Region, script, case, names and three-letter codes make no difference."""
    assert {tag: canonical_language(tag) for tag in tags} == dict.fromkeys(tags, code)
    assert not [problem for tag in tags if (problem := language_problem(tag))]


@pytest.mark.parametrize("code", ["jw", "tl", "no", "iw", "in", "ji", "sh", "mo", "nb", "nn", "he", "jv", "bh"])
def test_two_letter_codes_stay_what_they_are(code: str) -> None:
    """Engines get the code they were trained with, and every one of these is a language."""
    assert canonical_language(code) == canonical_language(code.upper() + "_XX") == code
    assert language_problem(code) is None


@pytest.mark.parametrize(("name", "code"), WHISPER_NAMES.items())
def test_names_that_whisper_uses_are_known(name: str, code: str) -> None:
    """Whisper's own names and its aliases of them are understood."""
    assert canonical_language(name.title()) == code
    assert language_problem(name) is None


@pytest.mark.parametrize("tag", ["klingonish", "xx", "q", "日本語", "123"])
def test_what_nobody_knows_comes_back_in_lower_case(tag: str) -> None:
    """An unknown tag is no error here; its first part comes back."""
    assert canonical_language(f"{tag.upper()}-Latn") == tag
    assert language_problem(tag)


@pytest.mark.parametrize(
    ("tag", "right"),
    [
        ("JP", "ja"),
        ("jp-JP", "ja"),
        ("hk_TW", "yue"),
        ("englsh", "english"),
        ("Hindhi", "hindi"),
        ("portugese", "portuguese"),
    ],
)
def test_a_mistaken_tag_is_told_the_right_one(tag: str, right: str) -> None:
    """Codes of countries and misspelt names get the nearest right tag, which is itself a language."""
    assert language_problem(tag) == f"there is no language {tag!r}; did you mean {right!r}?"
    assert language_problem(right) is None


@pytest.mark.parametrize(("country", "language"), HINTS.items())
def test_a_code_of_a_country_is_told_its_language(country: str, language: str) -> None:
    """Every such code gets the language that is meant, and that one is known."""
    assert language_problem(country) == f"there is no language {country!r}; did you mean {language!r}?"
    assert language_problem(language) is None


def test_every_hint_is_tested() -> None:
    """The list of this test is the whole list."""
    assert HINTS.keys() == _MISTAKEN.keys()


@pytest.mark.parametrize("tags", [["en"], ["hi"], ["zh"], ["en_US", "EN", "hi_IN", "zh-Hant", "yue", "haw"]])
def test_common_codes_need_no_names(tags: list[str]) -> None:
    """A run in one of the usual languages does not wait for the names of all of them to be read."""
    program = (
        "import sys\n"
        "from pytest_asrgate.languages import canonical_language, language_problem\n"
        "for tag in sys.argv[1:]:\n"
        "    assert canonical_language(tag) and language_problem(tag) is None, tag\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] == 'babel'))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *tags], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_common_codes_are_languages() -> None:
    """What is answered without the names is what the names would answer."""
    assert _COMMON - {"jw"} <= set(Locale("en").languages)
    assert {code: canonical_language(code.upper()) for code in _COMMON} == {code: code for code in _COMMON}


@pytest.mark.parametrize("tag", ["kr", "se", "in", "uk", "sat", "brx", "doi", "mni", "kok", "xyz"])
def test_real_codes_that_look_like_mistakes_are_known(tag: str) -> None:
    """Kanuri, Northern Sami and any well-formed code of three letters are languages."""
    assert language_problem(tag) is None


@pytest.mark.parametrize("tag", ["auto", "", " ", "und", "mul", "zxx", "mis", "-", "_US"])
def test_a_tag_that_names_no_language_is_a_problem(tag: str) -> None:
    """`auto` and the codes for unknown, mixed or absent speech say nothing about how to score."""
    assert language_problem(tag) == f"{tag!r} names no language; write the one that is spoken, such as 'en'"


@pytest.mark.parametrize("tag", ["xx", "q", "en,hi", "x" * 10_000, "12"])
def test_a_problem_is_one_short_sentence(tag: str) -> None:
    """Also where there is nothing near, and where somebody wrote a whole text."""
    problem = language_problem(tag)
    assert problem is not None
    assert problem.startswith("there is no language '")
    assert len(problem) < 160


@given(st.text())
def test_no_tag_raises(tag: str) -> None:
    """Any text has a code without outer blanks and upper case, the same for both, and a problem or none."""
    code = canonical_language(tag)
    assert code == code.strip()
    assert canonical_language(code.lower()) == canonical_language(code)
    assert language_problem(tag) is None or "\n" not in str(language_problem(tag))
