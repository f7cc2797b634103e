"""Claims about output that repeats itself."""

import pytest

from pytest_asrgate.metrics.loops import compression, is_loop, longest_repetition, loops, raw_loop
from pytest_asrgate.metrics.wer import aligned_errors


@pytest.mark.parametrize(
    ("reference", "hypothesis", "loop"),
    [
        ("thank you", "thank you " * 50, True),
        ("thank you", "thank you " * 4, True),
        ("thank you", "thank you " * 3, False),
        ("no", "no no no no", False),
        ("no", "no " * 8, True),
        ("no " * 8, "no " * 8, False),
        ("no " * 8, "no " * 9, True),
        ("", "la " * 20, True),
        ("a b", "so we went to the sea and " * 4, True),
        ("the cat sat on the mat", "the cat sat on the mat", False),
        ("", "", False),
        ("x", "one two three " * 2, False),
    ],
)
def test_a_loop_is_one_phrase_four_times_and_eight_words(reference: str, hypothesis: str, loop: bool) -> None:
    """Four repeats of eight words or more are a loop, unless the speaker repeats himself as often."""
    assert is_loop(reference, hypothesis) is loop


def test_characters_loop_too() -> None:
    """Where characters are counted a run of sixteen of them is a loop."""
    assert is_loop("ありがとう", "ありがとう" * 4, "cer")
    assert is_loop("は", "は" * 16, "cer")
    assert not is_loop("は", "は" * 15, "cer")


def test_the_phrase_may_begin_anywhere() -> None:
    """Words before and after the run are no part of it."""
    assert longest_repetition(["well", "I", *["I", "think"] * 4, "so"], 8) == 4
    assert longest_repetition(["a"], 1) == 1


@pytest.mark.parametrize(
    ("reference", "hypothesis", "loop"),
    [
        ("hello there", "[Music] " * 9, True),
        ("well", "Uh, uh. UH, uh… uh, uh uh (uh)", True),
        ("well", "Uh, uh. UH, uh…", False),
        ("no, no, no, no, no, no, no, no", "No no no no no no no no!", False),
        ("hello there", "♪ " * 40, False),
        ("call 5555 5555", "five " * 8, False),
        ("12 12 12 12", "twelve " * 8, False),
        ("", "किताब है। " * 5, True),
        ("it said so", "[Music] it said so (Laughter)", False),
    ],
)
def test_raw_texts_show_what_normalisers_drop(reference: str, hypothesis: str, loop: bool) -> None:
    """Fillers and remarks in brackets repeat as words do; signs do not, nor do digits that are spelled out."""
    assert raw_loop(reference, hypothesis) is loop


PARAGRAPH = (
    "the doctor walked along the old harbour while two heavy ships waited for morning and somebody counted "
    "baskets of fruit under a narrow bridge "
)


def _loops(reference: str, hypothesis: str, metric: str = "wer") -> bool:
    (steps,) = aligned_errors([reference], [hypothesis], metric)
    return loops((reference, hypothesis), steps, metric)


def test_a_long_phrase_that_returns_compresses_too_well() -> None:
    """A whole sentence again and again is no run of twelve words, and compresses beyond 2.4."""
    assert not is_loop(PARAGRAPH, PARAGRAPH * 6)
    assert _loops(PARAGRAPH, PARAGRAPH * 6)


def test_a_loop_that_varies_compresses_too_well() -> None:
    """A phrase that returns with another number each time is a loop without an equal run."""
    words = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905 - shorter
    varied = " ".join(f"and then I went to shop number {word} of the street" for word in words)
    assert not is_loop("and then I went home", varied)
    assert _loops("and then I went home", varied)


def test_a_single_endless_word_compresses_too_well() -> None:
    """One word without an end is one wrong word, and a loop for its length."""
    assert _loops("ha ha that is fun", "ha" * 200)


def test_honest_text_that_compresses_is_no_loop() -> None:
    """A speaker who repeats himself is repeated rightly, and a few wrong words do not make a loop of it."""
    listed = " ".join(f"and then I went to shop number {number} of the street" for number in range(20))
    assert compression(listed) > 2.4
    assert not _loops(listed, listed)
    assert not _loops(listed, listed.replace("shop", "ship"))
    assert not _loops(listed.replace(" and", ""), listed)


def test_scripts_compress_alike() -> None:
    """Letters of several bytes are no repetition: one text in two alphabets has one ratio."""
    capital = str.maketrans(
        {letter: chr(0x0430 + place) for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
    )
    assert compression(PARAGRAPH) == compression(PARAGRAPH.translate(capital))
    assert compression(PARAGRAPH) < 2.0
    assert compression("") == 0.0


def test_a_loop_in_a_long_text_is_found_by_its_window() -> None:
    """What fills half a minute of an hour is diluted in the whole and not in its window."""
    honest = " ".join(
        f"{chr(97 + a)}{chr(97 + b)}{chr(97 + c)}" for a in range(9) for b in range(9) for c in range(9)
    )
    assert _loops(honest, honest + " " + PARAGRAPH * 6)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "loop"),
    [
        ("hello there", "!" * 40, True),
        ("", ". " * 40, True),
        ("hello there", "hello there" + "!" * 15, False),
        ("so " + "." * 20 + " what", "so what " + "." * 20, False),
    ],
)
def test_one_sign_again_and_again_is_a_loop(reference: str, hypothesis: str, loop: bool) -> None:
    """Sixteen of one sign, which no normaliser leaves, are seen in the raw text, on silence too."""
    assert loops((reference, ""), "", raw=(reference, hypothesis)) is loop


@pytest.mark.parametrize("phrase", ["ご視聴ありがとうございました", "请不吝点赞订阅转发打赏支持"])
def test_a_phrase_of_many_characters_is_one_phrase(phrase: str) -> None:
    """Under cer a phrase may have 24 characters: said four times it is a loop, three times not."""
    assert is_loop("今天", phrase * 4, "cer")
    assert not is_loop("今天", phrase * 3, "cer")
