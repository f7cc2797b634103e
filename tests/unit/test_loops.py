"""Claims about output that repeats itself."""

import pytest

from pytest_asrgate.metrics.loops import is_loop, longest_repetition


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
