"""Claims about the width of an aligned diff."""

import pytest

from pytest_asrgate.metrics.alignment import aligned_diff


@pytest.mark.parametrize("width", range(20, 121, 5))
def test_letters_that_are_longer_in_capitals_fit(width: int) -> None:
    """A differing word stands in capitals, of which German has more letters; no line is wider."""
    words = " ".join(["gro\u00df"] * 60)
    lines = aligned_diff(words, words.replace("gro", "fu", 40), width)
    assert "GROSS" in lines[0]
    assert max(len(line) - len("REF: ") for line in lines) <= width
