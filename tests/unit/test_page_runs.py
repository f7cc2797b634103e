"""Claims about alignments as a reader sees them: which words became which, with every sign whole."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_asrgate.metrics.wer import aligned_errors
from pytest_asrgate.reports.page.runs import Run, aligned_runs

from .properties import STEADY

# Letters with the marks that are drawn on them, and whatever else makes one sign of several code points.
_LETTERS = {
    "hindi": "कखषर\u093e\u093f\u0940\u0947\u094d\u093c\u0902\u200c\u200d ",
    "arabic": "أبتهي\u064b\u0651\u064e\u200c ",
    "japanese": "明日のか\u3099カ゛ー天気ｶﾞ ",
    "thai": "กขำ\u0e34\u0e48\u0e49เแ\u0e33 ",
    "signs": "a♪—9👩💻\u200d\U0001f3fd\ufe0f🇩🇪🇫e\u0301 ",
    "korean": "한글\u1112\u1161\u11ab ",
}
_TEXTS = st.sampled_from(sorted(_LETTERS)).flatmap(
    lambda name: st.tuples(st.text(_LETTERS[name], max_size=12), st.text(_LETTERS[name], max_size=12))
)


def _runs(reference: str, hypothesis: str, metric: str = "wer") -> list[tuple[str, str, str]]:
    (steps,) = aligned_errors([reference], [hypothesis], metric)
    return [tuple(run) for run in aligned_runs(reference, hypothesis, steps, metric)]


def test_equal_words_are_one_run_and_each_substitution_its_own() -> None:
    """Neighbours that are equal, left out or added stand together; a reader sees which word became which."""
    assert _runs("turn the kitchen lights on", "turn the chicken light on") == [
        ("=", "turn the", "turn the"),
        ("S", "kitchen", "chicken"),
        ("S", "lights", "light"),
        ("=", "on", "on"),
    ]
    assert _runs("go", "go right now") == [("=", "go", "go"), ("I", "", "right now")]
    assert _runs("stop it at once", "stop") == [("=", "stop", "stop"), ("D", "it at once", "")]


def test_where_nothing_was_said_only_words_are_added() -> None:
    """Signs that are no words are no errors: they are shown as equal, those of both texts side by side."""
    assert _runs("", "♪ la la —") == [("=", "", "♪"), ("I", "", "la la"), ("=", "", "—")]
    assert _runs("♪", "♪ la") == [("=", "♪", "♪"), ("I", "", "la")]
    assert _runs("♪", "") == [("=", "♪", "")]
    assert _runs("", "") == []


def test_characters_keep_the_white_space_of_their_texts() -> None:
    """Under cer white space costs nothing, and still stands where it stood."""
    assert _runs("明日 の 天気", "明日の電気", "cer") == [
        ("=", "明日 の", "明日の"),
        ("S", " 天", "電"),
        ("=", "気", "気"),
    ]
    assert _runs("ab c", "abc", "cer") == [("=", "ab c", "abc")]
    assert _runs(" ab\t", "a  d ", "cer") == [("=", " a", "a"), ("S", "b\t", "  d ")]
    # A vowel sign behind white space is drawn on that, and not on the letter before it.
    assert _runs("क \u093f", "क \u0940", "cer") == [("=", "क", "क"), ("S", " \u093f", " \u0940")]


def test_a_changed_vowel_sign_is_shown_with_its_letter() -> None:
    """The error of one code point marks all of what is drawn as one."""
    assert _runs("कि", "की", "cer") == [("S", "कि", "की")]
    assert _runs("मकान", "मकन", "cer") == [("=", "म", "म"), ("S", "का", "क"), ("=", "न", "न")]
    assert _runs("ที่", "ที", "cer") == [("S", "ที่", "ที")]
    # What a joiner keeps apart is two signs.
    kept = "क\u094d\u200c"
    assert _runs(f"{kept}ष", f"{kept}म", "cer") == [("=", kept, kept), ("S", "ष", "म")]


def test_a_sign_of_which_both_kinds_of_error_are_is_substituted() -> None:
    """A sign that has an equal part and an added one is another sign, and one that is added whole is added."""
    assert _runs("क", "कि", "cer") == [("S", "क", "कि")]
    assert _runs("म", "मकि", "cer") == [("=", "म", "म"), ("I", "", "कि")]
    # A vowel sign alone is no letter, so that it does not count where nothing was said.
    assert aligned_errors([""], ["कि"], "cer") == ["I"]
    assert _runs("", "कि", "cer") == [("I", "", "कि")]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "kept"),
    [
        ("👩‍💻", "👩‍🔧", "👩‍💻"),
        ("🇩🇪🇫🇷a", "🇩🇰🇫🇷a", "🇩🇪"),
        ("क्षय", "क्मय", "क्ष"),
        ("\u1112\ud55c", "\u1112\uae00", "\u1112\ud55c"),
        ("👍🏽a", "👍🏿a", "👍🏽"),
        ("か\u3099a", "か\u309aa", "か\u3099"),
    ],
)
def test_what_is_drawn_as_one_sign_is_never_cut(reference: str, hypothesis: str, kept: str) -> None:
    """Joined emoji, flags, skin tones, fused letters and voicing marks are substituted as a whole."""
    (steps,) = aligned_errors([f"a{reference}"], [f"a{hypothesis}"], "cer")
    runs = aligned_runs(f"a{reference}", f"a{hypothesis}", steps, "cer")
    assert kept in [run.ref for run in runs if run.step == "S"]


@STEADY
@given(_TEXTS, st.sampled_from(["wer", "cer"]))
@example(("\uff41 a", "a"), "cer")
def test_the_sides_give_back_the_texts(texts: tuple[str, str], metric: str) -> None:
    """All of the reference stands on one side and all of the hypothesis on the other, in order."""
    reference, hypothesis = (" ".join(text.split()) for text in texts)
    (steps,) = aligned_errors([reference], [hypothesis], metric)
    runs = aligned_runs(reference, hypothesis, steps, metric)
    gap = "" if metric == "cer" else " "
    assert gap.join(run.ref for run in runs if run.ref) == reference
    assert gap.join(run.hyp for run in runs if run.hyp) == hypothesis
    if metric == "wer" and any(sign.isalnum() for sign in reference):
        assert sum(len(run.ref.split()) for run in runs if run.step != "I") == len(steps) - steps.count("I")


@STEADY
@given(_TEXTS)
def test_no_run_begins_within_a_sign(texts: tuple[str, str]) -> None:
    """A run under cer begins neither with a mark nor a joiner, nor behind one that joins, nor in half a flag."""
    reference, hypothesis = texts
    (steps,) = aligned_errors([reference], [hypothesis], "cer")
    runs = aligned_runs(reference, hypothesis, steps, "cer")
    for side in (1, 2):
        before = ""
        for run in runs:
            text = run[side]
            if text and before:
                assert unicodedata.category(text[0])[0] != "M"
                assert text[0] not in "\u200c\u200d\U0001f3fd"
                assert not before.endswith("\u200d") or text[0].isspace()
                halves = len(before) - len(before.rstrip("🇩🇪🇫"))
                assert halves % 2 == 0 or text[0] not in "🇩🇪🇫"
            before += text


@pytest.mark.parametrize(
    "steps",
    ["", "==", "====", "=S", "SSD", "=X=", "===I", "=D=", "S=="],
)
@pytest.mark.parametrize("metric", ["wer", "cer"])
def test_steps_of_other_texts_are_no_alignment(steps: str, metric: str) -> None:
    """A report whose steps do not fit its texts shows both texts whole."""
    reference, hypothesis = ("a b c", "a x c") if metric == "wer" else ("abc", "axc")
    assert aligned_runs(reference, hypothesis, steps, metric) == [Run("S", reference, hypothesis)]


def test_steps_that_count_other_words_where_nothing_was_said_are_no_alignment() -> None:
    """Neither more nor fewer additions than there are words are taken."""
    for steps in ("", "II", "=", "S"):
        assert aligned_runs("♪", "♪ la", steps, "wer") == [Run("S", "♪", "♪ la")]
