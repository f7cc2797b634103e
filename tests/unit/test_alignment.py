"""Claims about the aligned diff that people read."""

from pytest_asrgate.metrics.alignment import aligned_diff


def test_each_kind_of_error_is_marked_in_its_column() -> None:
    """Substituted words stand in capitals on both sides, missing ones as asterisks, each over its mark."""
    assert aligned_diff("the cat sat on mats", "a cat on mats now") == [
        "REF: THE cat SAT on mats ***",
        "HYP: A   cat *** on mats NOW",
        "     S       D           I",
    ]


def test_equal_texts_have_no_line_of_marks() -> None:
    """Where nothing differs there are two lines."""
    assert aligned_diff("same words", "same words") == ["REF: same words", "HYP: same words"]


def test_an_empty_hypothesis_is_all_deletions() -> None:
    """Nothing heard is asterisks under every word."""
    assert aligned_diff("two words", "") == ["REF: TWO WORDS", "HYP: *** *****", "     D   D"]


def test_an_empty_reference_is_all_insertions() -> None:
    """Words on silence are insertions over asterisks."""
    assert aligned_diff("", "thank you") == ["REF: ***** ***", "HYP: THANK YOU", "     I     I"]


def test_other_white_space_parts_words_too() -> None:
    """A tab or a line end inside a text, as where nothing is normalised, is the blank that it is in the counts."""
    assert aligned_diff("a\tb", "a b") == ["REF: a b", "HYP: a b"]


def test_signs_that_are_no_words_are_no_insertions() -> None:
    """Where nobody speaks, marks stand under what counts: a word does, a note sign does not."""
    assert aligned_diff("♪", "♪ thank") == ["REF: ♪ * *****", "HYP: * ♪ THANK", "         I"]


def test_two_empty_texts_are_two_empty_lines() -> None:
    """Silence heard as silence shows no words and no trap."""
    assert [line.rstrip() for line in aligned_diff("", "")] == ["REF:", "HYP:"]


def test_long_texts_are_wrapped_between_words() -> None:
    """No line is wider than asked for, and the words of all lines are the words of the texts, in order."""
    spoken = [f"word{number}" for number in range(60)]
    heard = [word for number, word in enumerate(spoken) if number % 7]
    lines = aligned_diff(" ".join(spoken), " ".join(heard), width=40)
    assert max(len(line.removeprefix("REF: ").removeprefix("HYP: ")) for line in lines) <= 40 + len("     ")
    references = [line.removeprefix("REF: ") for line in lines if line.startswith("REF: ")]
    assert len(references) > 5
    assert " ".join(references).lower().split() == spoken
    hypotheses = " ".join(line.removeprefix("HYP: ") for line in lines if line.startswith("HYP: "))
    assert [word for word in hypotheses.split() if set(word) != {"*"}] == heard


def test_a_word_wider_than_the_line_stands_alone() -> None:
    """One endless word takes a line of its own instead of hanging the wrap."""
    word = "x" * 300
    assert aligned_diff(f"a {word} b", f"a {word} b", width=20)[0::2] == ["REF: a", f"REF: {word}", "REF: b"]
